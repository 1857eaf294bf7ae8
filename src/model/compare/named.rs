//! Where two records differ, for people: objects of a list by what names them, lists of values by member.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{
    Difference,
    paired::{canonical, holds_objects, paired},
    places::{items_of, keys_of, map_of, member, words},
};

/// Every place of two records, as the comparison by path finds them, except for lists. An object of a list is named by its
/// type and operator (`tunnels VPN ACME_VPN: entries`). Of a list of values, each side has the members that the other one lacks,
/// and the path counts those that both have: `services (2 in both)`.
#[must_use]
pub fn compare_named(a: &Value, b: &Value) -> Vec<Difference> {
    let mut found = Vec::new();
    walk("", Some(a), Some(b), &mut found);
    found
}

fn walk(path: &str, a: Option<&Value>, b: Option<&Value>, found: &mut Vec<Difference>) {
    let both = [a, b];
    let is_all = |is: &dyn Fn(&Value) -> bool| both.iter().flatten().all(|value| is(value));
    let holds = |value: &Value| value.as_object().is_some_and(|map| !map.is_empty());
    if path.is_empty() && is_all(&Value::is_object) || is_all(&holds) {
        walk_objects(path, map_of(a), map_of(b), found);
    } else if is_all(&holds_objects) {
        walk_lists(path, items_of(a), items_of(b), found);
    } else if is_all(&Value::is_array) {
        found.push(members(path, a, b));
    } else {
        found.push(Difference::of(path.to_owned(), a, b));
    }
}

fn walk_objects(
    path: &str,
    a: Option<&Map<String, Value>>,
    b: Option<&Map<String, Value>>,
    found: &mut Vec<Difference>,
) {
    for key in keys_of(path, a, b) {
        let below = match path {
            "" => key.clone(),
            path if path.contains(' ') => format!("{path}: {key}"),
            path => format!("{path}.{key}"),
        };
        walk(&below, member(path, &key, a), member(path, &key, b), found);
    }
}

/// Objects side by side; one without a counterpart is one difference.
fn walk_lists(path: &str, a: &[Value], b: &[Value], found: &mut Vec<Difference>) {
    let mut named: BTreeMap<String, usize> = BTreeMap::new();
    for (a, b) in paired(a, b) {
        let name = name_of(a, b);
        let times = named.entry(name.clone()).or_default();
        *times += 1;
        let number = if *times > 1 || name.is_empty() {
            format!(" {times}")
        } else {
            String::new()
        };
        let space = if name.is_empty() { "" } else { " " };
        let path = format!("{path}{space}{name}{number}");
        match (a, b) {
            (Some(_), Some(_)) => walk(&path, a, b, found),
            (a, b) => found.push(Difference {
                path,
                a: a.map(whole),
                b: b.map(whole),
            }),
        }
    }
}

/// What names two objects: type and operator, as far as they share them.
fn name_of(a: Option<&Value>, b: Option<&Value>) -> String {
    let shared = ["type", "operator"].into_iter().filter_map(|key| {
        let [a, b] = [a, b].map(|value| value.map(|value| value.get(key).and_then(Value::as_str)));
        match (a, b) {
            (Some(a), Some(b)) if a == b => a,
            (Some(a), None) => a,
            (None, Some(b)) => b,
            _ => None,
        }
    });
    shared.collect::<Vec<_>>().join(" ")
}

/// An object in one line: its members but for what names it.
fn whole(value: &Value) -> String {
    let Some(map) = value.as_object() else {
        return words(value);
    };
    let members = map.iter();
    let members = members.filter(|(key, _)| !["type", "operator"].contains(&key.as_str()));
    let members: Vec<String> = members
        .map(|(key, value)| format!("{key} {}", words(value)))
        .collect();
    if members.is_empty() {
        "there".to_owned()
    } else {
        members.join(", ")
    }
}

/// The members of a list that the other one lacks.
fn members(path: &str, a: Option<&Value>, b: Option<&Value>) -> Difference {
    let keyed = |list: Option<&Value>| -> BTreeMap<String, String> {
        let items = items_of(list).iter();
        items.map(|item| (canonical(item), words(item))).collect()
    };
    let (own_a, own_b) = (keyed(a), keyed(b));
    let only = |map: &BTreeMap<String, String>, other: &BTreeMap<String, String>| {
        let only = map.iter().filter(|(key, _)| !other.contains_key(*key));
        only.map(|(_, words)| words.clone()).collect::<Vec<_>>()
    };
    let (only_a, only_b) = (only(&own_a, &own_b), only(&own_b, &own_a));
    let in_both = own_a.len() - only_a.len();
    let path = path.to_owned();
    if only_a.is_empty() && only_b.is_empty() {
        return Difference {
            path,
            a: a.map(words),
            b: b.map(words),
        };
    }
    let side = |only: Vec<String>| (!only.is_empty()).then(|| only.join(" "));
    Difference {
        path: match in_both {
            0 => path,
            number => format!("{path} ({number} in both)"),
        },
        a: side(only_a),
        b: side(only_b),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::compare::DifferenceKind;

    fn changes(a: &Value, b: &Value) -> Vec<String> {
        let shown = |side: &Option<String>| side.clone().unwrap_or_else(|| "-".to_owned());
        let differing = compare_named(a, b).into_iter();
        let differing = differing.filter(|found| found.change() != DifferenceKind::Equal);
        let line = |found: Difference| {
            let (a, b) = (shown(&found.a), shown(&found.b));
            format!("{} {} | {a} | {b}", found.change().sign(), found.path)
        };
        differing.map(line).collect()
    }

    #[test]
    fn lists_differ_by_member() {
        let a = json!({"services": ["OPENVPN", "WIREGUARD"], "risks": ["TUNNEL"], "x": []});
        let b = json!({"services": ["IPSEC", "OPENVPN"], "risks": ["TUNNEL", "SPAM"], "x": []});
        assert_eq!(
            changes(&a, &b),
            [
                "~ services (1 in both) | WIREGUARD | IPSEC",
                "+ risks (1 in both) | - | SPAM"
            ]
        );
        assert_eq!(changes(&json!({}), &json!({"x": []})), ["+ x | - | none"]);
    }

    #[test]
    fn tunnels_are_named_by_what_they_share() {
        let a = json!({"tunnels": [{"type": "VPN", "operator": "ACME_VPN", "exits": ["x"]}, {"type": "TOR", "anonymous": true}]});
        let b = json!({"tunnels": [{"type": "PROXY"}, {"type": "VPN", "operator": "ACME_VPN", "exits": ["y", "x"]}]});
        assert_eq!(
            changes(&a, &b),
            [
                "+ tunnels VPN ACME_VPN: exits (1 in both) | - | y",
                "- tunnels TOR | anonymous true | -",
                "+ tunnels PROXY | - | there",
            ]
        );
        let renamed =
            json!({"tunnels": [{"type": "VPN", "operator": "BRAVO_VPN", "exits": ["x"]}]});
        let one = json!({"tunnels": [{"type": "VPN", "operator": "ACME_VPN", "exits": ["x"]}]});
        assert_eq!(
            changes(&renamed, &one),
            ["~ tunnels VPN: operator | BRAVO_VPN | ACME_VPN"]
        );
    }

    #[test]
    fn what_is_equal_is_found_equal() {
        let one = json!({"as": {"Organization": "A"}, "tunnels": [{"type": "VPN"}, {"type": "VPN"}], "n": {"x": [1, 2]}});
        let other = json!({"as": {"organization": "A"}, "tunnels": [{"type": "VPN"}, {"type": "VPN"}], "n": {"x": [2, 1]}});
        assert_eq!(changes(&one, &other), Vec::<String>::new());
    }
}
