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
    spending::{NotAnswered, Spending},
};
use self::{cache::AnswerCache, in_flight::InFlight};
use super::{
    account::Account,
    error::Result,
    http::Requests,
    live::Live,
    notices::Notices,
    releases::OpenRelease,
    releases::Releases,
    settings::Settings,
    trail::TrailLog,
    views::UnusableFeed,
    warehouse::{Load, Warehouse},
};
use crate::{
    contract::Feed,
    model::{Day, Subject},
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
    underway: Arc<InFlight>,
    warehouse: Warehouse,
    place: Place,
}

/// Where releases are that answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// On this disk.
    #[default]
    Local,
    /// In the warehouse of the profile.
    Warehouse,
    /// On this disk; a past day that is not there, in the warehouse, if the profile names one.
    LocalThenWarehouse,
}

impl Answers {
    /// The same of the releases at this place.
    #[must_use]
    pub(super) fn at(mut self, place: Place) -> Self {
        self.place = place;
        self
    }

    /// The loads of a day of these feeds, where a day is asked that may be in the warehouse alone; none of them is read yet.
    async fn open_beyond(
        &self,
        feeds: &[Feed],
        day: Option<Day>,
    ) -> Result<(Vec<OpenRelease>, Vec<UnusableFeed>)> {
        let is_asked = self.place == Place::LocalThenWarehouse && self.warehouse.is_at_hand();
        match day {
            Some(_) if is_asked && !feeds.is_empty() => self.warehouse.open_day(feeds, day).await,
            _ => Ok((Vec::new(), Vec::new())),
        }
    }

    /// These releases with what they have about these addresses and networks: of the loads of a warehouse that is read now.
    ///
    /// # Errors
    /// What the warehouse refuses.
    pub async fn opened_about(
        &self,
        opened: &[OpenRelease],
        subjects: impl IntoIterator<Item = Subject>,
    ) -> Result<Vec<OpenRelease>> {
        let mut all = opened.to_vec();
        let subjects = subjects.into_iter().collect::<Vec<_>>();
        for own in &mut all {
            if let Some(load) = Load::of_release(&own.release) {
                *own = Box::pin(self.warehouse.open_about(&load, &subjects)).await?;
            }
        }
        Ok(all)
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "the services that answers are made of, named at the only call"
    )]
    pub(super) fn new(
        settings: Arc<Settings>,
        notices: Arc<Notices>,
        account: Arc<Account>,
        requests: Requests,
        live: Live,
        releases: Releases,
        trail: Arc<TrailLog>,
        warehouse: Warehouse,
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
            warehouse,
            place: Place::Local,
        }
    }
}
