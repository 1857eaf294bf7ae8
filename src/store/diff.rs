//! The changes between two local days of a feed: records added, removed and changed.
//!
//! Both indexes list the subjects of their records in the order of addresses, each with a hash of its line, so a diff is a merge
//! of two sorted lists. Records of equal hash count as equal and are never read; the hash ignores the order of keys and lists. If
//! the hashes differ, both lines are read and compared as data ([`differ`]), in batches on several threads.
//!
//! - An address equals the network that contains only it.
//! - If a subject repeats within one day, equal lines are paired first, then the rest in the order of the file; the surplus
//!   counts as added or removed. More than 4,096 repeats are paired 4,096 at a time.
//! - Records without a readable subject come last. Those with a `tag`, as all of service-metrics, are compared by that name. The
//!   others have no identity but their content, so such a record is added or removed, never changed. Only these records take
//!   memory in proportion to their number.
//!
//! A filter is evaluated separately on each day: an added record counts if it matches in the new day, a removed one if it matches
//! in the old day, a changed one if it matches in either. Two sets have a filter each, and nothing but their own records: one that
//! only the first set has counts as removed, whatever the release of the other holds.
//!
//! This module neither finds the days nor prints.

mod nameless;
mod ranking;
mod summary;
#[cfg(test)]
mod tests;

use self::nameless::{NamelessKey, nameless};
pub use self::ranking::{ListedChanges, RankedCounts, Ranking};
pub use self::summary::{ChangeCounts, Move, Summary, Tallied};
use super::{
    Filter, Index, RowId, StopFlag,
    index::{QueryError, Selection, over_chunks},
    merge::{ChangeRule, Merge, Pairing, RowEntry},
};
use crate::model::{
    ByAddress, Document,
    compare::{Difference, DifferenceKind, compare, differ},
};

/// The kind of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeKind {
    /// Only the new day has it.
    Added,
    /// Only the old day has it.
    Removed,
    /// Both days have it, with different content.
    Changed,
}

/// One record that differs between the two days.
#[derive(Clone, Copy, Debug)]
pub struct ChangedRecord {
    pub kind: ChangeKind,
    /// Its row in the old day.
    pub before: Option<RowId>,
    /// Its row in the new day.
    pub after: Option<RowId>,
}

/// Both versions of a changed record.
#[derive(Clone, Debug)]
pub struct ComparedPair {
    /// The version of the old day.
    pub before: Document,
    /// The version of the new day.
    pub after: Document,
    /// All differences.
    pub differences: Vec<Difference>,
}

/// Two days of a feed, and the records to compare.
#[derive(Clone, Debug)]
pub struct Diff<'a> {
    before: DiffSide<'a>,
    after: DiffSide<'a>,
    /// Whether each side has the records of its own filter alone.
    of_sets: bool,
}

/// One of the two days.
#[derive(Clone, Debug)]
struct DiffSide<'a> {
    index: &'a Index,
    /// The records that match the filter; `None` for all.
    meant: Option<Selection>,
}

impl<'a> DiffSide<'a> {
    fn of(index: &'a Index, filter: &Filter, stop: &StopFlag) -> Result<Self, QueryError> {
        let meant = (!filter.is_empty())
            .then(|| index.select(filter, stop))
            .transpose()?;
        Ok(Self { index, meant })
    }

    /// Its own records that have an address or a network.
    fn own(&self) -> impl Iterator<Item = Result<RowEntry<ByAddress>, QueryError>> + '_ {
        let is_own = |entry: &Result<RowEntry<ByAddress>, QueryError>| match entry {
            Ok(entry) => self.means(entry.row),
            Err(_) => true,
        };
        addressed(self.index).filter(is_own)
    }

    fn means(&self, row: RowId) -> bool {
        self.meant.as_ref().is_none_or(|meant| meant.contains(row))
    }

    /// The record of a row; `None` if the line cannot be parsed.
    fn document(&self, row: RowId) -> Result<Option<Document>, QueryError> {
        self.line(row).map(|line| Document::read(&line).ok())
    }

    fn line(&self, row: RowId) -> Result<Vec<u8>, QueryError> {
        let mut line = Vec::new();
        self.index.line(row, &mut line)?;
        Ok(line)
    }
}

impl<'a> Diff<'a> {
    /// Prepares the comparison of an old day with a new one, limited to the records that match a filter.
    ///
    /// # Errors
    /// [`QueryError`].
    pub fn between(
        before: &'a Index,
        after: &'a Index,
        filter: &Filter,
        stop: &StopFlag,
    ) -> Result<Self, QueryError> {
        Ok(Self {
            before: DiffSide::of(before, filter, stop)?,
            after: DiffSide::of(after, filter, stop)?,
            of_sets: false,
        })
    }

    /// Prepares the comparison of two sets of records, each of a release and a filter.
    ///
    /// # Errors
    /// [`QueryError`].
    pub fn of_sets(
        [before, after]: [&'a Index; 2],
        [of_before, of_after]: [&Filter; 2],
        stop: &StopFlag,
    ) -> Result<Self, QueryError> {
        Ok(Self {
            before: DiffSide::of(before, of_before, stop)?,
            after: DiffSide::of(after, of_after, stop)?,
            of_sets: true,
        })
    }

    /// The record of a row of the old day; `None` if the line cannot be parsed.
    ///
    /// # Errors
    /// [`QueryError::Damaged`].
    pub fn document_before(&self, row: RowId) -> Result<Option<Document>, QueryError> {
        self.before.document(row)
    }

    /// The record of a row of the new day; `None` if the line cannot be parsed.
    ///
    /// # Errors
    /// [`QueryError::Damaged`].
    pub fn document_after(&self, row: RowId) -> Result<Option<Document>, QueryError> {
        self.after.document(row)
    }

    /// Visits every record that differs between the days, by address; records without an address come last. Stops when `visit`
    /// returns `false`.
    ///
    /// # Errors
    /// [`QueryError`].
    pub fn each(
        &self,
        stop: &StopFlag,
        mut visit: impl FnMut(ChangedRecord) -> Result<bool, QueryError>,
    ) -> Result<(), QueryError> {
        self.walk(stop, &mut visit)
    }

    /// [`Diff::each`] without its generic parameter, so it is compiled once, in this crate, with the iterators inlined: unchanged
    /// records cost no call.
    fn walk(
        &self,
        stop: &StopFlag,
        visit: &mut dyn FnMut(ChangedRecord) -> Result<bool, QueryError>,
    ) -> Result<(), QueryError> {
        let (before, after) = (&self.before, &self.after);
        if !self.of_sets {
            let lists = (addressed(before.index), addressed(after.index));
            return self.walk_lists(stop, lists, visit);
        }
        self.walk_lists(stop, (before.own(), after.own()), visit)
    }

    /// The records of the lists, which have an address or a network, then the others.
    fn walk_lists<A, B>(
        &self,
        stop: &StopFlag,
        (before, after): (A, B),
        visit: &mut dyn FnMut(ChangedRecord) -> Result<bool, QueryError>,
    ) -> Result<(), QueryError>
    where
        A: Iterator<Item = Result<RowEntry<ByAddress>, QueryError>>,
        B: Iterator<Item = Result<RowEntry<ByAddress>, QueryError>>,
    {
        let mut merge = Merge::of(ChangeRule::Content, before, after)?;
        if !self.take(stop, || merge.next(stop), visit)? {
            return Ok(());
        }
        let (before, after) = merge.given();
        let list = |side: &DiffSide<'_>, given| -> Result<Vec<RowEntry<NamelessKey>>, QueryError> {
            if given == side.index.records() {
                return Ok(Vec::new());
            }
            let mut entries = nameless(side.index, stop)?;
            if self.of_sets {
                entries.retain(|entry| side.means(entry.row));
            }
            Ok(entries)
        };
        let before = list(&self.before, before)?.into_iter().map(Ok);
        let after = list(&self.after, after)?.into_iter().map(Ok);
        let mut merge = Merge::of(ChangeRule::Content, before, after)?;
        self.take(stop, || merge.next(stop), visit).map(|_| ())
    }

    /// Takes pairs in batches and visits the changes; false if `visit` ended it.
    fn take(
        &self,
        stop: &StopFlag,
        mut next: impl FnMut() -> Result<Option<Pairing>, QueryError>,
        visit: &mut dyn FnMut(ChangedRecord) -> Result<bool, QueryError>,
    ) -> Result<bool, QueryError> {
        let mut places = Vec::with_capacity(TOGETHER);
        // The first batch is small, since its changes are shown at once.
        let mut most = FIRST;
        loop {
            places.clear();
            while places.len() < most
                && let Some(place) = next()?
            {
                places.push(place);
            }
            for changed in in_parallel(&places, stop, |place| self.look(*place))?
                .into_iter()
                .flatten()
            {
                if !visit(changed)? {
                    return Ok(false);
                }
            }
            if places.len() < most {
                return Ok(true);
            }
            most = TOGETHER;
        }
    }

    /// The change at one pair; `None` if the filter excludes it or the records are equal.
    fn look(&self, place: Pairing) -> Result<Option<ChangedRecord>, QueryError> {
        let (kind, before, after) = match place {
            Pairing::Before(row) if self.before.means(row) => {
                (ChangeKind::Removed, Some(row), None)
            }
            Pairing::After(row) if self.after.means(row) => (ChangeKind::Added, None, Some(row)),
            Pairing::Both(before, after)
                if (self.before.means(before) || self.after.means(after))
                    && differ(&self.before.line(before)?, &self.after.line(after)?) =>
            {
                (ChangeKind::Changed, Some(before), Some(after))
            }
            Pairing::Before(_) | Pairing::After(_) | Pairing::Both(..) => return Ok(None),
        };
        Ok(Some(ChangedRecord {
            kind,
            before,
            after,
        }))
    }

    /// Both versions of a changed record; `None` for an added or removed one, and if a line cannot be parsed.
    ///
    /// # Errors
    /// [`QueryError::Damaged`].
    pub fn compared(&self, changed: &ChangedRecord) -> Result<Option<ComparedPair>, QueryError> {
        let (Some(before), Some(after)) = (changed.before, changed.after) else {
            return Ok(None);
        };
        let both = self
            .before
            .document(before)?
            .zip(self.after.document(after)?);
        Ok(both.map(|(before, after)| {
            let mut differences = compare(before.value(), after.value());
            differences.retain(|found| found.change() != DifferenceKind::Equal);
            ComparedPair {
                before,
                after,
                differences,
            }
        }))
    }
}

/// The number of pairs in a batch, and in the first one.
const TOGETHER: usize = 8192;
const FIRST: usize = 256;
/// The number of pairs that a thread compares between two checks of the stop flag.
const STEP: usize = 64;

/// Looks at each of these on several threads.
fn in_parallel<T: Sync, Found: Clone + Send>(
    places: &[T],
    stop: &StopFlag,
    look: impl Fn(&T) -> Result<Found, QueryError> + Sync,
) -> Result<Vec<Found>, QueryError> {
    let parts = over_chunks(places.len().div_ceil(STEP), |steps| {
        let mut looked = Vec::with_capacity(steps.len() * STEP);
        for places in places.chunks(STEP).skip(steps.start).take(steps.len()) {
            stop.check()?;
            for place in places {
                looked.push(look(place)?);
            }
        }
        Ok(looked)
    })?;
    Ok(parts.concat())
}

fn addressed(index: &Index) -> impl Iterator<Item = Result<RowEntry<ByAddress>, QueryError>> + '_ {
    index.subjects().map(|found| {
        let (subject, row, hash) = found?;
        Ok(RowEntry {
            key: ByAddress(subject),
            row,
            hash,
        })
    })
}
