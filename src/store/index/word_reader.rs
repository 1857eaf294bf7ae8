//! Reads the words of a field from records, without restoring their lines.
//!
//! It parses only the tokens at or above the paths of the field, as the encoder does (`extract_terms`).

use super::{
    Index, QueryError, RowId,
    id::{ChunkId, place},
    records::StoredRecord,
    rows::RowSet,
    value::TokenValue,
};
use crate::model::{Document, Keyword, terms};

/// Reads the words of a field.
pub(super) struct WordReader<'i> {
    index: &'i Index,
    field: Keyword,
    /// For each column at or above a path of the field, its path without array marks.
    columns: Vec<Option<String>>,
}

impl<'i> WordReader<'i> {
    pub(super) fn of(index: &'i Index, field: Keyword) -> Result<Self, QueryError> {
        let leads = |text: &str, to: &str| {
            let rest = to.strip_prefix(text);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let columns = index.known()?.paths.iter().map(|column| {
            let own = column.replace("[]", "");
            field.paths().any(|to| leads(&own, to)).then_some(own)
        });
        Ok(Self {
            index,
            field,
            columns: columns.collect(),
        })
    }

    /// The distinct words of a record.
    pub(super) fn read(&self, row: RowId) -> Result<Vec<String>, QueryError> {
        let (shape, mut tokens) = match self.index.record(row)? {
            StoredRecord::Line(_) => {
                let terms = self.index.terms(row)?;
                return Ok(terms.of_field(self.field).map(str::to_owned).collect());
            }
            StoredRecord::Shaped(shape, tokens) => (shape, tokens),
        };
        let (mut found, mut text) = (Vec::new(), Vec::new());
        for column in &shape.columns {
            let value = TokenValue::take(&mut tokens).ok_or_else(damaged)?;
            let Some(Some(path)) = self.columns.get(place(*column)) else {
                continue;
            };
            text.clear();
            self.index.spell(*column, value, &mut text)?;
            if let Ok(token) = Document::read(&text) {
                terms::words_below(path, token.value(), &mut |field, word| {
                    if field == self.field {
                        found.push(word.into_owned());
                    }
                });
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// The rows of a chunk, among these, that have a word in no dictionary.
    pub(super) fn unindexed(&self, chunk: ChunkId, rows: &RowSet) -> Result<RowSet, QueryError> {
        let mut set = RowSet::none();
        let unindexed = self.index.unindexed(chunk, self.field)?;
        unindexed.rows().for_each(|row| set.insert(row));
        set.keep(rows);
        Ok(set)
    }

    /// Visits the wanted words that are in no dictionary, for these rows of a chunk: each word once for each record.
    pub(super) fn each_unindexed(
        &self,
        chunk: ChunkId,
        rows: &RowSet,
        is_wanted: impl Fn(&str) -> bool,
        mut visit: impl FnMut(String),
    ) -> Result<(), QueryError> {
        for row in self.unindexed(chunk, rows)?.rows() {
            for word in self.read(RowId::new(chunk, row))? {
                if is_wanted(&word) && !self.index.is_in_dictionary(self.field, &word)? {
                    visit(word);
                }
            }
        }
        Ok(())
    }
}

fn damaged() -> QueryError {
    QueryError::Damaged("a record does not add up".to_owned())
}
