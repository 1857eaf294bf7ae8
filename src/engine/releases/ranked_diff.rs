//! The changes between two days, ranked, kept until others are: to rank them, all are read.

use std::sync::{Arc, Mutex};

use crate::{
    engine::threads::lock,
    store::{Filter, diff::Ranking, layout::Release},
};

/// The releases that are compared, the old one first, and the filter for both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RankedDays {
    pub(super) releases: [Release; 2],
    pub(super) filter: Filter,
}

/// The changes that were ranked last.
#[derive(Debug, Default)]
pub(super) struct RankedDiff(Mutex<Option<(RankedDays, Arc<Ranking>)>>);

impl RankedDiff {
    pub(super) fn find(&self, days: &RankedDays) -> Option<Arc<Ranking>> {
        let kept = lock(&self.0);
        let (_, ranking) = kept
            .as_ref()
            .filter(|(ranked_days, _)| ranked_days == days)?;
        Some(Arc::clone(ranking))
    }

    pub(super) fn keep(&self, days: &RankedDays, ranking: Ranking) -> Arc<Ranking> {
        let ranking = Arc::new(ranking);
        *lock(&self.0) = Some((days.clone(), Arc::clone(&ranking)));
        ranking
    }
}
