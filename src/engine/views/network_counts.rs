//! How many records about a network each local feed holds, whatever its kind.

use ipnet::IpNet;

use super::{PivotCount, Views};
use crate::{
    contract::Feed,
    engine::{error::Result, releases::OpenRelease, storage::UnusableFeed},
    store::{Filter, StopFlag, filter::Test, index::QueryError},
};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeldWithin {
    /// Those of feeds of contexts, in the catalogue's order; a feed that is not local is not among them.
    pub contexts: Vec<PivotCount>,
    /// Those of other feeds about addresses and networks.
    pub others: Vec<PivotCount>,
    /// The feeds that are local and could not be counted.
    pub unusable: Vec<UnusableFeed>,
}

impl HeldWithin {
    /// The feed to look into: of those with contexts the one that holds most, else of the others.
    #[must_use]
    pub fn richest(&self) -> Option<&PivotCount> {
        let richest = |counts: &'_ [PivotCount]| -> Option<usize> {
            let some = counts
                .iter()
                .enumerate()
                .filter(|(_, count)| count.records > 0);
            let richest = some.rev().max_by_key(|(_, count)| count.records);
            richest.map(|(at, _)| at)
        };
        let context = richest(&self.contexts).map(|at| &self.contexts[at]);
        context.or_else(|| richest(&self.others).map(|at| &self.others[at]))
    }

    pub fn counts(&self) -> impl Iterator<Item = &PivotCount> {
        self.contexts.iter().chain(&self.others)
    }
}

impl Views {
    /// How many records of the newest local release of each feed lie within a network.
    ///
    /// # Errors
    /// [`Kind::Interrupted`](crate::engine::Kind::Interrupted).
    pub async fn held_within(&self, network: IpNet) -> Result<HeldWithin> {
        let filter: Filter = [Test::Within(vec![network])].into_iter().collect();
        let count = move |opened: &OpenRelease, stop: &StopFlag| -> Result<_, QueryError> {
            let manifest = &opened.release.manifest;
            Ok(PivotCount {
                feed: manifest.feed,
                moment: manifest.moment,
                records: opened.index.select(&filter, stop)?.count(),
            })
        };
        let counted = self.of_feeds(Feed::of_subjects(), count).await?;
        let (contexts, others) = counted
            .found
            .into_iter()
            .partition(|count| count.feed.holds_contexts());
        Ok(HeldWithin {
            contexts,
            others,
            unusable: counted.unusable,
        })
    }
}
