//! Writes a cached feed as a Parquet file, for engines such as `DuckDB`, `ClickHouse`, Spark and Trino.
//!
//! # Content of the file
//!
//! - A row for each record, by address: IPv4 before IPv6, by first address, larger networks first; records without an address
//!   last. Row groups have up to 122,880 rows, fewer if records are large.
//! - The fields of the contract, with their names and nesting: objects are structs, lists are lists, the names of places are a
//!   map from language to text. `ai` and `resells`, whose fields the contract does not specify, are JSON text. Every field may be
//!   null. Feeds of one kind have the same columns on every day.
//! - `first` and `last`: the lowest and the highest address of the record's subject, as text in the order of the rows: `4:` and 8
//!   hexadecimal digits, or `6:` and 32. `198.51.100.7` is `4:c6336407`. The records that cover an address satisfy
//!   `first <= '4:c6336407' AND last >= '4:c6336407'`, by which engines skip whole row groups. Feeds about services do not have
//!   these columns.
//! - `other`: the rest of the record, as JSON text of an object; null if there is none. It has keys that the contract does not
//!   name, at their places, and values that contradict the contract. In a list, null replaces elements without a rest. So nothing
//!   is lost, except for equivalent spellings: null becomes absent, numbers and booleans spelt as texts become numbers and
//!   booleans, numbers have 64 bits, the last of repeated keys counts. A line that is not an object is in `other` as a whole.
//! - `record`, on request: the record as sent. Bytes that are not UTF-8 are replaced.
//! - The feed and the day, in the key-value metadata.
//!
//! # Flat files
//!
//! [`ParquetForm::Flat`] has columns that are never null, for statements of filters: the words of each field of filters as a list, in
//! lower case, the number of clients with a flag whether it is known, the range of addresses as 32 hexadecimal digits, the place of
//! the record in the feed (`row`), and the record. In a part of a load that is as sent; elsewhere bytes that are not UTF-8 are replaced.
//!
//! The file has dictionaries, statistics and page indexes; its compression is [`COMPRESSION`].
//!
//! Memory is bounded by one row group and the list of rows. This module neither prints nor chooses the output file.

mod column;
mod flat;
mod schema;
mod stripe;
#[cfg(test)]
mod tests;

use std::{
    collections::BTreeMap,
    io::{self, Write},
    sync::Arc,
};

use ::parquet::{
    basic::{Compression, Encoding},
    errors::ParquetError,
    file::{
        metadata::{KeyValue, SortingColumn},
        properties::WriterProperties,
        writer::SerializedFileWriter,
    },
    schema::types::ColumnPath,
};
use serde_json::Value;

use self::{
    column::{ColumnLevels, ParquetColumn, Scalar},
    schema::{FIRST, LAST, OTHER, RECORD},
};
use super::{
    Filter, Index, StopFlag,
    index::{QueryError, RowId, Selection},
};
use crate::{
    contract::catalog::RecordKind,
    model::{
        Document, Subject,
        fields::{FieldKind, Member},
    },
};

/// The maximum number of rows of a row group: the unit of work of `DuckDB`.
const ROWS: u64 = 122_880;
/// The maximum size of a row group before encoding, in bytes. Bounds the memory.
const BYTES: usize = 64 << 20;
/// The number of rows between two checks of size, stop flag and progress.
const STRIDE: u64 = 1024;
/// The compression of columns.
pub const COMPRESSION: Compression = Compression::SNAPPY;

/// The content of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParquetOptions {
    /// The kind of records, which determines the columns.
    pub records: RecordKind,
    pub form: ParquetForm,
    /// The key-value metadata, such as the feed and the day.
    pub about: Vec<(String, String)>,
}

/// The columns of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParquetForm {
    /// The fields of the contract, nested as there.
    Nested {
        /// Whether a column has the records as sent.
        raw: bool,
    },
    /// What filters are about, never null.
    Flat,
}

/// Why a file was not written.
#[derive(Debug, thiserror::Error)]
pub enum NotWritten {
    /// The index failed.
    #[error("{0}")]
    Index(#[from] QueryError),
    /// The file could not be written.
    #[error("{0}")]
    Io(io::Error),
}

impl From<ParquetError> for NotWritten {
    fn from(why: ParquetError) -> Self {
        Self::Io(match why {
            ParquetError::External(inner) => match inner.downcast::<io::Error>() {
                Ok(error) => *error,
                Err(other) => io::Error::other(other),
            },
            other => io::Error::other(other),
        })
    }
}

/// Writes the records that match a filter; returns their number. `tell` receives the rows written and their total.
///
/// # Errors
/// [`NotWritten`].
pub fn write(
    index: &Index,
    filter: &Filter,
    form: &ParquetOptions,
    to: impl Write + Send,
    stop: &StopFlag,
    tell: &mut dyn FnMut(u64, u64),
) -> Result<u64, NotWritten> {
    let selection = index.select(filter, stop)?;
    let of = Selection::count(&selection);
    let mut writer = ParquetWriter::begin(form, to)?;
    let (mut line, mut done) = (Vec::new(), 0);
    let mut put = |row, hash| {
        if done % STRIDE == 0 {
            stop.check()?;
            tell(done, of);
        }
        done += 1;
        writer.put_row(index, row, hash, &mut line)
    };
    if form.form == ParquetForm::Flat {
        for found in index.hashed()? {
            let (row, hash) = found?;
            if selection.contains(row) {
                put(row, hash)?;
            }
        }
    } else {
        for row in index.by_address(&selection, stop)? {
            put(row, 0)?;
        }
    }
    writer.end()?;
    tell(of, of);
    Ok(of)
}

/// What the parts of a load have in each row, beside the flat columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadOf {
    pub feed: String,
    /// `2026-11-20`
    pub day: String,
    pub load: String,
}

/// A part ends with the record that reaches one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartLimits {
    pub rows: u64,
    /// Of the lines of its records.
    pub bytes: u64,
}

/// A part of a load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadPart {
    pub number: u64,
    pub rows: u64,
    /// `None` for one that is there as a whole.
    pub file: Option<Vec<u8>>,
}

/// Writes all records as flat files, in memory, and hands each on. The parts of a release are the same each time; those of which all rows
/// are there, by number of the part, are not written.
///
/// # Errors
/// [`NotWritten`]; what `take` fails with.
pub fn write_parts(
    index: &Index,
    of_load: &LoadOf,
    limits: PartLimits,
    there: &BTreeMap<u64, u64>,
    stop: &StopFlag,
    take: &mut dyn FnMut(LoadPart) -> io::Result<()>,
) -> Result<(), NotWritten> {
    let (mut all, mut line) = (index.hashed()?.peekable(), Vec::new());
    for number in 0.. {
        if all.peek().is_none() {
            break;
        }
        let begin = || ParquetWriter::begin_part(of_load.clone(), number);
        // How many rows it has is seen at its end: those of one that may be there are kept.
        let known = there.get(&number);
        let mut writer = if known.is_none() {
            Some(begin()?)
        } else {
            None
        };
        let mut own = Vec::new();
        let (mut rows, mut bytes) = (0, 0);
        while rows < limits.rows
            && bytes < limits.bytes
            && let Some(found) = all.next()
        {
            if rows % STRIDE == 0 {
                stop.check()?;
            }
            let (row, hash) = found?;
            line.clear();
            index.line(row, &mut line)?;
            (rows, bytes) = (rows + 1, bytes + line.len() as u64);
            match &mut writer {
                Some(writer) => writer.put(row, None, hash, &line)?,
                None => own.push((row, hash)),
            }
        }
        if writer.is_none() && known != Some(&rows) {
            let mut again = begin()?;
            for (done, (row, hash)) in (0..).zip(own) {
                if done % STRIDE == 0 {
                    stop.check()?;
                }
                again.put_row(index, row, hash, &mut line)?;
            }
            writer = Some(again);
        }
        let file = writer.map(ParquetWriter::end).transpose()?;
        take(LoadPart { number, rows, file }).map_err(NotWritten::Io)?;
    }
    Ok(())
}

/// The columns of the parts of a load in their order: those that are the same in each row, and those of a flat file.
pub fn loaded_columns() -> impl Iterator<Item = (&'static str, FieldKind)> {
    flat::CONSTANT.into_iter().chain(flat::names())
}

/// Writes a file.
struct ParquetWriter<W: Write + Send> {
    file: SerializedFileWriter<W>,
    layout: ParquetLayout,
    columns: Vec<ParquetColumn>,
    rows: u64,
    /// The size of the columns, in bytes, at which a row group is written.
    most: usize,
}

/// What a row is split into.
enum ParquetLayout {
    Nested {
        members: &'static [Member],
        own: Vec<&'static str>,
    },
    /// With what is the same in each row, for a part of a load.
    Flat(Option<(LoadOf, u64)>),
}

impl ParquetWriter<Vec<u8>> {
    /// A part of a load, in memory.
    fn begin_part(of_load: LoadOf, part: u64) -> Result<Self, NotWritten> {
        let form = ParquetOptions {
            records: RecordKind::Context,
            form: ParquetForm::Flat,
            about: Vec::new(),
        };
        Self::begin_flat(&form, Vec::new(), Some((of_load, part)))
    }
}

impl<W: Write + Send> ParquetWriter<W> {
    fn begin_flat(
        form: &ParquetOptions,
        to: W,
        of_load: Option<(LoadOf, u64)>,
    ) -> Result<Self, NotWritten> {
        let properties = properties(form, &flat::distinct().collect::<Vec<_>>(), &[]);
        let is_loaded = of_load.is_some();
        Ok(Self {
            file: SerializedFileWriter::new(to, flat::schema(is_loaded)?, Arc::new(properties))?,
            layout: ParquetLayout::Flat(of_load),
            columns: flat::columns(is_loaded),
            rows: 0,
            most: BYTES,
        })
    }

    fn begin(form: &ParquetOptions, to: W) -> Result<Self, NotWritten> {
        let ParquetForm::Nested { raw } = form.form else {
            return Self::begin_flat(form, to, None);
        };
        let members = schema::members(form.records);
        let own: Vec<&str> = schema::own(form.records, raw).collect();
        let mut columns = Vec::new();
        let own_kinds = own.iter().map(|_| FieldKind::Text);
        for kind in members.iter().map(|member| member.kind).chain(own_kinds) {
            ParquetColumn::all_of(kind, false, &mut columns);
        }
        let first = columns.len() - own.len();
        let sorted: Vec<_> = own.iter().copied().zip(first..).collect();
        let alone = ["ip", "network", "prefix", FIRST, LAST, OTHER, RECORD];
        let properties = properties(form, &alone, &sorted);
        let schema = schema::schema(form.records, raw)?;
        let file = SerializedFileWriter::new(to, schema, Arc::new(properties))?;
        Ok(Self {
            file,
            layout: ParquetLayout::Nested { members, own },
            columns,
            rows: 0,
            most: BYTES,
        })
    }

    /// Adds the row of a record, which is read into `line`.
    fn put_row(
        &mut self,
        index: &Index,
        row: RowId,
        hash: u64,
        line: &mut Vec<u8>,
    ) -> Result<(), NotWritten> {
        line.clear();
        index.line(row, line)?;
        self.put(row, index.subject(row)?, hash, line)
    }

    fn put(
        &mut self,
        row: RowId,
        subject: Option<Subject>,
        hash: u64,
        line: &[u8],
    ) -> Result<(), NotWritten> {
        match &self.layout {
            ParquetLayout::Flat(of_load) => {
                let mut columns = self.columns.as_mut_slice();
                if let Some((load, part)) = of_load {
                    let texts = [&load.feed, &load.day, &load.load].map(|text| Scalar::Text(text));
                    let [feed, day, name] = texts;
                    let part = Scalar::Whole(part.cast_signed());
                    flat::put_constant(columns, [feed, day, name, part]);
                    columns = &mut columns[flat::CONSTANT.len()..];
                }
                let as_sent = of_load.is_some();
                flat::put(columns, u64::from(row.0), hash, line, as_sent);
            }
            ParquetLayout::Nested {
                members,
                own: texts,
            } => {
                put_nested(&mut self.columns, members, texts, subject, line);
            }
        }
        self.rows += 1;
        let is_large = || self.columns.iter().map(ParquetColumn::size).sum::<usize>() >= self.most;
        if self.rows == ROWS
            || (self.rows.is_multiple_of(STRIDE) || line.len() > 1 << 16) && is_large()
        {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes the row group.
    fn flush(&mut self) -> Result<(), NotWritten> {
        let mut group = self.file.next_row_group()?;
        for column in &mut self.columns {
            if let Some(writer) = group.next_column()? {
                column.write(writer)?;
            }
        }
        group.close()?;
        self.rows = 0;
        Ok(())
    }

    /// Writes the last row group and the footer.
    fn end(mut self) -> Result<W, NotWritten> {
        if self.rows > 0 {
            self.flush()?;
        }
        Ok(self.file.into_inner()?)
    }
}

/// Adds the row of a record whose fields are nested as in the contract.
fn put_nested(
    columns: &mut [ParquetColumn],
    members: &'static [Member],
    texts: &[&'static str],
    subject: Option<Subject>,
    line: &[u8],
) {
    // A record that cannot be parsed goes into `other` as a whole.
    let document = Document::read(line).ok();
    let fields = columns.len() - texts.len();
    let (fields, own_columns) = columns.split_at_mut(fields);
    let level = ColumnLevels::default();
    let sent = document.as_ref().map(Document::value);
    let left = match sent {
        Some(Value::Object(object)) => {
            let left = stripe::stripe(fields, members, object, level);
            (!left.is_empty()).then(|| Value::Object(left).to_string())
        }
        odd => {
            stripe::push_absent(fields, level);
            let text = || Value::from(String::from_utf8_lossy(line));
            Some(odd.cloned().unwrap_or_else(text).to_string())
        }
    };
    let range = subject.map(range);
    for (name, column) in texts.iter().zip(own_columns) {
        let text = match *name {
            FIRST => range.as_ref().map(|(first, _)| first.as_str().into()),
            LAST => range.as_ref().map(|(_, last)| last.as_str().into()),
            OTHER => left.as_deref().map(Into::into),
            _ => Some(String::from_utf8_lossy(line)),
        };
        match text {
            Some(text) => column.value(Scalar::Text(&text), level.there()),
            None => column.push_absent(level),
        }
    }
}

/// The properties of the file: the columns whose values are all different, and the last columns, by which rows may be sorted.
fn properties(
    form: &ParquetOptions,
    alone: &[&'static str],
    last: &[(&str, usize)],
) -> WriterProperties {
    let about = form.about.iter();
    let about = about
        .map(|(key, value)| KeyValue::new(key.clone(), value.clone()))
        .collect();
    let mut properties = WriterProperties::builder()
        .set_created_by(concat!("ipspect ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(COMPRESSION)
        .set_key_value_metadata(Some(about));
    // A dictionary does not help columns whose values are all distinct. Rows are sorted, so neighbouring values share a prefix.
    let alone = alone.iter().map(|text| ColumnPath::from(*text));
    let exits = ["tunnels", "list", "element", "exits", "list", "element"];
    let exits = ColumnPath::new(exits.map(str::to_owned).to_vec());
    for path in alone.chain([exits]) {
        properties = properties
            .set_column_dictionary_enabled(path.clone(), false)
            .set_column_encoding(path, Encoding::DELTA_BYTE_ARRAY);
    }
    let sorted = last.iter().filter(|(name, _)| [FIRST, LAST].contains(name));
    let sorted: Vec<SortingColumn> = sorted
        .map(|(name, column)| SortingColumn {
            column_idx: i32::try_from(*column).unwrap_or_default(),
            descending: *name == LAST,
            nulls_first: false,
        })
        .collect();
    properties
        .set_sorting_columns((!sorted.is_empty()).then_some(sorted))
        .build()
}

/// The lowest and the highest address, as text in the order of addresses.
fn range(subject: Subject) -> (String, String) {
    use std::net::IpAddr;
    let text = |address: IpAddr| match address {
        IpAddr::V4(address) => format!("4:{:08x}", address.to_bits()),
        IpAddr::V6(address) => format!("6:{:032x}", address.to_bits()),
    };
    let network = subject.network();
    (text(network.network()), text(network.broadcast()))
}
