//! How the table of feeds is sorted: as in the catalogue at first, by a column where somebody wants it so. What is not known stands last.

use std::cmp::Reverse;

use jiff::Timestamp;

use super::{known::Known, known::Size, standing::Standing};
use crate::tui::ctx::orders::{self, OrderRow, Orders};

/// By what the feeds are sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum By {
    /// The name.
    Feed,
    /// The latest release of the service.
    Release,
    /// The newest local release.
    Local,
    /// The size of the latest release.
    Size,
    /// How it stands.
    State,
    /// As in the catalogue.
    #[default]
    Catalogue,
}

impl By {
    /// All, in the order of the columns.
    pub(super) const ALL: [Self; 6] = [
        Self::Feed,
        Self::Release,
        Self::Local,
        Self::Size,
        Self::State,
        Self::Catalogue,
    ];

    /// What stands at the head of its column.
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

    /// What feeds are compared by: numbers are larger the earlier they stand.
    pub(super) fn key(self, known: &Known<'_>, now: Timestamp) -> Key {
        let seconds = |at: Timestamp| u64::try_from(at.as_second()).unwrap_or_default();
        match self {
            Self::Feed => Key::Text(known.feed.name().to_owned()),
            Self::Release => {
                let moment = known.offered_moment();
                Key::Number(Reverse(moment.map(|own| seconds(own.begins()))))
            }
            Self::Local => {
                let newest = known.newest();
                Key::Number(Reverse(
                    newest.map(|own| seconds(own.manifest.moment.begins())),
                ))
            }
            Self::Size => Key::Number(Reverse(match known.size() {
                Size::Bytes(size) | Size::Said(size) => Some(size),
                Size::Unknown => None,
            })),
            Self::State => Key::Text(Standing::of(known, now).words),
            Self::Catalogue => Key::Text(String::new()),
        }
    }
}

/// What feeds are compared by.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    Text(String),
    Number(Reverse<Option<u64>>),
}

impl Key {
    /// Whether there is nothing to compare by.
    pub(super) fn is_unknown(&self) -> bool {
        *self == Self::Number(Reverse(None))
    }
}

/// The order of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FeedOrder {
    /// By what.
    pub(super) by: By,
    /// Whether against its usual direction.
    pub(super) is_turned: bool,
}

impl FeedOrder {
    /// By what the table can be sorted, and how it is.
    pub(super) fn orders(self) -> Orders {
        let present = By::ALL.iter().position(|by| *by == self.by);
        let rows = By::ALL.iter().map(|by| by.row()).collect();
        Orders::new(rows, present.map(|at| (at, self.is_turned)))
    }

    /// The number of the order that the head of a column stands for.
    pub(super) fn place_of(name: &str) -> Option<usize> {
        By::ALL.iter().position(|by| by.word() == name)
    }

    /// The head of a column, with the sign where the table is sorted by it: `v` for large at the top, `^` for small.
    pub(super) fn head(self, name: &str) -> String {
        let is_text = matches!(self.by, By::Feed | By::State);
        match (self.by.word() == name, self.is_turned == is_text) {
            (false, _) => name.to_owned(),
            (true, true) => format!("{name} v"),
            (true, false) => format!("{name} ^"),
        }
    }
}
