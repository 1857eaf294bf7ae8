//! The list of tags: those of the local feed, those of this run and of earlier ones, filtered and sorted.

mod sort;

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

use nucleo_matcher::{
    Config, Matcher, Utf32Str,
    pattern::{AtomKind, CaseMatching, Normalization, Pattern},
};

use super::{
    case::{Case, Standing, kind_of},
    known::Known,
};
use crate::{
    engine::{LocalTag, views::TagCount},
    model::{Tag, TagName},
    store::diff,
    tui::ctx::{
        evidence::Evidence,
        trail::{Stop, Trail},
    },
};
pub use sort::{By, Sort};

/// A tag in the list.
#[derive(Clone, Debug)]
pub struct Listed<'a> {
    /// Its name.
    pub name: TagName,
    /// What was fetched of it, if anything was.
    pub case: Option<&'a Case>,
    /// Its record in the local feed.
    pub local: Option<&'a LocalTag>,
    /// The tag that has the record, where this one is another name of it.
    pub alias_of: Option<&'a TagName>,
    /// How many records of a local feed name it.
    pub count: Option<TagCount>,
    /// What happened to it since the release before.
    pub change: Option<diff::Kind>,
    /// Whether nothing but records of addresses name it.
    pub only_seen: bool,
}

impl<'a> Listed<'a> {
    /// How it stands.
    #[must_use]
    pub fn standing(&self) -> Standing {
        match self.case.map_or(Standing::NotAsked, Case::standing) {
            Standing::NotAsked if self.local.is_some() => Standing::Known,
            standing => standing,
        }
    }

    /// What was read of it: what was fetched, else what is local.
    #[must_use]
    pub fn tag(&self) -> Option<&'a Tag> {
        let fetched = self.case.and_then(Case::tag);
        fetched.or_else(|| self.local.map(|local| &local.tag))
    }

    /// What it is, or why that is not known.
    #[must_use]
    pub fn kind(&self) -> String {
        if self.alias_of.is_some() {
            return "alias".to_owned();
        }
        self.tag()
            .map_or_else(|| self.standing().word().to_owned(), kind_of)
    }

    /// Devices on average, if its metadata says so.
    #[must_use]
    pub fn devices(&self) -> Option<f64> {
        self.metric(|metrics| metrics.average_device_count.into_option())
    }

    /// How fast its addresses change, if its metadata says so.
    #[must_use]
    pub fn churn(&self) -> Option<f64> {
        self.metric(|metrics| metrics.churn_rate.into_option())
    }

    /// The countries in which it was seen, if its metadata says so.
    #[must_use]
    pub fn countries(&self) -> Option<u64> {
        self.metric(|metrics| metrics.distinct_countries.into_option())
    }

    /// The records of a local feed that name it, as an operator or as a proxy, whichever are more.
    #[must_use]
    pub fn addresses(&self) -> Option<u64> {
        self.count
            .map(|count| count.as_operator.max(count.as_proxy))
    }

    /// What its metadata says of an alias is about the other tag.
    fn metric<T>(&self, read: impl Fn(&crate::model::tag::Metrics) -> Option<T>) -> Option<T> {
        let tag = self.tag().filter(|_| self.alias_of.is_none())?;
        read(tag.metrics.is()?)
    }

    /// All that the filter looks into.
    fn text(&self) -> String {
        let name = self.tag().and_then(|tag| tag.name.text());
        let (tag, kind) = (&self.name, self.kind());
        format!("{tag} {} {kind}", name.unwrap_or_default())
    }
}

/// Everything that names tags.
#[derive(Clone, Copy, Debug)]
pub struct Sources<'a> {
    /// What is local.
    pub known: &'a Known,
    /// Tags that were asked for, and what their metadata names.
    pub cases: &'a BTreeMap<TagName, Case>,
    /// Tags that were opened, now or in earlier runs.
    pub trail: &'a Trail,
    /// Tags that records of addresses name.
    pub evidence: &'a Evidence,
}

impl<'a> Sources<'a> {
    /// The tags that match a filter, sorted; those that were seen in lookups only stand below.
    #[must_use]
    pub fn listed(self, filter: &str, sort: Sort) -> Vec<Listed<'a>> {
        let mut listed = self.all();
        sort_and_filter(&mut listed, filter, sort);
        listed
    }

    /// The tags that changed since the release before, those that were removed among them.
    #[must_use]
    pub fn changed(self, filter: &str, sort: Sort) -> Vec<Listed<'a>> {
        let changes = self.known.changes().into_iter();
        let changes = changes.flat_map(|changes| &changes.tags);
        let row = |change: &'a crate::engine::TagChange| Listed {
            local: Some(&change.tag),
            change: Some(change.kind),
            ..self.row(change.name.clone())
        };
        let mut listed: Vec<Listed<'a>> = changes.map(row).collect();
        sort_and_filter(&mut listed, filter, sort);
        listed
    }

    fn all(self) -> Vec<Listed<'a>> {
        let mut rows: Vec<Listed<'a>> = Vec::new();
        let mut taken: BTreeSet<TagName> = BTreeSet::new();
        if let Some(list) = self.known.list() {
            for (name, local) in list.tags() {
                rows.push(Listed {
                    local: Some(local),
                    ..self.row(name.clone())
                });
            }
            for (name, tag) in list.aliases() {
                rows.push(Listed {
                    local: list.find(tag),
                    alias_of: Some(tag),
                    ..self.row(name.clone())
                });
            }
            taken.extend(rows.iter().map(|row| row.name.clone()));
        }
        for name in self.named() {
            if taken.insert(name.clone()) {
                rows.push(self.row(name));
            }
        }
        for name in self.evidence.tags() {
            if taken.insert(name.clone()) {
                rows.push(Listed {
                    only_seen: true,
                    ..self.row(name.clone())
                });
            }
        }
        rows
    }

    fn row(self, name: TagName) -> Listed<'a> {
        let changes = self.known.changes();
        let change = changes.and_then(|changes| changes.find(&name));
        Listed {
            case: self.cases.get(&name),
            local: None,
            alias_of: None,
            count: self.known.count_of(&name),
            change: change.map(|change| change.kind),
            only_seen: false,
            name,
        }
    }

    /// The tags that were opened or asked for, and those that fetched metadata names.
    fn named(self) -> BTreeSet<TagName> {
        let opened = self.trail.listed().into_iter();
        let opened = opened.filter_map(|(visit, _)| match &visit.stop {
            Stop::Tag(tag) => Some(tag.clone()),
            Stop::Address(_) | Stop::View(_) | Stop::Rows(_) | Stop::Form => None,
        });
        let asked = self.cases.iter();
        let asked = asked.filter(|(_, case)| !case.live.is_untouched());
        let fetched = self.cases.values().filter_map(Case::tag);
        let related = fetched.flat_map(Tag::relations);
        opened
            .chain(asked.map(|(tag, _)| tag.clone()))
            .chain(related.map(|relation| relation.tag))
            .collect()
    }
}

/// Letters are matched fuzzily; what has them in one piece in its name comes first.
fn sort_and_filter(listed: &mut Vec<Listed<'_>>, filter: &str, sort: Sort) {
    let wanted = filter.trim();
    if !wanted.is_empty() {
        let pattern = Pattern::new(
            wanted,
            CaseMatching::Ignore,
            Normalization::Smart,
            AtomKind::Fuzzy,
        );
        let mut matcher = Matcher::new(Config::DEFAULT);
        let mut buffer = Vec::new();
        listed.retain(|row| {
            let text = row.text();
            let text = Utf32Str::new(&text, &mut buffer);
            pattern.score(text, &mut matcher).is_some()
        });
    }
    let upper = wanted.to_uppercase();
    listed.sort_by(|one, other| {
        let has = |row: &Listed<'_>| row.name.as_str().to_uppercase().contains(&upper);
        has(other)
            .cmp(&has(one))
            .then_with(|| compare(sort, one, other))
    });
}

/// Rows without the value stand at the end either way; equal ones are in the order of their names. Tags that were seen in
/// lookups only stand below all others.
fn compare(sort: Sort, one: &Listed<'_>, other: &Listed<'_>) -> Ordering {
    let turned = |order: Ordering| {
        if sort.flipped { order.reverse() } else { order }
    };
    let names = one.name.cmp(&other.name);
    let number = |read: &dyn Fn(&Listed<'_>) -> Option<f64>| match (read(one), read(other)) {
        (Some(one), Some(other)) => turned(other.total_cmp(&one)).then(names),
        (one, other) => other.is_some().cmp(&one.is_some()).then(names),
    };
    #[expect(clippy::cast_precision_loss, reason = "an order of counts")]
    let order = match sort.by {
        By::Name => turned(names),
        By::Kind => turned(one.kind().cmp(&other.kind())).then(names),
        By::Devices => number(&|row| row.devices()),
        By::Churn => number(&|row| row.churn()),
        By::Countries => number(&|row| row.countries().map(|count| count as f64)),
        By::Addresses => number(&|row| row.addresses().map(|count| count as f64)),
    };
    one.only_seen.cmp(&other.only_seen).then(order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::{ctx::remote::Remote, harness};

    fn cases(texts: &[&str]) -> BTreeMap<TagName, Case> {
        let case = |text: &&str| {
            let fetched = harness::tag(text);
            let name = fetched.value.tag_name().expect("tag");
            let live = Remote::known(fetched);
            (
                name,
                Case {
                    live,
                    ..Case::default()
                },
            )
        };
        texts.iter().map(case).collect()
    }

    fn listed(filter: &str, sort: Sort) -> String {
        let cases = cases(&[
            r#"{"tag":"ACME_VPN","name":"Acme","metrics":{"averageDeviceCount":5},"resoldBy":["DELTA_VPN"]}"#,
            r#"{"tag":"BRAVO_PROXY","categories":["RESIDENTIAL_PROXY"],"metrics":{"averageDeviceCount":90}}"#,
            r#"{"tag":"CARGO_VPN","isInactive":true}"#,
        ]);
        let sources = Sources {
            known: &Known::default(),
            cases: &cases,
            trail: &Trail::default(),
            evidence: &Evidence::default(),
        };
        let rows = sources.listed(filter, sort);
        rows.iter()
            .map(|row| row.name.as_str())
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn what_is_not_known_stands_at_the_end_either_way() {
        let by_devices = Sort::default();
        let by_name = Sort {
            by: By::Name,
            ..Sort::default()
        };
        for (sort, expected) in [
            (by_devices, "BRAVO_PROXY ACME_VPN CARGO_VPN DELTA_VPN"),
            (
                Sort::of(2, true),
                "ACME_VPN BRAVO_PROXY CARGO_VPN DELTA_VPN",
            ),
            (by_name, "ACME_VPN BRAVO_PROXY CARGO_VPN DELTA_VPN"),
            (
                Sort::of(0, true),
                "DELTA_VPN CARGO_VPN BRAVO_PROXY ACME_VPN",
            ),
        ] {
            assert_eq!(listed("", sort), expected, "{sort:?}");
        }
    }

    #[test]
    fn the_filter_looks_into_tag_kind_and_name() {
        let filtered = |filter| listed(filter, Sort::default());
        assert_eq!(filtered("resi"), "BRAVO_PROXY");
        assert_eq!(filtered(" Acme "), "ACME_VPN");
        assert_eq!(filtered("inactive"), "CARGO_VPN");
        assert_eq!(filtered("dlta"), "DELTA_VPN");
        assert_eq!(filtered("nothing"), "");
    }
}
