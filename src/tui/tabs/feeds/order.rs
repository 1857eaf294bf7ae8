//! How the table of feeds is sorted: as in the catalogue at first, by a column where somebody wants it so. What is not known stands last.

use std::cmp::Reverse;

use jiff::Timestamp;

use super::{FeedsTab, known::Known, known::Size, standing::Standing};
use crate::{
    contract::Feed,
    tui::ctx::{
        jobs::Jobs,
        orders::{self, OrderRow, Orders},
    },
};

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
    const ALL: [Self; 6] = [
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
    fn key(self, known: &Known<'_>, now: Timestamp) -> Key {
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

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Text(String),
    Number(Reverse<Option<u64>>),
}

impl Key {
    fn is_unknown(&self) -> bool {
        *self == Self::Number(Reverse(None))
    }
}

/// The order of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FeedOrder {
    by: By,
    is_turned: bool,
}

impl FeedOrder {
    /// By what the table can be sorted, and how it is.
    pub(super) fn orders(self) -> Orders {
        let present = By::ALL.iter().position(|by| *by == self.by);
        let rows = By::ALL.iter().map(|by| by.row()).collect();
        Orders::new(rows, present.map(|at| (at, self.is_turned)))
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

impl FeedsTab {
    /// Sorts the table by one of its orders.
    pub(super) fn sort_by(&mut self, order: usize, is_turned: bool, jobs: &Jobs, now: Timestamp) {
        if let Some(by) = By::ALL.get(order).copied() {
            self.order = FeedOrder { by, is_turned };
            self.arrange(jobs, now);
        }
    }

    /// Sorts what is known now. Whoever stands on a feed stays on it.
    pub(super) fn arrange(&mut self, jobs: &Jobs, now: Timestamp) {
        let here = self.selected();
        let FeedOrder { by, is_turned } = self.order;
        let mut keys: Vec<(Feed, Key)> = Feed::all()
            .map(|feed| (feed, by.key(&self.known(feed, jobs), now)))
            .collect();
        keys.sort_by(|(_, one), (_, other)| {
            let order = if is_turned {
                other.cmp(one)
            } else {
                one.cmp(other)
            };
            one.is_unknown().cmp(&other.is_unknown()).then(order)
        });
        if by == By::Catalogue && is_turned {
            keys.reverse();
        }
        let place = |feed: Feed| keys.iter().position(|(own, _)| *own == feed);
        self.metadata.sort_by_key(|(feed, _)| place(*feed));
        if let Some(at) = place(here) {
            self.cursor.select(at, self.metadata.len());
        }
    }
}
