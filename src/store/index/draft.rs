//! A chunk being filled, and its sections when it is full.

use super::{
    clients,
    kinds::{self, FIELDS},
    rows::{CHUNK, Groups, postings},
    said::{Facts, Said},
    subjects::{Address, Network},
};
use crate::model::{Keyword, Subject};

/// A chunk being filled.
#[derive(Debug)]
pub(super) struct Draft {
    /// The number of its first row.
    first: u32,
    records: Vec<u8>,
    lengths: Vec<u32>,
    /// For each field, and the one of attributed records, pairs of word and row.
    words: Vec<Vec<(u32, u16)>>,
    /// For each field pairs of hash and row.
    needles: Vec<Vec<(u32, u16)>>,
    /// For each column pairs of token and row.
    tokens: Vec<Vec<(u32, u16)>>,
    /// For each column what the tokens say that came first in this chunk.
    pub(super) learnt: Vec<Facts>,
    /// IPv4 addresses that are entries, and row.
    entries: Vec<(u32, u16)>,
    /// Clients and row.
    clients: Vec<(u64, u16)>,
    /// IPv4 addresses that records are about.
    pub(super) addresses: Vec<Address>,
    /// Other addresses, and networks.
    pub(super) networks: Vec<Network>,
    /// Rows that are about nothing that can be read, with the hashes of their lines.
    pub(super) loose: Vec<(u32, u64)>,
}

/// A chunk takes no more records when it holds this much.
const MOST_BYTES: usize = 32 << 20;

/// The place of attributed records among fields.
pub(super) const ATTRIBUTED: usize = FIELDS;

impl Draft {
    pub(super) fn from(first: u32) -> Self {
        Self {
            first,
            records: Vec::with_capacity(CHUNK * 48),
            lengths: Vec::with_capacity(CHUNK),
            words: vec![Vec::new(); FIELDS + 1],
            needles: vec![Vec::new(); FIELDS],
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
        self.lengths.len()
    }

    /// Whether there is no more room: for rows or, where records are long, for bytes.
    pub(super) fn is_full(&self) -> bool {
        self.rows() == CHUNK || self.records.len() >= MOST_BYTES
    }

    /// Adds a record.
    #[inline]
    pub(super) fn push(
        &mut self,
        record: &[u8],
        said: &[Said],
        subject: Option<Subject>,
        hash: u64,
    ) {
        let row = self.rows() as u16;
        let number = self.first + u32::from(row);
        self.records.extend_from_slice(record);
        self.lengths.push(record.len() as u32);
        for fact in said {
            self.note(*fact, row);
        }
        match subject {
            Some(Subject::Address(std::net::IpAddr::V4(address))) => {
                self.addresses.push(Address::new(address, number, hash));
            }
            Some(subject) => self.networks.push(Network::of(subject, number, hash)),
            None => self.loose.push((number, hash)),
        }
    }

    #[inline]
    fn note(&mut self, fact: Said, row: u16) {
        match fact {
            Said::Word(field, word) => self.words[field as usize].push((word, row)),
            Said::Needle(field, hash) => self.needles[field as usize].push((hash, row)),
            Said::Entry(address) => self.entries.push((address, row)),
            Said::Clients(clients) => self.clients.push((clients, row)),
            Said::Attributed => self.words[ATTRIBUTED].push((0, row)),
            Said::Token(column, token) => {
                let column = column as usize;
                if column >= self.tokens.len() {
                    self.tokens.resize_with(column + 1, Vec::new);
                }
                self.tokens[column].push((token, row));
            }
        }
    }

    /// The sections of the chunk, by kind. `words` is how many words each field has, `known` what the tokens of each column say.
    pub(super) fn sections(
        &mut self,
        words: &[usize; FIELDS],
        known: &[Facts],
        mut write: impl FnMut(u32, &[u8]) -> std::io::Result<()>,
    ) -> std::io::Result<()> {
        let tokens = std::mem::take(&mut self.tokens).into_iter().zip(known);
        let tokens: Vec<(&Facts, Groups)> = tokens
            .map(|(pairs, facts)| (facts, Groups::of(pairs, facts.len())))
            .collect();
        // The rows of a word are those of the tokens that say it, and those that say it themselves.
        let mut parts: Vec<Vec<(u32, &[u16])>> = vec![Vec::new(); FIELDS + 1];
        for (facts, groups) in &tokens {
            for (token, rows) in groups.each() {
                for fact in facts.of(token) {
                    match *fact {
                        Said::Word(field, word) => parts[field as usize].push((word, rows)),
                        Said::Attributed => parts[ATTRIBUTED].push((0, rows)),
                        other => rows.iter().for_each(|row| self.note(other, *row)),
                    }
                }
            }
        }
        let words = words
            .iter()
            .chain(&[1])
            .zip(std::mem::take(&mut self.words));
        let own: Vec<Groups> = words
            .map(|(count, pairs)| Groups::of(pairs, *count))
            .collect();
        for (parts, own) in parts.iter_mut().zip(&own) {
            parts.extend(own.each());
        }
        write(kinds::RECORDS, &self.records)?;
        write(kinds::LENGTHS, &lengths(&self.lengths))?;
        write(kinds::CLIENTS, &clients::section(&mut self.clients))?;
        write(kinds::ENTRIES, &needles(&self.entries))?;
        write(kinds::ATTRIBUTED, &postings(&mut parts[ATTRIBUTED]))?;
        for field in Keyword::ALL {
            let place = field as usize;
            write(kinds::words(field), &postings(&mut parts[place]))?;
            write(kinds::needles(field), &needles(&self.needles[place]))?;
        }
        Ok(())
    }
}

/// Rows by hashes, or by addresses: all of them ascending, then the row of each.
///
/// ```text
/// needles     hash u32 each, row u16 each
/// entries     address u32 each, row u16 each
/// ```
fn needles(pairs: &[(u32, u16)]) -> Vec<u8> {
    // As plain numbers, which are sorted faster.
    let pairs = pairs.iter();
    let mut needles: Vec<u64> = pairs
        .map(|(hash, row)| u64::from(*hash) << 16 | u64::from(*row))
        .collect();
    needles.sort_unstable();
    needles.dedup();
    let mut bytes = Vec::with_capacity(needles.len() * 6);
    for needle in &needles {
        bytes.extend_from_slice(&((needle >> 16) as u32).to_le_bytes());
    }
    for needle in &needles {
        bytes.extend_from_slice(&(*needle as u16).to_le_bytes());
    }
    bytes
}

/// Lengths of records, in as many bytes each as the longest needs, after the offset of every 16th record.
///
/// ```text
/// lengths     width u32, rows u32, offset u64 each 16 rows, length each row (width 1, 2 or 4)
/// ```
fn lengths(lengths: &[u32]) -> Vec<u8> {
    let longest = lengths.iter().copied().max().unwrap_or_default();
    let width = match longest {
        0..=0xff => 1,
        0x100..=0xffff => 2,
        _ => 4,
    };
    let mut bytes = [width as u32, lengths.len() as u32]
        .map(u32::to_le_bytes)
        .concat();
    let mut offset = 0_u64;
    for (row, length) in lengths.iter().enumerate() {
        if row.is_multiple_of(kinds::STRIDE) {
            bytes.extend_from_slice(&offset.to_le_bytes());
        }
        offset += u64::from(*length);
    }
    for length in lengths {
        bytes.extend_from_slice(&length.to_le_bytes()[..width]);
    }
    bytes
}
