//! Divides a text into rows, and what is between them.

use std::sync::Arc;

use super::{
    json,
    markup::{self, Beginning},
    shape::TextShape,
    table::record_end,
};

/// The most bytes of a row; what is longer is divided further, in the end into lines.
pub const LONGEST_ROW: usize = 1 << 20;

/// The most bytes of a document of JSON that is one row; of a larger one the objects in its lists are rows, without what is around them.
const LONGEST_DOCUMENT: usize = 16 << 10;

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowSpan {
    /// Where it ends.
    pub end: usize,
    /// Whether it is a row; else it is what is between rows.
    pub is_row: bool,
}

/// Divides a text into rows.
#[derive(Clone, Debug)]
pub struct Rows {
    shape: Arc<TextShape>,
    /// Lists (or else objects) of JSON that are open, since what is in them is rows.
    open: Vec<bool>,
    /// Lines so far, as far as the preamble of a table goes.
    lines: usize,
}

impl Rows {
    #[must_use]
    pub fn of(shape: TextShape) -> Self {
        Self {
            shape: Arc::new(shape),
            open: Vec::new(),
            lines: 0,
        }
    }

    #[must_use]
    pub fn shape(&self) -> &Arc<TextShape> {
        &self.shape
    }

    /// The next part, of the text that follows the last one; `None` if it is not there to its end.
    pub fn next(&mut self, text: &[u8], is_at_end: bool) -> Option<RowSpan> {
        if text.is_empty() {
            return None;
        }
        // Not looked for where it does not matter: a text of a million signs may be one line.
        let line = || line_end(text, is_at_end);
        let end = match &*self.shape {
            TextShape::Lines => line(),
            TextShape::Table(table) => {
                if self.lines < table.preamble {
                    let end = record_end(text).or_else(line)?;
                    self.lines += 1;
                    return Some(between(end));
                }
                if text.starts_with(b"#") {
                    let end = line()?;
                    if let Some(table) = table.with_heads_of(&text[..end]) {
                        self.shape = Arc::new(TextShape::Table(table));
                    }
                    return Some(between(end));
                }
                record_end(text)
            }
            TextShape::Blocks(blocks) => blocks.end(text),
            TextShape::Markup(name) => match markup::beginning(text, name) {
                Beginning::Element(end) => end,
                Beginning::Other => return next_of_markup(text, name, is_at_end).map(between),
            },
            TextShape::Json => match self.next_of_json(text, is_at_end) {
                Ok(part) => return part,
                Err(end) => end,
            },
        };
        match end.or_else(|| is_at_end.then_some(text.len())) {
            Some(end) => Some(RowSpan { end, is_row: true }),
            None if text.len() > LONGEST_ROW => Some(between(
                line_end(text, is_at_end).unwrap_or_else(|| apart(text)),
            )),
            None => None,
        }
    }

    /// The next part of a text of JSON; or where a row ends that begins here, if that is known.
    fn next_of_json(
        &mut self,
        text: &[u8],
        is_at_end: bool,
    ) -> Result<Option<RowSpan>, Option<usize>> {
        // An object of a list is a row whatever its size; any other one only if it is small.
        let most = if self.open.last() == Some(&true) {
            LONGEST_ROW
        } else {
            LONGEST_DOCUMENT
        };
        match text[0] {
            b'{' => match json::value_end(text) {
                Some(end) if end <= most => Err(Some(end)),
                None if text.len() <= most && !is_at_end => Err(None),
                _ => {
                    self.open(false);
                    Ok(Some(between(1)))
                }
            },
            b'[' => {
                self.open(true);
                Ok(Some(between(1)))
            }
            b']' | b'}' => {
                self.open.pop();
                Ok(Some(between(1)))
            }
            b'"' if !self.open.is_empty() => match json::string_end(text, 0) {
                Some(end) => Ok(Some(between(end))),
                None if text.len() > LONGEST_ROW || is_at_end => {
                    Ok(Some(between(apart(text).max(1))))
                }
                None => Ok(None),
            },
            first if !self.open.is_empty() || first.is_ascii_whitespace() || first == b',' => {
                let signs = text.iter().position(|byte| {
                    b"{[]}\"".contains(byte)
                        || self.open.is_empty() && !byte.is_ascii_whitespace() && *byte != b','
                });
                Ok(Some(between(signs.unwrap_or(text.len()).max(1))))
            }
            // A line that is no JSON.
            _ => Err(line_end(text, is_at_end)),
        }
    }
}

impl Rows {
    /// Notes that a list or an object is open; of a text that only opens, no more than are of any use.
    fn open(&mut self, is_list: bool) {
        const DEEPEST: usize = 1024;
        if self.open.len() < DEEPEST {
            self.open.push(is_list);
        }
    }
}

fn between(end: usize) -> RowSpan {
    RowSpan { end, is_row: false }
}

/// Where what is between elements of a name ends, as far as that is known.
fn next_of_markup(text: &[u8], name: &str, is_at_end: bool) -> Option<usize> {
    let next = markup::next_element(text, name);
    let end = next.or_else(|| is_at_end.then_some(text.len()));
    // The beginning of the next one may be cut.
    let cut = || memchr::memrchr(b'<', text).filter(|at| *at > 0);
    let end = end.or_else(cut);
    end.or_else(|| (text.len() > LONGEST_ROW).then_some(text.len()))
}

fn line_end(text: &[u8], is_at_end: bool) -> Option<usize> {
    let end = memchr::memchr(b'\n', text).map(|at| at + 1);
    end.or(is_at_end.then_some(text.len()))
}

/// Where a text without line ends can be divided: behind a sign that no address has.
#[must_use]
pub fn apart(text: &[u8]) -> usize {
    let is_apart = |byte: &u8| byte.is_ascii_whitespace() || b"\",;'<>".contains(byte);
    let found = text.iter().rposition(is_apart);
    found.map_or(text.len(), |at| at + 1)
}
