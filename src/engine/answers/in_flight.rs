//! Queries in flight: each is sent once for any number of waiters, and completes even without one.
//!
//! A query that was sent may have been paid for, so its answer is never thrown away, and the same query is never sent twice at
//! once. A query that was not sent yet is aborted when its last waiter is dropped.

use std::{
    collections::HashMap,
    future::Future,
    sync::{Arc, Mutex},
    time::Duration,
};

use tokio::{sync::watch, task::AbortHandle};

use super::answer::LookupAnswer;
use crate::{
    contract::LookupQuery,
    engine::{
        account::Sending,
        error::Result,
        threads::{ended_early, lock},
    },
};

/// The queries under way, by what they ask.
#[derive(Debug, Default)]
pub(super) struct InFlight(Mutex<HashMap<LookupQuery, InFlightQuery>>);

/// The outcome of a query; empty until it is known.
type QueryOutcome = Option<Result<LookupAnswer>>;

#[derive(Debug)]
struct InFlightQuery {
    sending: Arc<Sending>,
    answer: watch::Receiver<QueryOutcome>,
    abort: AbortHandle,
}

impl InFlight {
    /// Waits for a query that is under way; `None` where there is none.
    pub(super) fn join(self: &Arc<Self>, query: &LookupQuery) -> Option<Waiting> {
        let entries = lock(&self.0);
        let entry = entries.get(query)?;
        entry.sending.join();
        Some(self.waiting(query, entry))
    }

    /// Sends a query, unless the same was sent meanwhile, and waits for it. `ask` receives the state that counts the waiters.
    pub(super) fn begin<F>(
        self: &Arc<Self>,
        query: &LookupQuery,
        ask: impl FnOnce(Arc<Sending>) -> F,
    ) -> Waiting
    where
        F: Future<Output = Result<LookupAnswer>> + Send + 'static,
    {
        let mut entries = lock(&self.0);
        if let Some(entry) = entries.get(query) {
            entry.sending.join();
            return self.waiting(query, entry);
        }
        let sending = Arc::<Sending>::default();
        let (tell, answer) = watch::channel(None);
        let ending = QueryEnd {
            underway: Arc::clone(self),
            query: *query,
            sending: Arc::clone(&sending),
        };
        let asking = ask(Arc::clone(&sending));
        let task = tokio::spawn(async move {
            // Dropped after the answer was told, and also when the task panics or is aborted.
            let (_ending, outcome) = (ending, asking.await);
            tell.send_replace(Some(outcome));
        });
        let abort = task.abort_handle();
        let entry = InFlightQuery {
            sending,
            answer,
            abort,
        };
        let waiting = self.waiting(query, &entry);
        entries.insert(*query, entry);
        waiting
    }

    /// Waits for the end of all queries that were sent, but no longer than this.
    pub(super) async fn finish(&self, patience: Duration) {
        let answers: Vec<_> = {
            let entries = lock(&self.0);
            let answers = entries.values().map(|entry| entry.answer.clone());
            answers.collect()
        };
        let all = async {
            for mut answer in answers {
                // Until the task has ended: it tells once.
                while answer.changed().await.is_ok() {}
            }
        };
        // What takes longer stays possibly spent in the ledger.
        let _ = tokio::time::timeout(patience, all).await;
    }

    /// Whether a query is under way.
    pub(super) fn is_empty(&self) -> bool {
        lock(&self.0).is_empty()
    }

    fn waiting(self: &Arc<Self>, query: &LookupQuery, entry: &InFlightQuery) -> Waiting {
        Waiting {
            underway: Arc::clone(self),
            query: *query,
            sending: Arc::clone(&entry.sending),
            answer: entry.answer.clone(),
        }
    }

    /// Forgets this very query; one that was sent since stays.
    fn forget(
        entries: &mut HashMap<LookupQuery, InFlightQuery>,
        query: &LookupQuery,
        sending: &Arc<Sending>,
    ) -> Option<InFlightQuery> {
        let flight_query = entries.get(query)?;
        let is_same = Arc::ptr_eq(&flight_query.sending, sending);
        is_same.then(|| entries.remove(query)).flatten()
    }
}

/// A waiter for a query.
#[derive(Debug)]
pub(super) struct Waiting {
    underway: Arc<InFlight>,
    query: LookupQuery,
    sending: Arc<Sending>,
    answer: watch::Receiver<QueryOutcome>,
}

impl Waiting {
    pub(super) async fn answer(mut self) -> Result<LookupAnswer> {
        match self.answer.wait_for(Option::is_some).await.as_deref() {
            Ok(Some(outcome)) => outcome.clone(),
            Ok(None) | Err(_) => Err(ended_early()),
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        // Under the lock, so that no waiter joins a query that is being aborted.
        let mut entries = lock(&self.underway.0);
        if self.sending.leave()
            && let Some(entry) = InFlight::forget(&mut entries, &self.query, &self.sending)
        {
            entry.abort.abort();
        }
    }
}

/// Removes a query when its task ends, also by a panic or an abort.
#[derive(Debug)]
struct QueryEnd {
    underway: Arc<InFlight>,
    query: LookupQuery,
    sending: Arc<Sending>,
}

impl Drop for QueryEnd {
    fn drop(&mut self) {
        let mut entries = lock(&self.underway.0);
        InFlight::forget(&mut entries, &self.query, &self.sending);
    }
}
