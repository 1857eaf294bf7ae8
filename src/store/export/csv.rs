//! Cells of CSV (RFC 4180): quoted if necessary, with quotes within them doubled. A line ends with LF only.

use super::{
    cell::{self, ExportCell},
    json,
};
use crate::store::index::spell_number;

/// The spelling of a row that would otherwise be an empty line.
pub(super) const EMPTY: &[u8] = b"\"\"";

/// Appends a cell. `scratch` holds a list before it is quoted.
pub(super) fn put(cell: ExportCell<'_>, scratch: &mut Vec<u8>, into: &mut Vec<u8>) {
    match cell {
        ExportCell::Null => {}
        ExportCell::Text(text) => quoted(text.as_bytes(), into),
        ExportCell::Number(number) => spell_number(number, into),
        ExportCell::Subject(subject) => cell::subject(subject, into),
        ExportCell::Texts(texts) => {
            scratch.clear();
            json::texts(texts, json::Escape::Needed, scratch);
            quoted(scratch, into);
        }
    }
}

fn quoted(text: &[u8], into: &mut Vec<u8>) {
    // Checks all bytes without an early exit, so that the loop is vectorised: texts are short and rarely have one.
    let special = |byte: &u8| matches!(byte, b'"' | b',' | b'\r' | b'\n');
    if !text.iter().fold(false, |found, byte| found | special(byte)) {
        into.extend_from_slice(text);
        return;
    }
    into.push(b'"');
    for (place, part) in text.split(|byte| *byte == b'"').enumerate() {
        if place > 0 {
            into.extend_from_slice(EMPTY);
        }
        into.extend_from_slice(part);
    }
    into.push(b'"');
}
