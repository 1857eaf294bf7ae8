//! Live lookups of many addresses: a few at a time, each answer told of as it comes and kept like any other.

use std::collections::{HashMap, HashSet};

use futures_util::{StreamExt, stream};

use super::{Answers, Limits, LookupAnswer, NotAnswered, Source, Spending};
use crate::{
    contract::LookupQuery,
    engine::{
        account::SavedBy,
        error::{Error, Result},
        threads::off_thread,
    },
};

/// Lookups that are under way at a time.
pub const IN_FLIGHT: usize = 4;

/// What is done about queries that are possibly spent: sent by a run that was cut off, or failed once they were sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PossiblySpent {
    LeftOut,
    Repeated,
}

/// What many lookups came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BatchEnd {
    pub answered: u64,
    pub failed: u64,
    /// Those that were not sent, because they would have met what another one met.
    pub left_out: u64,
    /// Those that were not sent, because they are possibly spent.
    pub possibly_spent: u64,
    /// What kept the others from being sent.
    pub stopped: Option<Error>,
}

impl Answers {
    /// Sends these queries, and tells of each when it ends, with its answer and where that is from. One that was answered meanwhile is
    /// not sent again, and one that is possibly spent only if it is to be repeated. What would stop every later one stops them all.
    pub async fn look_up_all(
        &self,
        queries: Vec<LookupQuery>,
        (spending, lost): (&Spending, PossiblySpent),
        tell: impl Fn(LookupQuery, Result<(Source, LookupAnswer)>),
    ) -> BatchEnd {
        let mut end = BatchEnd::default();
        spending.begin_batch();
        let repeats = lost;
        let lost = match lost {
            PossiblySpent::Repeated => Ok(HashSet::new()),
            PossiblySpent::LeftOut => self.possibly_spent(queries.clone()).await,
        };
        let lost = match lost {
            Ok(lost) => lost,
            // Where that cannot be told, nothing is sent.
            Err(error) => {
                end.left_out = queries.len() as u64;
                end.stopped = Some(error);
                return end;
            }
        };
        let asked = stream::iter(queries).map(async |query| {
            let answer = match self.cached_answers(vec![query]).await {
                Ok(mut cached) => match cached.remove(&query) {
                    Some(answer) => Ok(Some((Source::Cached, answer))),
                    None if lost.contains(&query) => Ok(None),
                    None => self.look_up_once(query, spending, repeats).await,
                },
                Err(error) => Err(NotAnswered::Failed(error)),
            };
            (query, answer)
        });
        let mut asked = std::pin::pin!(asked.buffer_unordered(IN_FLIGHT));
        while let Some((query, answer)) = asked.next().await {
            match answer {
                Ok(Some(answer)) => {
                    end.answered += 1;
                    tell(query, Ok(answer));
                }
                Ok(None) => end.possibly_spent += 1,
                Err(NotAnswered::Failed(error)) => {
                    end.failed += 1;
                    if error.kind.stops_a_batch() {
                        end.stopped.get_or_insert_with(|| error.clone());
                    }
                    tell(query, Err(error));
                }
                Err(NotAnswered::LeftOut(_)) => end.left_out += 1,
            }
        }
        end
    }

    /// Sends a query, unless another run has sent it since the batch began.
    async fn look_up_once(
        &self,
        query: LookupQuery,
        spending: &Spending,
        lost: PossiblySpent,
    ) -> Result<Option<(Source, LookupAnswer)>, NotAnswered> {
        if lost == PossiblySpent::LeftOut && !self.possibly_spent(vec![query]).await?.is_empty() {
            return Ok(None);
        }
        let answer = self.lookup_within(&query, spending).await?;
        Ok(Some((Source::Live, answer)))
    }

    /// Which of these queries may have been spent without an answer: they were sent by a run that was cut off, or failed once they were
    /// sent. It does not look whether an answer is cached meanwhile.
    ///
    /// # Errors
    /// A failure of this machine.
    pub async fn possibly_spent(&self, queries: Vec<LookupQuery>) -> Result<HashSet<LookupQuery>> {
        let account = self.account.clone();
        off_thread(move || account.possibly_spent(&queries)).await
    }

    /// The cached answers that replace these queries.
    ///
    /// # Errors
    /// [`Kind::Interrupted`](crate::engine::Kind::Interrupted).
    pub async fn cached_answers(
        &self,
        queries: Vec<LookupQuery>,
    ) -> Result<HashMap<LookupQuery, LookupAnswer>> {
        let answers = self.clone();
        off_thread(move || {
            let (limits, now) = (Limits::of(&answers.settings), answers.settings.now());
            let mut cache = answers.cache.listing();
            let cached = queries.into_iter().filter_map(|query| {
                let answer = answers.cached_among(&mut cache, &query)?;
                let asked = answer.provenance.asked_at;
                limits
                    .replaces(query.date, asked, now)
                    .then_some((query, answer))
            });
            Ok(cached.collect())
        })
        .await
    }

    /// Notes that cached answers took the place of so many queries.
    pub fn note_saved_by_cache(&self, queries: usize) {
        for _ in 0..queries {
            self.account.note_saved(SavedBy::Cache);
        }
    }
}
