//! The local and cached answers to a question. Nothing is sent from here.

use super::{
    Answers,
    answer::LookupAnswer,
    cache::CacheListing,
    policy::{Limits, Sources},
};
use crate::{
    contract::{Geolocation, LookupQuery},
    engine::{
        error::{Error, Result},
        storage::{Opened, Pick},
    },
    model::Subject,
};

impl Answers {
    /// The local and cached answers to a question: of the newest releases, or for a past day of those of that day. Sends nothing, and costs
    /// nothing.
    ///
    /// # Errors
    /// What keeps the local releases from being read. One that cannot be used is in [`Sources::unusable`].
    pub async fn sources(&self, query: &LookupQuery) -> Result<Sources> {
        let (feed, day) = (None, query.date);
        let days = match query.geolocation {
            // Only the service has it.
            Geolocation::Mmgeo => Opened::default(),
            Geolocation::Service => self.storage.open_picked(&Pick { feed, day }).await?,
        };
        self.sources_among(query, &days).await
    }

    /// As [`Answers::sources`], from local releases that are open.
    ///
    /// # Errors
    /// As [`Releases::with_local`](crate::engine::Releases::with_local).
    pub async fn sources_among(&self, query: &LookupQuery, days: &Opened) -> Result<Sources> {
        let subject = Subject::Address(query.address);
        let mut unusable: Vec<Error> = Vec::new();
        for feed in &days.unusable {
            if !unusable.contains(&feed.why) {
                unusable.push(feed.why.clone());
            }
        }
        let mut opened = Vec::new();
        for day in &days.days {
            match self.storage.about(day, &[subject]).await {
                Ok(day) => opened.push(day),
                // What is local, cached or live answers all the same.
                Err(error) => unusable.push(error),
            }
        }
        let local = self.storage.releases.lookup_local(subject, &opened).await?;
        let is_service_only = query.geolocation == Geolocation::Mmgeo;
        Ok(Sources {
            query: *query,
            local,
            cached: (!is_service_only).then(|| self.cached(query)).flatten(),
            live: None,
            unusable,
            may_send: true,
            limits: Limits::of(&self.settings),
        })
    }

    /// What the service answered to this question, of any age: whether it is too old is decided by [`next`](super::next).
    pub(super) fn cached(&self, query: &LookupQuery) -> Option<LookupAnswer> {
        self.usable(self.cache.find(query, self.settings.now()))
    }

    /// The same among many questions.
    pub(super) fn cached_among(
        &self,
        cache: &mut CacheListing<'_>,
        query: &LookupQuery,
    ) -> Option<LookupAnswer> {
        self.usable(cache.find(query, self.settings.now()))
    }

    /// What is wrong with the cache is told, and keeps no answer from being asked for.
    fn usable(&self, found: Result<Option<LookupAnswer>, Error>) -> Option<LookupAnswer> {
        found.unwrap_or_else(|error| {
            self.notices.trouble(error);
            None
        })
    }
}
