//! Rows sorted by the words of a field, page by page, without sorting all of them.
//!
//! All words are ranked once, and the selected rows are counted by the rank of their first word: one pass over the postings of
//! the field. The ranks are grouped into spans of some tens of thousands of rows; a word with more rows gets its own span. A page
//! loads the spans that it overlaps: one more pass over the postings, and one over the addresses, since rows of equal rank are in
//! the order of addresses. The last few spans are cached. So memory is four bytes a word of the dictionary plus the cached spans,
//! and never all rows.

use std::{
    cmp::Ordering,
    fmt,
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
};

use super::{
    Index, QueryError, RowId, Selection, StopFlag, collation,
    id::{CHUNK, ChunkId, chunks, place},
    ranks::Ranks,
    rows::RowSet,
    section_kind,
    subjects::Subjects,
    threads::over_chunks,
    word_reader::WordReader,
};
use crate::model::Keyword;

/// The maximum number of rows of a span with several words.
const SPAN: u64 = 1 << 16;
const KEPT: usize = 3;
/// The limit of rows that may have a first word in no dictionary, since their records must be read.
const MOST_READ: u64 = 1_000_000;

/// The rows of a selection, sorted by the words of a field.
pub(super) struct WordOrder {
    field: Keyword,
    descending: bool,
    of: Selection,
    /// The rank of each word of the dictionary.
    ranks: Vec<u32>,
    /// For rows that have a word in no dictionary, ascending by row: the rank of the first word.
    read: Vec<(RowId, u32)>,
    /// The rank of rows without a word: one more than the last word's.
    absent: u32,
    /// The spans of the rows, in order.
    spans: Vec<Span>,
    kept: Mutex<Vec<(usize, Arc<SpanRows>)>>,
}

/// Consecutive rows of the order.
#[derive(Clone, Debug)]
struct Span {
    start: u64,
    count: u64,
    ranks: Range<u32>,
}

/// The loaded rows of a span.
#[derive(Debug)]
enum SpanRows {
    Rows(Vec<RowId>),
    /// Rows of one word, as a bitmap in the order of addresses.
    Along(Ranks),
}

impl fmt::Debug for WordOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "WordOrder({}, {} spans)",
            self.field.name(),
            self.spans.len()
        )
    }
}

impl WordOrder {
    /// Counts the rows of a selection by their first words.
    pub(super) fn of(
        index: &Index,
        of: &Selection,
        field: Keyword,
        descending: bool,
        stop: &StopFlag,
    ) -> Result<Self, QueryError> {
        let read = index.first_words_read(of, field, stop)?;
        let mut order = Self {
            field,
            descending,
            of: of.clone(),
            ranks: Vec::new(),
            read: Vec::new(),
            absent: 0,
            spans: Vec::new(),
            kept: Mutex::default(),
        };
        order.rank_words(index, &read)?;
        let counts = order.count(index, stop)?;
        order.cut(&counts);
        Ok(order)
    }

    /// Ranks the words of the dictionary together with the words that were read from records.
    fn rank_words(&mut self, index: &Index, read: &[(RowId, String)]) -> Result<(), QueryError> {
        enum WordSource {
            Dictionary(usize),
            Read(usize),
        }
        let dictionary = index.dictionary(self.field)?;
        let mut words: Vec<(&[u8], WordSource)> = Vec::with_capacity(dictionary.len() + read.len());
        for (number, word) in dictionary.texts() {
            words.push((word?, WordSource::Dictionary(number.place())));
        }
        let own = read.iter().enumerate();
        words.extend(own.map(|(at, (_, word))| (word.as_bytes(), WordSource::Read(at))));
        words.sort_unstable_by(|one, other| collation::compare(one.0, other.0));
        self.ranks = vec![0; dictionary.len()];
        self.read = read.iter().map(|(row, _)| (*row, 0)).collect();
        let mut rank = 0;
        for alike in words.chunk_by(|one, other| one.0 == other.0) {
            for (_, source) in alike {
                match source {
                    WordSource::Dictionary(at) => self.ranks[*at] = rank,
                    WordSource::Read(at) => self.read[*at].1 = rank,
                }
            }
            rank += 1;
        }
        self.absent = rank;
        Ok(())
    }

    /// The number of rows of each rank.
    fn count(&self, index: &Index, stop: &StopFlag) -> Result<Vec<u64>, QueryError> {
        let parts = over_chunks(index.chunk_count(), |ordinals| {
            let mut counts = vec![0_u64; place(self.absent) + 1];
            let mut first = vec![0; CHUNK];
            for chunk in chunks(ordinals) {
                stop.check()?;
                if let Some(rows) = self.of.of(chunk) {
                    self.rank_rows(index, chunk, &mut first)?;
                    for row in rows.rows() {
                        counts[place(first[usize::from(row)])] += 1;
                    }
                }
            }
            Ok(counts)
        })?;
        let mut parts = parts.into_iter();
        let mut counts = parts.next().unwrap_or_default();
        for part in parts {
            counts
                .iter_mut()
                .zip(part)
                .for_each(|(sum, number)| *sum += number);
        }
        Ok(counts)
    }

    /// The rank of each row of a chunk: the lowest rank of its words.
    fn rank_rows(
        &self,
        index: &Index,
        chunk: ChunkId,
        first: &mut [u32],
    ) -> Result<(), QueryError> {
        first.fill(self.absent);
        let postings = index.postings(chunk, section_kind::words(self.field))?;
        for (at, word) in postings.words().iter().enumerate() {
            let rank = self
                .ranks
                .get(place(word.get()))
                .copied()
                .ok_or_else(damaged)?;
            postings.at(at)?.each(|row| {
                let own = &mut first[usize::from(row)];
                *own = rank.min(*own);
            });
        }
        let from = self.read.partition_point(|(row, _)| row.chunk() < chunk);
        let own = self.read[from..].iter();
        for (row, rank) in own.take_while(|(row, _)| row.chunk() == chunk) {
            first[usize::from(row.within())] = *rank;
        }
        Ok(())
    }

    /// Groups the ranks into spans. Rows without a word come last in both directions.
    fn cut(&mut self, counts: &[u64]) {
        let ranks = 0..self.absent;
        let ordered: Vec<u32> = if self.descending {
            ranks.rev().collect()
        } else {
            ranks.collect()
        };
        let mut start = 0;
        for rank in ordered.into_iter().chain([self.absent]) {
            let count = counts.get(place(rank)).copied().unwrap_or_default();
            if count == 0 {
                continue;
            }
            let fits = |last: &&mut Span| rank < self.absent && last.count + count <= SPAN;
            match self.spans.last_mut().filter(fits) {
                Some(last) => {
                    last.count += count;
                    let ranks = &last.ranks;
                    last.ranks = ranks.start.min(rank)..ranks.end.max(rank + 1);
                }
                None => self.spans.push(Span {
                    start,
                    count,
                    ranks: rank..rank + 1,
                }),
            }
            start += count;
        }
    }

    /// The rows at these positions, which must exist.
    pub(super) fn page(
        &self,
        index: &Index,
        positions: Range<u64>,
        stop: &StopFlag,
    ) -> Result<Vec<RowId>, QueryError> {
        let mut rows = Vec::new();
        let mut next = positions.start;
        while next < positions.end {
            let at = self.spans.partition_point(|span| span.start <= next);
            let at = at.checked_sub(1).ok_or_else(damaged)?;
            let (span, held) = (&self.spans[at], self.held(index, at, stop)?);
            let end = positions.end.min(span.start + span.count);
            if end <= next {
                return Err(damaged());
            }
            for position in next - span.start..end - span.start {
                rows.push(held.row(index, position)?);
            }
            next = end;
        }
        Ok(rows)
    }

    /// The position of a row; `None` if it is not in the selection.
    pub(super) fn position(
        &self,
        index: &Index,
        row: RowId,
        stop: &StopFlag,
    ) -> Result<Option<u64>, QueryError> {
        if !self.of.contains(row) {
            return Ok(None);
        }
        let mut first = vec![0; CHUNK];
        self.rank_rows(index, row.chunk(), &mut first)?;
        let rank = first[usize::from(row.within())];
        let has = |span: &Span| span.ranks.contains(&rank);
        let at = self.spans.iter().position(has).ok_or_else(damaged)?;
        let within = match &*self.held(index, at, stop)? {
            SpanRows::Rows(rows) => rows
                .iter()
                .position(|other| *other == row)
                .map(|at| at as u64),
            SpanRows::Along(ranks) => {
                let subject = index.subject(row)?;
                ranks.rank(Subjects(&index.0.sections).place_of_row(row, subject)?)
            }
        };
        within
            .map(|within| Some(self.spans[at].start + within))
            .ok_or_else(damaged)
    }

    /// The rows of a span, from the cache or loaded.
    fn held(&self, index: &Index, at: usize, stop: &StopFlag) -> Result<Arc<SpanRows>, QueryError> {
        let lock = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, held)) = lock().iter().find(|(number, _)| *number == at) {
            return Ok(Arc::clone(held));
        }
        let held = Arc::new(self.find(index, &self.spans[at], stop)?);
        let mut kept = lock();
        if kept.len() == KEPT {
            kept.remove(0);
        }
        kept.push((at, Arc::clone(&held)));
        Ok(held)
    }

    fn find(&self, index: &Index, span: &Span, stop: &StopFlag) -> Result<SpanRows, QueryError> {
        let is_one = span.ranks.len() == 1;
        let parts = over_chunks(index.chunk_count(), |ordinals| {
            let (mut sets, mut ranked) = (Vec::with_capacity(ordinals.len()), Vec::new());
            let mut first = vec![0; CHUNK];
            for chunk in chunks(ordinals) {
                stop.check()?;
                let mut set = RowSet::none();
                if let Some(rows) = self.of.of(chunk) {
                    self.rank_rows(index, chunk, &mut first)?;
                    for row in rows.rows() {
                        let rank = first[usize::from(row)];
                        if span.ranks.contains(&rank) {
                            set.insert(row);
                            if !is_one {
                                ranked.push((RowId::new(chunk, row), rank));
                            }
                        }
                    }
                }
                sets.push(set);
            }
            Ok((sets, ranked))
        })?;
        let (sets, ranked): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        let rows = Selection::from_chunks(sets.into_iter().flatten());
        if rows.count() != span.count {
            return Err(damaged());
        }
        if is_one && span.count > SPAN {
            return Ok(SpanRows::Along(Ranks::of(
                index.bits_by_address(&rows, stop)?,
            )));
        }
        // Rows ascend from one part to the next.
        let ranked = ranked.concat();
        let mut rows = index.by_address(&rows, stop)?;
        let rank = |row: &RowId| {
            let at = ranked.binary_search_by_key(row, |(row, _)| *row);
            at.map_or(span.ranks.start, |at| ranked[at].1)
        };
        rows.sort_by_cached_key(|row| {
            let rank = rank(row);
            if self.descending {
                u32::MAX - rank
            } else {
                rank
            }
        });
        Ok(SpanRows::Rows(rows))
    }
}

impl SpanRows {
    fn row(&self, index: &Index, position: u64) -> Result<RowId, QueryError> {
        match self {
            Self::Rows(rows) => {
                let at = usize::try_from(position).ok();
                at.and_then(|at| rows.get(at)).copied().ok_or_else(damaged)
            }
            Self::Along(ranks) => {
                let place = ranks.select(position).ok_or_else(damaged)?;
                Subjects(&index.0.sections).row_at(place)
            }
        }
    }
}

impl Index {
    /// For the selected rows that have a word in no dictionary, ascending: the first word, read from the record.
    fn first_words_read(
        &self,
        of: &Selection,
        field: Keyword,
        stop: &StopFlag,
    ) -> Result<Vec<(RowId, String)>, QueryError> {
        let reader = WordReader::of(self, field)?;
        let rows_of = |chunk: ChunkId| -> Result<Option<RowSet>, QueryError> {
            let Some(rows) = of.of(chunk) else {
                return Ok(None);
            };
            let mut set = reader.unindexed(chunk, rows)?;
            if field == Keyword::Entry {
                let mut entries = RowSet::none();
                self.entries(chunk)?
                    .rows()
                    .for_each(|row| entries.insert(row));
                entries.keep(rows);
                set.add(&entries);
            }
            Ok(Some(set))
        };
        let mut wanted = 0;
        for chunk in chunks(0..of.chunks.len()) {
            stop.check()?;
            wanted += rows_of(chunk)?.map_or(0, |rows| u64::from(rows.count()));
            if wanted > MOST_READ {
                return Err(QueryError::TooMany(of.count(), MOST_READ));
            }
        }
        let parts = over_chunks(of.chunks.len(), |ordinals| {
            let mut read = Vec::new();
            for chunk in chunks(ordinals) {
                let Some(rows) = rows_of(chunk)? else {
                    continue;
                };
                for (count, row) in rows.rows().enumerate() {
                    if count % 256 == 0 {
                        stop.check()?;
                    }
                    let row = RowId::new(chunk, row);
                    let words = reader.read(row)?.into_iter();
                    let first = words.min_by(|one, other| by_value(one, other));
                    read.extend(first.map(|first| (row, first)));
                }
            }
            Ok(read)
        })?;
        Ok(parts.concat())
    }
}

fn by_value(one: &str, other: &str) -> Ordering {
    collation::compare(one.as_bytes(), other.as_bytes())
}

fn damaged() -> QueryError {
    QueryError::Damaged("the postings of a field do not hold what was counted".to_owned())
}
