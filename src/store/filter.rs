//! The filter language: which records are meant, the same on the command line, in the explorer and in local exports.
//!
//! ```text
//! tag:ACME_VPN,CARGO_VPN cc:NL -infra:MOBILE clients>20 net:198.51.100.0/24 org:"part of name" attributed:yes
//! ```
//!
//! Terms are joined by AND, values of one term by OR (a comma), and a minus in front of a term is NOT. A filter is a
//! value: it is read from text, written back as text, tested on one record ([`Filter::matches`]) or answered by an index
//! ([`Index::select`](super::Index::select)); both must give the same.

use ipnet::IpNet;

use crate::model::{Keyword, Terms};

/// Which records are meant. The empty filter means all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Filter {
    /// All of these must hold.
    pub terms: Vec<Term>,
}

/// One condition, or its opposite.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Term {
    /// Whether records are meant for which the test fails.
    pub negated: bool,
    /// The test.
    pub test: Test,
}

/// What is asked of a record.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Test {
    /// One of the field's words is one of these, in whatever case of ASCII letters; never of [`Keyword::Org`].
    Is(Keyword, Vec<String>),
    /// One of the field's words has one of these as a part, in whatever case; of [`Keyword::Org`].
    Contains(Keyword, Vec<String>),
    /// The number of clients is known and compares so.
    Clients(Compare, u64),
    /// The record's address or network lies within one of these.
    Within(Vec<IpNet>),
    /// Whether one tunnel has an operator and is a VPN.
    Attributed(bool),
}

/// How a number compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compare {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `=` or `:`
    Equal,
    /// `>=`
    AtLeast,
    /// `>`
    More,
}

impl Filter {
    /// Whether the record that says this is meant.
    #[must_use]
    pub fn matches(&self, _record: &Terms) -> bool {
        unimplemented!()
    }
}
