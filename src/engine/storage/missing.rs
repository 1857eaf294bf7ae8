//! What is not known: a day of a feed that is not there, and one that is there and cannot be read.

use crate::{
    contract::Feed,
    engine::error::{Error, Kind},
    model::Day,
    store::ReleasePlace,
};

/// Why nothing is known of a day of a feed. It is never a day without a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    pub feed: Feed,
    /// The day that was asked for; else the newest.
    pub day: Option<Day>,
    pub why: MissingWhy,
}

impl Missing {
    /// Whether it can be downloaded or loaded.
    #[must_use]
    pub fn is_elsewhere(&self) -> bool {
        matches!(self.why, MissingWhy::NotAt(_))
    }
}

/// What is the matter with a day that does not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MissingWhy {
    /// It is not there.
    NotAt(ReleasePlace),
    /// Its place did not answer, so it may be there.
    Unread,
    /// It is there, and damaged.
    Unreadable,
}

impl MissingWhy {
    /// That of a day which could not be opened or read for an error of this kind.
    #[must_use]
    pub fn of(kind: Kind) -> Self {
        match kind {
            Kind::Integrity => Self::Unreadable,
            _ => Self::Unread,
        }
    }
}

/// A feed whose day is there and could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnusableFeed {
    pub feed: Feed,
    pub why: Error,
}
