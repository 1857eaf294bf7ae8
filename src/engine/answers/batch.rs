//! Live lookups of many addresses: a few at a time, each answer told of as it comes and kept like any other.

use std::net::IpAddr;

use futures_util::{StreamExt, stream};

use super::{Answers, Limits, NotAnswered, Source, Spending, policy::without_a_query};
use crate::{
    contract::LookupQuery,
    engine::{
        error::{Error, Result},
        threads::off_thread,
    },
};

/// Lookups that are under way at a time.
pub const IN_FLIGHT: usize = 4;

/// What many lookups came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BatchEnd {
    pub answered: u64,
    pub failed: u64,
    /// Those that were not sent, because they would have met what another one met.
    pub left_out: u64,
    /// What that was.
    pub stopped: Option<Error>,
}

impl Answers {
    /// Sends these queries, and tells of each when it ends, and where its answer is from. One that was answered meanwhile is not sent
    /// again. What would stop every later one stops them all.
    pub async fn look_up_all(
        &self,
        queries: Vec<LookupQuery>,
        tell: impl Fn(IpAddr, Result<Source>),
    ) -> BatchEnd {
        let spending = Spending::at_most(u64::MAX);
        spending.begin_batch();
        let spending = &spending;
        let asked = stream::iter(queries).map(async |query| {
            // Where that cannot be told, nothing is sent.
            let answer = match self.is_in_cache(query).await {
                Ok(true) => Ok(Source::Cached),
                Ok(false) => {
                    let answer = self.lookup_within(&query, spending).await;
                    answer.map(|_| Source::Live)
                }
                Err(error) => Err(NotAnswered::Failed(error)),
            };
            (query.address, answer)
        });
        let mut asked = std::pin::pin!(asked.buffer_unordered(IN_FLIGHT));
        let mut end = BatchEnd::default();
        while let Some((address, answer)) = asked.next().await {
            match answer {
                Ok(source) => {
                    end.answered += 1;
                    tell(address, Ok(source));
                }
                Err(NotAnswered::Failed(error)) => {
                    end.failed += 1;
                    if error.kind.stops_a_batch() {
                        end.stopped.get_or_insert_with(|| error.clone());
                    }
                    tell(address, Err(error));
                }
                Err(NotAnswered::LeftOut(_)) => end.left_out += 1,
            }
        }
        end
    }

    /// Whether the cache has an answer that replaces a query.
    async fn is_in_cache(&self, query: LookupQuery) -> Result<bool> {
        let own = self.clone();
        off_thread(move || {
            let cached = own.cached(&query);
            let asked = cached.map(|answer| answer.provenance.asked_at);
            let limits = Limits::of(&own.settings);
            let source = without_a_query(query.date, None, asked, limits, own.settings.now());
            Ok(source == Some(Source::Cached))
        })
        .await
    }
}
