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
        releases::Family,
        storage::{Missing, MissingWhy, OpenDay, Opened},
    },
    model::{Day, Subject},
};

/// What is at hand about an address on a day.
#[derive(Clone, Debug, PartialEq)]
pub enum DayAnswer {
    /// The best answer; `None` where the releases of the day have no record.
    Known(Option<BestAnswer>),
    /// A feed may have a record, and its day or that record cannot be had.
    Unknown(Missing),
}

/// The releases of a day, else the newest ones.
#[derive(Clone, Debug)]
pub struct DayReleases {
    day: Option<Day>,
    pub opened: Opened,
    /// For each family of addresses why an address without a record is unknown, in the order of [`Family::ALL`].
    gaps: [Option<Missing>; Family::ALL.len()],
}

impl DayReleases {
    /// What the best answers about these addresses, or the feeds whose record cannot be read, say of the day.
    fn judged(
        &self,
        addresses: &[IpAddr],
        found: impl IntoIterator<Item = (Option<BestAnswer>, Option<Feed>)>,
    ) -> Vec<DayAnswer> {
        let (day, why) = (self.day, MissingWhy::Unreadable);
        let answers = addresses.iter().zip(found);
        let answers = answers.map(|(address, (best, unread))| {
            let unread = unread.map(|feed| Missing { feed, day, why });
            match best {
                Some(best) if best.is_whole() => DayAnswer::Known(Some(best)),
                best => match unread.filter(|_| best.is_none()).or(self.gap(*address)) {
                    Some(missing) => DayAnswer::Unknown(missing),
                    None => DayAnswer::Known(best),
                },
            }
        });
        answers.collect()
    }

    /// Why an address is unknown if these releases have no record that says who is behind it.
    #[must_use]
    pub fn gap(&self, address: IpAddr) -> Option<Missing> {
        self.gaps[Family::of(Subject::Address(address)) as usize]
    }
}

impl Answers {
    /// Opens the releases of a day, else the newest ones, of these feeds, as far as they are there.
    ///
    /// # Errors
    /// [`Kind::Interrupted`](crate::engine::Kind::Interrupted).
    pub async fn open_day(&self, feeds: &[Feed], day: Option<Day>) -> Result<DayReleases> {
        let opened = self.storage.open(feeds.iter().copied(), day).await?;
        let mut gaps = [None; Family::ALL.len()];
        for (family, gap) in Family::ALL.into_iter().zip(&mut gaps) {
            let asked: Vec<Feed> = needed(feeds, family).collect();
            let is_asked = |day: &&OpenDay| asked.contains(&day.release.manifest.feed);
            let contexts: Vec<&OpenDay> = opened.days.iter().filter(is_asked).collect();
            // Feeds without any address of a family say nothing about one.
            let unheld = match family {
                Family::V4 => Feed::Anonymous,
                Family::V6 => Feed::AnonymousIpv6,
            };
            let absent = match asked.into_iter().find(|feed| !opened.has(*feed)) {
                None if self.storage.hold_family(&contexts, family).await? => None,
                None => Some(unheld),
                absent => absent,
            };
            *gap = absent.map(|feed| self.storage.missing(&opened, feed, day));
        }
        Ok(DayReleases { day, opened, gaps })
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
        let (day, opened) = (releases.day, &releases.opened);
        let found = self.best_of(opened, day, addresses.clone()).await?;
        Ok(releases.judged(&addresses, found))
    }

    /// The same of the releases alone, whatever the service answered about the day: quick for many addresses over many days.
    ///
    /// # Errors
    /// As [`Answers::answer_locally`].
    pub async fn local_answer_on(
        &self,
        releases: &DayReleases,
        addresses: Arc<[IpAddr]>,
    ) -> Result<Vec<DayAnswer>> {
        let days = &releases.opened.days;
        let records = self.best_records(days, addresses.clone()).await?;
        let found = records.into_iter().map(|result| match result {
            Some(Err(feed)) => (None, Some(feed)),
            result => (
                result
                    .and_then(Result::ok)
                    .map(Box::new)
                    .map(BestAnswer::Local),
                None,
            ),
        });
        Ok(releases.judged(&addresses, found))
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
