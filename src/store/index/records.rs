//! Reads records: the range of a row, its values, its line.

use zerocopy::{FromBytes, little_endian::U64};

use super::{
    Index, QueryError, RowId,
    dictionary::Dictionary,
    id::{ChunkId, WordId, place},
    section_kind,
    shape::{RAW, ShapeTable, StoredShape},
    spelling,
    value::{self, TokenValue},
};
use crate::model::{Document, Subject, terms};

/// A stored record.
#[derive(Clone, Copy, Debug)]
pub(super) enum StoredRecord<'a> {
    /// A line stored verbatim.
    Line(&'a [u8]),
    /// A shape and the values of its tokens.
    Shaped(&'a StoredShape, &'a [u8]),
}

pub(super) fn damaged() -> QueryError {
    QueryError::Damaged("a record does not add up".to_owned())
}

impl Index {
    pub(super) fn known(&self) -> Result<&ShapeTable, QueryError> {
        if let Some(known) = self.0.kept.shapes.get() {
            return Ok(known);
        }
        let known = ShapeTable::read(self.0.sections.get(section_kind::SHAPES, 0)?)?;
        Ok(self.0.kept.shapes.get_or_init(|| known))
    }

    /// The number of rows of a chunk.
    pub(super) fn rows_of(&self, chunk: ChunkId) -> usize {
        self.0
            .rows
            .get(chunk.ordinal())
            .copied()
            .unwrap_or_default()
    }

    /// The number of chunks.
    pub(super) fn chunk_count(&self) -> usize {
        self.0.rows.len()
    }

    #[inline]
    pub(super) fn record(&self, row: RowId) -> Result<StoredRecord<'_>, QueryError> {
        self.read(self.bytes(row)?)
    }

    /// Decodes the shape of a record.
    #[inline]
    pub(super) fn read<'a>(&'a self, mut bytes: &'a [u8]) -> Result<StoredRecord<'a>, QueryError> {
        let shape = value::take(&mut bytes)
            .and_then(|shape| u32::try_from(shape).ok())
            .ok_or_else(damaged)?;
        if shape == RAW {
            return Ok(StoredRecord::Line(bytes));
        }
        let written = self.known()?.shapes.get(place(shape)).ok_or_else(damaged)?;
        Ok(StoredRecord::Shaped(written, bytes))
    }

    /// The bytes of a record: from the offset of the nearest 16th row at or before it, plus the lengths of the rows between.
    #[inline]
    fn bytes(&self, row: RowId) -> Result<&[u8], QueryError> {
        let (chunk, row) = (row.chunk(), usize::from(row.within()));
        let rows = self.rows_of(chunk);
        let lengths = self
            .0
            .sections
            .get(section_kind::LENGTHS, chunk.ordinal())?;
        let range = || -> Option<(usize, usize)> {
            let (width, rest) = lengths.split_first_chunk::<4>()?;
            let strides = rows.div_ceil(section_kind::STRIDE);
            let (offsets, lengths) = <[U64]>::ref_from_prefix_with_elems(rest, strides).ok()?;
            let mut start = usize::try_from(offsets.get(row / section_kind::STRIDE)?.get()).ok()?;
            let before = row / section_kind::STRIDE * section_kind::STRIDE..row;
            let length = match u32::from_le_bytes(*width) {
                1 => {
                    let before = lengths.get(before)?.iter();
                    let before: usize = before.map(|length| usize::from(*length)).sum();
                    start = start.checked_add(before)?;
                    usize::from(*lengths.get(row)?)
                }
                2 => sum(
                    lengths.as_chunks::<2>().0,
                    before,
                    row,
                    &mut start,
                    |length| u16::from_le_bytes(*length).into(),
                )?,
                4 => sum(
                    lengths.as_chunks::<4>().0,
                    before,
                    row,
                    &mut start,
                    |length| place(u32::from_le_bytes(*length)),
                )?,
                _ => return None,
            };
            Some((start, start.checked_add(length)?))
        };
        let (start, end) = range().ok_or_else(damaged)?;
        self.0
            .sections
            .get(section_kind::RECORDS, chunk.ordinal())?
            .get(start..end)
            .ok_or_else(damaged)
    }

    /// The records of some rows. Touches all of them first, so that their cache misses overlap.
    pub(super) fn fetched(&self, rows: &[RowId]) -> Result<Vec<&[u8]>, QueryError> {
        let mut records = Vec::with_capacity(rows.len());
        for row in rows {
            records.push(self.bytes(*row)?);
        }
        let ends = records.iter().map(|record| match record {
            [first, .., last] => first ^ last,
            _ => 0,
        });
        std::hint::black_box(ends.fold(0, |all, byte| all ^ byte));
        Ok(records)
    }

    /// The text of a token in a column's dictionary.
    #[inline]
    fn token(&self, column: u32, number: u64) -> Result<&[u8], QueryError> {
        let number = WordId::from_value(number).ok_or_else(damaged)?;
        Dictionary::read(self.0.sections.get(section_kind::TOKENS, place(column))?)?.text(number)
    }

    /// The subject of the record of a row.
    ///
    /// # Errors
    /// [`QueryError::Damaged`].
    pub fn subject(&self, row: RowId) -> Result<Option<Subject>, QueryError> {
        let StoredRecord::Shaped(shape, mut values) = self.record(row)? else {
            return Ok(self.terms(row)?.subject);
        };
        let paths = &self.known()?.paths;
        let mut best: Option<(usize, Subject)> = None;
        for column in &shape.columns {
            let value = TokenValue::take(&mut values).ok_or_else(damaged)?;
            let path = paths.get(place(*column)).ok_or_else(damaged)?;
            let Some(rank) = terms::SUBJECT_KEYS.iter().position(|key| key == path) else {
                continue;
            };
            if best.is_some_and(|(number, _)| number < rank) {
                continue;
            }
            if let (TokenValue::V4(address), 0) = (value, rank) {
                return Ok(Some(Subject::Address(address.into())));
            }
            let mut token = Vec::new();
            self.spell(*column, value, &mut token)?;
            let document = Document::read(&token).ok();
            let subject =
                document.and_then(|document| terms::subject_under(path, document.value()));
            best = subject.map(|subject| (rank, subject)).or(best);
        }
        Ok(best.map(|(_, subject)| subject))
    }

    /// Appends the line of a record, byte for byte as in the feed, without its line end.
    ///
    /// # Errors
    /// [`QueryError::Damaged`].
    pub fn line(&self, row: RowId, into: &mut Vec<u8>) -> Result<(), QueryError> {
        match self.record(row)? {
            StoredRecord::Line(line) => into.extend_from_slice(line),
            StoredRecord::Shaped(shape, mut values) => {
                for (piece, column) in shape.pieces.iter().zip(&shape.columns) {
                    into.extend_from_slice(piece);
                    let value = TokenValue::take(&mut values).ok_or_else(damaged)?;
                    self.spell(*column, value, into)?;
                }
                into.extend_from_slice(shape.pieces.last().ok_or_else(damaged)?);
            }
        }
        Ok(())
    }

    /// Appends the text of a value.
    #[inline]
    pub(super) fn spell(
        &self,
        column: u32,
        value: TokenValue<'_>,
        into: &mut Vec<u8>,
    ) -> Result<(), QueryError> {
        match value {
            TokenValue::Text(number)
                if self.known()?.of_numbers.get(place(column)) == Some(&true) =>
            {
                spelling::spell_number(number, into);
            }
            TokenValue::Text(number) => into.extend_from_slice(self.token(column, number)?),
            TokenValue::Words(words) => {
                let field = self.known()?.fields.get(place(column)).copied().flatten();
                let dictionary = self.dictionary(field.ok_or_else(damaged)?)?;
                let number = |number| WordId::from_value(number).ok_or_else(damaged);
                let words = words.numbers().map(|word| dictionary.text(number(word)?));
                spelling::spell_words(words, into)?;
            }
            packed => value::spell(packed, into),
        }
        Ok(())
    }
}

/// Adds up the lengths before a row, for lengths of more than one byte; returns the length of the row.
fn sum<const N: usize>(
    lengths: &[[u8; N]],
    before: std::ops::Range<usize>,
    row: usize,
    start: &mut usize,
    read: impl Fn(&[u8; N]) -> usize,
) -> Option<usize> {
    let before = lengths.get(before)?.iter().map(&read).sum::<usize>();
    *start = start.checked_add(before)?;
    lengths.get(row).map(read)
}
