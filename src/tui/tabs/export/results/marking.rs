//! Reads rows from the file page by page to mark them.

use std::ops::Range;

use crate::{
    engine::{TablePage, TableQuery},
    tui::ctx::{UpdateCtx, remote::Remote, request::Question},
};

/// What to do with the rows being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tui::tabs::export) enum RowMarking {
    Add,
    /// Their marks are inverted.
    Invert,
}

/// Rows that are being read to be marked.
#[derive(Debug)]
pub(super) struct Marking {
    pub(super) query: TableQuery,
    pub(super) change: RowMarking,
    /// The rows that are still to be read.
    pub(super) rest: Range<u64>,
    pub(super) rows: Vec<Vec<String>>,
    pub(super) page: Remote<TablePage>,
}

impl Marking {
    /// Asks for the next page.
    pub(super) fn ask(&mut self, ctx: &mut UpdateCtx<'_>) {
        let asked = Question::ExportRows(self.query.clone(), self.rest.clone());
        self.page.begin(ctx.ask(asked));
    }
}
