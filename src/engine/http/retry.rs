//! Whether and when to retry: a pure decision from the outcome and the remaining budget. It does not sleep itself.

use std::time::Duration;

use crate::contract::Refusal;
use crate::engine::error::Error;

/// The longest pause without a `Retry-After`.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// The longest `Retry-After` that is waited for.
const LONGEST_OBEYED: Duration = Duration::from_mins(2);
/// A download that came this much further starts a new budget.
pub(in crate::engine) const PROGRESS: u64 = 64 << 20;

/// What may be retried, and how often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::engine) struct Budget {
    left: u32,
    pause: Duration,
    first_pause: Duration,
    attempts: u32,
    cautious: bool,
    faults: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) enum TryOutcome {
    /// Nothing reached the service.
    NotSent,
    /// It failed after the request was sent.
    Broken,
    Refused(Refusal, Option<Duration>),
    /// A useless answer: it may have been counted, and a retry would give the same.
    Useless,
    /// Another try would end the same.
    Final,
}

/// A try that failed.
#[derive(Debug)]
pub(in crate::engine) struct FailedTry {
    pub(in crate::engine) error: Error,
    pub(in crate::engine) outcome: TryOutcome,
}

impl From<Error> for FailedTry {
    fn from(error: Error) -> Self {
        Self {
            error,
            outcome: TryOutcome::Final,
        }
    }
}

impl FailedTry {
    pub(in crate::engine) fn not_sent(error: Error) -> Self {
        Self {
            error,
            outcome: TryOutcome::NotSent,
        }
    }

    pub(in crate::engine) fn broken(error: Error) -> Self {
        Self {
            error,
            outcome: TryOutcome::Broken,
        }
    }
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) enum RetryStep {
    /// Wait, then try again.
    Again(Duration),
    /// Not worth another try.
    Stop,
    /// The service asks for a longer pause than is reasonable to sit through.
    TooLong(Duration),
}

impl Budget {
    /// For feeds, storage and exports: `attempts` tries in all.
    #[must_use]
    pub(in crate::engine) fn new(attempts: u32, first_pause: Duration) -> Self {
        Self {
            left: attempts.saturating_sub(1),
            pause: first_pause,
            first_pause,
            attempts,
            cautious: false,
            faults: u32::MAX,
        }
    }

    /// For lookups, each of which may cost a query: tried again only when nothing was sent, and once where the
    /// service says that it failed.
    #[must_use]
    pub(in crate::engine) fn cautious(retries: u32, first_pause: Duration) -> Self {
        Self {
            cautious: true,
            faults: 1,
            ..Self::new(retries.saturating_add(1), first_pause)
        }
    }

    /// The budget as it was at first, for a download that made [`PROGRESS`].
    pub(in crate::engine) fn refill(&mut self) {
        self.left = self.attempts.saturating_sub(1);
        self.pause = self.first_pause;
    }

    /// What to do after `outcome`. `jitter` is a number from 0 to 1 that spreads clients apart.
    pub(in crate::engine) fn next(&mut self, outcome: TryOutcome, jitter: f64) -> RetryStep {
        let (worth, asked) = match outcome {
            TryOutcome::NotSent => (true, None),
            TryOutcome::Broken => (!self.cautious, None),
            TryOutcome::Refused(refusal, asked) => (refusal.is_passing() && self.faults > 0, asked),
            TryOutcome::Useless | TryOutcome::Final => (false, None),
        };
        if !worth {
            return RetryStep::Stop;
        }
        // Reported even if no attempt is left.
        if let Some(asked) = asked.filter(|asked| *asked > LONGEST_OBEYED) {
            return RetryStep::TooLong(asked);
        }
        if self.left == 0 {
            return RetryStep::Stop;
        }
        self.left -= 1;
        if matches!(outcome, TryOutcome::Refused(..)) {
            self.faults = self.faults.saturating_sub(1);
        }
        let duration = self
            .pause
            .mul_f64(0.75 + jitter.clamp(0.0, 1.0) / 2.0)
            .min(LONGEST_PAUSE);
        self.pause = (self.pause * 2).min(LONGEST_PAUSE);
        RetryStep::Again(asked.map_or(duration, |asked| asked.max(duration)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: Duration = Duration::from_millis(500);

    fn steps(mut budget: Budget, outcome: TryOutcome) -> Vec<RetryStep> {
        let mut steps = Vec::new();
        loop {
            let step = budget.next(outcome, 0.5);
            steps.push(step);
            if !matches!(step, RetryStep::Again(_)) {
                return steps;
            }
        }
    }

    fn retries(milliseconds: &[u64]) -> Vec<RetryStep> {
        let pauses = milliseconds
            .iter()
            .map(|pause| RetryStep::Again(Duration::from_millis(*pause)));
        pauses.chain([RetryStep::Stop]).collect()
    }

    #[test]
    fn pauses_double_up_to_their_limit_and_end() {
        assert_eq!(
            steps(Budget::new(5, BASE), TryOutcome::Broken),
            retries(&[500, 1000, 2000, 4000])
        );
        assert_eq!(
            steps(Budget::new(9, BASE), TryOutcome::NotSent),
            retries(&[500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
        );
        assert_eq!(
            steps(Budget::new(1, BASE), TryOutcome::Broken),
            [RetryStep::Stop]
        );
    }

    #[test]
    fn a_lookup_is_not_repeated_when_it_may_have_been_counted() {
        let budget = || Budget::cautious(2, BASE);
        assert_eq!(steps(budget(), TryOutcome::NotSent), retries(&[500, 1000]));
        assert_eq!(
            steps(budget(), TryOutcome::Refused(Refusal::Fault, None)),
            retries(&[500])
        );
        for outcome in [
            TryOutcome::Broken,
            TryOutcome::Refused(Refusal::QuotaSpent, None),
            TryOutcome::Refused(Refusal::TokenInvalid, None),
        ] {
            assert_eq!(steps(budget(), outcome), [RetryStep::Stop], "{outcome:?}");
        }
    }

    #[test]
    fn the_service_may_ask_for_a_pause_within_reason() {
        let slow =
            |seconds| TryOutcome::Refused(Refusal::SlowDown, Some(Duration::from_secs(seconds)));
        assert_eq!(
            Budget::new(5, BASE).next(slow(7), 0.0),
            RetryStep::Again(Duration::from_secs(7))
        );
        assert_eq!(
            Budget::new(5, BASE).next(slow(120), 0.0),
            RetryStep::Again(Duration::from_mins(2))
        );
        assert_eq!(
            Budget::new(5, BASE).next(slow(121), 0.0),
            RetryStep::TooLong(Duration::from_secs(121))
        );
        assert_eq!(
            Budget::new(5, BASE).next(slow(0), 0.5),
            RetryStep::Again(BASE)
        );
        let long = RetryStep::TooLong(Duration::from_mins(10));
        assert_eq!(Budget::new(1, BASE).next(slow(600), 0.5), long);
    }

    #[test]
    fn progress_refills_the_budget() {
        let mut budget = Budget::new(2, BASE);
        assert_eq!(budget.next(TryOutcome::Broken, 0.5), RetryStep::Again(BASE));
        budget.refill();
        assert_eq!(budget.next(TryOutcome::Broken, 0.5), RetryStep::Again(BASE));
        assert_eq!(budget.next(TryOutcome::Broken, 0.5), RetryStep::Stop);
    }

    #[test]
    fn jitter_spreads_and_never_doubles() {
        let pause = |jitter| Budget::new(5, BASE).next(TryOutcome::Broken, jitter);
        assert_eq!(pause(0.0), RetryStep::Again(Duration::from_millis(375)));
        assert_eq!(pause(1.0), RetryStep::Again(Duration::from_millis(625)));
    }
}
