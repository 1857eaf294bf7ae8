//! Judges the contents of all records part by part, each distinct part once.
//!
//! A record is a shape and tokens (see `records`), and both repeat. So a survey of 10 million records reads the numbers in each
//! record, but parses only new parts. Memory grows by one byte for each text of the dictionaries.

use std::collections::HashMap;

use super::{
    Index, QueryError, RowId, StopFlag,
    dictionary::Dictionary,
    id::{chunks, place},
    records::damaged,
    section_kind,
    shape::{RAW, StoredShape},
    value::{self, TokenValue},
};

/// The number of records that are fetched together.
const TOGETHER: usize = 1 << 10;
/// Numbers below this share one judgement per column.
const SMALL: u64 = 1_000_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordPart<'a> {
    /// A JSON value at a path, with `[]` after a key whose value is a list that is split.
    Value(&'a str, &'a [u8]),
    /// A whole line.
    Line(&'a [u8]),
}

/// The findings of a part, by their numbers.
type FindingNumbers = Box<[u32]>;

/// The judgements of a column so far.
#[derive(Debug, Default)]
struct ColumnSurvey {
    is_of_numbers: bool,
    /// By the number of a text in its dictionary.
    texts: Vec<TextFinding>,
    /// The findings of texts that have any.
    of_texts: HashMap<u64, FindingNumbers>,
    /// Of small numbers, addresses, lists of addresses, lists of words.
    of_kinds: [Option<FindingNumbers>; 4],
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum TextFinding {
    #[default]
    No,
    Clean,
    Found,
}

/// A survey in progress.
struct Survey<'i, J> {
    index: &'i Index,
    paths: &'i [String],
    columns: Vec<ColumnSurvey>,
    /// By the number of the shape.
    shapes: Vec<Option<FindingNumbers>>,
    judge: J,
}

impl Index {
    /// The number of records with each finding that `judge` returns for their parts. A finding counts once for a record, even if
    /// several parts have it.
    ///
    /// The judgement of a value must not depend on other values. Numbers below a billion, addresses and lists of words are judged
    /// by the first one of their column.
    ///
    /// # Errors
    /// [`QueryError`].
    pub fn survey(
        &self,
        judge: impl FnMut(RecordPart<'_>) -> Vec<u32>,
        stop: &StopFlag,
    ) -> Result<HashMap<u32, u64>, QueryError> {
        let known = self.known()?;
        let column = |at: usize| -> Result<ColumnSurvey, QueryError> {
            let tokens = Dictionary::read(self.0.sections.get(section_kind::TOKENS, at)?)?;
            Ok(ColumnSurvey {
                is_of_numbers: known.of_numbers.get(at) == Some(&true),
                texts: vec![TextFinding::No; tokens.len()],
                ..ColumnSurvey::default()
            })
        };
        let mut survey = Survey {
            index: self,
            paths: &known.paths,
            columns: (0..known.paths.len())
                .map(column)
                .collect::<Result<_, _>>()?,
            shapes: vec![None; known.shapes.len()],
            judge,
        };
        let mut counts = HashMap::new();
        let mut found = Vec::new();
        for chunk in chunks(0..self.chunk_count()) {
            let rows = (0..self.rows_of(chunk)).filter_map(|row| u16::try_from(row).ok());
            let rows: Vec<RowId> = rows.map(|row| RowId::new(chunk, row)).collect();
            for rows in rows.chunks(TOGETHER) {
                stop.check()?;
                for (row, bytes) in rows.iter().zip(self.fetched(rows)?) {
                    found.clear();
                    survey.record(*row, bytes, &mut found)?;
                    found.sort_unstable();
                    found.dedup();
                    for finding in &found {
                        *counts.entry(*finding).or_default() += 1;
                    }
                }
            }
        }
        Ok(counts)
    }
}

impl<J: FnMut(RecordPart<'_>) -> Vec<u32>> Survey<'_, J> {
    fn record(
        &mut self,
        row: RowId,
        mut bytes: &[u8],
        found: &mut Vec<u32>,
    ) -> Result<(), QueryError> {
        let shape = value::take(&mut bytes).and_then(|shape| u32::try_from(shape).ok());
        let shape = shape.ok_or_else(damaged)?;
        if shape == RAW {
            found.extend((self.judge)(RecordPart::Line(bytes)));
            return Ok(());
        }
        let index = self.index;
        let written = index
            .known()?
            .shapes
            .get(place(shape))
            .ok_or_else(damaged)?;
        self.values(written, bytes, found)?;
        if let Some(Some(numbers)) = self.shapes.get(place(shape)) {
            found.extend(numbers);
            return Ok(());
        }
        // The findings of a line beyond those of its values depend only on its shape.
        let mut line = Vec::new();
        index.line(row, &mut line)?;
        let mut own = (self.judge)(RecordPart::Line(&line));
        own.retain(|finding| !found.contains(finding));
        found.extend(&own);
        self.shapes[place(shape)] = Some(own.into());
        Ok(())
    }

    fn values(
        &mut self,
        shape: &StoredShape,
        mut bytes: &[u8],
        found: &mut Vec<u32>,
    ) -> Result<(), QueryError> {
        for column in &shape.columns {
            let value = TokenValue::take(&mut bytes).ok_or_else(damaged)?;
            let survey = self.columns.get(place(*column)).ok_or_else(damaged)?;
            let kind = match value {
                TokenValue::Text(number) if !survey.is_of_numbers => {
                    let at = usize::try_from(number).map_err(|_| damaged())?;
                    match survey.texts.get(at).ok_or_else(damaged)? {
                        TextFinding::Clean => {}
                        TextFinding::Found => found.extend(&survey.of_texts[&number]),
                        TextFinding::No => {
                            let new = self.look(*column, value)?;
                            found.extend(&new);
                            self.columns[place(*column)].keep_text(at, number, new);
                        }
                    }
                    continue;
                }
                TokenValue::Text(number) | TokenValue::Number(number) if number < SMALL => 0,
                TokenValue::V4(_) => 1,
                TokenValue::V4List(_) => 2,
                TokenValue::Words(_) => 3,
                TokenValue::Text(_) | TokenValue::Number(_) | TokenValue::Raw(_) => {
                    found.extend(self.look(*column, value)?);
                    continue;
                }
            };
            if let Some(known) = &survey.of_kinds[kind] {
                found.extend(known);
                continue;
            }
            let new = self.look(*column, value)?;
            found.extend(&new);
            self.columns[place(*column)].of_kinds[kind] = Some(new.into());
        }
        Ok(())
    }

    fn look(&mut self, column: u32, value: TokenValue<'_>) -> Result<Vec<u32>, QueryError> {
        let mut text = Vec::new();
        self.index.spell(column, value, &mut text)?;
        let path = self.paths.get(place(column)).ok_or_else(damaged)?;
        Ok((self.judge)(RecordPart::Value(path, &text)))
    }
}

impl ColumnSurvey {
    fn keep_text(&mut self, at: usize, number: u64, found: Vec<u32>) {
        if found.is_empty() {
            self.texts[at] = TextFinding::Clean;
        } else {
            self.texts[at] = TextFinding::Found;
            self.of_texts.insert(number, found.into());
        }
    }
}
