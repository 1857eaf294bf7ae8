//! Queries spent and saved by the ledger, summed by hour, day and period.

use jiff::{SignedDuration, Timestamp};

use crate::{
    engine::{Elsewhere, QueryPurpose, SavedBy, SavedQueries, Spent, Statement, elsewhere},
    model::Day,
};

/// Queries of a period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// Surely spent, by [`QueryPurpose::ALL`], then of lines that name no purpose.
    pub spent: [u64; QueryPurpose::ALL.len() + 1],
    /// Not needed, by [`SavedBy::ALL`].
    pub saved: [u64; SavedBy::ALL.len()],
    /// Possibly spent: no answer came, but the service may have counted them.
    pub possibly: u64,
}

impl Sum {
    /// Surely spent, for any purpose.
    #[must_use]
    pub fn surely(&self) -> u64 {
        self.spent.iter().sum()
    }

    fn add(&mut self, line: &LedgerLine) {
        match line {
            LedgerLine::Spent(spent) => {
                let mut purposes = QueryPurpose::ALL.iter();
                let purpose = purposes.position(|purpose| Some(*purpose) == spent.work);
                self.spent[purpose.unwrap_or(QueryPurpose::ALL.len())] += u64::from(spent.surely);
                self.possibly += u64::from(spent.possibly);
            }
            LedgerLine::Saved(saved) => {
                let by = SavedBy::ALL.iter().position(|by| *by == saved.by);
                self.saved[by.unwrap_or_default()] += u64::from(saved.queries);
            }
        }
    }
}

/// A line of the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LedgerLine {
    /// Queries that were spent, or may have been.
    Spent(Spent),
    /// Queries that were not needed.
    Saved(SavedQueries),
}

impl LedgerLine {
    #[must_use]
    pub fn at(&self) -> Timestamp {
        match self {
            Self::Spent(spent) => spent.at,
            Self::Saved(saved) => saved.at,
        }
    }

    /// Whether it is about queries: some lines only name a balance.
    fn has_queries(&self) -> bool {
        match self {
            Self::Spent(spent) => spent.surely > 0 || spent.possibly > 0,
            Self::Saved(_) => true,
        }
    }
}

/// Lines of the ledger that are listed.
const LATEST: usize = 40;
/// Hours in a chart.
pub const HOURS: usize = 24;
/// Days in a chart.
pub const DAYS: usize = 14;

/// The ledger, added up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LedgerTally {
    /// Of the last 24 hours.
    pub last_day: Sum,
    /// Of the last seven times 24 hours.
    pub week: Sum,
    /// Of everything that is in the ledger.
    pub all: Sum,
    /// The day of its first line.
    pub since: Option<Day>,
    /// How long ago that was: no rate is known of the time before.
    pub observed: SignedDuration,
    /// The last hours, the present one last.
    pub hours: [Sum; HOURS],
    /// The last days in UTC, today last.
    pub days: [Sum; DAYS],
    /// Queries that other clients spent in the last 24 hours.
    pub elsewhere: Option<Elsewhere>,
    /// The newest lines, the newest first. One that only names a balance is left out.
    pub latest: Vec<LedgerLine>,
    /// What is wrong with the file.
    pub faults: Vec<String>,
}

impl LedgerTally {
    /// Adds up lines, which are in the order of time.
    #[must_use]
    pub fn of(statement: Statement, now: Timestamp) -> Self {
        let mut tally = Self {
            elsewhere: elsewhere(&statement.spent, now),
            faults: statement.faults(),
            ..Self::default()
        };
        let saved = statement.saved.into_iter().map(LedgerLine::Saved);
        let spent = statement.spent.into_iter().map(LedgerLine::Spent);
        let mut lines: Vec<LedgerLine> = saved.chain(spent).collect();
        lines.sort_by_key(LedgerLine::at);
        if let Some(first) = lines.first().map(LedgerLine::at) {
            tally.since = Some(Day::of(first));
            tally.observed = now.duration_since(first);
        }
        for line in &lines {
            tally.add(line, now);
        }
        let latest = lines.into_iter().rev().filter(LedgerLine::has_queries);
        tally.latest = latest.take(LATEST).collect();
        tally
    }

    fn add(&mut self, line: &LedgerLine, now: Timestamp) {
        self.all.add(line);
        let passed = now.duration_since(line.at());
        for (sum, days) in [(&mut self.last_day, 1), (&mut self.week, 7)] {
            if passed <= SignedDuration::from_hours(days * 24) {
                sum.add(line);
            }
        }
        let bars = [(&mut self.hours[..], 3600), (&mut self.days[..], 24 * 3600)];
        for (bars, seconds) in bars {
            let number = |at: Timestamp| at.as_second().div_euclid(seconds);
            let back = usize::try_from(number(now) - number(line.at())).ok();
            if let Some(bar) = back.and_then(|back| bars.iter_mut().rev().nth(back)) {
                bar.add(line);
            }
        }
    }

    /// The present day, in UTC.
    #[must_use]
    pub fn today(&self) -> Sum {
        self.days[DAYS - 1]
    }

    /// For how long a balance lasts at the rate of the last 24 hours, what others spend of it counted in, and at that of the last
    /// seven days; of either as far as it was observed.
    #[must_use]
    pub fn lasts(&self, balance: u64) -> [Forecast; 2] {
        let elsewhere = self.elsewhere.map_or(0, |elsewhere| elsewhere.queries);
        let at_rate = |spent: u64, days: i64| {
            if spent == 0 {
                return Forecast::NothingSpent;
            }
            if self.observed < ENOUGH {
                return Forecast::TooEarly(self.observed);
            }
            let minutes = self.observed.as_mins().min(days * 24 * 60).unsigned_abs();
            let lasts = u128::from(balance) * u128::from(minutes) / u128::from(spent);
            Forecast::Days(u64::try_from(lasts / (24 * 60)).unwrap_or(u64::MAX))
        };
        [
            at_rate(self.last_day.surely() + elsewhere, 1),
            at_rate(self.week.surely(), 7),
        ]
    }
}

/// Less use than this makes no rate.
const ENOUGH: SignedDuration = SignedDuration::from_hours(3);

/// For how long a balance lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forecast {
    NothingSpent,
    /// No more than this was observed.
    TooEarly(SignedDuration),
    Days(u64),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().expect(text)
    }

    fn spent(when: &str, surely: u32, possibly: u32, balance: Option<u64>) -> Spent {
        Spent {
            at: at(when),
            surely,
            possibly,
            balance,
            work: None,
            is_total: false,
        }
    }

    #[test]
    fn periods_are_added_up_and_what_is_doubtful_stays_apart() {
        let statement = Statement {
            spent: vec![
                spent("2026-10-01T00:00:00Z", 5, 0, Some(900)),
                spent("2026-11-14T00:00:00Z", 3, 1, Some(800)),
                spent("2026-11-20T00:00:00Z", 2, 0, None),
                spent("2026-11-20T10:00:00Z", 0, 1, None),
            ],
            ..Statement::default()
        };
        let tally = LedgerTally::of(statement, at("2026-11-20T12:00:00Z"));
        let sums = [tally.today(), tally.week, tally.all];
        let sums = sums.map(|sum| (sum.surely(), sum.possibly));
        assert_eq!(sums, [(2, 1), (5, 2), (10, 2)]);
        let days = |one, other| [Forecast::Days(one), Forecast::Days(other)];
        assert_eq!(tally.lasts(798), days(399, 1117));
        let none = [Forecast::NothingSpent; 2];
        assert_eq!(LedgerTally::default().lasts(798), none);
    }

    #[test]
    fn a_rate_is_of_the_time_that_was_observed_and_of_no_less_than_a_few_hours() {
        let statement = Statement {
            spent: vec![spent("2026-11-20T00:00:00Z", 6, 0, None)],
            ..Statement::default()
        };
        let lasts = |when: &str| LedgerTally::of(statement.clone(), at(when)).lasts(1000);
        let minutes = SignedDuration::from_mins;
        let early = |passed| [Forecast::TooEarly(minutes(passed)); 2];
        assert_eq!(lasts("2026-11-20T00:10:00Z"), early(10));
        assert_eq!(lasts("2026-11-20T02:59:00Z"), early(179));
        // Half a day of use: twelve a day.
        assert_eq!(lasts("2026-11-20T12:00:00Z"), [Forecast::Days(83); 2]);
        let [day, week] = lasts("2026-11-22T00:00:00Z");
        assert_eq!((day, week), (Forecast::NothingSpent, Forecast::Days(333)));
    }

    #[test]
    fn bars_tell_hours_days_and_kinds_apart() {
        let line = |when, work| Spent {
            work,
            ..spent(when, 2, 0, None)
        };
        let saved = |when, by, queries| SavedQueries {
            at: at(when),
            by,
            queries,
        };
        let statement = Statement {
            spent: vec![
                line("2026-11-19T11:30:00Z", None),
                line("2026-11-20T11:59:00Z", Some(QueryPurpose::Batch)),
                line("2026-11-20T12:00:00Z", Some(QueryPurpose::Lookup)),
            ],
            saved: vec![
                saved("2026-11-20T12:00:00Z", SavedBy::Local, 7),
                saved("2026-11-20T12:10:00Z", SavedBy::Cache, 1),
            ],
            ..Statement::default()
        };
        let tally = LedgerTally::of(statement, at("2026-11-20T12:30:00Z"));
        assert_eq!(tally.hours[23].spent, [2, 0, 0, 0, 0]);
        assert_eq!(tally.hours[23].saved, [1, 7]);
        assert_eq!(tally.hours[22].spent, [0, 0, 0, 2, 0]);
        assert_eq!(tally.days[13].spent, [2, 0, 0, 2, 0]);
        assert_eq!(tally.days[12].spent, [0, 0, 0, 0, 2]);
        assert_eq!(tally.today().saved, [1, 7]);
    }
}
