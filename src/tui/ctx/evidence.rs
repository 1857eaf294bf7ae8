//! The lookups of this and earlier runs whose records name a tag.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::{Answer, Question};
use crate::{contract::LookupQuery, engine, engine::trail::TrailEntry, model::TagName};

/// One record that names a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// The lookup.
    pub query: LookupQuery,
    /// The role of the tag in the record.
    pub role: TagRole,
    /// The time of the lookup.
    pub at: Timestamp,
}

/// The role of a tag in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagRole {
    Operator,
    /// A callback proxy on devices that use the address.
    CallbackProxy,
}

impl TagRole {
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Operator => "operator of a tunnel",
            Self::CallbackProxy => "callback proxy",
        }
    }
}

/// All tags that were seen in records.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    seen: BTreeMap<TagName, Vec<Sighting>>,
}

impl Evidence {
    /// Adds the tags of an answer, if it is about addresses.
    pub fn learn(&mut self, question: &Question, answer: &Answer) {
        match (question, answer) {
            (Question::Lookup(query), Answer::Lookup(answer))
            | (Question::Resolve(query), Answer::Resolved(Some(answer))) => {
                self.note(*query, answer);
            }
            (_, Answer::Trail(trail)) => {
                for entry in &trail.entries {
                    if let TrailEntry::Looked(query, answer) = entry {
                        self.note(*query, answer);
                    }
                }
            }
            _ => {}
        }
    }

    /// Adds a record. A newer record of the same address and day replaces the older one.
    fn note(&mut self, query: LookupQuery, answer: &engine::LookupAnswer) {
        let same = |old: &LookupQuery| (old.address, old.date) == (query.address, query.date);
        for sightings in self.seen.values_mut() {
            sightings.retain(|sighting| !same(&sighting.query));
        }
        if let Some(record) = &answer.record {
            let operators = record.context.tunnel_operators();
            let operators = operators.into_iter().map(|name| (name, TagRole::Operator));
            let proxies = record.context.proxies().iter();
            let proxies = proxies.map(|name| (name.as_str(), TagRole::CallbackProxy));
            for (name, role) in operators.chain(proxies) {
                if let Ok(tag) = TagName::new(name) {
                    let at = answer.provenance.asked_at;
                    let sighting = Sighting { query, role, at };
                    self.seen.entry(tag).or_default().push(sighting);
                }
            }
        }
        self.seen.retain(|_, sightings| !sightings.is_empty());
    }

    /// The lookups in which a tag was seen, in order.
    #[must_use]
    pub fn of(&self, tag: &TagName) -> &[Sighting] {
        self.seen.get(tag).map_or(&[], Vec::as_slice)
    }

    /// All tags that were seen, by name.
    pub fn tags(&self) -> impl Iterator<Item = &TagName> {
        self.seen.keys()
    }

    /// Forgets all tags.
    pub fn clear(&mut self) {
        self.seen.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::harness;

    #[test]
    fn a_newer_record_replaces_the_older_one() {
        let query = LookupQuery::now([198, 51, 100, 7].into());
        let mut evidence = Evidence::default();
        let mut learn = |text: &str| {
            let answer = Answer::Lookup(harness::record(text));
            evidence.learn(&Question::Lookup(query), &answer);
            let seen = evidence.tags().map(ToString::to_string);
            seen.collect::<Vec<_>>()
        };
        let both = r#"{"ip":"198.51.100.7","tunnels":[{"operator":"ACME_VPN"}],"client":{"proxies":["WIDGET_PROXY"]}}"#;
        assert_eq!(learn(both), ["ACME_VPN", "WIDGET_PROXY"]);
        let one = r#"{"ip":"198.51.100.7","tunnels":[{"operator":"ACME_VPN"}]}"#;
        assert_eq!(learn(one), ["ACME_VPN"]);
        let tag = "ACME_VPN".parse().expect("tag");
        assert_eq!(evidence.of(&tag).len(), 1);
        assert_eq!(evidence.of(&tag)[0].role, TagRole::Operator);
    }
}
