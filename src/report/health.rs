//! The releases of a feed over days, with what is out of the ordinary, each by its rule.

use super::{Cell, Columns, TextCell, count, counted, each, size};
use crate::{contract::Feed, engine::DayHealth};

/// How many days before a release are compared with it, and how few are too few.
const BEFORE: usize = 7;
const TOO_FEW: usize = 3;
/// How far from their median is out of the ordinary, in hundredths.
const FAR: u64 = 20;
/// How late is late, in seconds.
const LATE: u64 = 2 * 3600;

/// A day of a feed, with what is noted of it.
#[derive(Clone, Debug)]
pub struct HealthRow {
    pub feed: Feed,
    pub health: DayHealth,
    pub notes: Vec<String>,
}

impl HealthRow {
    /// The rows of these days, the oldest first, each judged by the days before it.
    #[must_use]
    pub fn of(feed: Feed, days: &[DayHealth]) -> Vec<Self> {
        let row = |(at, health): (usize, &DayHealth)| Self {
            feed,
            health: health.clone(),
            notes: notes(health, &days[..at]),
        };
        days.iter().enumerate().map(row).collect()
    }
}

/// The middle of these numbers; `None` of too few.
fn median(mut numbers: Vec<u64>) -> Option<u64> {
    numbers.sort_unstable();
    (numbers.len() >= TOO_FEW).then(|| numbers[numbers.len() / 2])
}

/// A time in whole hours, or in minutes.
fn in_hours(seconds: u64) -> String {
    match seconds / 3600 {
        0 => format!("{} min", seconds / 60),
        hours => format!("{} h", count(hours)),
    }
}

/// What is out of the ordinary.
fn notes(health: &DayHealth, before: &[DayHealth]) -> Vec<String> {
    let recent = &before[before.len().saturating_sub(BEFORE)..];
    let mut notes = Vec::new();
    let a_record = |health: &DayHealth| 100 * health.bytes / health.records.max(1);
    for (name, own, others) in [
        (
            "records",
            health.records,
            recent.iter().map(|day| day.records).collect(),
        ),
        (
            "bytes a record",
            a_record(health),
            recent.iter().map(a_record).collect::<Vec<u64>>(),
        ),
    ] {
        if let Some(usual) = median(others).filter(|usual| *usual > 0) {
            let percent = own.abs_diff(usual).saturating_mul(100) / usual;
            if percent > FAR {
                let way = if own > usual { "more" } else { "fewer" };
                notes.push(format!(
                    "{percent} % {way} {name} than the median of the days before"
                ));
            }
        }
    }
    let churned = |health: &DayHealth| health.churn.map(|churn| churn.iter().sum::<u64>());
    let usual = median(recent.iter().filter_map(churned).collect());
    if let (Some(own), Some(usual)) = (churned(health), usual)
        && own > usual.saturating_mul(2)
    {
        notes.push(format!(
            "{} changed, more than twice the usual {}",
            counted(own, "record"),
            count(usual)
        ));
    }
    if let Some(late) = health.late_s().filter(|late| *late > LATE) {
        notes.push(format!("generated {} after it was due", in_hours(late)));
    }
    if health.rejected > 0 {
        notes.push(format!("{} no record", counted(health.rejected, "line")));
    }
    let known = || before.iter().filter_map(|day| day.unknown.as_ref());
    if let Some(unknown) = health.unknown.as_ref().filter(|_| known().next().is_some()) {
        let new = unknown
            .iter()
            .filter(|name| !known().any(|names| names.contains(name)));
        let new = each(new, ", ");
        if !new.is_empty() {
            notes.push(format!("not in the contract, and new: {new}"));
        }
    }
    notes
}

/// The columns of the days.
pub fn health_columns() -> Columns<HealthRow> {
    Columns::<HealthRow>::default()
        .column("feed", "feed", |row| row.feed.name())
        .column("day", "day", |row| row.health.day.dashed())
        .column("records", "records", |row| row.health.records)
        .column("bytes", "size", |row| Cell::Bytes(row.health.bytes))
        .shown(|row| TextCell::known(size(row.health.bytes)))
        .column("late_s", "late", |row| {
            row.health.late_s().map_or(Cell::Null, Cell::Count)
        })
        .shown(|row| match row.health.late_s() {
            Some(0) => TextCell::known("no"),
            late => TextCell::or_dash(late.map(in_hours)),
        })
        .column("changed", "changed", |row| {
            let churn = row.health.churn.map(|churn| churn.iter().sum());
            churn.map_or(Cell::Null, Cell::Count)
        })
        .column("notes", "notes", |row| Cell::json(&row.notes))
        .shown(|row| TextCell::known(each(&row.notes, "; ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Day;

    fn day(of: i8, records: u64) -> DayHealth {
        let day = Day::new(2026, 11, of).expect("a day");
        DayHealth {
            day,
            generated: Some(day.at(4, 30)),
            records,
            bytes: 70 * records,
            rejected: 0,
            churn: Some([10, 10, 80]),
            unknown: None,
        }
    }

    #[test]
    fn each_rule_notes_what_it_is_about_and_nothing_else() {
        let usual: Vec<DayHealth> = (1..=7)
            .map(|of| day(of, 1_000 + u64::from(of.unsigned_abs())))
            .collect();
        let noted = |change: &dyn Fn(&mut DayHealth)| {
            let mut all = usual.clone();
            all[0].unknown = Some(vec!["ai.model".to_owned()]);
            let mut last = day(8, 1_100);
            change(&mut last);
            all.push(last);
            HealthRow::of(Feed::Anonymous, &all)
                .pop()
                .expect("a row")
                .notes
        };
        assert_eq!(noted(&|_| {}), [""; 0]);
        let shrunk = noted(&|day| (day.records, day.bytes) = (700, 49_000));
        assert_eq!(
            shrunk,
            ["30 % fewer records than the median of the days before"]
        );
        let fat = noted(&|day| day.bytes *= 2);
        assert_eq!(
            fat,
            ["100 % more bytes a record than the median of the days before"]
        );
        assert_eq!(noted(&|day| day.rejected = 3), ["3 lines no record"]);
        assert_eq!(
            noted(&|day| day.generated = Some(day.day.at(9, 0))),
            ["generated 4 h after it was due"]
        );
        let churned = noted(&|day| day.churn = Some([100, 100, 100]));
        assert_eq!(
            churned,
            ["300 records changed, more than twice the usual 100"]
        );
        let names = || Some(vec!["ai.model".to_owned(), "risks SPAM".to_owned()]);
        assert_eq!(
            noted(&|day| day.unknown = names()),
            ["not in the contract, and new: risks SPAM"]
        );
        // Too few days are no rule.
        let few = HealthRow::of(Feed::Anonymous, &[day(1, 10), day(2, 1000)]);
        assert!(few.iter().all(|row| row.notes.is_empty()));
    }
}
