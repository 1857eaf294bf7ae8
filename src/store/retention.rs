//! The retention rule: the releases to remove after a publication, as a pure function of the local releases.
//!
//! It must never remove the last good release of a feed, the one that was just published, or a pinned one. Those are removed only
//! by the user.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use super::{Moment, layout::Release};
use crate::contract::{Feed, Format};

/// The limits of what is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeepRule {
    /// The newest releases of each feed and form to keep; pinned ones do not count.
    pub releases: usize,
    /// The same limit for realtime, whose releases are windows.
    pub windows: usize,
    /// The limit of bytes for all releases of all feeds.
    pub bytes: u64,
}

/// A release in one form, as input of the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptRelease {
    pub feed: Feed,
    /// The form; each form of a day counts as a separate release.
    pub form: Format,
    pub moment: Moment,
    /// Its place among the releases of its feed and form, 0 for the newest: their days do not order them.
    pub place: usize,
    /// Whether the user requested its day or pinned it.
    pub pinned: bool,
    /// Whether its day is impossible; it counts as the oldest.
    pub ahead: bool,
    /// Its size in bytes.
    pub bytes: u64,
}

impl KeptRelease {
    /// The input of the rule for a release at this place.
    #[must_use]
    pub fn of(release: &Release, form: Format, place: usize) -> Self {
        let manifest = &release.manifest;
        Self {
            feed: manifest.feed,
            form,
            moment: manifest.moment,
            place,
            pinned: manifest.pinned,
            ahead: manifest.is_ahead(),
            bytes: release.size(),
        }
    }
}

/// Why a release is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// There are enough newer ones.
    Releases,
    /// All releases together exceed the limit of bytes.
    Bytes,
}

impl KeepRule {
    /// The number of releases of a feed to keep.
    fn of(&self, feed: Feed) -> usize {
        match feed {
            Feed::Realtime => self.windows,
            _ => self.releases,
        }
    }

    /// The indexes of the releases to remove, the oldest first. Never includes `published`.
    #[must_use]
    pub fn surplus(&self, held: &[KeptRelease], published: usize) -> Vec<(usize, Reason)> {
        let oldest_first = oldest_first(held);
        let last = last_of_each(held, &oldest_first);
        let may_go = |at: &usize| !held[*at].pinned && *at != published && !last.contains(at);
        let (mut going, mut newer) = (BTreeMap::new(), BTreeMap::new());
        for at in oldest_first.iter().rev() {
            let KeptRelease { feed, form, .. } = held[*at];
            let newer: &mut usize = newer.entry((feed, form == Format::Mmdb)).or_default();
            if !held[*at].pinned {
                *newer += 1;
                if *newer > self.of(feed) && may_go(at) {
                    going.insert(*at, Reason::Releases);
                }
            }
        }
        let here = |at: &&usize| !going.contains_key(*at);
        let mut bytes: u64 = oldest_first
            .iter()
            .filter(here)
            .map(|at| held[*at].bytes)
            .sum();
        for at in &oldest_first {
            if bytes <= self.bytes {
                break;
            }
            if may_go(at) && !going.contains_key(at) {
                going.insert(*at, Reason::Bytes);
                bytes -= held[*at].bytes;
            }
        }
        let goes = |at| going.get(&at).map(|reason| (at, *reason));
        oldest_first.into_iter().filter_map(goes).collect()
    }
}

/// The order of removal over all feeds: by their days, where those agree with the order of releases within a feed. A release with a
/// later day than a newer one of its feed counts as of that day.
fn oldest_first(held: &[KeptRelease]) -> Vec<usize> {
    let day = |one: &KeptRelease| {
        let same = |other: &&KeptRelease| {
            (other.feed, other.form, other.ahead) == (one.feed, one.form, one.ahead)
        };
        let newer = held.iter().filter(same);
        let newer = newer.filter(|other| other.place <= one.place);
        newer.map(|other| other.moment).min()
    };
    let mut oldest_first: Vec<usize> = (0..held.len()).collect();
    oldest_first.sort_by_cached_key(|at| {
        let one = &held[*at];
        (!one.ahead, day(one), one.feed, Reverse(one.place), *at)
    });
    oldest_first
}

/// The newest release of each feed and form.
fn last_of_each(held: &[KeptRelease], oldest_first: &[usize]) -> BTreeSet<usize> {
    let mut last = BTreeMap::new();
    for at in oldest_first {
        last.insert((held[*at].feed, held[*at].form == Format::Mmdb), *at);
    }
    last.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One release after the other, each as `FEED DAY BYTES [pinned] [mmdb] [new] [last]`: the later its day the newer it is, but for
    /// those that came last.
    fn held(text: &str) -> (Vec<KeptRelease>, usize) {
        let mut published = usize::MAX;
        let one = |(at, text): (usize, &str)| {
            let words: Vec<&str> = text.split_whitespace().collect();
            let is = |word| words[3..].contains(&word);
            if is("new") {
                published = at;
            }
            KeptRelease {
                feed: words[0].parse().expect("feed"),
                form: if is("mmdb") {
                    Format::Mmdb
                } else {
                    Format::Json
                },
                moment: Moment::parse(&format!("202611{}", words[1])).expect("moment"),
                place: usize::from(!is("last")),
                pinned: is("pinned"),
                ahead: is("ahead"),
                bytes: words[2].parse().expect("bytes"),
            }
        };
        let mut held: Vec<KeptRelease> = text.split(',').enumerate().map(one).collect();
        let all = held.clone();
        for release in &mut held {
            let order = |one: &KeptRelease| (one.place, one.ahead, Reverse(one.moment));
            let same = |one: &&KeptRelease| (one.feed, one.form) == (release.feed, release.form);
            let newer = all.iter().filter(same);
            release.place = newer.filter(|one| order(one) < order(release)).count();
        }
        (held, published)
    }

    /// Shows the limits, the local releases, and those to be removed.
    const TABLE: &str = "
        fewer than are kept             | 3 99 | dch 01 9, dch 02 9 new |
        one too many                    | 2 99 | dch 03 9 new, dch 01 9, dch 02 9 | 1r
        each feed by itself             | 1 99 | dch 01 9, ipgeo 01 9, dch 02 9 new | 0r
        each form by itself             | 1 99 | dch 01 9, dch 02 9 mmdb, dch 03 9 mmdb new | 1r
        pinned days do not count        | 1 99 | dch 01 9, dch 02 9 pinned, dch 03 9 pinned new |
        and do not go                   | 1 99 | dch 01 9 pinned, dch 02 9, dch 03 9 new | 1r
        the one just published          | 1 99 | dch 01 9 new, dch 02 9, dch 03 9 | 1r
        the last of a feed              | 0 99 | dch 01 9, dch 02 9 new, ipgeo 01 9 | 0r
        as much as may be               | 9 27 | dch 01 9, dch 02 9, dch 03 9 new |
        a byte more                     | 9 26 | dch 01 9, dch 02 9, dch 03 9 new | 0b
        much more                       | 9 1 | dch 01 9, dch 02 9, dch 03 9 new | 0b 1b
        over all feeds                  | 9 20 | dch 02 9, dch 03 9 new, ipgeo 01 9, ipgeo 04 9 | 2b 0b
        not the last of any             | 9 1 | dch 01 9, ipgeo 03 9 new, ipsummary 02 9 |
        nor pinned ones                 | 9 10 | dch 01 9 pinned, dch 02 9, dch 03 9 new | 1b
        what went before counts no more | 2 18 | dch 01 9, dch 02 9, dch 03 9 new | 0r
        a day that cannot be goes first | 2 99 | dch 29 9 ahead, dch 01 9, dch 02 9 new | 0r
        and takes the place of no other | 1 99 | dch 29 9 ahead new, dch 01 9 |
        nor of the last that is kept    | 0 1 | dch 29 9 ahead, dch 28 9 ahead new, dch 01 9 | 0r
        a later day that came before    | 2 99 | dch 29 9, dch 01 9, dch 02 9 last new | 1r
        a wrong day that came before    | 1 99 | dch 29 9, dch 02 9 last new | 0r
        and over all feeds              | 9 20 | dch 29 9, dch 02 9 last new, ipgeo 03 9, ipgeo 04 9 | 0b 2b
        windows                         | 1 99 | realtime 01-2310 1, realtime 01-2315 1, realtime 01-2320 1 new | 0r 1r";

    #[test]
    fn the_newest_stay_and_the_oldest_go_first() {
        for row in TABLE.lines().skip(1) {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            let (releases, bytes) = cells[1].split_once(' ').expect("two numbers");
            let (releases, bytes) = (releases.parse().expect(row), bytes.parse().expect(row));
            let (held, published) = held(cells[2]);
            let rule = KeepRule {
                releases,
                windows: releases,
                bytes,
            };
            let gone = rule.surplus(&held, published).into_iter().map(|(at, why)| {
                let why = if why == Reason::Releases { 'r' } else { 'b' };
                format!("{at}{why}")
            });
            assert_eq!(gone.collect::<Vec<_>>().join(" "), cells[3], "{row}");
        }
    }

    #[test]
    fn windows_are_kept_by_a_number_of_their_own() {
        let text =
            "realtime 01-2310 1, realtime 01-2315 1, realtime 01-2320 1 new, dch 01 9, dch 02 9";
        let (held, published) = held(text);
        let gone = |releases, windows| -> Vec<usize> {
            let rule = KeepRule {
                releases,
                windows,
                bytes: 99,
            };
            let gone = rule.surplus(&held, published).into_iter();
            gone.map(|(at, _)| at).collect()
        };
        assert_eq!(gone(1, 2), [3, 0]);
        assert_eq!(gone(2, 1), [0, 1]);
    }
}
