//! Merges two sorted lists of records: finds those that are in only one list, and those that differ.

use std::{cmp::Ordering, iter::Fuse};

use super::{RowId, StopFlag, index::QueryError};

/// The number of records with equal keys, of one day, that are paired at a time. Bounds the memory.
const BLOCK: usize = 4096;
/// The number of records that are read from one list at a time.
const STRETCH: usize = 512;
/// The number of steps between two checks of the stop flag; a step passes at most a stretch.
const STRIDE: u32 = 16;

/// A record of one day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowEntry<K> {
    /// The identity of the record. Lists are sorted by it.
    pub(super) key: K,
    pub(super) row: RowId,
    /// The hash of its content: equal hashes mean equal records.
    pub(super) hash: u64,
}

/// A difference between the two lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pairing {
    /// Only the first day has it.
    Before(RowId),
    /// Only the second day has it.
    After(RowId),
    /// Both have it, and their hashes differ.
    Both(RowId, RowId),
}

/// The rule for when two records with one key do not differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChangeRule {
    /// Each record has an equal one on the other side.
    Content,
    /// Always: only presence counts, not number or content.
    Presence,
}

/// Merges both lists in one pass. Among records with equal keys, equal ones are paired first, then the rest in the order of the
/// file; the surplus is unpaired.
pub(super) struct Merge<K, A, B> {
    before: MergeSide<K, A>,
    after: MergeSide<K, B>,
    by: ChangeRule,
    /// The differences of the last block of equal keys, in reverse.
    waiting: Vec<Pairing>,
    steps: u32,
}

impl<K, A, B, E> Merge<K, A, B>
where
    K: Clone + Ord,
    A: Iterator<Item = Result<RowEntry<K>, E>>,
    B: Iterator<Item = Result<RowEntry<K>, E>>,
    E: From<QueryError>,
{
    /// Begins to merge these lists.
    ///
    /// # Errors
    /// The errors of the lists.
    pub(super) fn of(by: ChangeRule, before: A, after: B) -> Result<Self, E> {
        Ok(Self {
            before: MergeSide::of(before)?,
            after: MergeSide::of(after)?,
            by,
            waiting: Vec::new(),
            steps: 0,
        })
    }

    /// The number of records read so far from each list.
    pub(super) fn given(&self) -> (u64, u64) {
        (self.before.given, self.after.given)
    }

    /// The next difference.
    ///
    /// # Errors
    /// The errors of the lists; [`QueryError::Stopped`].
    pub(super) fn next(&mut self, stop: &StopFlag) -> Result<Option<Pairing>, E> {
        loop {
            if let Some(place) = self.waiting.pop() {
                return Ok(Some(place));
            }
            self.steps = self.steps.wrapping_add(1);
            if self.steps.is_multiple_of(STRIDE) {
                stop.check()?;
            }
            if self.by == ChangeRule::Content {
                self.pass_equal()?;
            }
            let order = match (self.before.next(), self.after.next()) {
                (None, None) => return Ok(None),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(before), Some(after)) => before.key.cmp(&after.key),
            };
            match order {
                Ordering::Less => {
                    return Ok(self.before.take()?.map(|entry| Pairing::Before(entry.row)));
                }
                Ordering::Greater => {
                    return Ok(self.after.take()?.map(|entry| Pairing::After(entry.row)));
                }
                Ordering::Equal => {
                    if let Some(place) = self.pair()? {
                        return Ok(Some(place));
                    }
                }
            }
        }
    }

    /// Skips pairs of equal records, which nearly all are. This is also correct among repeats of one key.
    fn pass_equal(&mut self) -> Result<(), E> {
        let both = self.before.ahead().iter().zip(self.after.ahead());
        let equal = both.take_while(|(a, b)| a.hash == b.hash && a.key == b.key);
        let count = equal.count();
        self.before.pass(count)?;
        self.after.pass(count)
    }

    /// Compares the records of the next key, which both lists have.
    fn pair(&mut self) -> Result<Option<Pairing>, E> {
        let (Some(before), Some(after)) = (self.before.take()?, self.after.take()?) else {
            return Ok(None);
        };
        if self.by == ChangeRule::Presence {
            while self.before.goes_on(&before.key) {
                self.before.pass(1)?;
            }
            while self.after.goes_on(&before.key) {
                self.after.pass(1)?;
            }
            return Ok(None);
        }
        if !self.before.goes_on(&before.key) && !self.after.goes_on(&before.key) {
            let differ = before.hash != after.hash;
            return Ok(differ.then_some(Pairing::Both(before.row, after.row)));
        }
        let before = self.before.block(before)?;
        let after = self.after.block(after)?;
        self.waiting = paired(&before, &after);
        self.waiting.reverse();
        Ok(None)
    }
}

/// The differences among repeats of one key, after equal records are paired.
fn paired<K>(before: &[RowEntry<K>], after: &[RowEntry<K>]) -> Vec<Pairing> {
    let mut by_hash: Vec<(u64, usize)> = after.iter().map(|entry| entry.hash).zip(0..).collect();
    by_hash.sort_unstable();
    let mut taken = vec![false; after.len()];
    let mut changed = Vec::new();
    for entry in before {
        let from = by_hash.partition_point(|(hash, _)| *hash < entry.hash);
        let equal = by_hash[from..]
            .iter()
            .take_while(|(hash, _)| *hash == entry.hash)
            .find(|(_, at)| !taken[*at]);
        match equal {
            Some((_, at)) => taken[*at] = true,
            None => changed.push(entry.row),
        }
    }
    let mut free = after
        .iter()
        .zip(taken)
        .filter(|(_, taken)| !taken)
        .map(|(entry, _)| entry.row);
    let mut places: Vec<Pairing> = changed
        .into_iter()
        .map(|row| {
            free.next()
                .map_or(Pairing::Before(row), |other| Pairing::Both(row, other))
        })
        .collect();
    places.extend(free.map(Pairing::After));
    places
}

/// One list, read a stretch at a time: reading two lists alternately takes twice as long.
struct MergeSide<K, I> {
    list: Fuse<I>,
    stretch: Vec<RowEntry<K>>,
    /// The number of records of the stretch that were passed.
    at: usize,
    given: u64,
}

impl<K: Clone + Eq, I: Iterator<Item = Result<RowEntry<K>, E>>, E> MergeSide<K, I> {
    fn of(list: I) -> Result<Self, E> {
        let mut side = Self {
            list: list.fuse(),
            stretch: Vec::with_capacity(STRETCH),
            at: 0,
            given: 0,
        };
        side.pass(0)?;
        Ok(side)
    }

    /// The records that were read but not passed; empty only at the end.
    fn ahead(&self) -> &[RowEntry<K>] {
        &self.stretch[self.at..]
    }

    fn next(&self) -> Option<&RowEntry<K>> {
        self.stretch.get(self.at)
    }

    /// Passes `count` records, at most those ahead.
    fn pass(&mut self, count: usize) -> Result<(), E> {
        self.at += count;
        self.given += count as u64;
        if self.at == self.stretch.len() {
            self.stretch.clear();
            self.at = 0;
            for entry in self.list.by_ref().take(STRETCH) {
                self.stretch.push(entry?);
            }
        }
        Ok(())
    }

    fn take(&mut self) -> Result<Option<RowEntry<K>>, E> {
        let entry = self.next().cloned();
        self.pass(entry.iter().len())?;
        Ok(entry)
    }

    /// Whether the next record has this key.
    fn goes_on(&self, key: &K) -> bool {
        self.next().is_some_and(|next| next.key == *key)
    }

    /// This record and the next ones with its key, up to the block size.
    fn block(&mut self, first: RowEntry<K>) -> Result<Vec<RowEntry<K>>, E> {
        let mut block = vec![first];
        while block.len() < BLOCK && self.goes_on(&block[0].key) {
            block.extend(self.take()?);
        }
        Ok(block)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn places(before: &[(u8, u64)], after: &[(u8, u64)]) -> Vec<Pairing> {
        merged(ChangeRule::Content, before, after)
    }

    /// Keys and hashes, sorted; the rows are their positions.
    fn merged(by: ChangeRule, before: &[(u8, u64)], after: &[(u8, u64)]) -> Vec<Pairing> {
        let entries = |list: &[(u8, u64)]| {
            let entries = list.iter().zip(0..).map(|((key, hash), row)| {
                Ok::<_, QueryError>(RowEntry {
                    key: *key,
                    row: RowId(row),
                    hash: *hash,
                })
            });
            entries.collect::<Vec<_>>().into_iter()
        };
        let mut merge = Merge::of(by, entries(before), entries(after)).expect("begun");
        let mut places = Vec::new();
        while let Some(place) = merge.next(&StopFlag::default()).expect("place") {
            places.push(place);
        }
        assert_eq!(merge.given(), (before.len() as u64, after.len() as u64));
        places
    }

    #[test]
    fn what_differs_has_its_place() {
        let (before, after) = (
            [(1, 10), (2, 20), (4, 40)],
            [(2, 20), (3, 30), (4, 41), (5, 50)],
        );
        assert_eq!(
            places(&before, &after),
            [
                Pairing::Before(RowId(0)),
                Pairing::After(RowId(1)),
                Pairing::Both(RowId(2), RowId(2)),
                Pairing::After(RowId(3))
            ]
        );
        assert_eq!(places(&before, &before), []);
    }

    #[test]
    fn repeats_pair_with_their_equals_first() {
        assert_eq!(
            places(&[(1, 10), (1, 11)], &[(1, 11)]),
            [Pairing::Before(RowId(0))]
        );
        assert_eq!(places(&[(1, 10), (1, 11)], &[(1, 11), (1, 10)]), []);
        assert_eq!(
            places(&[(1, 10), (1, 11)], &[(1, 12), (1, 11), (1, 13)]),
            [Pairing::Both(RowId(0), RowId(0)), Pairing::After(RowId(2))]
        );
    }

    #[test]
    fn by_presence_a_subject_of_both_days_is_no_difference() {
        let before = [(1, 10), (2, 20), (2, 20), (3, 30), (3, 30)];
        let after = [(2, 20), (2, 21), (2, 22), (4, 40), (4, 41)];
        assert_eq!(
            merged(ChangeRule::Presence, &before, &after),
            [
                Pairing::Before(RowId(0)),
                Pairing::Before(RowId(3)),
                Pairing::Before(RowId(4)),
                Pairing::After(RowId(3)),
                Pairing::After(RowId(4))
            ]
        );
    }

    #[test]
    fn more_repeats_than_fit_at_a_time_are_all_told() {
        let many: Vec<(u8, u64)> = (0..10_000).map(|hash| (1, hash)).collect();
        let told = places(&many, &[(1, 10_001)]);
        assert_eq!(told.len(), 10_000);
        assert_eq!(
            told.iter()
                .filter(|place| matches!(place, Pairing::Both(..)))
                .count(),
            1
        );
        assert_eq!(places(&many, &many), []);
    }

    #[test]
    fn a_stop_ends_it() {
        let endless = || {
            (0..).map(|number: u32| {
                Ok::<_, QueryError>(RowEntry {
                    key: number,
                    row: RowId(number),
                    hash: 0,
                })
            })
        };
        let mut merge = Merge::of(ChangeRule::Content, endless(), endless()).expect("begun");
        let stop = StopFlag::default();
        stop.stop();
        assert_eq!(merge.next(&stop), Err(QueryError::Stopped));
    }

    proptest! {
        /// For any lists: each record is reported or has an equal one on the other side, key by key.
        #[test]
        fn nothing_is_lost_or_told_twice(
            mut before in prop::collection::vec((0_u8..6, 0_u64..4), 0..40),
            mut after in prop::collection::vec((0_u8..6, 0_u64..4), 0..40),
        ) {
            before.sort_by_key(|(key, _)| *key);
            after.sort_by_key(|(key, _)| *key);
            let told = places(&before, &after);
            let mut balance: BTreeMap<(u8, u64), i64> = BTreeMap::new();
            for line in &before { *balance.entry(*line).or_default() -= 1; }
            for line in &after { *balance.entry(*line).or_default() += 1; }
            for place in &told {
                let (gone, came) = match place {
                    Pairing::Before(row) => (Some(before[row.0 as usize]), None),
                    Pairing::After(row) => (None, Some(after[row.0 as usize])),
                    Pairing::Both(a, b) => (Some(before[a.0 as usize]), Some(after[b.0 as usize])),
                };
                if let (Some(gone), Some(came)) = (gone, came) {
                    prop_assert_eq!(gone.0, came.0);
                    prop_assert_ne!(gone.1, came.1);
                }
                if let Some(gone) = gone { *balance.entry(gone).or_default() += 1; }
                if let Some(came) = came { *balance.entry(came).or_default() -= 1; }
            }
            prop_assert!(balance.values().all(|left| *left == 0));
            // The fewest differences: a key has unpaired records on one side only, never on both.
            let alone = |place: &Pairing| match place {
                Pairing::Before(row) => Some((before[row.0 as usize].0, false)),
                Pairing::After(row) => Some((after[row.0 as usize].0, true)),
                Pairing::Both(..) => None,
            };
            for subject in 0..6 {
                let ways: Vec<bool> = told.iter().filter_map(alone).filter(|(key, _)| *key == subject).map(|(_, came)| came).collect();
                prop_assert!(ways.windows(2).all(|pair| pair[0] == pair[1]));
            }
        }
    }
}
