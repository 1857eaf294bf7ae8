//! The panes of the tab: where the mouse points, and which of them has the keys.

use super::{Board, LookupFocus, LookupTab, board::FACET_PANE};
use crate::tui::{
    ctx::{Gesture, Tab as _, UpdateCtx},
    ui::{Motion, PaneId},
};

/// The panes, by their numbers; the last one is that of the values beside the table.
const PANES: [LookupFocus; 4] = [
    LookupFocus::Field,
    LookupFocus::Page,
    LookupFocus::Trail,
    LookupFocus::Page,
];

impl LookupTab {
    /// Moves the focus to another part; what was being typed in the one that is left stays as it is.
    pub(super) fn focus(&mut self, part: LookupFocus) {
        self.part = part;
        self.trail.stop_typing();
        if let Some(board) = &mut self.board {
            board.list.stop_typing();
        }
    }

    pub(super) fn switch_part(&mut self) {
        self.focus(match self.part {
            LookupFocus::Trail => LookupFocus::Page,
            LookupFocus::Page | LookupFocus::Field => LookupFocus::Trail,
        });
    }

    /// Whether keys are about a value beside the table.
    pub(super) fn is_in_facets(&self) -> bool {
        self.open_table().is_some_and(Board::is_in_facets)
    }

    pub(super) fn focus_facets(&mut self, is_in_facets: bool) {
        if let Some(board) = &mut self.board {
            board.focus_facets(is_in_facets);
        }
    }

    /// Whether there is one that a filter can have.
    pub(super) fn has_value(&self) -> bool {
        let board = self.open_table();
        board.is_some_and(|own| own.value_in_focus().is_some())
    }

    pub(super) fn point(&mut self, pane: PaneId, ctx: &mut UpdateCtx<'_>) {
        self.focus_facets(pane == FACET_PANE);
        match PANES.get(usize::from(pane)) {
            Some(part) if *part == self.part => {}
            Some(LookupFocus::Field) => self.begin_typing(),
            Some(part) => {
                if self.part == LookupFocus::Field {
                    self.stop_reading_ahead(ctx);
                }
                self.focus(*part);
            }
            None => {}
        }
    }

    pub(super) fn move_in(&mut self, pane: PaneId, motion: Motion, ctx: &mut UpdateCtx<'_>) {
        let part = PANES.get(usize::from(pane)).copied();
        if let Some(part) = part.filter(|part| *part != LookupFocus::Field) {
            let before = std::mem::replace(&mut self.part, part);
            let was_in_facets = self.is_in_facets();
            self.focus_facets(pane == FACET_PANE);
            self.on(Gesture::Go(motion), ctx);
            self.focus_facets(was_in_facets);
            self.part = before;
        }
    }
}
