//! Queries that were not needed, because an answer was local or cached.

use jiff::Timestamp;

/// What replaced a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SavedBy {
    Cache,
    Local,
}

impl SavedBy {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Cache, Self::Local];

    /// The word for it in the file.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Cache => "cache",
            Self::Local => "local",
        }
    }

    pub(super) fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|by| by.word() == word)
    }
}

/// Some queries that were not needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SavedQueries {
    pub at: Timestamp,
    /// What replaced them.
    pub by: SavedBy,
    /// How many.
    pub queries: u32,
}

/// Those that are not written yet.
#[derive(Debug, Default)]
pub(super) struct Unwritten(Vec<SavedQueries>);

impl Unwritten {
    /// Queries after which they are written.
    const MOST: u32 = 1000;
    /// Seconds that one line covers.
    const SPAN: i64 = 60;

    /// Adds one; returns whether they should be written now.
    pub(super) fn add(&mut self, at: Timestamp, by: SavedBy) -> bool {
        let same = |queries: &&mut SavedQueries| {
            queries.by == by && at.as_second() - queries.at.as_second() < Self::SPAN
        };
        match self.0.iter_mut().find(same) {
            Some(queries) => queries.queries += 1,
            None => self.0.push(SavedQueries { at, by, queries: 1 }),
        }
        self.0.iter().map(|queries| queries.queries).sum::<u32>() >= Self::MOST || self.0.len() > 16
    }

    pub(super) fn take(&mut self) -> Vec<SavedQueries> {
        std::mem::take(&mut self.0)
    }
}
