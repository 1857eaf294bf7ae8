//! With which other tags a tag shares addresses, and how unusual that is.
//!
//! The lift of two tags is how many records have both, over how many would if they had nothing to do with each other: 1 is what
//! chance gives, 6 is six times that. It is measured in one release, of the records that are there.

use super::{OfFeeds, Views};
use crate::{
    contract::Feed,
    engine::{error::Result, releases::OpenRelease},
    model::{Keyword, TagName},
    store::{
        Filter, Moment, StopFlag,
        filter::Test,
        index::{Facet, FacetBy, QueryError},
    },
};

/// A tag that shares addresses with another one.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlap {
    /// Where the tag itself is in those records: an operator of a tunnel, or a callback proxy.
    pub own: Keyword,
    pub tag: String,
    /// Where that one is in them.
    pub field: Keyword,
    /// The records that have both.
    pub shared: u64,
    /// Times as many as chance would give.
    pub lift: f64,
}

/// A tag in one local release.
#[derive(Clone, Debug, PartialEq)]
pub struct TagUse {
    pub feed: Feed,
    /// Its newest local release.
    pub moment: Moment,
    pub records: u64,
    /// The records in which the tag is an operator of a tunnel.
    pub as_operator: u64,
    /// The records in which it is a callback proxy.
    pub as_proxy: u64,
    /// The tags that share records with it, the most shared first.
    pub overlaps: Vec<Overlap>,
}

impl Views {
    /// How a tag is used in the newest local releases of contexts, with no more than `most` overlaps in each.
    ///
    /// # Errors
    /// [`Kind::Interrupted`](crate::engine::Kind::Interrupted).
    pub async fn tag_uses(&self, tag: &TagName, most: usize) -> Result<OfFeeds<TagUse>> {
        let name = tag.as_str().to_owned();
        let work = move |opened: &OpenRelease, stop: &StopFlag| tag_use(opened, &name, most, stop);
        self.of_contexts(Feed::all(), work).await
    }
}

const FIELDS: [Keyword; 2] = [Keyword::Tag, Keyword::Proxy];

fn tag_use(
    opened: &OpenRelease,
    name: &str,
    most: usize,
    stop: &StopFlag,
) -> Result<TagUse, QueryError> {
    let index = &opened.index;
    let with = |field, value: &str| -> Result<_, QueryError> {
        let filter: Filter = [Test::Is(field, vec![value.to_owned()])]
            .into_iter()
            .collect();
        index.select(&filter, stop)
    };
    let records = index.records();
    let mut found = TagUse {
        feed: opened.release.manifest.feed,
        moment: opened.release.manifest.moment,
        records,
        as_operator: 0,
        as_proxy: 0,
        overlaps: Vec::new(),
    };
    for keyword in FIELDS {
        let rows = with(keyword, name)?;
        match keyword {
            Keyword::Proxy => found.as_proxy = rows.count(),
            _ => found.as_operator = rows.count(),
        }
        for field in FIELDS {
            let shared = index.facets(&rows, &FacetBy::Keyword(field), stop)?;
            let others = shared.into_iter();
            let others = others.filter(|facet| !facet.value.eq_ignore_ascii_case(name));
            for Facet { value, count } in others.take(most) {
                let all = with(field, &value)?.count();
                found.overlaps.push(Overlap {
                    own: keyword,
                    lift: lift(count, rows.count(), all, records),
                    tag: value,
                    field,
                    shared: count,
                });
            }
        }
    }
    found
        .overlaps
        .sort_by(|a, b| b.shared.cmp(&a.shared).then_with(|| a.tag.cmp(&b.tag)));
    found.overlaps.truncate(most);
    Ok(found)
}

/// How many times as many records have both as chance would give.
#[expect(
    clippy::cast_precision_loss,
    reason = "a ratio that is shown with one decimal"
)]
fn lift(shared: u64, one: u64, other: u64, records: u64) -> f64 {
    if one == 0 || other == 0 {
        return 0.0;
    }
    (shared as f64 / one as f64) * (records as f64 / other as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lift_of_one_is_what_chance_gives() {
        // A tenth of all records have one, a fifth the other: 2 % have both by chance.
        assert!((lift(20, 100, 200, 1000) - 1.0).abs() < 1e-9);
        assert!((lift(100, 100, 200, 1000) - 5.0).abs() < 1e-9);
        assert!(lift(0, 0, 0, 0).abs() < f64::EPSILON);
    }
}
