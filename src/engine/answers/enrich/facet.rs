//! The values of a field in single records: what an index counts in its own way, for records that come from several.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value;

use crate::{
    model::{Document, Terms},
    store::index::{Facet, FacetBy},
};

/// The values of a field among some records, with how many records have each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FacetTally {
    counts: HashMap<String, u64>,
}

impl FacetTally {
    /// Counts each value of one record once.
    pub fn add(&mut self, by: &FacetBy, record: &Document) {
        for value in values(by, record) {
            *self.counts.entry(value).or_default() += 1;
        }
    }

    /// Adds what was counted elsewhere.
    pub fn merge(&mut self, other: Self) {
        for (value, count) in other.counts {
            *self.counts.entry(value).or_default() += count;
        }
    }

    /// The values, the most frequent first, then by value.
    #[must_use]
    pub fn facets(self) -> Vec<Facet> {
        let counts = self.counts.into_iter();
        let mut facets: Vec<Facet> = counts
            .map(|(value, count)| Facet { value, count })
            .collect();
        facets.sort_unstable_by(|a, b| b.count.cmp(&a.count).then_with(|| a.value.cmp(&b.value)));
        facets
    }
}

/// The different values that a record has in a field.
fn values(by: &FacetBy, record: &Document) -> BTreeSet<String> {
    let mut values = BTreeSet::new();
    match by {
        FacetBy::Keyword(field) => {
            let terms = Terms::of(record.value());
            values.extend(terms.of_field(*field).map(str::to_owned));
        }
        FacetBy::Path(path) => {
            let path: Vec<&str> = path.split('.').collect();
            descend(record.value(), &path, &mut values);
        }
    }
    values
}

/// Collects the scalars at a path, in which arrays are transparent.
fn descend(value: &Value, path: &[&str], values: &mut BTreeSet<String>) {
    match (value, path) {
        (Value::Array(items), _) => items.iter().for_each(|item| descend(item, path, values)),
        (Value::Object(map), [key, rest @ ..]) => {
            if let Some(value) = map.get(*key) {
                descend(value, rest, values);
            }
        }
        (Value::String(text), []) => drop(values.insert(text.clone())),
        (Value::Number(number), []) => drop(values.insert(number.to_string())),
        (Value::Bool(truth), []) => drop(values.insert(truth.to_string())),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Keyword;

    #[test]
    fn values_are_counted_once_a_record() {
        let records = [
            r#"{"tunnels":[{"operator":"A","type":"VPN"},{"operator":"A"},{"operator":"B"}],"client":{"count":3}}"#,
            r#"{"tunnels":[{"operator":"B"}],"client":{"count":3}}"#,
            r#"{"client":{"count":{"x":1}},"odd":null}"#,
        ];
        let counted = |by: &FacetBy| {
            let mut sum = FacetTally::default();
            for record in records {
                let mut tally = FacetTally::default();
                tally.add(by, &Document::read(record.as_bytes()).expect(record));
                sum.merge(tally);
            }
            let facets = sum.facets().into_iter();
            facets
                .map(|facet| format!("{} {}", facet.value, facet.count))
                .collect::<Vec<_>>()
        };
        assert_eq!(counted(&FacetBy::Keyword(Keyword::Tag)), ["B 2", "A 1"]);
        assert_eq!(counted(&FacetBy::Path("client.count".to_owned())), ["3 2"]);
        assert_eq!(
            counted(&FacetBy::Path("tunnels.type".to_owned())),
            ["VPN 1"]
        );
        assert!(counted(&FacetBy::Path("odd".to_owned())).is_empty());
    }
}
