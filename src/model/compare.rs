//! What two records say differently. Lists are compared as sets, since their order says nothing and is not stable.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// One place in which two records may differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The path, such as `tunnels[0].operator`.
    pub path: String,
    /// What the first record says there; `None` where it says nothing.
    pub a: Option<String>,
    /// What the second one says.
    pub b: Option<String>,
}

/// How two records stand to each other in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// They say the same.
    Equal,
    /// They say different things.
    Changed,
    /// The second one alone says something, or says more.
    Added,
    /// The first one alone says something, or says more.
    Removed,
}

impl Change {
    /// The sign that stands for it in a table.
    #[must_use]
    pub fn sign(self) -> char {
        match self {
            Self::Equal => '=',
            Self::Changed => '~',
            Self::Added => '+',
            Self::Removed => '-',
        }
    }
}

impl Difference {
    /// How the two stand to each other here.
    #[must_use]
    pub fn change(&self) -> Change {
        match (&self.a, &self.b) {
            (a, b) if a == b => Change::Equal,
            (None, _) => Change::Added,
            (_, None) => Change::Removed,
            _ => Change::Changed,
        }
    }
}

/// Every place of two records, in the order of the first, then those that the second alone has.
#[must_use]
pub fn compare(a: &Value, b: &Value) -> Vec<Difference> {
    let mut found = Vec::new();
    walk(String::new(), Some(a), Some(b), &mut found);
    found
}

fn walk(path: String, a: Option<&Value>, b: Option<&Value>, found: &mut Vec<Difference>) {
    let objects = |value: Option<&Value>| {
        value.is_none_or(|value| value.as_object().is_some_and(|map| !map.is_empty()))
    };
    let lists = |value: Option<&Value>| value.is_none_or(holds_objects);
    if objects(a) && objects(b) {
        walk_objects(&path, map_of(a), map_of(b), found);
    } else if lists(a) && lists(b) {
        for (index, (a, b)) in paired(items_of(a), items_of(b)).into_iter().enumerate() {
            walk(format!("{path}[{index}]"), a, b, found);
        }
    } else {
        found.push(Difference {
            path,
            a: a.map(words),
            b: b.map(words),
        });
    }
}

fn walk_objects(
    path: &str,
    a: Option<&Map<String, Value>>,
    b: Option<&Map<String, Value>>,
    found: &mut Vec<Difference>,
) {
    let keys = |map: Option<&Map<String, Value>>| {
        map.into_iter()
            .flat_map(Map::keys)
            .cloned()
            .collect::<Vec<_>>()
    };
    let mut all = keys(a);
    let more: Vec<String> = keys(b)
        .into_iter()
        .filter(|key| !all.contains(key))
        .collect();
    all.extend(more);
    for key in all {
        let below = if path.is_empty() {
            key.clone()
        } else {
            format!("{path}.{key}")
        };
        walk(
            below,
            a.and_then(|map| map.get(&key)),
            b.and_then(|map| map.get(&key)),
            found,
        );
    }
}

fn map_of(value: Option<&Value>) -> Option<&Map<String, Value>> {
    value.and_then(Value::as_object)
}

fn items_of(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Whether a value is a list with at least one object in it.
fn holds_objects(value: &Value) -> bool {
    value
        .as_array()
        .is_some_and(|items| items.iter().any(Value::is_object))
}

/// Objects of two lists side by side: equal ones first, then those that are alike in what names them, the rest alone.
fn paired<'v>(a: &'v [Value], b: &'v [Value]) -> Vec<(Option<&'v Value>, Option<&'v Value>)> {
    let mut pairs: Vec<(usize, Option<usize>)> = (0..a.len()).map(|index| (index, None)).collect();
    let mut free: BTreeSet<usize> = (0..b.len()).collect();
    for alike in [same, same_operator, both_unnamed, same_type] {
        for (index, partner) in pairs.iter_mut().filter(|(_, partner)| partner.is_none()) {
            *partner = free
                .iter()
                .copied()
                .find(|other| alike(&a[*index], &b[*other]));
            if let Some(taken) = partner {
                free.remove(taken);
            }
        }
    }
    let both = pairs
        .into_iter()
        .map(|(index, partner)| (Some(&a[index]), partner.map(|other| &b[other])));
    both.chain(free.into_iter().map(|index| (None, Some(&b[index]))))
        .collect()
}

fn same(a: &Value, b: &Value) -> bool {
    a == b
}

fn same_type(a: &Value, b: &Value) -> bool {
    a.get("type") == b.get("type")
}

fn operator(value: &Value) -> Option<&Value> {
    value.get("operator").filter(|name| !name.is_null())
}

fn same_operator(a: &Value, b: &Value) -> bool {
    operator(a).is_some() && operator(a) == operator(b) && same_type(a, b)
}

fn both_unnamed(a: &Value, b: &Value) -> bool {
    operator(a).is_none() && operator(b).is_none() && same_type(a, b)
}

/// A value as one line: lists of plain values sorted, so that equal sets read equally.
fn words(value: &Value) -> String {
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn changes(a: &Value, b: &Value) -> Vec<String> {
        let shown = |side: &Option<String>| side.clone().unwrap_or_else(|| "-".to_owned());
        let line = |found: &Difference| {
            format!(
                "{} {} {} {}",
                found.change().sign(),
                found.path,
                shown(&found.a),
                shown(&found.b)
            )
        };
        compare(a, b).iter().map(line).collect()
    }

    #[test]
    fn places_are_compared_by_path() {
        let a = json!({"ip": "198.51.100.7", "client": {"count": 3}, "risks": ["TUNNEL"], "gone": null});
        let b = json!({"ip": "198.51.100.7", "client": {"count": 14, "countries": 2}, "risks": ["TUNNEL"]});
        assert_eq!(
            changes(&a, &b),
            [
                "= ip 198.51.100.7 198.51.100.7",
                "~ client.count 3 14",
                "+ client.countries - 2",
                "= risks TUNNEL TUNNEL",
                "- gone null -",
            ]
        );
    }

    #[test]
    fn the_order_of_lists_says_nothing() {
        assert_eq!(
            changes(&json!({"x": ["B", "A", "A"]}), &json!({"x": ["A", "B"]})),
            ["= x A B A B"]
        );
        assert_eq!(
            changes(&json!({"x": []}), &json!({"x": ["A"]})),
            ["~ x none A"]
        );
    }

    #[test]
    fn tunnels_are_matched_by_what_names_them() {
        let a = json!({"tunnels": [{"type": "PROXY"}, {"type": "VPN", "operator": "BRAVO_VPN", "anonymous": true}]});
        let b = json!({"tunnels": [{"type": "VPN", "operator": "ACME_VPN", "anonymous": true}, {"type": "PROXY"}, {"type": "TOR"}]});
        assert_eq!(
            changes(&a, &b),
            [
                "= tunnels[0].type PROXY PROXY",
                "= tunnels[1].type VPN VPN",
                "~ tunnels[1].operator BRAVO_VPN ACME_VPN",
                "= tunnels[1].anonymous true true",
                "+ tunnels[2].type - TOR",
            ]
        );
        assert_eq!(
            changes(&a, &a.clone())
                .iter()
                .filter(|line| !line.starts_with('='))
                .count(),
            0
        );
    }
}
