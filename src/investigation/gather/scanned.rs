//! The first step of reading a text: its rows, and what is written like an address in each.

use std::{ops::Range, sync::Arc};

use super::dump;
use crate::{
    investigation::text::{LONGEST_ROW, Rows, TextShape, apart},
    model::scan::{Hit, scan},
};

/// Divides a text into rows and looks for addresses.
#[derive(Debug)]
pub(super) struct RowScanner {
    rows: Rows,
    /// Whether rows are told apart.
    divides: bool,
}

/// The rows of a part of a text.
#[derive(Debug, Default)]
pub(super) struct ScannedRows {
    pub(super) rows: Vec<ScannedRow>,
    /// The shapes of the text, each from the row of this number on: the heads of a table may change.
    shapes: Vec<(usize, Arc<TextShape>)>,
    /// What was found in the rows, of one after the other.
    hits: Vec<Hit>,
}

/// A row, or what is between rows.
#[derive(Debug)]
pub(super) struct ScannedRow {
    pub(super) at: Range<usize>,
    pub(super) is_row: bool,
    hits: Range<usize>,
}

impl ScannedRows {
    /// Forgets the rows and keeps their room.
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.shapes.clear();
        self.hits.clear();
    }

    /// The shape that the text has from the row of this number on, if that is another one than before.
    pub(super) fn shape_from(&self, number: usize) -> Option<&Arc<TextShape>> {
        let found = self.shapes.binary_search_by_key(&number, |(from, _)| *from);
        found.ok().map(|at| &self.shapes[at].1)
    }

    /// What was found in a row; the places are counted from its beginning.
    pub(super) fn hits_of(&self, row: &ScannedRow) -> &[Hit] {
        &self.hits[row.hits.clone()]
    }
}

impl RowScanner {
    pub(super) fn new(divides: bool) -> Self {
        Self {
            rows: Rows::of(TextShape::Lines),
            divides,
        }
    }

    /// Starts a text with this beginning.
    pub(super) fn begin(&mut self, beginning: &[u8]) {
        self.rows = Rows::of(if self.divides {
            TextShape::of(beginning)
        } else {
            TextShape::Lines
        });
    }

    /// Scans as much of a text as is there to the end of a row; returns how much.
    pub(super) fn scan(&mut self, text: &[u8], is_at_end: bool, into: &mut ScannedRows) -> usize {
        if !self.divides {
            // All rows are scanned at once.
            let line = memchr::memrchr(b'\n', text).map(|end| end + 1);
            let is_lost = text.len() > LONGEST_ROW;
            let end = match line {
                _ if is_at_end => text.len(),
                Some(end) => end,
                None if is_lost => apart(text),
                None => 0,
            };
            self.scan_row(text, 0..end, false, into);
            return end;
        }
        let mut at = 0;
        while let Some(part) = self.rows.next(&text[at..], is_at_end) {
            self.scan_row(text, at..at + part.end, part.is_row, into);
            at += part.end;
        }
        at
    }

    fn scan_row(&self, text: &[u8], at: Range<usize>, is_row: bool, into: &mut ScannedRows) {
        let row = &text[at.clone()];
        let first = into.hits.len();
        scan(row, &mut |hit| into.hits.push(hit));
        if into.hits.len() > first
            && let Some(text) = dump::text_of(row)
        {
            let is_text = |hit: &Hit| text.start < hit.at.start && hit.at.end < text.end;
            let own = into.hits.split_off(first);
            into.hits.extend(own.into_iter().filter(is_text));
        }
        let shape = self.rows.shape();
        if !matches!(into.shapes.last(), Some((_, last)) if Arc::ptr_eq(last, shape)) {
            into.shapes.push((into.rows.len(), shape.clone()));
        }
        into.rows.push(ScannedRow {
            at,
            is_row,
            hits: first..into.hits.len(),
        });
    }
}
