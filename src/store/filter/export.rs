//! Converts an export to a filter, and a filter to an export as far as that can express it.
//!
//! An export has tags, callback proxies, countries and `attributed`, each once and not negated. It must never use a part of a
//! clause: a clause that it cannot express as a whole is left out and reported.

use super::{Filter, Term, Test};
use crate::{
    contract::{ExportQuery, Feed},
    model::{Keyword, TagName},
};

impl From<&ExportQuery> for Filter {
    /// The records that an export selects, without its limit and its day.
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

impl Filter {
    /// An export of these records of a feed, and the clauses that it cannot express.
    #[must_use]
    pub fn to_export(&self, feed: Feed) -> (ExportQuery, Vec<Term>) {
        let mut query = ExportQuery::all_of(feed);
        let left = self.terms.iter().filter(|term| !take(term, &mut query));
        let left = left.cloned().collect();
        (query, left)
    }
}

/// Adds a clause to the export; returns whether the export can express it.
fn take(term: &Term, query: &mut ExportQuery) -> bool {
    let tags = |values: &[String]| -> Option<Vec<TagName>> {
        let name = |name: &String| TagName::new(name).ok().filter(|_| !name.ends_with('*'));
        values.iter().map(name).collect()
    };
    match &term.test {
        _ if term.negated => false,
        Test::Is(Keyword::Tag, values) if query.tags.is_empty() => {
            tags(values).map(|tags| query.tags = tags).is_some()
        }
        Test::Is(Keyword::Proxy, values) if query.callback_proxies.is_empty() => tags(values)
            .map(|tags| query.callback_proxies = tags)
            .is_some(),
        Test::Is(Keyword::Cc, values) if query.ccs.is_empty() => {
            query.ccs.clone_from(values);
            true
        }
        Test::Attributed(true) => {
            query.attributed = true;
            true
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_export_has_whole_clauses_only() {
        for (filter, taken, left) in [
            (
                "tag:ACME_VPN,CARGO_VPN cc:NL",
                "tag:ACME_VPN,CARGO_VPN cc:NL",
                "",
            ),
            (
                "-infra:MOBILE cc:NL attributed:yes clients>20",
                "cc:NL attributed:yes",
                "-infra:MOBILE clients>20",
            ),
            (
                "tag:A tag:B -cc:NL attributed:no",
                "tag:A",
                "tag:B -cc:NL attributed:no",
            ),
            (
                "proxy:\"A B\" proxy:WIDGET_PROXY",
                "proxy:WIDGET_PROXY",
                "proxy:\"A B\"",
            ),
            ("net:198.51.100.0/24", "", "net:198.51.100.0/24"),
            ("tag:ACME*,B cc:NL", "cc:NL", "tag:ACME*,B"),
        ] {
            let filter: Filter = filter.parse().expect(filter);
            let (query, rest) = filter.to_export(Feed::Anonymous);
            assert_eq!(Filter::from(&query).to_string(), taken);
            assert_eq!(Filter { terms: rest }.to_string(), left);
        }
    }
}
