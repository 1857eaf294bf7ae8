//! How many records of the local feeds name each tag.

use std::{collections::HashMap, sync::Arc};

use super::{
    Views,
    contexts::OfFeeds,
    counted_tags::{TagCount, TagCounts},
};
use crate::{
    contract::Feed,
    engine::{error::Result, releases::OpenRelease},
    model::Keyword,
    store::{
        Filter, StopFlag,
        index::{FacetBy, QueryError},
    },
};

impl Views {
    /// How many records name each tag, in the newest local releases of the feeds that can be exported. A release is counted once.
    ///
    /// # Errors
    /// [`Kind::Interrupted`](crate::engine::Kind::Interrupted).
    pub async fn tag_counts(&self) -> Result<OfFeeds<TagCounts>> {
        let counted = Arc::clone(&self.tags);
        let work = move |opened: &OpenRelease, stop: &StopFlag| {
            counted.of(&opened.release, || count(opened, stop))
        };
        self.of_contexts(Feed::EXPORTED, work).await
    }
}

fn count(opened: &OpenRelease, stop: &StopFlag) -> Result<HashMap<String, TagCount>, QueryError> {
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
