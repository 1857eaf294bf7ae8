//! Flat columns that are never null, over which a filter is a condition of SQL: see [`crate::store::filter::sql`].

use std::sync::Arc;

use ::parquet::{
    basic::{ConvertedType, LogicalType, Repetition, Type as Physical},
    errors::Result,
    schema::types::{Type, TypePtr},
};

use super::column::{ColumnLevels, ParquetColumn, Scalar};
use crate::{
    model::{Document, Keyword, Terms, fields::FieldKind},
    store::filter::sql::{digits, range},
};
use FlatColumn::{
    Attributed, Clients, Family, First, HasClients, Hash, Last, OrgText, Prefix, Record, Row,
    Subject, Words,
};

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FlatColumn {
    /// The place of the record in the feed, from 0.
    Row,
    /// The hash of its content: records of equal hashes are equal (`index::content`).
    Hash,
    /// The address or network of the record; empty without one.
    Subject,
    Family,
    /// The length of the prefix of its network; 0 without one.
    Prefix,
    First,
    Last,
    /// The words of a field of filters.
    Words(Keyword),
    OrgText,
    HasClients,
    Clients,
    Attributed,
    /// The record as it was sent.
    Record,
}

impl FlatColumn {
    fn all() -> impl Iterator<Item = Self> {
        let words = Keyword::ALL.into_iter().map(Words);
        [Row, Hash, Subject, Family, Prefix, First, Last]
            .into_iter()
            .chain(words)
            .chain([OrgText, HasClients, Clients, Attributed, Record])
    }

    fn name(self) -> &'static str {
        match self {
            Row => "row",
            Hash => "hash",
            Subject => "subject",
            Family => "family",
            Prefix => "prefix",
            First => "first",
            Last => "last",
            Words(field) => field.name(),
            OrgText => "org_text",
            HasClients => "has_clients",
            Clients => "clients",
            Attributed => "attributed",
            Record => "record",
        }
    }

    fn kind(self) -> FieldKind {
        match self {
            Words(_) | OrgText => FieldKind::Texts,
            Row | Hash | Family | Prefix | Clients => FieldKind::Whole,
            HasClients | Attributed => FieldKind::Flag,
            Subject | First | Last | Record => FieldKind::Text,
        }
    }
}

/// The columns in their order.
pub(super) fn names() -> impl Iterator<Item = (&'static str, FieldKind)> {
    FlatColumn::all().map(|column| (column.name(), column.kind()))
}

/// Columns with the same value in each row, before the others.
pub(super) const CONSTANT: [(&str, FieldKind); 4] = [
    ("feed", FieldKind::Text),
    ("day", FieldKind::Text),
    ("load", FieldKind::Text),
    ("part", FieldKind::Whole),
];

/// The columns of a row group, empty.
pub(super) fn columns(is_loaded: bool) -> Vec<ParquetColumn> {
    let mut columns = Vec::new();
    for kind in kinds(is_loaded) {
        ParquetColumn::all_of(kind, false, &mut columns);
    }
    columns
}

fn kinds(is_loaded: bool) -> impl Iterator<Item = FieldKind> {
    let constant = CONSTANT.into_iter().filter(move |_| is_loaded);
    constant.chain(names()).map(|(_, kind)| kind)
}

/// Adds the values that are the same in each row.
pub(super) fn put_constant(columns: &mut [ParquetColumn], values: [Scalar<'_>; 4]) {
    for (column, value) in columns.iter_mut().zip(values) {
        column.value(value, ColumnLevels::default());
    }
}

/// Adds the row of a record: its place in the feed, the hash of its content, and its line, as sent or as text.
pub(super) fn put(
    columns: &mut [ParquetColumn],
    number: u64,
    hash: u64,
    line: &[u8],
    as_sent: bool,
) {
    let document = Document::read(line).ok();
    let terms = document.map(|document| Terms::of(document.value()));
    let terms = terms.unwrap_or_default();
    let network = terms.subject.map(|subject| subject.network());
    let range = network.map(range);
    let (family, first, last) = range.map_or((0, String::new(), String::new()), |parts| {
        (parts.0, digits(parts.1), digits(parts.2))
    });
    for (column, into) in FlatColumn::all().zip(columns) {
        let level = ColumnLevels::default();
        // Of 64 bits without a sign, as the schema says.
        let whole = |number: u64| Scalar::Whole(number.cast_signed());
        let mut text = |text: &str| into.value(Scalar::Text(text), level);
        match column {
            Subject => text(
                &terms
                    .subject
                    .map_or_else(String::new, |subject| subject.to_string()),
            ),
            First => text(&first),
            Last => text(&last),
            Record if as_sent => into.value(Scalar::Bytes(line), level),
            Record => text(&String::from_utf8_lossy(line)),
            Words(field) => {
                let words = terms.of_field(field).map(str::to_ascii_lowercase);
                list(into, words);
            }
            OrgText => {
                let words = terms.of_field(Keyword::Org);
                list(into, words.map(crate::store::filter::folded));
            }
            Row => into.value(whole(number), level),
            Hash => into.value(whole(hash), level),
            Prefix => {
                let length = network.map_or(0, |network| network.prefix_len());
                into.value(whole(u64::from(length)), level);
            }
            Family => into.value(whole(u64::from(family)), level),
            Clients => into.value(whole(terms.clients.unwrap_or_default()), level),
            HasClients => into.value(Scalar::Flag(terms.clients.is_some()), level),
            Attributed => into.value(Scalar::Flag(terms.attributed), level),
        }
    }
}

/// Adds a list, which may be empty.
fn list(into: &mut ParquetColumn, words: impl Iterator<Item = impl AsRef<str>>) {
    let mut is_empty = true;
    for word in words {
        let level = ColumnLevels {
            def: 1,
            rep: i16::from(!is_empty),
            ..ColumnLevels::default()
        };
        into.value(Scalar::Text(word.as_ref()), level);
        is_empty = false;
    }
    if is_empty {
        into.push_absent(ColumnLevels::default());
    }
}

/// The schema of a file. Every field is required.
///
/// # Errors
/// None with the columns above.
pub(super) fn schema(is_loaded: bool) -> Result<TypePtr> {
    let constant = CONSTANT.into_iter().filter(|_| is_loaded);
    let fields = constant.chain(names()).map(|(name, kind)| match name {
        // As it was sent, whatever its bytes are.
        "record" if is_loaded => plain(name, Physical::BYTE_ARRAY, None),
        _ => node(name, kind),
    });
    let fields = fields.collect::<Result<_>>()?;
    let builder = Type::group_type_builder("record").with_fields(fields);
    Ok(Arc::new(builder.build()?))
}

fn plain(name: &str, physical: Physical, logical: Option<LogicalType>) -> Result<TypePtr> {
    let builder = Type::primitive_type_builder(name, physical);
    let builder = builder.with_repetition(Repetition::REQUIRED);
    Ok(Arc::new(builder.with_logical_type(logical).build()?))
}

fn node(name: &str, kind: FieldKind) -> Result<TypePtr> {
    let text = |name| plain(name, Physical::BYTE_ARRAY, Some(LogicalType::String));
    match kind {
        FieldKind::Texts => {
            let inner = Type::group_type_builder("list").with_repetition(Repetition::REPEATED);
            let inner = Arc::new(inner.with_fields(vec![text("element")?]).build()?);
            let outer = Type::group_type_builder(name).with_repetition(Repetition::REQUIRED);
            let outer = outer
                .with_converted_type(ConvertedType::LIST)
                .with_logical_type(Some(LogicalType::List));
            Ok(Arc::new(outer.with_fields(vec![inner]).build()?))
        }
        FieldKind::Whole => plain(name, Physical::INT64, Some(LogicalType::integer(64, false))),
        FieldKind::Flag => plain(name, Physical::BOOLEAN, None),
        _ => text(name),
    }
}

/// The names of the columns of texts that are all different.
pub(super) fn distinct() -> impl Iterator<Item = &'static str> {
    [Subject, First, Last, Record]
        .map(FlatColumn::name)
        .into_iter()
}
