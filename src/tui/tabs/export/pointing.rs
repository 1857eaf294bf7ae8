//! What the mouse does in the panes of this tab.

use super::{ExportFocus, ExportTab, areas::ExportAreas};
use crate::tui::{
    ctx::UpdateCtx,
    ui::{cursor::Motion, spots::PaneId, widgets::pane::Pane},
};

/// The panes, by their numbers.
const PANES: [ExportFocus; 4] = [
    ExportFocus::Form,
    ExportFocus::Preview,
    ExportFocus::Checks,
    ExportFocus::Request,
];

impl ExportTab {
    /// Lets keys go to a pane: rows that are not there take none.
    pub(super) fn point_at(&mut self, pane: PaneId, ctx: &mut UpdateCtx<'_>) {
        let part = PANES.get(usize::from(pane)).copied();
        let has_rows = part != Some(ExportFocus::Preview) || self.rows() > 0;
        let Some(part) = part.filter(|_| self.open_rows().is_none()) else {
            return;
        };
        if part != self.part && (has_rows || ExportAreas::is_narrow(ctx.body)) {
            self.build.stop_typing();
            self.part = part;
        }
        self.follow(ctx);
    }

    /// Moves in a pane, wherever keys go. Of the form it is what is in view that moves: its fields are chosen by clicks.
    pub(super) fn move_in_pane(&mut self, pane: PaneId, motion: Motion, ctx: &mut UpdateCtx<'_>) {
        if let Some(results) = self.open_rows_mut() {
            results.cursor.step(motion, results.len());
            results.follow(ctx);
        } else if PANES.get(usize::from(pane)) == Some(&ExportFocus::Preview) {
            let rows = self.rows();
            self.cursor.step(motion, rows);
        } else if PANES.get(usize::from(pane)) == Some(&ExportFocus::Form) {
            let form = ExportAreas::of(ctx.body, |_| 0).form();
            self.build.scroll(motion, Pane::inner(form));
        }
        self.follow(ctx);
    }
}
