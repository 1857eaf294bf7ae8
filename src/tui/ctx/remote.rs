//! A value that is fetched: the last value, the pending request, the error.
//!
//! Late answers are dropped only here: [`Remote::finish`] accepts an answer only from the job that was begun last. The old value
//! stays until the new one arrives.

use super::request::{Answer, FromAnswer, JobId};
use crate::engine::Error;

/// A fetched value.
#[derive(Clone, Debug)]
pub struct Remote<T> {
    value: Option<T>,
    pending: Option<JobId>,
    error: Option<Error>,
    stopped: bool,
}

impl<T> Default for Remote<T> {
    fn default() -> Self {
        Self {
            value: None,
            pending: None,
            error: None,
            stopped: false,
        }
    }
}

impl<T> Remote<T> {
    pub fn known(value: T) -> Self {
        Self {
            value: Some(value),
            ..Self::default()
        }
    }

    /// The last value, however old.
    pub fn value(&self) -> Option<&T> {
        self.value.as_ref()
    }

    pub fn value_mut(&mut self) -> Option<&mut T> {
        self.value.as_mut()
    }

    /// Takes the value out.
    pub fn take(&mut self) -> Option<T> {
        self.value.take()
    }

    /// The pending job.
    pub fn pending(&self) -> Option<JobId> {
        self.pending
    }

    /// The error of the last job, unless another is pending.
    pub fn error(&self) -> Option<&Error> {
        self.error.as_ref()
    }

    /// Whether the last job was cancelled before its answer.
    pub fn was_stopped(&self) -> bool {
        self.stopped
    }

    /// Whether no job was ever begun.
    pub fn is_untouched(&self) -> bool {
        self.value.is_none() && self.pending.is_none() && self.error.is_none()
    }

    /// Begins a job; an earlier one no longer counts.
    pub fn begin(&mut self, job: JobId) {
        self.pending = Some(job);
        self.error = None;
        self.stopped = false;
    }

    /// Handles the answer of a job; returns whether it was accepted.
    pub fn finish(&mut self, job: JobId, result: Result<T, Error>) -> bool {
        if self.pending != Some(job) {
            return false;
        }
        self.pending = None;
        match result {
            Ok(value) => (self.value, self.error) = (Some(value), None),
            Err(error) => self.error = Some(error),
        }
        true
    }

    /// As [`Remote::finish`], for an answer of any type; one of a wrong type becomes an error.
    pub fn settle(&mut self, job: JobId, result: Result<Answer, Error>) -> bool
    where
        T: FromAnswer,
    {
        self.finish(job, T::of_result(result))
    }

    /// Stops waiting; returns the job to cancel.
    pub fn cancel(&mut self) -> Option<JobId> {
        let job = self.pending.take();
        self.stopped |= job.is_some();
        job
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Kind;

    fn failure() -> Error {
        Error::new(Kind::Network, "cut off")
    }

    #[test]
    fn a_stale_answer_is_dropped() {
        let mut remote = Remote::default();
        remote.begin(JobId(1));
        remote.begin(JobId(2));
        assert!(!remote.finish(JobId(1), Ok("old")));
        assert_eq!((remote.value(), remote.pending()), (None, Some(JobId(2))));
        assert!(remote.finish(JobId(2), Ok("new")));
        assert!(!remote.finish(JobId(2), Ok("again")));
        assert_eq!((remote.value(), remote.pending()), (Some(&"new"), None));
    }

    #[test]
    fn what_was_known_stays_through_a_failure() {
        let mut remote = Remote::known("old");
        remote.begin(JobId(1));
        assert_eq!(remote.value(), Some(&"old"));
        assert!(remote.finish(JobId(1), Err(failure())));
        assert_eq!(
            (remote.value(), remote.error()),
            (Some(&"old"), Some(&failure()))
        );
        remote.begin(JobId(2));
        assert_eq!(remote.error(), None);
    }

    #[test]
    fn after_cancelling_no_answer_counts() {
        let mut remote = Remote::default();
        remote.begin(JobId(1));
        assert_eq!(remote.cancel(), Some(JobId(1)));
        assert!(!remote.finish(JobId(1), Ok("late")));
        assert!(remote.is_untouched());
    }
}
