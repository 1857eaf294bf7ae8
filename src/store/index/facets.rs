//! Counts the values of a field among selected rows.
//!
//! A field of the filter language is counted from its postings. Any other path is counted from the records, without restoring
//! their lines; each token is parsed once.

use std::{
    collections::{HashMap, HashSet},
    net::Ipv4Addr,
};

use foldhash::fast::RandomState;

use super::{
    Index, QueryError, RowId, Selection, StopFlag,
    extract_terms::entry,
    id::{ChunkId, chunks, place},
    paths::{PathReader, PathValue},
    rows::RowSet,
    section_kind::{self, field_place},
    threads::over_chunks,
    word_reader::WordReader,
};
use crate::{
    model::Keyword,
    store::filter::{Filter, Test},
};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FacetBy {
    /// A field of the filter language.
    Keyword(Keyword),
    /// Any path of the records, ignoring arrays, such as `location.city`. Slower, since the records are read.
    Path(String),
}

/// One value of a field, and the number of selected records that have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facet {
    pub value: String,
    pub count: u64,
}

impl Index {
    /// The values of a field among these rows with their counts, by descending count, then by value.
    ///
    /// # Errors
    /// [`QueryError`].
    pub fn facets(
        &self,
        of: &Selection,
        by: &FacetBy,
        stop: &StopFlag,
    ) -> Result<Vec<Facet>, QueryError> {
        let mut facets = match by {
            FacetBy::Keyword(field) => self.words_among(of, *field, stop)?,
            FacetBy::Path(path) => {
                let counts = self.values_among(of, path, stop)?.into_iter();
                counts
                    .map(|(value, count)| Facet { value, count })
                    .collect()
            }
        };
        facets.sort_unstable_by(|a, b| b.count.cmp(&a.count).then_with(|| a.value.cmp(&b.value)));
        Ok(facets)
    }

    /// Whether a record has a value at a path. Reads records until one has; all, where none has.
    ///
    /// # Errors
    /// [`QueryError`].
    pub fn has_path(&self, path: &str, stop: &StopFlag) -> Result<bool, QueryError> {
        let reader = PathReader::of(self, path)?;
        let mut tokens: HashSet<(u32, u64)> = HashSet::new();
        for (chunk, rows) in self.select(&Filter::default(), stop)?.each() {
            stop.check()?;
            for row in rows.rows() {
                let has = match reader.read(RowId::new(chunk, row))? {
                    PathValue::Token(column, number) => {
                        tokens.insert((column, number))
                            && !reader.of_token(column, number)?.is_empty()
                    }
                    PathValue::Values(values) => !values.is_empty(),
                };
                if has {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The values of a field that are in its dictionary: all that are in many records, at most `most`.
    ///
    /// # Errors
    /// [`QueryError`].
    pub fn values(&self, field: Keyword, most: usize) -> Result<Vec<String>, QueryError> {
        let dictionary = self.dictionary(field)?;
        let words = dictionary.texts().take(most);
        let text =
            |(_, word): (_, Result<&[u8], _>)| Ok(String::from_utf8_lossy(word?).into_owned());
        words.map(text).collect()
    }

    /// Whether a record has a value of a field, as the filter language means it: in any case, and as a beginning with `*`.
    ///
    /// # Errors
    /// [`QueryError`].
    pub fn has_value(
        &self,
        field: Keyword,
        value: &str,
        stop: &StopFlag,
    ) -> Result<bool, QueryError> {
        let filter: Filter = [Test::Is(field, vec![value.to_owned()])]
            .into_iter()
            .collect();
        Ok(self.select(&filter, stop)?.count() > 0)
    }

    fn words_among(
        &self,
        of: &Selection,
        field: Keyword,
        stop: &StopFlag,
    ) -> Result<Vec<Facet>, QueryError> {
        let parts = over_chunks(of.chunks.len(), |ordinals| {
            let mut tally = FacetCounter::default();
            for chunk in chunks(ordinals) {
                stop.check()?;
                if let Some(rows) = of.of(chunk) {
                    self.count_words(chunk, rows, field, &mut tally)?;
                }
            }
            Ok(tally)
        })?;
        let dictionary = self.dictionary(field)?;
        let mut facets: HashMap<String, u64> = HashMap::new();
        let mut entries: HashMap<u32, u64, RandomState> = HashMap::default();
        let mut counts = vec![0; dictionary.len()];
        for tally in parts {
            for (sum, count) in counts.iter_mut().zip(tally.words) {
                *sum += count;
            }
            for (address, count) in tally.entries {
                *entries.entry(address).or_default() += count;
            }
            for (word, count) in tally.others {
                *facets.entry(word).or_default() += count;
            }
        }
        let others = facets
            .into_iter()
            .map(|(value, count)| Facet { value, count });
        let entries = entries.into_iter().map(|(address, count)| Facet {
            value: Ipv4Addr::from_bits(address).to_string(),
            count,
        });
        let mut facets: Vec<Facet> = others.chain(entries).collect();
        let counts = dictionary.texts().zip(counts);
        for ((_, word), count) in counts.filter(|(_, count)| *count > 0) {
            let value = String::from_utf8_lossy(word?).into_owned();
            facets.push(Facet { value, count });
        }
        Ok(facets)
    }

    /// Counts the words of some rows of a chunk.
    fn count_words(
        &self,
        chunk: ChunkId,
        rows: &RowSet,
        field: Keyword,
        tally: &mut FacetCounter,
    ) -> Result<(), QueryError> {
        tally.words.resize(self.dictionary(field)?.len(), 0);
        let postings = self.postings(chunk, section_kind::words(field))?;
        let is_all = place(rows.count()) == self.rows_of(chunk);
        for (at, word) in postings.words().iter().enumerate() {
            let posting = postings.at(at)?;
            let count = if is_all {
                posting.count()
            } else {
                posting.count_in(rows)
            };
            if let Some(sum) = tally.words.get_mut(place(word.get())) {
                *sum += u64::from(count);
            }
        }
        if field == Keyword::Entry {
            for (address, own) in self.entries(chunk)?.each() {
                let count = own.filter(|row| rows.contains(*row)).count() as u64;
                if count > 0 {
                    *tally.entries.entry(address).or_default() += count;
                }
            }
        }
        // Words that are in no dictionary are read from the records.
        let all = |_: &str| true;
        WordReader::of(self, field)?.each_unindexed(chunk, rows, all, |word| {
            *tally.others.entry(word).or_default() += 1;
        })
    }

    pub(super) fn is_in_dictionary(&self, field: Keyword, word: &str) -> Result<bool, QueryError> {
        if field == Keyword::Entry {
            return Ok(entry(word).is_some());
        }
        let words = self.0.kept.words[field_place(field)].get();
        if words.is_none() {
            let texts: Result<HashSet<Box<[u8]>>, QueryError> = self
                .dictionary(field)?
                .texts()
                .map(|(_, text)| text.map(Box::from))
                .collect();
            let _ = self.0.kept.words[field_place(field)].set(texts?);
        }
        let words = self.0.kept.words[field_place(field)].get();
        Ok(words.is_some_and(|words| words.contains(word.as_bytes())))
    }

    fn values_among(
        &self,
        of: &Selection,
        path: &str,
        stop: &StopFlag,
    ) -> Result<HashMap<String, u64>, QueryError> {
        let reader = PathReader::of(self, path)?;
        let mut counts: HashMap<String, u64> = HashMap::new();
        let mut tokens: HashMap<(u32, u64), u64> = HashMap::new();
        for (chunk, rows) in of.each() {
            stop.check()?;
            for row in rows.rows() {
                match reader.read(RowId::new(chunk, row))? {
                    PathValue::Token(column, number) => {
                        *tokens.entry((column, number)).or_default() += 1;
                    }
                    PathValue::Values(values) => {
                        for value in values {
                            *counts.entry(value).or_default() += 1;
                        }
                    }
                }
            }
        }
        for ((column, number), count) in tokens {
            for value in reader.of_token(column, number)? {
                *counts.entry(value).or_default() += count;
            }
        }
        Ok(counts)
    }
}

/// The counts of some chunks.
#[derive(Default)]
struct FacetCounter {
    /// By number in the dictionary.
    words: Vec<u64>,
    /// Entries that are IPv4 addresses.
    entries: HashMap<u32, u64, RandomState>,
    /// Words that are in no dictionary.
    others: HashMap<String, u64>,
}
