//! A tab at work: what it is given, whose answers come to it, and which tab is in front.

use super::{
    app::App,
    registry::{TabId, Tabs},
};
use crate::tui::{
    ctx::{UpdateCtx, jobs::Owner, outbox::Outbox, tab::Tab},
    ui::{areas::WIDE, cells},
};

/// The name of the program, before the headings of the tabs.
pub(super) const NAME: &str = " ipspect ";

impl App {
    /// Lets a tab work: the answers to what is asked meanwhile are its own.
    pub(super) fn at<R>(
        &mut self,
        tab: TabId,
        out: &mut Outbox,
        work: impl FnOnce(&mut Tabs, &mut UpdateCtx<'_>) -> R,
    ) -> R {
        let body = self.areas().body;
        let ctx = &mut UpdateCtx {
            facts: &self.facts,
            body,
            trail: &mut self.trail,
            evidence: &self.evidence,
            jobs: &mut self.jobs,
            out,
            owner: Owner(tab as usize),
        };
        work(&mut self.tabs, ctx)
    }

    /// Lets each tab work.
    pub(super) fn each(
        &mut self,
        out: &mut Outbox,
        work: impl Fn(&mut dyn Tab, &mut UpdateCtx<'_>),
    ) {
        for tab in TabId::ALL {
            self.at(*tab, out, |tabs, ctx| work(tabs.of_mut(*tab), ctx));
        }
    }

    /// Lets the tab in front work.
    pub(super) fn in_front<R>(
        &mut self,
        out: &mut Outbox,
        work: impl FnOnce(&mut dyn Tab, &mut UpdateCtx<'_>) -> R,
    ) -> R {
        let tab = self.tab;
        self.at(tab, out, |tabs, ctx| work(tabs.of_mut(tab), ctx))
    }

    /// What stands in the header for each tab, from the left.
    pub(super) fn headings(&self) -> Vec<(TabId, String)> {
        let narrow = self.areas().header.width < WIDE;
        let heading = |(index, tab): (usize, &TabId)| {
            let title = self.tabs.of(*tab).title();
            let number = index + 1;
            let text = if *tab == self.tab {
                format!("[{number} {title}]")
            } else if narrow {
                format!(" {number} ")
            } else {
                format!(" {number} {title} ")
            };
            (*tab, text)
        };
        TabId::ALL.iter().enumerate().map(heading).collect()
    }

    /// The tab whose heading is in this column of the header.
    pub(super) fn heading_at(&self, column: u16) -> Option<TabId> {
        let mut left = cells::width(NAME);
        self.headings().into_iter().find_map(|(tab, text)| {
            let begins = left;
            left = left.saturating_add(cells::width(&text));
            (begins..left).contains(&column).then_some(tab)
        })
    }

    /// Brings a tab to the front; the one that was there is left.
    pub(super) fn bring(&mut self, tab: TabId, out: &mut Outbox) {
        if tab != self.tab {
            self.in_front(out, |tab, ctx| tab.leave(ctx));
            self.tab = tab;
            self.filled_from = None;
        }
    }
}
