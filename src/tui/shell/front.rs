//! Runs tabs: their context, the ownership of their questions, and the tab in front.

use super::{
    app::App,
    registry::{TabId, Tabs},
};
use crate::tui::ctx::{UpdateCtx, jobs::Owner, outbox::Outbox, tab::Tab};

impl App {
    /// Runs a function on a tab. The tab owns the questions that it asks.
    pub(super) fn at<R>(
        &mut self,
        tab: TabId,
        out: &mut Outbox,
        work: impl FnOnce(&mut Tabs, &mut UpdateCtx<'_>) -> R,
    ) -> R {
        let body = self.areas(out.now).body;
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

    /// Runs a function on each tab.
    pub(super) fn each(
        &mut self,
        out: &mut Outbox,
        work: impl Fn(&mut dyn Tab, &mut UpdateCtx<'_>),
    ) {
        for tab in TabId::ALL {
            self.at(*tab, out, |tabs, ctx| work(tabs.of_mut(*tab), ctx));
        }
    }

    /// Runs a function on the tab in front.
    pub(super) fn in_front<R>(
        &mut self,
        out: &mut Outbox,
        work: impl FnOnce(&mut dyn Tab, &mut UpdateCtx<'_>) -> R,
    ) -> R {
        let tab = self.tab;
        self.at(tab, out, |tabs, ctx| work(tabs.of_mut(tab), ctx))
    }

    /// Brings a tab to the front and leaves the previous one.
    pub(super) fn bring(&mut self, tab: TabId, out: &mut Outbox) {
        if tab != self.tab {
            self.in_front(out, |tab, ctx| tab.leave(ctx));
            self.tab = tab;
            self.filled_from = None;
        }
    }
}
