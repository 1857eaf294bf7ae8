//! The names that a form can ask for, as far as local releases tell: which there are, and how many records have each.
//!
//! It must never call a name unknown that it could not look up.

use std::collections::BTreeMap;

use crate::{
    contract::{Feed, Param},
    engine::{LocalTags, views::FacetCounts},
    model::{Keyword, TagName},
    store::index::{Facet, FacetBy},
};

/// The names.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    /// The feed whose values were counted.
    feed: Option<Feed>,
    /// The values of each parameter, among the records that the rest of the form lets through.
    values: BTreeMap<Param, Vec<Facet>>,
    /// The tags of the service-metrics feed and their other names, each with the tag that it stands for.
    tags: Option<BTreeMap<String, String>>,
}

/// What is known of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Records have it, or it is a tag.
    Known,
    /// No record has it, and the name that was perhaps meant.
    Empty(Option<String>),
    /// It is no tag, and the name that was perhaps meant.
    Unknown(Option<String>),
    /// Nothing local tells.
    Unchecked,
}

/// The field of records that a parameter chooses by.
pub(super) fn keyword_of(param: Param) -> Option<Keyword> {
    match param {
        Param::Tags => Some(Keyword::Tag),
        Param::CallbackProxies => Some(Keyword::Proxy),
        Param::Ccs => Some(Keyword::Cc),
        _ => None,
    }
}

impl Vocabulary {
    /// Values were counted among the records of a feed.
    pub(super) fn count(&mut self, feed: Feed, counts: &[FacetCounts]) {
        self.feed = Some(feed);
        let values = |param: Param| {
            let by = FacetBy::Keyword(keyword_of(param)?);
            let counts = counts.iter().find(|counts| counts.by == by)?;
            Some((param, counts.values.clone()))
        };
        self.values = Param::ALL.into_iter().filter_map(values).collect();
    }

    /// Values could not be counted: none are known.
    pub(super) fn forget_counts(&mut self) {
        (self.feed, self.values) = (None, BTreeMap::new());
    }

    /// The tags of the service-metrics feed were read.
    pub(super) fn read(&mut self, local: &LocalTags) {
        let mut tags = BTreeMap::new();
        for local in &local.tags {
            let own = local.name();
            let others = local.tag.all_tags.items().iter();
            for other in others.chain(local.tag.aliases.items()) {
                tags.entry(other.clone()).or_insert_with(|| own.to_owned());
            }
        }
        for local in &local.tags {
            tags.insert(local.name().to_owned(), local.name().to_owned());
        }
        self.tags = Some(tags);
    }

    /// The values of a parameter, the most frequent first; none where they were not counted.
    pub(super) fn values(&self, feed: Feed, param: Param) -> Option<&[Facet]> {
        let values = self.values.get(&param).filter(|_| self.feed == Some(feed));
        values.map(Vec::as_slice)
    }

    /// The tags that the service-metrics feed has; none where it is not local.
    pub(super) fn tags(&self) -> impl Iterator<Item = &str> {
        let own = self.tags.iter().flatten().filter(|(name, own)| name == own);
        own.map(|(name, _)| name.as_str())
    }

    /// How many records have a value.
    pub(super) fn records(&self, feed: Feed, param: Param, name: &str) -> Option<u64> {
        let values = self.values(feed, param)?;
        let found = values
            .iter()
            .find(|facet| facet.value.eq_ignore_ascii_case(name));
        Some(found.map_or(0, |facet| facet.count))
    }

    /// What is known of a name.
    pub(super) fn verdict(&self, feed: Feed, param: Param, name: &str) -> Verdict {
        let records = self.records(feed, param, name);
        if records.is_some_and(|records| records > 0) {
            return Verdict::Known;
        }
        let tags = self.tags.as_ref().filter(|_| param != Param::Ccs);
        let main = tags.map(|tags| tags.get(name));
        match (main, records) {
            (Some(None), _) => Verdict::Unknown(self.near(feed, param, name)),
            // Records have the tag that an alias stands for.
            (Some(Some(main)), Some(_)) if main != name => Verdict::Empty(Some(main.clone())),
            (Some(Some(_)), Some(_)) => Verdict::Empty(None),
            (Some(Some(_)), None) => Verdict::Known,
            (None, Some(_)) => Verdict::Empty(self.near(feed, param, name)),
            (None, None) => Verdict::Unchecked,
        }
    }

    /// The name that was most likely meant.
    fn near(&self, feed: Feed, param: Param, name: &str) -> Option<String> {
        if param == Param::Ccs {
            return None;
        }
        let name = TagName::new(name).ok()?;
        let values = self.values(feed, param).unwrap_or_default().iter();
        let names = values.map(|facet| facet.value.as_str()).chain(self.tags());
        name.nearest(names).map(str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocabulary(values: &[(&str, u64)], tags: Option<&[(&str, &str)]>) -> Vocabulary {
        let facet = |(value, count): &(&str, u64)| Facet {
            value: (*value).to_owned(),
            count: *count,
        };
        let pair = |(name, own): &(&str, &str)| ((*name).to_owned(), (*own).to_owned());
        Vocabulary {
            feed: Some(Feed::Anonymous),
            values: [(Param::Tags, values.iter().map(facet).collect())].into(),
            tags: tags.map(|tags| tags.iter().map(pair).collect()),
        }
    }

    #[test]
    fn a_name_is_unknown_only_where_it_was_looked_up() {
        let tags = [
            ("ACME_VPN", "ACME_VPN"),
            ("ACME", "ACME_VPN"),
            ("ECHO_VPN", "ECHO_VPN"),
        ];
        let both = vocabulary(&[("ACME_VPN", 3)], Some(&tags));
        let counted = vocabulary(&[("ACME_VPN", 3)], None);
        let some = |name: &str| Some(name.to_owned());
        for (vocabulary, name, expected) in [
            (&both, "ACME_VPN", Verdict::Known),
            (&both, "ACME_VPM", Verdict::Unknown(some("ACME_VPN"))),
            (&both, "NOTHING_LIKE_IT", Verdict::Unknown(None)),
            (&both, "ACME", Verdict::Empty(some("ACME_VPN"))),
            (&both, "ECHO_VPN", Verdict::Empty(None)),
            (&counted, "ACME_VPM", Verdict::Empty(some("ACME_VPN"))),
        ] {
            let verdict = vocabulary.verdict(Feed::Anonymous, Param::Tags, name);
            assert_eq!(verdict, expected, "{name}");
        }
        let elsewhere =
            |vocabulary: &Vocabulary| vocabulary.verdict(Feed::Dch, Param::Tags, "ACME_VPM");
        assert_eq!(elsewhere(&counted), Verdict::Unchecked);
    }
}
