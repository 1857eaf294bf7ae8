//! One column of a row group that is being filled: values, and for each of them at which level of nesting it is there.
//!
//! The levels are those of the Parquet format: the definition level says how many of the optional and repeated parts of
//! the column's path are there, the repetition level at which repeated part a value begins anew, 0 for a new row.

use std::mem;

use ::parquet::{
    data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type},
    errors::Result,
    file::writer::SerializedColumnWriter,
};
use bytes::Bytes;

use crate::model::fields::{FieldKind, Member};

/// The levels at which something is put.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ColumnLevels {
    /// How many parts of the path are there.
    pub(super) def: i16,
    /// Where it repeats.
    pub(super) rep: i16,
    /// How many repeated parts the path has so far.
    pub(super) deep: i16,
}

impl ColumnLevels {
    /// One more part of the path is there.
    pub(super) fn there(self) -> Self {
        Self {
            def: self.def + 1,
            ..self
        }
    }

    /// The item of this number in a list or map at this level.
    pub(super) fn item(self, index: usize) -> Self {
        let deep = self.deep + 1;
        Self {
            def: self.def + 2,
            rep: if index == 0 { self.rep } else { deep },
            deep,
        }
    }
}

/// A column of one row group.
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

/// Texts, one after the other.
#[derive(Debug, Default)]
struct ByteArrays {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

/// A single value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Scalar<'a> {
    Text(&'a str),
    Whole(i64),
    Decimal(f64),
    Flag(bool),
}

impl ParquetColumn {
    /// The columns of a field, in the order of the schema.
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

    /// A place where nothing is.
    pub(super) fn nothing(&mut self, level: ColumnLevels) {
        self.defs.push(level.def);
        if self.repeats {
            self.reps.push(level.rep);
        }
    }

    /// A value, which is there at this level. One of another kind than the column's is not put.
    pub(super) fn value(&mut self, scalar: Scalar<'_>, level: ColumnLevels) {
        match (&mut self.values, scalar) {
            (ColumnValues::Texts(texts), Scalar::Text(text)) => texts.push(text),
            (ColumnValues::Wholes(values), Scalar::Whole(value)) => values.push(value),
            (ColumnValues::Decimals(values), Scalar::Decimal(value)) => values.push(value),
            (ColumnValues::Flags(values), Scalar::Flag(value)) => values.push(value),
            // The tables of columns and of readers are one, so this does not happen.
            _ => {
                return self.nothing(ColumnLevels {
                    def: level.def - 1,
                    ..level
                });
            }
        }
        self.nothing(level);
    }

    /// Bytes that it takes up.
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

    /// Writes it as the next column of a row group and empties it.
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
    fn push(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
        self.ends.push(self.bytes.len());
    }

    /// All of them, sharing one piece of memory.
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
