//! The cost of a request: noted in the ledger before each attempt, and settled however the request ends, once its answer is kept.

use std::sync::{
    OnceLock,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use super::{
    Account,
    ledger::{LedgerIntent, QueryPurpose, Spent},
};
use crate::{
    contract::Endpoint,
    engine::error::{Error, Kind, Result},
};

/// A request in flight: whether an attempt may be counted by the service, and the number of its waiters, at first one.
#[derive(Debug)]
pub(in crate::engine) struct Sending {
    work: OnceLock<QueryPurpose>,
    under_way: AtomicBool,
    waiting: AtomicUsize,
}

impl Default for Sending {
    fn default() -> Self {
        Self {
            work: OnceLock::new(),
            under_way: AtomicBool::default(),
            waiting: AtomicUsize::new(1),
        }
    }
}

impl Sending {
    /// Sets the purpose of the query.
    pub(in crate::engine) fn is_for(&self, work: QueryPurpose) {
        // The purpose of the first caller stays.
        let _ = self.work.set(work);
    }

    /// Adds a waiter.
    pub(in crate::engine) fn join(&self) {
        self.waiting.fetch_add(1, Ordering::SeqCst);
    }

    /// Removes a waiter; after the last one no further attempt is sent. Returns whether it was the last and no attempt is in
    /// flight, so that the request can be aborted without a cost.
    pub(in crate::engine) fn leave(&self) -> bool {
        let was_last = self.waiting.fetch_sub(1, Ordering::SeqCst) == 1;
        was_last && !self.under_way.load(Ordering::SeqCst)
    }

    /// Whether there is no waiter.
    pub(in crate::engine) fn is_left(&self) -> bool {
        self.waiting.load(Ordering::SeqCst) == 0
    }

    /// Begins an attempt, unless no one waits. The order of the two atomic accesses here and in [`Sending::leave`] makes sure
    /// that at least one side sees the other.
    fn begin(&self) -> Result<()> {
        self.under_way.store(true, Ordering::SeqCst);
        if self.is_left() {
            self.end();
            return Err(Error::new(Kind::Interrupted, "nobody waits any longer"));
        }
        Ok(())
    }

    /// The end of a try is known.
    fn end(&self) {
        self.under_way.store(false, Ordering::SeqCst);
    }
}

/// What a question may have cost so far. It reaches the ledger however the question ends, by an interruption too; what is
/// killed leaves its intent there.
pub(in crate::engine) struct Cost<'a> {
    account: &'a Account,
    endpoint: &'a Endpoint,
    /// What stands for the question in the ledger, once something was about to be sent.
    intent: Option<LedgerIntent>,
    /// Queries that may have been counted for tries that failed.
    pub(in crate::engine) possibly: u32,
    /// The queries surely spent, and the balance that the answer names, once there is one.
    answered: Option<(u32, Option<u64>)>,
    /// Whether the answer is of use to no later run: it cannot be read, or is not kept.
    is_unkept: bool,
    sending: &'a Sending,
}

impl<'a> Cost<'a> {
    pub(in crate::engine) fn of(
        account: &'a Account,
        endpoint: &'a Endpoint,
        sending: &'a Sending,
    ) -> Self {
        Self {
            account,
            endpoint,
            intent: None,
            possibly: 0,
            answered: None,
            is_unkept: false,
            sending,
        }
    }

    /// A try is about to be sent. What costs nothing is in no ledger.
    ///
    /// # Errors
    /// A failure of this machine, or no waiter is left: the query must not be sent.
    pub(in crate::engine) fn intend(&mut self) -> Result<()> {
        let queries = self.endpoint.cost();
        if queries > 0 {
            self.sending.begin()?;
            let intent = self.intent.clone().map_or_else(|| self.new_intent(), Ok);
            let intent = intent.inspect_err(|_| self.end_try())?;
            let now = self.account.settings.now();
            let noted = self.account.ledger.intend(&intent, now, queries);
            noted.inspect_err(|_| self.end_try())?;
            // One of which nothing was noted has no outcome.
            self.intent = Some(intent);
        }
        Ok(())
    }

    /// The end of a try is known.
    pub(in crate::engine) fn end_try(&self) {
        self.sending.end();
    }

    fn new_intent(&self) -> Result<LedgerIntent> {
        let key = self.account.question_key().map_err(|error| Error {
            message: format!("{}: no query was sent", error.message),
            ..error
        })?;
        Ok(LedgerIntent::about(key.digest(self.endpoint)))
    }

    /// The question was answered. That is settled once this is dropped: the answer must be kept before, so that a run which is killed
    /// never takes a query without an answer for one with.
    pub(in crate::engine) fn answered(&mut self, surely: u32, balance: Option<u64>) {
        self.answered = Some((surely, balance));
    }

    /// Whether its answer cannot be read or is not kept: then the question counts as unanswered, so that it is not paid for again unasked.
    pub(in crate::engine) fn keep(&mut self, is_kept: bool) {
        self.is_unkept = !is_kept;
    }

    fn settle(&mut self, possibly: u32) {
        let Some(intent) = self.intent.take() else {
            return;
        };
        let (surely, balance) = self.answered.unwrap_or_default();
        let spent = Spent {
            at: self.account.settings.now(),
            surely,
            possibly,
            balance,
            work: self.sending.work.get().copied(),
            is_total: false,
        };
        // A ledger that can no longer be written must not cost the answer that was paid for: the intent stays.
        let is_answered = self.answered.is_some() && !self.is_unkept;
        if let Err(error) = self.account.ledger.settle(&intent, &spent, is_answered) {
            self.account.notices.trouble(error);
        }
    }
}

impl Drop for Cost<'_> {
    fn drop(&mut self) {
        let is_lost = self.sending.under_way.load(Ordering::SeqCst);
        let lost = u32::from(is_lost) * self.endpoint.cost();
        self.settle(self.possibly + lost);
    }
}
