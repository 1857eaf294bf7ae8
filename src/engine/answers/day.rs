//! What the local releases of a day, and cached answers about it, say of many addresses. Sends nothing.
//!
//! A day that is not local is unknown. It must never be taken for one without a record: an address has no record on a day only where
//! the releases that could have one are local and readable.

use std::{net::IpAddr, sync::Arc};

use super::{Answers, best::BestAnswer, policy::replaces_a_query};
use crate::{
    contract::Feed,
    engine::{
        error::Result,
        releases::{Family, OpenRelease},
        threads::off_thread,
        views::UnusableFeed,
        warehouse::Load,
    },
    model::{Day, Subject},
};

/// What is at hand about an address on a day.
#[derive(Clone, Debug, PartialEq)]
pub enum DayAnswer {
    /// The best answer; `None` where the releases of the day have no record.
    Known(Option<BestAnswer>),
    /// Unknown: this feed may have a record, and its release of the day is not local.
    NotLocal(Feed),
    /// Unknown: the record, or a release of the day, cannot be read.
    Unread,
}

/// The local releases of a day, else the newest ones.
#[derive(Clone, Debug)]
pub struct DayReleases {
    day: Option<Day>,
    pub opened: Vec<OpenRelease>,
    /// The feeds whose release is local and cannot be read.
    pub unusable: Vec<UnusableFeed>,
    /// For each family of addresses why an address without a record is unknown, in the order of [`Family::ALL`].
    gaps: [Option<DayAnswer>; Family::ALL.len()],
}

impl DayReleases {
    /// Whether the release of a feed answers.
    #[must_use]
    pub fn has(&self, feed: Feed) -> bool {
        let mut opened = self.opened.iter();
        opened.any(|own| own.release.manifest.feed == feed)
    }

    /// Why an address is unknown if these releases have no record that says who is behind it.
    fn gap(&self, address: IpAddr) -> Option<&DayAnswer> {
        self.gaps[Family::of(Subject::Address(address)) as usize].as_ref()
    }
}

impl Answers {
    /// Opens the releases of a day, else the newest ones, of these feeds, as far as they are local.
    ///
    /// # Errors
    /// [`Kind::Interrupted`](crate::engine::Kind::Interrupted).
    pub async fn open_day(&self, feeds: &[Feed], day: Option<Day>) -> Result<DayReleases> {
        let (opened, unusable) = self.open_usable(feeds.iter().copied(), day).await?;
        let here: Vec<Feed> = opened
            .iter()
            .map(|opened| opened.release.manifest.feed)
            .collect();
        let mut unheld = Vec::new();
        for family in Family::ALL {
            let contexts: Vec<OpenRelease> = needed(feeds, family)
                .filter_map(|feed| {
                    let is_of = |own: &&OpenRelease| own.release.manifest.feed == feed;
                    opened.iter().find(is_of).cloned()
                })
                .collect();
            if !self.hold_family(&contexts, family).await? {
                unheld.push(family);
            }
        }
        let gap = |family| {
            if feeds.is_empty() {
                return Some(DayAnswer::NotLocal(Feed::Anonymous));
            }
            let Some(missing) = needed(feeds, family).find(|feed| !here.contains(feed)) else {
                // Feeds without any address of a family say nothing about one.
                return unheld
                    .contains(&family)
                    .then_some(DayAnswer::NotLocal(match family {
                        Family::V4 => Feed::Anonymous,
                        Family::V6 => Feed::AnonymousIpv6,
                    }));
            };
            let is_unusable = unusable.iter().any(|own| own.feed == missing);
            Some(if is_unusable {
                DayAnswer::Unread
            } else {
                DayAnswer::NotLocal(missing)
            })
        };
        Ok(DayReleases {
            day,
            gaps: Family::ALL.map(gap),
            opened,
            unusable,
        })
    }

    /// Whether one of these releases, local or loaded, has a record about an address or network of this family.
    ///
    /// # Errors
    /// As [`Releases::hold_family`](crate::engine::Releases::hold_family); what the warehouse refuses.
    pub async fn hold_family(&self, opened: &[OpenRelease], family: Family) -> Result<bool> {
        for own in opened {
            let holds = if let Some(load) = Load::of_release(&own.release) {
                self.warehouse.holds_family(&load, family).await?
            } else {
                let one = std::slice::from_ref(own);
                self.releases.hold_family(one, family).await?
            };
            if holds {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What is at hand about each of these addresses in these releases, in their order.
    ///
    /// # Errors
    /// As [`Answers::answer_locally`].
    pub async fn answer_on(
        &self,
        releases: &DayReleases,
        addresses: Arc<[IpAddr]>,
    ) -> Result<Vec<DayAnswer>> {
        let records = self
            .best_records(&releases.opened, addresses.clone())
            .await?;
        let (own, releases) = (self.clone(), releases.clone());
        off_thread(move || {
            let found = addresses.iter().zip(records);
            let answers = found.map(|(address, local)| {
                let is_unread = matches!(local, Some(Err(_)));
                let best = own.better(*address, releases.day, local.and_then(Result::ok));
                match (best, releases.gap(*address)) {
                    (Some(best), _) if best.is_whole() => DayAnswer::Known(Some(best)),
                    (None, _) if is_unread => DayAnswer::Unread,
                    (_, Some(gap)) => gap.clone(),
                    (best, None) => DayAnswer::Known(best),
                }
            });
            Ok(answers.collect())
        })
        .await
    }
}

/// The feeds of which each must be local to know that an address of a family has no record: those that may hold the family, and of
/// these the contexts where there are some.
fn needed(feeds: &[Feed], family: Family) -> impl Iterator<Item = Feed> {
    let is_of_family = move |feed: &Feed| family.is_of(*feed);
    let is_context = move |feed: &Feed| is_of_family(feed) && replaces_a_query(*feed);
    let has_family = feeds.iter().any(is_of_family);
    let has_contexts = feeds.iter().any(is_context);
    let is_needed = move |feed: &Feed| {
        is_context(feed) || (!has_contexts && (is_of_family(feed) || !has_family))
    };
    feeds.iter().copied().filter(is_needed)
}

impl BestAnswer {
    /// Whether it says who is behind an address, whatever other feeds have.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        match self {
            Self::Local(record) => replaces_a_query(record.release.manifest.feed),
            Self::Cached(_) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_without_a_record_needs_every_context_feed_of_its_family() {
        use Feed::{Anonymous, AnonymousIpv6, Dch, Ipgeo, Ipsummary, Realtime};
        let asked = [Anonymous, AnonymousIpv6, Realtime, Dch, Ipsummary];
        for (feeds, family, expected) in [
            (&asked[..], Family::V4, &[Anonymous, Ipsummary][..]),
            (&asked, Family::V6, &[Anonymous, AnonymousIpv6, Ipsummary]),
            (&[Realtime, Dch], Family::V4, &[Realtime, Dch]),
            (&[Ipgeo, AnonymousIpv6], Family::V6, &[AnonymousIpv6]),
            (&[Ipgeo, AnonymousIpv6], Family::V4, &[Ipgeo]),
            (&[AnonymousIpv6], Family::V4, &[AnonymousIpv6]),
        ] {
            let found: Vec<Feed> = needed(feeds, family).collect();
            assert_eq!(found, expected, "{feeds:?} {family:?}");
        }
    }
}
