//! The values of a field that begin with a text or contain it, with their counts among some rows.
//!
//! The search runs over the dictionary of the field, not over the records: only matching words are counted, and only as many
//! become strings as are wanted. Rows that have a word in no dictionary are read.

use std::{
    cmp::{Ordering, Reverse},
    collections::HashMap,
    net::Ipv4Addr,
};

use foldhash::fast::RandomState;

use super::{
    Facet, Index, QueryError, Selection, StopFlag,
    dictionary::Dictionary,
    id::{ChunkId, WordId, chunks, place},
    rows::RowSet,
    section_kind,
    threads::over_chunks,
    word_reader::WordReader,
};
use crate::{
    model::Keyword,
    store::filter::{Test, fold},
};

/// The number of words of a dictionary in a unit of work.
const STEP: usize = 1 << 12;

impl Index {
    /// The values of a field among these rows that contain a text, ignoring case. Values that begin with it come first; then by
    /// descending count, then by value; at most `most`.
    ///
    /// # Errors
    /// [`QueryError`].
    pub fn alike(
        &self,
        of: &Selection,
        field: Keyword,
        part: &str,
        most: usize,
        stop: &StopFlag,
    ) -> Result<Vec<Facet>, QueryError> {
        let part = fold::folded(part);
        let words = self.words_alike(field, &part, stop)?;
        let parts = over_chunks(of.chunks.len(), |ordinals| {
            let mut tally = AlikeTally {
                words: vec![0; words.len()],
                ..AlikeTally::default()
            };
            for chunk in chunks(ordinals) {
                stop.check()?;
                if let Some(rows) = of.of(chunk) {
                    self.count_alike(chunk, rows, field, &words, &mut tally)?;
                    self.read_alike(chunk, rows, field, &part, &mut tally)?;
                }
            }
            Ok(tally)
        })?;
        let mut parts = parts.into_iter();
        let mut tally = parts.next().unwrap_or_default();
        for alike_tally in parts {
            tally.add(alike_tally);
        }
        let dictionary = self.dictionary(field)?;
        let mut found = best(&dictionary, &words, &tally.words, &part, most)?;
        let entries = tally.entries.into_iter().filter_map(|(address, count)| {
            let value = Ipv4Addr::from_bits(address).to_string();
            value.contains(&*part).then_some(Facet { value, count })
        });
        found.extend(entries);
        let others = tally.others.into_iter();
        found.extend(others.map(|(value, count)| Facet { value, count }));
        found.sort_by_cached_key(|facet| {
            let is_within = !begins(&facet.value, &part);
            (is_within, Reverse(facet.count), facet.value.clone())
        });
        found.truncate(most);
        Ok(found)
    }

    /// The words of the dictionary that contain this folded text, ascending.
    fn words_alike(
        &self,
        field: Keyword,
        part: &str,
        stop: &StopFlag,
    ) -> Result<Vec<WordId>, QueryError> {
        if field == Keyword::Org && !part.is_empty() {
            let parts = [part.to_owned()];
            return self.words_with(field, &parts, &Test::Contains(field, parts.to_vec()));
        }
        let dictionary = self.dictionary(field)?;
        let steps = dictionary.len().div_ceil(STEP);
        let found = over_chunks(steps, |steps| {
            let mut found = Vec::new();
            for step in steps {
                stop.check()?;
                for number in step * STEP..dictionary.len().min((step + 1) * STEP) {
                    let number = WordId(u32::try_from(number).map_err(|_| damaged())?);
                    if holds(dictionary.text(number)?, part) {
                        found.push(number);
                    }
                }
            }
            Ok(found)
        })?;
        Ok(found.concat())
    }

    /// Counts the rows of a chunk that have each of these words.
    fn count_alike(
        &self,
        chunk: ChunkId,
        rows: &RowSet,
        field: Keyword,
        words: &[WordId],
        tally: &mut AlikeTally,
    ) -> Result<(), QueryError> {
        let postings = self.postings(chunk, section_kind::words(field))?;
        let u32s = postings.words();
        let is_all = place(rows.count()) == self.rows_of(chunk);
        let mut add = |slot: usize, posting: super::rows::Posting<'_>| {
            let count = if is_all {
                posting.count()
            } else {
                posting.count_in(rows)
            };
            tally.words[slot] += u64::from(count);
        };
        // Searches for each wanted word if they are few, else walks all words.
        if words.len() * 12 < u32s.len() {
            for (slot, word) in words.iter().enumerate() {
                if let Some(posting) = postings.of(*word)? {
                    add(slot, posting);
                }
            }
            return Ok(());
        }
        let mut slot = 0;
        for (at, word) in u32s.iter().enumerate() {
            while words.get(slot).is_some_and(|other| other.0 < word.get()) {
                slot += 1;
            }
            if words.get(slot).is_some_and(|other| other.0 == word.get()) {
                add(slot, postings.at(at)?);
            }
        }
        Ok(())
    }

    /// Counts values that are in no dictionary: entries that are IPv4 addresses, and words read from the records.
    fn read_alike(
        &self,
        chunk: ChunkId,
        rows: &RowSet,
        field: Keyword,
        part: &str,
        tally: &mut AlikeTally,
    ) -> Result<(), QueryError> {
        if field == Keyword::Entry {
            for (address, own) in self.entries(chunk)?.each() {
                let count = own.filter(|row| rows.contains(*row)).count() as u64;
                if count > 0 {
                    *tally.entries.entry(address).or_default() += count;
                }
            }
        }
        let is_wanted = |word: &str| holds(word.as_bytes(), part);
        WordReader::of(self, field)?.each_unindexed(chunk, rows, is_wanted, |word| {
            *tally.others.entry(word).or_default() += 1;
        })
    }
}

/// The counts of some chunks.
#[derive(Default)]
struct AlikeTally {
    /// For each wanted word.
    words: Vec<u64>,
    /// Entries that are IPv4 addresses.
    entries: HashMap<u32, u64, RandomState>,
    /// Words that are in no dictionary.
    others: HashMap<String, u64>,
}

impl AlikeTally {
    fn add(&mut self, other: Self) {
        for (sum, count) in self.words.iter_mut().zip(other.words) {
            *sum += count;
        }
        for (address, count) in other.entries {
            *self.entries.entry(address).or_default() += count;
        }
        for (word, count) in other.others {
            *self.others.entry(word).or_default() += count;
        }
    }
}

/// The best of the counted words, unsorted.
fn best(
    dictionary: &Dictionary<'_>,
    words: &[WordId],
    counts: &[u64],
    part: &str,
    most: usize,
) -> Result<Vec<Facet>, QueryError> {
    let mut counted = Vec::new();
    for (word, count) in words.iter().zip(counts).filter(|(_, count)| **count > 0) {
        let text = String::from_utf8_lossy(dictionary.text(*word)?);
        counted.push((!begins(&text, part), Reverse(*count), *word));
    }
    if most < counted.len() {
        let text = |word: WordId| dictionary.text(word).unwrap_or_default();
        let order = |one: &(bool, Reverse<u64>, WordId), other: &(bool, Reverse<u64>, WordId)| {
            let by_count: Ordering = (one.0, one.1).cmp(&(other.0, other.1));
            by_count.then_with(|| text(one.2).cmp(text(other.2)))
        };
        counted.select_nth_unstable_by(most, order);
        counted.truncate(most);
    }
    let facet = |(_, Reverse(count), word): (bool, Reverse<u64>, WordId)| {
        let value = String::from_utf8_lossy(dictionary.text(word)?).into_owned();
        Ok(Facet { value, count })
    };
    counted.into_iter().map(facet).collect()
}

/// Whether a word contains a folded text.
fn holds(word: &[u8], part: &str) -> bool {
    if !word.is_ascii() {
        return fold::folded(&String::from_utf8_lossy(word)).contains(part);
    }
    let Some((first, rest)) = part.as_bytes().split_first() else {
        return true;
    };
    let end = (word.len() + 1).saturating_sub(part.len());
    let upper = first.to_ascii_uppercase();
    memchr::memchr2_iter(*first, upper, &word[..end])
        .any(|at| word[at + 1..at + part.len()].eq_ignore_ascii_case(rest))
}

/// Whether a word begins with a folded text.
fn begins(word: &str, part: &str) -> bool {
    if word.is_ascii() {
        let start = word.as_bytes().get(..part.len());
        return start.is_some_and(|start| start.eq_ignore_ascii_case(part.as_bytes()));
    }
    fold::folded(word).starts_with(part)
}

fn damaged() -> QueryError {
    QueryError::Damaged("a dictionary does not add up".to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_text_is_found_as_in_folded_words(word in "[a-cA-Cé\u{212a}]{0,6}", part in "[a-cA-Ck]{0,3}") {
            let (folded, part) = (fold::folded(&word).into_owned(), fold::folded(&part).into_owned());
            prop_assert_eq!(holds(word.as_bytes(), &part), folded.contains(&part));
            prop_assert_eq!(begins(&word, &part), folded.starts_with(&part));
        }
    }
}
