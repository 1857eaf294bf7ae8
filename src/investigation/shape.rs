//! The shape of a text, and what stands beside an address in one of its rows.
//!
//! | shape | a row is | its cells are |
//! |---|---|---|
//! | a table: CSV, TSV and others, with or without heads; Zeek and W3C name them in `#fields` | a record, quoted line ends included | its fields, by head or number |
//! | JSON: an object a line, an array, or an object around an array | an object | its members, by key: `user.name` within others |
//! | anything else | a line | its `key=value` pairs by key, and its words as `word` |
//!
//! Columns are found by their names alone, whatever program wrote the text. What does not fit the shape is read as lines.

use std::{borrow::Cow, fmt, net::IpAddr};

use csv_core::{ReadRecordResult, Reader as CsvReader, ReaderBuilder};
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::model::scan::{Found, scan};

/// The column of the words of a line.
pub const WORD: &str = "word";

/// Lines from the beginning of a text that tell its shape.
const TELLING: usize = 20;

/// The most bytes of a row; what is longer is read as lines.
pub(super) const LONGEST_ROW: usize = 1 << 20;

/// The most fields of a row that are looked at.
const MOST_FIELDS: usize = 256;

/// How deep JSON is looked into.
const DEEPEST: usize = 6;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextShape {
    Lines,
    Table {
        delimiter: u8,
        /// The heads of the columns; empty if it has none.
        heads: Vec<String>,
    },
    Json {
        /// Whether the rows are within an array that an object has as a member.
        is_within: bool,
    },
}

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Where it ends.
    pub end: usize,
    /// Whether it is a row; else it is what is between rows.
    pub is_row: bool,
}

/// Divides a text into rows and what is between them.
#[derive(Clone, Debug)]
pub struct Parts {
    shape: TextShape,
    /// Whether the array is open that holds the rows.
    is_inside: bool,
}

impl Parts {
    #[must_use]
    pub fn of(shape: TextShape) -> Self {
        Self {
            shape,
            is_inside: false,
        }
    }

    #[must_use]
    pub fn shape(&self) -> &TextShape {
        &self.shape
    }

    /// The next part, of the text that follows the last one; `None` if it is not there to its end.
    pub fn next(&mut self, text: &[u8], is_at_end: bool) -> Option<Part> {
        let line = || {
            let end = memchr::memchr(b'\n', text).map(|at| at + 1);
            end.or(is_at_end.then_some(text.len()))
        };
        let between = |end| Some(Part { end, is_row: false });
        let end = match &self.shape {
            _ if text.is_empty() => return None,
            TextShape::Lines => line(),
            TextShape::Table { .. } => record_end(text),
            TextShape::Json { is_within } => match memchr::memchr3(b'{', b'[', b']', text) {
                Some(0) if text[0] == b'{' && (self.is_inside || !is_within) => object_end(text),
                Some(0) if text[0] == b'{' => {
                    // As far as the array that it is around.
                    let array = memchr::memchr(b'[', text);
                    return array.map_or_else(|| between(text.len()), between);
                }
                Some(0) => {
                    self.is_inside = text[0] == b'[';
                    return between(1);
                }
                Some(begin) => return between(begin),
                None => return between(text.len()),
            },
        };
        match end.or_else(|| is_at_end.then_some(text.len())) {
            Some(end) => Some(Part { end, is_row: true }),
            None if text.len() > LONGEST_ROW => between(line().unwrap_or_else(|| apart(text))),
            None => None,
        }
    }
}

impl TextShape {
    /// The shape of a text with this beginning.
    #[must_use]
    pub fn of(beginning: &[u8]) -> Self {
        let begins = beginning.trim_ascii_start();
        match begins {
            [b'[', rest @ ..] if rest.trim_ascii_start().starts_with(b"{") => {
                Self::Json { is_within: false }
            }
            [b'{', rest @ ..] if rest.trim_ascii_start().starts_with(b"\"") => Self::Json {
                is_within: is_around_rows(begins),
            },
            _ => table(begins).unwrap_or(Self::Lines),
        }
    }

    /// Tells of each cell of a row, by column.
    pub fn cells(&self, row: &[u8], reader: &mut CellReader, hear: &mut impl FnMut(&str, &str)) {
        match self {
            Self::Lines => words(&String::from_utf8_lossy(row), hear),
            Self::Table { delimiter, heads } => {
                reader.each(
                    *delimiter,
                    row,
                    &mut |number, cell| match heads.get(number) {
                        Some(name) => hear(name, cell),
                        None => hear(&format!("column {}", number + 1), cell),
                    },
                );
            }
            Self::Json { .. } => match serde_json::from_slice::<Members<'_>>(row) {
                Ok(object) => object.each("", 0, hear),
                Err(_) => words(&String::from_utf8_lossy(row), hear),
            },
        }
    }
}

/// Where a text without line ends can be divided: behind a sign that no address has.
pub(super) fn apart(text: &[u8]) -> usize {
    let is_apart = |byte: &u8| byte.is_ascii_whitespace() || b"\",;'<>".contains(byte);
    let found = text.iter().rposition(is_apart);
    found.map_or(text.len(), |at| at + 1)
}

/// Whether an object is around an array of rows: it is not on a line of its own, or the only one.
fn is_around_rows(text: &[u8]) -> bool {
    let line = memchr::memchr(b'\n', text).unwrap_or(text.len());
    let ends_with_line = object_end(text).is_some_and(|end| end <= line);
    let rest = &text[line.min(text.len())..];
    if ends_with_line && rest.trim_ascii_start().starts_with(b"{") {
        return false;
    }
    // `{"Records":[{`, also behind members that are texts.
    let mut at = 1;
    while let Some(found) = memchr::memchr3(b'[', b'{', b'"', &text[at..]) {
        at += found;
        match text[at] {
            b'"' => match string_end(text, at) {
                Some(end) => at = end,
                None => return false,
            },
            b'[' => return text[at + 1..].trim_ascii_start().starts_with(b"{"),
            _ => return false,
        }
    }
    false
}

/// Where the string ends that begins here.
fn string_end(text: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        at += memchr::memchr2(b'"', b'\\', text.get(at..)?)?;
        if text[at] == b'"' {
            return Some(at + 1);
        }
        at += 2;
    }
}

/// Where the object ends with which a text begins.
fn object_end(text: &[u8]) -> Option<usize> {
    let (mut at, mut depth) = (0, 0_usize);
    loop {
        at += memchr::memchr3(b'{', b'}', b'"', text.get(at..)?)?;
        match text[at] {
            b'"' => {
                at = string_end(text, at)?;
                continue;
            }
            b'{' => depth += 1,
            _ => depth = depth.saturating_sub(1),
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
}

/// Where the first record of a table ends: at the first line end outside quotes.
fn record_end(text: &[u8]) -> Option<usize> {
    let (mut at, mut is_quoted) = (0, false);
    loop {
        at += memchr::memchr2(b'\n', b'"', text.get(at..)?)?;
        match text[at] {
            b'"' => is_quoted = !is_quoted,
            _ if !is_quoted => return Some(at + 1),
            _ => {}
        }
        at += 1;
    }
}

/// The table with this beginning: in each line as many fields, one of which is an address and nothing else.
fn table(beginning: &[u8]) -> Option<TextShape> {
    let (mut at, mut lines) = (0, Vec::new());
    while let Some(end) = record_end(&beginning[at..]).filter(|_| lines.len() < TELLING) {
        lines.push(beginning[at..at + end].trim_ascii_end());
        at += end;
    }
    if lines.is_empty() {
        lines.push(beginning.trim_ascii_end());
    }
    lines.retain(|line| !line.is_empty());
    let named = lines.iter().rev().find_map(|line| {
        let rest = line
            .strip_prefix(b"#fields")
            .or(line.strip_prefix(b"#Fields:"))?;
        let is_of_tabs = rest.first() == Some(&b'\t');
        Some((if is_of_tabs { b'\t' } else { b' ' }, rest.trim_ascii()))
    });
    lines.retain(|line| !line.starts_with(b"#"));
    let mut reader = CellReader::default();
    if let Some((delimiter, heads)) = named {
        let heads = reader.fields(delimiter, heads);
        return Some(TextShape::Table { delimiter, heads });
    }
    for delimiter in *b"\t,;|" {
        let rows = lines.iter().map(|line| reader.fields(delimiter, line));
        let rows: Vec<Vec<String>> = rows.collect();
        let width = rows.first().map_or(0, Vec::len);
        let has_address = |row: &Vec<String>| row.iter().any(|cell| address_of(cell).is_some());
        let is_even = rows.iter().all(|row| row.len() == width);
        if width < 2 || !is_even || !rows.iter().any(has_address) {
            continue;
        }
        let first = &rows[0];
        let is_head = |cell: &String| {
            !cell.is_empty() && !cell.starts_with(|first: char| first.is_ascii_digit())
        };
        let heads = if !has_address(first) && first.iter().all(is_head) {
            first.clone()
        } else {
            Vec::new()
        };
        return Some(TextShape::Table { delimiter, heads });
    }
    None
}

/// The address that a cell is, with or without a port.
#[must_use]
pub fn address_of(cell: &str) -> Option<IpAddr> {
    let mut address = None;
    scan(cell.as_bytes(), &mut |hit| {
        let is_whole = hit.at.end == cell.len() || cell[hit.at.end..].starts_with([':', ']']);
        if let Found::Address(own) = hit.found
            && hit.at.start <= 1
            && is_whole
        {
            address = Some(own);
        }
    });
    address
}

/// Reads the fields of rows of a table.
#[derive(Debug, Default)]
pub struct CellReader {
    text: Vec<u8>,
    ends: Vec<usize>,
}

impl CellReader {
    fn each(&mut self, delimiter: u8, row: &[u8], hear: &mut impl FnMut(usize, &str)) {
        self.text.resize(row.len().max(1), 0);
        self.ends.resize(MOST_FIELDS, 0);
        // A reader keeps what it is within, and a row begins anew.
        let mut reader: CsvReader = ReaderBuilder::new().delimiter(delimiter).build();
        let (result, _, _, mut fields) = reader.read_record(row, &mut self.text, &mut self.ends);
        if let ReadRecordResult::InputEmpty = result {
            let more = reader.read_record(&[], &mut [], &mut self.ends[fields..]);
            fields += more.3;
        }
        let mut start = 0;
        for (number, end) in self.ends[..fields].iter().enumerate() {
            let cell = String::from_utf8_lossy(&self.text[start..*end]);
            hear(number, cell.trim());
            start = *end;
        }
    }

    fn fields(&mut self, delimiter: u8, row: &[u8]) -> Vec<String> {
        let mut fields = Vec::new();
        self.each(delimiter, row, &mut |_, cell| fields.push(cell.to_owned()));
        fields
    }
}

/// The members of an object, as they are written.
struct Members<'r>(Vec<(Cow<'r, str>, &'r RawValue)>);

impl<'r> serde::Deserialize<'r> for Members<'r> {
    fn deserialize<D: Deserializer<'r>>(deserializer: D) -> Result<Self, D::Error> {
        struct MembersVisitor;

        impl<'r> Visitor<'r> for MembersVisitor {
            type Value = Members<'r>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'r>>(self, mut map: A) -> Result<Members<'r>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry::<Key<'r>, &'r RawValue>()? {
                    members.push((member.0.0, member.1));
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(MembersVisitor)
    }
}

/// A key, borrowed where it has no escapes.
#[derive(serde::Deserialize)]
struct Key<'r>(#[serde(borrow)] Cow<'r, str>);

impl Members<'_> {
    fn each(&self, within: &str, depth: usize, hear: &mut impl FnMut(&str, &str)) {
        for (key, value) in &self.0 {
            let name = if within.is_empty() {
                key.as_ref().into()
            } else {
                Cow::from(format!("{within}.{key}"))
            };
            tell(&name, value, depth, hear);
        }
    }
}

/// Tells of a value of a member, of each one of a list.
fn tell(name: &str, value: &RawValue, depth: usize, hear: &mut impl FnMut(&str, &str)) {
    let text = value.get();
    match text.as_bytes().first() {
        Some(b'{' | b'[') if depth == DEEPEST => {}
        Some(b'{') => {
            if let Ok(object) = serde_json::from_str::<Members<'_>>(text) {
                object.each(name, depth + 1, hear);
            }
        }
        Some(b'[') => {
            let values = serde_json::from_str::<Vec<&RawValue>>(text);
            for value in values.unwrap_or_default() {
                tell(name, value, depth + 1, hear);
            }
        }
        Some(b'"') => {
            if let Ok(Key(text)) = serde_json::from_str(text) {
                hear(name, text.trim());
            }
        }
        _ if text != "null" => hear(name, text),
        _ => {}
    }
}

/// Tells of the `key=value` pairs of a line, and of its words.
fn words(line: &str, hear: &mut impl FnMut(&str, &str)) {
    let is_sign = |sign: char| "[](){}<>\"',;:".contains(sign);
    let mut rest = line;
    loop {
        rest = rest.trim_start_matches(|sign: char| sign.is_whitespace() || is_sign(sign));
        let Some(len) = rest
            .find(char::is_whitespace)
            .or((!rest.is_empty()).then_some(rest.len()))
        else {
            return;
        };
        let (token, behind) = rest.split_at(len);
        rest = behind;
        let pair = token.split_once('=').filter(|(key, _)| is_key(key));
        if let Some((key, value)) = pair {
            let quoted = value.strip_prefix('"').and_then(|begins| {
                let whole = &line[line.len() - rest.len() - begins.len()..];
                Some((whole, whole.find('"')?))
            });
            if let Some((whole, end)) = quoted {
                rest = &whole[end + 1..];
                hear(key, whole[..end].trim());
            } else {
                hear(key, value.trim_end_matches(is_sign));
            }
        } else if let Some(word) = word(token.trim_end_matches(is_sign)) {
            hear(WORD, word);
        }
    }
}

fn is_key(key: &str) -> bool {
    key.starts_with(|first: char| first.is_ascii_alphabetic())
        && key.len() <= 40
        && key
            .chars()
            .all(|sign| sign.is_ascii_alphanumeric() || "_-.".contains(sign))
}

/// A word that says something: not a number, an address, a day or a month; a path without its query.
fn word(token: &str) -> Option<&str> {
    let token = token.split(['[', '?', '(']).next()?.trim_end_matches(':');
    let first = token.chars().next()?;
    let is_name = first.is_alphabetic() || (first == '/' && token.len() > 1);
    let is_of_time = TIMES.iter().any(|own| own.eq_ignore_ascii_case(token));
    let mut has_address = false;
    scan(token.as_bytes(), &mut |_| has_address = true);
    let says = is_name && !is_of_time && !has_address && !token.contains('"');
    (says && token.len() <= 120).then_some(token)
}

/// Parts of a time, which are no words.
const TIMES: [&str; 21] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mon",
    "tue", "wed", "thu", "fri", "sat", "sun", "utc", "gmt",
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows of a text with their cells; what is between rows is left out.
    fn rows(text: &str) -> Vec<String> {
        let mut parts = Parts::of(TextShape::of(text.as_bytes()));
        let (mut reader, mut rows, mut at) = (CellReader::default(), Vec::new(), 0);
        while let Some(part) = parts.next(&text.as_bytes()[at..], true) {
            let row = &text[at..at + part.end];
            at += part.end;
            if part.is_row {
                let mut cells = Vec::new();
                let shape = parts.shape().clone();
                shape.cells(row.as_bytes(), &mut reader, &mut |name, cell| {
                    cells.push(format!("{name}={cell}"));
                });
                rows.push(cells.join(" | "));
            }
        }
        assert_eq!(at, text.len(), "every byte is in a part");
        rows
    }

    #[test]
    fn a_table_has_its_heads_as_columns() {
        for text in [
            "ip,user\n198.51.100.7,alice\n203.0.113.9,\"Bob, Jr\"\n",
            "ip;user\n198.51.100.7;alice\n203.0.113.9;Bob, Jr\n",
            "ip\tuser\r\n198.51.100.7:443\talice\r\n203.0.113.9\tBob, Jr",
            "#separator \\x09\n#fields\tip\tuser\n198.51.100.7\talice\n203.0.113.9\tBob, Jr\n",
        ] {
            let rows = rows(text);
            let [.., first, second] = &rows[..] else {
                panic!("{text}: {rows:?}");
            };
            assert_eq!(second, "ip=203.0.113.9 | user=Bob, Jr", "{text}");
            assert!(first.contains("alice"), "{first}");
        }
        assert_eq!(
            rows("#Fields: date time c-ip cs-uri\n2026-11-20 10:15:30 198.51.100.7 /x\n")[1],
            "date=2026-11-20 | time=10:15:30 | c-ip=198.51.100.7 | cs-uri=/x"
        );
    }

    #[test]
    fn a_table_without_heads_numbers_its_columns_and_keeps_quoted_line_ends() {
        assert_eq!(
            rows("198.51.100.7,\"two\nlines\",x\n203.0.113.9,,y\n"),
            [
                "column 1=198.51.100.7 | column 2=two\nlines | column 3=x",
                "column 1=203.0.113.9 | column 2= | column 3=y"
            ]
        );
    }

    #[test]
    fn json_gives_its_members_by_key_whatever_is_around() {
        let row = r#"{"ip":"198.51.100.7","user":{"name":"al\"ice","n":7},"tags":["a","b{"],"none":null}"#;
        let expected = "ip=198.51.100.7 | user.name=al\"ice | user.n=7 | tags=a | tags=b{";
        for text in [
            format!("{row}\n{row}\n"),
            format!("[{row},\n {row}]\n"),
            format!("{{\"Records\":[{row},{row}]}}"),
            format!("{{\n  \"context\": \"x[\",\n  \"value\": [\n{row}, {row}\n]}}\n"),
            format!("{{\"Records\":[{row}]}}\n{{\"Records\":[{row}]}}\n")
                .replacen("}\n{", "} {", 1),
        ] {
            assert_eq!(rows(&text), [expected, expected], "{text}");
        }
        assert_eq!(rows(row), [expected]);
        assert_eq!(
            rows(
                r#"{"a":[{"ip":"198.51.100.7"}],"b":1}
{"a":[{"ip":"198.51.100.8"}],"b":2}
"#
            )[1],
            "a.ip=198.51.100.8 | b=2"
        );
    }

    #[test]
    fn a_line_gives_its_pairs_and_words() {
        for (line, expected) in [
            (
                "Nov 20 10:15:30 web1 sshd[77]: Failed password for root from 198.51.100.7 port 22 ssh2",
                "word=web1 | word=sshd | word=Failed | word=password | word=for | word=root | word=from | word=port | word=ssh2",
            ),
            (
                "198.51.100.7 - alice [20/Nov/2026:10:15:30 +0200] \"GET /login?x=1 HTTP/1.1\" 200",
                "word=alice | word=GET | word=/login | word=HTTP/1.1",
            ),
            (
                "date=2026-11-20 SRC=198.51.100.7 msg=\"not let in\" DPT=22, x",
                "date=2026-11-20 | SRC=198.51.100.7 | msg=not let in | DPT=22 | word=x",
            ),
        ] {
            assert_eq!(rows(line), [expected], "{line}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_divided_whole(text in proptest::collection::vec(proptest::sample::select(b"{}[]\",;\t\n \\a=1.:".to_vec()), 0..200)) {
            let mut parts = Parts::of(TextShape::of(&text));
            let shape = parts.shape().clone();
            let (mut at, mut reader) = (0, CellReader::default());
            while let Some(part) = parts.next(&text[at..], true) {
                assert!(part.end > 0, "no part is empty");
                shape.cells(&text[at..at + part.end], &mut reader, &mut |_, _| {});
                at += part.end;
            }
            assert_eq!(at, text.len());
        }
    }
}
