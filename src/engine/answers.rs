//! Answers about addresses: from the local feeds, from the cache, and from the service for a query.

pub(super) mod answer;
mod batch;
mod best;
mod cache;
mod day;
pub mod enrich;
mod exchange;
pub(super) mod form;
mod in_flight;
mod lookup;
mod policy;
mod resolve;
mod sources;
mod spending;

use std::sync::Arc;

pub use self::{
    answer::{AnswerRecord, LookupAnswer},
    batch::{BatchEnd, IN_FLIGHT, PossiblySpent},
    best::{BestAnswer, BestAnswers},
    day::{DayAnswer, DayReleases},
    policy::{Age, Limits, PolicyStep, Source, Sources, next, replaces_a_query},
    spending::{Allowance, Budget, NotAnswered, Spending},
};
use self::{cache::AnswerCache, in_flight::InFlight};
use super::{
    account::Account, http::Requests, live::Live, notices::Notices, settings::Settings,
    storage::Storage, trail::TrailLog,
};

/// Answers questions about addresses.
#[derive(Clone, Debug)]
pub struct Answers {
    settings: Arc<Settings>,
    notices: Arc<Notices>,
    account: Arc<Account>,
    requests: Requests,
    live: Live,
    storage: Storage,
    trail: Arc<TrailLog>,
    cache: Arc<AnswerCache>,
    underway: Arc<InFlight>,
}

impl Answers {
    /// The same of the days at another place.
    #[must_use]
    pub(super) fn of(mut self, storage: Storage) -> Self {
        self.storage = storage;
        self
    }

    pub(super) fn new(
        settings: Arc<Settings>,
        notices: Arc<Notices>,
        account: Arc<Account>,
        requests: Requests,
        live: Live,
        storage: Storage,
        trail: Arc<TrailLog>,
    ) -> Self {
        Self {
            cache: Arc::new(AnswerCache::of(&settings)),
            settings,
            notices,
            account,
            requests,
            live,
            storage,
            trail,
            underway: Arc::default(),
        }
    }
}
