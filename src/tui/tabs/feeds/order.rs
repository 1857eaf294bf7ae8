//! The order of the table of feeds: that of the catalogue, or by a column. Unknown values come last.

use std::cmp::Reverse;

use jiff::Timestamp;

use super::{known_feed::KnownFeed, known_feed::Size, status::FeedStatus};
use crate::tui::ctx::orders::{self, OrderRow, Orders};

/// By what the feeds are sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum FeedSortKey {
    Feed,
    /// The latest release of the service.
    Release,
    /// The newest local release.
    Local,
    /// The size of the latest release.
    Size,
    State,
    /// As in the catalogue.
    #[default]
    Catalogue,
}

impl FeedSortKey {
    /// All, in the order of the columns.
    pub(super) const ALL: [Self; 6] = [
        Self::Feed,
        Self::Release,
        Self::Local,
        Self::Size,
        Self::State,
        Self::Catalogue,
    ];

    /// What is at the head of its column.
    fn word(self) -> &'static str {
        match self {
            Self::Feed => "FEED",
            Self::Release => "RELEASE",
            Self::Local => "LOCAL",
            Self::Size => "SIZE",
            Self::State => "STATE",
            Self::Catalogue => "as in the catalogue",
        }
    }

    fn row(self) -> OrderRow {
        match self {
            Self::Feed | Self::State => OrderRow::new(self.word(), orders::TEXT),
            Self::Release | Self::Local => OrderRow::new(self.word(), orders::DAY),
            Self::Size => OrderRow::new(self.word(), ["largest first", "smallest first"]),
            Self::Catalogue => OrderRow::new(self.word(), ["", "reversed"]).aside(),
        }
    }

    /// What feeds are compared by: numbers are larger the earlier they are.
    pub(super) fn key(self, known: &KnownFeed<'_>, now: Timestamp) -> FeedSortValue {
        let seconds = |at: Timestamp| u64::try_from(at.as_second()).unwrap_or_default();
        match self {
            Self::Feed => FeedSortValue::Text(known.feed.name().to_owned()),
            Self::Release => {
                let moment = known.offered_moment();
                FeedSortValue::Number(Reverse(moment.map(|own| seconds(own.begins()))))
            }
            Self::Local => {
                let newest = known.newest();
                FeedSortValue::Number(Reverse(
                    newest.map(|own| seconds(own.manifest.moment.begins())),
                ))
            }
            Self::Size => FeedSortValue::Number(Reverse(match known.size() {
                Size::Bytes(size) | Size::Said(size) => Some(size),
                Size::Unknown => None,
            })),
            Self::State => FeedSortValue::Text(FeedStatus::of(known, now).words),
            Self::Catalogue => FeedSortValue::Text(String::new()),
        }
    }
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FeedSortValue {
    Text(String),
    Number(Reverse<Option<u64>>),
}

impl FeedSortValue {
    /// Whether there is nothing to compare by.
    pub(super) fn is_unknown(&self) -> bool {
        *self == Self::Number(Reverse(None))
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FeedOrder {
    /// By what.
    pub(super) by: FeedSortKey,
    /// Whether against its usual direction.
    pub(super) is_turned: bool,
}

impl FeedOrder {
    /// By what the table can be sorted, and how it is.
    pub(super) fn orders(self) -> Orders {
        let present = FeedSortKey::ALL.iter().position(|by| *by == self.by);
        let rows = FeedSortKey::ALL.iter().map(|by| by.row()).collect();
        Orders::new(rows, present.map(|at| (at, self.is_turned)))
    }

    /// The number of the order that the head of a column stands for.
    pub(super) fn place_of(name: &str) -> Option<usize> {
        FeedSortKey::ALL.iter().position(|by| by.word() == name)
    }

    /// The head of a column, with the sign where the table is sorted by it: `v` for large at the top, `^` for small.
    pub(super) fn head(self, name: &str) -> String {
        let is_text = matches!(self.by, FeedSortKey::Feed | FeedSortKey::State);
        match (self.by.word() == name, self.is_turned == is_text) {
            (false, _) => name.to_owned(),
            (true, true) => format!("{name} v"),
            (true, false) => format!("{name} ^"),
        }
    }
}
