//! Why a file is not a whole database.

use std::io;

/// Why a file is not a whole database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(in crate::engine) struct Damage(&'static str);

/// Why a file was not found whole.
#[derive(Debug)]
pub(in crate::engine) enum NotWhole {
    Damaged(Damage),
    /// It could not be read; interrupted where `stop` said so.
    Unread(io::Error),
}

impl From<io::Error> for NotWhole {
    fn from(error: io::Error) -> Self {
        Self::Unread(error)
    }
}

pub(super) type Checked<T> = Result<T, NotWhole>;

pub(super) fn damaged<T>(why: &'static str) -> Checked<T> {
    Err(NotWhole::Damaged(Damage(why)))
}
