//! Why an index cannot be opened, and why a question to it has no answer.

use std::io;

/// Why a file cannot be used as an index.
#[derive(Debug, thiserror::Error)]
pub enum NotOpened {
    /// It cannot be read.
    #[error("{0}")]
    Io(io::Error),
    /// It is of an older format, or no index at all, or damaged: it is to be rebuilt.
    #[error("{0}")]
    Unfit(String),
    /// It is of a newer version than this program: left alone.
    #[error("it is of version {0}, newer than this program")]
    Newer(u32),
}

/// Why a question to an index has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    #[error("the search was stopped")]
    Stopped,
    /// So many records would have to be read one by one, more than that is done for.
    #[error("{0} records would have to be read one by one: at most {1} are")]
    TooMany(u64, u64),
    /// A part of the index is not as it was written: it is to be rebuilt.
    #[error("the index is damaged: {0}")]
    Damaged(String),
}
