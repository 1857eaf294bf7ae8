//! The errors of opening and querying an index.

use std::io;

/// Why a file cannot be used as an index.
#[derive(Debug, thiserror::Error)]
pub enum NotOpened {
    /// It cannot be read.
    #[error("{0}")]
    Io(io::Error),
    /// It has an older format, is not an index, or is damaged. Rebuild it.
    #[error("{0}")]
    Unfit(String),
    /// A newer version of the program wrote it. Leave it alone.
    #[error("it is of version {0}, newer than this program")]
    Newer(u32),
}

/// Why a query failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    #[error("the search was stopped")]
    Stopped,
    /// The query would read this many records one by one, more than the limit.
    #[error("{0} records would have to be read one by one: at most {1} are")]
    TooMany(u64, u64),
    /// The index is inconsistent. Rebuild it.
    #[error("the index is damaged: {0}")]
    Damaged(String),
}
