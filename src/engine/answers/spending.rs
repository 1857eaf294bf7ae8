//! The budget of queries of a run: its cap, and the failure that stops all later ones.

use std::sync::Mutex;

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
        let why = stopped.or_else(|| (self.left == 0).then(spent));
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
        }))
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
