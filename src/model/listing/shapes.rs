//! Names in JSON of any shape.

use serde_json::{Map, Value};

use super::entry::{ListingEntry, MOST, is_file, last_segment};
use crate::model::{Day, Document, lenient::scalar};

/// Keys of a name, the more likely ones first, in lower case and without separators like the other keys here.
const NAME_KEYS: [&str; 12] = [
    "name", "key", "path", "file", "filename", "location", "date", "day", "run", "id", "url",
    "prefix",
];
const SIZE_KEYS: [&str; 5] = ["size", "filesize", "bytes", "contentlength", "length"];
const TIME_KEYS: [&str; 6] = [
    "modified",
    "lastmodified",
    "mtime",
    "generatedat",
    "availableat",
    "updated",
];

/// Longest key that is taken for a name, as it may be put before many others.
const LONGEST_KEY: usize = 128;

/// The entries of all lists in this value; none when it holds neither a list nor a name.
pub(super) fn entries(value: &Value) -> Option<Vec<ListingEntry>> {
    match value {
        Value::Array(items) => list(items),
        Value::Object(map) if map.keys().any(|key| is_name(key)) => Some(keyed(map)),
        Value::Object(map) => {
            let mut within = map.values().filter_map(entries).peekable();
            if within.peek().is_some() {
                return Some(within.flatten().collect());
            }
            let listing_entry = described(map).filter(|entry| is_name(&entry.name))?;
            Some(vec![listing_entry])
        }
        _ => None,
    }
}

/// The entries of one JSON value a line.
pub(super) fn lines(text: &str) -> Option<Vec<ListingEntry>> {
    let mut found = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let document = Document::read(line.as_bytes()).ok()?;
        found.extend(element(document.value())?);
        if found.len() > MOST {
            break; // it is refused
        }
    }
    (!found.is_empty()).then_some(found)
}

fn list(items: &[Value]) -> Option<Vec<ListingEntry>> {
    let found: Vec<_> = items.iter().filter_map(element).flatten().collect();
    (items.is_empty() || !found.is_empty()).then_some(found)
}

/// What one element of a list names; in a list, anything that has a name counts.
fn element(value: &Value) -> Option<Vec<ListingEntry>> {
    named(value)
        .map(|entry| vec![entry])
        .or_else(|| entries(value))
}

fn named(value: &Value) -> Option<ListingEntry> {
    match value {
        Value::String(_) | Value::Number(_) => scalar::spelling(value).map(ListingEntry::named),
        Value::Object(map) => described(map),
        Value::Array(_) | Value::Null | Value::Bool(_) => None,
    }
}

/// The entries of an object whose keys are names.
fn keyed(map: &Map<String, Value>) -> Vec<ListingEntry> {
    let mut found = Vec::new();
    for (key, value) in map.iter().filter(|(key, _)| is_name(key)) {
        let mut entry = ListingEntry::named(key);
        match value {
            Value::Object(facts) => describe(&mut entry, facts, None),
            Value::Array(items) => {
                let before = found.len();
                found.extend(items.iter().filter_map(named).map(|below| ListingEntry {
                    name: format!("{}/{}", entry.name, below.name),
                    ..below
                }));
                if found.len() > before {
                    continue;
                }
            }
            Value::Number(_) => entry.size = scalar::spelling(value).and_then(scalar::whole),
            Value::String(text) => entry.modified = Some(text.clone()),
            _ => {}
        }
        found.push(entry);
    }
    found
}

/// The entry that an object describes, if it names it.
fn described(map: &Map<String, Value>) -> Option<ListingEntry> {
    let (key, name) = NAME_KEYS.iter().find_map(|wanted| {
        map.iter()
            .find(|(key, _)| plain(key) == *wanted)
            .and_then(|(key, value)| Some((key, scalar::spelling(value)?)))
            .filter(|(_, name)| !name.is_empty())
    })?;
    let mut entry = ListingEntry::named(name);
    describe(&mut entry, map, Some(key));
    Some(entry)
}

/// Adds to an entry what an object says of it, except for the key that names it.
fn describe(entry: &mut ListingEntry, facts: &Map<String, Value>, name_key: Option<&str>) {
    let others = facts
        .iter()
        .filter(|(key, _)| Some(key.as_str()) != name_key);
    for (key, value) in others {
        let (plain, spelled) = (plain(key), scalar::spelling(value));
        let size = spelled.and_then(scalar::whole);
        if size.is_some() && entry.size.is_none() && SIZE_KEYS.contains(&plain.as_str()) {
            entry.size = size;
        } else if spelled.is_some()
            && entry.modified.is_none()
            && TIME_KEYS.contains(&plain.as_str())
        {
            entry.modified = spelled.map(str::to_owned);
        } else {
            entry.extra.push((key.clone(), value.clone()));
        }
    }
}

/// A key in lower case and without separators: `LastModified` and `last_modified` are one.
fn plain(key: &str) -> String {
    key.to_ascii_lowercase().replace(['_', '-'], "")
}

/// Whether a key looks like the name of a run, a file or a window.
fn is_name(key: &str) -> bool {
    let last = last_segment(key);
    let hhmm = last.len() == 4 && last.bytes().all(|byte| byte.is_ascii_digit());
    key.len() <= LONGEST_KEY && (hhmm || is_file(key) || last.parse::<Day>().is_ok())
}
