//! The tables of this run and of earlier ones, each as it was last shown.

use std::path::Path;

use jiff::{SignedDuration, Timestamp};

use crate::{
    engine::trail::{
        TrailEntry,
        kept_board::{BoardShape, KeptBoard},
    },
    tui::ctx::{Cmd, UpdateCtx},
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
    /// The text that could not be read for that: the trail goes past it.
    pub(super) gone: Option<String>,
}

impl KeptBoards {
    pub(super) fn of(&self, file: &str) -> Option<&KeptBoard> {
        self.kept.iter().find(|board| board.file == file)
    }

    /// The one that changed last.
    pub(super) fn last(&self) -> Option<&KeptBoard> {
        self.kept.last()
    }

    /// Takes note how a table is shown now.
    pub(super) fn note(&mut self, file: &str, shape: BoardShape, ctx: &mut UpdateCtx<'_>) {
        if self.of(file).is_some_and(|board| board.shape == shape) {
            return;
        }
        if self.last().is_some_and(|board| board.file != file) {
            self.save(ctx);
        }
        self.kept.retain(|board| board.file != file);
        self.kept.push(KeptBoard {
            file: file.to_owned(),
            at: ctx.out.now,
            shape,
        });
        self.changed.get_or_insert(ctx.out.now);
    }

    /// Gives the text in a file a name, before its table is opened.
    pub(super) fn call(&mut self, file: &Path, name: String, now: Timestamp) {
        if let Some(file) = file.to_str().filter(|text| self.of(text).is_none()) {
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
            self.kept.sort_by_key(|board| board.at);
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
