//! What a record says in the fields that are searched: the terms of a filter, an index and an export.
//!
//! A field of the filter language stands for one or more paths of records, so that one word serves every kind of feed:
//! `cc` is `location.country` of a context and `country.iso_code` of a geolocation record. Arrays are transparent in a
//! path: `tunnels.operator` is the operator of every tunnel. Which value may be there is read as leniently as
//! everywhere (see [`Field`](super::Field)): a number as text is a number, an odd value says nothing.

use std::{borrow::Cow, collections::HashSet, sync::LazyLock};

use serde_json::{Map, Value};

use super::{
    Context, Geo, Hosting, Keyword, Subject, Tag,
    fields::{FieldKind, Member, Object},
    lenient::scalar,
};

/// The paths of all records that are searched, each with its field, in the order of the tables.
static PATHS: LazyLock<Vec<(String, Keyword)>> = LazyLock::new(|| {
    let mut paths = Vec::new();
    for members in [
        Context::MEMBERS,
        Tag::MEMBERS,
        Hosting::MEMBERS,
        Geo::MEMBERS,
    ] {
        collect("", members, &mut paths);
    }
    paths.sort_by_key(|(_, field)| *field);
    paths.dedup();
    paths
});

fn collect(above: &str, members: &[Member], paths: &mut Vec<(String, Keyword)>) {
    for member in members {
        for name in [Some(member.name), member.also].into_iter().flatten() {
            let path = format!("{above}{name}");
            if let FieldKind::Group(inner) | FieldKind::Groups(inner) = member.kind {
                collect(&format!("{path}."), inner, paths);
            }
            let Some(field) = member.keyword else {
                continue;
            };
            if field == Keyword::Entry {
                // An address in a list may be an object that names it.
                paths.extend(["ip", "address"].map(|key| (format!("{path}.{key}"), field)));
            }
            paths.push((path, field));
        }
    }
}

impl Keyword {
    /// The paths that it stands for; arrays are transparent in them.
    pub fn paths(self) -> impl Iterator<Item = &'static str> {
        let own = PATHS.iter().filter(move |(_, field)| *field == self);
        own.map(|(path, _)| path.as_str())
    }

    /// The field that a path belongs to.
    #[must_use]
    pub fn at(path: &str) -> Option<Self> {
        let own = PATHS.iter().find(|(text, _)| text == path);
        own.map(|(_, field)| *field)
    }
}

/// The spellings of a path: feeds before 2023-04-20 have another one of `as.organization` (contract, part 2.2).
#[must_use]
pub fn spellings(path: &str) -> Vec<&str> {
    const BOTH: [&str; 2] = ["as.organization", "as.Organization"];
    if BOTH.contains(&path) {
        BOTH.to_vec()
    } else {
        vec![path]
    }
}

/// So many words of a record are compared one by one.
const FEW: usize = 64;

/// What one record says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// Its words, each once, in the order of the record.
    pub words: Vec<(Keyword, String)>,
    /// Clients on an average day.
    pub clients: Option<u64>,
    /// Whether one tunnel has an operator and is a VPN.
    pub attributed: bool,
    pub subject: Option<Subject>,
}

impl Terms {
    /// Reads a record of any feed.
    #[must_use]
    pub fn of(record: &Value) -> Self {
        let Some(map) = record.as_object() else {
            return Self::default();
        };
        let mut words: Vec<(Keyword, String)> = Vec::new();
        // Most records have few words: they are compared. A hostile one may have a million.
        let mut known: HashSet<(Keyword, String)> = HashSet::new();
        words_below("", record, &mut |field, word| {
            let is_new = if words.len() < FEW {
                let is_own =
                    |(keyword, text): &(Keyword, String)| *keyword == field && *text == word;
                !words.iter().any(is_own)
            } else {
                if known.is_empty() {
                    known.extend(words.iter().cloned());
                }
                known.insert((field, word.clone().into_owned()))
            };
            if is_new {
                words.push((field, word.into_owned()));
            }
        });
        let client = map.get("client").and_then(Value::as_object);
        Self {
            words,
            clients: client
                .and_then(|client| client.get("count"))
                .and_then(clients),
            attributed: map.get("tunnels").is_some_and(is_attributed),
            subject: subject(map),
        }
    }

    pub fn of_field(&self, field: Keyword) -> impl Iterator<Item = &str> {
        let own = self
            .words
            .iter()
            .filter(move |(keyword, _)| *keyword == field);
        own.map(|(_, word)| word.as_str())
    }
}

/// Clients as `client.count` spells them.
#[must_use]
pub fn clients(value: &Value) -> Option<u64> {
    scalar::whole(scalar::spelling(value)?)
}

/// Whether one of these tunnels has an operator and is a VPN: "named and attributed VPN exits" (contract, part 4.3).
#[must_use]
pub fn is_attributed(tunnels: &Value) -> bool {
    let one = |tunnel: &Value| {
        let text = |key| tunnel.get(key).and_then(Value::as_str).unwrap_or_default();
        text("type").eq_ignore_ascii_case("VPN") && !text("operator").trim().is_empty()
    };
    match tunnels {
        Value::Array(tunnels) => tunnels.iter().any(one),
        tunnel => one(tunnel),
    }
}

/// The keys that name what a record is about, in order of preference.
pub const SUBJECT_KEYS: [&str; 3] = ["ip", "network", "prefix"];

/// What a record is about: its address, else its network, else its prefix.
#[must_use]
pub fn subject(record: &Map<String, Value>) -> Option<Subject> {
    SUBJECT_KEYS
        .iter()
        .find_map(|key| subject_under(key, record.get(*key)?))
}

/// What a value names under one of [`SUBJECT_KEYS`].
#[must_use]
pub fn subject_under(key: &str, value: &Value) -> Option<Subject> {
    let text = value.as_str()?;
    match key {
        "ip" => scalar::address(text).map(Subject::Address),
        _ => scalar::network(text).map(Subject::Network),
    }
}

/// Visits every word of a value that is at a path, and below it.
pub fn words_below<'a>(
    path: &str,
    value: &'a Value,
    visit: &mut impl FnMut(Keyword, Cow<'a, str>),
) {
    walk(value, &mut path.to_owned(), visit);
}

fn walk<'a>(value: &'a Value, path: &mut String, visit: &mut impl FnMut(Keyword, Cow<'a, str>)) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let length = path.len();
                if length > 0 {
                    path.push('.');
                }
                path.push_str(key);
                walk(value, path, visit);
                path.truncate(length);
            }
        }
        Value::Array(items) => {
            for item in items {
                walk(item, path, visit);
            }
        }
        scalar => {
            if let Some(field) = Keyword::at(path)
                && let Some(word) = field.read(scalar)
            {
                visit(field, word);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_path_belongs_to_one_field() {
        for field in Keyword::ALL {
            assert_eq!(Keyword::named(field.name()), Some(field));
            for path in field.paths() {
                assert_eq!(Keyword::at(path), Some(field), "{path}");
            }
        }
    }

    #[test]
    fn every_kind_of_record_says_its_terms() {
        let terms = Terms::of(&json!({
            "ip": "::ffff:198.51.100.7", "as": {"number": "64500", "Organization": "Old"},
            "client": {"count": 14.0, "proxies": ["A_PROXY", "A_PROXY", null, 3]},
            "tunnels": [{"type": "PROXY"}, {"type": "VPN", "operator": "ACME_VPN", "entries": ["2001:DB8::1", {"ip": "x"}]}],
            "risks": "TUNNEL", "infrastructure": 5, "location": {"country": "NL"}
        }));
        assert_eq!(terms.clients, Some(14));
        assert!(terms.attributed);
        assert_eq!(
            terms.subject,
            Some(Subject::Address("198.51.100.7".parse().expect("address")))
        );
        let words: Vec<String> = terms
            .words
            .iter()
            .map(|(field, word)| format!("{}:{word}", field.name()))
            .collect();
        assert_eq!(
            words.join(" "),
            "asn:64500 org:Old proxy:A_PROXY type:PROXY type:VPN tag:ACME_VPN entry:2001:db8::1 entry:x risk:TUNNEL cc:NL"
        );
        let geo = Terms::of(&json!({"prefix": "198.51.100.0/25", "country": {"iso_code": "NL"}}));
        assert_eq!(geo.of_field(Keyword::Cc).collect::<Vec<_>>(), ["NL"]);
        assert_eq!(
            geo.subject.map(|subject| subject.to_string()),
            Some("198.51.100.0/25".into())
        );
        assert_eq!(Terms::of(&json!([1])), Terms::default());
    }

    #[test]
    fn attributed_needs_operator_and_type_of_the_same_tunnel() {
        assert!(!is_attributed(
            &json!([{"type": "VPN"}, {"type": "PROXY", "operator": "A_PROXY"}])
        ));
        assert!(!is_attributed(&json!([{"type": "VPN", "operator": null}])));
        assert!(is_attributed(
            &json!([{"type": "PROXY"}, {"type": "VPN", "operator": "A_VPN"}])
        ));
    }
}
