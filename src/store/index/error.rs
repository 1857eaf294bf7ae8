//! Why an index cannot be opened, and why a question to it has no answer.

use std::{fmt, io};

/// Why a file cannot be used as an index.
#[derive(Debug)]
pub enum NotOpened {
    /// It cannot be read.
    Io(io::Error),
    /// It is of an older format, or no index at all, or damaged: it is to be built anew.
    Unfit(String),
    /// It is of a newer version than this program: left alone.
    Newer(u32),
}

impl fmt::Display for NotOpened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Unfit(why) => f.write_str(why),
            Self::Newer(version) => {
                write!(f, "it is of version {version}, newer than this program")
            }
        }
    }
}

impl std::error::Error for NotOpened {}

/// Why a question to an index has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// It was stopped.
    Stopped,
    /// A part of the index is not as it was written: it is to be built anew.
    Damaged(String),
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped => f.write_str("the search was stopped"),
            Self::Damaged(what) => write!(f, "the index is damaged: {what}"),
        }
    }
}

impl std::error::Error for NoAnswer {}
