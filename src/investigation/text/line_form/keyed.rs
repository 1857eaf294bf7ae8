//! CEF and LEEF: fields with keys behind a head of fields without.

use std::{borrow::Cow, ops::Range};

use super::super::fields::RowFields;

/// Messages whose fields have keys behind a head of fields without.
const CEF: [&str; 7] = [
    "",
    "vendor",
    "product",
    "product_version",
    "signature",
    "name",
    "severity",
];
const LEEF: [&str; 5] = ["", "vendor", "product", "product_version", "event"];

/// CEF and LEEF; returns where it ends.
pub(super) fn by_keys(line: &[u8], from: usize, fields: &mut RowFields) -> Option<usize> {
    let rest = &line[from..];
    memchr::memchr(b'|', rest)?;
    let (at, heads): (usize, &[&str]) = match memchr::memmem::find(rest, b"CEF:") {
        Some(at) => (at, &CEF),
        None => (memchr::memmem::find(rest, b"LEEF:")?, &LEEF),
    };
    let is_begin = at == 0 || rest[at - 1].is_ascii_whitespace() || rest[at - 1] == b'"';
    is_begin.then_some(())?;
    let group = fields.outermost();
    let mut start = from + at;
    let mut version: &[u8] = b"";
    for (number, head) in heads.iter().enumerate() {
        let end = start + pipe(&line[start..])?;
        if number == 0 {
            version = &line[start..end];
        }
        fields.push(head, &line[start..end], start..end, group);
        start = end + 1;
    }
    if heads.len() == CEF.len() {
        extension(line, start, fields);
        return Some(line.len());
    }
    let mut delimiter = b'\t';
    if version.ends_with(b"2.0")
        && let Some(end) = pipe(&line[start..]).filter(|len| *len <= 5)
    {
        delimiter = match &line[start..start + end] {
            [byte] => *byte,
            [b'0', b'x' | b'X', digits @ ..] | [b'x' | b'X', digits @ ..] => {
                let digits = std::str::from_utf8(digits).unwrap_or_default();
                u8::from_str_radix(digits, 16).unwrap_or(b'\t')
            }
            _ => b'\t',
        };
        start += end + 1;
    }
    for part in line[start..].split(|byte| *byte == delimiter) {
        let own = start..start + part.len();
        start = own.end + 1;
        if let Some(sign) = memchr::memchr(b'=', part) {
            let name = String::from_utf8_lossy(&part[..sign]);
            fields.push(
                name.trim(),
                &part[sign + 1..],
                own.start + sign + 1..own.end,
                group,
            );
        }
    }
    Some(line.len())
}

/// The next `|` that is not escaped.
fn pipe(text: &[u8]) -> Option<usize> {
    let mut pipes = memchr::memchr_iter(b'|', text);
    pipes.find(|at| !text[..*at].ends_with(b"\\"))
}

/// A value without the signs that keep `=`, `|` and line ends from their meaning.
fn unescaped(value: &[u8]) -> Cow<'_, [u8]> {
    if !value.contains(&b'\\') {
        return value.into();
    }
    let mut own = Vec::with_capacity(value.len());
    let mut bytes = value.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => match bytes.next() {
                Some(b'n' | b'r') => own.push(b' '),
                Some(next @ (b'=' | b'|' | b'\\')) => own.push(*next),
                Some(next) => own.extend_from_slice(&[b'\\', *next]),
                None => own.push(b'\\'),
            },
            _ => own.push(*byte),
        }
    }
    own.into()
}

/// The extension of CEF: a value ends where the next key begins, and may have blanks.
fn extension(line: &[u8], start: usize, fields: &mut RowFields) {
    let group = fields.outermost();
    let text = &line[start..];
    let is_of_key = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_.-[]".contains(byte);
    let mut open: Option<(Range<usize>, usize)> = None;
    let mut push = |key: Range<usize>, value: Range<usize>| {
        let name = String::from_utf8_lossy(&text[key]).into_owned();
        let own = text[value.clone()].trim_ascii_end();
        let place = start + value.start..start + value.start + own.len();
        fields.push(&name, &unescaped(own), place, group);
    };
    for sign in memchr::memchr_iter(b'=', text) {
        let before = &text[..sign];
        let len = before.iter().rev().take_while(is_of_key).count();
        let key = sign - len..sign;
        let is_key = len > 0 && (key.start == 0 || text[key.start - 1] == b' ');
        if !is_key {
            continue;
        }
        if let Some((range, value)) = open.take() {
            push(range, value..key.start);
        }
        open = Some((key, sign + 1));
    }
    if let Some((range, value)) = open {
        push(range, value..text.len());
    }
}
