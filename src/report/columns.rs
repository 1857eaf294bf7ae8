//! The columns of each kind of row of the results, declared once: a key for programs, a label for people, and a value whose type decides
//! how each format writes it.
//!
//! ```text
//! Columns<Row>: Column { key, label, cell } ...    JSON  {"bytes":1536}      the cells with a key
//!                                                  CSV   1536                the cells with a key
//!               Cell::Bytes(1536)                  text, Markdown  1.5 KiB   the cells with a label
//! ```

use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Value, json};

use super::{
    Fact, Line, RunningTable, TextCell, TextStyle, count, fact, markdown_table, minute, moment,
    size,
};
use crate::{engine::Error, model::Document, store::Moment};

/// A value of a row. Text from outside is as it was sent.
#[derive(Clone, Debug)]
pub enum Cell {
    /// No value, and no key in JSON.
    Absent,
    /// No value; null in JSON.
    Null,
    Text(String),
    Count(u64),
    Bytes(u64),
    Flag(bool),
    Release(Moment),
    Instant(Timestamp),
    /// A part of a whole, 0 to 1.
    Share(f64),
    /// JSON text.
    Json(String),
    /// What a field says, as people read it in each format.
    Words(TextCell),
}

impl Cell {
    /// A value as JSON alone.
    #[must_use]
    pub fn json(value: impl Serialize) -> Self {
        Self::Json(Line::json_of(value))
    }

    /// A value, or no key in JSON.
    #[must_use]
    pub fn some(value: Option<impl Into<Self>>) -> Self {
        value.map_or(Self::Absent, Into::into)
    }

    /// A failure as the value of `error` in JSON.
    #[must_use]
    pub fn error(error: &Error) -> Self {
        let word = error.kind.word();
        Self::json(
            json!({"kind": word, "message": error.message, "hint": error.hint, "status": error.status}),
        )
    }

    /// A list of objects.
    #[must_use]
    pub fn objects(objects: impl IntoIterator<Item = Line>) -> Self {
        let objects: Vec<String> = objects.into_iter().map(|object| object.end()).collect();
        Self::Json(format!("[{}]", objects.join(",")))
    }

    /// A document of the service as it was sent, or null.
    #[must_use]
    pub fn document(document: Option<&Document>) -> Self {
        document.map_or(Self::Null, |document| Self::Json(document.to_line()))
    }

    /// Whether bytes of one of these documents had to be replaced; no key in JSON where none had to.
    #[must_use]
    pub fn lossy<'a>(documents: impl IntoIterator<Item = &'a Document>) -> Self {
        let lossy = documents.into_iter().any(Document::lossy);
        Self::some(lossy.then_some(true))
    }

    /// As JSON; none where the key is left out.
    fn as_json(&self) -> Option<String> {
        Some(match self {
            Self::Absent => return None,
            Self::Null => "null".to_owned(),
            Self::Json(json) => json.clone(),
            Self::Share(share) => Line::json_of(share),
            Self::Flag(flag) => flag.to_string(),
            Self::Count(number) | Self::Bytes(number) => number.to_string(),
            Self::Instant(at) => Line::json_of(at.to_string()),
            Self::Text(_) | Self::Release(_) | Self::Words(_) => Line::json_of(self.text()),
        })
    }

    /// As a cell of CSV.
    fn text(&self) -> String {
        match self {
            Self::Absent | Self::Null => String::new(),
            Self::Text(text) | Self::Json(text) => text.clone(),
            Self::Count(number) | Self::Bytes(number) => number.to_string(),
            Self::Flag(flag) => flag.to_string(),
            Self::Release(release) => release.to_string(),
            Self::Instant(at) => moment(*at).into_owned(),
            Self::Share(share) => share.to_string(),
            Self::Words(words) => words.bare().to_owned(),
        }
    }

    /// For people.
    fn words(&self) -> TextCell {
        match self {
            Self::Absent | Self::Null => TextCell::unknown("-"),
            Self::Text(text) | Self::Json(text) => TextCell::known(text),
            Self::Count(number) => TextCell::known(count(*number)),
            Self::Bytes(bytes) => TextCell::known(size(*bytes)),
            Self::Flag(flag) => TextCell::known(if *flag { "yes" } else { "no" }),
            Self::Release(release) => TextCell::known(release.dashed()),
            Self::Instant(at) => TextCell::known(minute(*at)),
            Self::Share(share) => TextCell::known(format!("{:.2} %", share * 100.0)),
            Self::Words(words) => words.clone(),
        }
    }
}

macro_rules! cells {
    ($($value:ident: $of:ty => $cell:expr;)*) => {$(
        impl From<$of> for Cell {
            fn from($value: $of) -> Self {
                $cell
            }
        }
    )*};
}

cells! {
    text: String => Self::Text(text);
    text: &str => Self::Text(text.to_owned());
    number: u64 => Self::Count(number);
    number: u32 => Self::Count(number.into());
    number: usize => Self::Count(number as u64);
    flag: bool => Self::Flag(flag);
    release: Moment => Self::Release(release);
    at: Timestamp => Self::Instant(at);
    words: TextCell => Self::Words(words);
    value: Value => match value {
        Value::Null => Self::Null,
        Value::String(text) => Self::Text(text),
        other => Self::json(other),
    };
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

type Words<R> = Box<dyn Fn(&R) -> TextCell>;

/// A column of rows of one kind.
struct Column<R> {
    /// Its key in JSON and its name in CSV.
    key: &'static str,
    is_in_json: bool,
    is_in_csv: bool,
    /// Its label for people; empty where it has none. Headings are in capitals.
    label: &'static str,
    cell: Box<dyn Fn(&R) -> Cell>,
    /// What people read, where the type of the cell does not decide it.
    words: Option<Words<R>>,
    /// How wide it is at least, where rows come one by one.
    width: usize,
    is_right: bool,
}

impl<R> Column<R> {
    fn words_of(&self, row: &R) -> TextCell {
        match &self.words {
            Some(words) => words(row),
            None => (self.cell)(row).words(),
        }
    }
}

type Written<R> = Box<dyn Fn(&R, &mut String)>;

/// The columns of rows of one kind, in the order of each format. What changes a column is said behind it.
pub struct Columns<R> {
    columns: Vec<Column<R>>,
    /// The line of JSON, where that is not made of the columns.
    line: Option<Written<R>>,
    /// Whether the columns of a table do not grow.
    is_fixed: bool,
}

impl<R> Default for Columns<R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<R> Columns<R> {
    #[must_use]
    pub fn new() -> Self {
        Self {
            columns: Vec::new(),
            line: None,
            is_fixed: false,
        }
    }

    /// Adds a column of each format.
    #[must_use]
    pub fn column<C: Into<Cell>>(
        mut self,
        key: &'static str,
        label: &'static str,
        cell: impl Fn(&R) -> C + 'static,
    ) -> Self {
        self.columns.push(Column {
            key,
            is_in_json: !key.is_empty(),
            is_in_csv: !key.is_empty(),
            label,
            cell: Box::new(move |row| cell(row).into()),
            words: None,
            width: 0,
            is_right: false,
        });
        self
    }

    /// Adds a column for programs.
    #[must_use]
    pub fn data<C: Into<Cell>>(self, key: &'static str, cell: impl Fn(&R) -> C + 'static) -> Self {
        self.column(key, "", cell)
    }

    /// Adds a key of JSON.
    #[must_use]
    pub fn json<C: Into<Cell>>(self, key: &'static str, cell: impl Fn(&R) -> C + 'static) -> Self {
        self.data(key, cell).last(|own| own.is_in_csv = false)
    }

    /// Adds a column of CSV.
    #[must_use]
    pub fn csv<C: Into<Cell>>(self, key: &'static str, cell: impl Fn(&R) -> C + 'static) -> Self {
        self.data(key, cell).but_json()
    }

    /// Adds a column for people.
    #[must_use]
    pub fn words<C: Into<Cell>>(
        self,
        label: &'static str,
        cell: impl Fn(&R) -> C + 'static,
    ) -> Self {
        self.column("", label, cell)
    }

    /// JSON does not have the last column.
    #[must_use]
    pub fn but_json(self) -> Self {
        self.last(|own| own.is_in_json = false)
    }

    /// People read the last column in these words.
    #[must_use]
    pub fn shown(self, words: impl Fn(&R) -> TextCell + 'static) -> Self {
        self.last(|own| own.words = Some(Box::new(words)))
    }

    /// The last column is so wide at least.
    #[must_use]
    pub fn wide(self, width: usize) -> Self {
        self.last(|own| own.width = width)
    }

    /// The text of the last column is to the right.
    #[must_use]
    pub fn right(self) -> Self {
        self.last(|own| own.is_right = true)
    }

    fn last(mut self, change: impl FnOnce(&mut Column<R>)) -> Self {
        if let Some(last) = self.columns.last_mut() {
            change(last);
        }
        self
    }

    /// The same with columns of several kinds of row behind.
    #[must_use]
    pub fn with(self, more: impl FnOnce(Self) -> Self) -> Self {
        more(self)
    }

    /// The same where a line of JSON is something else than an object of the columns. What is written has no line end.
    #[must_use]
    pub fn lines(mut self, line: impl Fn(&R, &mut String) + 'static) -> Self {
        self.line = Some(Box::new(line));
        self
    }

    /// The same with columns that are as wide as they are declared, for many rows that come one by one.
    #[must_use]
    pub fn fixed(mut self) -> Self {
        self.is_fixed = true;
        self
    }

    /// The same without the columns of these labels for people.
    #[must_use]
    pub fn without(self, labels: &[&str]) -> Self {
        labels
            .iter()
            .fold(self, |own, label| own.labelled(label, ""))
    }

    /// The same with another label for people.
    #[must_use]
    pub fn labelled(mut self, label: &str, other: &'static str) -> Self {
        self.change(label, |column| column.label = other);
        self
    }

    /// The same with the column of a label so wide at least.
    #[must_use]
    pub fn widened(mut self, label: &str, width: usize) -> Self {
        self.change(label, |column| column.width = width);
        self
    }

    fn change(&mut self, label: &str, change: impl FnOnce(&mut Column<R>)) {
        let mut columns = self.columns.iter_mut();
        if let Some(column) = columns.find(|column| column.label == label) {
            change(column);
        }
    }

    /// The names of the columns of CSV.
    #[must_use]
    pub fn names(&self) -> Vec<&'static str> {
        self.of_csv().map(|column| column.key).collect()
    }

    /// The cells of a row of CSV. Text from outside is as it was sent.
    #[must_use]
    pub fn texts(&self, row: &R) -> Vec<String> {
        let cells = self.of_csv().map(|column| (column.cell)(row).text());
        cells.collect()
    }

    /// The object of a row.
    #[must_use]
    pub fn object(&self, row: &R) -> Line {
        let columns = self.columns.iter().filter(|column| column.is_in_json);
        columns.fold(Line::new(), |line, column| {
            line.raw(column.key, (column.cell)(row).as_json())
        })
    }

    /// Appends the line of JSON of a row.
    pub(super) fn push_line(&self, row: &R, text: &mut String) {
        match &self.line {
            Some(line) => line(row, text),
            None => *text += &self.object(row).end(),
        }
        text.push('\n');
    }

    /// The headings of a table for people.
    #[must_use]
    pub fn heads(&self) -> Vec<String> {
        let labels = self.of_people().map(|column| column.label.to_uppercase());
        labels.collect()
    }

    /// The cells of a row for people.
    #[must_use]
    pub fn cells(&self, row: &R) -> Vec<TextCell> {
        let cells = self.of_people().map(|column| column.words_of(row));
        cells.collect()
    }

    /// A row as labels and values.
    #[must_use]
    pub fn facts(&self, row: &R) -> Vec<Fact> {
        let facts = self.of_people();
        facts
            .map(|column| fact(column.label, column.words_of(row)))
            .collect()
    }

    /// A table that gets its rows later.
    #[must_use]
    pub fn running_table(&self) -> RunningTable {
        let columns = self.of_people();
        let sizes = columns.map(|column| (column.width, column.is_right));
        let table = RunningTable::of(&self.heads()).at_least(sizes.collect());
        table.fixed(self.is_fixed)
    }

    /// Rows as a table; nothing where there are none.
    #[must_use]
    pub fn table<'a>(&self, rows: impl IntoIterator<Item = &'a R>, style: TextStyle) -> String
    where
        R: 'a,
    {
        let rows: Vec<_> = rows.into_iter().map(|row| self.cells(row)).collect();
        if rows.is_empty() {
            return String::new();
        }
        self.running_table().rows(&rows, style)
    }

    /// Rows as a Markdown table.
    #[must_use]
    pub fn markdown<'a>(&self, rows: impl IntoIterator<Item = &'a R>) -> String
    where
        R: 'a,
    {
        let rows: Vec<_> = rows.into_iter().map(|row| self.cells(row)).collect();
        markdown_table(&self.heads(), &rows)
    }

    fn of_csv(&self) -> impl Iterator<Item = &Column<R>> {
        self.columns.iter().filter(|column| column.is_in_csv)
    }

    fn of_people(&self) -> impl Iterator<Item = &Column<R>> {
        let columns = self.columns.iter();
        columns.filter(|column| !column.label.is_empty())
    }
}
