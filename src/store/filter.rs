//! The filter language: which records are meant, the same on the command line, in the explorer and in local exports.
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
//! field  = tag | type | cc | infra | risk | service | behavior | proxy | device | asn | org | entry
//! ```
//!
//! - Terms are joined by AND, values of one term by OR (a comma), and a minus in front of a term is NOT. The empty
//!   filter means all records.
//! - A value with blanks, commas or quotes is in double quotes, as a whole or in part. Within them `\"` is a quote
//!   and `\\` a backslash; a backslash before anything else, and every backslash outside of quotes, is itself.
//! - A value of words that ends with `*` means all words that begin so: `tag:ACME*`.
//! - Names of fields and values are taken in any case of ASCII letters. `org:` is the one field that is searched for
//!   parts, in any case of all letters; `org=` asks for the whole name.
//! - `cc` takes two letters, `asn` a number or `AS` and a number, `entry` an address in any spelling, a defanged one
//!   too. `net` takes CIDR blocks and addresses, defanged ones too; bits of the host are cleared, and what is IPv4-mapped
//!   is IPv4.
//! - A record that does not say how many clients it has matches no comparison of them, so it matches every negated one.
//!   A record that is about nothing lies in no network.
//!
//! [`Filter::FIELDS`] has a term of each field; the paths of a record that a field stands for are
//! [`Keyword::paths`].
//!
//! # The value
//!
//! A filter is a value: it is read from text ([`FromStr`](std::str::FromStr), with [`BadFilter`] pointing at the place of
//! a mistake), written back as text that reads as the same filter (`Display`), tested on one record
//! ([`Filter::matches`]) or answered by an index ([`Index::select`](super::Index::select)); both must give the same.
//! Nothing here knows how records are kept.

mod dialect;
mod export;
mod fields;
pub(super) mod fold;
mod hint;
mod matching;
mod mistake;
mod read;
mod scan;
#[cfg(test)]
mod tests;
mod value;
mod write;

use ipnet::IpNet;

pub use self::{fields::FilterField, hint::nearest, mistake::BadFilter};
use crate::{
    contract::ExportQuery,
    model::{Keyword, TagName},
};

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
    pub test: Test,
}

/// What is asked of a record. Lists are never empty where a filter was read from text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Test {
    /// One of the field's words is one of these, in any case of ASCII letters; written `org=` of [`Keyword::Org`].
    Is(Keyword, Vec<String>),
    /// One of the field's words has one of these as a part, in any case; of [`Keyword::Org`].
    Contains(Keyword, Vec<String>),
    /// The number of clients is known and compares so.
    Clients(NumberComparison, u64),
    /// The record's address or network lies within one of these.
    Within(Vec<IpNet>),
    /// Whether one tunnel has an operator and is a VPN.
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
    /// Whether it means all records because it asks for nothing.
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

impl From<&ExportQuery> for Filter {
    /// The records that an export asks for; not how many of them, nor of which day.
    fn from(query: &ExportQuery) -> Self {
        let is =
            |field, values: Vec<String>| (!values.is_empty()).then_some(Test::Is(field, values));
        let names = |tags: &[TagName]| tags.iter().map(TagName::to_string).collect();
        [
            is(Keyword::Tag, names(&query.tags)),
            is(Keyword::Proxy, names(&query.callback_proxies)),
            is(Keyword::Cc, query.ccs.clone()),
            query.attributed.then_some(Test::Attributed(true)),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}
