//! Row sets of one chunk, and the postings of a field: for each word, the rows that contain it.
//!
//! ```text
//! postings    words u32, word u32 each (ascending), end u32 each (bytes of data so far), data
//! data        for each word: row u16 each (ascending), or 8 KiB of bits when there are more than 2,048 rows
//! ```
//!
//! `word` is the number of a word in the dictionary of the field. A bitmap is 1,024 numbers of 64 bits: row `r` is bit `r % 64`
//! (the lowest is 0) of number `r / 64`. It takes 8 KiB even if the chunk has fewer rows.
//!
//! `attributed` has the same layout, with no word or the one word 0: its rows are records of a VPN whose operator is named.
//!
//! The length distinguishes a list from a bitmap: no list takes 8 KiB. Both forms are needed: for a feed of 2 million
//! records, lists alone would take 30 bytes a record instead of 13, and bitmaps alone more than fits in memory.

use std::io;

use zerocopy::{
    FromBytes, IntoBytes,
    little_endian::{U16, U32, U64},
};

pub(super) use super::id::CHUNK;
use super::{
    QueryError,
    id::{WordId, lower_half, offset, place},
};

/// The number of 64-bit words in a bitmap.
pub(super) const WORDS: usize = CHUNK / 64;
/// The size of a bitmap in bytes.
const BITS: usize = WORDS * 8;
/// Longer lists of rows are stored as bitmaps.
const LONGEST_LIST: usize = 2048;

/// A set of rows of one chunk, as a bitmap.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct RowSet(Box<[u64; WORDS]>);

impl std::fmt::Debug for RowSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "RowSet({})", self.count())
    }
}

impl RowSet {
    pub(super) fn none() -> Self {
        Self(Box::new([0; WORDS]))
    }

    /// The first `rows` rows.
    pub(super) fn all(rows: usize) -> Self {
        let mut bits = Self::none();
        let whole = rows / 64;
        bits.0[..whole].fill(u64::MAX);
        if !rows.is_multiple_of(64) {
            bits.0[whole] = (1 << (rows % 64)) - 1;
        }
        bits
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }

    #[inline]
    pub(super) fn insert(&mut self, row: u16) {
        self.0[usize::from(row >> 6)] |= 1 << (row & 63);
    }

    #[inline]
    pub(super) fn contains(&self, row: u16) -> bool {
        self.0[usize::from(row >> 6)] >> (row & 63) & 1 == 1
    }

    pub(super) fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The number of rows that are in both.
    pub(super) fn count_of_both(&self, other: &Self) -> u32 {
        let both = self.0.iter().zip(other.0.iter());
        both.map(|(word, other)| (word & other).count_ones()).sum()
    }

    #[inline]
    pub(super) fn take(&mut self, row: u16) {
        self.0[usize::from(row >> 6)] &= !(1 << (row & 63));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    pub(super) fn keep(&mut self, other: &Self) {
        self.0
            .iter_mut()
            .zip(other.0.iter())
            .for_each(|(number, other)| *number &= other);
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.0
            .iter_mut()
            .zip(other.0.iter())
            .for_each(|(number, other)| *number |= other);
    }

    /// A stored bitmap of any number of words.
    pub(super) fn read(words: &[U64]) -> Self {
        let mut bits = Self::none();
        for (number, word) in bits.0.iter_mut().zip(words) {
            *number = word.get();
        }
        bits
    }

    /// The words that hold the first `rows` rows.
    pub(super) fn words(&self, rows: usize) -> &[u64] {
        &self.0[..rows.div_ceil(64).min(WORDS)]
    }

    pub(super) fn remove(&mut self, other: &Self) {
        self.0
            .iter_mut()
            .zip(other.0.iter())
            .for_each(|(number, other)| *number &= !other);
    }

    /// The row with exactly `rank` rows of the set before it.
    pub(super) fn select(&self, rank: u32) -> Option<u16> {
        let mut left = rank;
        for (word, at) in self.0.iter().zip(0_u32..) {
            let count = word.count_ones();
            if left < count {
                let rest = (0..left).fold(*word, |word, _| word & (word - 1));
                return Some(lower_half(at * 64 + rest.trailing_zeros()));
            }
            left -= count;
        }
        None
    }

    /// The number of rows of the set before this row; `None` if the row is not in the set.
    pub(super) fn rank(&self, row: u16) -> Option<u32> {
        let at = usize::from(row >> 6);
        let before: u32 = self.0[..at].iter().map(|word| word.count_ones()).sum();
        let below = self.0[at] & ((1 << (row & 63)) - 1);
        self.contains(row).then(|| before + below.count_ones())
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = u16> + '_ {
        self.0.iter().zip(0_u32..).flat_map(|(word, at)| {
            std::iter::successors(Some(*word), |left| Some(left & left.wrapping_sub(1)))
                .take_while(|left| *left != 0)
                // There are 1,024 words.
                .map(move |left| lower_half(at * 64 + left.trailing_zeros()))
        })
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Posting<'a> {
    List(&'a [U16]),
    Bits(&'a [U64]),
}

impl Posting<'_> {
    /// The number of rows.
    pub(super) fn count(&self) -> u32 {
        match self {
            Self::List(rows) => u32::try_from(rows.len()).unwrap_or(u32::MAX),
            Self::Bits(words) => words.iter().map(|word| word.get().count_ones()).sum(),
        }
    }

    /// The number of rows that are also in `rows`.
    pub(super) fn count_in(&self, rows: &RowSet) -> u32 {
        match self {
            Self::List(list) => list
                .iter()
                .map(|row| u32::from(rows.contains(row.get())))
                .sum(),
            Self::Bits(words) => {
                let both = words.iter().zip(rows.0.iter());
                both.map(|(word, other)| (word.get() & other).count_ones())
                    .sum()
            }
        }
    }

    /// Visits the rows in ascending order.
    pub(super) fn each(&self, mut visit: impl FnMut(u16)) {
        match self {
            Self::List(list) => list.iter().for_each(|row| visit(row.get())),
            Self::Bits(words) => RowSet::read(words).rows().for_each(visit),
        }
    }

    pub(super) fn add_to(&self, rows: &mut RowSet) {
        match self {
            Self::List(list) => list.iter().for_each(|row| rows.insert(row.get())),
            Self::Bits(words) => {
                let both = words.iter().zip(rows.0.iter_mut());
                both.for_each(|(word, number)| *number |= word.get());
            }
        }
    }
}

/// The postings of one field in one chunk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Postings<'a> {
    words: &'a [U32],
    ends: &'a [U32],
    data: &'a [u8],
}

impl<'a> Postings<'a> {
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, QueryError> {
        Self::split(bytes).ok_or_else(|| QueryError::Damaged("postings do not add up".to_owned()))
    }

    fn split(bytes: &'a [u8]) -> Option<Self> {
        let (count, rest) = U32::ref_from_prefix(bytes).ok()?;
        let count = place(count.get());
        let (words, rest) = <[U32]>::ref_from_prefix_with_elems(rest, count).ok()?;
        let (ends, data) = <[U32]>::ref_from_prefix_with_elems(rest, count).ok()?;
        Some(Self { words, ends, data })
    }

    /// The words that occur in the chunk, ascending.
    pub(super) fn words(&self) -> &'a [U32] {
        self.words
    }

    /// The rows of the word at an index of [`Postings::words`].
    pub(super) fn at(&self, at: usize) -> Result<Posting<'a>, QueryError> {
        self.slice(at)
            .ok_or_else(|| QueryError::Damaged("postings do not add up".to_owned()))
    }

    fn slice(&self, at: usize) -> Option<Posting<'a>> {
        let start = match at.checked_sub(1) {
            None => 0,
            Some(before) => place(self.ends.get(before)?.get()),
        };
        let bytes = self.data.get(start..place(self.ends.get(at)?.get()))?;
        Some(if bytes.len() == BITS {
            Posting::Bits(<[U64]>::ref_from_bytes(bytes).ok()?)
        } else {
            Posting::List(<[U16]>::ref_from_bytes(bytes).ok()?)
        })
    }

    /// The rows of a word; `None` if it does not occur.
    pub(super) fn of(&self, word: WordId) -> Result<Option<Posting<'a>>, QueryError> {
        let at = self.words.binary_search_by(|u32| u32.get().cmp(&word.0));
        at.ok().map(|at| self.at(at)).transpose()
    }
}

/// The rows of each word or token, while the postings of a chunk are built.
#[derive(Debug, Default)]
pub(super) struct Groups {
    rows: Vec<u16>,
    /// Words or tokens, each with the end of its rows.
    ends: Vec<(WordId, usize)>,
}

impl Groups {
    /// Groups pairs of a number below `count` and a row, and keeps the order within a group. Counting sort is four times as fast
    /// as a comparison sort unless the pairs are few.
    pub(super) fn of(mut pairs: Vec<(WordId, u16)>, count: usize) -> Self {
        if pairs.len() < count / 8 {
            pairs.sort_by_key(|pair| pair.0);
            let mut end = 0;
            let ends = pairs.chunk_by(|a, b| a.0 == b.0).map(|group| {
                end += group.len();
                (group[0].0, end)
            });
            return Self {
                ends: ends.collect(),
                rows: pairs.iter().map(|pair| pair.1).collect(),
            };
        }
        let mut places = vec![0_usize; count + 1];
        for (number, _) in &pairs {
            places[number.place() + 1] += 1;
        }
        let (mut end, mut ends) = (0, Vec::new());
        for (number, word) in (0..count).zip((0..).map(WordId)) {
            let own = places[number + 1];
            places[number + 1] = end + own;
            if own > 0 {
                end += own;
                ends.push((word, end));
            }
        }
        let mut rows = vec![0; pairs.len()];
        for (number, row) in pairs {
            let place = &mut places[number.place()];
            rows[*place] = row;
            *place += 1;
        }
        Self { rows, ends }
    }

    /// Each number with its rows, ascending by number.
    pub(super) fn each(&self) -> impl Iterator<Item = (WordId, &[u16])> {
        let mut start = 0;
        self.ends.iter().map(move |(number, end)| {
            let rows = &self.rows[start..*end];
            start = *end;
            (*number, rows)
        })
    }
}

/// The postings of words, from parts of their rows in any order. Rows ascend within a part; a row may be in several parts.
///
/// # Errors
/// If they would exceed 4 GiB.
pub(super) fn postings(parts: &mut [(WordId, &[u16])]) -> io::Result<Vec<u8>> {
    parts.sort_unstable_by_key(|part| part.0);
    let (mut words, mut ends, mut data) = (Vec::new(), Vec::new(), Vec::new());
    let mut list: Vec<u16> = Vec::new();
    let mut bits = RowSet::none();
    for word in parts.chunk_by(|a, b| a.0 == b.0) {
        list.clear();
        for (_, rows) in word {
            list.extend_from_slice(rows);
        }
        if list.len() > LONGEST_LIST {
            bits.clear();
            for row in &list {
                bits.insert(*row);
            }
            list.clear();
            // Without repeated rows they may fit a list.
            if place(bits.count()) <= LONGEST_LIST {
                list.extend(bits.rows());
            }
        } else {
            if word.len() > 1 {
                list.sort_unstable();
            }
            list.dedup();
        }
        if list.is_empty() {
            for word in &*bits.0 {
                data.extend_from_slice(&word.to_le_bytes());
            }
        } else {
            for row in &list {
                data.extend_from_slice(&row.to_le_bytes());
            }
        }
        words.push(U32::from(word[0].0.0));
        ends.push(offset(data.len())?);
    }
    let count = offset(words.len())?;
    Ok([
        count.as_bytes(),
        words.as_bytes(),
        ends.as_bytes(),
        data.as_slice(),
    ]
    .concat())
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    #[test]
    fn postings_give_back_each_words_rows_short_and_long() {
        let mut random = fastrand::Rng::with_seed(7);
        for rows in [0_u32, 1, 300, 65_536] {
            let mut pairs = Vec::new();
            let mut expected: BTreeMap<u32, BTreeSet<u16>> = BTreeMap::new();
            for row in 0..rows {
                for word in [random.u32(..3), random.u32(..900), 5] {
                    pairs.push((WordId(word), lower_half(row)));
                    expected.entry(word).or_default().insert(lower_half(row));
                }
            }
            for (count, parts) in [(900, 1), (1_000_000, 1), (900, 3)] {
                let each: Vec<Groups> = (0..parts)
                    .map(|part| pairs.iter().copied().skip(part).step_by(parts).collect())
                    .map(|pairs| Groups::of(pairs, count))
                    .collect();
                let mut parts: Vec<(WordId, &[u16])> = each.iter().flat_map(Groups::each).collect();
                let bytes = postings(&mut parts).expect("small");
                let read = Postings::read(&bytes).expect("postings");
                assert_eq!(read.words().len(), expected.len());
                for word in 0..900 {
                    let mut bits = RowSet::none();
                    if let Some(posting) = read.of(WordId(word)).expect("whole") {
                        posting.add_to(&mut bits);
                        assert_eq!(posting.count(), bits.count());
                        assert_eq!(
                            posting.count_in(&RowSet::all(100)),
                            bits.rows().map(|row| u32::from(row < 100)).sum::<u32>()
                        );
                    }
                    let own: BTreeSet<u16> = bits.rows().collect();
                    assert_eq!(
                        Some(own).filter(|numbers| !numbers.is_empty()),
                        expected.get(&word).cloned()
                    );
                }
            }
        }
    }

    #[test]
    fn sets_are_joined_and_counted() {
        let (mut some, all) = (RowSet::all(70), RowSet::all(CHUNK));
        assert_eq!((some.count(), all.count()), (70, 65_536));
        some.remove(&RowSet::all(64));
        assert_eq!(some.rows().collect::<Vec<_>>(), [64, 65, 66, 67, 68, 69]);
        some.keep(&RowSet::all(65));
        assert!(some.contains(64) && !some.contains(65) && !some.is_empty());
        assert_eq!((some.select(0), some.select(1)), (Some(64), None));
        assert_eq!((some.rank(64), some.rank(65)), (Some(0), None));
        assert_eq!(
            (all.select(65_535), all.rank(65_535)),
            (Some(65_535), Some(65_535))
        );
        some.clear();
        assert!(some.is_empty());
    }

    #[test]
    fn bytes_that_do_not_add_up_are_refused() {
        let parts = &mut [(WordId(1), &[1][..]), (WordId(2), &[2])];
        let bytes = postings(parts).expect("small");
        for length in 0..bytes.len() {
            let read = Postings::read(&bytes[..length]);
            assert!(
                read.is_err() || read.is_ok_and(|read| read.at(1).is_err()),
                "{length}"
            );
        }
    }
}
