//! Collects the records of a chunk, and turns them into sections when it is full.

use std::io;

use zerocopy::IntoBytes;

use super::{
    clients,
    entries::{Address, LooseRecord, SortedNetwork},
    id::{ChunkId, RowId, WordId, lower_half, lower_word, offset},
    rows::{CHUNK, Groups, postings},
    section_kind::{self, FIELDS, field_place},
    term_fact::{TermFact, TermFacts},
};
use crate::model::{Keyword, Subject};

/// A chunk under construction.
#[derive(Debug)]
pub(super) struct ChunkBuilder {
    chunk: ChunkId,
    records: Vec<u8>,
    /// The end of each record.
    ends: Vec<usize>,
    /// Approximate memory in bytes, without the records.
    noted: usize,
    /// The number of rows that its postings will have.
    postings: usize,
    /// Per field, and for attributed records: pairs of word and row.
    words: Vec<Vec<(WordId, u16)>>,
    /// Per field: pairs of hash and row.
    unindexed: Vec<Vec<(u32, u16)>>,
    /// Per column: pairs of token and row.
    tokens: Vec<Vec<(WordId, u16)>>,
    /// Per column: the terms of the tokens that are new in this chunk.
    pub(super) learnt: Vec<TermFacts>,
    /// Pairs of IPv4 address and row, for entries.
    entries: Vec<(u32, u16)>,
    clients: Vec<(u64, u16)>,
    /// The records whose subject is an IPv4 address.
    pub(super) addresses: Vec<Address>,
    /// The records with another subject: an IPv6 address or a network.
    pub(super) networks: Vec<SortedNetwork>,
    /// The records without a readable subject, with their hashes.
    pub(super) loose: Vec<LooseRecord>,
}

/// A chunk is full when its records and their terms take this many bytes.
const MOST_BYTES: usize = 32 << 20;
/// A chunk is also full when its postings would have this many rows. The terms of a token count for each row with the token: a
/// long list that many records share takes little memory until the chunk is sealed, and much more then.
const MOST_POSTINGS: usize = 4 << 20;

/// The index of attributed records, after all fields.
pub(super) const ATTRIBUTED: usize = FIELDS;

impl ChunkBuilder {
    pub(super) fn new(chunk: ChunkId) -> Self {
        Self {
            chunk,
            records: Vec::with_capacity(CHUNK * 48),
            ends: Vec::with_capacity(CHUNK),
            noted: 0,
            postings: 0,
            words: vec![Vec::new(); FIELDS + 1],
            unindexed: vec![Vec::new(); FIELDS],
            tokens: Vec::new(),
            learnt: Vec::new(),
            entries: Vec::new(),
            clients: Vec::new(),
            addresses: Vec::new(),
            networks: Vec::new(),
            loose: Vec::new(),
        }
    }

    pub(super) fn rows(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no more room: for rows or, with long records or many terms, for bytes.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.rows() == CHUNK
            || self.records.len() + self.noted >= MOST_BYTES
            || self.postings >= MOST_POSTINGS
    }

    /// Adds a record; the chunk must not be full. `postings` is the number of rows that its tokens add to postings.
    #[inline]
    pub(super) fn push(
        &mut self,
        record: &[u8],
        said: &[TermFact],
        postings: usize,
        subject: Option<Subject>,
        hash: u64,
    ) {
        /// Memory of a pair of word and row, and of its share of the sections.
        const NOTED: usize = 16;
        let Ok(within) = u16::try_from(self.rows()) else {
            return;
        };
        let row = RowId::new(self.chunk, within);
        self.records.extend_from_slice(record);
        self.ends.push(self.records.len());
        self.noted += said.len() * NOTED;
        self.postings += said.len() + postings;
        for fact in said {
            self.note(*fact, within);
        }
        match subject {
            Some(Subject::Address(std::net::IpAddr::V4(address))) => {
                self.addresses.push(Address::new(address, row, hash));
            }
            Some(subject) => self.networks.push(SortedNetwork::new(subject, row, hash)),
            None => self.loose.push(LooseRecord::new(row, hash)),
        }
    }

    #[inline]
    fn note(&mut self, fact: TermFact, row: u16) {
        match fact {
            TermFact::Word(field, word) => self.words[field_place(field)].push((word, row)),
            TermFact::Unindexed(field, hash) => {
                self.unindexed[field_place(field)].push((hash, row))
            }
            TermFact::Entry(address) => self.entries.push((address, row)),
            TermFact::Clients(clients) => self.clients.push((clients, row)),
            TermFact::Attributed => self.words[ATTRIBUTED].push((WordId(0), row)),
            TermFact::Token(column, token) => {
                let column = super::id::place(column);
                if column >= self.tokens.len() {
                    self.tokens.resize_with(column + 1, Vec::new);
                }
                self.tokens[column].push((token, row));
            }
        }
    }

    /// Writes the number of clients of each row, 0 for unknown. Complete only after [`ChunkBuilder::sections`].
    pub(super) fn clients_of_rows(&self, of_rows: &mut [u64]) {
        of_rows.fill(0);
        for (clients, row) in &self.clients {
            of_rows[usize::from(*row)] = *clients;
        }
    }

    /// Writes the sections of the chunk. `words` is the number of words of each field, `known` the terms of the tokens of each
    /// column.
    pub(super) fn sections(
        &mut self,
        words: &[usize; FIELDS],
        known: &[TermFacts],
        mut write: impl FnMut(u32, &[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        // Each part is freed once it is written: sealing takes most of the memory of a build.
        write(section_kind::RECORDS, &std::mem::take(&mut self.records))?;
        write(section_kind::LENGTHS, &lengths(&self.ends)?)?;
        let tokens = self.tokens.iter_mut().zip(known);
        let tokens: Vec<(&TermFacts, Groups)> = tokens
            .map(|(pairs, facts)| (facts, Groups::of(std::mem::take(pairs), facts.len())))
            .collect();
        // A word is in the rows of the tokens that contain it, and in the rows that were noted with the word itself.
        let mut parts: Vec<Vec<(WordId, &[u16])>> = vec![Vec::new(); FIELDS + 1];
        for (facts, groups) in &tokens {
            for (token, rows) in groups.each() {
                for fact in facts.of(token) {
                    match *fact {
                        TermFact::Word(field, word) => parts[field_place(field)].push((word, rows)),
                        TermFact::Attributed => parts[ATTRIBUTED].push((WordId(0), rows)),
                        other => rows.iter().for_each(|row| self.note(other, *row)),
                    }
                }
            }
        }
        let words = words.iter().chain(&[1]).zip(&mut self.words);
        let own: Vec<Groups> = words
            .map(|(count, pairs)| Groups::of(std::mem::take(pairs), *count))
            .collect();
        for (parts, groups) in parts.iter_mut().zip(&own) {
            parts.extend(groups.each());
        }
        write(
            section_kind::CLIENTS,
            &clients::section(&mut self.clients, self.ends.len())?,
        )?;
        write(section_kind::ENTRIES, &unindexed(&self.entries))?;
        write(section_kind::ATTRIBUTED, &postings(&mut parts[ATTRIBUTED])?)?;
        for field in Keyword::ALL {
            let place = field_place(field);
            write(section_kind::words(field), &postings(&mut parts[place])?)?;
            write(
                section_kind::unindexed(field),
                &unindexed(&self.unindexed[place]),
            )?;
        }
        Ok(())
    }
}

/// Rows by hash or by address: all keys in ascending order, then the row of each.
///
/// ```text
/// unindexed   hash u32 each, row u16 each
/// entries     address u32 each, row u16 each
/// ```
///
/// Pairs are sorted and distinct. Their count is the length of the section divided by 6. An address is a number, little-endian
/// like all others. The hash of a word is the low 32 bits of `xxh3` (see `file`) of the word with its ASCII letters in lower
/// case.
fn unindexed(pairs: &[(u32, u16)]) -> Vec<u8> {
    // Plain numbers sort faster.
    let pairs = pairs.iter();
    let mut unindexed: Vec<u64> = pairs
        .map(|(hash, row)| u64::from(*hash) << 16 | u64::from(*row))
        .collect();
    unindexed.sort_unstable();
    unindexed.dedup();
    let mut bytes = Vec::with_capacity(unindexed.len() * 6);
    for pair in &unindexed {
        bytes.extend_from_slice(&lower_word(pair >> 16).to_le_bytes());
    }
    for pair in &unindexed {
        bytes.extend_from_slice(&lower_half(lower_word(*pair)).to_le_bytes());
    }
    bytes
}

/// Lengths of records, each in as many bytes as the longest needs, after the offset of every 16th record.
///
/// ```text
/// lengths     width u32, offset u64 each 16 rows, length each row (width 1, 2 or 4)
/// ```
///
/// Lengths fit in 32 bits: a chunk holds less than [`MOST_BYTES`] before its last record, and a record is no longer than its
/// line.
fn lengths(ends: &[usize]) -> io::Result<Vec<u8>> {
    let start = |row: usize| row.checked_sub(1).map_or(0, |before| ends[before]);
    let length = |row: usize| ends[row] - start(row);
    let longest = (0..ends.len()).map(length).max().unwrap_or_default();
    let width = match longest {
        0..=0xff => 1,
        0x100..=0xffff => 2,
        _ => 4,
    };
    let mut bytes = offset(width)?.as_bytes().to_vec();
    for row in (0..ends.len()).step_by(section_kind::STRIDE) {
        bytes.extend_from_slice(&(start(row) as u64).to_le_bytes());
    }
    for row in 0..ends.len() {
        bytes.extend_from_slice(&offset(length(row))?.as_bytes()[..width]);
    }
    Ok(bytes)
}
