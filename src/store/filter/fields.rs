//! The fields of the language, each with an example.

use super::Filter;
use crate::model::Keyword;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilterField {
    pub name: &'static str,
    pub example: &'static str,
}

const fn field(name: &'static str, example: &'static str) -> FilterField {
    FilterField { name, example }
}

/// The fields that are not words of records.
const OTHERS: [FilterField; 3] = [
    field("clients", "clients>=20"),
    field("net", "net:198.51.100.0/24,2001:db8::/32"),
    field("attributed", "attributed:yes"),
];

const WORDS: usize = Keyword::ALL.len();

impl Filter {
    /// All fields, in the order of the documentation.
    pub const FIELDS: [FilterField; WORDS + OTHERS.len()] = {
        let mut fields = [OTHERS[0]; WORDS + OTHERS.len()];
        let mut at = 0;
        while at < fields.len() {
            fields[at] = if at < WORDS {
                field(Keyword::ALL[at].name(), Keyword::ALL[at].example())
            } else {
                OTHERS[at - WORDS]
            };
            at += 1;
        }
        fields
    };
}
