//! One column of a row group under construction: its values, each with its levels of nesting.
//!
//! The levels are those of the Parquet format. The definition level is the number of optional and repeated parts of the column's
//! path that are present. The repetition level is the repeated part at which a value begins a new item, 0 for a new row.

use std::mem;

use ::parquet::{
    data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type},
    errors::Result,
    file::writer::SerializedColumnWriter,
};
use bytes::Bytes;

use crate::model::fields::{FieldKind, Member};

/// The levels of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ColumnLevels {
    /// The definition level: the number of parts of the path that are present.
    pub(super) def: i16,
    /// The repetition level.
    pub(super) rep: i16,
    /// The number of repeated parts of the path so far.
    pub(super) deep: i16,
}

impl ColumnLevels {
    /// The level one part further down the path.
    pub(super) fn there(self) -> Self {
        Self {
            def: self.def + 1,
            ..self
        }
    }

    /// The level of the item at this index of a list or map.
    pub(super) fn item(self, index: usize) -> Self {
        let deep = self.deep + 1;
        Self {
            def: self.def + 2,
            rep: if index == 0 { self.rep } else { deep },
            deep,
        }
    }
}

/// A column of a row group.
#[derive(Debug)]
pub(super) struct ParquetColumn {
    defs: Vec<i16>,
    reps: Vec<i16>,
    repeats: bool,
    values: ColumnValues,
}

#[derive(Debug)]
enum ColumnValues {
    Texts(ByteArrays),
    Wholes(Vec<i64>),
    Decimals(Vec<f64>),
    Flags(Vec<bool>),
}

/// Texts, concatenated.
#[derive(Debug, Default)]
struct ByteArrays {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

/// A scalar value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Scalar<'a> {
    Text(&'a str),
    /// Text that need not be UTF-8.
    Bytes(&'a [u8]),
    Whole(i64),
    Decimal(f64),
    Flag(bool),
}

impl ParquetColumn {
    /// Adds the columns of a field, in the order of the schema.
    pub(super) fn all_of(kind: FieldKind, repeats: bool, into: &mut Vec<Self>) {
        let mut one = |values, repeats| {
            into.push(Self {
                defs: Vec::new(),
                reps: Vec::new(),
                repeats,
                values,
            });
        };
        let texts = || ColumnValues::Texts(ByteArrays::default());
        match kind {
            FieldKind::Text | FieldKind::Json => one(texts(), repeats),
            FieldKind::Whole => one(ColumnValues::Wholes(Vec::new()), repeats),
            FieldKind::Decimal => one(ColumnValues::Decimals(Vec::new()), repeats),
            FieldKind::Flag => one(ColumnValues::Flags(Vec::new()), repeats),
            FieldKind::Texts => one(texts(), true),
            FieldKind::Named => {
                one(texts(), true);
                one(texts(), true);
            }
            FieldKind::Group(members) => each(members, repeats, into),
            FieldKind::Groups(members) => each(members, true, into),
        }
    }

    /// Adds an absent value.
    pub(super) fn push_absent(&mut self, level: ColumnLevels) {
        self.defs.push(level.def);
        if self.repeats {
            self.reps.push(level.rep);
        }
    }

    /// Adds a value at this level. A value of the wrong type becomes absent.
    pub(super) fn value(&mut self, scalar: Scalar<'_>, level: ColumnLevels) {
        match (&mut self.values, scalar) {
            (ColumnValues::Texts(texts), Scalar::Text(text)) => texts.push(text.as_bytes()),
            (ColumnValues::Texts(texts), Scalar::Bytes(bytes)) => texts.push(bytes),
            (ColumnValues::Wholes(values), Scalar::Whole(value)) => values.push(value),
            (ColumnValues::Decimals(values), Scalar::Decimal(value)) => values.push(value),
            (ColumnValues::Flags(values), Scalar::Flag(value)) => values.push(value),
            // Unreachable, since columns and readers come from the same tables.
            _ => {
                return self.push_absent(ColumnLevels {
                    def: level.def - 1,
                    ..level
                });
            }
        }
        self.push_absent(level);
    }

    /// Its size, in bytes.
    pub(super) fn size(&self) -> usize {
        let levels = 2 * (self.defs.len() + self.reps.len());
        levels
            + match &self.values {
                ColumnValues::Texts(texts) => texts.bytes.len() + 8 * texts.ends.len(),
                ColumnValues::Wholes(values) => 8 * values.len(),
                ColumnValues::Decimals(values) => 8 * values.len(),
                ColumnValues::Flags(values) => values.len(),
            }
    }

    /// Writes the column as the next one of a row group, and empties it.
    ///
    /// # Errors
    /// A failure to write.
    pub(super) fn write(&mut self, mut to: SerializedColumnWriter<'_>) -> Result<()> {
        let (defs, reps) = (mem::take(&mut self.defs), mem::take(&mut self.reps));
        let (defs, reps) = (
            Some(defs.as_slice()),
            self.repeats.then_some(reps.as_slice()),
        );
        match &mut self.values {
            ColumnValues::Texts(texts) => {
                to.typed::<ByteArrayType>()
                    .write_batch(&texts.take(), defs, reps)?
            }
            ColumnValues::Wholes(values) => {
                to.typed::<Int64Type>()
                    .write_batch(&mem::take(values), defs, reps)?
            }
            ColumnValues::Decimals(values) => {
                to.typed::<DoubleType>()
                    .write_batch(&mem::take(values), defs, reps)?
            }
            ColumnValues::Flags(values) => {
                to.typed::<BoolType>()
                    .write_batch(&mem::take(values), defs, reps)?
            }
        };
        to.close()
    }
}

fn each(members: &[Member], repeats: bool, into: &mut Vec<ParquetColumn>) {
    for member in members {
        ParquetColumn::all_of(member.kind, repeats, into);
    }
}

impl ByteArrays {
    fn push(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.ends.push(self.bytes.len());
    }

    /// Takes all texts; they share one buffer.
    fn take(&mut self) -> Vec<ByteArray> {
        let bytes = Bytes::from(mem::take(&mut self.bytes));
        let mut begin = 0;
        let texts = mem::take(&mut self.ends).into_iter().map(|end| {
            let text = bytes.slice(begin..end);
            begin = end;
            ByteArray::from(text)
        });
        texts.collect()
    }
}
