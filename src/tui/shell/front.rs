//! Runs tabs: their context, the ownership of their questions, the tab in front, and what is open over it.

use super::{
    app::App,
    registry::{Action, TabId, Tabs},
};
use crate::tui::ctx::{
    UpdateCtx,
    intent::{Gesture, Intent},
    jobs::Owner,
    outbox::Outbox,
    surface::{Flow, Surface},
    tab::{Tab, TabEvent, TabReply},
};

impl App {
    /// Runs a function on a tab. The tab owns the questions that it asks.
    pub(super) fn at<R>(
        &mut self,
        tab: TabId,
        out: &mut Outbox,
        work: impl FnOnce(&mut Tabs, &mut UpdateCtx<'_>) -> R,
    ) -> R {
        let body = self.areas(out.now).body;
        let lead = self.surface().and_then(Surface::lead);
        let surfaces = self.surfaces.get(&tab);
        let ctx = &mut UpdateCtx {
            facts: &self.facts,
            body,
            trail: &mut self.trail,
            evidence: &self.evidence,
            jobs: &mut self.jobs,
            out,
            lead,
            is_covered: surfaces.is_some_and(|own| !own.is_empty()),
            owner: Owner(tab as usize),
        };
        work(&mut self.tabs, ctx)
    }

    /// Tells all tabs what happened.
    pub(super) fn tell_all(&mut self, event: fn() -> TabEvent<'static>, out: &mut Outbox) {
        for tab in TabId::ALL.iter().copied() {
            self.at(tab, out, |tabs, ctx| tabs.of_mut(tab).handle(event(), ctx));
        }
    }

    /// Tells the tab in front what happened; returns whether that has a meaning there.
    pub(super) fn tell(&mut self, event: TabEvent<'_>, out: &mut Outbox) -> bool {
        let flow = self.in_front(out, |tab, ctx| tab.handle(event, ctx));
        self.follow(self.tab, flow)
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
            self.tell(TabEvent::Left, out);
            self.tab = tab;
            self.filled_from = None;
        }
    }

    /// What is open over the tab in front and gets its keys.
    pub(crate) fn surface(&self) -> Option<&dyn Surface> {
        self.surfaces.get(&self.tab)?.last().map(AsRef::as_ref)
    }

    /// Whether something other than the tab in front gets the keys.
    pub(super) fn is_covered(&self) -> bool {
        self.overlay.is_some() || self.raw.contains_key(&self.tab) || self.surface().is_some()
    }

    /// Whether an intent reaches the tab in front: what is open over it handles gestures, but no actions.
    pub(super) fn reaches_tab(&self, intent: Intent<Action>) -> bool {
        !self.is_covered()
            || self.overlay.is_none()
                && !self.raw.contains_key(&self.tab)
                && matches!(intent, Intent::Action(_))
    }

    /// The lines above the tab in front that surfaces take.
    pub(super) fn docked_lines(&self) -> u16 {
        let surfaces = self.surfaces.get(&self.tab).into_iter().flatten();
        surfaces.map(|surface| surface.lines()).sum()
    }

    /// Lets what is open over the tab in front handle a gesture, else the tab.
    pub(super) fn on_front(&mut self, gesture: Gesture, out: &mut Outbox) -> bool {
        let tab = self.tab;
        let Some(mut surface) = self.surfaces.get_mut(&tab).and_then(Vec::pop) else {
            let flow = self.in_front(out, |tab, ctx| tab.on(gesture, ctx));
            return self.follow(tab, flow);
        };
        let flow = self.at(tab, out, |_, ctx| surface.on(gesture, ctx));
        if !matches!(flow, Flow::Close) {
            self.surfaces.entry(tab).or_default().push(surface);
        }
        self.follow(tab, flow)
    }

    /// Passes a reply to what is open over a tab, from the top; hands it on if nothing there asked for it.
    pub(super) fn answer_surfaces<'q>(
        &mut self,
        tab: TabId,
        reply: TabReply<'q>,
        out: &mut Outbox,
    ) -> Option<TabReply<'q>> {
        let Some(mut surfaces) = self.surfaces.remove(&tab) else {
            return Some(reply);
        };
        let mut reply = Some(reply);
        self.at(tab, out, |_, ctx| {
            for surface in surfaces.iter_mut().rev() {
                reply = reply.take().and_then(|reply| surface.answered(reply, ctx));
            }
        });
        surfaces.retain(|surface| !surface.is_over());
        self.surfaces.insert(tab, surfaces);
        reply
    }

    /// Opens what was asked for over a tab; returns whether the gesture had a meaning.
    pub(super) fn follow(&mut self, tab: TabId, flow: Flow) -> bool {
        match flow {
            Flow::Ignored => return false,
            Flow::Push(surface) => self.surfaces.entry(tab).or_default().push(surface),
            Flow::Done | Flow::Close => {}
        }
        true
    }
}
