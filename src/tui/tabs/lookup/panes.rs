//! The panes of the tab: where the mouse points, and which of them has the keys.

use super::{
    Board, LookupFocus, LookupTab,
    board::{BoardPart, FACET_PANE, TIME_PANE},
};
use crate::{
    contract::LookupQuery,
    tui::{
        ctx::{Destination, Gesture, Tab as _, UpdateCtx},
        ui::{Motion, PaneId},
    },
};

/// The panes, by their numbers; the last ones are those of the values beside the table and of the times above it.
const PANES: [LookupFocus; 5] = [
    LookupFocus::Field,
    LookupFocus::Page,
    LookupFocus::Trail,
    LookupFocus::Page,
    LookupFocus::Page,
];

/// The part of a table that is this pane.
fn part_of(pane: PaneId) -> BoardPart {
    match pane {
        FACET_PANE => BoardPart::Facets,
        TIME_PANE => BoardPart::Times,
        _ => BoardPart::Rows,
    }
}

impl LookupTab {
    /// Moves the focus to another part; what was being typed in the one that is left stays as it is.
    pub(super) fn focus(&mut self, part: LookupFocus) {
        self.part = part;
        self.trail.stop_typing();
        if let Some(board) = &mut self.board {
            board.list.stop_typing();
        }
    }

    /// The stop under the cursor of the trail whose record stands beside that.
    pub(super) fn stop_beside(&self) -> Option<LookupQuery> {
        let beside = self.beside.filter(|_| self.part == LookupFocus::Trail);
        beside.map(|(query, _)| query)
    }

    /// Whether the record beside the trail is not the one that keys of the record are about.
    pub(super) fn has_other_beside(&self) -> bool {
        let beside = self.stop_beside();
        beside.is_some() && beside != self.here
    }

    /// Goes into the record beside the trail. Free: it is what is at hand.
    pub(super) fn open_stop_beside(&mut self, ctx: &mut UpdateCtx<'_>) {
        ctx.out.go = self.stop_beside().map(Destination::AtHand);
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

    /// Whether keys are about the times above the table.
    pub(super) fn is_in_times(&self) -> bool {
        self.open_table().is_some_and(Board::is_in_times)
    }

    fn focus_board(&mut self, part: BoardPart) {
        if let Some(board) = &mut self.board {
            board.focus(part);
        }
    }

    /// Whether there is one that a filter can have.
    pub(super) fn has_value(&self) -> bool {
        let board = self.open_table();
        board.is_some_and(|board| board.value_in_focus().is_some())
    }

    pub(super) fn point(&mut self, pane: PaneId, ctx: &mut UpdateCtx<'_>) {
        self.focus_board(part_of(pane));
        match PANES.get(usize::from(pane)) {
            Some(part) if *part == self.part => {}
            Some(LookupFocus::Page) if self.has_other_beside() => self.open_stop_beside(ctx),
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
            let before_in_board = self.open_table().map(Board::part);
            self.focus_board(part_of(pane));
            self.on(Gesture::Go(motion), ctx);
            self.focus_board(before_in_board.unwrap_or_default());
            self.part = before;
        }
    }
}
