//! What the mouse does in the panes of this tab.

use super::{ExportTab, Part, parts::Parts};
use crate::tui::{
    ctx::UpdateCtx,
    ui::{cursor::Motion, spots::PaneId},
};

/// The panes, by their numbers.
const PANES: [Part; 4] = [Part::Form, Part::Preview, Part::Checks, Part::Request];

impl ExportTab {
    /// Lets keys go to a pane: rows that are not there take none.
    pub(super) fn point_at(&mut self, pane: PaneId, ctx: &mut UpdateCtx<'_>) {
        let part = PANES.get(usize::from(pane)).copied();
        let has_rows = part != Some(Part::Preview) || self.rows() > 0;
        let Some(part) = part.filter(|_| self.open_rows().is_none()) else {
            return;
        };
        if part != self.part && (has_rows || Parts::is_narrow(ctx.body)) {
            self.build.stop_typing();
            self.part = part;
        }
        self.follow(ctx);
    }

    /// Moves in a pane, wherever keys go. In the form that is done by clicks.
    pub(super) fn move_in_pane(&mut self, pane: PaneId, motion: Motion, ctx: &mut UpdateCtx<'_>) {
        if let Some(results) = self.open_rows_mut() {
            results.cursor.step(motion, results.len());
            results.follow(ctx);
        } else if PANES.get(usize::from(pane)) == Some(&Part::Preview) {
            let rows = self.rows();
            self.cursor.step(motion, rows);
        }
        self.follow(ctx);
    }
}
