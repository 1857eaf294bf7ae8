//! Rows as text: lines of CSV, or one array of JSON.

use std::io::{self, Write};

use super::{cell::Cell, csv, json, record::Record};
use crate::{
    contract::{ExportField, ExportQuery, Output},
    model::{Subject, export_row::Change},
};

/// The name of the column that only a diff has; the last one.
pub(super) const DIFF: &str = "diff";

/// Spells cells in the form that was asked for.
#[derive(Debug)]
pub(super) struct Speller {
    is_json: bool,
    scratch: Vec<u8>,
}

impl Speller {
    pub(super) fn of(query: &ExportQuery) -> Self {
        Self {
            is_json: query.output == Output::Json,
            scratch: Vec::new(),
        }
    }

    /// What a record says in these columns, a comma before each.
    pub(super) fn cells(&mut self, columns: &[ExportField], record: &Record, into: &mut Vec<u8>) {
        for column in columns {
            self.cell(column.name(), record.cell(*column), into);
        }
    }

    fn cell(&mut self, name: &str, cell: Cell<'_>, into: &mut Vec<u8>) {
        into.push(b',');
        if self.is_json {
            into.push(b'"');
            into.extend_from_slice(name.as_bytes());
            into.extend_from_slice(b"\":");
            json::put(cell, into);
        } else {
            csv::put(cell, &mut self.scratch, into);
        }
    }
}

/// A table that is being written. Nothing of it is kept but what waits until it is worth a write.
#[derive(Debug)]
pub(super) struct Table<'a, W> {
    speller: Speller,
    columns: &'a [ExportField],
    output: W,
    waiting: Vec<u8>,
    rows: u64,
}

impl<'a, W: Write> Table<'a, W> {
    const PIECE: usize = 1 << 16;

    /// Begins a table of these columns.
    pub(super) fn begin(query: &ExportQuery, columns: &'a [ExportField], output: W) -> Self {
        let speller = Speller::of(query);
        let mut waiting = Vec::with_capacity(2 * Self::PIECE);
        if speller.is_json {
            waiting.push(b'[');
        } else if query.header {
            let names = columns.iter().map(|column| column.name());
            let names: Vec<&str> = names.chain(query.diff.then_some(DIFF)).collect();
            waiting.extend_from_slice(names.join(",").as_bytes());
            waiting.push(b'\n');
        }
        Self {
            speller,
            columns,
            output,
            waiting,
            rows: 0,
        }
    }

    /// One row.
    pub(super) fn row(&mut self, record: &Record, change: Option<Change>) -> io::Result<()> {
        let begin = self.open();
        self.speller.cells(self.columns, record, &mut self.waiting);
        if let Some(change) = change {
            let word = Cell::Text(change.word());
            self.speller.cell(DIFF, word, &mut self.waiting);
        }
        self.close(begin)
    }

    /// One row of a network and of cells that were spelt before.
    pub(super) fn row_of(&mut self, network: Subject, others: &[u8]) -> io::Result<()> {
        let begin = self.open();
        let (name, cell) = (ExportField::Network.name(), Cell::Subject(network));
        self.speller.cell(name, cell, &mut self.waiting);
        self.waiting.extend_from_slice(others);
        self.close(begin)
    }

    /// The table is whole; gives the number of its rows.
    pub(super) fn end(mut self) -> io::Result<u64> {
        if self.speller.is_json {
            self.waiting.push(b']');
        }
        self.output.write_all(&self.waiting)?;
        self.output.flush()?;
        Ok(self.rows)
    }

    /// Where the cells of the next row begin.
    fn open(&mut self) -> usize {
        if self.speller.is_json && self.rows > 0 {
            self.waiting.push(b',');
        }
        self.waiting.len()
    }

    /// Ends a row whose cells, a comma before each, begin there.
    fn close(&mut self, begin: usize) -> io::Result<()> {
        if self.speller.is_json {
            self.waiting[begin] = b'{';
            self.waiting.push(b'}');
        } else {
            self.waiting.remove(begin);
            if self.waiting.len() == begin {
                self.waiting.extend_from_slice(csv::EMPTY);
            }
            self.waiting.push(b'\n');
        }
        self.rows += 1;
        if self.waiting.len() >= Self::PIECE {
            self.output.write_all(&self.waiting)?;
            self.waiting.clear();
        }
        Ok(())
    }
}
