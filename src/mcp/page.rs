//! The part of what a command prints that one answer has: some of its lines, and no more bytes than a client reads quickly.

use std::{
    cell::RefCell,
    io::{self, Write},
    rc::Rc,
};

use serde_json::{Map, Value, json};

use crate::model::visible_lines;

/// The most bytes of the lines of an answer, which is sent as an object and once more as a text of it: the time of some clients grows with the
/// square of that.
const MOST_BYTES: usize = 24 << 10;
/// The most bytes of a message or a note.
const LONGEST_NOTE: usize = 2048;

/// What was printed so far, of the lines that are wanted.
#[derive(Debug)]
struct Lines {
    /// Lines to pass over, then lines to keep.
    skipped: usize,
    wanted: usize,
    rows: Vec<Value>,
    bytes: usize,
    /// The beginning of a line.
    rest: Vec<u8>,
    printed: u64,
    /// Whether there is more.
    has_more: bool,
    /// Whether the command is to end with the page.
    ends: bool,
}

/// A page of results, to be written to.
#[derive(Clone, Debug)]
pub(super) struct Page(Rc<RefCell<Lines>>);

impl Page {
    /// So many lines after those that are passed over.
    ///
    /// Unless it `ends` the command, that goes on to its end: what a person agreed to is sent, and the pages that follow are free.
    pub(super) fn new(skipped: usize, wanted: usize, ends: bool) -> Self {
        Self(Rc::new(RefCell::new(Lines {
            skipped,
            wanted,
            rows: Vec::new(),
            bytes: 0,
            rest: Vec::new(),
            printed: 0,
            has_more: false,
            ends,
        })))
    }

    /// How many lines were printed, those that are passed over too.
    pub(super) fn lines(&self) -> u64 {
        self.0.borrow().printed
    }

    /// The rows, and whether there are more.
    pub(super) fn rows(&self) -> (Vec<Value>, bool) {
        let mut lines = self.0.borrow_mut();
        let rest = std::mem::take(&mut lines.rest);
        // What was printed is whole lines; a document may end without one.
        if !rest.is_empty() && !lines.take(&rest) {
            lines.has_more = true;
        }
        (std::mem::take(&mut lines.rows), lines.has_more)
    }
}

impl Lines {
    /// Takes a line; false where it is beyond the page.
    fn take(&mut self, line: &[u8]) -> bool {
        if line.trim_ascii().is_empty() {
            return true;
        }
        self.printed += 1;
        if self.skipped > 0 {
            self.skipped -= 1;
            return true;
        }
        let is_long = self.bytes + line.len() > MOST_BYTES && !self.rows.is_empty();
        let is_full = self.has_more || is_long;
        if self.rows.len() >= self.wanted || is_full {
            return false;
        }
        let row = if line.len() > MOST_BYTES {
            let message = format!("the row has {} bytes, more than an answer has", line.len());
            json!({"error": {"message": message, "hint": "the same command prints it"}})
        } else {
            match serde_json::from_slice(line).map(clean) {
                Ok(row @ Value::Object(_)) => row,
                Ok(value) => json!({ "value": value }),
                Err(_) => json!({ "text": String::from_utf8_lossy(line) }),
            }
        };
        self.bytes += line.len().min(MOST_BYTES);
        self.rows.push(row);
        true
    }
}

impl Write for Page {
    /// Beyond a page that ends the command its reader has gone, so that no more is made.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut lines = self.0.borrow_mut();
        lines.rest.extend_from_slice(bytes);
        let printed = std::mem::take(&mut lines.rest);
        let mut rest = printed.as_slice();
        while let Some(end) = memchr::memchr(b'\n', rest) {
            if !lines.take(&rest[..end]) {
                lines.has_more = true;
                if lines.ends {
                    return Err(io::ErrorKind::BrokenPipe.into());
                }
            }
            rest = &rest[end + 1..];
        }
        lines.rest = rest.to_vec();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What is said beside results, line by line.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes(Rc<RefCell<Vec<u8>>>);

impl Notes {
    /// The most lines of an answer.
    const MOST: usize = 20;

    pub(super) fn lines(&self) -> Vec<String> {
        let said = self.0.borrow();
        let text = String::from_utf8_lossy(&said);
        text.lines()
            .take(Self::MOST)
            .map(|line| line.trim().to_owned())
            .collect()
    }
}

impl Write for Notes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A value whose texts steer no screen: in the JSON of the command line these signs are escaped, and a client takes the escapes away.
fn clean(value: Value) -> Value {
    match value {
        Value::String(text) => visible_lines(&text).into_owned().into(),
        Value::Array(all) => all.into_iter().map(clean).collect(),
        Value::Object(all) => {
            let cleaned = all.into_iter().map(|(key, value)| {
                let key = visible_lines(&key).into_owned();
                let is_note = ["message", "hint"].contains(&key.as_str());
                let value = match clean(value) {
                    Value::String(text) if is_note => short(&text, LONGEST_NOTE).into(),
                    value => value,
                };
                (key, value)
            });
            cleaned.collect::<Map<_, _>>().into()
        }
        other => other,
    }
}

/// The beginning of a text, where it is long: what came with a call may come back in a message.
pub(super) fn short(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    format!("{}…", &text[..text.floor_char_boundary(most)])
}

/// An answer as its schema has it.
pub(super) fn answer(
    (rows, next): (Vec<Value>, Option<usize>),
    notes: Vec<String>,
    code: u8,
    budget: u64,
) -> Value {
    let mut answer = Map::new();
    answer.insert("rows".to_owned(), rows.into());
    answer.insert("next".to_owned(), json!(next));
    let notes: Vec<String> = notes
        .into_iter()
        .map(|note| short(&note, LONGEST_NOTE))
        .collect();
    answer.insert("notes".to_owned(), notes.into());
    answer.insert("code".to_owned(), code.into());
    answer.insert("budget".to_owned(), budget.into());
    answer.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(page: &Page, pieces: &[&str]) -> bool {
        let mut writer = page.clone();
        pieces
            .iter()
            .all(|piece| writer.write_all(piece.as_bytes()).is_ok())
    }

    #[test]
    fn a_page_has_its_lines_however_they_come_and_ends_what_prints_more() {
        let page = Page::new(1, 2, true);
        assert!(written(&page, &["{\"a\":", "1}\n{\"a\":2}\n\n", "7"]));
        assert!(written(&page, &["\n"]));
        assert!(!written(&page, &["{\"a\":4}\n", "{\"a\":5}\n"]));
        let (rows, has_more) = page.rows();
        assert_eq!(rows, [json!({"a": 2}), json!({"value": 7})]);
        assert!(has_more);
        // An end without a line end is one, too.
        let page = Page::new(0, 9, true);
        assert!(written(&page, &["no JSON\n{\"a\":1}"]));
        let (rows, has_more) = page.rows();
        assert_eq!(rows, [json!({"text": "no JSON"}), json!({"a": 1})]);
        assert!(!has_more);
    }

    #[test]
    fn no_answer_is_longer_than_a_client_reads_quickly() {
        let long = format!("{{\"a\":\"{}\"}}\n", "x".repeat(MOST_BYTES / 2));
        let page = Page::new(0, 100, true);
        assert!(!written(&page, &[&long, &long, &long]));
        assert_eq!(page.rows().0.len(), 1);
        let page = Page::new(0, 100, true);
        let longer = format!("\"{}\"\n", "x".repeat(MOST_BYTES));
        assert!(written(&page, &[&longer]));
        let (rows, has_more) = page.rows();
        assert!(rows[0]["error"]["message"].is_string() && !has_more);
    }

    #[test]
    fn texts_of_an_answer_steer_no_screen_and_are_short() {
        let page = Page::new(0, 9, true);
        let long = "m".repeat(9000);
        let row = json!({"k\u{1b}": ["a\u{1b}[2J\nb", {"x": "\u{202e}c"}], "error": {"message": long, "other": long}});
        assert!(written(&page, &[&format!("{row}\n")]));
        let (rows, _) = page.rows();
        let text = rows[0].to_string();
        assert!(
            !text.contains("\\u001b") && !text.contains('\u{202e}'),
            "{text}"
        );
        assert_eq!(rows[0]["k\\x1b"][0], "a\\x1b[2J\nb");
        let of = |key: &str| rows[0]["error"][key].as_str().expect("a text").len();
        assert!(of("message") < 2100 && of("other") == 9000);
        let answer = answer((rows, None), vec!["n".repeat(9000)], 0, 0);
        assert!(answer["notes"][0].as_str().expect("a text").len() < 2100);
    }

    #[test]
    fn a_page_that_does_not_end_its_command_takes_nothing_behind_it() {
        let page = Page::new(1, 2, false);
        assert!(written(
            &page,
            &[
                "{\"n\":0}\n{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n",
                "{\"n\":4}\n"
            ]
        ));
        let (rows, has_more) = page.rows();
        assert_eq!(
            (rows, has_more),
            (vec![json!({"n": 1}), json!({"n": 2})], true)
        );
    }
}
