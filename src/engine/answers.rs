//! Answers about addresses: from the local feeds, from the cache, and from the service for a query.

pub(super) mod answer;
mod best;
mod cache;
pub mod enrich;
mod exchange;
pub(super) mod form;
mod lookup;
mod policy;
mod resolve;
mod sources;
mod spending;
mod underway;

use std::sync::Arc;

pub use self::{
    answer::{Answer, Record},
    best::{BestAnswer, BestAnswers},
    policy::{Age, Limits, Next, Source, Sources, next, replaces_a_query},
    spending::{NotAnswered, Spending},
};
use self::{cache::AnswerCache, underway::Underway};
use super::{
    account::Account, http::Requests, live::Live, notices::Notices, releases::Releases,
    settings::Settings, trail::TrailLog,
};

/// Answers questions about addresses.
#[derive(Clone, Debug)]
pub struct Answers {
    settings: Arc<Settings>,
    notices: Arc<Notices>,
    account: Arc<Account>,
    requests: Requests,
    live: Live,
    releases: Releases,
    trail: Arc<TrailLog>,
    cache: Arc<AnswerCache>,
    underway: Arc<Underway>,
}

impl Answers {
    pub(super) fn new(
        settings: Arc<Settings>,
        notices: Arc<Notices>,
        account: Arc<Account>,
        requests: Requests,
        live: Live,
        releases: Releases,
        trail: Arc<TrailLog>,
    ) -> Self {
        Self {
            cache: Arc::new(AnswerCache::of(&settings)),
            settings,
            notices,
            account,
            requests,
            live,
            releases,
            trail,
            underway: Arc::default(),
        }
    }
}
