//! Which table is in front. One that is shown again is read from its text anew, which is free: answers of the service are cached.

use super::{Board, LookupFocus, LookupPage, LookupTab};
use crate::{
    investigation::gather::GatheredText,
    tui::{
        ctx::{TextFrom, TrailStop, UpdateCtx},
        ui::Tone,
    },
};

impl LookupTab {
    /// Takes note how the table is shown, to be shown like that again.
    pub(super) fn keep_board(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some(board) = &self.board
            && let Some(file) = board.path()
        {
            self.boards.note(file, board.shape(), ctx);
        }
    }

    /// Writes the last change of the table to the log, once its time has come.
    pub(super) fn save_board_if_due(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.boards.wakes_at().is_some_and(|at| at <= ctx.out.now) {
            self.boards.save(ctx);
        }
    }

    /// Opens the table of several addresses, which is filled from what is local or cached. Who opens a text anew sees all of it; what was
    /// marked in it stays marked.
    pub(super) fn open_board(&mut self, text: GatheredText, ctx: &mut UpdateCtx<'_>) {
        let done = self.done_in_beginning(&text);
        self.leave_beginning(ctx);
        self.keep_board(ctx);
        let before = self.board.take();
        let is_same = before.as_ref().is_some_and(|board| board.is_of(&text));
        if let Some(before) = before {
            before.close(ctx);
        }
        self.leave_field(LookupFocus::Page, ctx);
        let file = text.file.as_ref().and_then(|path| path.to_str());
        let kept = file.and_then(|text| self.boards.of(text));
        let kept = kept.map(|board| board.shape.clone());
        let opening = &mut self.boards.opening;
        let is_shown_again = opening
            .take_if(|text| Some(text.as_str()) == file)
            .is_some();
        let day = match &kept {
            Some(shape) if is_shown_again => shape.day,
            _ => self.date,
        };
        let name = kept.as_ref().and_then(|shape| shape.name.clone());
        let mut board = Board::new(text, day, name, ctx);
        if let Some(shape) = kept {
            let (shape, filter) = if is_same || is_shown_again {
                (shape, None)
            } else {
                shape.marks_alone()
            };
            let filter = filter.map(|text| format!("its filter was {text}"));
            let words = board.restore(&shape).into_iter().chain(filter);
            let words: Vec<String> = words.collect();
            if !words.is_empty() && !is_same {
                let text = format!("the table as it was left: {}", words.join(", "));
                ctx.out.say(Tone::Info, text);
            }
        }
        self.board = Some(board);
        self.front_board(ctx);
        if let (Some(done), Some(board)) = (done, &mut self.board) {
            done.again(board, ctx.out);
        }
    }

    /// Shows the table of a text: as it is, or as it was when it was left.
    pub(super) fn show_board(&mut self, file: &str, ctx: &mut UpdateCtx<'_>) {
        if self
            .board
            .as_ref()
            .is_some_and(|board| board.path() == Some(file))
        {
            return self.front_board(ctx);
        }
        let shape = self.boards.of(file).map(|board| &board.shape);
        let by_day = shape.is_some_and(|shape| shape.by_day);
        let zone = shape.map_or_else(|| self.zone.clone(), |shape| shape.zone.clone());
        self.boards.opening = Some(file.to_owned());
        let from = TextFrom::File(file.to_owned());
        Self::gather("text of the table".to_owned(), from, (by_day, zone), ctx);
    }

    /// Goes on back where the table of a stop cannot be shown.
    pub(super) fn pass_board(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.boards.gone = self.boards.opening.take();
        let stop = self.boards.gone.clone().map(TrailStop::Board);
        ctx.out.goes_back |=
            stop.is_some() && stop.as_ref() == ctx.trail.here() && ctx.trail.behind().is_some();
    }

    /// Brings the table to the front, and puts it on the trail.
    pub(super) fn front_board(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.walk = None;
        self.focus(LookupFocus::Page);
        self.page = LookupPage::Table;
        if let Some(file) = self.board.as_ref().and_then(Board::path) {
            let stop = TrailStop::Board(file.to_owned());
            ctx.trail.visit(stop, ctx.out.now);
        }
    }

    /// The table that is shown, or that was shown last, in this run or an earlier one.
    pub(super) fn last_board(&mut self, ctx: &mut UpdateCtx<'_>) {
        match self.boards.last().map(|board| board.file.clone()) {
            Some(file) if self.board.is_none() => self.show_board(&file, ctx),
            _ => self.front_board(ctx),
        }
    }

    /// Leaves the table for what was in front before it.
    pub(super) fn leave_board(&mut self, ctx: &mut UpdateCtx<'_>) {
        let here = self.open_table().and_then(Board::path);
        let here = here.map(|text| TrailStop::Board(text.to_owned()));
        if here.as_ref() == ctx.trail.here() && ctx.trail.behind().is_some() {
            ctx.out.goes_back = true;
        } else {
            self.page = LookupPage::Record;
            ctx.out.say(Tone::Info, "I shows the table again");
        }
    }

    /// Whether the record was opened from a table.
    pub(super) fn is_from_board(&self, ctx: &UpdateCtx<'_>) -> bool {
        let is_behind = matches!(ctx.trail.behind(), Some(TrailStop::Board(_)));
        let here = self.here.map(TrailStop::Address);
        is_behind && matches!(self.page, LookupPage::Record) && here.as_ref() == ctx.trail.here()
    }
}
