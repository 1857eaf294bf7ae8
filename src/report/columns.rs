//! The columns of each kind of row of the results, declared once: a key for programs, a label for people, and a value whose type decides
//! how each format writes it.
//!
//! ```text
//! Columns<Row>: Column { key, label, cell } ...    JSON  {"bytes":1536}      the cells with a key
//!                                                  CSV   1536                the cells with a key
//!               Cell::Bytes(1536)                  text, Markdown  1.5 KiB   the cells with a label
//! ```

use std::borrow::Borrow;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Value, json};

use super::{
    Fact, RunningTable, TextCell, TextStyle, count, fact, markdown_table, minute, moment, size,
};
use crate::{
    engine::Error,
    model::{Document, Field, document},
    store::Moment,
};

/// A value of a row. Text from outside is as it was sent.
#[derive(Clone, Debug)]
#[must_use]
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
    /// A value as JSON, safe for a screen.
    pub fn json(value: impl Serialize) -> Self {
        // Texts, numbers and lists of them always serialize.
        let json = serde_json::to_string(&value).unwrap_or_else(|_| "null".to_owned());
        Self::Json(document::screen_safe(&json))
    }

    /// A value, or no key in JSON.
    pub fn some(value: Option<impl Into<Self>>) -> Self {
        value.map_or(Self::Absent, Into::into)
    }

    /// A failure, as the value of `error` in JSON.
    pub fn error(error: &Error) -> Self {
        let word = error.kind.word();
        Self::json(
            json!({"kind": word, "message": error.message, "hint": error.hint, "status": error.status}),
        )
    }

    /// A list of objects.
    pub fn objects(objects: impl IntoIterator<Item = Line>) -> Self {
        let objects: Vec<String> = objects.into_iter().map(|object| object.end()).collect();
        Self::Json(format!("[{}]", objects.join(",")))
    }

    /// A document of the service as it was sent, or null.
    pub fn document(document: Option<&Document>) -> Self {
        document.map_or(Self::Null, |document| Self::Json(document.to_line()))
    }

    /// Whether bytes of one of these documents had to be replaced; no key in JSON where none had to.
    pub fn lossy<'a>(documents: impl IntoIterator<Item = &'a Document>) -> Self {
        let lossy = documents.into_iter().any(Document::lossy);
        Self::some(lossy.then_some(true))
    }

    /// Appends it as JSON.
    fn push_json(&self, text: &mut String) {
        match self {
            Self::Absent | Self::Null => *text += "null",
            Self::Json(json) => *text += json,
            Self::Flag(_) | Self::Count(_) | Self::Bytes(_) => *text += &self.text(),
            Self::Share(share) => Self::json(share).push_json(text),
            Self::Instant(at) => Self::json(at.to_string()).push_json(text),
            Self::Words(words) if !words.known => *text += "null",
            Self::Text(word) if is_bare(word) => text.extend(["\"", word, "\""]),
            Self::Text(_) | Self::Release(_) | Self::Words(_) => {
                Self::json(self.text()).push_json(text);
            }
        }
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
    fn words(self) -> TextCell {
        match self {
            Self::Absent | Self::Null => TextCell::unknown("-"),
            Self::Count(number) => TextCell::known(count(number)),
            Self::Bytes(bytes) => TextCell::known(size(bytes)),
            Self::Flag(flag) => TextCell::flag(Field::Is(flag)),
            Self::Release(release) => TextCell::known(release.dashed()),
            Self::Instant(at) => TextCell::known(minute(at)),
            Self::Share(share) => TextCell::known(format!("{:.2} %", share * 100.0)),
            Self::Words(words) => words,
            Self::Text(text) | Self::Json(text) => TextCell::known(text),
        }
    }
}

/// Appends an object with these keys.
fn push_object(keys: impl Iterator<Item = (Name, impl Borrow<Cell>)>, text: &mut String) {
    let mut between = "{\"";
    for (key, value) in keys {
        let value = value.borrow();
        if !matches!(value, Cell::Absent) {
            text.extend([between, key, "\":"]);
            value.push_json(text);
            between = ",\"";
        }
    }
    *text += if between == "{\"" { "{}" } else { "}" };
}

/// Whether a text is in JSON as it is.
fn is_bare(text: &str) -> bool {
    text.bytes()
        .all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\'))
}

/// One object of the results, key by key in the order of the contract of the command line.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Line(Vec<(&'static str, Cell)>);

impl Line {
    /// The object about an input: what it was taken for, and what was typed where that differs.
    pub fn about(query: &str, typed: Option<&str>) -> Self {
        Self::default()
            .key("query", query)
            .key("input", Cell::some(typed))
    }

    /// A key with a value.
    pub fn key(mut self, key: Name, value: impl Into<Cell>) -> Self {
        self.0.push((key, value.into()));
        self
    }

    /// A key with a document, and whether bytes of it had to be replaced.
    pub fn document(self, key: Name, document: Option<&Document>) -> Self {
        self.key(key, Cell::document(document))
            .key("lossy", Cell::lossy(document))
    }

    /// The finished line, without its end.
    #[must_use]
    pub fn end(&self) -> String {
        let mut text = String::new();
        push_object(self.0.iter().map(|(key, value)| (*key, value)), &mut text);
        text
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
/// The name of a column for programs, or its label for people.
type Name = &'static str;

/// A column of rows of one kind.
struct Column<R> {
    /// Its key in JSON and its name in CSV.
    key: Name,
    is_in_json: bool,
    is_in_csv: bool,
    /// Whether it is printed only where it is named.
    is_extra: bool,
    /// Its label for people; empty where it has none. Headings are in capitals.
    label: Name,
    cell: Box<dyn Fn(&R) -> Cell>,
    /// What people read, where the type of the cell does not decide it.
    words: Option<Words<R>>,
}

impl<R> Column<R> {
    fn words_of(&self, row: &R) -> TextCell {
        match &self.words {
            Some(words) => words(row),
            None => (self.cell)(row).words(),
        }
    }
}

type ColumnSize = Box<dyn Fn(&str) -> (usize, bool)>;
type Written<R> = Box<dyn Fn(&R, &mut String)>;

/// The columns of rows of one kind, in the order of each format. What changes a column is said behind it.
#[must_use]
pub struct Columns<R> {
    all: Vec<Column<R>>,
    /// The line of JSON, where that is not made of the columns.
    line: Option<Written<R>>,
    /// How wide the column of a label is and whether its text is to the right, where columns do not grow.
    size: Option<ColumnSize>,
}

impl<R> Default for Columns<R> {
    fn default() -> Self {
        Self {
            all: Vec::new(),
            line: None,
            size: None,
        }
    }
}

impl<R> Columns<R> {
    /// Adds a column of each format.
    pub fn column<C: Into<Cell>>(
        mut self,
        key: Name,
        label: Name,
        cell: impl Fn(&R) -> C + 'static,
    ) -> Self {
        self.all.push(Column {
            key,
            is_in_json: !key.is_empty(),
            is_in_csv: !key.is_empty(),
            is_extra: false,
            label,
            cell: Box::new(move |row| cell(row).into()),
            words: None,
        });
        self
    }

    /// Adds a column for programs.
    pub fn data<C: Into<Cell>>(self, key: Name, cell: impl Fn(&R) -> C + 'static) -> Self {
        self.column(key, "", cell)
    }

    /// Adds a key of JSON.
    pub fn json<C: Into<Cell>>(self, key: Name, cell: impl Fn(&R) -> C + 'static) -> Self {
        self.data(key, cell).last(|column| column.is_in_csv = false)
    }

    /// Adds a column of CSV.
    pub fn csv<C: Into<Cell>>(self, key: Name, cell: impl Fn(&R) -> C + 'static) -> Self {
        self.data(key, cell).but_json()
    }

    /// Adds a column for people.
    pub fn words<C: Into<Cell>>(self, label: Name, cell: impl Fn(&R) -> C + 'static) -> Self {
        self.column("", label, cell)
    }

    /// JSON does not have the last column.
    pub fn but_json(self) -> Self {
        self.last(|column| column.is_in_json = false)
    }

    /// The last column is printed only where it is named; it comes behind those of CSV that always are.
    pub fn if_named(self) -> Self {
        self.last(|column| column.is_extra = true)
    }

    /// People read the last column in these words.
    pub fn shown(self, words: impl Fn(&R) -> TextCell + 'static) -> Self {
        self.last(|column| column.words = Some(Box::new(words)))
    }

    fn last(mut self, change: impl FnOnce(&mut Column<R>)) -> Self {
        if let Some(last) = self.all.last_mut() {
            change(last);
        }
        self
    }

    /// The same with columns of several kinds of row behind.
    pub fn with(self, more: impl FnOnce(Self) -> Self) -> Self {
        more(self)
    }

    /// The same where a line of JSON is something else than an object of the columns. What is written has no line end.
    pub fn lines(mut self, line: impl Fn(&R, &mut String) + 'static) -> Self {
        self.line = Some(Box::new(line));
        self
    }

    /// The same with columns of these widths, some with their text to the right, for many rows that come one by one.
    pub fn sized(mut self, size: impl Fn(&str) -> (usize, bool) + 'static) -> Self {
        self.size = Some(Box::new(size));
        self
    }

    /// The same without the columns of these labels for people.
    pub fn without(self, labels: &[&str]) -> Self {
        labels
            .iter()
            .fold(self, |columns, label| columns.labelled(label, ""))
    }

    /// The same with another label for people.
    pub fn labelled(mut self, label: &str, other: Name) -> Self {
        let mut columns = self.all.iter_mut();
        if let Some(column) = columns.find(|column| column.label == label) {
            column.label = other;
        }
        self
    }

    /// The names of the columns of CSV that can be named, first those that always are printed.
    #[must_use]
    pub fn names(&self) -> Vec<Name> {
        self.nameable().map(|column| column.key).collect()
    }

    /// The cells of a row in the columns that can be named. Text from outside is as it was sent.
    #[must_use]
    pub fn texts(&self, row: &R) -> Vec<String> {
        let cells = self.nameable().map(|column| (column.cell)(row).text());
        cells.collect()
    }

    /// The names of the columns of CSV that are printed where none is named.
    pub(super) fn usual_names(&self) -> Vec<Name> {
        self.of_csv(false).map(|column| column.key).collect()
    }

    /// The cells of a row in these columns.
    pub(super) fn usual_texts(&self, row: &R) -> Vec<String> {
        let cells = self.of_csv(false).map(|column| (column.cell)(row).text());
        cells.collect()
    }

    /// The object of a row.
    pub fn object(&self, row: &R) -> Line {
        Line(self.of_json(row).collect())
    }

    /// Appends the line of JSON of a row.
    pub(super) fn push_line(&self, row: &R, text: &mut String) {
        match &self.line {
            Some(line) => line(row, text),
            None => push_object(self.of_json(row), text),
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
    pub fn running_table(&self) -> RunningTable {
        let table = RunningTable::of(&self.heads());
        match &self.size {
            Some(size) => table.fixed(self.of_people().map(|column| size(column.label)).collect()),
            None => table,
        }
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

    fn of_json(&self, row: &R) -> impl Iterator<Item = (Name, Cell)> {
        let columns = self.all.iter().filter(|column| column.is_in_json);
        columns.map(move |column| (column.key, (column.cell)(row)))
    }

    fn of_csv(&self, is_extra: bool) -> impl Iterator<Item = &Column<R>> {
        let columns = self.all.iter().filter(|column| column.is_in_csv);
        columns.filter(move |column| column.is_extra == is_extra)
    }

    fn nameable(&self) -> impl Iterator<Item = &Column<R>> {
        self.of_csv(false).chain(self.of_csv(true))
    }

    fn of_people(&self) -> impl Iterator<Item = &Column<R>> {
        let columns = self.all.iter();
        columns.filter(|column| !column.label.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Kind;

    #[test]
    fn a_record_goes_out_as_it_came() {
        let sent =
            "{ \"ip\":\"198.51.100.7\", \"n\":1.50, \"n\":1E400,\n\"odd\":\"\\ud800\u{202e}\" }";
        let document = Document::read(sent.as_bytes()).expect("document");
        let line = Line::default()
            .key("query", "198.51.100.7")
            .document("record", Some(&document))
            .end();
        let expected = r#"{"query":"198.51.100.7","record":{"ip":"198.51.100.7","n":1.50,"n":1E400,"odd":"\ud800\u202e"}}"#;
        assert_eq!(line, expected);
    }

    #[test]
    fn a_record_that_lost_bytes_says_so() {
        let document = Document::read(b"{\"city\":\"Z\xfcrich\"}").expect("document");
        let line = Line::default().document("record", Some(&document)).end();
        assert_eq!(
            line,
            "{\"record\":{\"city\":\"Z\u{fffd}rich\"},\"lossy\":true}"
        );
        assert_eq!(
            Line::default().document("record", None).end(),
            r#"{"record":null}"#
        );
    }

    #[test]
    fn own_texts_steer_no_screen() {
        let error = Error::new(Kind::Network, "a\u{9b}b\u{7f}");
        let line = Line::about("x\u{202e}", None)
            .key("error", Cell::error(&error))
            .end();
        assert_eq!(
            line,
            r#"{"query":"x\u202e","error":{"kind":"network","message":"a\u009bb\u007f","hint":null,"status":null}}"#
        );
    }
}
