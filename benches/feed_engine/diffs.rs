//! Two days compared: with itself, with the next day, and with the same records whose lists are reversed.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Result, ensure};
use ipspect::store::{
    Filter, Index, StopFlag,
    diff::{ChangeKind, ChangedRecord, Diff},
};

use super::{
    measure::time,
    queries::{at_most, open},
    say,
    table::Table,
};

/// How many records are added, removed and changed.
#[derive(Debug, Default)]
struct Counts {
    added: u64,
    removed: u64,
    changed: u64,
}

impl Counts {
    fn of(before: &Index, after: &Index) -> Result<Self> {
        let (filter, stop) = (Filter::default(), StopFlag::default());
        let mut counts = Self::default();
        Diff::between(before, after, &filter, &stop)?.each(
            &stop,
            &mut |record: ChangedRecord| {
                *match record.kind {
                    ChangeKind::Added => &mut counts.added,
                    ChangeKind::Removed => &mut counts.removed,
                    ChangeKind::Changed => &mut counts.changed,
                } += 1;
                Ok(true)
            },
        )?;
        Ok(counts)
    }

    fn sum(&self) -> u64 {
        self.added + self.removed + self.changed
    }
}

/// Compares a day with itself, which reads no record, and with the next day.
pub(crate) fn days(days: &[PathBuf; 2], table: &mut Table) -> Result<()> {
    say("comparing the days");
    let (before, after) = (open(&days[0])?, open(&days[1])?);
    Counts::of(&before, &before)?;
    let (took, none) = time(|| Counts::of(&before, &before));
    ensure!(none?.sum() == 0, "a day differs from itself");
    let goal = Duration::from_millis(50);
    at_most(
        table,
        "diff of a day with itself",
        took,
        "<= 50 ms at 2 M",
        goal,
    );
    let (took, counts) = time(|| Counts::of(&before, &after));
    let counts = counts?;
    ensure!(counts.sum() > 0, "the days do not differ");
    let goal = Duration::from_millis(500);
    at_most(table, "diff of two days", took, "<= 500 ms at 2 M", goal);
    table.beside(format!(
        "{} differ: {} added, {} removed, {} changed",
        counts.sum(),
        counts.added,
        counts.removed,
        counts.changed
    ));
    Ok(())
}

/// Compares a day with one in which every list of every record is reversed: the same records.
pub(crate) fn reversed_lists(day: &Path, reversed: &Path, table: &mut Table) -> Result<()> {
    say("comparing a day with the same day whose lists are reversed");
    let (before, after) = (open(day)?, open(reversed)?);
    Counts::of(&before, &before)?;
    let (took, counts) = time(|| Counts::of(&before, &after));
    let differ = counts?.sum();
    let goal = Duration::from_millis(250);
    at_most(
        table,
        "  diff with every list reversed",
        took,
        "<= 250 ms at 2 M",
        goal,
    );
    table.at_most(
        "  records reported as different",
        differ.to_string(),
        "0",
        differ as f64,
        0.0,
    );
    Ok(())
}
