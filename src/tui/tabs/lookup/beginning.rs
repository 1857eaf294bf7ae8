//! The beginning of a long text as a table, while the rest is being read: rows to look at. It is not whole, so nothing is made of it.

use super::{Beginning, Board, LookupFocus, LookupPage, LookupTab};
use crate::{
    investigation::gather::GatheredText,
    tui::{
        ctx::{Flow, Gesture, JobId, Outbox, UpdateCtx},
        ui::Motion,
    },
};

/// Whether a gesture has a meaning there: moving, and leaving.
pub(super) fn has_meaning(gesture: Gesture) -> bool {
    match gesture {
        Gesture::Go(motion) => !matches!(motion, Motion::Left | Motion::Right),
        Gesture::Escape
        | Gesture::Quit
        | Gesture::Back
        | Gesture::Cancel
        | Gesture::Pause
        | Gesture::Input
        | Gesture::NextPane
        | Gesture::PreviousPane => true,
        _ => false,
    }
}

impl LookupTab {
    /// Shows the beginning of a text that is read, unless its table is on the page, or the user types.
    pub(super) fn begin_table(&mut self, job: JobId, text: GatheredText, ctx: &mut UpdateCtx<'_>) {
        let is_shown = self.open_table().is_some_and(|board| board.is_of(&text));
        if text.addresses.len() < 2 || is_shown || self.part != LookupFocus::Page {
            return;
        }
        self.leave_beginning(ctx);
        let board = Board::beginning(text, self.date, ctx);
        let before = std::mem::take(&mut self.page);
        self.page = LookupPage::Beginning(Box::new(Beginning { job, board, before }));
    }

    /// Shows what was on the page before; the text is read on.
    pub(super) fn leave_beginning(&mut self, ctx: &mut UpdateCtx<'_>) {
        match std::mem::take(&mut self.page) {
            LookupPage::Beginning(beginning) => {
                self.page = beginning.before;
                beginning.board.close(ctx);
            }
            page => self.page = page,
        }
    }

    /// Leaves it where its text is not read any more.
    pub(super) fn leave_ended_beginning(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let LookupPage::Beginning(beginning) = &self.page
            && ctx.jobs.running().all(|job| job.id != beginning.job)
        {
            self.leave_beginning(ctx);
        }
    }

    /// Handles a gesture on it.
    pub(super) fn on_beginning(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        let LookupPage::Beginning(beginning) = &mut self.page else {
            return Flow::Ignored;
        };
        match gesture {
            Gesture::Go(_) => {
                let out: &mut Outbox = ctx.out;
                return beginning.board.list.on(gesture, out).into();
            }
            Gesture::Escape | Gesture::Quit | Gesture::Back => self.leave_beginning(ctx),
            Gesture::Input => self.begin_typing(),
            Gesture::NextPane | Gesture::PreviousPane => self.switch_part(),
            _ => return Flow::Ignored,
        }
        Flow::Done
    }
}
