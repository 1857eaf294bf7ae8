//! What the mouse does in the panes of this tab.

use super::{TagsFocus, TagsTab};
use crate::tui::{
    ctx::UpdateCtx,
    ui::{cursor::Motion, spots::PaneId},
};

/// The panes, by their numbers.
const PANES: [TagsFocus; 2] = [TagsFocus::List, TagsFocus::Page];

impl TagsTab {
    /// Lets keys go to a pane; a filter that is being typed holds.
    pub(super) fn point_at(&mut self, pane: PaneId) {
        if let Some(part) = PANES.get(usize::from(pane)).copied() {
            self.typing = None;
            self.part = part;
        }
    }

    /// Moves in a pane, wherever keys go.
    pub(super) fn move_in_pane(&mut self, pane: PaneId, motion: Motion, ctx: &mut UpdateCtx<'_>) {
        if let Some(part) = PANES.get(usize::from(pane)).copied() {
            let before = std::mem::replace(&mut self.part, part);
            self.go(motion, ctx);
            self.part = before;
            self.count_uses(ctx);
        }
    }
}
