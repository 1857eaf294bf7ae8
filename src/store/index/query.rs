//! Evaluates filters: chunk by chunk, one row set for each term; the sets are intersected.
//!
//! The words of a dictionary that a test accepts are determined once; each chunk then takes the union of their postings. Rows
//! with words that are in no dictionary are found by hash, and their records are read to verify the match. Networks are found in
//! the order of addresses, across chunks.

use std::sync::PoisonError;

use ipnet::IpNet;

use super::{
    Index, QueryError, RowId, Selection, StopFlag,
    dictionary::Dictionary,
    extract_terms::{entry, term_hash},
    id::{ChunkId, WordId, chunks, place},
    rows::{Postings, RowSet},
    section_kind::{self, field_place},
    subjects::Subjects,
    threads::over_chunks,
    unindexed_terms::UnindexedTerms,
};
use crate::{
    model::{Document, Keyword, Terms},
    store::filter::{Filter, NumberComparison, Term, Test, fold},
};

/// A test prepared for all chunks.
enum Ready {
    /// Matches rows with one of these words, and rows with an accepted word that is in no dictionary, whose records are read.
    Words {
        field: Keyword,
        words: WordSet,
        hashes: Option<Vec<u32>>,
        /// The wanted words that are IPv4 addresses of entries.
        entries: Vec<u32>,
    },
    Clients(NumberComparison, u64),
    Attributed(bool),
    /// The matching rows, found in the order of addresses; per chunk, if any.
    Rows(Vec<Option<RowSet>>),
}

/// Wanted words: an ascending list, and a bitmap up to the last of them.
struct WordSet {
    list: Vec<WordId>,
    bits: Vec<u64>,
}

impl WordSet {
    fn of(list: Vec<WordId>) -> Self {
        let mut bits = vec![0; list.last().map_or(0, |last| last.place() / 64 + 1)];
        for word in &list {
            bits[word.place() / 64] |= 1_u64 << (word.place() % 64);
        }
        Self { list, bits }
    }

    #[inline]
    fn has(&self, word: u32) -> bool {
        let bits = self.bits.get(place(word) / 64);
        bits.is_some_and(|bits| bits >> (word % 64) & 1 == 1)
    }
}

impl Index {
    /// The rows that a filter selects.
    ///
    /// # Errors
    /// [`QueryError`].
    pub fn select(&self, filter: &Filter, stop: &StopFlag) -> Result<Selection, QueryError> {
        let mut ready: Vec<(&Term, Ready)> = Vec::new();
        for term in &filter.terms {
            ready.push((term, self.ready(&term.test)?));
        }
        // Terms without NOT are the most selective.
        ready.sort_by_key(|(term, _)| term.negated);
        let parts = over_chunks(self.chunk_count(), |ordinals| {
            let mut sets = Vec::with_capacity(ordinals.len());
            let mut found = RowSet::none();
            for chunk in chunks(ordinals) {
                stop.check()?;
                sets.push(self.select_in(chunk, &ready, &mut found)?);
            }
            Ok(sets)
        })?;
        Ok(Selection::from_chunks(parts.into_iter().flatten()))
    }

    /// The same for one of a few filters that are asked for again and again: their rows are kept, a bit a record.
    ///
    /// # Errors
    /// [`QueryError`].
    pub fn select_again(&self, filter: &Filter, stop: &StopFlag) -> Result<Selection, QueryError> {
        const MOST: usize = 8;
        let kept = || {
            self.0
                .kept
                .selected
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        let known = kept().iter().find(|(own, _)| own == filter).cloned();
        if let Some((_, rows)) = known {
            return Ok(rows);
        }
        let rows = self.select(filter, stop)?;
        let mut kept = kept();
        kept.truncate(MOST - 1);
        kept.push((filter.clone(), rows.clone()));
        Ok(rows)
    }

    /// The rows of a chunk that match all terms.
    fn select_in(
        &self,
        chunk: ChunkId,
        ready: &[(&Term, Ready)],
        found: &mut RowSet,
    ) -> Result<RowSet, QueryError> {
        let mut rows = RowSet::all(self.rows_of(chunk));
        for (at, (term, ready)) in ready.iter().enumerate() {
            if at > 0 && rows.is_empty() {
                break;
            }
            found.clear();
            self.find(chunk, &term.test, ready, found)?;
            if term.negated {
                rows.remove(found);
            } else {
                rows.keep(found);
            }
        }
        Ok(rows)
    }

    fn ready(&self, test: &Test) -> Result<Ready, QueryError> {
        Ok(match test {
            Test::Is(field, values) => Ready::Words {
                field: *field,
                words: WordSet::of(self.words_that(*field, test)?),
                // A prefix has no hash: every word that is in no dictionary must be read.
                hashes: (!values.iter().any(|value| value.ends_with('*')))
                    .then(|| values.iter().map(|value| term_hash(value)).collect()),
                entries: match field {
                    Keyword::Entry => values.iter().filter_map(|value| entry(value)).collect(),
                    _ => Vec::new(),
                },
            },
            Test::Contains(field, parts) => Ready::Words {
                field: *field,
                words: WordSet::of(self.words_with(*field, parts, test)?),
                hashes: None,
                entries: Vec::new(),
            },
            Test::Clients(compare, number) => Ready::Clients(*compare, *number),
            Test::Attributed(wanted) => Ready::Attributed(*wanted),
            Test::Within(networks) => Ready::Rows(self.within(networks)?),
        })
    }

    pub(super) fn dictionary(&self, field: Keyword) -> Result<Dictionary<'_>, QueryError> {
        Dictionary::read(
            self.0
                .sections
                .get(section_kind::DICTIONARIES, field_place(field))?,
        )
    }

    /// The words of a field that a test accepts.
    fn words_that(&self, field: Keyword, test: &Test) -> Result<Vec<WordId>, QueryError> {
        let mut words = Vec::new();
        for (number, word) in self.dictionary(field)?.texts() {
            if std::str::from_utf8(word?).is_ok_and(|word| test.accepts_word(field, word)) {
                words.push(number);
            }
        }
        Ok(words)
    }

    /// The words of a field that contain one of these parts: a search through all words at once, in lower case.
    pub(super) fn words_with(
        &self,
        field: Keyword,
        parts: &[String],
        test: &Test,
    ) -> Result<Vec<WordId>, QueryError> {
        let folded = Dictionary::read(self.0.sections.get(section_kind::FOLDED, 0)?)?;
        let mut found = Vec::new();
        for part in parts {
            let part = fold::folded(part);
            if part.is_empty() || field != Keyword::Org {
                return self.words_that(field, test);
            }
            let finder = memchr::memmem::Finder::new(part.as_bytes());
            let mut from = 0;
            while let Some(at) = folded
                .joined()
                .get(from..)
                .and_then(|rest| finder.find(rest))
            {
                let Some((number, end)) = folded.holding(from + at) else {
                    break;
                };
                // A match may also span two words.
                if from + at + part.len() <= end {
                    found.push(number);
                    from = end;
                } else {
                    from += at + 1;
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// The rows whose subjects are within some networks, per chunk, if any.
    fn within(&self, networks: &[IpNet]) -> Result<Vec<Option<RowSet>>, QueryError> {
        /// The number of addresses in a unit of work.
        const STEP: usize = 4096;
        let subjects = Subjects(&self.0.sections);
        let none = || -> Vec<Option<RowSet>> { vec![None; self.chunk_count()] };
        let insert = |sets: &mut Vec<Option<RowSet>>, row: RowId| {
            if let Some(rows) = sets.get_mut(row.chunk().ordinal()) {
                rows.get_or_insert_with(RowSet::none).insert(row.within());
            }
        };
        let mut all = none();
        for network in networks {
            subjects.networks_within(*network, |row| insert(&mut all, row))?;
            let places = subjects.addresses_within(*network)?;
            let parts = over_chunks(places.len().div_ceil(STEP), |steps| {
                let mut sets = none();
                let from = places.start + steps.start * STEP;
                let to = places.end.min(places.start + steps.end * STEP);
                subjects.each_low(from..to, |row| insert(&mut sets, row))?;
                Ok(sets)
            })?;
            for (rows, more) in parts
                .into_iter()
                .flat_map(|part| part.into_iter().enumerate())
            {
                match (&mut all[rows], more) {
                    (Some(rows), Some(more)) => rows.add(&more),
                    (none @ None, more) => *none = more,
                    (Some(_), None) => {}
                }
            }
        }
        Ok(all)
    }

    /// Adds the rows of a chunk that pass a test.
    fn find(
        &self,
        chunk: ChunkId,
        test: &Test,
        ready: &Ready,
        found: &mut RowSet,
    ) -> Result<(), QueryError> {
        match ready {
            Ready::Rows(sets) => {
                if let Some(Some(rows)) = sets.get(chunk.ordinal()) {
                    found.clone_from(rows);
                }
            }
            Ready::Clients(compare, number) => {
                self.clients(chunk)?.find(*compare, *number, found)?
            }
            Ready::Attributed(wanted) => {
                let attributed = self.postings(chunk, section_kind::ATTRIBUTED)?;
                if let Some(rows) = attributed.of(WordId(0))? {
                    rows.add_to(found);
                }
                if !wanted {
                    let mut others = RowSet::all(self.rows_of(chunk));
                    others.remove(found);
                    *found = others;
                }
            }
            Ready::Words {
                field,
                words,
                hashes,
                entries,
            } => {
                let terms = self.entries(chunk)?;
                for row in entries.iter().flat_map(|entry| terms.of(*entry)) {
                    found.insert(row);
                }
                self.find_words(chunk, *field, words, found)?;
                self.find_unindexed(chunk, *field, hashes.as_deref(), test, found)?;
            }
        }
        Ok(())
    }

    fn find_words(
        &self,
        chunk: ChunkId,
        field: Keyword,
        words: &WordSet,
        found: &mut RowSet,
    ) -> Result<(), QueryError> {
        if words.list.is_empty() {
            return Ok(());
        }
        let postings = self.postings(chunk, section_kind::words(field))?;
        let u32s = postings.words();
        // Searches for each wanted word if they are few, else walks all words.
        if words.list.len() * 12 < u32s.len() {
            for word in &words.list {
                if let Some(rows) = postings.of(*word)? {
                    rows.add_to(found);
                }
            }
            return Ok(());
        }
        for (at, word) in u32s.iter().enumerate() {
            if words.has(word.get()) {
                postings.at(at)?.add_to(found);
            }
        }
        Ok(())
    }

    /// Adds rows with an accepted word that is in no dictionary, by reading their records: those with one of the hashes, or all.
    fn find_unindexed(
        &self,
        chunk: ChunkId,
        field: Keyword,
        hashes: Option<&[u32]>,
        test: &Test,
        found: &mut RowSet,
    ) -> Result<(), QueryError> {
        let unindexed = self.unindexed(chunk, field)?;
        let mut look = |row: u16| -> Result<(), QueryError> {
            if !found.contains(row)
                && self
                    .terms(RowId::new(chunk, row))?
                    .of_field(field)
                    .any(|word| test.accepts_word(field, word))
            {
                found.insert(row);
            }
            Ok(())
        };
        match hashes {
            None => unindexed.rows().try_for_each(&mut look),
            Some(hashes) => hashes
                .iter()
                .try_for_each(|hash| unindexed.of(*hash).try_for_each(&mut look)),
        }
    }

    /// The terms of the record of a row.
    pub(super) fn terms(&self, row: RowId) -> Result<Terms, QueryError> {
        let mut line = Vec::new();
        self.line(row, &mut line)?;
        Ok(Document::read(&line)
            .map(|document| Terms::of(document.value()))
            .unwrap_or_default())
    }

    /// The number of clients of a row, if known.
    ///
    /// # Errors
    /// [`QueryError`].
    pub fn clients_of(&self, row: RowId) -> Result<Option<u64>, QueryError> {
        let clients = self.clients(row.chunk())?;
        for run in 0..clients.len() {
            let (number, rows) = clients.run(run)?;
            if rows
                .binary_search_by_key(&row.within(), |u16| u16.get())
                .is_ok()
            {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    pub(super) fn postings(&self, chunk: ChunkId, kind: u32) -> Result<Postings<'_>, QueryError> {
        Postings::read(self.0.sections.get(kind, chunk.ordinal())?)
    }

    pub(super) fn clients(
        &self,
        chunk: ChunkId,
    ) -> Result<super::clients::Clients<'_>, QueryError> {
        super::clients::Clients::read(
            self.0
                .sections
                .get(section_kind::CLIENTS, chunk.ordinal())?,
        )
    }

    /// The rows of a chunk by their entries that are IPv4 addresses.
    pub(super) fn entries(&self, chunk: ChunkId) -> Result<UnindexedTerms<'_>, QueryError> {
        UnindexedTerms::read(
            self.0
                .sections
                .get(section_kind::ENTRIES, chunk.ordinal())?,
        )
    }

    /// The rows of a chunk that have a word of a field in no dictionary, by its hash.
    pub(super) fn unindexed(
        &self,
        chunk: ChunkId,
        field: Keyword,
    ) -> Result<UnindexedTerms<'_>, QueryError> {
        let section = self
            .0
            .sections
            .get(section_kind::unindexed(field), chunk.ordinal())?;
        UnindexedTerms::read(section)
    }
}
