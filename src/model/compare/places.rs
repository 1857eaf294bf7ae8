//! The members of records under the keys by which they are compared, and their values as one line.

use std::collections::HashSet;

use serde_json::{Map, Value};

/// The keys under which the members of two objects at `path` are compared: those of the first, then what the second alone has.
pub(super) fn keys_of(
    path: &str,
    a: Option<&Map<String, Value>>,
    b: Option<&Map<String, Value>>,
) -> Vec<String> {
    let keys = |map: Option<&Map<String, Value>>| {
        let keys = map.into_iter().flat_map(Map::iter);
        keys.map(|(key, _)| name_of(path, key, map).to_owned())
            .collect::<Vec<_>>()
    };
    let mut all = keys(a);
    let known: HashSet<&String> = all.iter().collect();
    let more = keys(b).into_iter().filter(|key| !known.contains(key));
    let more: Vec<String> = more.collect();
    all.extend(more);
    all
}

/// The member of the object at `path` that is compared under a key.
pub(super) fn member<'v>(
    path: &str,
    name: &str,
    map: Option<&'v Map<String, Value>>,
) -> Option<&'v Value> {
    let own = map?.get(name);
    own.or_else(|| map?.get(OLD).filter(|_| name_of(path, OLD, map) == name))
}

/// The two spellings of `as.organization`.
const OLD: &str = "Organization";
const NEW: &str = "organization";

/// The key under which a member of the object at `path` is compared.
fn name_of<'k>(path: &str, key: &'k str, map: Option<&Map<String, Value>>) -> &'k str {
    let is_old = path == "as" && key == OLD;
    if is_old && map.is_none_or(|map| !map.contains_key(NEW)) {
        NEW
    } else {
        key
    }
}

pub(super) fn map_of(value: Option<&Value>) -> Option<&Map<String, Value>> {
    value.and_then(Value::as_object)
}

pub(super) fn items_of(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// A value as one line: lists of plain values sorted, so that equal sets read equally.
pub(super) fn words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let mut words: Vec<String> = items.iter().map(words).collect();
            words.sort();
            words.dedup();
            if words.is_empty() {
                "none".to_owned()
            } else {
                words.join(" ")
            }
        }
        other => other.to_string(),
    }
}
