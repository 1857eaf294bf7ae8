//! Who is behind the addresses of a list: what blocking them takes from others. From local feeds; sends nothing.

mod log_hits;

use std::{collections::BTreeMap, sync::Arc};

use ipnet::IpNet;

pub use self::log_hits::{LogHit, LogHits};
use super::{address_set::AddressSet, comparison::RecordSet};
use crate::{
    contract::Feed,
    engine::{Engine, Kind, OpenRelease, Result},
    model::{Day, Subject},
    store::{
        Filter, Index, Moment, StopFlag,
        index::{QueryError, Selection},
    },
};

/// How many of the records with the most clients are named.
const LARGEST: usize = 10;
/// How old the list is meant to be of which the entries that are gone are counted, in days.
const EARLIER: i32 = 7;

/// Records that a list should have few of.
#[derive(Debug)]
pub struct AffectedKind {
    /// As programs read it.
    pub key: &'static str,
    pub words: &'static str,
    /// Which they are.
    pub filter: &'static str,
}

/// All kinds.
pub static AFFECTED: [AffectedKind; 4] = [
    AffectedKind {
        key: "shared",
        words: "with 100 clients or more",
        filter: "clients>=100",
    },
    AffectedKind {
        key: "carrier",
        words: "on mobile or satellite networks",
        filter: "infra:MOBILE,SATELLITE",
    },
    AffectedKind {
        key: "mobile",
        words: "with mobile devices",
        filter: "device:MOBILE",
    },
    AffectedKind {
        key: "homes",
        words: "callback proxies outside datacenters",
        filter: "proxy:* -infra:DATACENTER",
    },
];

/// Who is behind the addresses of a list, as local releases say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collateral {
    /// The releases, in the order of the feeds.
    pub releases: Vec<(Feed, Day)>,
    /// The records about addresses of the list.
    pub records: u64,
    /// For each number of clients how many records have it.
    pub counts: BTreeMap<u64, u64>,
    /// How many records each of [`AFFECTED`] has.
    pub kinds: [u64; AFFECTED.len()],
    /// The records with the most clients, these first.
    pub largest: Vec<(Subject, u64)>,
}

impl Collateral {
    /// All their clients.
    #[must_use]
    pub fn clients(&self) -> u64 {
        let each = self.counts.iter();
        each.fold(0, |all: u64, (clients, records)| {
            all.saturating_add(clients.saturating_mul(*records))
        })
    }

    /// How many records have a number of clients.
    #[must_use]
    pub fn counted(&self) -> u64 {
        self.counts.values().sum()
    }

    /// The number of clients that half of the counted records do not exceed; of two in the middle the lower one.
    #[must_use]
    pub fn median(&self) -> Option<u64> {
        let mut left = self.counted().div_ceil(2);
        let mut each = self.counts.iter();
        let middle = each.find(|(_, records)| {
            left = left.saturating_sub(**records);
            left == 0
        });
        middle.map(|(clients, _)| *clients)
    }

    fn add(&mut self, other: Self) {
        self.releases.extend(other.releases);
        self.records += other.records;
        for (clients, records) in other.counts {
            *self.counts.entry(clients).or_default() += records;
        }
        for (all, own) in self.kinds.iter_mut().zip(other.kinds) {
            *all += own;
        }
        self.largest.extend(other.largest);
        self.largest
            .sort_by_key(|(_, clients)| std::cmp::Reverse(*clients));
        self.largest.truncate(LARGEST);
    }

    /// Who is behind the records of a release that match a filter, and of which an address is in a set where there is one.
    ///
    /// # Errors
    /// A filter that the release cannot answer, a failure of this machine.
    pub async fn of_records(
        engine: &Engine,
        opened: &OpenRelease,
        filter: &Filter,
        within: Option<Arc<AddressSet>>,
    ) -> Result<Self> {
        let filter = filter.clone();
        let work = move |opened: &OpenRelease, stop: &StopFlag| {
            let mut of = opened.index.select(&filter, stop)?;
            if let Some(set) = &within {
                let is_within = |subject: Subject| set.meets(subject.network());
                of = opened.index.select_subjects(&of, is_within, stop)?;
            }
            let manifest = &opened.release.manifest;
            let mut found = Self::of(&opened.index, &of, stop)?;
            found.releases = vec![(manifest.feed, manifest.moment.day())];
            Ok(found)
        };
        engine.releases.with_local(opened.clone(), work).await
    }

    /// Who is behind these rows.
    fn of(index: &Index, of: &Selection, stop: &StopFlag) -> Result<Self, QueryError> {
        let mut found = Self {
            records: of.count(),
            counts: index.client_counts(of, stop)?,
            ..Self::default()
        };
        for (kind, count) in AFFECTED.iter().zip(&mut found.kinds) {
            // A test holds that each can be read.
            let filter: Filter = kind.filter.parse().unwrap_or_default();
            *count = index.select_again(&filter, stop)?.count_of_both(of);
        }
        for row in index.busiest_of_counted(of, &found.counts, LARGEST, stop)? {
            if let (Some(subject), Some(clients)) = (index.subject(row)?, index.clients_of(row)?) {
                found.largest.push((subject, clients));
            }
        }
        Ok(found)
    }

    /// Who is behind the addresses of a set, by the newest release of the widest local feed of each family; `None` where no feed
    /// of contexts is local.
    ///
    /// # Errors
    /// A release that cannot be read.
    pub async fn of_set(engine: &Engine, set: &Arc<AddressSet>) -> Result<Option<Self>> {
        /// The feeds of each family; the first one has all that the second has.
        const FEEDS: [[Feed; 2]; 2] = [
            [Feed::AnonymousResidential, Feed::Anonymous],
            [Feed::AnonymousResidentialIpv6, Feed::AnonymousIpv6],
        ];
        let mut all = None;
        for feeds in FEEDS {
            for feed in feeds {
                let opened = match engine.releases.open_local(feed, None).await {
                    Err(error) if error.kind == Kind::NotFound => continue,
                    opened => opened?,
                };
                let filter = Filter::default();
                let own = Self::of_records(engine, &opened, &filter, Some(set.clone()));
                all.get_or_insert_with(Self::default).add(own.await?);
                break;
            }
        }
        Ok(all)
    }
}

/// How many entries of a list as it would have been a week ago are gone since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Churn {
    /// The local day that is nearest to a week before.
    pub day: Day,
    /// The records of that day.
    pub records: u64,
    /// Those of which no address is in the list of today.
    pub gone: u64,
}

impl Churn {
    /// Of the same filter, and of the networks that are meant at all, on a local day before that of these records, a week before if that is there; `None` without one.
    ///
    /// # Errors
    /// A release that cannot be read.
    pub async fn of(
        engine: &Engine,
        records: &RecordSet,
        set: &Arc<AddressSet>,
        is_meant: impl Fn(IpNet) -> bool + Send + Sync + 'static,
    ) -> Result<Option<Self>> {
        let Some(today) = records.day else {
            return Ok(None);
        };
        let moments = engine.releases.moments(records.feed)?;
        let days = moments.into_iter().map(Moment::day);
        let wanted = today.plus(-EARLIER);
        let nearest = days
            .filter(|day| *day < today)
            .min_by_key(|day| day.days_since(wanted).unsigned_abs());
        let Some(day) = nearest else { return Ok(None) };
        let opened = match engine.releases.open_local(records.feed, Some(day)).await {
            Err(error) if error.kind == Kind::NotFound => return Ok(None),
            opened => opened?,
        };
        let (filter, set) = (records.filter.clone(), set.clone());
        let work = move |opened: &OpenRelease, stop: &StopFlag| {
            let index = &opened.index;
            let of = index.select(&filter, stop)?;
            let of = index.select_subjects(&of, |subject| is_meant(subject.network()), stop)?;
            let is_gone = |subject: Subject| !set.meets(subject.network());
            let gone = index.select_subjects(&of, is_gone, stop)?;
            Ok((of.count(), gone.count()))
        };
        let (records, gone) = engine.releases.with_local(opened, work).await?;
        Ok(Some(Self { day, records, gone }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_a_number_that_a_record_has() {
        for (counts, clients, median) in [
            (&[][..], 0, None),
            (&[(3, 1)], 3, Some(3)),
            (&[(1, 1), (9, 1)], 10, Some(1)),
            (&[(0, 2), (5, 3)], 15, Some(5)),
            (&[(u64::MAX, 2), (1, 1)], u64::MAX, Some(u64::MAX)),
        ] {
            let found = Collateral {
                counts: counts.iter().copied().collect(),
                ..Collateral::default()
            };
            assert_eq!((found.clients(), found.median()), (clients, median));
        }
    }

    #[test]
    fn kinds_are_filters() {
        for kind in &AFFECTED {
            let filter: Filter = kind.filter.parse().expect(kind.key);
            assert!(!filter.is_empty());
        }
    }
}
