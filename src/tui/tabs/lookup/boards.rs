//! The tables of this run and of earlier ones, each as it was last shown. One that is shown again is read from its text anew, which is
//! free: answers of the service are cached.

use std::path::Path;

use jiff::{SignedDuration, Timestamp};

use super::{Board, LookupPage, LookupTab};
use crate::{
    engine::trail::{
        TrailEntry,
        kept_board::{BoardShape, KeptBoard},
    },
    tui::{
        ctx::{Cmd, TextFrom, TrailStop, UpdateCtx},
        ui::Tone,
    },
};

/// The time after which a change is in the log.
const SOON: SignedDuration = SignedDuration::from_secs(1);

#[derive(Debug, Default)]
pub(super) struct KeptBoards {
    /// The one that changed last is the last.
    kept: Vec<KeptBoard>,
    /// When the last one changed first since it was written to the log.
    changed: Option<Timestamp>,
    /// The text that is being read to show its table again.
    pub(super) opening: Option<String>,
}

impl KeptBoards {
    pub(super) fn of(&self, file: &str) -> Option<&KeptBoard> {
        self.kept.iter().find(|own| own.file == file)
    }

    /// The one that changed last.
    pub(super) fn last(&self) -> Option<&KeptBoard> {
        self.kept.last()
    }

    /// Takes note how a table is shown now.
    fn note(&mut self, file: &str, shape: BoardShape, ctx: &mut UpdateCtx<'_>) {
        if self.of(file).is_some_and(|own| own.shape == shape) {
            return;
        }
        if self.last().is_some_and(|own| own.file != file) {
            self.save(ctx);
        }
        self.kept.retain(|own| own.file != file);
        self.kept.push(KeptBoard {
            file: file.to_owned(),
            at: ctx.out.now,
            shape,
        });
        self.changed.get_or_insert(ctx.out.now);
    }

    /// Gives the text in a file a name, before its table is opened.
    pub(super) fn call(&mut self, file: &Path, name: String, now: Timestamp) {
        if let Some(file) = file.to_str().filter(|own| self.of(own).is_none()) {
            let shape = BoardShape {
                name: Some(name),
                ..BoardShape::default()
            };
            self.kept.push(KeptBoard {
                file: file.to_owned(),
                at: now,
                shape,
            });
        }
    }

    /// Takes one of an earlier run.
    pub(super) fn recall(&mut self, board: KeptBoard) {
        if self.of(&board.file).is_none() {
            self.kept.push(board);
            self.kept.sort_by_key(|own| own.at);
        }
    }

    /// When a change is to be written to the log.
    pub(super) fn wakes_at(&self) -> Option<Timestamp> {
        Some(self.changed?.saturating_add(SOON).unwrap_or(Timestamp::MAX))
    }

    /// Writes the last change to the log.
    pub(super) fn save(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let (Some(_), Some(last)) = (self.changed.take(), self.kept.last()) {
            let entry = TrailEntry::Board(Box::new(last.clone()));
            ctx.out.cmd(Cmd::Remember(entry));
        }
    }
}

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

    /// Shows the table of a text: as it is, or as it was when it was left.
    pub(super) fn show_board(&mut self, file: &str, ctx: &mut UpdateCtx<'_>) {
        if self
            .board
            .as_ref()
            .is_some_and(|own| own.path() == Some(file))
        {
            return self.front_board(ctx);
        }
        if self.boards.opening.as_deref() == Some(file) {
            return;
        }
        let shape = self.boards.of(file).map(|own| &own.shape);
        let by_day = shape.is_some_and(|own| own.by_day);
        let zone = shape.map_or_else(|| self.zone.clone(), |own| own.zone.clone());
        self.boards.opening = Some(file.to_owned());
        let from = TextFrom::File(file.to_owned());
        Self::gather("text of the table".to_owned(), from, (by_day, zone), ctx);
    }

    /// Brings the table to the front, and puts it on the trail.
    pub(super) fn front_board(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.walk = None;
        self.page = LookupPage::Table;
        if let Some(file) = self.board.as_ref().and_then(Board::path) {
            let stop = TrailStop::Board(file.to_owned());
            ctx.trail.visit(stop, ctx.out.now);
        }
    }

    /// The table that is shown, or that was shown last, in this run or an earlier one.
    pub(super) fn last_board(&mut self, ctx: &mut UpdateCtx<'_>) {
        match self.boards.last().map(|own| own.file.clone()) {
            Some(file) if self.board.is_none() => self.show_board(&file, ctx),
            _ => self.front_board(ctx),
        }
    }

    /// Leaves the table for what was in front before it.
    pub(super) fn leave_board(&mut self, ctx: &mut UpdateCtx<'_>) {
        let here = self.open_table().and_then(Board::path);
        let here = here.map(|own| TrailStop::Board(own.to_owned()));
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
