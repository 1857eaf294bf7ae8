//! A question with its answer: what was asked, the last answer, the error, and whether another answer is pending. It takes only
//! the answer to its own last question, and never asks by itself.

use jiff::{SignedDuration, Timestamp};
use ratatui::{Frame, layout::Rect};

use super::{Cmd, FromAnswer, JobId, Question, TabReply, UpdateCtx, ViewCtx, failure};
use crate::{engine::Error, model::visible};

/// How long an older answer stays unmarked while the next one is pending.
pub const UNMARKED: SignedDuration = SignedDuration::from_millis(200);

/// A question and its answer.
#[derive(Debug)]
pub struct Asked<Q, A> {
    question: Option<Q>,
    /// The question of the last answer.
    answered: Option<Q>,
    since: Timestamp,
    value: Option<A>,
    pending: Option<JobId>,
    error: Option<Error>,
    was_stopped: bool,
}

impl<Q, A> Default for Asked<Q, A> {
    fn default() -> Self {
        Self {
            question: None,
            answered: None,
            since: Timestamp::UNIX_EPOCH,
            value: None,
            pending: None,
            error: None,
            was_stopped: false,
        }
    }
}

impl<Q: Clone + PartialEq + Into<Question>, A> Asked<Q, A> {
    /// Asks, unless the answer to the same question is pending. An answer to another question is no longer waited for.
    pub fn ask(&mut self, question: Q, ctx: &mut UpdateCtx<'_>) {
        if !self.is_pending() || self.question.as_ref() != Some(&question) {
            self.ask_anew(question, ctx);
        }
    }

    /// Asks, unless the same question is pending or answered.
    pub fn ask_once(&mut self, question: Q, ctx: &mut UpdateCtx<'_>) {
        let is_done = self.error().is_none() && !self.was_stopped();
        if !is_done || self.question.as_ref() != Some(&question) {
            self.ask_anew(question, ctx);
        }
    }

    /// Asks also if the answer to the same question is pending: something has changed that it may have missed.
    pub fn ask_anew(&mut self, question: Q, ctx: &mut UpdateCtx<'_>) {
        self.stop(ctx);
        let job = ctx.ask(question.clone().into());
        self.begin(question, job, ctx.out.now);
    }

    /// Waits for an answer that arrives under the job of another question.
    pub fn join(&mut self, question: Q, job: JobId, ctx: &mut UpdateCtx<'_>) {
        self.stop(ctx);
        self.begin(question, job, ctx.out.now);
    }

    fn begin(&mut self, question: Q, job: JobId, now: Timestamp) {
        self.pending = Some(job);
        (self.error, self.was_stopped) = (None, false);
        self.since = now;
        self.question = Some(question);
    }

    /// Asks, unless the same was asked last and not stopped. After a failure only [`Asked::retry`] allows the same question.
    pub fn want(&mut self, question: Q, ctx: &mut UpdateCtx<'_>) {
        if self.was_stopped() || self.question.as_ref() != Some(&question) {
            self.ask_anew(question, ctx);
        }
    }

    /// The answer to the last question.
    #[must_use]
    pub fn answer(&self) -> Option<&A> {
        self.value().filter(|_| self.answered == self.question)
    }
}

impl<Q, A> Asked<Q, A> {
    /// With an answer that is known without asking.
    #[must_use]
    pub fn known(value: A) -> Self {
        Self {
            value: Some(value),
            ..Self::default()
        }
    }

    /// The same without what is pending.
    #[must_use]
    pub fn answered_alone(&self) -> Self
    where
        Q: Clone + PartialEq,
        A: Clone,
    {
        // What is being read anew is to be read for the other, too.
        let is_fresh = !self.is_pending() && self.question == self.answered;
        Self {
            question: self.answered.clone().filter(|_| is_fresh),
            answered: self.answered.clone(),
            since: self.since,
            value: self.value.clone(),
            ..Self::default()
        }
    }

    /// The last answer, however old.
    #[must_use]
    pub fn value(&self) -> Option<&A> {
        self.value.as_ref()
    }

    /// The error of the last question, unless another answer is pending.
    #[must_use]
    pub fn error(&self) -> Option<&Error> {
        self.error.as_ref()
    }

    /// What was asked last.
    #[must_use]
    pub fn question(&self) -> Option<&Q> {
        self.question.as_ref()
    }

    /// When it was asked last.
    #[must_use]
    pub fn asked_at(&self) -> Option<Timestamp> {
        self.question.is_some().then_some(self.since)
    }

    /// The question of the last answer.
    #[must_use]
    pub fn answered(&self) -> Option<&Q> {
        self.answered.as_ref()
    }

    /// When an older answer must be marked as such, while another is pending.
    #[must_use]
    pub fn late_at(&self) -> Option<Timestamp> {
        self.is_pending().then(|| self.since + UNMARKED)
    }

    /// Lets the same question be wanted again after a failure.
    pub fn retry(&mut self) {
        self.question.take_if(|_| self.error.is_some());
    }

    /// Takes the answer out.
    pub fn take(&mut self) -> Option<A> {
        self.value.take()
    }

    /// The value, to change it in place.
    pub fn value_mut(&mut self) -> Option<&mut A> {
        self.value.as_mut()
    }

    /// The job of the pending answer.
    #[must_use]
    pub fn pending(&self) -> Option<JobId> {
        self.pending
    }

    #[must_use]
    pub fn is_pending(&self) -> bool {
        self.pending.is_some()
    }

    /// Whether nothing was asked, or it was stopped before any answer.
    #[must_use]
    pub fn is_untouched(&self) -> bool {
        self.value.is_none() && self.pending.is_none() && self.error.is_none()
    }

    /// Whether the last question was stopped before its answer.
    #[must_use]
    pub fn was_stopped(&self) -> bool {
        self.was_stopped
    }

    /// Stops waiting; the last answer stays, but the same question may have another answer now.
    pub fn expire(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.stop(ctx);
        self.question = None;
    }

    /// Stops waiting; returns whether an answer was pending.
    pub fn stop(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        let job = self.cancel();
        ctx.out.cmds.extend(job.map(Cmd::Cancel));
        job.is_some()
    }

    fn cancel(&mut self) -> Option<JobId> {
        let job = self.pending.take();
        self.was_stopped |= job.is_some();
        job
    }

    /// Takes the reply to its question; hands back any other.
    pub fn settle<'q>(&mut self, reply: TabReply<'q>) -> Option<TabReply<'q>>
    where
        A: FromAnswer,
        Q: Clone,
    {
        self.settle_with(reply, |answer: A| answer)
    }

    /// As [`Asked::settle`], for an answer that is kept in another form.
    pub fn settle_with<'q, T: FromAnswer>(
        &mut self,
        reply: TabReply<'q>,
        read: impl FnOnce(T) -> A,
    ) -> Option<TabReply<'q>>
    where
        Q: Clone,
    {
        if self.pending != Some(reply.job) {
            return Some(reply);
        }
        self.finish(reply.job, T::of_result(reply.result).map(read));
        None
    }

    /// Takes the result of a job; returns whether it was waited for.
    pub fn finish(&mut self, job: JobId, result: Result<A, Error>) -> bool
    where
        Q: Clone,
    {
        if self.pending != Some(job) {
            return false;
        }
        self.pending = None;
        match result {
            Ok(answer) => {
                self.value = Some(answer);
                self.answered.clone_from(&self.question);
            }
            Err(error) => self.error = Some(error),
        }
        true
    }

    /// Marks an area in which older content is drawn: an answer is dimmed while another is pending or failed to arrive, and the
    /// error is in the last lines. `instead` names the content where there is no answer.
    pub fn draw_over(&self, frame: &mut Frame<'_>, area: Rect, instead: &str, ctx: &ViewCtx<'_>) {
        let has_value = self.value().is_some();
        if has_value && (self.is_pending() || self.error().is_some()) {
            frame.buffer_mut().set_style(area, ctx.theme.stale);
        }
        if let Some(error) = self.error() {
            let what = if has_value {
                "the last answer"
            } else {
                instead
            };
            let why = format!("x {}; this is {what}", visible(&error.message));
            failure::over_last_lines(frame, area, &why, ctx.theme);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Kind;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn failure() -> Error {
        Error::new(Kind::Network, "cut off")
    }

    fn begun(jobs: &[u64]) -> Asked<Question, &'static str> {
        let mut asked = Asked::default();
        for job in jobs {
            asked.begin(Question::Ledger, JobId(*job), NOW);
        }
        asked
    }

    #[test]
    fn a_stale_answer_is_dropped() {
        let mut asked = begun(&[1, 2]);
        assert!(!asked.finish(JobId(1), Ok("old")));
        assert_eq!((asked.value(), asked.pending()), (None, Some(JobId(2))));
        assert!(asked.finish(JobId(2), Ok("new")));
        assert!(!asked.finish(JobId(2), Ok("again")));
        assert_eq!((asked.value(), asked.pending()), (Some(&"new"), None));
    }

    #[test]
    fn what_was_known_stays_through_a_failure() {
        let mut asked = Asked::known("old");
        asked.begin(Question::Ledger, JobId(1), NOW);
        assert_eq!(asked.value(), Some(&"old"));
        assert!(asked.finish(JobId(1), Err(failure())));
        assert_eq!(
            (asked.value(), asked.error()),
            (Some(&"old"), Some(&failure()))
        );
        asked.begin(Question::Ledger, JobId(2), NOW);
        assert_eq!(asked.error(), None);
    }

    #[test]
    fn after_stopping_no_answer_counts() {
        let mut asked = begun(&[1]);
        assert_eq!(asked.cancel(), Some(JobId(1)));
        assert!(!asked.finish(JobId(1), Ok("late")));
        assert!(asked.is_untouched() && asked.was_stopped());
    }
}
