//! The shape of a text, by its beginning.

use super::{
    blocks::{self, BlockShape},
    fields::RowFields,
    json, line, markup,
    table::{Cells, TableShape},
};
use crate::model::scan::Hit;

/// What a text is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextShape {
    /// Lines, of which some may be JSON or XML.
    Lines,
    Table(TableShape),
    /// Objects, wherever they are.
    Json,
    /// Elements of this name.
    Markup(String),
    Blocks(BlockShape),
}

impl TextShape {
    /// The shape of a text with this beginning.
    #[must_use]
    pub fn of(beginning: &[u8]) -> Self {
        let begins = beginning.strip_prefix(b"\xef\xbb\xbf").unwrap_or(beginning);
        let begins = without_empty_lines(begins);
        if is_json(begins) {
            return Self::Json;
        }
        if let Some(element) = markup::element_of(begins.trim_ascii_start()) {
            return Self::Markup(element);
        }
        if let Some(blocks) = BlockShape::of(begins) {
            return Self::Blocks(blocks);
        }
        TableShape::of(beginning).map_or(Self::Lines, Self::Table)
    }

    /// Reads the fields of a row.
    pub fn read(&self, row: &[u8], hits: &[Hit], cells: &mut Cells, fields: &mut RowFields) {
        fields.clear();
        match self {
            Self::Table(table) => table.read(row, cells, fields),
            Self::Json if matches!(row.first(), Some(b'{' | b'[')) => {
                json::read(row, 0..row.len(), fields);
            }
            Self::Markup(_) if row.first() == Some(&b'<') => {
                markup::read(row, 0..row.len(), fields)
            }
            Self::Blocks(_) => blocks::read(row, hits, fields),
            Self::Json | Self::Markup(_) | Self::Lines => line::read(row, hits, fields),
        }
    }

    /// Whether a time may be anywhere in a row, not only under a key.
    #[must_use]
    pub fn has_free_times(&self) -> bool {
        match self {
            Self::Lines | Self::Blocks(_) => true,
            Self::Table(table) => !table.is_headed(),
            Self::Json | Self::Markup(_) => false,
        }
    }

    /// Whether times without a zone are UTC by the form of the text.
    #[must_use]
    pub fn is_of_utc(&self) -> bool {
        matches!(self, Self::Table(table) if table.is_w3c)
    }

    /// Whether a row is a line.
    #[must_use]
    pub fn is_of_lines(&self) -> bool {
        matches!(self, Self::Lines)
    }
}

/// Without the empty lines before the first one that says something.
fn without_empty_lines(text: &[u8]) -> &[u8] {
    let blank = text
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace())
        .count();
    let line = memchr::memrchr(b'\n', &text[..blank]).map_or(0, |at| at + 1);
    &text[line..]
}

/// Whether a text is one of JSON that is not a document a line.
fn is_json(begins: &[u8]) -> bool {
    let begins = begins.trim_ascii_start();
    let is_begin = match begins {
        [b'[', rest @ ..] => matches!(
            rest.trim_ascii_start().first(),
            Some(b'{' | b'[' | b'"' | b']')
        ),
        [b'{', rest @ ..] => matches!(rest.trim_ascii_start().first(), Some(b'"' | b'}')),
        _ => false,
    };
    if !is_begin {
        return false;
    }
    let line = memchr::memchr(b'\n', begins).unwrap_or(begins.len());
    let rest = &begins[line..];
    let ends_with_line = json::value_end(begins)
        .is_some_and(|end| end <= line && begins[end..line].trim_ascii().is_empty());
    // A document a line is read as lines, among which others may be.
    !ends_with_line || rest.trim_ascii().is_empty() || begins.starts_with(b"[")
}
