//! The most recently used selections, kept open. It must never hand out one of another release: rows are numbers of one index.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use crate::{
    engine::{releases::OpenRelease, threads::lock},
    store::{
        Filter, StopFlag,
        index::{Index, Order, Ordered, QueryError, Selection},
        layout::Release,
    },
};

/// Views that are kept: of 10 million records each takes up to 5 MiB.
const MOST: usize = 3;

#[derive(Debug, Default)]
pub(super) struct OpenViews {
    /// The most recently used views, the latest first.
    views: Mutex<Vec<Arc<OpenView>>>,
    /// Stops completing the order of the view that was opened last.
    completion: Mutex<StopFlag>,
}

#[derive(Debug)]
pub(super) struct OpenView {
    pub(super) release: Release,
    pub(super) filter: Filter,
    pub(super) records: u64,
    pub(super) rows: Arc<Selection>,
    pub(super) ordered: Ordered,
    /// How long selecting the rows took, and the part of ordering them that the first page needs.
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
        let mut kept = lock(&self.views);
        let at = kept.iter().position(|view| {
            view.ordered.order() == order && view.filter == *filter && view.release == *release
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
        let mut kept = lock(&self.views);
        kept.truncate(MOST - 1);
        kept.insert(0, Arc::clone(&selected));
        selected
    }

    /// Stops completing the order of the last view: the next one needs the processors.
    pub(super) fn stop_completion(&self) {
        lock(&self.completion).stop();
    }

    /// Completes the order of a new view in the background, so that a jump does not wait for it. `index` must be the one of the view.
    pub(super) fn complete(&self, view: &Arc<OpenView>, index: &Index) {
        if view.ordered.is_complete() {
            return;
        }
        let (view, index, stop) = (Arc::clone(view), index.clone(), StopFlag::default());
        lock(&self.completion).clone_from(&stop);
        // A page that needs the order reports what is wrong with it.
        tokio::task::spawn_blocking(move || view.ordered.complete(&index, &stop).ok());
    }

    /// The rows that a filter selects, from a view of any order.
    pub(super) fn select(
        &self,
        opened: &OpenRelease,
        filter: &Filter,
        stop: &StopFlag,
    ) -> Result<Arc<Selection>, QueryError> {
        let same = |view: &&Arc<OpenView>| view.filter == *filter && view.release == opened.release;
        let found = lock(&self.views)
            .iter()
            .find(same)
            .map(|view| Arc::clone(&view.rows));
        match found {
            Some(rows) => Ok(rows),
            None => opened.index.select(filter, stop).map(Arc::new),
        }
    }
}
