//! The most recently used selections, kept open. It must never hand out one of another release: rows are numbers of one index.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use crate::{
    engine::{releases::OpenRelease, threads::lock},
    store::{
        Filter, StopFlag,
        index::{Order, Ordered, QueryError, Selection},
        layout::Release,
    },
};

/// Views that are kept: of 10 million records each takes up to 5 MiB.
const MOST: usize = 3;

/// The most recently used views, the latest first.
#[derive(Debug, Default)]
pub(super) struct OpenViews(Mutex<Vec<Arc<OpenView>>>);

#[derive(Debug)]
pub(super) struct OpenView {
    pub(super) release: Release,
    pub(super) filter: Filter,
    pub(super) records: u64,
    pub(super) rows: Arc<Selection>,
    pub(super) ordered: Ordered,
    pub(super) took: Duration,
}

impl OpenViews {
    /// The open view of a filter and an order.
    pub(super) fn find(
        &self,
        release: &Release,
        filter: &Filter,
        order: Order,
    ) -> Option<Arc<OpenView>> {
        let mut kept = lock(&self.0);
        let at = kept.iter().position(|own| {
            own.ordered.order() == order && own.filter == *filter && own.release == *release
        })?;
        let found = kept.remove(at);
        kept.insert(0, Arc::clone(&found));
        Some(found)
    }

    /// Keeps a view in place of the least recently used one. The same view may have been opened meanwhile.
    pub(super) fn keep(&self, selected: OpenView) -> Arc<OpenView> {
        let order = selected.ordered.order();
        if let Some(same) = self.find(&selected.release, &selected.filter, order) {
            return same;
        }
        let selected = Arc::new(selected);
        let mut kept = lock(&self.0);
        kept.truncate(MOST - 1);
        kept.insert(0, Arc::clone(&selected));
        selected
    }

    /// The rows that a filter selects, from a view of any order.
    pub(super) fn select(
        &self,
        opened: &OpenRelease,
        filter: &Filter,
        stop: &StopFlag,
    ) -> Result<Arc<Selection>, QueryError> {
        let same = |own: &&Arc<OpenView>| own.filter == *filter && own.release == opened.release;
        let found = lock(&self.0)
            .iter()
            .find(same)
            .map(|own| Arc::clone(&own.rows));
        match found {
            Some(rows) => Ok(rows),
            None => opened.index.select(filter, stop).map(Arc::new),
        }
    }
}
