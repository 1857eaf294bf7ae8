//! The rows that match a filter: a row set for each chunk, or one bitmap for random access.

use std::sync::Arc;

use super::{
    RowId,
    id::{ChunkId, chunks, place},
    rows::{self, RowSet},
};

/// Selected rows: a row set for each chunk.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// The rows of each chunk, if any.
    pub(super) chunks: Vec<Option<Arc<RowSet>>>,
    count: u64,
}

/// The selected rows as one bitmap by row number.
#[derive(Debug)]
pub(super) struct FlatSelection(Vec<u64>);

impl FlatSelection {
    #[inline]
    pub(super) fn contains(&self, row: RowId) -> bool {
        let word = self.0.get(place(row.0 / 64));
        word.is_some_and(|word| word >> (row.0 % 64) & 1 == 1)
    }
}

impl Selection {
    /// The number of rows.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The rows in the order of the file.
    pub fn rows(&self) -> impl Iterator<Item = RowId> + '_ {
        self.each().flat_map(|(chunk, rows)| {
            let rows = rows.rows();
            rows.map(move |row| RowId::new(chunk, row))
        })
    }

    /// The chunks that have selected rows, with their rows.
    pub(super) fn each(&self) -> impl Iterator<Item = (ChunkId, &RowSet)> {
        let sets = chunks(0..self.chunks.len()).zip(&self.chunks);
        sets.filter_map(|(chunk, rows)| Some((chunk, rows.as_deref()?)))
    }

    /// The selected rows of a chunk, if any.
    pub(super) fn of(&self, chunk: ChunkId) -> Option<&RowSet> {
        self.chunks.get(chunk.ordinal())?.as_deref()
    }

    /// Whether a row is selected.
    #[must_use]
    pub fn contains(&self, row: RowId) -> bool {
        self.of(row.chunk())
            .is_some_and(|rows| rows.contains(row.within()))
    }

    /// The number of rows that are in both.
    #[must_use]
    pub fn count_of_both(&self, other: &Self) -> u64 {
        let both = self.chunks.iter().zip(&other.chunks);
        both.filter_map(|(a, b)| Some(u64::from(a.as_ref()?.count_of_both(b.as_ref()?))))
            .sum()
    }

    /// A bitmap by row number: a random access reads one location.
    pub(super) fn flattened(&self) -> FlatSelection {
        let mut words = Vec::with_capacity(self.chunks.len() * rows::WORDS);
        for rows in &self.chunks {
            match rows {
                Some(rows) => words.extend_from_slice(rows.words(rows::CHUNK)),
                None => words.resize(words.len() + rows::WORDS, 0),
            }
        }
        FlatSelection(words)
    }

    /// From the row sets of consecutive chunks.
    pub(super) fn from_chunks(chunks: impl Iterator<Item = RowSet>) -> Self {
        let mut selection = Self::default();
        chunks.for_each(|rows| selection.push(rows));
        selection
    }

    pub(in crate::store) fn insert(&mut self, row: RowId) {
        let at = row.chunk().ordinal();
        if self.chunks.len() <= at {
            self.chunks.resize(at + 1, None);
        }
        let rows = self.chunks[at].get_or_insert_with(|| Arc::new(RowSet::none()));
        if !rows.contains(row.within()) {
            Arc::make_mut(rows).insert(row.within());
            self.count += 1;
        }
    }

    /// Adds the row set of the next chunk.
    pub(super) fn push(&mut self, rows: RowSet) {
        let count = rows.count();
        self.count += u64::from(count);
        self.chunks.push((count > 0).then(|| Arc::new(rows)));
    }
}
