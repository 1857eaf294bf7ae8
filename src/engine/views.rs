//! Views of local releases: the records that a filter selects, along an order, a page at a time.
//!
//! A view is named by its question, a [`ViewQuery`], which is plain data. The few that were used last are kept open, so the next
//! page of one takes microseconds wherever it begins. A query that names a day keeps to that day: a newer release is named beside
//! it ([`View::newer`]) and never takes its place. Nothing here sends anything, and no page holds more rows than were asked for.

mod changed_tags;
mod common;
mod contexts;
mod counted_tags;
mod entries;
mod facets;
mod names;
mod network_counts;
mod open_views;
mod overlap;
mod pivots;
mod tag_changes;
mod tag_counts;
mod value_uses;

use std::{
    ops::Range,
    sync::Arc,
    time::{Duration, Instant},
};

use ipnet::IpNet;

use self::{
    changed_tags::ChangedTags,
    counted_tags::CountedTags,
    open_views::{OpenView, OpenViews},
};
pub use self::{
    changed_tags::{TagChange, TagChanges},
    common::{CommonCounts, CommonQuery, SharedCount, SharedField},
    contexts::OfFeeds,
    counted_tags::{TagCount, TagCounts},
    entries::EntryOf,
    facets::{ClauseCount, FacetCounts},
    names::RecordName,
    network_counts::HeldWithin,
    overlap::{Overlap, TagUse},
    pivots::{Pivot, PivotCount, PivotKind, Pivots},
    value_uses::{ValueUse, ValueUses},
};
use super::{
    error::Result,
    releases::{OpenRelease, Releases},
    storage::Storage,
};
use crate::{
    contract::{Feed, Format},
    model::{Day, Document},
    store::{
        Filter, Moment, RowId, StopFlag,
        filter::Test,
        index::{Order, QueryError},
        layout::Release,
    },
};

/// Which records of which local release, in which order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ViewQuery {
    pub feed: Feed,
    /// The release of this day; else the newest.
    pub day: Option<Day>,
    pub filter: Filter,
    pub order: Order,
}

#[derive(Clone, Debug)]
pub struct View {
    pub release: Release,
    pub records: u64,
    /// The records that the filter selects.
    pub count: u64,
    /// How long selecting them took, and the part of ordering them that the first page needs.
    pub took: Duration,
    /// A newer local release of the feed.
    pub newer: Option<Moment>,
    /// How many records match in the warehouse where these are only the first of them.
    pub beyond: Option<u64>,
}

impl View {
    /// The records that the filter selects, also of a loaded day of which only the first are at hand.
    #[must_use]
    pub fn matching(&self) -> u64 {
        self.beyond.unwrap_or(self.count)
    }
}

/// Some rows of a view.
#[derive(Clone, Debug)]
pub struct ViewPage {
    pub view: View,
    /// The position of the first row.
    pub first: u64,
    /// The rows, as far as there are any.
    pub rows: Vec<ViewRow>,
}

/// A record: as it reads, or why it cannot be read.
pub type ViewRow = std::result::Result<Document, String>;

/// The service that answers queries of views.
#[derive(Clone, Debug)]
pub struct Views {
    releases: Releases,
    storage: Storage,
    kept: Arc<OpenViews>,
    tags: Arc<CountedTags>,
    changed_tags: Arc<ChangedTags>,
}

impl Views {
    pub(super) fn new(releases: &Releases, storage: Storage) -> Self {
        Self {
            releases: releases.clone(),
            storage,
            kept: Arc::default(),
            tags: Arc::default(),
            changed_tags: Arc::default(),
        }
    }

    /// The same of the days at another place.
    #[must_use]
    pub(super) fn of(mut self, storage: Storage) -> Self {
        self.storage = storage;
        self
    }

    /// Opens the records of a view in its order; how many match where these are only the first of them.
    async fn open(&self, query: &ViewQuery) -> Result<(OpenRelease, Option<u64>)> {
        let of = (query.feed, query.day);
        self.storage
            .open_window(of, &query.filter, query.order)
            .await
    }

    /// The rows of a view at these positions, as far as there are any.
    ///
    /// # Errors
    /// As [`Releases::open_local`].
    pub async fn page(&self, query: &ViewQuery, positions: Range<u64>) -> Result<ViewPage> {
        let (opened, beyond) = self.open(query).await?;
        let (first, releases) = (positions.start, self.releases.clone());
        let is_pinned = query.day.is_some();
        let work = move |selected: &OpenView, opened: &OpenRelease, stop: &StopFlag| {
            let (index, positions) = (&opened.index, positions.clone());
            let ids = selected.ordered.page(index, positions, stop)?;
            let rows = ids.into_iter().map(|row| read(opened, row));
            let rows: Vec<ViewRow> = rows.collect::<std::result::Result<_, _>>()?;
            let newer = is_pinned.then(|| newer_than(opened, &releases)).flatten();
            Ok((rows, newer))
        };
        let (selected, (rows, newer)) = self.on(opened, query, work).await?;
        let view = View {
            release: selected.release.clone(),
            records: match &selected.release.manifest {
                // Only those that match are at hand.
                manifest if manifest.is_excerpt() => manifest.records.unwrap_or_default(),
                _ => selected.records,
            },
            count: selected.ordered.count(),
            took: selected.took,
            newer,
            beyond,
        };
        Ok(ViewPage { view, first, rows })
    }

    /// The position in a view of a record about this address or network: of the most specific one that covers it, else of the
    /// first one within it.
    ///
    /// # Errors
    /// As [`Releases::open_local`].
    pub async fn position(&self, query: &ViewQuery, network: IpNet) -> Result<Option<u64>> {
        let (opened, _) = self.open(query).await?;
        let order = query.order;
        let work = move |selected: &OpenView, opened: &OpenRelease, stop: &StopFlag| {
            let index = &opened.index;
            let mut covering = index.covering(network)?.into_iter();
            let own = covering.find(|row| selected.rows.contains(*row));
            let first = if own.is_some() {
                own
            } else {
                let mut within = selected.filter.clone();
                within.terms.push(Test::Within(vec![network]).into());
                let rows = index.select(&within, stop)?;
                let ordered = index.ordered(&rows, order, stop)?;
                ordered.page(index, 0..1, stop)?.into_iter().next()
            };
            let position = first.map(|row| selected.ordered.position(index, row, stop));
            position.transpose().map(Option::flatten)
        };
        Ok(self.on(opened, query, work).await?.1)
    }

    /// Works on an open view. Gives it with what the work made.
    async fn on<T: Send + 'static>(
        &self,
        opened: OpenRelease,
        query: &ViewQuery,
        work: impl Fn(&OpenView, &OpenRelease, &StopFlag) -> std::result::Result<T, QueryError>
        + Send
        + Sync
        + 'static,
    ) -> Result<(Arc<OpenView>, T)> {
        let (kept, query) = (Arc::clone(&self.kept), query.clone());
        let work = move |opened: &OpenRelease, stop: &StopFlag| {
            let began = Instant::now();
            if let Some(open) = kept.find(&opened.release, &query.filter, query.order) {
                let made = work(&open, opened, stop)?;
                return Ok((open, made));
            }
            kept.stop_completion();
            let rows = kept.select(opened, &query.filter, stop)?;
            let selected = kept.keep(OpenView {
                release: opened.release.clone(),
                filter: query.filter.clone(),
                records: opened.index.records(),
                ordered: opened.index.ordered(&rows, query.order, stop)?,
                rows,
                took: began.elapsed(),
            });
            let made = work(&selected, opened, stop)?;
            kept.complete(&selected, &opened.index);
            Ok((selected, made))
        };
        self.releases.with_local(opened, work).await
    }
}

/// The newest local release of a feed, where it is another one than this. One that cannot be used is no reason to leave a release that
/// can: a request for the newest gets that error.
fn newer_than(opened: &OpenRelease, releases: &Releases) -> Option<Moment> {
    let manifest = &opened.release.manifest;
    let newest = releases.newest_local(manifest.feed, Format::Json);
    let newest = newest.ok().flatten()?.manifest.moment;
    (newest != manifest.moment).then_some(newest)
}

fn read(opened: &OpenRelease, row: RowId) -> std::result::Result<ViewRow, QueryError> {
    let mut line = Vec::new();
    opened.index.line(row, &mut line)?;
    Ok(Document::read(&line).map_err(|why| why.to_string()))
}
