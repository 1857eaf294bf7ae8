//! Whether the records of a release are of the form that this program knows: keys that the contract does not name, values that
//! cannot be read, values that it does not name of its vocabularies, lines that are no records. All records are judged. It must
//! never judge what they mean.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use super::{DayHealth, OpenRelease, Releases, rejected_text};
use crate::{
    contract::{Feed, catalog::RecordKind, vocabulary},
    engine::{error::Result, threads::off_thread},
    model::{Context, Document, Geo, Hosting, Keyword, Tag},
    store::{
        Cache, Filter, StopFlag,
        index::{FacetBy, QueryError, RecordPart},
        layout::Release,
    },
};

/// What was found in a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Health {
    pub release: Release,
    pub records: u64,
    /// Paths of keys that the contract does not name, with how many records have each, the most frequent first.
    pub unknown: Vec<(String, u64)>,
    /// Paths of values that cannot be read, likewise.
    pub odd: Vec<(String, u64)>,
    /// Values that the contract does not name of its vocabularies, as `risks SPAM`, likewise.
    pub new_values: Vec<(String, u64)>,
    /// The first lines that are no records, by number, each with its beginning.
    pub rejected: BTreeMap<u64, String>,
    /// The days of the feed that were noted, the oldest first.
    pub days: Vec<DayHealth>,
}

impl Releases {
    /// Judges the newest local release of a feed.
    ///
    /// # Errors
    /// As [`Releases::open_local`].
    pub async fn health(&self, feed: Feed) -> Result<Health> {
        let opened = self.open_local(feed, None).await?;
        let cache = self.cache();
        let work = move |opened: &OpenRelease, stop: &StopFlag| judged(&cache, opened, stop);
        let health = self.with_local(opened, work).await?;
        let own = self.clone();
        let days = off_thread(move || own.noted(feed)).await?;
        Ok(Health { days, ..health })
    }
}

fn judged(cache: &Cache, opened: &OpenRelease, stop: &StopFlag) -> Result<Health, QueryError> {
    let release = opened.release.clone();
    let kind = release.manifest.feed.row().records;
    let mut findings = Findings::default();
    let counts = opened.index.survey(|part| findings.of(kind, part), stop)?;
    let mut health = Health {
        records: opened.index.records(),
        unknown: Vec::new(),
        odd: Vec::new(),
        new_values: new_values(opened, kind, stop)?,
        rejected: BTreeMap::new(),
        days: Vec::new(),
        release,
    };
    for ((is_odd, path), number) in findings.0 {
        let Some(count) = counts.get(&number) else {
            continue;
        };
        let list = if is_odd {
            &mut health.odd
        } else {
            &mut health.unknown
        };
        list.push((path, *count));
    }
    let rejected = &health.release.manifest.rejected.first;
    let lines: Vec<u64> = rejected.iter().map(|(line, _)| *line).collect();
    health.rejected = rejected_text::texts(cache.open_file(&health.release.data), &lines, stop)?;
    for list in [&mut health.unknown, &mut health.odd, &mut health.new_values] {
        list.sort_by(|(a, less), (b, more)| more.cmp(less).then_with(|| a.cmp(b)));
    }
    Ok(health)
}

/// The values that the contract does not name, with how many records have each.
fn new_values(
    opened: &OpenRelease,
    kind: RecordKind,
    stop: &StopFlag,
) -> Result<Vec<(String, u64)>, QueryError> {
    let mut found = Vec::new();
    let all = opened.index.select(&Filter::default(), stop)?;
    for contract_field in vocabulary::of(kind) {
        let by = match Keyword::at(contract_field.path) {
            Some(field) => FacetBy::Keyword(field),
            None => FacetBy::Path(contract_field.path.to_owned()),
        };
        let facets = opened.index.facets(&all, &by, stop)?.into_iter();
        let new = facets.filter(|facet| !contract_field.values.contains(&&*facet.value));
        found.extend(new.map(|facet| {
            (
                format!("{} {}", contract_field.path, facet.value),
                facet.count,
            )
        }));
    }
    Ok(found)
}

/// What was found so far, with its number: whether it is a value that cannot be read, and the path.
#[derive(Debug, Default)]
struct Findings(HashMap<(bool, String), u32>);

impl Findings {
    fn of(&mut self, kind: RecordKind, part: RecordPart<'_>) -> Vec<u32> {
        let (unknown, odd) = match part {
            RecordPart::Line(line) => paths(kind, line),
            RecordPart::Value(path, text) => paths(kind, &record_of(path, text)),
        };
        let unknown = unknown.into_iter().map(|path| (false, path));
        let odd = odd.into_iter().map(|path| (true, path));
        let mut numbers: Vec<u32> = unknown
            .chain(odd)
            .map(|(is_odd, path)| {
                let next = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
                *self
                    .0
                    .entry((is_odd, without_places(&path)))
                    .or_insert(next)
            })
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}

/// A record that holds a value at a path, and nothing else.
fn record_of(path: &str, text: &[u8]) -> Vec<u8> {
    let mut record = text.to_vec();
    for key in path.rsplit('.') {
        let name = key.trim_end_matches("[]");
        for _ in 0..(key.len() - name.len()) / 2 {
            record = [b"[", &*record, b"]"].concat();
        }
        let name = Value::from(name).to_string();
        record = [b"{", name.as_bytes(), b":", &*record, b"}"].concat();
    }
    record
}

/// A path without the places within lists.
fn without_places(path: &str) -> String {
    let mut parts = path.split('[');
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        whole.push('[');
        whole.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    whole
}

/// The unknown and the unreadable paths of a record.
fn paths(kind: RecordKind, line: &[u8]) -> (Vec<String>, Vec<String>) {
    let whole = || (Vec::new(), vec!["(the whole record)".to_owned()]);
    let Ok(document) = Document::read(line) else {
        return whole();
    };
    let value = document.value();
    let read = match kind {
        RecordKind::Context | RecordKind::Ipv6Context => Context::decode(value)
            .map(|record| (record.unknown, record.odd))
            .ok(),
        RecordKind::Tags => Tag::decode(value)
            .map(|record| (record.unknown, record.odd))
            .ok(),
        RecordKind::Hosting => Hosting::decode(value)
            .map(|record| (record.unknown, record.odd))
            .ok(),
        RecordKind::Geo => Geo::decode(value)
            .map(|record| (record.unknown, record.odd))
            .ok(),
    };
    read.unwrap_or_else(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_put_where_its_path_leads() {
        for (path, record) in [
            ("ip", r#"{"ip":7}"#),
            ("client.count", r#"{"client":{"count":7}}"#),
            ("tunnels[].type", r#"{"tunnels":[{"type":7}]}"#),
            ("a[][].b[]", r#"{"a":[[{"b":[7]}]]}"#),
        ] {
            assert_eq!(record_of(path, b"7"), record.as_bytes(), "{path}");
        }
    }

    #[test]
    fn a_path_has_no_places_within_lists() {
        for (path, plain) in [
            ("a.b", "a.b"),
            ("tunnels[12].entries[0]", "tunnels[].entries[]"),
        ] {
            assert_eq!(without_places(path), plain);
        }
    }
}
