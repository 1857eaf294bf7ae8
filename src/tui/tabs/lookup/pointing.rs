//! What the mouse does in the panes of this tab.

use super::{LookupFocus, LookupTab};
use crate::tui::{
    ctx::{UpdateCtx, intent::Gesture},
    ui::{cursor::Motion, spots::PaneId},
};

/// The panes, by their numbers.
const PANES: [LookupFocus; 3] = [LookupFocus::Field, LookupFocus::Page, LookupFocus::Trail];

impl LookupTab {
    /// Lets keys go to a pane; a field that is left keeps what is typed.
    pub(super) fn point_at(&mut self, pane: PaneId, ctx: &mut UpdateCtx<'_>) {
        match PANES.get(usize::from(pane)).copied() {
            Some(part) if part == self.part => {}
            Some(LookupFocus::Field) => self.begin_typing(),
            Some(part) => {
                if self.part == LookupFocus::Field {
                    self.stop_reading_ahead(ctx);
                }
                self.focus(part);
            }
            None => {}
        }
    }

    /// Moves in a pane, wherever keys go.
    pub(super) fn move_in_pane(&mut self, pane: PaneId, motion: Motion, ctx: &mut UpdateCtx<'_>) {
        let part = PANES.get(usize::from(pane)).copied();
        let Some(part) = part.filter(|part| *part != LookupFocus::Field) else {
            return;
        };
        let before = std::mem::replace(&mut self.part, part);
        self.on_gesture(Gesture::Go(motion), ctx);
        self.part = before;
    }
}
