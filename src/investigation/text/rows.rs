//! Divides a text into rows, and what is between them.

use super::{json, markup, shape::TextShape, table::record_end};

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
    shape: TextShape,
    /// Lists (or else objects) of JSON that are open, since what is in them is rows.
    open: Vec<bool>,
    /// Lines so far, as far as the preamble of a table goes.
    lines: usize,
}

impl Rows {
    #[must_use]
    pub fn of(shape: TextShape) -> Self {
        Self {
            shape,
            open: Vec::new(),
            lines: 0,
        }
    }

    #[must_use]
    pub fn shape(&self) -> &TextShape {
        &self.shape
    }

    /// The next part, of the text that follows the last one; `None` if it is not there to its end.
    pub fn next(&mut self, text: &[u8], is_at_end: bool) -> Option<RowSpan> {
        if text.is_empty() {
            return None;
        }
        let line = line_end(text, is_at_end);
        let end = match &self.shape {
            TextShape::Lines => line,
            TextShape::Table(table) => {
                if self.lines < table.preamble {
                    let end = record_end(text).or(line)?;
                    self.lines += 1;
                    return between(end);
                }
                if text.starts_with(b"#") {
                    let end = line?;
                    if let Some(table) = table.with_heads_of(&text[..end]) {
                        self.shape = TextShape::Table(table);
                    }
                    return between(end);
                }
                record_end(text)
            }
            TextShape::Blocks(blocks) => blocks.end(text),
            TextShape::Markup(name) => match markup::element_end(text, name) {
                Some(end) => end,
                None => {
                    let next = markup::next_element(text, name);
                    // The beginning of the next one may be cut.
                    return match next.or_else(|| is_at_end.then_some(text.len())) {
                        Some(end) => between(end),
                        None => memchr::memrchr(b'<', text)
                            .filter(|at| *at > 0)
                            .map_or_else(
                                || {
                                    (text.len() > LONGEST_ROW)
                                        .then(|| between(text.len()))
                                        .flatten()
                                },
                                between,
                            ),
                    };
                }
            },
            TextShape::Json => match self.next_of_json(text, is_at_end) {
                Ok(part) => return part,
                Err(end) => end,
            },
        };
        match end.or_else(|| is_at_end.then_some(text.len())) {
            Some(end) => Some(RowSpan { end, is_row: true }),
            None if text.len() > LONGEST_ROW => {
                between(line_end(text, is_at_end).unwrap_or_else(|| apart(text)))
            }
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
                    Ok(between(1))
                }
            },
            b'[' => {
                self.open(true);
                Ok(between(1))
            }
            b']' | b'}' => {
                self.open.pop();
                Ok(between(1))
            }
            b'"' if !self.open.is_empty() => match json::string_end(text, 0) {
                Some(end) => Ok(between(end)),
                None if text.len() > LONGEST_ROW || is_at_end => Ok(between(apart(text).max(1))),
                None => Ok(None),
            },
            first if !self.open.is_empty() || first.is_ascii_whitespace() || first == b',' => {
                let signs = text.iter().position(|byte| {
                    b"{[]}\"".contains(byte)
                        || self.open.is_empty() && !byte.is_ascii_whitespace() && *byte != b','
                });
                Ok(between(signs.unwrap_or(text.len()).max(1)))
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

fn between(end: usize) -> Option<RowSpan> {
    Some(RowSpan { end, is_row: false })
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
