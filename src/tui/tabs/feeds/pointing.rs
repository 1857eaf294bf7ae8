//! What the mouse does in the panes of this tab.

use super::{FeedsFocus, FeedsTab};
use crate::tui::{
    ctx::{UpdateCtx, intent::Gesture},
    ui::{cursor::Motion, spots::PaneId},
};

/// The panes, by their numbers.
const PANES: [FeedsFocus; 2] = [FeedsFocus::Table, FeedsFocus::Details];

impl FeedsTab {
    /// Lets keys go to a pane.
    pub(super) fn point_at(&mut self, pane: PaneId) {
        if let Some(browser) = &mut self.browser {
            browser.point_at(pane);
        } else if let Some(part) = PANES.get(usize::from(pane)).copied() {
            self.part = part;
        }
    }

    /// Moves in a pane, wherever keys go.
    pub(super) fn move_in_pane(&mut self, pane: PaneId, motion: Motion, ctx: &mut UpdateCtx<'_>) {
        if let Some(browser) = &mut self.browser {
            browser.move_in_pane(pane, motion, ctx);
        } else if let Some(part) = PANES.get(usize::from(pane)).copied() {
            let before = std::mem::replace(&mut self.part, part);
            self.on_gesture(Gesture::Go(motion), ctx);
            self.part = before;
        }
    }
}
