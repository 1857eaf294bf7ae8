//! What this program spent, by its own ledger, added up.

use jiff::{SignedDuration, Timestamp};

use crate::{engine::Spent, model::Day};

/// Queries of a period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// Surely spent.
    pub surely: u64,
    /// Possibly spent: no answer came, but the service may have counted them.
    pub possibly: u64,
}

impl Sum {
    fn add(&mut self, spent: &Spent) {
        self.surely += u64::from(spent.surely);
        self.possibly += u64::from(spent.possibly);
    }
}

/// The ledger, added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Of the present day, in UTC.
    pub today: Sum,
    /// Of the last seven times 24 hours.
    pub week: Sum,
    /// Of everything that is in the ledger.
    pub all: Sum,
    /// The day of its first line.
    pub since: Option<Day>,
    /// The highest balance in it.
    pub highest: Option<u64>,
}

impl Tally {
    /// Adds up lines, which are in the order of time.
    #[must_use]
    pub fn of(lines: &[Spent], now: Timestamp) -> Self {
        let mut tally = Self {
            since: lines.first().map(|line| Day::of(line.at)),
            highest: lines.iter().filter_map(|line| line.balance).max(),
            ..Self::default()
        };
        for line in lines {
            tally.all.add(line);
            if now.duration_since(line.at) <= SignedDuration::from_hours(7 * 24) {
                tally.week.add(line);
            }
            if Day::of(line.at) == Day::of(now) {
                tally.today.add(line);
            }
        }
        tally
    }

    /// For how many days a balance lasts at the pace of the last seven; nothing where none was spent.
    #[must_use]
    pub fn lasts(&self, balance: u64) -> Option<u64> {
        balance.saturating_mul(7).checked_div(self.week.surely)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_are_added_up_and_what_is_doubtful_stays_apart() {
        let spent = |at: &str, surely, possibly, balance| Spent {
            at: at.parse().expect(at),
            surely,
            possibly,
            balance,
        };
        let lines = [
            spent("2026-10-01T00:00:00Z", 5, 0, Some(900)),
            spent("2026-11-14T00:00:00Z", 3, 1, Some(800)),
            spent("2026-11-20T00:00:00Z", 2, 0, Some(798)),
            spent("2026-11-20T10:00:00Z", 0, 1, None),
        ];
        let tally = Tally::of(&lines, "2026-11-20T12:00:00Z".parse().expect("timestamp"));
        let sum = |surely, possibly| Sum { surely, possibly };
        assert_eq!(tally.today, sum(2, 1));
        assert_eq!(tally.week, sum(5, 2));
        assert_eq!(tally.all, sum(10, 2));
        assert_eq!((tally.highest, tally.lasts(798)), (Some(900), Some(1117)));
        assert_eq!(Tally::default().lasts(798), None);
    }
}
