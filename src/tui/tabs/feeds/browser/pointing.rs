//! Mouse actions in the panes of the browser.

use super::{Browser, BrowserFocus, BrowserOverlay};
use crate::tui::{
    ctx::{UpdateCtx, intent::Gesture},
    ui::{cursor::Motion, spots::PaneId},
};

/// The panes by number.
const PANES: [BrowserFocus; 2] = [BrowserFocus::Records, BrowserFocus::Facets];

impl Browser {
    /// Moves the focus to a pane, unless an overlay is open.
    pub(in crate::tui::tabs::feeds) fn point_at(&mut self, pane: PaneId) {
        if let Some(part) = PANES.get(usize::from(pane)).copied()
            && self.over.is_none()
        {
            self.part = part;
        }
    }

    /// Moves in a pane without changing the focus.
    pub(in crate::tui::tabs::feeds) fn move_in_pane(
        &mut self,
        pane: PaneId,
        motion: Motion,
        ctx: &mut UpdateCtx<'_>,
    ) {
        if let Some(BrowserOverlay::Days(_)) = &self.over {
            self.on_days(Gesture::Go(motion), ctx);
        } else if let Some(part) = PANES.get(usize::from(pane)).copied() {
            let before = std::mem::replace(&mut self.part, part);
            self.go(motion, ctx);
            self.part = before;
        }
    }
}
