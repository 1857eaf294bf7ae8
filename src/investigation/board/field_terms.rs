//! What the filter of a board asks of one field, and what it asks beside that: values are counted over the rows of the rest.

use super::{BoardField, BoardFilter};
use crate::store::filter::written_terms;

/// A filter by what it asks of a field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldTerms {
    /// The values that it accepts.
    pub values: Vec<String>,
    /// The other terms.
    pub rest: Vec<String>,
}

impl FieldTerms {
    /// Those of a board with these columns; `None` where they are not known.
    #[must_use]
    pub fn of(by: &BoardField, filter: &str, columns: Option<&[String]>) -> Self {
        let mut terms = Self::default();
        for term in written_terms(filter) {
            let read = BoardFilter::read(term, columns).ok();
            match read.as_ref().and_then(|read| read.accepted(by)) {
                Some(values) => terms.values.extend_from_slice(values),
                None => terms.rest.push(term.to_owned()),
            }
        }
        terms
    }

    /// Whether a value is named, the case of letters aside.
    #[must_use]
    pub fn is_named(&self, value: &str) -> bool {
        let mut values = self.values.iter();
        values.any(|text| text.eq_ignore_ascii_case(value))
    }

    /// The filter with a value: with it alone, or with it as well as others of its field. If it is named already, it is removed.
    #[must_use]
    pub fn with(self, by: &BoardField, value: &str, is_alone: bool) -> String {
        let values = self.values.iter().map(String::as_str);
        let (own, others): (Vec<&str>, Vec<&str>) =
            values.partition(|text| text.eq_ignore_ascii_case(value));
        let is_added = own.is_empty() || is_alone && !others.is_empty();
        let mut wanted = if is_alone { Vec::new() } else { others };
        wanted.extend(is_added.then_some(value));
        let mut terms = self.rest;
        if !wanted.is_empty() {
            terms.push(by.term_of(wanted));
        }
        terms.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Keyword;

    #[test]
    fn a_value_is_added_alone_or_beside_others_and_removed_again() {
        let operator = BoardField::Record(Keyword::Tag);
        for (filter, value, is_alone, then) in [
            ("cc:NL", "ACME_VPN", true, "cc:NL tag:ACME_VPN"),
            ("cc:NL tag:acme_vpn", "ACME_VPN", true, "cc:NL"),
            ("tag:ACME_VPN", "BRAVO_VPN", true, "tag:BRAVO_VPN"),
            ("tag:ACME_VPN", "BRAVO_VPN", false, "tag:ACME_VPN,BRAVO_VPN"),
            (
                "tag:ACME_VPN,BRAVO_VPN cc:NL",
                "ACME_VPN",
                false,
                "cc:NL tag:BRAVO_VPN",
            ),
            ("tag:ACME_VPN,BRAVO_VPN", "ACME_VPN", true, "tag:ACME_VPN"),
            (
                "-tag:ACME_VPN",
                "ACME_VPN",
                false,
                "-tag:ACME_VPN tag:ACME_VPN",
            ),
        ] {
            let terms = FieldTerms::of(&operator, filter, Some(&[]));
            assert_eq!(terms.with(&operator, value, is_alone), then, "{filter}");
        }
    }
}
