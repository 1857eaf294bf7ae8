//! The days that an export is read from, how much of them, and why it may have no rows.

use std::io;

use crate::{
    contract::{ExportQuery, export::LIMIT},
    store::{Filter, Index, StopFlag, index::QueryError},
};

/// After how many rows it is looked whether the export was stopped.
pub(super) const BREATH: usize = 4096;

/// Why an export has no rows.
#[derive(Debug, thiserror::Error)]
pub enum NotExported {
    /// The index of the day gave no answer.
    #[error("{0}")]
    Day(#[from] QueryError),
    /// The index of the day before gave no answer.
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
    /// Of the day before it, for a diff: without it, all records came.
    pub before: Option<&'a Index>,
    /// Which of their records are meant at all, before the export's own parameters.
    pub filter: Option<&'a Filter>,
}

impl ExportIndexes<'_> {
    /// The records that an export asks for, among those that are meant at all.
    pub(super) fn wanted(&self, query: &ExportQuery) -> Filter {
        let mut wanted = Filter::from(query);
        let own = self.filter.iter().flat_map(|filter| &filter.terms);
        wanted.terms.extend(own.cloned());
        wanted
    }
}

/// Ends an export that was stopped.
pub(super) fn breathe(number: usize, stop: &StopFlag) -> Result<(), NotExported> {
    if number.is_multiple_of(BREATH) {
        stop.check()?;
    }
    Ok(())
}

/// The most records of an export (contract, part 8.2).
pub(super) fn limit(query: &ExportQuery) -> u64 {
    query.limit.unwrap_or(LIMIT).min(LIMIT)
}
