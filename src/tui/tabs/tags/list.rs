//! The list of tags: those of this run and of earlier ones, filtered and sorted.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

use super::case::{Case, Standing, kind_of};
use crate::{
    model::{Tag, TagName},
    tui::ctx::{
        evidence::Evidence,
        trail::{Stop, Trail},
    },
};

/// A tag in the list.
#[derive(Clone, Debug)]
pub struct Listed<'a> {
    /// Its name.
    pub name: TagName,
    /// What was asked of it, if anything was.
    pub case: Option<&'a Case>,
    /// Whether nothing but records of addresses name it.
    pub only_seen: bool,
}

impl<'a> Listed<'a> {
    /// How it stands.
    #[must_use]
    pub fn standing(&self) -> Standing {
        self.case.map_or(Standing::NotAsked, Case::standing)
    }

    /// What was read of it.
    #[must_use]
    pub fn tag(&self) -> Option<&'a Tag> {
        self.case.and_then(Case::tag)
    }

    /// What it is, or why that is not known.
    #[must_use]
    pub fn kind(&self) -> String {
        self.tag()
            .map_or_else(|| self.standing().word().to_owned(), kind_of)
    }

    /// Devices on average, if its metadata says so.
    #[must_use]
    pub fn devices(&self) -> Option<f64> {
        let metrics = self.tag()?.metrics.is()?;
        metrics.average_device_count.into_option()
    }

    /// How fast its addresses change, if its metadata says so.
    #[must_use]
    pub fn churn(&self) -> Option<f64> {
        self.tag()?.metrics.is()?.churn_rate.into_option()
    }

    /// Whether its tag, kind or name for people holds a text, which is in small letters.
    fn matches(&self, wanted: &str) -> bool {
        let has = |text: &str| text.to_lowercase().contains(wanted);
        let name = self.tag().and_then(|tag| tag.name.text());
        has(self.name.as_str()) || name.is_some_and(has) || has(&self.kind())
    }
}

/// Everything that names tags.
#[derive(Clone, Copy, Debug)]
pub struct Sources<'a> {
    /// Tags that were asked for, and what their metadata names.
    pub cases: &'a BTreeMap<TagName, Case>,
    /// Tags that were opened, now or in earlier runs.
    pub trail: &'a Trail,
    /// Tags that records of addresses name.
    pub evidence: &'a Evidence,
}

impl<'a> Sources<'a> {
    /// The tags that match a filter, sorted.
    #[must_use]
    pub fn listed(self, filter: &str, sort: Sort) -> Vec<Listed<'a>> {
        let named = self.named();
        let seen: BTreeSet<&TagName> = self
            .evidence
            .tags()
            .filter(|tag| !named.contains(*tag))
            .collect();
        let one = |name: TagName, only_seen| Listed {
            case: self.cases.get(&name),
            name,
            only_seen,
        };
        let seen: Vec<Listed<'a>> = seen.into_iter().map(|tag| one(tag.clone(), true)).collect();
        let named = named.into_iter().map(|tag| one(tag, false));
        let wanted = filter.trim().to_lowercase();
        let mut listed: Vec<Listed<'a>> = named
            .chain(seen)
            .filter(|listed| wanted.is_empty() || listed.matches(&wanted))
            .collect();
        listed.sort_by(|one, other| sort.compare(one, other));
        listed
    }

    /// The tags that were opened or asked for, and those that fetched metadata names.
    fn named(self) -> BTreeSet<TagName> {
        let opened = self.trail.listed().into_iter();
        let opened = opened.filter_map(|(visit, _)| match &visit.stop {
            Stop::Tag(tag) => Some(tag.clone()),
            Stop::Address(_) | Stop::View(_) => None,
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

/// The column by which the list is sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum By {
    /// The tag.
    #[default]
    Name,
    /// Devices on average, most first.
    Devices,
    /// Churn, most first.
    Churn,
}

/// How the list is sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sort {
    /// By which column.
    pub by: By,
    /// Whether against its usual direction.
    pub flipped: bool,
}

impl Sort {
    /// What comes next: the same column the other way, then the next column.
    #[must_use]
    pub fn next(self) -> Self {
        let by = match (self.flipped, self.by) {
            (false, by) => by,
            (true, By::Name) => By::Devices,
            (true, By::Devices) => By::Churn,
            (true, By::Churn) => By::Name,
        };
        Self {
            by,
            flipped: !self.flipped,
        }
    }

    /// The sign beside the head of a column: `v` for large at the top, `^` for small.
    #[must_use]
    pub fn sign(self, by: By) -> &'static str {
        match (self.by == by, self.flipped == (by == By::Name)) {
            (false, _) => "",
            (true, true) => " v",
            (true, false) => " ^",
        }
    }

    /// In words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match (self.by, self.flipped) {
            (By::Name, false) => "name",
            (By::Name, true) => "name, from the end",
            (By::Devices, false) => "devices, most first",
            (By::Devices, true) => "devices, fewest first",
            (By::Churn, false) => "churn, most first",
            (By::Churn, true) => "churn, least first",
        }
    }

    /// Rows that do not say the value stand at the end either way; equal ones are in the order of their names.
    fn compare(self, one: &Listed<'_>, other: &Listed<'_>) -> Ordering {
        let by_value = |one: Option<f64>, other: Option<f64>| match (one, other) {
            (Some(one), Some(other)) if self.flipped => one.total_cmp(&other),
            (Some(one), Some(other)) => other.total_cmp(&one),
            (one, other) => other.is_some().cmp(&one.is_some()),
        };
        let names = one.name.cmp(&other.name);
        match self.by {
            By::Name if self.flipped => names.reverse(),
            By::Name => names,
            By::Devices => by_value(one.devices(), other.devices()).then(names),
            By::Churn => by_value(one.churn(), other.churn()).then(names),
        }
    }
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
        let mut sort = Sort::default();
        let mut shown = Vec::new();
        for _ in 0..4 {
            shown.push(listed("", sort));
            sort = sort.next();
        }
        assert_eq!(
            shown,
            [
                "ACME_VPN BRAVO_PROXY CARGO_VPN DELTA_VPN",
                "DELTA_VPN CARGO_VPN BRAVO_PROXY ACME_VPN",
                "BRAVO_PROXY ACME_VPN CARGO_VPN DELTA_VPN",
                "ACME_VPN BRAVO_PROXY CARGO_VPN DELTA_VPN",
            ]
        );
    }

    #[test]
    fn after_the_last_column_the_first_comes_again() {
        let mut turns = std::iter::successors(Some(Sort::default()), |sort| Some(sort.next()));
        assert_eq!(turns.nth(6), Some(Sort::default()));
    }

    #[test]
    fn the_filter_looks_into_tag_kind_and_name() {
        let filtered = |filter| listed(filter, Sort::default());
        assert_eq!(filtered("resi"), "BRAVO_PROXY");
        assert_eq!(filtered(" Acme "), "ACME_VPN");
        assert_eq!(filtered("inactive"), "CARGO_VPN");
        assert_eq!(filtered("delta"), "DELTA_VPN");
        assert_eq!(filtered("nothing"), "");
    }
}
