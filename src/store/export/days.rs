//! The days that an export reads, its limit, and its errors.

use std::io;

use crate::{
    contract::{ExportQuery, export::LIMIT},
    store::{Filter, Index, StopFlag, index::QueryError},
};

/// The number of rows between two checks of the stop flag.
pub(super) const BREATH: usize = 4096;

/// Why an export failed.
#[derive(Debug, thiserror::Error)]
pub enum NotExported {
    /// The index of the day failed.
    #[error("{0}")]
    Day(#[from] QueryError),
    /// The index of the day before failed.
    #[error("the day before: {0}")]
    Before(QueryError),
    /// It could not be written.
    #[error("the export could not be written: {0}")]
    Unwritten(#[from] io::Error),
}

/// The indexes that an export is read from.
#[derive(Clone, Copy, Debug)]
pub struct ExportIndexes<'a> {
    pub day: &'a Index,
    /// The day before, for a diff. Without it, all records count as added.
    pub before: Option<&'a Index>,
    /// A filter in addition to the parameters of the export.
    pub filter: Option<&'a Filter>,
}

impl ExportIndexes<'_> {
    /// The filter of an export: its parameters and the additional filter.
    pub(super) fn wanted(&self, query: &ExportQuery) -> Filter {
        let mut wanted = Filter::from(query);
        let own = self.filter.iter().flat_map(|filter| &filter.terms);
        wanted.terms.extend(own.cloned());
        wanted
    }
}

/// Returns an error if the export was stopped.
pub(super) fn breathe(number: usize, stop: &StopFlag) -> Result<(), NotExported> {
    if number.is_multiple_of(BREATH) {
        stop.check()?;
    }
    Ok(())
}

/// The maximum number of records of an export (contract, part 8.2).
pub(super) fn limit(query: &ExportQuery) -> u64 {
    query.limit.unwrap_or(LIMIT).min(LIMIT)
}
