//! Facets and the counts of clauses against a walk over the lines of the same feed.

use std::collections::BTreeMap;

use ipspect::{
    contract::Feed,
    model::Keyword,
    store::index::{FacetBy, Order},
};

use super::views::{naive, query, selected, with_all_feeds};

#[tokio::test]
async fn facets_and_clauses_count_what_a_walk_counts() {
    let fixture = with_all_feeds().await;
    for feed in Feed::all() {
        let all = naive(&fixture, feed);
        let asked = query(feed, "cc:NL,DE -infra:MOBILE clients<1000000", Order::File);
        let fields = [Keyword::Tag, Keyword::Cc, Keyword::Infra].map(FacetBy::Keyword);
        let counted = fixture
            .engine
            .views
            .facets(&asked, &fields, 3)
            .await
            .expect("facets");
        for (counts, (field, filter)) in counted.iter().zip([
            (Keyword::Tag, "cc:NL,DE -infra:MOBILE clients<1000000"),
            // Its own choice does not narrow it.
            (Keyword::Cc, "-infra:MOBILE clients<1000000"),
            (Keyword::Infra, "cc:NL,DE -infra:MOBILE clients<1000000"),
        ]) {
            let among = selected(&all, filter);
            let mut tally: BTreeMap<&str, u64> = BTreeMap::new();
            for (_, terms) in &among {
                for value in terms.of_field(field) {
                    *tally.entry(value).or_default() += 1;
                }
            }
            assert_eq!(counts.among, among.len() as u64, "{feed} {filter}");
            assert_eq!(counts.distinct, tally.len(), "{feed} {field:?}");
            let named = |value: &str| match field {
                Keyword::Cc => ["NL", "DE"].contains(&value),
                Keyword::Infra => value == "MOBILE",
                _ => false,
            };
            let (frequent, rare) = counts.values.split_at(tally.len().min(3));
            assert!(rare.iter().all(|facet| named(&facet.value)), "{rare:?}");
            for value in tally.keys().filter(|value| named(value)) {
                let is_here = frequent
                    .iter()
                    .chain(rare)
                    .any(|facet| facet.value == *value);
                assert!(is_here, "{feed} {value}: the filter names it");
            }
            for facet in &counts.values {
                assert_eq!(
                    tally.get(&*facet.value),
                    Some(&facet.count),
                    "{feed} {facet:?}"
                );
            }
        }
        let clauses = fixture.engine.views.clauses(&asked).await.expect("clauses");
        let terms = ["cc:NL,DE", "-infra:MOBILE", "clients<1000000"];
        for (clause, term) in clauses.iter().zip(terms) {
            assert_eq!(clause.term.to_string(), term);
            let others = terms.into_iter().filter(|other| *other != term);
            let others = others.collect::<Vec<_>>().join(" ");
            assert_eq!(
                clause.alone,
                selected(&all, term).len() as u64,
                "{feed} {term}"
            );
            assert_eq!(
                clause.without,
                selected(&all, &others).len() as u64,
                "{feed} {term}"
            );
        }
        assert_eq!(clauses.len(), terms.len());
    }
}

#[tokio::test]
async fn what_is_typed_finds_the_values_that_a_walk_finds() {
    let fixture = with_all_feeds().await;
    for feed in Feed::all() {
        let all = naive(&fixture, feed);
        let asked = query(feed, "clients<1000000 tag:NONE_SUCH", Order::File);
        for field in [Keyword::Tag, Keyword::Cc, Keyword::Org, Keyword::Entry] {
            let filter = if field == Keyword::Tag {
                // Its own choice does not narrow it.
                "clients<1000000"
            } else {
                "clients<1000000 tag:NONE_SUCH"
            };
            let among = selected(&all, filter);
            let mut tally: BTreeMap<&str, u64> = BTreeMap::new();
            for (_, terms) in &among {
                for value in terms.of_field(field) {
                    *tally.entry(value).or_default() += 1;
                }
            }
            for part in ["A", "vp", "1", "e"] {
                let begins = |value: &str| value.to_lowercase().starts_with(&part.to_lowercase());
                let mut expected: Vec<_> = tally
                    .iter()
                    .filter(|(value, _)| value.to_lowercase().contains(&part.to_lowercase()))
                    .map(|(value, count)| ((*value).to_owned(), *count))
                    .collect();
                expected.sort_by_key(|(value, count)| {
                    (!begins(value), std::cmp::Reverse(*count), value.clone())
                });
                expected.truncate(7);
                let found = fixture
                    .engine
                    .views
                    .values_with(&asked, field, part, 7)
                    .await;
                let found = found.expect("values").into_iter();
                let found: Vec<_> = found.map(|facet| (facet.value, facet.count)).collect();
                assert_eq!(found, expected, "{feed} {field:?} {part}");
            }
        }
    }
}
