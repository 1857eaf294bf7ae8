//! The names known from local releases that a form can use, with their record counts.
//!
//! A name that could not be looked up is never reported as unknown.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    contract::{Feed, Param},
    engine::{LocalTags, views::FacetCounts},
    model::{Keyword, TagName},
    store::index::{Facet, FacetBy},
};

#[derive(Debug, Default)]
pub(super) struct KnownNames {
    /// The values of fields of a feed, counted among the records that the rest of the form lets through.
    counted: Option<(Feed, Vec<FacetCounts>)>,
    /// The tags of the service-metrics feed and their other names, each with the tag that it stands for.
    tags: Option<BTreeMap<String, String>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NameCheck {
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

impl KnownNames {
    /// Values were counted among the records of a feed, or could not be: then none are known.
    pub(super) fn count(&mut self, feed: Feed, counts: Option<&[FacetCounts]>) {
        self.counted = counts.map(|counts| (feed, counts.to_vec()));
    }

    /// Rarer values were found for what is typed.
    pub(super) fn add(&mut self, feed: Feed, field: Keyword, rare: &[Facet]) {
        let counted = self.counted.iter_mut().filter(|(other, _)| *other == feed);
        for counts in counted.flat_map(|(_, counts)| counts) {
            if counts.by == FacetBy::Keyword(field) {
                let values = counts.values.iter();
                let known: BTreeSet<String> = values.map(|facet| facet.value.clone()).collect();
                let new = rare.iter().filter(|facet| !known.contains(&facet.value));
                counts.values.extend(new.cloned());
            }
        }
    }

    /// The tags of the service-metrics feed were read.
    pub(super) fn read(&mut self, local: &LocalTags) {
        let mut tags = BTreeMap::new();
        for local in &local.tags {
            for name in local.names() {
                let tag = || local.name().to_owned();
                tags.entry(name.to_owned()).or_insert_with(tag);
            }
        }
        for local in &local.tags {
            tags.insert(local.name().to_owned(), local.name().to_owned());
        }
        self.tags = Some(tags);
    }

    fn counts(&self, feed: Feed, param: Param) -> Option<&FacetCounts> {
        let by = FacetBy::Keyword(keyword_of(param)?);
        let (_, counts) = self.counted.as_ref().filter(|(other, _)| *other == feed)?;
        counts.iter().find(|counts| counts.by == by)
    }

    /// Whether a parameter has more values than are known.
    pub(super) fn is_partly_known(&self, feed: Feed, param: Param) -> bool {
        let counts = self.counts(feed, param);
        counts.is_some_and(|counts| counts.distinct > counts.values.len())
    }

    /// The values of a parameter, the most frequent first; none where they were not counted.
    pub(super) fn values(&self, feed: Feed, param: Param) -> Option<&[Facet]> {
        Some(&self.counts(feed, param)?.values)
    }

    /// The tags that the service-metrics feed has; none where it is not local.
    pub(super) fn tags(&self) -> impl Iterator<Item = &str> {
        let own = self
            .tags
            .iter()
            .flatten()
            .filter(|(name, text)| name == text);
        own.map(|(name, _)| name.as_str())
    }

    /// How many records have a value; none where that was not counted.
    pub(super) fn records(&self, feed: Feed, param: Param, name: &str) -> Option<u64> {
        let values = self.values(feed, param)?;
        let found = values
            .iter()
            .find(|facet| facet.value.eq_ignore_ascii_case(name));
        let none = (!self.is_partly_known(feed, param)).then_some(0);
        found.map(|facet| facet.count).or(none)
    }

    pub(super) fn verdict(&self, feed: Feed, param: Param, name: &str) -> NameCheck {
        let records = self.records(feed, param, name);
        if records.is_some_and(|records| records > 0) {
            return NameCheck::Known;
        }
        let tags = self.tags.as_ref().filter(|_| param != Param::Ccs);
        let main = tags.map(|tags| tags.get(name));
        match (main, records) {
            (Some(None), _) => NameCheck::Unknown(self.near(feed, param, name)),
            // Records have the tag that an alias stands for.
            (Some(Some(main)), Some(_)) if main != name => NameCheck::Empty(Some(main.clone())),
            (Some(Some(_)), Some(_)) => NameCheck::Empty(None),
            (Some(Some(_)), None) => NameCheck::Known,
            (None, Some(_)) => NameCheck::Empty(self.near(feed, param, name)),
            (None, None) => NameCheck::Unchecked,
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

    fn vocabulary(values: &[(&str, u64)], tags: Option<&[(&str, &str)]>) -> KnownNames {
        let facet = |(value, count): &(&str, u64)| Facet {
            value: (*value).to_owned(),
            count: *count,
        };
        let pair = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
        let counts = FacetCounts {
            by: FacetBy::Keyword(Keyword::Tag),
            values: values.iter().map(facet).collect(),
            distinct: values.len(),
            among: 9,
        };
        KnownNames {
            counted: Some((Feed::Anonymous, vec![counts])),
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
            (&both, "ACME_VPN", NameCheck::Known),
            (&both, "ACME_VPM", NameCheck::Unknown(some("ACME_VPN"))),
            (&both, "NOTHING_LIKE_IT", NameCheck::Unknown(None)),
            (&both, "ACME", NameCheck::Empty(some("ACME_VPN"))),
            (&both, "ECHO_VPN", NameCheck::Empty(None)),
            (&counted, "ACME_VPM", NameCheck::Empty(some("ACME_VPN"))),
        ] {
            let verdict = vocabulary.verdict(Feed::Anonymous, Param::Tags, name);
            assert_eq!(verdict, expected, "{name}");
        }
        let elsewhere =
            |vocabulary: &KnownNames| vocabulary.verdict(Feed::Dch, Param::Tags, "ACME_VPM");
        assert_eq!(elsewhere(&counted), NameCheck::Unchecked);
    }

    #[test]
    fn where_only_the_frequent_values_are_known_no_other_is_called_unknown() {
        let facet = |value: &str| Facet {
            value: value.to_owned(),
            count: 3,
        };
        let counts = FacetCounts {
            by: FacetBy::Keyword(Keyword::Tag),
            values: vec![facet("ACME_VPN")],
            distinct: 3,
            among: 9,
        };
        let mut vocabulary = KnownNames::default();
        vocabulary.count(Feed::Anonymous, Some(&[counts]));
        let verdict = |names: &KnownNames| names.verdict(Feed::Anonymous, Param::Tags, "RARE_VPN");
        assert_eq!(verdict(&vocabulary), NameCheck::Unchecked);
        vocabulary.add(
            Feed::Anonymous,
            Keyword::Tag,
            &[facet("ACME_VPN"), facet("RARE_VPN")],
        );
        assert_eq!(verdict(&vocabulary), NameCheck::Known);
        let values = vocabulary.values(Feed::Anonymous, Param::Tags);
        assert_eq!(values.map(<[Facet]>::len), Some(2));
    }
}
