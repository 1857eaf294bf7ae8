//! A diff by what its records are worth to an analyst: those with another verdict first, those in which only numbers, exits or places
//! moved last.

use std::{cmp::Reverse, mem, ops::Range};

use super::{ChangeCounts, ChangeKind, ChangedRecord, Diff, TOGETHER, in_parallel};
use crate::{
    model::{Anonymization, Context, Document, terms},
    store::{StopFlag, index::QueryError},
};

/// The most records of a kind that a ranking holds, which bounds its memory. The others are only counted.
const MOST: usize = 10_000;

/// What a change is worth. The order is that of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Worth {
    /// Another verdict, or a record added or removed that anonymizes.
    Verdict,
    /// Another record added or removed.
    Presence,
    /// Both days have the record, with the same verdict.
    Other,
}

/// The changes to list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ListedChanges {
    /// The only kind; `None` for all.
    pub kind: Option<ChangeKind>,
    /// Whether changed records with the same verdict are listed, too.
    pub others: bool,
}

/// The numbers of all changes, those beyond a ranking included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RankedCounts {
    /// Records added, removed, and changed with another verdict.
    pub main: ChangeCounts,
    /// Changed records with the same verdict.
    pub others: u64,
}

impl RankedCounts {
    /// The number of the changes to list.
    #[must_use]
    pub fn listed(self, listed: ListedChanges) -> u64 {
        let mut counts = self.main;
        if listed.others {
            counts.changed += self.others;
        }
        match listed.kind {
            None => counts.sum(),
            Some(ChangeKind::Added) => counts.added,
            Some(ChangeKind::Removed) => counts.removed,
            Some(ChangeKind::Changed) => counts.changed,
        }
    }
}

/// A change with its place among all: by worth, then by descending number of clients, then in the order of the diff.
#[derive(Clone, Copy, Debug)]
struct RankedChange {
    place: (Worth, Reverse<u64>, u64),
    change: ChangedRecord,
}

/// The changes of a diff by worth.
#[derive(Clone, Debug, Default)]
pub struct Ranking {
    pub counts: RankedCounts,
    /// Those added, removed, changed with another verdict, and changed with the same one.
    lists: [Vec<RankedChange>; 4],
}

impl Ranking {
    /// The changes at these positions of a list.
    #[must_use]
    pub fn page(&self, listed: ListedChanges, positions: Range<u64>) -> Vec<ChangedRecord> {
        let [added, removed, verdicts, others] = &self.lists;
        let lists = [
            (added, ChangeKind::Added, true),
            (removed, ChangeKind::Removed, true),
            (verdicts, ChangeKind::Changed, true),
            (others, ChangeKind::Changed, listed.others),
        ];
        let is_meant = |kind| listed.kind.is_none_or(|change_kind| change_kind == kind);
        let lists = lists
            .into_iter()
            .filter(|(_, kind, is_listed)| *is_listed && is_meant(*kind));
        let mut all: Vec<_> = lists.flat_map(|(list, ..)| list).collect();
        all.sort_unstable_by_key(|change| change.place);
        let [first, end] = [positions.start, positions.end]
            .map(|at| usize::try_from(at).map_or(MOST, |at| at.min(MOST)));
        let page = all.into_iter().take(end).skip(first);
        page.map(|change| change.change).collect()
    }

    fn add(&mut self, change: ChangedRecord, worth: Worth, clients: u64) {
        let counts = &mut self.counts;
        let number = counts.main.sum() + counts.others;
        if worth == Worth::Other {
            counts.others += 1;
        } else {
            counts.main.count_kind(change.kind);
        }
        let list = match change.kind {
            ChangeKind::Added => 0,
            ChangeKind::Removed => 1,
            ChangeKind::Changed if worth == Worth::Verdict => 2,
            ChangeKind::Changed => 3,
        };
        let list = &mut self.lists[list];
        let place = (worth, Reverse(clients), number);
        list.push(RankedChange { place, change });
        if list.len() >= 2 * MOST {
            cut(list);
        }
    }
}

/// Leaves the first [`MOST`].
fn cut(list: &mut Vec<RankedChange>) {
    list.sort_unstable_by_key(|change| change.place);
    list.truncate(MOST);
}

impl Diff<'_> {
    /// All changes by worth.
    ///
    /// # Errors
    /// [`QueryError`].
    pub fn ranking(&self, stop: &StopFlag) -> Result<Ranking, QueryError> {
        let (mut ranking, mut batch) = (Ranking::default(), Vec::new());
        let mut rank = |batch: Vec<ChangedRecord>| {
            let worths = in_parallel(&batch, stop, |change| self.worth(change))?;
            for (change, (worth, clients)) in batch.into_iter().zip(worths) {
                ranking.add(change, worth, clients);
            }
            Ok(())
        };
        self.each(stop, |change| {
            batch.push(change);
            if batch.len() >= TOGETHER {
                rank(mem::take(&mut batch))?;
            }
            Ok(true)
        })?;
        rank(batch)?;
        ranking.lists.iter_mut().for_each(cut);
        Ok(ranking)
    }

    /// What a change is worth, and the clients of the record.
    fn worth(&self, change: &ChangedRecord) -> Result<(Worth, u64), QueryError> {
        let before = change.before.map(|row| self.document_before(row));
        let after = change.after.map(|row| self.document_after(row));
        let sides = [after.transpose()?.flatten(), before.transpose()?.flatten()];
        let clients =
            |document: &Document| terms::clients(document.value().get("client")?.get("count")?);
        let clients = sides.iter().flatten().find_map(clients);
        let [after, before] = sides
            .map(|document| document.and_then(|document| Context::decode(document.value()).ok()));
        let worth = match change.kind {
            // A record that cannot be read may have any verdict.
            ChangeKind::Changed => match before.zip(after) {
                Some((before, after)) if before.verdict_basis() == after.verdict_basis() => {
                    Worth::Other
                }
                _ => Worth::Verdict,
            },
            ChangeKind::Added | ChangeKind::Removed => match after.or(before) {
                Some(context) if context.anonymization() == Anonymization::Observed => {
                    Worth::Verdict
                }
                _ => Worth::Presence,
            },
        };
        Ok((worth, clients.unwrap_or_default()))
    }
}
