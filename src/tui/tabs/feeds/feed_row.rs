//! A row of the table of feeds, made anew when something is known of the feed.

use std::borrow::Cow;

use jiff::Timestamp;
use ratatui::style::Style;

use super::{known_feeds::KnownFeed, status::FeedStatus};
use crate::{
    contract::{Feed, Format, Freshness},
    model::Day,
    store::{Generation, Moment},
    tui::{
        ctx::{ColumnSpec, HeldRow, ListRow, SignPlace, Value, orders},
        ui::{Theme, Width, words},
    },
};

/// The order of the catalogue, which is not a column on the screen.
pub(super) const CATALOGUE: &str = "as in the catalogue";

/// A feed of the table.
#[derive(Debug)]
pub(super) struct FeedRow {
    feed: Feed,
    /// From when the age of the newest local release counts.
    pub(super) since: Option<Generation>,
    release: String,
    generated: String,
    local: String,
    age: String,
    is_stale: bool,
    size: String,
    state: FeedStatus,
    is_narrow: bool,
    /// When the latest release of the service began, in seconds.
    offered: Option<u64>,
    /// The same of the newest local release.
    newest: Option<u64>,
    bytes: Option<u64>,
}

impl FeedRow {
    pub(super) fn new(
        known: &KnownFeed<'_>,
        state: FeedStatus,
        is_narrow: bool,
        now: Timestamp,
    ) -> Self {
        let begins = |moment: Moment| u64::try_from(moment.begins().as_second()).ok();
        let short = |moment: Moment| match moment {
            Moment::Window(window) if window.day == Day::of(now) => window.clock(),
            moment => moment.day().dashed(),
        };
        let newest = known.newest();
        let moment = newest.map(|release| release.manifest.moment);
        let is_stale =
            newest.is_some_and(|release| known.freshness(release, now) != Freshness::Current);
        let since = newest.map(|release| release.manifest.generation());
        let age = since.map(|since| words::age(since, now));
        let sign = if is_stale { "! " } else { "" };
        let mark = if known.length().is_some() { "" } else { "~" };
        let size = known.size().map(words::bytes);
        Self {
            feed: known.feed,
            since,
            release: known.latest_moment().map(short).unwrap_or_default(),
            generated: generated(known, now).unwrap_or_default(),
            local: moment.map_or_else(String::new, |moment| short(moment) + forms(known)),
            age: age.map_or_else(String::new, |age| format!("{sign}{age}")),
            is_stale,
            size: size.map_or_else(String::new, |size| format!("{mark}{size}")),
            is_narrow,
            state,
            offered: known.offered_moment().and_then(begins),
            newest: moment.and_then(begins),
            bytes: known.size(),
        }
    }

    fn state(&self) -> String {
        let brief = self.state.brief.as_ref().filter(|_| self.is_narrow);
        brief.unwrap_or(&self.state.words).clone()
    }
}

/// When the latest release was generated.
fn generated(known: &KnownFeed<'_>, now: Timestamp) -> Option<String> {
    let at = *known.offered()?.generated_at.is()?;
    Some(if now.duration_since(at).as_hours() < 24 {
        at.strftime("%H:%MZ").to_string()
    } else {
        Day::of(at).dashed()
    })
}

/// The forms of what is local; JSON alone is the usual case.
fn forms(known: &KnownFeed<'_>) -> &'static str {
    let has = |form| known.newest_in(form).is_some();
    match (has(Format::Json), has(Format::Mmdb)) {
        (true, true) => " json+mmdb",
        (false, true) => " mmdb",
        (_, false) => "",
    }
}

impl ListRow for FeedRow {
    type Key = Feed;

    const NOUN: &'static str = "feed";

    const SIGNS: SignPlace = SignPlace::Nowhere;

    fn key(&self) -> &Feed {
        &self.feed
    }

    fn style(&self, column: &str, theme: &Theme) -> Style {
        match column {
            "age" if self.is_stale => theme.warn,
            "maturity" | "age" => theme.dim,
            "size" if self.size.starts_with('~') => theme.dim,
            "state" => self.state.tone.map_or(theme.dim, |tone| theme.tone(tone)),
            _ => theme.text,
        }
    }
}

impl HeldRow for FeedRow {
    /// As in the catalogue.
    const SORTED_BY: usize = Self::COLUMNS.len() - 1;

    const COLUMNS: &'static [ColumnSpec<Self>] = &[
        ColumnSpec::text("feed", "FEED", Width::Min(15), |row: &Self| {
            row.feed.name().into()
        }),
        ColumnSpec::text("maturity", "", Width::Fixed(5), |row: &Self| {
            Value::Text(row.feed.row().maturity.word().into())
        })
        .rank(5)
        .unsorted(),
        ColumnSpec::number("release", "RELEASE", Width::Fixed(10), |row: &Self| {
            row.release.as_str().into()
        })
        .left()
        .sorts_by(|row| row.offered.into(), orders::DAY),
        ColumnSpec::text("generated", "GENERATED", Width::Fixed(10), |row: &Self| {
            row.generated.as_str().into()
        })
        .rank(4)
        .unsorted(),
        ColumnSpec::number("local", "LOCAL", Width::Min(10), |row: &Self| {
            row.local.as_str().into()
        })
        .left()
        .rank(2)
        .sorts_by(|row| row.newest.into(), orders::DAY),
        ColumnSpec::number("age", "AGE", Width::Fixed(6), |row: &Self| {
            row.age.as_str().into()
        })
        .rank(1)
        .unsorted(),
        ColumnSpec::number("size", "SIZE", Width::Fixed(10), |row: &Self| {
            row.size.as_str().into()
        })
        .rank(3)
        .sorts_by(|row| row.bytes.into(), ["largest first", "smallest first"]),
        ColumnSpec::text("state", "STATE", Width::Fill(14), |row: &Self| {
            row.state.words.as_str().into()
        })
        .shown(Self::state),
        ColumnSpec::text(CATALOGUE, "", Width::Fixed(0), |row: &Self| {
            Value::Place(row.feed as u128)
        })
        .sorts_by(|row| Value::Place(row.feed as u128), ["", "reversed"]),
    ];

    fn text(&self) -> Cow<'_, str> {
        self.feed.name().into()
    }
}
