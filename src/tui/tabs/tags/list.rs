//! The list of tags: those of the local feed, those of this run and of earlier ones, filtered and sorted.

mod sort;

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

use super::{
    case::{TagCase, TagStatus, kind_of},
    known_tags::KnownTags,
};
use crate::{
    engine::{LocalTag, views::TagCount},
    model::{Tag, TagName},
    store::diff,
    tui::{
        ctx::{
            evidence::Evidence,
            trail::{Trail, TrailStop},
        },
        ui::fuzzy::LetterFilter,
    },
};
pub use sort::{Sort, TagSortKey};

#[derive(Clone, Debug)]
pub struct ListedTag<'a> {
    pub name: TagName,
    /// What was fetched of it, if anything was.
    pub case: Option<&'a TagCase>,
    /// Its record in the local feed.
    pub local: Option<&'a LocalTag>,
    /// The tag that has the record, where this one is another name of it.
    pub alias_of: Option<&'a TagName>,
    /// How many records of a local feed name it.
    pub count: Option<TagCount>,
    /// What happened to it since the release before.
    pub change: Option<diff::ChangeKind>,
    /// Whether nothing but records of addresses name it.
    pub only_seen: bool,
}

impl<'a> ListedTag<'a> {
    #[must_use]
    pub fn standing(&self) -> TagStatus {
        match self.case.map_or(TagStatus::NotAsked, TagCase::standing) {
            TagStatus::NotAsked if self.local.is_some() => TagStatus::Known,
            standing => standing,
        }
    }

    /// What was read of it: what was fetched, else what is local.
    #[must_use]
    pub fn tag(&self) -> Option<&'a Tag> {
        let fetched = self.case.and_then(TagCase::tag);
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

    /// The columns of [`ListedTag::cells`].
    pub const COLUMNS: [&'static str; 6] =
        ["tag", "kind", "devices", "churn", "countries", "addresses"];

    /// Its row as text, for other programs: its name, kind, devices, churn, countries and addresses.
    #[must_use]
    pub fn cells(&self) -> Vec<String> {
        fn text(value: Option<impl ToString>) -> String {
            value.map_or_else(String::new, |value| value.to_string())
        }
        vec![
            self.name.to_string(),
            self.kind(),
            text(self.devices()),
            text(self.churn()),
            text(self.countries()),
            text(self.addresses().filter(|_| self.alias_of.is_none())),
        ]
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
pub struct TagSources<'a> {
    pub known: &'a KnownTags,
    /// Tags that were asked for, and what their metadata names.
    pub cases: &'a BTreeMap<TagName, TagCase>,
    /// Tags that were opened, now or in earlier runs.
    pub trail: &'a Trail,
    /// Tags that records of addresses name.
    pub evidence: &'a Evidence,
}

impl<'a> TagSources<'a> {
    /// The tags that match a filter, sorted; those that were seen in lookups only are below.
    #[must_use]
    pub fn listed(self, filter: &str, sort: Sort) -> Vec<ListedTag<'a>> {
        let mut listed = self.all();
        sort_and_filter(&mut listed, filter, sort);
        listed
    }

    /// The tags that changed since the release before, those that were removed among them.
    #[must_use]
    pub fn changed(self, filter: &str, sort: Sort) -> Vec<ListedTag<'a>> {
        let changes = self.known.changes().into_iter();
        let changes = changes.flat_map(|changes| &changes.tags);
        let row = |change: &'a crate::engine::TagChange| ListedTag {
            local: Some(&change.tag),
            change: Some(change.kind),
            ..self.row(change.name.clone())
        };
        let mut listed: Vec<ListedTag<'a>> = changes.map(row).collect();
        sort_and_filter(&mut listed, filter, sort);
        listed
    }

    fn all(self) -> Vec<ListedTag<'a>> {
        let mut rows: Vec<ListedTag<'a>> = Vec::new();
        let mut taken: BTreeSet<TagName> = BTreeSet::new();
        if let Some(list) = self.known.list() {
            for (name, local) in list.tags() {
                rows.push(ListedTag {
                    local: Some(local),
                    ..self.row(name.clone())
                });
            }
            for (name, tag) in list.aliases() {
                rows.push(ListedTag {
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
                rows.push(ListedTag {
                    only_seen: true,
                    ..self.row(name.clone())
                });
            }
        }
        rows
    }

    fn row(self, name: TagName) -> ListedTag<'a> {
        let changes = self.known.changes();
        let change = changes.and_then(|changes| changes.find(&name));
        ListedTag {
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
            TrailStop::Tag(tag) => Some(tag.clone()),
            TrailStop::Address(_) | TrailStop::View(_) | TrailStop::Rows(_) | TrailStop::Form => {
                None
            }
        });
        let asked = self.cases.iter();
        let asked = asked.filter(|(_, case)| !case.live.is_untouched());
        let fetched = self.cases.values().filter_map(TagCase::tag);
        let related = fetched.flat_map(Tag::relations);
        opened
            .chain(asked.map(|(tag, _)| tag.clone()))
            .chain(related.map(|relation| relation.tag))
            .collect()
    }
}

/// Letters are matched fuzzily; what has them in one piece in its name comes first.
fn sort_and_filter(listed: &mut Vec<ListedTag<'_>>, filter: &str, sort: Sort) {
    let wanted = filter.trim();
    if !wanted.is_empty() {
        let mut filter = LetterFilter::new(wanted);
        listed.retain(|row| filter.matches(&row.text()));
    }
    let upper = wanted.to_uppercase();
    listed.sort_by(|one, other| {
        let has = |row: &ListedTag<'_>| row.name.as_str().to_uppercase().contains(&upper);
        has(other)
            .cmp(&has(one))
            .then_with(|| compare(sort, one, other))
    });
}

/// Rows without the value are at the end either way; equal ones are in the order of their names. Tags that were seen in
/// lookups only are below all others.
fn compare(sort: Sort, one: &ListedTag<'_>, other: &ListedTag<'_>) -> Ordering {
    let turned = |order: Ordering| {
        if sort.flipped { order.reverse() } else { order }
    };
    let names = one.name.cmp(&other.name);
    let number = |read: &dyn Fn(&ListedTag<'_>) -> Option<f64>| match (read(one), read(other)) {
        (Some(one), Some(other)) => turned(other.total_cmp(&one)).then(names),
        (one, other) => other.is_some().cmp(&one.is_some()).then(names),
    };
    #[expect(clippy::cast_precision_loss, reason = "an order of counts")]
    let order = match sort.by {
        TagSortKey::Name => turned(names),
        TagSortKey::Kind => turned(one.kind().cmp(&other.kind())).then(names),
        TagSortKey::Devices => number(&|row| row.devices()),
        TagSortKey::Churn => number(&|row| row.churn()),
        TagSortKey::Countries => number(&|row| row.countries().map(|count| count as f64)),
        TagSortKey::Addresses => number(&|row| row.addresses().map(|count| count as f64)),
    };
    one.only_seen.cmp(&other.only_seen).then(order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::{ctx::remote::Remote, harness};

    fn cases(texts: &[&str]) -> BTreeMap<TagName, TagCase> {
        let case = |text: &&str| {
            let fetched = harness::tag(text);
            let name = fetched.value.tag_name().expect("tag");
            let live = Remote::known(fetched);
            (
                name,
                TagCase {
                    live,
                    ..TagCase::default()
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
        let sources = TagSources {
            known: &KnownTags::default(),
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
            by: TagSortKey::Name,
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
