//! The beginning of a long text as a table, while the rest is being read: rows to look at. It is not whole, so nothing is made of it.

use super::{Beginning, Board, LookupFocus, LookupPage, LookupTab, board::RowKey};
use crate::{
    investigation::gather::GatheredText,
    tui::{
        ctx::{Flow, Gesture, JobId, Outbox, UpdateCtx},
        ui::Motion,
    },
};

/// What was done in the first rows.
#[derive(Debug)]
pub(super) struct DoneInBeginning {
    filter: String,
    is_typing: bool,
    selected: Option<RowKey>,
}

impl DoneInBeginning {
    /// Does it in a table.
    pub(super) fn again(self, board: &mut Board, out: &mut Outbox) {
        if !self.filter.is_empty() {
            board.list.filter_by(&self.filter);
        }
        if let Some(key) = self.selected {
            board.list.select(key);
            board.list.keep_in_view();
        }
        if self.is_typing {
            board.list.on(Gesture::Find, out);
        }
    }
}

/// Whether a gesture has a meaning there: moving, and leaving.
pub(super) fn has_meaning(gesture: Gesture) -> bool {
    match gesture {
        Gesture::Go(motion) => !matches!(motion, Motion::Left | Motion::Right),
        Gesture::Escape
        | Gesture::Quit
        | Gesture::Back
        | Gesture::Cancel
        | Gesture::Pause
        | Gesture::Find
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

    /// What was done in the first rows of a text, to be done in all of it.
    pub(super) fn done_in_beginning(&self, text: &GatheredText) -> Option<DoneInBeginning> {
        let LookupPage::Beginning(beginning) = &self.page else {
            return None;
        };
        let list = &beginning.board.list;
        // Who is at the top stays there, whatever comes to be first.
        let is_moved = list.position().is_some_and(|at| at > 0);
        beginning.board.is_of(text).then(|| DoneInBeginning {
            filter: list.filter().to_owned(),
            is_typing: list.is_typing(),
            selected: list.selected().filter(|_| is_moved).copied(),
        })
    }

    /// Leaves it where its text is not read any more.
    pub(super) fn leave_ended_beginning(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let LookupPage::Beginning(beginning) = &self.page
            && ctx.jobs.running().all(|job| job.id != beginning.job)
        {
            self.leave_beginning(ctx);
        }
    }

    /// Whether a filter is typed there.
    pub(super) fn is_typing_in_beginning(&self) -> bool {
        match &self.page {
            LookupPage::Beginning(beginning) => beginning.board.list.is_typing(),
            _ => false,
        }
    }

    /// Handles a gesture on it.
    pub(super) fn on_beginning(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        let LookupPage::Beginning(beginning) = &mut self.page else {
            return Flow::Ignored;
        };
        let list = &mut beginning.board.list;
        let is_of_list = match gesture {
            Gesture::Go(_) | Gesture::Find => true,
            Gesture::Escape => list.is_typing() || list.is_filtered(),
            _ => list.is_typing(),
        };
        match gesture {
            _ if is_of_list => return list.on(gesture, ctx.out).into(),
            Gesture::Escape | Gesture::Quit | Gesture::Back => self.leave_beginning(ctx),
            Gesture::Input => self.begin_typing(),
            Gesture::NextPane | Gesture::PreviousPane => self.switch_part(),
            _ => return Flow::Ignored,
        }
        Flow::Done
    }
}
