//! The data section of a database, with each value once.
//!
//! A value begins with a byte for its type (the upper three bits) and its size (the lower five; 29 to 31 announce one to three
//! more bytes of size). Types above 7 are "extended": 0, with the type minus 7 in the next byte. Integers are big-endian without
//! leading zero bytes.
//!
//! Lists, maps within maps, and texts of more than two bytes are written once each and referred to by pointers; the maps of networks
//! follow all of them. So equal maps have equal bytes, by which duplicates are found.

use std::io;

use crate::store::distinct::Distinct;

const POINTER: u8 = 1;
const TEXT: u8 = 2;
const U16: u8 = 5;
const U32: u8 = 6;
const MAP: u8 = 7;
const U64: u8 = 9;
const LIST: u8 = 11;
const TRUTH: u8 = 14;

/// A text up to this many bytes is written inline: a pointer would not be shorter.
const SHORT: usize = 2;

/// The offset of a map among the maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Offset(pub(super) u32);

/// The largest offset; those above are special records of the tree.
const LAST: u32 = (1 << 31) - 3;

/// The distinct values of a database.
#[derive(Debug, Default)]
pub struct ValueWriter {
    /// Texts, lists and inner maps. Before the maps, since they are few and pointers to them stay short.
    inner: Distinct,
    maps: Distinct,
    /// The fields of the map under construction, and the whole map.
    map: Vec<u8>,
    value: Vec<u8>,
}

/// A text, list or map as it appears in maps, also as the name of a field: a pointer, or inline if that is as short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InlineValue {
    bytes: [u8; LONGEST],
    length: usize,
}

/// The length of the longest pointer, in bytes.
const LONGEST: usize = 5;

impl InlineValue {
    fn of(spelt: &[u8]) -> Self {
        let mut known = Self {
            bytes: [0; LONGEST],
            length: spelt.len(),
        };
        known.bytes[..spelt.len()].copy_from_slice(spelt);
        known
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

pub fn spell_text(written: &str, into: &mut Vec<u8>) {
    text(written, into);
}

/// Encodes a list of texts.
pub fn spell_texts(texts: &[impl AsRef<str>], into: &mut Vec<u8>) {
    begin_list(texts.len(), into);
    for written in texts {
        text(written.as_ref(), into);
    }
}

/// Begins a map of so many fields, each of which is a text and a value.
pub fn spell_map(fields: usize, into: &mut Vec<u8>) {
    begin_map(fields, into);
}

/// Begins a list of so many values.
pub fn spell_list(items: usize, into: &mut Vec<u8>) {
    begin_list(items, into);
}

impl ValueWriter {
    pub fn map(&mut self) -> Map<'_> {
        self.map.clear();
        Map {
            values: self,
            fields: 0,
        }
    }

    /// The data section, in two parts.
    pub(super) fn parts(&self) -> [&[u8]; 2] {
        [self.inner.bytes(), self.maps.bytes()]
    }

    /// Adds an encoded text, list or map, and returns its form in maps.
    ///
    /// # Errors
    /// If the database is full.
    pub fn known(&mut self, spelt: &[u8]) -> io::Result<InlineValue> {
        if spelt.len() <= 1 + SHORT {
            return Ok(InlineValue::of(spelt));
        }
        let kept = self.inner.keep(spelt).ok_or_else(too_large)?;
        let mut known = Vec::with_capacity(LONGEST);
        pointer(kept.at, &mut known);
        Ok(InlineValue::of(&known))
    }
}

/// A map under construction.
#[derive(Debug)]
pub struct Map<'a> {
    values: &'a mut ValueWriter,
    fields: usize,
}

impl Map<'_> {
    /// Adds a field that is a text, a list or a map.
    pub fn known(&mut self, key: &InlineValue, known: &InlineValue) {
        self.begin(key);
        self.values.map.extend_from_slice(known.bytes());
    }

    /// Adds a field that is an integer.
    pub fn number(&mut self, key: &InlineValue, number: u64) {
        self.begin(key);
        match u32::try_from(number) {
            Ok(number) => u32(number, &mut self.values.map),
            Err(_) => u64(number, &mut self.values.map),
        }
    }

    /// Adds a field that is true or false.
    pub fn truth(&mut self, key: &InlineValue, truth: bool) {
        self.begin(key);
        begin(TRUTH, usize::from(truth), &mut self.values.map);
    }

    /// Whether it has no field yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.fields == 0
    }

    /// Completes the map; returns its offset.
    ///
    /// # Errors
    /// If the database is full.
    pub fn end(self) -> io::Result<Offset> {
        let Self { values, fields } = self;
        values.value.clear();
        begin_map(fields, &mut values.value);
        values.value.extend_from_slice(&values.map);
        let kept = values.maps.keep(&values.value);
        match kept {
            Some(kept) if kept.at <= LAST => Ok(Offset(kept.at)),
            _ => Err(too_large()),
        }
    }

    fn begin(&mut self, key: &InlineValue) {
        self.values.map.extend_from_slice(key.bytes());
        self.fields += 1;
    }
}

/// The error for a database that exceeds the format.
pub(super) fn too_large() -> io::Error {
    io::Error::other("the database is too large for its format: narrow the export down")
}

pub(super) fn begin_map(fields: usize, into: &mut Vec<u8>) {
    begin(MAP, fields, into);
}

pub(super) fn begin_list(items: usize, into: &mut Vec<u8>) {
    begin(LIST, items, into);
}

pub(super) fn text(text: &str, into: &mut Vec<u8>) {
    begin(TEXT, text.len(), into);
    into.extend_from_slice(text.as_bytes());
}

pub(super) fn u16(number: u16, into: &mut Vec<u8>) {
    whole(U16, &number.to_be_bytes(), into);
}

pub(super) fn u32(number: u32, into: &mut Vec<u8>) {
    whole(U32, &number.to_be_bytes(), into);
}

pub(super) fn u64(number: u64, into: &mut Vec<u8>) {
    whole(U64, &number.to_be_bytes(), into);
}

fn whole(kind: u8, bytes: &[u8], into: &mut Vec<u8>) {
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    begin(kind, bytes.len() - zeros, into);
    into.extend_from_slice(&bytes[zeros..]);
}

/// Writes the first bytes of a value: its type, and its size minus the sizes that shorter forms cover.
fn begin(kind: u8, size: usize, into: &mut Vec<u8>) {
    let (kind, extended) = match kind {
        0..=7 => (kind << 5, None),
        _ => (0, Some(kind - 7)),
    };
    // The format ends at 16 MiB; no text of a feed is that long.
    let size = u32::try_from(size).unwrap_or(u32::MAX);
    let (form, rest, bytes) = match size {
        0..29 => (size, 0, 0),
        29..285 => (29, size - 29, 1),
        285..65_821 => (30, size - 285, 2),
        _ => (31, size - 65_821, 3),
    };
    into.push(kind | form.to_be_bytes()[3]);
    into.extend(extended);
    into.extend_from_slice(&rest.to_be_bytes()[4 - bytes..]);
}

/// Writes a pointer: its upper three bits are in the byte of the type, the rest in one to three bytes, minus the offsets that
/// shorter forms cover; or all of it is in four bytes.
fn pointer(to: u32, into: &mut Vec<u8>) {
    const REACH: [u32; 3] = [
        1 << 11,
        (1 << 11) + (1 << 19),
        (1 << 11) + (1 << 19) + (1 << 27),
    ];
    let (form, rest, bytes) = match to {
        at if at < REACH[0] => (0, at, 1),
        at if at < REACH[1] => (1, at - REACH[0], 2),
        at if at < REACH[2] => (2, at - REACH[1], 3),
        at => (3, at, 4),
    };
    let rest = rest.to_be_bytes();
    let upper = if form < 3 { rest[3 - bytes] } else { 0 };
    into.push(POINTER << 5 | form << 3 | upper);
    into.extend_from_slice(&rest[4 - bytes..]);
}
