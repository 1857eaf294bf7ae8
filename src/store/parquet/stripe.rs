//! Splits a record into columns, and keeps the rest.

use serde_json::{Map, Value};

use super::column::{ColumnLevels, ParquetColumn, Scalar};
use crate::model::{
    fields::{FieldKind, Member},
    lenient::{Field, ObjectReader},
};

/// The part of a value that the columns do not hold.
#[derive(Debug)]
enum Remainder {
    Nothing,
    /// All of it: it contradicts the contract.
    All,
    /// This part, with null in place of list elements that the columns hold.
    Part(Value),
}

/// Writes the fields of an object to their columns. Returns the rest: merged deeply with the columns, it restores the object.
pub(super) fn stripe(
    columns: &mut [ParquetColumn],
    members: &'static [Member],
    object: &Map<String, Value>,
    level: ColumnLevels,
) -> Map<String, Value> {
    let mut left = Map::new();
    let mut known = 0;
    let mut rest = columns;
    for member in members {
        let (columns, others) = rest.split_at_mut(leaves(member.kind));
        rest = others;
        let mut put = false;
        for key in [Some(member.name), member.also].into_iter().flatten() {
            let Some(sent) = object.get(key) else {
                continue;
            };
            known += 1;
            let said = if sent.is_null() {
                continue;
            } else if put {
                Remainder::All
            } else {
                self::put(columns, member.kind, (object, key, sent), level)
            };
            match said {
                Remainder::Nothing => put = true,
                Remainder::All => {
                    left.insert(key.to_owned(), sent.clone());
                }
                Remainder::Part(part) => {
                    put = true;
                    left.insert(key.to_owned(), part);
                }
            }
        }
        if !put {
            push_absent(columns, level);
        }
    }
    if known < object.len() {
        let named = |key: &String| {
            members
                .iter()
                .any(|member| member.name == key || member.also == Some(key))
        };
        for (key, sent) in object.iter().filter(|(key, _)| !named(key)) {
            left.insert(key.clone(), sent.clone());
        }
    }
    left
}

/// Adds an absent value to each column of a field.
pub(super) fn push_absent(columns: &mut [ParquetColumn], level: ColumnLevels) {
    for column in columns {
        column.push_absent(level);
    }
}

/// The number of columns of a field.
pub(super) fn leaves(kind: FieldKind) -> usize {
    match kind {
        FieldKind::Named => 2,
        FieldKind::Group(members) | FieldKind::Groups(members) => {
            members.iter().map(|member| leaves(member.kind)).sum()
        }
        _ => 1,
    }
}

/// Writes the value of a key. With [`Remainder::All`], nothing was written.
fn put(
    columns: &mut [ParquetColumn],
    kind: FieldKind,
    (object, key, sent): (&Map<String, Value>, &'static str, &Value),
    level: ColumnLevels,
) -> Remainder {
    let there = level.there();
    // Numbers and booleans are parsed leniently, as everywhere.
    let mut reader = ObjectReader::over(object);
    let scalar = match kind {
        FieldKind::Text => sent
            .as_str()
            .map_or(Field::Odd, |text| Field::Is(Scalar::Text(text))),
        FieldKind::Whole => reader.count(key).map(Scalar::Whole),
        FieldKind::Decimal => reader.decimal(key).map(Scalar::Decimal),
        FieldKind::Flag => reader.flag(key).map(Scalar::Flag),
        FieldKind::Json => {
            columns[0].value(Scalar::Text(&sent.to_string()), there);
            return Remainder::Nothing;
        }
        FieldKind::Group(members) => {
            let Value::Object(inner) = sent else {
                return Remainder::All;
            };
            return part_of(stripe(columns, members, inner, there));
        }
        FieldKind::Named => return named(columns, sent, level),
        FieldKind::Texts | FieldKind::Groups(_) => return list(columns, kind, sent, level),
    };
    match scalar {
        Field::Is(scalar) => columns[0].value(scalar, there),
        Field::Absent | Field::Null => columns[0].push_absent(level),
        Field::Odd => return Remainder::All,
    }
    Remainder::Nothing
}

/// The remainder of an object whose fields were written.
fn part_of(left: Map<String, Value>) -> Remainder {
    if left.is_empty() {
        Remainder::Nothing
    } else {
        Remainder::Part(Value::Object(left))
    }
}

/// Writes a list. A single text or object is a list of one, an empty text an empty list.
fn list(
    columns: &mut [ParquetColumn],
    kind: FieldKind,
    sent: &Value,
    level: ColumnLevels,
) -> Remainder {
    let items = match sent {
        Value::Array(items) => items.as_slice(),
        Value::String(text) if kind == FieldKind::Texts && text.trim().is_empty() => &[],
        Value::String(_) if kind == FieldKind::Texts => std::slice::from_ref(sent),
        Value::Object(_) => std::slice::from_ref(sent),
        _ => return Remainder::All,
    };
    if items.is_empty() {
        push_absent(columns, level.there());
        return Remainder::Nothing;
    }
    let mut left = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let part = match element_of(columns, kind, item, level.item(index)) {
            Remainder::Nothing => continue,
            Remainder::All => item.clone(),
            Remainder::Part(part) => part,
        };
        left.resize(index, Value::Null);
        left.push(part);
    }
    if left.is_empty() {
        Remainder::Nothing
    } else {
        Remainder::Part(Value::Array(left))
    }
}

/// Writes one element of a list, as absent if it contradicts the contract.
fn element_of(
    columns: &mut [ParquetColumn],
    kind: FieldKind,
    item: &Value,
    level: ColumnLevels,
) -> Remainder {
    let there = level.there();
    match (kind, item) {
        (FieldKind::Texts, Value::String(text)) => {
            columns[0].value(Scalar::Text(text), there);
            Remainder::Nothing
        }
        (FieldKind::Groups(members), Value::Object(inner)) => {
            part_of(stripe(columns, members, inner, there))
        }
        (FieldKind::Texts, Value::Object(inner)) => {
            // As everywhere, an object with an address stands for the address; its other keys are part of the rest.
            let named = ["ip", "address"]
                .iter()
                .find_map(|key| inner.get(*key)?.as_str());
            match named {
                Some(text) => columns[0].value(Scalar::Text(text), there),
                None => push_absent(columns, level),
            }
            Remainder::All
        }
        (_, Value::Null) => {
            push_absent(columns, level);
            Remainder::Nothing
        }
        _ => {
            push_absent(columns, level);
            Remainder::All
        }
    }
}

/// Writes a map of texts.
fn named(columns: &mut [ParquetColumn], sent: &Value, level: ColumnLevels) -> Remainder {
    let Value::Object(names) = sent else {
        return Remainder::All;
    };
    if names.is_empty() {
        push_absent(columns, level.there());
    }
    let mut left = Map::new();
    for (index, (key, name)) in names.iter().enumerate() {
        let pair = level.item(index);
        columns[0].value(Scalar::Text(key), pair);
        match name {
            Value::String(text) => columns[1].value(Scalar::Text(text), pair.there()),
            Value::Null => columns[1].push_absent(pair),
            odd => {
                columns[1].push_absent(pair);
                left.insert(key.clone(), odd.clone());
            }
        }
    }
    part_of(left)
}
