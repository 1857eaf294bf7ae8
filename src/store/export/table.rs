//! Rows as text: lines of CSV, or one array of JSON.

use std::{
    io::{self, Write},
    mem,
};

use super::{cell::ExportCell, csv, json, record::ExportRecord};
use crate::{
    contract::{ExportField, ExportQuery, Output},
    model::{Subject, export_row::RowChange},
};

/// The name of the last column, which only a diff has.
pub(super) const DIFF: &str = "diff";

/// Writes cells in the requested format.
#[derive(Clone, Debug)]
pub(super) struct CellWriter {
    is_json: bool,
    scratch: Vec<u8>,
}

impl CellWriter {
    pub(super) fn of(query: &ExportQuery) -> Self {
        Self {
            is_json: query.output == Output::Json,
            scratch: Vec::new(),
        }
    }

    /// Appends the cells of a record, separated by commas.
    pub(super) fn cells(
        &mut self,
        columns: &[ExportField],
        record: ExportRecord<'_>,
        into: &mut Vec<u8>,
    ) {
        for (place, column) in columns.iter().enumerate() {
            if place > 0 {
                into.push(b',');
            }
            self.cell(column.name(), record.cell(*column), into);
        }
    }

    fn cell(&mut self, name: &str, cell: ExportCell<'_>, into: &mut Vec<u8>) {
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

/// Consecutive rows of a table, as text.
#[derive(Clone, Debug)]
pub(super) struct TableRows<'a> {
    speller: CellWriter,
    columns: &'a [ExportField],
    text: Vec<u8>,
    count: u64,
}

impl<'a> TableRows<'a> {
    /// Begins without rows, with these columns.
    pub(super) fn of(query: &ExportQuery, columns: &'a [ExportField]) -> Self {
        Self {
            speller: CellWriter::of(query),
            columns,
            text: Vec::new(),
            count: 0,
        }
    }

    pub(super) fn row(&mut self, record: ExportRecord<'_>, change: Option<RowChange>) {
        let begin = self.open();
        self.speller.cells(self.columns, record, &mut self.text);
        if let Some(change) = change {
            self.text.push(b',');
            let word = ExportCell::Text(change.word());
            self.speller.cell(DIFF, word, &mut self.text);
        }
        self.close(begin);
    }

    /// Appends a row: a network, and its other cells as text.
    pub(super) fn row_of(&mut self, network: Subject, others: &[u8]) {
        let begin = self.open();
        let (name, cell) = (ExportField::Network.name(), ExportCell::Subject(network));
        self.speller.cell(name, cell, &mut self.text);
        if self.columns.len() > 1 {
            self.text.push(b',');
            self.text.extend_from_slice(others);
        }
        self.close(begin);
    }

    /// Begins a row; returns the start of its cells.
    fn open(&mut self) -> usize {
        if self.speller.is_json {
            self.text.extend_from_slice(b",{");
        }
        self.text.len()
    }

    /// Ends a row whose cells start at `begin`.
    fn close(&mut self, begin: usize) {
        if self.speller.is_json {
            self.text.push(b'}');
        } else {
            if self.text.len() == begin {
                self.text.extend_from_slice(csv::EMPTY);
            }
            self.text.push(b'\n');
        }
        self.count += 1;
    }
}

/// Writes a table. It keeps only the rows that wait for the next write.
pub(super) struct TableWriter<'a> {
    waiting: TableRows<'a>,
    output: &'a mut dyn Write,
    rows: u64,
}

impl<'a> TableWriter<'a> {
    const PIECE: usize = 1 << 16;

    /// Begins a table with these columns.
    pub(super) fn begin(
        query: &ExportQuery,
        columns: &'a [ExportField],
        output: &'a mut dyn Write,
    ) -> io::Result<Self> {
        if query.output == Output::Json {
            output.write_all(b"[")?;
        } else if query.header {
            let names = columns.iter().map(|column| column.name());
            let names: Vec<&str> = names.chain(query.diff.then_some(DIFF)).collect();
            writeln!(output, "{}", names.join(","))?;
        }
        Ok(Self {
            waiting: TableRows::of(query, columns),
            output,
            rows: 0,
        })
    }

    pub(super) fn row(
        &mut self,
        record: ExportRecord<'_>,
        change: Option<RowChange>,
    ) -> io::Result<()> {
        self.waiting.row(record, change);
        self.write_if_full()
    }

    /// Writes a row: a network, and its other cells as text.
    pub(super) fn row_of(&mut self, network: Subject, others: &[u8]) -> io::Result<()> {
        self.waiting.row_of(network, others);
        self.write_if_full()
    }

    fn write_if_full(&mut self) -> io::Result<()> {
        if self.waiting.text.len() < Self::PIECE {
            return Ok(());
        }
        let TableRows { text, count, .. } = &mut self.waiting;
        let (text, count) = (mem::take(text), mem::take(count));
        self.put(&text, count)?;
        self.waiting.text = text;
        self.waiting.text.clear();
        Ok(())
    }

    /// Writes rows that were built elsewhere.
    pub(super) fn rows(&mut self, rows: &TableRows<'_>) -> io::Result<()> {
        self.put(&rows.text, rows.count)
    }

    fn put(&mut self, text: &[u8], count: u64) -> io::Result<()> {
        // The first row has no comma before it.
        let is_first = self.waiting.speller.is_json && self.rows == 0 && count > 0;
        self.rows += count;
        self.output.write_all(&text[usize::from(is_first)..])
    }

    /// Ends the table; returns the number of its rows.
    pub(super) fn end(mut self) -> io::Result<u64> {
        let (text, count) = (mem::take(&mut self.waiting.text), self.waiting.count);
        self.put(&text, count)?;
        if self.waiting.speller.is_json {
            self.output.write_all(b"]")?;
        }
        self.output.flush()?;
        Ok(self.rows)
    }
}
