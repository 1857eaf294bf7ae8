//! Tests a filter on one record: the reference that an index must agree with.

use super::{Filter, NumberComparison, Term, Test, fold};
use crate::model::{Keyword, Terms};

impl Filter {
    /// Whether a record with these terms matches.
    #[must_use]
    pub fn matches(&self, record: &Terms) -> bool {
        self.terms.iter().all(|term| term.holds(record))
    }
}

impl Term {
    /// Whether a record with these terms matches.
    #[must_use]
    pub fn holds(&self, record: &Terms) -> bool {
        self.test.holds(record) != self.negated
    }
}

impl Test {
    /// Whether a record with these terms passes.
    #[must_use]
    pub fn holds(&self, record: &Terms) -> bool {
        match self {
            Self::Is(field, _) | Self::Contains(field, _) => record
                .of_field(*field)
                .any(|word| self.accepts_word(*field, word)),
            Self::Clients(compare, number) => record
                .clients
                .is_some_and(|clients| compare.holds(clients, *number)),
            Self::Within(networks) => record
                .subject
                .map(|subject| subject.network())
                .is_some_and(|other| networks.iter().any(|network| network.contains(&other))),
            Self::Attributed(wanted) => record.attributed == *wanted,
        }
    }

    /// Whether one word of a field makes a record pass. Allocates only for a search for parts with letters beyond ASCII.
    #[must_use]
    pub fn accepts_word(&self, field: Keyword, word: &str) -> bool {
        match self {
            Self::Is(keyword, values) if *keyword == field => {
                values.iter().any(|value| is_meant(value, word))
            }
            Self::Contains(keyword, parts) if *keyword == field => {
                parts.iter().any(|part| fold::contains(word, part))
            }
            _ => false,
        }
    }
}

/// Whether a value equals a word, or is a prefix of it if it ends with `*`.
#[must_use]
pub fn is_meant(value: &str, word: &str) -> bool {
    match value.strip_suffix('*') {
        Some(beginning) => word
            .get(..beginning.len())
            .is_some_and(|text| text.eq_ignore_ascii_case(beginning)),
        None => value.eq_ignore_ascii_case(word),
    }
}

impl NumberComparison {
    /// Whether the comparison of `number` with `other` holds.
    #[must_use]
    pub fn holds(self, number: u64, other: u64) -> bool {
        match self {
            Self::Less => number < other,
            Self::AtMost => number <= other,
            Self::Equal => number == other,
            Self::AtLeast => number >= other,
            Self::More => number > other,
        }
    }
}
