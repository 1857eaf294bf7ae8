//! What a record says in the fields that are searched: the terms of a filter, an index and an export.
//!
//! A field of the filter language stands for one or more paths of records, so that one word serves every kind of feed:
//! `cc` is `location.country` of a context and `country.iso_code` of a geolocation record. Arrays are transparent in a
//! path: `tunnels.operator` is the operator of every tunnel. Which value may stand there is read as leniently as
//! everywhere (see [`Field`](super::Field)): a number as text is a number, an odd value says nothing.

use std::{borrow::Cow, collections::HashSet};

use serde_json::{Map, Value};

use super::{Subject, lenient::scalar};

/// A field whose values are words: searched for equality (or, with [`Keyword::Org`], for parts), counted, listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Keyword {
    /// Operator of a tunnel, or the tag of a service.
    Tag,
    /// Kind of a tunnel.
    Type,
    /// Two-letter country code.
    Cc,
    /// Kind of infrastructure.
    Infra,
    /// Risk factor.
    Risk,
    /// Service or protocol that listens.
    Service,
    /// Behavior of clients.
    Behavior,
    /// Callback proxy on a device behind the address.
    Proxy,
    /// Kind of a client's device.
    Device,
    /// Number of the autonomous system.
    Asn,
    /// Organization that uses the address, or that announces it.
    Org,
    /// Entry address of a tunnel.
    Entry,
}

impl Keyword {
    /// All, in the order in which they are documented.
    pub const ALL: [Self; 12] = [
        Self::Tag,
        Self::Type,
        Self::Cc,
        Self::Infra,
        Self::Risk,
        Self::Service,
        Self::Behavior,
        Self::Proxy,
        Self::Device,
        Self::Asn,
        Self::Org,
        Self::Entry,
    ];

    /// Its name in the filter language.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Tag => "tag",
            Self::Type => "type",
            Self::Cc => "cc",
            Self::Infra => "infra",
            Self::Risk => "risk",
            Self::Service => "service",
            Self::Behavior => "behavior",
            Self::Proxy => "proxy",
            Self::Device => "device",
            Self::Asn => "asn",
            Self::Org => "org",
            Self::Entry => "entry",
        }
    }

    /// The field of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name() == name)
    }

    /// The paths that it stands for; arrays are transparent in them.
    #[must_use]
    pub fn paths(self) -> &'static [&'static str] {
        match self {
            Self::Tag => &["tunnels.operator", "tag"],
            Self::Type => &["tunnels.type"],
            Self::Cc => &["location.country", "country.iso_code"],
            Self::Infra => &["infrastructure"],
            Self::Risk => &["risks"],
            Self::Service => &["services"],
            Self::Behavior => &["client.behaviors"],
            Self::Proxy => &["client.proxies"],
            Self::Device => &["client.types"],
            Self::Asn => &["as.number", "asn", "vendor.as.number"],
            Self::Org => &[
                "organization",
                "as.organization",
                "as.Organization",
                "vendor.as.organization",
            ],
            Self::Entry => &[
                "tunnels.entries",
                "tunnels.entries.ip",
                "tunnels.entries.address",
            ],
        }
    }

    /// The field that a path belongs to.
    #[must_use]
    pub fn at(path: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|field| field.paths().contains(&path))
    }

    /// Whether its words are the texts as they stand; others are read, and spelled anew.
    #[must_use]
    pub fn is_of_texts(self) -> bool {
        !matches!(self, Self::Asn | Self::Entry)
    }

    /// The word that a value at one of its paths is; `None` for what says nothing there.
    #[must_use]
    pub fn read(self, value: &Value) -> Option<Cow<'_, str>> {
        match self {
            Self::Asn => {
                let number: u32 = scalar::whole(scalar::spelling(value)?)?;
                Some(number.to_string().into())
            }
            Self::Entry => Some(Self::address(value.as_str()?)),
            _ => value
                .as_str()
                .filter(|text| !text.trim().is_empty())
                .map(Cow::Borrowed),
        }
    }

    /// An address as it is compared: in its canonical spelling if it is one.
    fn address(text: &str) -> Cow<'_, str> {
        match scalar::address(text) {
            Some(address) => address.to_string().into(),
            None => text.into(),
        }
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
    /// What it is about.
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
                let is_own = |(own, text): &(Keyword, String)| *own == field && *text == word;
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

    /// The words of one field.
    pub fn of_field(&self, field: Keyword) -> impl Iterator<Item = &str> {
        let own = self.words.iter().filter(move |(own, _)| *own == field);
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

/// Visits every word of a value that stands at a path, and below it.
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
