//! The naive twin: every line decoded, every question a walk over all records.

use std::{
    cmp::{Ordering, Reverse},
    collections::{BTreeMap, BTreeSet},
};

use ipnet::IpNet;
use ipspect::{
    model::{Document, Keyword, Subject, Terms},
    store::Filter,
};
use serde::de::IgnoredAny;
use serde_json::Value;

/// A feed as it reads from the beginning to the end.
#[derive(Debug, Default)]
pub(crate) struct Naive {
    /// Its records in the order of the file.
    pub(crate) records: Vec<Record>,
    /// The numbers of the lines that are no records, from 1.
    pub(crate) rejected: Vec<u64>,
}

/// One record.
#[derive(Debug)]
pub(crate) struct Record {
    /// Its line, without the line end.
    pub(crate) line: Vec<u8>,
    /// What it says; nothing where it is too deep or too large to be read.
    pub(crate) terms: Terms,
}

impl Naive {
    /// Reads all lines. A line is a record when it is a JSON object once bytes that are not UTF-8 are replaced; a byte
    /// order mark before the first does not count, and blank lines are neither records nor rejected.
    pub(crate) fn read(feed: &[u8]) -> Self {
        let mut naive = Self::default();
        for (number, line) in (1..).zip(feed.split_inclusive(|byte| *byte == b'\n')) {
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let line = match line.strip_prefix(b"\xef\xbb\xbf") {
                Some(rest) if number == 1 => rest,
                _ => line,
            };
            if line.trim_ascii().is_empty() {
                continue;
            }
            if is_object(line) {
                naive.records.push(Record {
                    line: line.to_owned(),
                    terms: Document::read(line)
                        .map(|record| Terms::of(record.value()))
                        .unwrap_or_default(),
                });
            } else {
                naive.rejected.push(number);
            }
        }
        naive
    }

    /// The places of all records.
    pub(crate) fn places(&self) -> Vec<usize> {
        (0..self.records.len()).collect()
    }

    fn terms(&self, place: usize) -> &Terms {
        &self.records[place].terms
    }

    fn network(&self, place: usize) -> Option<IpNet> {
        self.terms(place).subject.map(network_of)
    }

    /// The records of this network, then of those around it, the smallest first.
    pub(crate) fn covering(&self, network: IpNet) -> Vec<usize> {
        let length = |place: &usize| {
            self.network(*place)
                .map_or(0, |network| network.prefix_len())
        };
        let mut places = self.places();
        places.retain(|place| {
            self.network(*place)
                .is_some_and(|other| other.contains(&network))
        });
        places.sort_by_key(|place| Reverse(length(place)));
        places
    }

    /// The records that a filter selects.
    pub(crate) fn select(&self, filter: &Filter) -> Vec<usize> {
        let mut places = self.places();
        places.retain(|place| filter.matches(self.terms(*place)));
        places
    }

    /// The words of a field with the number of records that have them.
    pub(crate) fn facets(&self, places: &[usize], field: Keyword) -> Vec<(String, u64)> {
        let words = |place: &usize| self.terms(*place).of_field(field).map(str::to_owned);
        ranked(places.iter().flat_map(words))
    }

    /// Those words of a field that have a text in them: those that begin with it first, then the most frequent ones.
    pub(crate) fn alike(&self, places: &[usize], field: Keyword, part: &str) -> Vec<(String, u64)> {
        let part = folded(part);
        let mut found = self.facets(places, field);
        found.retain(|(word, _)| folded(word).contains(&part));
        found.sort_by_key(|(word, count)| {
            (
                !folded(word).starts_with(&part),
                Reverse(*count),
                word.clone(),
            )
        });
        found
    }

    /// The values at a path with the number of records that have them.
    pub(crate) fn values(&self, places: &[usize], path: &str) -> Vec<(String, u64)> {
        let path: Vec<&str> = path.split('.').collect();
        let values = |place: &usize| {
            let mut values = BTreeSet::new();
            if let Ok(record) = Document::read(&self.records[*place].line) {
                collect(record.value(), &path, &mut values);
            }
            values
        };
        ranked(places.iter().flat_map(values))
    }

    /// The records by clients, then by address.
    pub(crate) fn busiest(&self, places: &[usize], most: usize) -> Vec<usize> {
        let mut places = self.by_address(places);
        places.sort_by_key(|place| Reverse(self.terms(*place).clients.unwrap_or(0)));
        places.truncate(most);
        places
    }

    /// The same from the other end; records without clients stay at the end.
    pub(crate) fn least_busy(&self, places: &[usize]) -> Vec<usize> {
        let (mut known, none): (Vec<usize>, Vec<usize>) = self
            .busiest(places, places.len())
            .into_iter()
            .partition(|place| self.terms(*place).clients.unwrap_or(0) > 0);
        known.reverse();
        [known, none].concat()
    }

    /// The records by the last address; those about nothing stay at the end.
    pub(crate) fn by_address_turned(&self, places: &[usize]) -> Vec<usize> {
        let (mut known, none): (Vec<usize>, Vec<usize>) = self
            .by_address(places)
            .into_iter()
            .partition(|place| self.network(*place).is_some());
        known.reverse();
        [known, none].concat()
    }

    /// The records by the first of their words of a field.
    pub(crate) fn by_words(
        &self,
        places: &[usize],
        field: Keyword,
        descending: bool,
    ) -> Vec<usize> {
        self.by_values(places, descending, |place| {
            let words = self.terms(place).of_field(field);
            words.map(str::to_owned).collect()
        })
    }

    /// The records by the first of their values at a path.
    pub(crate) fn by_path(&self, places: &[usize], path: &str, descending: bool) -> Vec<usize> {
        let spellings: &[&str] = match path {
            "as.organization" => &["as.organization", "as.Organization"],
            _ => &[path],
        };
        self.by_values(places, descending, |place| {
            let mut values = BTreeSet::new();
            if let Ok(record) = Document::read(&self.records[place].line) {
                for path in spellings {
                    let path: Vec<&str> = path.split('.').collect();
                    collect(record.value(), &path, &mut values);
                }
            }
            let said = values.into_iter().filter(|value| !value.trim().is_empty());
            said.collect()
        })
    }

    /// The records by the first of some values of each, then by address; those without one at the end.
    fn by_values(
        &self,
        places: &[usize],
        descending: bool,
        values: impl Fn(usize) -> Vec<String>,
    ) -> Vec<usize> {
        let places = self.by_address(places).into_iter();
        let keyed = places.map(|place| (values(place).into_iter().min_by(by_value), place));
        let (mut known, none): (Vec<_>, Vec<_>) = keyed.partition(|(value, _)| value.is_some());
        known.sort_by(|(one, _), (other, _)| match (one, other, descending) {
            (Some(one), Some(other), false) => by_value(one, other),
            (Some(one), Some(other), true) => by_value(other, one),
            _ => Ordering::Equal,
        });
        known.extend(none);
        known.into_iter().map(|(_, place)| place).collect()
    }

    /// The records by first address, the larger network first.
    pub(crate) fn by_address(&self, places: &[usize]) -> Vec<usize> {
        let mut places = places.to_vec();
        places.sort_by_key(|place| {
            let network = self.network(*place);
            let key = network.map(|network| (network.network(), network.prefix_len()));
            (key.is_none(), key)
        });
        places
    }
}

/// Adds each text, number and truth value that is at a path; arrays are transparent.
fn collect(value: &Value, path: &[&str], into: &mut BTreeSet<String>) {
    match (value, path) {
        (Value::Array(items), _) => items.iter().for_each(|item| collect(item, path, into)),
        (Value::Object(map), [key, rest @ ..]) => {
            map.get(*key)
                .into_iter()
                .for_each(|value| collect(value, rest, into));
        }
        (Value::String(text), []) => drop(into.insert(text.clone())),
        (Value::Number(_) | Value::Bool(_), []) => drop(into.insert(value.to_string())),
        _ => {}
    }
}

/// Numbers before names and by size; names as if all ASCII letters were small.
fn by_value(one: &String, other: &String) -> Ordering {
    let key = |text: &String| {
        let is_number = text.starts_with(|first: char| first.is_ascii_digit() || first == '-');
        let number = text
            .parse::<f64>()
            .ok()
            .filter(|number| is_number && number.is_finite());
        (number, text.to_ascii_lowercase(), text.clone())
    };
    match (key(one), key(other)) {
        ((Some(a), ..), (Some(b), ..)) => a.total_cmp(&b).then_with(|| one.cmp(other)),
        ((Some(_), ..), _) => Ordering::Less,
        (_, (Some(_), ..)) => Ordering::Greater,
        ((_, a, text), (_, b, others)) => (a, text).cmp(&(b, others)),
    }
}

/// Each value with how often it came, the most frequent first, then by value.
/// A text in which the case of letters makes no difference.
fn folded(text: &str) -> String {
    let lower = text.chars().flat_map(char::to_lowercase);
    lower.map(|c| if c == 'ς' { 'σ' } else { c }).collect()
}

fn ranked(values: impl Iterator<Item = String>) -> Vec<(String, u64)> {
    let mut counts = BTreeMap::<String, u64>::new();
    for value in values {
        *counts.entry(value).or_default() += 1;
    }
    let mut ranked: Vec<(String, u64)> = counts.into_iter().collect();
    ranked.sort_by_key(|(_, count)| Reverse(*count));
    ranked
}

/// The network that a subject is.
pub(crate) fn network_of(subject: Subject) -> IpNet {
    match subject {
        Subject::Address(address) => address.into(),
        Subject::Network(network) => network,
    }
}

fn is_object(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line);
    text.trim_start().starts_with('{') && serde_json::from_str::<IgnoredAny>(&text).is_ok()
}
