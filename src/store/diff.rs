//! The changes between two local days of a feed: records added, removed and changed.
//!
//! Both indexes list what their records are about in the order of addresses, with a hash of each line, so a diff is one
//! walk along two sorted lists. Records of equal hash are equal and are never read: the hash does not depend on the order of keys
//! and lists. Where the hashes differ both lines are read and compared as data ([`differ`]), many at a time on several threads.
//!
//! - An address and the network that holds it alone are the same subject.
//! - A subject that repeats within one day: equal lines are paired first, then the rest in the order of the file, and a
//!   surplus came or went. More than 4,096 repeats are paired 4,096 at a time.
//! - Records about nothing that can be read come last. Those that name a service (`tag`), as all of service-metrics do,
//!   are compared by that name. The others have only their content to be compared by, so one of them is added or removed and never
//!   changed. Only for these records memory grows with their number.
//!
//! A filter asks each day of its own: a record that came counts if it matches in the new day, one that went if it matched
//! in the old one, a changed one if it matches in either.
//!
//! Nothing here decides which days there are, or prints.

mod nameless;
mod summary;
#[cfg(test)]
mod tests;

use self::nameless::{NamelessKey, nameless};
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

/// What happened to a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeKind {
    /// Only the new day has it.
    Added,
    /// Only the old day has it.
    Deleted,
    /// Both days have it and say different things.
    Changed,
}

/// One record that is not the same in both days.
#[derive(Clone, Copy, Debug)]
pub struct ChangedRecord {
    pub kind: ChangeKind,
    /// Its row in the old day.
    pub before: Option<RowId>,
    /// Its row in the new day.
    pub after: Option<RowId>,
}

/// Both sides of a record that changed.
#[derive(Clone, Debug)]
pub struct ComparedPair {
    /// What the old day says.
    pub before: Document,
    /// What the new day says.
    pub after: Document,
    /// Every place in which they differ.
    pub differences: Vec<Difference>,
}

/// Two days of a feed, and which of their records count.
#[derive(Clone, Debug)]
pub struct Diff<'a> {
    before: DiffSide<'a>,
    after: DiffSide<'a>,
}

/// One of the two days.
#[derive(Clone, Debug)]
struct DiffSide<'a> {
    index: &'a Index,
    /// What the filter means in it; `None` where it means all.
    meant: Option<Selection>,
}

impl DiffSide<'_> {
    fn means(&self, row: RowId) -> bool {
        self.meant.as_ref().is_none_or(|meant| meant.contains(row))
    }

    /// What it says in a row; `None` for a line that cannot be read.
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
    /// Compares an old day with a new one, as far as a filter goes.
    ///
    /// # Errors
    /// [`QueryError`].
    pub fn between(
        before: &'a Index,
        after: &'a Index,
        filter: &Filter,
        stop: &StopFlag,
    ) -> Result<Self, QueryError> {
        let day = |index: &'a Index| {
            let meant = (!filter.is_empty())
                .then(|| index.select(filter, stop))
                .transpose()?;
            Ok(DiffSide { index, meant })
        };
        Ok(Self {
            before: day(before)?,
            after: day(after)?,
        })
    }

    /// What the old day says in a row; `None` for a line that cannot be read.
    ///
    /// # Errors
    /// [`QueryError::Damaged`].
    pub fn document_before(&self, row: RowId) -> Result<Option<Document>, QueryError> {
        self.before.document(row)
    }

    /// What the new day says in a row; `None` for a line that cannot be read.
    ///
    /// # Errors
    /// [`QueryError::Damaged`].
    pub fn document_after(&self, row: RowId) -> Result<Option<Document>, QueryError> {
        self.after.document(row)
    }

    /// Visits every record that is not the same in both days, by address; those about no address last. Ends early when
    /// `visit` says `false`.
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

    /// The same, compiled once and here, where the lists are: unchanged records go by without a call.
    fn walk(
        &self,
        stop: &StopFlag,
        visit: &mut dyn FnMut(ChangedRecord) -> Result<bool, QueryError>,
    ) -> Result<(), QueryError> {
        let mut merge = Merge::of(
            ChangeRule::Content,
            addressed(self.before.index),
            addressed(self.after.index),
        )?;
        if !self.take(stop, || merge.next(stop), visit)? {
            return Ok(());
        }
        let (before, after) = merge.given();
        let list = |index: &Index, given| -> Result<Vec<RowEntry<NamelessKey>>, QueryError> {
            if given == index.records() {
                Ok(Vec::new())
            } else {
                nameless(index, stop)
            }
        };
        let before = list(self.before.index, before)?.into_iter().map(Ok);
        let after = list(self.after.index, after)?.into_iter().map(Ok);
        let mut merge = Merge::of(ChangeRule::Content, before, after)?;
        self.take(stop, || merge.next(stop), visit).map(|_| ())
    }

    /// Takes places as they come, many at a time, and visits what does not hold the same; false when `visit` ended it.
    fn take(
        &self,
        stop: &StopFlag,
        mut next: impl FnMut() -> Result<Option<Pairing>, QueryError>,
        visit: &mut dyn FnMut(ChangedRecord) -> Result<bool, QueryError>,
    ) -> Result<bool, QueryError> {
        let mut places = Vec::with_capacity(TOGETHER);
        // The first are wanted at once, to be shown.
        let mut most = FIRST;
        loop {
            places.clear();
            while places.len() < most
                && let Some(place) = next()?
            {
                places.push(place);
            }
            for changed in self.look_at(&places, stop)?.into_iter().flatten() {
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

    /// The changes at some places, found on several threads.
    fn look_at(
        &self,
        places: &[Pairing],
        stop: &StopFlag,
    ) -> Result<Vec<Option<ChangedRecord>>, QueryError> {
        let parts = over_chunks(places.len().div_ceil(STEP), |steps| {
            let mut looked = Vec::with_capacity(steps.len() * STEP);
            for places in places.chunks(STEP).skip(steps.start).take(steps.len()) {
                stop.check()?;
                for place in places {
                    looked.push(self.look(*place)?);
                }
            }
            Ok(looked)
        })?;
        Ok(parts.concat())
    }

    /// The change at one place of the two days; `None` if it does not count or is no change.
    fn look(&self, place: Pairing) -> Result<Option<ChangedRecord>, QueryError> {
        let (kind, before, after) = match place {
            Pairing::Before(row) if self.before.means(row) => {
                (ChangeKind::Deleted, Some(row), None)
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

    /// Both sides of a record that changed; `None` for one that was added or removed, and where a line cannot be read.
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

/// Places that are looked at together, and how many of them at first.
const TOGETHER: usize = 8192;
const FIRST: usize = 256;
/// Places that one thread looks at before it looks for a stop.
const STEP: usize = 64;

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
