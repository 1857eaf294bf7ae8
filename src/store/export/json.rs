//! JSON values, without whitespace.

use std::borrow::Cow;

use super::cell::{self, ExportCell};
use crate::store::index::spell_number;

/// The characters that are escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Escape {
    /// Those that JSON requires.
    Needed,
    /// Also `&`, `<` and `>`, as the service does (contract, part 4.3: "may contain escaped characters").
    Markup,
}

/// Appends a cell in the spelling of the service.
pub(super) fn put(cell: ExportCell<'_>, into: &mut Vec<u8>) {
    match cell {
        ExportCell::Null => into.extend_from_slice(b"null"),
        ExportCell::Text(written) => text(written, Escape::Markup, into),
        ExportCell::Number(number) => spell_number(number, into),
        ExportCell::Texts(written) => texts(written, Escape::Markup, into),
        ExportCell::Subject(subject) => {
            into.push(b'"');
            cell::subject(subject, into);
            into.push(b'"');
        }
    }
}

/// Appends an array of texts.
pub(super) fn texts(texts: &[Cow<'_, str>], escape: Escape, into: &mut Vec<u8>) {
    into.push(b'[');
    for (place, written) in texts.iter().enumerate() {
        if place > 0 {
            into.push(b',');
        }
        text(written, escape, into);
    }
    into.push(b']');
}

fn text(text: &str, escape: Escape, into: &mut Vec<u8>) {
    into.push(b'"');
    let bytes = text.as_bytes();
    let mut plain = 0;
    for (at, byte) in bytes.iter().enumerate() {
        let short = match byte {
            b'"' => b'"',
            b'\\' => b'\\',
            8 => b'b',
            9 => b't',
            10 => b'n',
            12 => b'f',
            13 => b'r',
            0..0x20 => b'u',
            b'&' | b'<' | b'>' if escape == Escape::Markup => b'u',
            _ => continue,
        };
        into.extend_from_slice(&bytes[plain..at]);
        plain = at + 1;
        into.extend_from_slice(&[b'\\', short]);
        if short == b'u' {
            const DIGITS: &[u8; 16] = b"0123456789abcdef";
            let digit = |half: u8| DIGITS[usize::from(half)];
            into.extend_from_slice(&[b'0', b'0', digit(byte >> 4), digit(byte & 15)]);
        }
    }
    into.extend_from_slice(&bytes[plain..]);
    into.push(b'"');
}
