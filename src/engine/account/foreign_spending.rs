//! Queries spent with this token outside this program and machine.
//!
//! The sum of the balance and the queries spent here is constant. If it falls, queries were spent elsewhere; if it rises, a new
//! billing period began. Queries spent here must never count as foreign: possibly spent ones count as spent here, and answers
//! that arrive out of order are reordered.

use jiff::{SignedDuration, Timestamp};

use super::ledger::Spent;

/// What was spent elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elsewhere {
    pub queries: u64,
    /// When the balance was last what it should be.
    pub since: Timestamp,
}

/// How long is looked back.
const PERIOD: SignedDuration = SignedDuration::from_hours(24);
/// Answers may be noted in another order within this time.
const AT_ONCE: SignedDuration = SignedDuration::from_mins(2);

/// What was spent elsewhere in the last 24 hours. The lines are in the order of time.
#[must_use]
pub fn elsewhere(spent: &[Spent], now: Timestamp) -> Option<Elsewhere> {
    let is_recent = |line: &Spent| now.duration_since(line.at) <= PERIOD;
    let is_named = |line: &Spent| line.balance.is_some() && !line.is_total;
    // The last balance before that is what the first one is compared with.
    let recent = spent.iter().position(is_recent).unwrap_or(spent.len());
    let first = spent[..recent].iter().rposition(is_named).unwrap_or(recent);
    let mut own: u64 = 0;
    let mut base: Option<(u64, Timestamp)> = None;
    let mut last: Option<(u64, Timestamp)> = None;
    let mut fell = 0;
    for line in &spent[first..] {
        own += u64::from(line.surely) + u64::from(line.possibly);
        let Some(mut balance) = line.balance.filter(|_| !line.is_total) else {
            continue;
        };
        if let Some((before, at)) = last
            && line.at.duration_since(at) <= AT_ONCE
            && balance.saturating_sub(before) < 100
        {
            balance = balance.min(before);
        }
        last = Some((balance, line.at));
        let sum = balance + own;
        match base {
            Some((expected, _)) if sum < expected => fell = expected - sum,
            _ => (base, fell) = (Some((sum, line.at)), 0),
        }
    }
    let (_, since) = base?;
    (fell > 0).then_some(Elsewhere {
        queries: fell,
        since,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(minute: i64, surely: u32, balance: u64) -> Spent {
        Spent {
            at: Timestamp::from_second(minute * 60).expect("time"),
            surely,
            possibly: 0,
            balance: Some(balance),
            work: None,
            is_total: false,
        }
    }

    fn found(lines: &[Spent]) -> Option<(u64, i64)> {
        let now = Timestamp::from_second(2000 * 60).expect("time");
        elsewhere(lines, now).map(|found| (found.queries, found.since.as_second() / 60))
    }

    #[test]
    fn what_was_spent_here_is_nobody_elses() {
        assert_eq!(found(&[]), None);
        assert_eq!(
            found(&[line(1000, 1, 99), line(1010, 1, 98), line(1020, 2, 96)]),
            None
        );
        // Two at once, noted in the other order, over the turn of a minute.
        assert_eq!(
            found(&[
                line(1000, 1, 99),
                line(1010, 1, 97),
                line(1011, 1, 98),
                line(1030, 1, 96)
            ]),
            None
        );
        let unknown = Spent {
            surely: 0,
            possibly: 1,
            ..line(1010, 0, 98)
        };
        assert_eq!(found(&[line(1000, 1, 99), unknown]), None);
    }

    #[test]
    fn a_fall_without_a_query_is_elsewhere_since_the_balance_was_right() {
        let lines = [
            line(1000, 1, 99),
            line(1100, 1, 98),
            line(1200, 1, 57),
            line(1300, 0, 57),
        ];
        assert_eq!(found(&lines), Some((40, 1100)));
        let later = [lines.as_slice(), &[line(1400, 0, 50)]].concat();
        assert_eq!(found(&later), Some((47, 1100)));
    }

    #[test]
    fn a_new_period_begins_anew_and_long_ago_is_no_news() {
        assert_eq!(
            found(&[line(1000, 1, 9), line(1100, 0, 3), line(1200, 0, 5000)]),
            None
        );
        assert_eq!(
            found(&[line(100, 1, 99), line(200, 0, 40), line(1500, 0, 40)]),
            None
        );
        let total = Spent {
            is_total: true,
            ..line(1100, 1, 500)
        };
        assert_eq!(found(&[line(1000, 1, 99), total, line(1200, 0, 98)]), None);
    }
}
