//! A value that is fetched: the last value, the pending request, the error.
//!
//! The one place where answers that come too late are dropped: [`Remote::finish`] accepts only the answer of the job that
//! was begun last. What was known stays until the new is there.

use super::request::{Answer, FromAnswer, JobId};
use crate::engine::Error;

/// A value that comes from elsewhere.
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

    /// What is known, however old.
    pub fn value(&self) -> Option<&T> {
        self.value.as_ref()
    }

    /// The job that is under way.
    pub fn pending(&self) -> Option<JobId> {
        self.pending
    }

    /// Why the last job failed, while no other is under way.
    pub fn error(&self) -> Option<&Error> {
        self.error.as_ref()
    }

    /// Whether the last job was stopped before an answer came.
    pub fn was_stopped(&self) -> bool {
        self.stopped
    }

    /// Whether it was never asked for.
    pub fn is_untouched(&self) -> bool {
        self.value.is_none() && self.pending.is_none() && self.error.is_none()
    }

    /// A job is under way; an earlier one no longer counts.
    pub fn begin(&mut self, job: JobId) {
        self.pending = Some(job);
        self.error = None;
        self.stopped = false;
    }

    /// The answer of a job; returns whether it was accepted.
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

    /// The answer of a job, as it came; one of another type is an error.
    pub fn settle(&mut self, job: JobId, result: Result<Answer, Error>) -> bool
    where
        T: FromAnswer,
    {
        self.finish(job, T::of_result(result))
    }

    /// Stops waiting; returns the job that can be cancelled.
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
