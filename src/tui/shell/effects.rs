//! Ends a state change: opens the requested destination, shows questions and messages, and returns the effects.

#[cfg(test)]
use jiff::Timestamp;

use super::{app::App, overlay::Overlay, registry::TabId};
use crate::tui::ctx::{
    cmd::Cmd, destination::Destination, facts::TokenState, outbox::Outbox, tab::TabEvent,
};

/// The maximum size of a copied text that is kept for display, in bytes.
const LARGEST_NOTE: usize = 16 << 10;

impl App {
    /// Opens the requested destination and moves everything else into the state; returns the effects.
    pub(super) fn settle(&mut self, mut out: Outbox) -> Vec<Cmd> {
        while let Some(place) = out.go.take() {
            if let Destination::Access(entered) = &place
                && entered.token.is_some()
            {
                self.facts.token = TokenState::There;
            }
            self.go(place, &mut out);
        }
        if out.cmds.contains(&Cmd::Forget) {
            self.trail.clear();
            self.evidence.clear();
            self.copied_note = None;
            self.notices.drop_bodies();
        }
        self.tell(TabEvent::Changed, &mut out);
        if let Some(confirm) = out.confirm.take() {
            self.overlay = Some(Overlay::Confirm(confirm));
        }
        if let Some(id) = out.stopping.take() {
            self.overlay = Some(Overlay::Stopping(id));
        }
        if !out.notices.is_empty() {
            self.failed = out.failed.take();
        }
        for (tone, text) in out.notices.drain(..) {
            self.notices.push(tone, text, out.now);
        }
        if out.on_page {
            self.notices.dismiss();
        }
        if let Some(body) = out.body.take() {
            self.notices.attach(body);
        }
        // The bell is for users who do not look at the screen.
        if self.facts.focused {
            out.cmds.retain(|cmd| *cmd != Cmd::Bell);
        }
        for cmd in &out.cmds {
            match cmd {
                Cmd::Cancel(id) => drop(self.jobs.take(*id)),
                Cmd::Copy(what, text) => {
                    let is_note = text.len() <= LARGEST_NOTE && text.lines().nth(1).is_some();
                    self.copied_note = is_note.then(|| (what.clone(), text.clone()));
                }
                _ => {}
            }
        }
        let begun = self.jobs.begun();
        if begun != self.begun {
            out.cmds.push(Cmd::Begun(begun.clone()));
            self.begun = begun;
        }
        out.cmds
    }

    /// Brings the tab of a destination to the front.
    fn find(&mut self, place: &Destination, out: &mut Outbox) {
        let tab = TabId::of(place);
        self.bring(tab, out);
        self.raw.remove(&tab);
        self.surfaces.remove(&tab);
    }

    /// Opens a destination as if a tab requested it.
    #[cfg(test)]
    pub(crate) fn open(&mut self, place: Destination, now: Timestamp) -> Vec<Cmd> {
        let mut out = Outbox::new(now);
        out.go = Some(place);
        self.settle(out)
    }

    fn go(&mut self, place: Destination, out: &mut Outbox) {
        let from = self.tab;
        self.form_ahead = None;
        self.find(&place, out);
        if matches!(place, Destination::Export(..)) && from != self.tab {
            self.filled_from = Some(from);
        }
        self.tell(TabEvent::Opened(place), out);
    }

    /// Shows a destination in its previous state. Sends nothing.
    pub(super) fn show(&mut self, place: &Destination, out: &mut Outbox) {
        self.find(place, out);
        self.tell(TabEvent::Shown(place), out);
    }
}
