//! What a query was for.

use crate::contract::{Geolocation, LookupQuery};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum QueryPurpose {
    /// The record of an address of today.
    Lookup,
    /// The record of a past day.
    PastDay,
    /// A record with a third-party geolocation.
    Geolocation,
    /// One of several addresses.
    Batch,
}

impl QueryPurpose {
    pub const ALL: [Self; 4] = [Self::Lookup, Self::PastDay, Self::Geolocation, Self::Batch];

    /// The purpose of a single lookup.
    #[must_use]
    pub fn of(query: &LookupQuery) -> Self {
        match (query.geolocation, query.date) {
            (Geolocation::Mmgeo, _) => Self::Geolocation,
            (_, Some(_)) => Self::PastDay,
            (_, None) => Self::Lookup,
        }
    }

    /// The word for it, on screens and in the file.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Lookup => "lookup",
            Self::PastDay => "past day",
            Self::Geolocation => "mmgeo",
            Self::Batch => "batch",
        }
    }

    pub(super) fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|work| work.word() == word)
    }
}
