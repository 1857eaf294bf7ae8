//! What this program spent and saved, by its own ledger, added up by the hour and by the day.

use jiff::{SignedDuration, Timestamp};

use crate::{
    engine::{Elsewhere, Saved, SavedBy, Spent, Statement, Work, elsewhere},
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

    fn save(&mut self, saved: &Saved) {
        match saved.by {
            SavedBy::Cache => self.cache += u64::from(saved.queries),
            SavedBy::Local => self.local += u64::from(saved.queries),
        }
    }
}

/// An hour or a day in a chart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bar {
    /// Surely spent, by [`Work::ALL`], then of lines that name no work.
    pub spent: [u64; Work::ALL.len() + 1],
    /// Not needed, by [`SavedBy::ALL`].
    pub saved: [u64; SavedBy::ALL.len()],
    /// Possibly spent: no answer came.
    pub possibly: u64,
}

impl Bar {
    fn spend(&mut self, spent: &Spent) {
        let work = |work| Work::ALL.iter().position(|own| *own == work);
        let at = spent.work.and_then(work).unwrap_or(Work::ALL.len());
        self.spent[at] += u64::from(spent.surely);
        self.possibly += u64::from(spent.possibly);
    }

    fn save(&mut self, saved: &Saved) {
        let at = SavedBy::ALL.iter().position(|own| *own == saved.by);
        self.saved[at.unwrap_or_default()] += u64::from(saved.queries);
    }
}

/// Hours in a chart.
pub const HOURS: usize = 24;
/// Days in a chart.
pub const DAYS: usize = 14;

/// The ledger, added up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
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
    /// The highest balance in it.
    pub highest: Option<u64>,
    /// The last hours, the present one last.
    pub hours: [Bar; HOURS],
    /// The last days, today last.
    pub days: [Bar; DAYS],
    /// What somebody else spent in the last 24 hours.
    pub elsewhere: Option<Elsewhere>,
}

impl Tally {
    /// Adds up lines, which are in the order of time.
    #[must_use]
    pub fn of(statement: &Statement, now: Timestamp) -> Self {
        let Statement { spent, saved, .. } = statement;
        let first = [
            spent.first().map(|line| line.at),
            saved.first().map(|saved| saved.at),
        ];
        let mut tally = Self {
            since: first.into_iter().flatten().min().map(Day::of),
            highest: spent.iter().filter_map(|line| line.balance).max(),
            elsewhere: elsewhere(spent, now),
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

    fn each_bar(&mut self, at: Timestamp, now: Timestamp, add: impl Fn(&mut Bar)) {
        let back = |hours: i64| hours_of(now).div_euclid(hours) - hours_of(at).div_euclid(hours);
        let bar = |bars: &mut [Bar], back: i64| {
            let at = usize::try_from(back).ok();
            let at = at.and_then(|back| bars.len().checked_sub(back + 1));
            if let Some(bar) = at.and_then(|at| bars.get_mut(at)) {
                add(bar);
            }
        };
        bar(&mut self.hours, back(1));
        bar(&mut self.days, back(24));
    }

    /// For how many days a balance lasts at the rate of the last 24 hours, what others spend of it counted in, and at that of
    /// the last seven days; nothing where none was spent.
    #[must_use]
    pub fn lasts(&self, balance: u64) -> (Option<u64>, Option<u64>) {
        let elsewhere = self.elsewhere.map_or(0, |elsewhere| elsewhere.queries);
        let today = balance.checked_div(self.last_day.surely + elsewhere);
        let week = balance.saturating_mul(7).checked_div(self.week.surely);
        (today, week)
    }
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
        let tally = Tally::of(&statement, at("2026-11-20T12:00:00Z"));
        let sum = |surely, possibly| Sum {
            surely,
            possibly,
            ..Sum::default()
        };
        assert_eq!(tally.today, sum(2, 1));
        assert_eq!(tally.week, sum(5, 2));
        assert_eq!(tally.all, sum(10, 2));
        assert_eq!(tally.highest, Some(900));
        assert_eq!(tally.lasts(798), (Some(399), Some(1117)));
        assert_eq!(Tally::default().lasts(798), (None, None));
    }

    #[test]
    fn bars_tell_hours_days_and_kinds_apart() {
        let line = |when, work| Spent {
            work,
            ..spent(when, 2, 0, None)
        };
        let saved = |when, by, queries| Saved {
            at: at(when),
            by,
            queries,
        };
        let statement = Statement {
            spent: vec![
                line("2026-11-19T11:30:00Z", None),
                line("2026-11-20T11:59:00Z", Some(Work::Batch)),
                line("2026-11-20T12:00:00Z", Some(Work::Lookup)),
            ],
            saved: vec![
                saved("2026-11-20T12:00:00Z", SavedBy::Local, 7),
                saved("2026-11-20T12:10:00Z", SavedBy::Cache, 1),
            ],
            ..Statement::default()
        };
        let tally = Tally::of(&statement, at("2026-11-20T12:30:00Z"));
        assert_eq!(tally.hours[23].spent, [2, 0, 0, 0, 0]);
        assert_eq!(tally.hours[23].saved, [1, 7]);
        assert_eq!(tally.hours[22].spent, [0, 0, 0, 2, 0]);
        assert_eq!(tally.days[13].spent, [2, 0, 0, 2, 0]);
        assert_eq!(tally.days[12].spent, [0, 0, 0, 0, 2]);
        assert_eq!((tally.today.local, tally.today.cache), (7, 1));
    }
}
