//! How many records of the local feeds name each tag.

use std::collections::HashMap;

use super::{Views, pivots::holds_contexts};
use crate::{
    contract::Feed,
    engine::{
        error::Result,
        releases::{Opened, Pick},
    },
    model::Keyword,
    store::{
        Filter, Moment, Stop,
        index::{FacetBy, NoAnswer},
    },
};

/// The records of a release that name one tag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TagCount {
    /// The records in which the tag is an operator of a tunnel.
    pub as_operator: u64,
    /// The records in which it is a callback proxy.
    pub as_proxy: u64,
}

/// The tags of one local release, with the records that name each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagCounts {
    /// The feed.
    pub feed: Feed,
    /// Its newest local release.
    pub moment: Moment,
    /// The tags.
    pub tags: HashMap<String, TagCount>,
}

impl Views {
    /// How many records name each tag, in the newest local releases of the feeds that can be exported.
    ///
    /// # Errors
    /// As [`Releases::open_picked`](crate::engine::Releases::open_picked).
    pub async fn tag_counts(&self) -> Result<Vec<TagCounts>> {
        let picked = self.releases.open_picked(&Pick::default()).await?;
        let is_exported = |opened: &Opened| Feed::EXPORTED.contains(&opened.release.manifest.feed);
        let opened = picked.opened.into_iter().filter(holds_contexts);
        let mut counts = Vec::new();
        for opened in opened.filter(is_exported) {
            let (feed, moment) = (opened.release.manifest.feed, opened.release.manifest.moment);
            let tags = self.releases.with_local(opened, count).await?;
            counts.push(TagCounts { feed, moment, tags });
        }
        Ok(counts)
    }
}

fn count(opened: &Opened, stop: &Stop) -> Result<HashMap<String, TagCount>, NoAnswer> {
    let index = &opened.index;
    let all = index.select(&Filter::default(), stop)?;
    let mut tags: HashMap<String, TagCount> = HashMap::new();
    for facet in index.facets(&all, &FacetBy::Keyword(Keyword::Tag), stop)? {
        tags.entry(facet.value).or_default().as_operator = facet.count;
    }
    for facet in index.facets(&all, &FacetBy::Keyword(Keyword::Proxy), stop)? {
        tags.entry(facet.value).or_default().as_proxy = facet.count;
    }
    Ok(tags)
}
