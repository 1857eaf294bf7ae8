//! Queries spent and saved by the ledger, summed by hour and day.

use jiff::{SignedDuration, Timestamp};

use crate::{
    engine::{Elsewhere, QueryPurpose, SavedBy, SavedQueries, Spent, Statement, elsewhere},
    model::Day,
};

/// Queries of a period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// Surely spent.
    pub surely: u64,
    /// Possibly spent: no answer came, but the service may have counted them.
    pub possibly: u64,
    /// Not needed, because an answer was cached.
    pub cache: u64,
    /// Not needed, because a local feed had the answer.
    pub local: u64,
}

impl Sum {
    fn spend(&mut self, spent: &Spent) {
        self.surely += u64::from(spent.surely);
        self.possibly += u64::from(spent.possibly);
    }

    fn save(&mut self, saved: &SavedQueries) {
        match saved.by {
            SavedBy::Cache => self.cache += u64::from(saved.queries),
            SavedBy::Local => self.local += u64::from(saved.queries),
        }
    }
}

/// An hour or a day in a chart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpendBar {
    /// Surely spent, by [`QueryPurpose::ALL`], then of lines that name no work.
    pub spent: [u64; QueryPurpose::ALL.len() + 1],
    /// Not needed, by [`SavedBy::ALL`].
    pub saved: [u64; SavedBy::ALL.len()],
    /// Possibly spent: no answer came.
    pub possibly: u64,
}

impl SpendBar {
    fn spend(&mut self, spent: &Spent) {
        let work = |work| QueryPurpose::ALL.iter().position(|own| *own == work);
        let at = spent.work.and_then(work).unwrap_or(QueryPurpose::ALL.len());
        self.spent[at] += u64::from(spent.surely);
        self.possibly += u64::from(spent.possibly);
    }

    fn save(&mut self, saved: &SavedQueries) {
        let at = SavedBy::ALL.iter().position(|own| *own == saved.by);
        self.saved[at.unwrap_or_default()] += u64::from(saved.queries);
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TallyLine {
    pub at: Timestamp,
    /// What was spent or saved.
    pub what: LineSubject,
}

/// What a line of the ledger is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineSubject {
    /// Queries that were spent, or may have been.
    Spent(Spent),
    /// Queries that were not needed.
    Saved(SavedQueries),
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
    /// Of the present day, in UTC.
    pub today: Sum,
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
    pub hours: [SpendBar; HOURS],
    /// The last days, today last.
    pub days: [SpendBar; DAYS],
    /// Queries that other clients spent in the last 24 hours.
    pub elsewhere: Option<Elsewhere>,
    /// The newest lines, the newest first. One that only names a balance is left out.
    pub latest: Vec<TallyLine>,
    /// What is wrong with the file.
    pub faults: Vec<String>,
}

impl LedgerTally {
    /// Adds up lines, which are in the order of time.
    #[must_use]
    pub fn of(statement: &Statement, now: Timestamp) -> Self {
        let Statement { spent, saved, .. } = statement;
        let first = [
            spent.first().map(|line| line.at),
            saved.first().map(|saved| saved.at),
        ];
        let first = first.into_iter().flatten().min();
        let mut tally = Self {
            since: first.map(Day::of),
            observed: first.map_or(SignedDuration::ZERO, |first| now.duration_since(first)),
            elsewhere: elsewhere(spent, now),
            latest: latest(statement),
            faults: statement.faults(),
            ..Self::default()
        };
        for line in spent {
            tally.each_sum(line.at, now, |sum| sum.spend(line));
            tally.each_bar(line.at, now, |bar| bar.spend(line));
        }
        for saved in saved {
            tally.each_sum(saved.at, now, |sum| sum.save(saved));
            tally.each_bar(saved.at, now, |bar| bar.save(saved));
        }
        tally
    }

    fn each_sum(&mut self, at: Timestamp, now: Timestamp, add: impl Fn(&mut Sum)) {
        let passed = now.duration_since(at);
        add(&mut self.all);
        if passed <= SignedDuration::from_hours(7 * 24) {
            add(&mut self.week);
        }
        if passed <= SignedDuration::from_hours(24) {
            add(&mut self.last_day);
        }
        if Day::of(at) == Day::of(now) {
            add(&mut self.today);
        }
    }

    fn each_bar(&mut self, at: Timestamp, now: Timestamp, add: impl Fn(&mut SpendBar)) {
        let back = |hours: i64| hours_of(now).div_euclid(hours) - hours_of(at).div_euclid(hours);
        let bar = |bars: &mut [SpendBar], back: i64| {
            let at = usize::try_from(back).ok();
            let at = at.and_then(|back| bars.len().checked_sub(back + 1));
            if let Some(bar) = at.and_then(|at| bars.get_mut(at)) {
                add(bar);
            }
        };
        bar(&mut self.hours, back(1));
        bar(&mut self.days, back(24));
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
            at_rate(self.last_day.surely + elsewhere, 1),
            at_rate(self.week.surely, 7),
        ]
    }
}

fn latest(statement: &Statement) -> Vec<TallyLine> {
    let spent = statement.spent.iter().rev();
    let spent = spent.filter(|line| line.surely > 0 || line.possibly > 0);
    let spent = spent.take(LATEST).map(|line| TallyLine {
        at: line.at,
        what: LineSubject::Spent(line.clone()),
    });
    let saved = statement.saved.iter().rev().take(LATEST);
    let saved = saved.map(|line| TallyLine {
        at: line.at,
        what: LineSubject::Saved(*line),
    });
    let mut latest: Vec<TallyLine> = spent.chain(saved).collect();
    latest.sort_by_key(|entry| std::cmp::Reverse(entry.at));
    latest.truncate(LATEST);
    latest
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

/// Hours since the epoch.
fn hours_of(at: Timestamp) -> i64 {
    at.as_second().div_euclid(3600)
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
        let tally = LedgerTally::of(&statement, at("2026-11-20T12:00:00Z"));
        let sum = |surely, possibly| Sum {
            surely,
            possibly,
            ..Sum::default()
        };
        assert_eq!(tally.today, sum(2, 1));
        assert_eq!(tally.week, sum(5, 2));
        assert_eq!(tally.all, sum(10, 2));
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
        let lasts = |when: &str| LedgerTally::of(&statement, at(when)).lasts(1000);
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
        let tally = LedgerTally::of(&statement, at("2026-11-20T12:30:00Z"));
        assert_eq!(tally.hours[23].spent, [2, 0, 0, 0, 0]);
        assert_eq!(tally.hours[23].saved, [1, 7]);
        assert_eq!(tally.hours[22].spent, [0, 0, 0, 2, 0]);
        assert_eq!(tally.days[13].spent, [2, 0, 0, 2, 0]);
        assert_eq!(tally.days[12].spent, [0, 0, 0, 0, 2]);
        assert_eq!((tally.today.local, tally.today.cache), (7, 1));
    }
}
