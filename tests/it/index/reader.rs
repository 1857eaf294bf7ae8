//! A reader of the file of an index, written from the documentation of `store::index` alone.
//!
//! It shows that the documentation is complete. It must never use a type or a function of `ipspect`; where it cannot know how to read
//! something, the documentation is mended. Whatever does not add up is `None`.

mod bytes;
mod content;
mod orders;
mod tests;

use std::{collections::HashMap, net::Ipv4Addr};

use xxhash_rust::xxh3::xxh3_64;

use self::bytes::{Bytes, Dictionary, set_bits};

const MAGIC: [u8; 8] = *b"ipspect\0";
const VERSION: u32 = 3;

/// The numbers of the kinds of sections.
mod kind {
    pub(super) const CHUNKS: u32 = 0;
    pub(super) const RECORDS: u32 = 1;
    pub(super) const LENGTHS: u32 = 2;
    pub(super) const CLIENTS: u32 = 3;
    pub(super) const ATTRIBUTED: u32 = 4;
    pub(super) const ENTRIES: u32 = 5;
    pub(super) const WORDS: u32 = 16;
    pub(super) const UNINDEXED: u32 = 32;
    pub(super) const SHAPES: u32 = 48;
    pub(super) const TOKENS: u32 = 49;
    pub(super) const DICTIONARIES: u32 = 50;
    pub(super) const PREFIXES: u32 = 52;
    pub(super) const ADDRESSES: u32 = 53;
    pub(super) const NETWORKS: u32 = 55;
    pub(super) const LOOSE: u32 = 56;
    pub(super) const CLIENTS_ORDER: u32 = 57;
    pub(super) const CLIENTS_BLOCKS: u32 = 58;
}

/// The fields of words, by number.
const FIELDS: [&str; 12] = [
    "tag", "type", "cc", "infra", "risk", "service", "behavior", "proxy", "device", "asn", "org",
    "entry",
];

/// The tokens at one path of the records.
struct Column<'a> {
    is_of_numbers: bool,
    field: Option<u32>,
    tokens: Dictionary<'a>,
}

/// How the lines of some records are put together.
struct Shape<'a> {
    skeleton: &'a [u8],
    /// The column of each slot.
    slots: Vec<u32>,
}

/// The file of an index.
pub(super) struct Reader<'a> {
    pub(super) records: u64,
    /// By kind and ordinal.
    sections: HashMap<(u32, u32), Bytes<'a>>,
    /// How many rows each chunk has.
    chunks: Vec<u32>,
    columns: Vec<Column<'a>>,
    shapes: Vec<Shape<'a>>,
}

impl<'a> Reader<'a> {
    /// Reads a file, and checks all of its checksums.
    pub(super) fn open(file: &'a [u8]) -> Option<Self> {
        let mut head = Bytes(file);
        if (head.array()?, head.u32()?, head.u32()?) != (MAGIC, VERSION, 0) {
            return None;
        }
        let (rest, tail) = file.split_last_chunk::<32>()?;
        let mut tail = Bytes(tail);
        let (records, start, hash) = (tail.u64()?, tail.u64()?, tail.u64()?);
        let directory = rest.get(usize::try_from(start).ok()?..)?;
        let expected = xxh3_64(directory) ^ xxh3_64(&records.to_le_bytes());
        if tail.array()? != MAGIC || hash != expected {
            return None;
        }
        let sections = Bytes(directory).all(|entry| {
            let name = (entry.u32()?, entry.u32()?);
            let (offset, length) = (entry.u64()?, entry.u64()?);
            let bytes = Bytes(file).range(offset, offset.checked_add(length)?)?;
            (xxh3_64(bytes.0) == entry.u64()?).then_some((name, bytes))
        })?;
        let mut reader = Self {
            records,
            sections: sections.into_iter().collect(),
            chunks: Vec::new(),
            columns: Vec::new(),
            shapes: Vec::new(),
        };
        reader.chunks = reader.section(kind::CHUNKS, 0)?.all(Bytes::u32)?;
        (reader.columns, reader.shapes) = reader.columns_and_shapes()?;
        Some(reader)
    }

    fn section(&self, kind: u32, ordinal: u32) -> Option<Bytes<'a>> {
        self.sections.get(&(kind, ordinal)).copied()
    }

    /// The sections of a kind, in order.
    fn sections(&self, kind: u32) -> impl Iterator<Item = Bytes<'a>> {
        (0..).map_while(move |ordinal| self.section(kind, ordinal))
    }

    /// The items of a list that is cut into pieces.
    fn items<T>(&self, kind: u32, read: impl Fn(&mut Bytes) -> Option<T>) -> Option<Vec<T>> {
        let pieces: Option<Vec<_>> = self.sections(kind).map(|piece| piece.all(&read)).collect();
        Some(pieces?.into_iter().flatten().collect())
    }

    fn columns_and_shapes(&self) -> Option<(Vec<Column<'a>>, Vec<Shape<'a>>)> {
        let mut section = self.section(kind::SHAPES, 0)?;
        let length = section.u32()?;
        let skeletons = Dictionary::read(section.take(length)?)?;
        let mut columns = Vec::new();
        for number in 0..section.u32()? {
            let is_of_numbers = section.u32()? == 1;
            let field = Some(section.u32()?).filter(|field| *field != u32::MAX);
            let path = section.u32()?;
            section.take(path)?;
            columns.push(Column {
                is_of_numbers,
                field,
                tokens: Dictionary::read(self.section(kind::TOKENS, number)?)?,
            });
        }
        let shape = |skeleton| {
            let slots = section.u32()?;
            let slots = section.many(slots, Bytes::u32)?;
            Some(Shape { skeleton, slots })
        };
        let shapes: Option<_> = skeletons.texts().map(shape).collect();
        Some((columns, shapes?))
    }

    /// The numbers of all rows, in the order of the feed.
    fn rows(&self) -> impl Iterator<Item = u32> {
        let of_chunk = |(chunk, rows): (u32, &u32)| (0..*rows).map(move |row| chunk << 16 | row);
        (0..).zip(&self.chunks).flat_map(of_chunk)
    }

    /// The lines of all records, in the order of the feed.
    pub(super) fn lines(&self) -> Option<Vec<Vec<u8>>> {
        self.rows().map(|row| self.line(row)).collect()
    }

    /// The line of a row.
    pub(super) fn line(&self, row: u32) -> Option<Vec<u8>> {
        let mut record = self.record(row)?;
        let number = record.variable()?;
        if number == 0 {
            return Some(record.0.to_vec());
        }
        let shape = self.shapes.get(usize::try_from(number).ok()?)?;
        let mut slots = shape.slots.iter();
        let mut line = Vec::new();
        for byte in shape.skeleton {
            if *byte == 0 {
                let column = self.columns.get(*slots.next()? as usize)?;
                line.extend(self.token(column, &mut record)?);
            } else {
                line.push(*byte);
            }
        }
        (record.0.is_empty() && slots.next().is_none()).then_some(line)
    }

    /// The hash of what a record holds, worked out from its line.
    pub(super) fn hash(&self, row: u32) -> Option<u64> {
        let line = self.line(row)?;
        match self.record(row)?.variable()? {
            0 => Some(content::of_raw_line(&line)),
            _ => content::of_line(&line),
        }
    }

    /// The bytes of the record of a row.
    fn record(&self, row: u32) -> Option<Bytes<'a>> {
        let (chunk, row) = (row >> 16, row & 0xffff);
        let mut lengths = self.section(kind::LENGTHS, chunk)?;
        let width = lengths.u32()?;
        let rows = *self.chunks.get(chunk as usize)?;
        let offsets = lengths.many(rows.div_ceil(16), Bytes::u64)?;
        lengths.take((row - row % 16) * width)?;
        let before = lengths.many(row % 16, |lengths| lengths.number(width))?;
        let start = offsets.get(row as usize / 16)? + before.iter().sum::<u64>();
        let records = self.section(kind::RECORDS, chunk)?;
        records.range(start, start + lengths.number(width)?)
    }

    /// The token that the next value of a record stands for.
    fn token(&self, column: &Column, record: &mut Bytes) -> Option<Vec<u8>> {
        let address = |bytes: [u8; 4]| Ipv4Addr::from(bytes).to_string().into_bytes();
        let list = |texts: Vec<_>| [b"[\"", &*texts.join(&b"\",\""[..]), b"\"]"].concat();
        Some(match record.variable()? {
            0 => {
                let length = record.variable_u32()?;
                record.take(length)?.0.to_vec()
            }
            1 => [b"\"", &*address(record.array()?), b"\""].concat(),
            2 => record.variable()?.to_string().into_bytes(),
            3 => {
                let count = record.variable_u32()?;
                list(record.many(count, |record| record.array().map(address))?)
            }
            4 => {
                let words = self.dictionary(column.field?)?;
                let word = |record: &mut Bytes| words.text(record.variable()?).map(<[u8]>::to_vec);
                let count = record.variable_u32()?;
                list(record.many(count, word)?)
            }
            code if column.is_of_numbers => (code - 5).to_string().into_bytes(),
            code => column.tokens.text(code - 5)?.to_vec(),
        })
    }

    /// The words of a field.
    fn dictionary(&self, field: u32) -> Option<Dictionary<'a>> {
        Dictionary::read(self.section(kind::DICTIONARIES, field)?)
    }

    /// The rows that have a word of a field's dictionary.
    pub(super) fn postings(&self, field: &str, word: &str) -> Option<Vec<u32>> {
        let field = (0..).zip(FIELDS).find(|(_, text)| *text == field)?.0;
        let words = self.dictionary(field)?;
        let word = (0..)
            .zip(words.texts())
            .find(|(_, bytes)| *bytes == word.as_bytes());
        word.map_or(Some(Vec::new()), |(word, _)| {
            self.rows_of_word(kind::WORDS + field, word)
        })
    }

    /// The rows of attributed records.
    pub(super) fn attributed(&self) -> Option<Vec<u32>> {
        self.rows_of_word(kind::ATTRIBUTED, 0)
    }

    fn rows_of_word(&self, kind: u32, word: u32) -> Option<Vec<u32>> {
        let mut found = Vec::new();
        for (chunk, mut postings) in (0..).zip(self.sections(kind)) {
            let count = postings.u32()?;
            let words = postings.many(count, Bytes::u32)?;
            let ends = postings.many(count, Bytes::u32)?;
            let Ok(place) = words.binary_search(&word) else {
                continue;
            };
            let start = place.checked_sub(1).map_or(0, |before| ends[before]);
            let rows = postings.range(start.into(), ends[place].into())?;
            let rows = if rows.0.len() == 8192 {
                set_bits(&rows.all(Bytes::u64)?)
            } else {
                rows.all(Bytes::u16)?
            };
            found.extend(rows.into_iter().map(|row| chunk << 16 | u32::from(row)));
        }
        Some(found)
    }

    /// The rows that have an IPv4 address among the entries of their tunnels.
    pub(super) fn rows_of_entry(&self, address: Ipv4Addr) -> Option<Vec<u32>> {
        self.rows_of_number(kind::ENTRIES, address.to_bits())
    }

    /// The rows that may have a word which is in no dictionary of its field.
    pub(super) fn rows_of_unindexed(&self, field: &str, word: &str) -> Option<Vec<u32>> {
        let field = (0..).zip(FIELDS).find(|(_, text)| *text == field)?.0;
        let hash = xxh3_64(word.to_ascii_lowercase().as_bytes());
        self.rows_of_number(
            kind::UNINDEXED + field,
            u32::try_from(hash & 0xffff_ffff).ok()?,
        )
    }

    fn rows_of_number(&self, kind: u32, number: u32) -> Option<Vec<u32>> {
        let mut found = Vec::new();
        for (chunk, mut section) in (0..).zip(self.sections(kind)) {
            let count = u32::try_from(section.0.len() / 6).ok()?;
            let numbers = section.many(count, Bytes::u32)?;
            let rows = section.all(Bytes::u16)?;
            let rows = numbers
                .into_iter()
                .zip(rows)
                .filter(|(count, _)| *count == number);
            found.extend(rows.map(|(_, row)| chunk << 16 | u32::from(row)));
        }
        Some(found)
    }
}
