//! The filter language, which selects records: the same on the command line, in the explorer and in local exports.
//!
//! ```text
//! tag:ACME_VPN,CARGO_VPN cc:NL -infra:MOBILE clients>20 net:198.51.100.0/24 org:"part of name" attributed:yes
//! ```
//!
//! # The language
//!
//! ```text
//! filter = { blank } [ term { blank { blank } term } ] { blank }
//! term   = [ "-" ] test
//! test   = field ":" value { "," value }                          a word of the record is one of these
//!        | "org=" value { "," value }                             an organization of the record is exactly one of these
//!        | "net:" network { "," network }                         the record's address or network lies within one
//!        | "attributed:" ( "yes" | "no" )                         one tunnel has an operator and is a VPN
//!        | "clients" ( ":" | "=" | "<" | "<=" | ">" | ">=" ) number
//! field  = the name of a [`Keyword`](crate::model::Keyword)
//! ```
//!
//! - Terms are joined by AND, values of one term by OR (a comma), and a minus before a term is NOT. The empty filter matches all
//!   records.
//! - A value with blanks, commas or quotes must be in double quotes, as a whole or in part. Within them `\"` is a quote and `\\`
//!   a backslash; a backslash before anything else, and every backslash outside of quotes, is literal.
//! - A value that ends with `*` matches all words with that prefix: `tag:ACME*`.
//! - Names of fields and values ignore the case of ASCII letters. Only `org:` searches for parts, ignoring the case of all
//!   letters; `org=` matches the whole name.
//! - `cc` takes two letters, `asn` a number or `AS` and a number, `entry` an address in any spelling, even a defanged one. `net`
//!   takes CIDR blocks and addresses, even defanged ones; host bits are cleared, and IPv4-mapped addresses count as IPv4.
//! - A record without a number of clients fails every comparison with it, so it matches every negated one. A record without a
//!   subject is in no network.
//!
//! [`Filter::FIELDS`] has an example term of each field; [`Keyword::paths`] lists the paths of a field in a record.
//!
//! # The value
//!
//! A filter is a value. It is parsed from text ([`FromStr`](std::str::FromStr); [`BadFilter`] locates a mistake), printed as text
//! that parses to the same filter (`Display`), tested on one record ([`Filter::matches`]), or evaluated by an index
//! ([`Index::select`](super::Index::select)); both evaluations must agree. This module does not depend on how records are stored.

mod dialect;
mod export;
mod fields;
pub(super) mod fold;
mod hint;
mod matching;
mod mistake;
mod read;
mod scan;
pub mod sql;
#[cfg(test)]
mod tests;
mod value;
mod write;

use ipnet::IpNet;

pub(in crate::store) use self::fold::folded;
pub use self::{
    fields::FilterField,
    fold::contains,
    hint::nearest,
    matching::is_meant,
    mistake::BadFilter,
    read::{ForeignTerm, written_terms},
};
use crate::model::Keyword;

/// A selection of records. The empty filter matches all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Filter {
    /// A record must match all of these.
    pub terms: Vec<Term>,
}

/// One test, or its negation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Term {
    /// Whether the term matches the records that fail the test.
    pub negated: bool,
    pub test: Test,
}

/// A test of one record. Lists are never empty in a filter that was parsed from text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Test {
    /// One of the field's words equals one of these, ignoring the case of ASCII letters, or has one that ends with `*` as prefix;
    /// written `org=` for [`Keyword::Org`].
    Is(Keyword, Vec<String>),
    /// One of the field's words contains one of these, ignoring case; for [`Keyword::Org`].
    Contains(Keyword, Vec<String>),
    /// The number of clients is known and satisfies the comparison.
    Clients(NumberComparison, u64),
    /// The record's subject is within one of these networks.
    Within(Vec<IpNet>),
    /// Whether a tunnel of the record is a VPN with an operator.
    Attributed(bool),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberComparison {
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
    /// Whether it has no terms, so that it matches all records.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
}

impl From<Test> for Term {
    fn from(test: Test) -> Self {
        Self {
            negated: false,
            test,
        }
    }
}

impl FromIterator<Test> for Filter {
    fn from_iter<T: IntoIterator<Item = Test>>(tests: T) -> Self {
        Self {
            terms: tests.into_iter().map(Term::from).collect(),
        }
    }
}
