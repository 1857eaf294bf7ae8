//! Choosing among the sources of a question, and asking the service where the policy says so: the same for every front.

use super::{
    Answers,
    answer::LookupAnswer,
    policy::{Age, PolicyStep, Source, Sources, next},
    spending::{NotAnswered, Spending},
};
use crate::{
    contract::LookupQuery,
    engine::{
        account::{QueryPurpose, SavedBy},
        error::{Error, Kind, Result, offline},
    },
};

impl Answers {
    /// Answers a question by the policy, in two parts. The first, what is local or cached and what follows from it, is reported at
    /// once and is free. Where a query follows, it is sent, and its answer is what comes back: `None` where the first part was all.
    ///
    /// # Errors
    /// As [`Answers::sources`], before anything is reported: nothing is sent then. As [`Answers::lookup`] after it.
    pub async fn by_policy(
        &self,
        query: &LookupQuery,
        tell: impl FnOnce(Sources, PolicyStep),
    ) -> Result<Option<LookupAnswer>> {
        let sources = self.sources(query).await?;
        let then = next(&sources, self.settings.now());
        tell(sources, then);
        match then {
            PolicyStep::Show(..) => Ok(None),
            PolicyStep::Ask(_) => self.lookup(query).await.map(Some),
        }
    }

    /// Chooses the answer to show, and asks the service where the policy says so.
    ///
    /// # Errors
    /// What the service answered, or why nothing may be sent and nothing local or cached can replace the answer.
    pub async fn resolve(
        &self,
        sources: &mut Sources,
        spending: &Spending,
    ) -> Result<(Source, Age), NotAnswered> {
        if let PolicyStep::Show(source, age) = next(sources, self.settings.now()) {
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
                // A guard closed since: what is local or cached may answer, marked as stale.
                Err(why) if why.error().kind == Kind::Guard => why,
                Err(why) => return Err(why),
            },
        };
        sources.may_send = false;
        if let PolicyStep::Show(source, age) = next(sources, self.settings.now()) {
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
    ) -> Result<LookupAnswer, NotAnswered> {
        if let Some(why) = spending.used_up() {
            return Err(why);
        }
        let reserved = self.pass_guards(query).await;
        let reserved = reserved.inspect_err(|error| spending.heed(error))?;
        // What another run of this process sends meanwhile is paid for there.
        if let Some(same) = self.underway.join(query) {
            drop(reserved);
            return Ok(same.answer().await?);
        }
        // What a guard refuses is not sent, and not counted.
        spending.take_one()?;
        let work = spending.work().unwrap_or(QueryPurpose::of(query));
        let answer = self.send(query, work, reserved).await;
        Ok(answer.inspect_err(|error| spending.heed(error))?)
    }

    /// Why nothing may be sent, where that is known; once closed it stays so for the run. This may read the token.
    pub async fn closed(&self, spending: &Spending) -> Option<NotAnswered> {
        if self.settings.offline {
            return Some(NotAnswered::Failed(offline()));
        }
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
}
