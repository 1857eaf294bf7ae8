//! The budget of queries of a run: its cap, and the failure that stops all later ones. Several runs may share a budget.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicU64, Ordering},
};

use crate::engine::{
    account::QueryPurpose,
    error::{Error, Kind},
    threads::lock,
};

/// The queries that a run may send. What would stop every later query stops them.
#[derive(Debug)]
pub struct Spending(Mutex<SpendingState>);

#[derive(Debug)]
struct SpendingState {
    /// Queries that may still be sent.
    left: u64,
    /// What would stop every later query.
    stopped: Option<Error>,
    /// Why nothing may be sent, once that is known.
    closed: Option<Error>,
    /// What its queries are for, where that is one thing.
    work: Option<QueryPurpose>,
    /// What it was given of a budget that it shares.
    allowance: Option<Allowance>,
}

/// The queries that several runs may send together.
#[derive(Debug)]
pub struct Budget(Mutex<BudgetState>);

#[derive(Debug)]
struct BudgetState {
    /// Those that nobody was given.
    left: u64,
    sent: u64,
}

/// Queries of a budget that one run may send. What it does not send goes back.
#[derive(Debug)]
pub struct Allowance {
    budget: Arc<Budget>,
    left: u64,
    /// How many of them were sent.
    sent: Arc<AtomicU64>,
}

impl Budget {
    #[must_use]
    pub fn of(queries: u64) -> Arc<Self> {
        Arc::new(Self(Mutex::new(BudgetState {
            left: queries,
            sent: 0,
        })))
    }

    /// The queries that nobody was given.
    #[must_use]
    pub fn left(&self) -> u64 {
        lock(&self.0).left
    }

    /// The queries that were sent, or are about to be.
    #[must_use]
    pub fn sent(&self) -> u64 {
        lock(&self.0).sent
    }

    /// So many of them, or what is left.
    #[must_use]
    pub fn take(self: &Arc<Self>, queries: u64) -> Allowance {
        let mut all = lock(&self.0);
        let left = queries.min(all.left);
        all.left -= left;
        Allowance {
            budget: Arc::clone(self),
            left,
            sent: Arc::default(),
        }
    }
}

impl Allowance {
    /// How many queries it allows.
    #[must_use]
    pub fn queries(&self) -> u64 {
        self.left
    }

    /// Counts there what is sent of it.
    #[must_use]
    pub fn counted_in(mut self, sent: &Arc<AtomicU64>) -> Self {
        self.sent = Arc::clone(sent);
        self
    }

    fn take_one(&mut self) {
        self.left -= 1;
        self.sent.fetch_add(1, Ordering::Relaxed);
        lock(&self.budget.0).sent += 1;
    }
}

impl Drop for Allowance {
    fn drop(&mut self) {
        lock(&self.budget.0).left += self.left;
    }
}

/// Why a question has no answer.
#[derive(Clone, Debug)]
pub enum NotAnswered {
    Failed(Error),
    /// It was not asked, because it would have met what another one met.
    LeftOut(Error),
}

impl NotAnswered {
    #[must_use]
    pub fn error(&self) -> &Error {
        match self {
            Self::Failed(error) | Self::LeftOut(error) => error,
        }
    }
}

impl From<Error> for NotAnswered {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl SpendingState {
    fn used_up(&self) -> Option<NotAnswered> {
        let stopped = self.stopped.clone();
        let allowed = self.allowance.as_ref().map_or(u64::MAX, Allowance::queries);
        let why = stopped.or_else(|| (self.left.min(allowed) == 0).then(spent));
        why.map(NotAnswered::LeftOut)
    }
}

impl Spending {
    /// At most so many queries.
    #[must_use]
    pub fn at_most(queries: u64) -> Self {
        Self(Mutex::new(SpendingState {
            left: queries,
            stopped: None,
            closed: None,
            work: None,
            allowance: None,
        }))
    }

    /// At most what was given of a budget, too.
    pub fn allow(&self, allowance: Allowance) {
        lock(&self.0).allowance = Some(allowance);
    }

    /// From now on its queries are those of one batch of several addresses.
    pub fn begin_batch(&self) {
        lock(&self.0).work = Some(QueryPurpose::Batch);
    }

    /// What its queries are for, where that is one thing.
    pub(super) fn work(&self) -> Option<QueryPurpose> {
        lock(&self.0).work
    }

    /// Counts a query that is about to be sent.
    ///
    /// # Errors
    /// [`NotAnswered::LeftOut`] where none may be.
    pub(super) fn take_one(&self) -> Result<(), NotAnswered> {
        let mut state = lock(&self.0);
        if let Some(why) = state.used_up() {
            return Err(why);
        }
        state.left -= 1;
        if let Some(allowance) = &mut state.allowance {
            allowance.take_one();
        }
        Ok(())
    }

    /// Stops every later query where the failure would be the same.
    pub(super) fn heed(&self, error: &Error) {
        if error.kind.stops_a_batch() {
            lock(&self.0).stopped.get_or_insert_with(|| error.clone());
        }
    }

    /// Why no further query may be sent in this run, if none may.
    pub(super) fn used_up(&self) -> Option<NotAnswered> {
        lock(&self.0).used_up()
    }

    /// Why nothing may be sent, once that is known.
    pub(super) fn closed(&self) -> Option<Error> {
        lock(&self.0).closed.clone()
    }

    /// Nothing may be sent any more.
    pub(super) fn close(&self, why: &Error) {
        lock(&self.0).closed = Some(why.clone());
    }
}

fn spent() -> Error {
    Error::new(Kind::Guard, "the queries of --spend are used up")
        .hint("run it again with a larger --spend for the rest")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_budget_has_back_what_a_run_did_not_send() {
        let budget = Budget::of(3);
        let (run, other) = (Spending::at_most(9), Spending::at_most(1));
        run.allow(budget.take(2));
        other.allow(budget.take(2));
        assert_eq!(budget.left(), 0);
        assert!(run.take_one().is_ok() && other.take_one().is_ok());
        assert!(other.take_one().is_err());
        drop(run);
        assert_eq!(budget.left(), 1);
        drop(other);
        assert_eq!((budget.left(), budget.sent()), (1, 2));
        let none = Spending::at_most(5);
        none.allow(budget.take(0));
        let why = none.take_one().expect_err("nothing allowed");
        assert!(matches!(&why, NotAnswered::LeftOut(error) if error.kind == Kind::Guard));
        assert_eq!(budget.left(), 1);
    }

    #[test]
    fn nothing_is_sent_past_the_cap_or_what_stops_every_query() {
        let capped = Spending::at_most(1);
        assert!(capped.take_one().is_ok());
        let why = capped.take_one().expect_err("the cap");
        assert!(matches!(&why, NotAnswered::LeftOut(error) if error.kind == Kind::Guard));
        let stopped = Spending::at_most(9);
        stopped.heed(&Error::new(Kind::Network, "unreachable"));
        assert!(stopped.take_one().is_ok());
        stopped.heed(&Error::new(Kind::Quota, "the first"));
        stopped.heed(&Error::new(Kind::Credentials, "the second"));
        let why = stopped.take_one().expect_err("stopped");
        assert_eq!(why.error().message, "the first");
    }
}
