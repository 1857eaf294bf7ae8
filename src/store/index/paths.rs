//! The values at any path of the records, ignoring arrays, without restoring the lines.
//!
//! In most records one token contains the path. Tokens repeat, so callers can cache the values by token.

use std::collections::HashSet;

use serde_json::Value as Json;

use super::{Index, QueryError, RowId, id::place, records::StoredRecord, value::TokenValue};
use crate::model::{Document, terms};

/// Reads the values at a path.
pub(super) struct PathReader<'i> {
    index: &'i Index,
    /// For each column, the remaining keys of each spelling of the path.
    below: Vec<Rests<'i>>,
    of_line: Rests<'i>,
}

/// The values of one record at the path.
pub(super) enum PathValue {
    /// The values of a token of a column: see [`PathReader::of_token`].
    Token(u32, u64),
    /// The distinct values.
    Values(HashSet<String>),
}

impl<'i> PathReader<'i> {
    pub(super) fn of(index: &'i Index, path: &'i str) -> Result<Self, QueryError> {
        let paths = terms::spellings(path);
        let columns = index.known()?.paths.iter();
        let below = columns.map(|column| rests_of(&paths, &column.replace("[]", "")));
        Ok(Self {
            index,
            below: below.collect(),
            of_line: rests_of(&paths, ""),
        })
    }

    /// The values of the record of a row.
    pub(super) fn read(&self, row: RowId) -> Result<PathValue, QueryError> {
        let mut values = HashSet::new();
        let (shape, mut tokens) = match self.index.record(row)? {
            StoredRecord::Line(line) => {
                collect(line, &self.of_line, &mut values);
                return Ok(PathValue::Values(values));
            }
            StoredRecord::Shaped(shape, tokens) => (shape, tokens),
        };
        let mut first = None;
        for column in &shape.columns {
            let value = TokenValue::take(&mut tokens).ok_or_else(damaged)?;
            let is_wanted = |texts: &Rests<'_>| !texts.is_empty();
            if !self.below.get(place(*column)).is_some_and(is_wanted) {
                continue;
            }
            match (first.take(), value) {
                (None, _) if values.is_empty() => first = Some((*column, value)),
                (before, _) => {
                    for (column, value) in before.into_iter().chain([(*column, value)]) {
                        self.spell(column, value, &mut values)?;
                    }
                }
            }
        }
        match first {
            Some((column, TokenValue::Text(number))) => {
                return Ok(PathValue::Token(column, number));
            }
            Some((column, value)) => self.spell(column, value, &mut values)?,
            None => {}
        }
        Ok(PathValue::Values(values))
    }

    /// The distinct values of a token.
    pub(super) fn of_token(&self, column: u32, number: u64) -> Result<HashSet<String>, QueryError> {
        let mut values = HashSet::new();
        self.spell(column, TokenValue::Text(number), &mut values)?;
        Ok(values)
    }

    fn spell(
        &self,
        column: u32,
        value: TokenValue<'_>,
        values: &mut HashSet<String>,
    ) -> Result<(), QueryError> {
        let mut text = Vec::new();
        self.index.spell(column, value, &mut text)?;
        if let Some(below) = self.below.get(place(column)) {
            collect(&text, below, values);
        }
        Ok(())
    }
}

/// The remaining keys of some paths.
type Rests<'a> = Vec<Vec<&'a str>>;

/// The remaining keys of those paths that lead through `above`.
fn rests_of<'a>(paths: &[&'a str], above: &str) -> Rests<'a> {
    let rest = |path: &&'a str| -> Option<Vec<&'a str>> {
        let rest = path.strip_prefix(above)?;
        match rest.strip_prefix('.') {
            Some(rest) => Some(rest.split('.').collect()),
            None if above.is_empty() => Some(rest.split('.').collect()),
            None => rest.is_empty().then(Vec::new),
        }
    };
    paths.iter().filter_map(rest).collect()
}

fn collect(text: &[u8], paths: &Rests<'_>, values: &mut HashSet<String>) {
    if let Ok(document) = Document::read(text) {
        for path in paths {
            descend(document.value(), path, values);
        }
    }
}

fn descend(value: &Json, path: &[&str], values: &mut HashSet<String>) {
    match value {
        Json::Array(items) => items.iter().for_each(|item| descend(item, path, values)),
        Json::Object(map) => {
            if let Some((key, rest)) = path.split_first()
                && let Some(value) = map.get(*key)
            {
                descend(value, rest, values);
            }
        }
        _ if !path.is_empty() => {}
        Json::Null => {}
        Json::String(text) => drop(values.insert(text.clone())),
        Json::Number(number) => drop(values.insert(number.to_string())),
        Json::Bool(truth) => drop(values.insert(truth.to_string())),
    }
}

fn damaged() -> QueryError {
    QueryError::Damaged("a record does not add up".to_owned())
}
