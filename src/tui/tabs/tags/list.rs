//! The list of tags: those of the local feed, those that were opened, and those that records name. A row is made anew when
//! something that names tags changes; it asks for nothing.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use ratatui::style::Style;

use super::known_tags::KnownTags;
use crate::{
    engine::{
        Fetched, Kind, LocalTag,
        views::{OfFeeds, TagUse},
    },
    model::{Field, Tag, TagName, visible},
    store::diff::ChangeKind,
    tui::{
        ctx::{
            Asked, ColumnSpec, Evidence, HeldRow, ListRow, Question, SheetState, Trail, TrailStop,
        },
        ui::{
            Theme, Width,
            words::{decimal, number},
        },
    },
};

/// A tag that was selected or asked for.
#[derive(Debug, Default)]
pub struct TagCase {
    /// Its metadata from the service.
    pub live: Asked<Question, Fetched<Tag>>,
    /// How the local feeds use it.
    pub uses: Asked<Question, OfFeeds<TagUse>>,
    pub page: SheetState,
}

/// The status of a tag; each has a sign and a word, so that colour is never alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TagStatus {
    /// Its metadata was received.
    Known,
    Pending,
    /// The service has no such tag.
    Missing,
    /// It could not be asked for.
    Failed,
    #[default]
    NotAsked,
}

impl TagStatus {
    /// What stands for the kind of a tag without metadata.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Known | Self::NotAsked => "",
            Self::Pending => "fetching",
            Self::Missing => "not found",
            Self::Failed => "failed",
        }
    }
}

impl TagCase {
    #[must_use]
    pub fn status(&self) -> TagStatus {
        if self.live.is_pending() {
            return TagStatus::Pending;
        }
        match (self.live.value(), self.live.error()) {
            (Some(_), None) => TagStatus::Known,
            (_, Some(error)) if error.kind == Kind::NotFound => TagStatus::Missing,
            (_, Some(_)) => TagStatus::Failed,
            (None, None) => TagStatus::NotAsked,
        }
    }

    /// The metadata from the service, however old.
    #[must_use]
    pub fn tag(&self) -> Option<&Tag> {
        self.live.value().map(|fetched| &fetched.value)
    }
}

/// The column that is hidden while no feed of addresses is local.
pub const ADDRESSES: &str = "addresses";
/// The tag that one is another name of: not on the screen, where it stands beside the name.
pub const ALIAS_OF: &str = "alias of";

/// A tag of the list.
#[derive(Debug)]
pub struct TagRow {
    name: TagName,
    /// Its name for people.
    title: String,
    kind: String,
    /// The tag that has the record, where this one is another name of it.
    alias_of: Option<TagName>,
    devices: Option<f64>,
    churn: Option<f64>,
    countries: Option<u64>,
    /// The records of a local feed that name it, as an operator or as a proxy, whichever are more.
    addresses: Option<u64>,
    status: TagStatus,
    has_metadata: bool,
    /// What happened to it since the release before, in the list of changes.
    change: Option<ChangeKind>,
    /// Whether nothing but records of addresses name it.
    pub only_seen: bool,
}

impl ListRow for TagRow {
    type Key = TagName;

    const NOUN: &'static str = "tag";

    const FILTER: &'static str = "letters of a tag, a name or a kind";

    fn key(&self) -> &TagName {
        &self.name
    }

    fn sign(&self, theme: &Theme) -> (char, Style) {
        match (self.change, self.status) {
            (Some(ChangeKind::Added), _) => ('+', theme.good),
            (Some(ChangeKind::Removed), _) => ('-', theme.bad),
            (None, TagStatus::NotAsked) if self.only_seen => ('+', theme.dim),
            (Some(ChangeKind::Changed), _) | (None, TagStatus::Pending) => ('~', theme.warn),
            (None, TagStatus::Missing) => ('?', theme.warn),
            (None, TagStatus::Failed) => ('x', theme.bad),
            (None, TagStatus::Known | TagStatus::NotAsked) => (' ', theme.dim),
        }
    }

    fn is_dim(&self) -> bool {
        self.alias_of.is_some() || self.kind == "inactive" || !self.has_metadata
    }

    fn unknown(&self) -> &'static str {
        if self.has_metadata { "-" } else { "" }
    }
}

impl HeldRow for TagRow {
    /// By devices.
    const SORTED_BY: usize = 2;

    const COLUMNS: &'static [ColumnSpec<Self>] = &[
        ColumnSpec::text("tag", "TAG", Width::Fill(18), |row: &Self| {
            row.name.as_str().into()
        })
        .up_to(26)
        .shown(Self::names),
        ColumnSpec::text("kind", "KIND", Width::Min(8), |row: &Self| {
            row.kind.as_str().into()
        })
        .rank(1),
        ColumnSpec::number("devices", "DEVICES", Width::Fixed(9), |row: &Self| {
            row.devices.into()
        })
        .shown(|row: &Self| decimal(row.devices.unwrap_or_default().round())),
        ColumnSpec::number("churn", "CHURN", Width::Min(5), |row: &Self| {
            row.churn.into()
        })
        .rank(4),
        ColumnSpec::number("countries", "CC", Width::Min(3), |row: &Self| {
            row.countries.into()
        })
        .rank(3),
        ColumnSpec::number(ADDRESSES, "LOCAL", Width::Min(5), |row: &Self| {
            row.addresses.into()
        })
        .rank(2)
        .shown(|row: &Self| rough(row.addresses.unwrap_or_default())),
        ColumnSpec::text(ALIAS_OF, "", Width::Min(0), |row: &Self| {
            row.alias_of.as_ref().map_or("", TagName::as_str).into()
        })
        .unsorted(),
    ];

    fn text(&self) -> Cow<'_, str> {
        format!("{} {} {}", self.name, self.title, self.kind).into()
    }

    fn group(&self) -> u8 {
        self.only_seen.into()
    }
}

impl TagRow {
    /// Its name, and that of the tag that has the record.
    fn names(&self) -> String {
        let name = visible(self.name.as_str());
        match &self.alias_of {
            Some(tag) => format!("{name} -> {}", visible(tag.as_str())),
            None => name.into_owned(),
        }
    }
}

/// What a tag is, in a word; for an inactive one nothing else matters.
fn kind_of(tag: &Tag) -> &str {
    if tag.is_inactive == Field::Is(true) {
        return "inactive";
    }
    tag.kind_word().unwrap_or("-")
}

/// A count in no more than five cells.
fn rough(count: u64) -> String {
    match count {
        0..10_000 => number(count),
        10_000..1_000_000 => format!("{}k", count / 1000),
        1_000_000..10_000_000 => format!("{}.{}M", count / 1_000_000, count / 100_000 % 10),
        _ => format!("{}M", count / 1_000_000),
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

impl TagSources<'_> {
    /// All tags, in any order.
    #[must_use]
    pub fn all(self) -> Vec<TagRow> {
        let mut rows = Vec::new();
        let mut taken = BTreeSet::new();
        if let Some(list) = self.known.list() {
            let (tags, aliases) = (list.tags.iter(), list.aliases.iter());
            rows.extend(tags.map(|(name, local)| self.row(name, Some(local), None)));
            rows.extend(aliases.map(|(name, tag)| self.row(name, list.find(tag), Some(tag))));
            taken.extend(rows.iter().map(|row| row.name.clone()));
        }
        for name in self.named() {
            if taken.insert(name.clone()) {
                rows.push(self.row(&name, None, None));
            }
        }
        let seen = self.evidence.tags().filter(|name| !taken.contains(*name));
        rows.extend(seen.map(|name| TagRow {
            only_seen: true,
            ..self.row(name, None, None)
        }));
        rows
    }

    /// The tags that changed since the release before, those that were removed among them.
    #[must_use]
    pub fn changed(self) -> Vec<TagRow> {
        let changes = self.known.changes().into_iter();
        let changes = changes.flat_map(|changes| &changes.tags);
        let rows = changes.map(|change| TagRow {
            change: Some(change.kind),
            ..self.row(&change.name, Some(&change.tag), None)
        });
        rows.collect()
    }

    fn row(self, name: &TagName, local: Option<&LocalTag>, alias_of: Option<&TagName>) -> TagRow {
        let case = self.cases.get(name);
        let status = match case.map(TagCase::status).unwrap_or_default() {
            TagStatus::NotAsked if local.is_some() => TagStatus::Known,
            status => status,
        };
        let tag = case.and_then(TagCase::tag);
        let tag = tag.or_else(|| Some(&local?.tag));
        // What the metadata says of an alias is about the other tag.
        let own = tag.filter(|_| alias_of.is_none());
        let metrics = own.and_then(|tag| tag.metrics.is());
        let count = self.known.count_of(name).filter(|_| alias_of.is_none());
        let kind = match tag {
            _ if alias_of.is_some() => "alias",
            Some(tag) => kind_of(tag),
            None => status.word(),
        };
        let title = tag.and_then(|tag| tag.name.text()).unwrap_or_default();
        TagRow {
            name: name.clone(),
            title: title.to_owned(),
            kind: kind.to_owned(),
            alias_of: alias_of.cloned(),
            devices: metrics.and_then(|metrics| metrics.average_device_count.into_option()),
            churn: metrics.and_then(|metrics| metrics.churn_rate.into_option()),
            countries: metrics.and_then(|metrics| metrics.distinct_countries.into_option()),
            addresses: count.map(|count| count.as_operator.max(count.as_proxy)),
            status,
            has_metadata: tag.is_some(),
            change: None,
            only_seen: false,
        }
    }

    /// The tags that were opened or asked for, and those that fetched metadata names.
    fn named(self) -> BTreeSet<TagName> {
        let opened = self.trail.listed().into_iter();
        let opened = opened.filter_map(|(visit, _)| match &visit.stop {
            TrailStop::Tag(tag) => Some(tag.clone()),
            _ => None,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::{
        ctx::{AnyList, Gesture, HeldRows, List, Outbox, Rows},
        harness,
    };

    fn cases(texts: &[&str]) -> BTreeMap<TagName, TagCase> {
        let case = |text: &&str| {
            let fetched = harness::tag(text);
            let name = fetched.value.tag_name().expect("tag");
            let live = Asked::known(fetched);
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

    fn listed(filter: &str, order: usize, is_reversed: bool) -> String {
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
        let mut list: List<HeldRows<TagRow>> = List::default();
        let mut out = Outbox::new(harness::now());
        list.fill(sources.all());
        list.on(Gesture::Find, &mut out);
        list.field().expect("the filter").set(filter);
        list.typed();
        list.sort(order, is_reversed, &mut out);
        let names = list.rows().keys(0..list.rows().len()).into_iter();
        let names: Vec<String> = names.map(|name| name.to_string()).collect();
        names.join(" ")
    }

    #[test]
    fn what_is_not_known_stands_at_the_end_either_way() {
        for (order, is_reversed, expected) in [
            (2, false, "BRAVO_PROXY ACME_VPN CARGO_VPN DELTA_VPN"),
            (2, true, "ACME_VPN BRAVO_PROXY CARGO_VPN DELTA_VPN"),
            (0, false, "ACME_VPN BRAVO_PROXY CARGO_VPN DELTA_VPN"),
            (0, true, "DELTA_VPN CARGO_VPN BRAVO_PROXY ACME_VPN"),
            (1, true, "BRAVO_PROXY CARGO_VPN ACME_VPN DELTA_VPN"),
        ] {
            assert_eq!(listed("", order, is_reversed), expected, "{order}");
        }
    }

    #[test]
    fn the_filter_looks_into_tag_kind_and_name() {
        let filtered = |filter| listed(filter, 2, false);
        assert_eq!(filtered("resi"), "BRAVO_PROXY");
        assert_eq!(filtered(" Acme "), "ACME_VPN");
        assert_eq!(filtered("inactive"), "CARGO_VPN");
        assert_eq!(filtered("dlta"), "DELTA_VPN");
        assert_eq!(filtered("nothing"), "");
    }

    #[test]
    fn a_rough_count_takes_five_cells() {
        for (count, expected) in [
            (0, "0"),
            (9_999, "9,999"),
            (951_234, "951k"),
            (1_250_000, "1.2M"),
            (43_000_000, "43M"),
        ] {
            assert_eq!(rough(count), expected);
        }
    }
}
