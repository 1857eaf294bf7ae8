//! Sorting of the table of feeds by what is known of them.

use jiff::Timestamp;

use super::{
    FeedsTab,
    order::{FeedOrder, FeedSortKey, FeedSortValue},
};
use crate::{contract::Feed, tui::ctx::jobs::Jobs};

impl FeedsTab {
    /// Sorts the table by one of its orders.
    pub(super) fn sort_by(&mut self, order: usize, is_turned: bool, jobs: &Jobs, now: Timestamp) {
        if let Some(by) = FeedSortKey::ALL.get(order).copied() {
            self.order = FeedOrder { by, is_turned };
            self.arrange(jobs, now);
        }
    }

    /// Sorts what is known now. The cursor stays on its feed.
    pub(super) fn arrange(&mut self, jobs: &Jobs, now: Timestamp) {
        let here = self.selected();
        let FeedOrder { by, is_turned } = self.order;
        let mut keys: Vec<(Feed, FeedSortValue)> = Feed::all()
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
        if by == FeedSortKey::Catalogue && is_turned {
            keys.reverse();
        }
        let place = |feed: Feed| keys.iter().position(|(own, _)| *own == feed);
        self.metadata.sort_by_key(|(feed, _)| place(*feed));
        if let Some(at) = place(here) {
            self.cursor.select(at, self.metadata.len());
        }
    }
}
