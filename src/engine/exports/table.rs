//! The rows of an exported file as a table: any page of all of them, sorted by any column, filtered by words.
//!
//! Rows stay in the file. What is kept is where every few of them begin and, for a table that is sorted or filtered, the numbers of
//! its rows. A row must never be shown from another file than the one that was indexed: a file that has changed is read again.

mod file;
mod filter;
mod order;
mod splitter;
#[cfg(test)]
mod tests;

use std::{
    ops::Range,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

pub use self::order::ColumnOrder;
use self::{file::ExportFile, filter::RowFilter, order::RowKeys};
use crate::{
    contract::ExportQuery,
    engine::{
        error::{Error, Kind, Result},
        progress::{ProgressReporter, Report},
        threads::lock,
    },
    store::StopFlag,
};

/// Rows that a page has at most.
const MOST: u64 = 1_000;

/// What is shown of an exported file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableQuery {
    pub file: PathBuf,
    pub export: ExportQuery,
    /// The column by which the rows are sorted; else they are as in the file.
    pub sort: Option<ColumnOrder>,
    /// Words that a row must have, each in any cell, or in the cell of a column: `country:NL`.
    pub filter: String,
}

/// Rows of such a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TablePage {
    pub columns: Vec<String>,
    /// Rows that the file has, a header not counted.
    pub records: u64,
    /// Rows that the filter leaves.
    pub count: u64,
    /// The position of the first row.
    pub first: u64,
    /// The rows, a cell for each column.
    pub rows: Vec<Vec<String>>,
    /// Whether the file ends within a row.
    pub is_torn: bool,
    pub took: Duration,
}

/// The file that was asked about last.
#[derive(Debug, Default)]
pub(super) struct Tables(Mutex<Option<Arc<ExportTable>>>);

#[derive(Debug)]
struct ExportTable {
    file: ExportFile,
    export: ExportQuery,
    /// The rows that were sorted or filtered last.
    arranged: Mutex<Option<Arc<Arranged>>>,
}

/// The rows of a table that is sorted or filtered, by their numbers in the file.
#[derive(Debug)]
struct Arranged {
    sort: Option<ColumnOrder>,
    filter: RowFilter,
    rows: Vec<u32>,
}

impl Tables {
    /// A page of a file as a table.
    ///
    /// # Errors
    /// As [`Exports::table`](crate::engine::Exports::table).
    pub(super) fn page(
        &self,
        query: &TableQuery,
        positions: Range<u64>,
        stop: &StopFlag,
        report: Report,
    ) -> Result<TablePage> {
        let (began, mut reporter) = (Instant::now(), ProgressReporter::new(report));
        let table = self.opened(&query.file, &query.export, stop, &mut reporter)?;
        let arranged = table.arranged(query, stop, &mut reporter)?;
        let file = &table.file;
        let count = arranged
            .as_ref()
            .map_or(file.records(), |arranged| arranged.rows.len() as u64);
        let first = positions.start.min(count);
        let end = positions.end.min(count).min(first.saturating_add(MOST));
        let numbers: Vec<u64> = match &arranged {
            None => (first..end).collect(),
            Some(arranged) => {
                let position = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
                let rows = arranged.rows.get(position(first)..position(end));
                let rows = rows.unwrap_or_default().iter();
                rows.map(|row| u64::from(*row)).collect()
            }
        };
        Ok(TablePage {
            columns: file.columns().to_vec(),
            records: file.records(),
            count,
            first,
            rows: file.rows(&numbers)?,
            is_torn: file.is_torn(),
            took: began.elapsed(),
        })
    }

    /// The file with this name, indexed as it is now.
    fn opened(
        &self,
        path: &Path,
        export: &ExportQuery,
        stop: &StopFlag,
        reporter: &mut ProgressReporter,
    ) -> Result<Arc<ExportTable>> {
        let last = lock(&self.0).clone();
        if let Some(last) = last
            && last.export == *export
            && last.file.is_as_it_was(path)?
        {
            return Ok(last);
        }
        // Two indexes at a time would take twice the memory.
        *lock(&self.0) = None;
        let table = Arc::new(ExportTable {
            file: ExportFile::open(path, export, stop, reporter)?,
            export: export.clone(),
            arranged: Mutex::default(),
        });
        *lock(&self.0) = Some(Arc::clone(&table));
        Ok(table)
    }
}

impl ExportTable {
    /// The numbers of the rows that are shown; none where these are all of them as in the file.
    fn arranged(
        &self,
        query: &TableQuery,
        stop: &StopFlag,
        reporter: &mut ProgressReporter,
    ) -> Result<Option<Arc<Arranged>>> {
        let file = &self.file;
        let filter = RowFilter::parse(&query.filter, file.columns());
        let in_range = |sort: &ColumnOrder| sort.column < file.columns().len();
        let sort = query.sort.filter(in_range);
        if sort.is_none() && filter.is_empty() {
            return Ok(None);
        }
        let last = lock(&self.arranged).clone();
        if let Some(last) = last
            && last.sort == sort
            && last.filter == filter
        {
            return Ok(Some(last));
        }
        *lock(&self.arranged) = None;
        let mut rows: Vec<u32> = Vec::new();
        let mut keys = sort.map(|sort| RowKeys::of(file.kind(sort.column)));
        file.each(stop, reporter, |number, row| {
            if filter.lets_through(row) {
                rows.push(u32::try_from(number).map_err(|_| too_many())?);
                if let (Some(keys), Some(sort)) = (&mut keys, sort) {
                    keys.push(row.get(sort.column).unwrap_or_default())?;
                }
            }
            Ok(())
        })?;
        if let (Some(keys), Some(sort)) = (keys, sort) {
            rows = keys.sorted(&rows, sort.descending);
        }
        let arranged = Arc::new(Arranged { sort, filter, rows });
        *lock(&self.arranged) = Some(Arc::clone(&arranged));
        Ok(Some(arranged))
    }
}

fn too_many() -> Error {
    Error::new(Kind::Usage, "the file has too many rows to sort or filter")
}
