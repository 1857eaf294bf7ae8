//! Filling the sources of a question and choosing among them, the same for every front.

use super::{
    Answers,
    answer::Answer,
    policy::{Age, Limits, Next, Source, Sources, next},
    spending::{NotAnswered, Spending},
};
use crate::{
    contract::{Geolocation, LookupQuery},
    engine::{
        account::{SavedBy, Work},
        error::{Error, Kind, Result},
        releases::{Pick, Picked},
    },
    model::Subject,
};

impl Answers {
    /// The local and cached answers to a question. Sends nothing, and costs nothing.
    ///
    /// # Errors
    /// What keeps the local releases from being read. One that cannot be used is in [`Sources::unusable`].
    pub async fn sources(&self, query: &LookupQuery) -> Result<Sources> {
        let picked = self.open_in_place_of(query).await?;
        self.sources_among(query, &picked).await
    }

    /// The local releases that may answer a question in place of a query: the newest, or for a past day those of that day.
    /// None for a geolocation that only the service has.
    ///
    /// # Errors
    /// As [`Releases::open_picked`](crate::engine::releases::Releases::open_picked), but for a day that is not local.
    async fn open_in_place_of(&self, query: &LookupQuery) -> Result<Picked> {
        if query.geolocation == Geolocation::Mmgeo {
            return Ok(Picked::default());
        }
        let pick = Pick {
            feed: None,
            day: query.date,
        };
        match self.releases.open_picked(&pick).await {
            Err(error) if error.kind == Kind::NotFound => Ok(Picked::default()),
            picked => picked,
        }
    }

    /// As [`Answers::sources`], from local releases that are open.
    ///
    /// # Errors
    /// As [`Releases::with_local`](crate::engine::Releases::with_local).
    pub async fn sources_among(&self, query: &LookupQuery, picked: &Picked) -> Result<Sources> {
        let subject = Subject::Address(query.address);
        let local = self.releases.lookup_local(subject, &picked.opened).await?;
        let is_service_only = query.geolocation == Geolocation::Mmgeo;
        Ok(Sources {
            query: *query,
            local,
            cached: (!is_service_only).then(|| self.cached(query)).flatten(),
            live: None,
            unusable: picked.unusable.clone(),
            may_send: true,
            limits: Limits::of(&self.settings),
        })
    }

    /// Chooses the answer to show, and asks the service where the policy says so.
    ///
    /// # Errors
    /// Why there is no answer: what the service said, or why nothing may be sent, where nothing local or cached may
    /// stand in.
    pub async fn resolve(
        &self,
        sources: &mut Sources,
        spending: &Spending,
    ) -> Result<(Source, Age), NotAnswered> {
        if let Next::Show(source, age) = next(sources, self.settings.now()) {
            self.account.note_saved(match source {
                Source::Local => SavedBy::Local,
                _ => SavedBy::Cache,
            });
            return Ok((source, age));
        }
        let why = match self.closed(spending).await {
            Some(closed) => closed,
            None => match self.lookup_within(&sources.query, spending).await {
                Ok(answer) => {
                    sources.live = Some(answer);
                    return Ok((Source::Live, Age::Fresh));
                }
                // A guard closed since: what is at hand may answer, marked as stale.
                Err(why) if why.error().kind == Kind::Guard => why,
                Err(why) => return Err(why),
            },
        };
        sources.may_send = false;
        if let Next::Show(source, age) = next(sources, self.settings.now()) {
            return Ok((source, age));
        }
        Err(match why {
            NotAnswered::Failed(error) => {
                // A local release that cannot be used may have had the answer.
                let error = sources.unusable.first().cloned().unwrap_or(error);
                let address = sources.query.address;
                let message = format!("no local or cached answer for {address}; {}", error.message);
                NotAnswered::Failed(Error { message, ..error })
            }
            left_out @ NotAnswered::LeftOut(_) => left_out,
        })
    }

    /// Looks an address up, live, unless the run may not send any more queries.
    ///
    /// # Errors
    /// As [`Answers::lookup`]; [`NotAnswered::LeftOut`] for what was not asked.
    pub async fn lookup_within(
        &self,
        query: &LookupQuery,
        spending: &Spending,
    ) -> Result<Answer, NotAnswered> {
        if let Some(why) = spending.used_up() {
            return Err(why);
        }
        let reserved = self.pass_guards(query).await;
        let reserved = reserved.inspect_err(|error| spending.heed(error))?;
        // What a guard refuses is not sent, and not counted.
        spending.take_one()?;
        let work = spending.work().unwrap_or(Work::of(query));
        let answer = self.send(query, work, reserved).await;
        Ok(answer.inspect_err(|error| spending.heed(error))?)
    }

    /// Why nothing may be sent, where that is known; once closed it stays so for the run. This may read the token.
    pub async fn closed(&self, spending: &Spending) -> Option<NotAnswered> {
        if let Some(why) = spending.used_up() {
            return Some(why);
        }
        let mut closed = spending.closed();
        if closed.is_none()
            && let Err(error) = self.account.may_send().await
        {
            spending.close(&error);
            closed = Some(error);
        }
        closed.map(NotAnswered::Failed)
    }

    /// What the service answered to this question, of any age: whether it is too old is decided by [`next`].
    fn cached(&self, query: &LookupQuery) -> Option<Answer> {
        let found = self.cache.find(query, self.settings.now());
        found.unwrap_or_else(|error| {
            self.notices.trouble(error);
            None
        })
    }
}
