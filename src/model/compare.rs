//! Where two records differ. Lists are compared as sets, since their order carries no meaning and is not stable, and the two
//! spellings of `as.organization` (contract, 2.2) are one key.

mod named;
mod paired;
mod places;

pub use self::named::compare_named;

use std::{borrow::Cow, fmt};

use serde::de::{MapAccess, Visitor};
use serde_json::{Map, Value, value::RawValue};

use self::{
    paired::{canonical, holds_objects, paired},
    places::{items_of, keys_of, map_of, member, words},
};
use super::Document;

/// Every place of two records, in the order of the first, then those that the second alone has.
#[must_use]
pub fn compare(a: &Value, b: &Value) -> Vec<Difference> {
    let mut found = Vec::new();
    walk(String::new(), Some(a), Some(b), &mut found);
    found
}

/// Whether two records, given as JSON texts, differ in some place: what [`compare`] finds, in a fraction of the time. Texts that
/// cannot be read as records are compared byte by byte.
#[must_use]
pub fn differ(a: &[u8], b: &[u8]) -> bool {
    if a == b {
        return false;
    }
    let whole = || match (Document::read(a), Document::read(b)) {
        (Ok(a), Ok(b)) => any_difference("", Some(a.value()), Some(b.value())),
        _ => true,
    };
    let (Some(a), Some(b)) = (Members::read(a), Members::read(b)) else {
        return whole();
    };
    if a.0.len() != b.0.len() {
        return true;
    }
    let mut unclear = Vec::new();
    for (key, a) in &a.0 {
        match b.get(key) {
            None => return true,
            Some(b) if a.get() == b.get() => {}
            Some(b) if is_plain(a.get()) && is_plain(b.get()) => return true,
            Some(b) => unclear.push((key, a, b)),
        }
    }
    unclear.into_iter().any(|(key, a, b)| {
        match (
            Document::read(a.get().as_bytes()),
            Document::read(b.get().as_bytes()),
        ) {
            (Ok(a), Ok(b)) => any_difference(key, Some(a.value()), Some(b.value())),
            _ => whole(),
        }
    })
}

fn any_difference(path: &str, a: Option<&Value>, b: Option<&Value>) -> bool {
    let mut found = Vec::new();
    walk(path.to_owned(), a, b, &mut found);
    found
        .iter()
        .any(|found| found.change() != DifferenceKind::Equal)
}

/// Whether a value is a scalar that can be spelt in one way only, as far as [`compare`] tells spellings apart.
fn is_plain(value: &str) -> bool {
    !value.starts_with(['{', '[']) && !value.contains('\\')
}

/// The members of an object, by key.
struct Members<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Members<'a> {
    /// `None` if it is not an object, or has a duplicate key.
    fn read(text: &'a [u8]) -> Option<Self> {
        let mut members: Self = serde_json::from_slice(text).ok()?;
        members.0.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        let repeats = members.0.array_windows().any(|[(a, _), (b, _)]| a == b);
        (!repeats).then_some(members)
    }

    fn get(&self, key: &str) -> Option<&'a RawValue> {
        let at = self
            .0
            .binary_search_by(|(text, _)| (**text).cmp(key))
            .ok()?;
        self.0.get(at).map(|(_, value)| *value)
    }
}

impl<'de> serde::Deserialize<'de> for Members<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry::<JsonKey<'_>, &RawValue>()? {
                    members.push((member.0.0, member.1));
                }
                Ok(Members(members))
            }
        }
        input.deserialize_map(Each)
    }
}

/// A key, borrowed where it has no escapes.
#[derive(serde::Deserialize)]
struct JsonKey<'a>(#[serde(borrow)] Cow<'a, str>);

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
        found.push(Difference::of(path, a, b));
    }
}

fn walk_objects(
    path: &str,
    a: Option<&Map<String, Value>>,
    b: Option<&Map<String, Value>>,
    found: &mut Vec<Difference>,
) {
    for key in keys_of(path, a, b) {
        let below = if path.is_empty() {
            key.clone()
        } else {
            format!("{path}.{key}")
        };
        walk(below, member(path, &key, a), member(path, &key, b), found);
    }
}

/// The place of a field of the record among the differences: tunnels, then what else tells of anonymization, then the rest, then counts.
#[must_use]
pub fn weight(path: &str) -> u8 {
    let begins = |names: &[&str]| names.iter().any(|name| path.starts_with(name));
    if path.contains("count") || path.contains("days") {
        4
    } else if begins(&["tunnels"]) {
        0
    } else if begins(&["risks", "client.proxies", "services", "infrastructure"]) {
        1
    } else if begins(&["client"]) {
        3
    } else {
        2
    }
}

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

/// How two records differ in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DifferenceKind {
    /// They say the same.
    Equal,
    /// They say different things.
    Changed,
    /// The second one alone says something, or says more.
    Added,
    /// The first one alone says something, or says more.
    Removed,
}

impl DifferenceKind {
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
    /// What two records say in one place.
    fn of(path: String, a: Option<&Value>, b: Option<&Value>) -> Self {
        let is_same = a.map(canonical) == b.map(canonical);
        let (mut a_words, mut b_words) = (a.map(words), b.map(words));
        if !is_same && a_words == b_words {
            // Words alone do not tell them apart, such as 3 and "3".
            (a_words, b_words) = (a.map(Value::to_string), b.map(Value::to_string));
        }
        Self {
            path,
            a: a_words,
            b: b_words,
        }
    }

    /// How the two differ here.
    #[must_use]
    pub fn change(&self) -> DifferenceKind {
        match (&self.a, &self.b) {
            (a, b) if a == b => DifferenceKind::Equal,
            (None, _) => DifferenceKind::Added,
            (_, None) => DifferenceKind::Removed,
            _ => DifferenceKind::Changed,
        }
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

    #[test]
    fn lists_in_tunnels_have_no_order_either() {
        let a = json!({"tunnels": [{"type": "VPN", "operator": "A_VPN", "entries": ["x", "y"]}, {"type": "VPN", "operator": "A_VPN", "entries": ["z"]}]});
        let b = json!({"tunnels": [{"type": "VPN", "operator": "A_VPN", "entries": ["z"]}, {"entries": ["y", "x"], "type": "VPN", "operator": "A_VPN"}]});
        assert_eq!(
            changes(&a, &b)
                .iter()
                .filter(|line| !line.starts_with('='))
                .count(),
            0
        );
    }

    #[test]
    fn the_old_spelling_of_the_organization_is_no_difference() {
        let a = json!({"as": {"number": 64500, "Organization": "A"}});
        let b = json!({"as": {"number": 64500, "organization": "A"}});
        assert_eq!(
            changes(&a, &b),
            ["= as.number 64500 64500", "= as.organization A A"]
        );
        assert_eq!(
            changes(&b, &json!({"as": {"number": 64500, "Organization": "B"}}))[1],
            "~ as.organization A B"
        );
        let both = json!({"as": {"Organization": "A", "organization": "B"}});
        assert_eq!(changes(&both, &both)[0], "= as.Organization A A");
        let elsewhere = json!({"x": {"Organization": "A"}});
        assert_eq!(
            changes(&elsewhere, &json!({"x": {"organization": "A"}})).len(),
            2
        );
    }

    #[test]
    fn differing_is_what_comparing_finds() {
        let texts = [
            r#"{"ip":"198.51.100.7","client":{"count":3},"risks":["A","B"],"as":{"organization":"X"}}"#,
            r#"{ "risks":["B","A"], "as":{"Organization":"X"}, "ip":"198.51.100.7","client":{"count":3}}"#,
            r#"{"ip":"198.51.100.7","client":{"count":3},"risks":["A","B","B"],"as":{"organization":"X"}}"#,
            r#"{"ip":"198.51.100.7","client":{"count":3},"risks":["A"],"as":{"organization":"X"}}"#,
            r#"{"ip":"198.51.100.7","client":{"count":4},"risks":["A","B"],"as":{"organization":"X"}}"#,
            r#"{"ip":"198.51.100.\u0037","client":{"count":3},"risks":["A","B"],"as":{"organization":"X"}}"#,
            r#"{"ip":"198.51.100.8","client":{"count":3},"risks":["A","B"],"as":{"organization":"X"}}"#,
            r#"{"ip":"198.51.100.7","client":{"count":3},"risks":["A","B"]}"#,
            r#"{"ip":"198.51.100.7","client":{"count":3},"risks":["A","B"],"as":null}"#,
            r#"{"ip":"198.51.100.7","ip":"198.51.100.8","client":{"count":3},"risks":["A","B"],"as":{"organization":"X"}}"#,
            r#"{"ip":"198.51.100.7","client":{"count":3.0},"risks":["\ud800"],"as":{}}"#,
            r#"{"ip":"198.51.100.7","client":{"count":3.0},"risks":["\ud801"],"as":{}}"#,
            r#"{"x":["A B"],"y":"3","z":[],"n":{"v":["X"]}}"#,
            r#"{"x":["A","B"],"y":"3","z":[],"n":{"v":["X"]}}"#,
            r#"{"x":["A B"],"y":3,"z":[],"n":{"v":["X"]}}"#,
            r#"{"x":["A B"],"y":"3","z":["none"],"n":{"v":["X"]}}"#,
            r#"{"x":["A B"],"y":"3","z":[],"n":{"v":"X"}}"#,
            r#"{"x":["A B"],"y":"3","z":[],"n":{"v":["X","X"]}}"#,
            r#"{"x":null,"y":"null"}"#,
            r#"{"x":"null","y":null}"#,
            "[1]",
            "no",
        ];
        for a in texts {
            for b in texts {
                let found = match (Document::read(a.as_bytes()), Document::read(b.as_bytes())) {
                    (Ok(a), Ok(b)) => compare(a.value(), b.value())
                        .iter()
                        .any(|found| found.change() != DifferenceKind::Equal),
                    _ => a != b,
                };
                assert_eq!(differ(a.as_bytes(), b.as_bytes()), found, "{a} {b}");
            }
        }
    }

    #[test]
    fn what_reads_alike_is_told_apart() {
        for (a, b) in [
            (json!({"x": ["A B"]}), json!({"x": ["A", "B"]})),
            (json!({"x": []}), json!({"x": ["none"]})),
            (json!({"x": {"y": "3"}}), json!({"x": {"y": 3}})),
            (json!({"x": ["X"]}), json!({"x": "X"})),
            (json!({"x": null}), json!({"x": "null"})),
        ] {
            assert_eq!(changes(&a, &b).len(), 1);
            assert!(changes(&a, &b)[0].starts_with('~'), "{a} {b}");
            assert!(differ(a.to_string().as_bytes(), b.to_string().as_bytes()));
        }
        assert_eq!(
            changes(&json!({"x": ["X"]}), &json!({"x": ["X", "X"]})),
            ["= x X X"]
        );
    }

    #[test]
    fn many_members_are_paired_by_what_names_them() {
        const MANY: usize = 30_000;
        let tunnel =
            |number: usize| json!({"type": "VPN", "operator": format!("A{number}"), "entries": []});
        let keys = |prefix: &str| -> Map<String, Value> {
            let keys = (0..MANY).map(|number| (format!("{prefix}{number}"), json!(number)));
            keys.collect()
        };
        let a = json!({"tunnels": (0..MANY).map(tunnel).collect::<Vec<_>>(), "x": keys("a")});
        let b =
            json!({"tunnels": (1..=MANY).rev().map(tunnel).collect::<Vec<_>>(), "x": keys("b")});
        let differ = compare(&a, &b);
        let differ = differ
            .iter()
            .filter(|one| one.change() != DifferenceKind::Equal && one.path.starts_with('t'));
        // The first of the one and the last of the other are alike in their type alone.
        assert_eq!(differ.count(), 1);
        assert!(super::differ(
            a.to_string().as_bytes(),
            b.to_string().as_bytes()
        ));
    }
}
