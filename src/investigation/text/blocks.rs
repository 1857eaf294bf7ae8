//! Blocks of lines with a field a line: `journalctl -o export`, `wevtutil`, `\x` of psql, `\G` of `MySQL`, `.mode line` of `SQLite`,
//! `Format-List` of `PowerShell`.

use std::ops::Range;

use super::{fields::RowFields, json, line, line_form};
use crate::model::scan::Hit;

/// What begins a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockShape {
    /// A line that begins so.
    Head(&'static str),
    /// The line behind an empty one.
    EmptyLine,
    /// A line that is not indented.
    Margin,
}

/// How lines begin that head a block.
const HEADS: [&str; 5] = [
    "-[ RECORD ",
    "***************************",
    "Event[",
    // OSSEC.
    "** Alert ",
    // dnstap as YAML.
    "type: MESSAGE",
];

/// Headers of mail, whose lines go on indented.
const MAIL: [&str; 9] = [
    "Received: ",
    "Return-Path: ",
    "Delivered-To: ",
    "X-Received: ",
    "Authentication-Results: ",
    "DKIM-Signature: ",
    "ARC-Seal: ",
    "X-Original-To: ",
    "Envelope-To: ",
];

/// The longest key of a line.
const LONGEST_KEY: usize = 48;

/// Lines that tell whether a text is in blocks.
const TELLING: usize = 60;

impl BlockShape {
    /// The shape of a text with this beginning.
    pub(super) fn of(beginning: &[u8]) -> Option<Self> {
        let begins = |head: &&str| beginning.starts_with(head.as_bytes());
        if let Some(head) = HEADS.into_iter().find(|head| begins(head)) {
            return Some(Self::Head(head));
        }
        let lines: Vec<&[u8]> = beginning
            .split(|byte| *byte == b'\n')
            .take(TELLING)
            .collect();
        if MAIL.iter().any(begins) {
            return Some(Self::Margin);
        }
        // An object of JavaScript.
        if lines[0].trim_ascii() == b"{" && lines.get(1).is_some_and(|line| field(line).is_some()) {
            return Some(Self::Head("{"));
        }
        if beginning.starts_with(b"__CURSOR=") {
            return Some(Self::EmptyLine);
        }
        let has_cursor = lines
            .first()
            .is_some_and(|line| memchr::memmem::find(line, b" [s=").is_some());
        if has_cursor && lines.get(1).is_some_and(|line| line.starts_with(b"    ")) {
            return Some(Self::Margin);
        }
        if is_under_head(&lines) || lines.windows(2).any(is_lease) {
            return Some(Self::Margin);
        }
        Self::with_empty_lines(&lines)
    }

    /// Blocks that all begin with the same key, with nothing but fields in them.
    fn with_empty_lines(lines: &[&[u8]]) -> Option<Self> {
        let is_empty = |line: &&[u8]| line.trim_ascii().is_empty();
        let first = lines.iter().position(|line| !is_empty(line))?;
        let blocks = lines[first..].split(is_empty);
        let blocks = blocks.filter(|block| !block.is_empty());
        let (mut count, mut head) = (0, None);
        for block in blocks {
            let key = field(block[0])?.0;
            let key = block[0][key].trim_ascii();
            if *head.get_or_insert(key) != key || !block.iter().all(|line| field(line).is_some()) {
                return None;
            }
            count += usize::from(block.len() > 1);
        }
        (count >= 2).then_some(Self::EmptyLine)
    }

    /// Where the block ends with which a text begins; `None` if that is not known yet.
    pub(super) fn end(self, text: &[u8]) -> Option<usize> {
        let mut at = 0;
        let mut has_field = false;
        while let Some(len) = memchr::memchr(b'\n', &text[at..]) {
            let line = &text[at..at + len];
            let is_empty = line.trim_ascii().is_empty();
            let is_next = match self {
                Self::Head(head) => at > 0 && line.starts_with(head.as_bytes()),
                Self::EmptyLine => has_field && is_empty,
                Self::Margin => at > 0 && !is_empty && !line[0].is_ascii_whitespace(),
            };
            if is_next {
                return Some(at);
            }
            has_field |= !is_empty;
            at += len + 1;
        }
        None
    }
}

/// Whether fields stand indented below a line that is none: the `detail` files of `FreeRADIUS`.
fn is_under_head(lines: &[&[u8]]) -> bool {
    let [head, first, second, ..] = lines else {
        return false;
    };
    let is_field = |line: &[u8]| {
        line.starts_with(b"\t")
            && memchr::memmem::find(line, b" = ").is_some()
            && field(line).is_some()
    };
    head.first().is_some_and(u8::is_ascii_alphanumeric)
        && field(head).is_none()
        && is_field(first)
        && is_field(second)
}

/// Whether a lease of ISC dhcpd begins: `lease 198.51.100.7 {`.
fn is_lease(lines: &[&[u8]]) -> bool {
    let [head, first] = lines else {
        return false;
    };
    let is_named = |text: &&str| head.starts_with(text.as_bytes());
    ["lease ", "ia-na ", "ia-pd "].iter().any(is_named)
        && head.trim_ascii_end().ends_with(b"{")
        && statement(first).is_some()
}

/// The places of the key and the value of an indented statement: `  client-hostname "alice-laptop";`.
fn statement(line: &[u8]) -> Option<(Range<usize>, Range<usize>)> {
    let end = line.trim_ascii_end().strip_suffix(b";")?.len();
    let start = line.len() - line.trim_ascii_start().len();
    let blank = start + memchr::memchr(b' ', line.get(start..end)?)?;
    let is_key = line[start..blank]
        .iter()
        .all(|byte| byte.is_ascii_lowercase() || *byte == b'-');
    (start > 0 && is_key).then_some((start..blank, blank + 1..end))
}

/// Adds the fields of a block.
pub(super) fn read(block: &[u8], hits: &[Hit], fields: &mut RowFields) {
    let group = fields.outermost();
    let mut at = 0;
    for bytes in block.split_inclusive(|byte| *byte == b'\n') {
        let start = at;
        at += bytes.len();
        if bytes.starts_with(b"{\"")
            && let Some(len) = json::value_end(bytes)
        {
            json::read(block, start..start + len, fields);
            continue;
        }
        let Some((key, value)) = statement(bytes).or_else(|| field(bytes)) else {
            // `Fri 2026-11-20 10:15:30.123456 CET [s=…]`, or prose.
            let end = memchr::memmem::find(bytes, b" [s=").unwrap_or(0);
            if end > 0 {
                fields.push("time", &bytes[..end], start..start + end, group);
            }
            continue;
        };
        let name = String::from_utf8_lossy(bytes[key].trim_ascii()).into_owned();
        let place = start + value.start..start + value.end;
        let text = unquoted(&block[place.clone()]);
        if text == b"NULL" || text == b"N/A" {
            continue;
        }
        fields.push(&name, text, place.clone(), group);
        let has_address = hits
            .iter()
            .any(|hit| hit.at.start >= place.start && hit.at.end <= place.end);
        if has_address && text.contains(&b' ') {
            // A message, which has fields by its form.
            let mut of_message = RowFields::default();
            let from = line_form::read(text, &mut of_message);
            if from < text.len() {
                line::pairs(text, from..text.len(), &[], &mut of_message);
            }
            fields.take_message(&of_message, &place, group);
        }
    }
}

/// A value without quotes, and without the comma of JavaScript: `'alice',`, `"alice"`.
fn unquoted(value: &[u8]) -> &[u8] {
    let own = value.strip_suffix(b",").unwrap_or(value);
    let inner = own
        .strip_prefix(b"'")
        .and_then(|bytes| bytes.strip_suffix(b"'"));
    let is_plain = |bytes: &&[u8]| !bytes.contains(&b'"');
    let quoted = value
        .strip_prefix(b"\"")
        .and_then(|bytes| bytes.strip_suffix(b"\""));
    inner.or(quoted.filter(is_plain)).unwrap_or(value)
}

/// The places of the key and the value of a line.
fn field(line: &[u8]) -> Option<(Range<usize>, Range<usize>)> {
    let end = line.trim_ascii_end().len();
    let start = line.len() - line.trim_ascii_start().len();
    let near = &line[..end.min(start + LONGEST_KEY)];
    let signs = near.iter().enumerate().skip(start);
    let (sign, _) = signs.into_iter().find(|(_, byte)| b"=:|".contains(byte))?;
    let key = start..sign;
    let name = line[key.clone()].trim_ascii();
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_ .-/()".contains(byte);
    let is_name = name
        .first()
        .is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_')
        && name.iter().all(is_of_name);
    if !is_name {
        return None;
    }
    let value = &line[sign + 1..end.max(sign + 1)];
    let blanks = value.len() - value.trim_ascii_start().len();
    // `10:15:30`, `http://`: a colon has a blank behind it.
    let is_apart = line[sign] == b'=' || value.is_empty() || blanks > 0;
    is_apart.then_some((key, sign + 1 + blanks..end.max(sign + 1)))
}
