//! Splits the text of a filter at blanks and commas outside quotes.

use std::ops::Range;

use super::{mistake::FilterMistake, value::FilterValue};

/// A character of a scanned text.
struct ScannedChar {
    at: usize,
    letter: char,
    /// Whether blanks and commas are literal here.
    quoted: bool,
    /// Whether it is part of the quoting rather than of the value.
    sign: bool,
}

/// Scans a text from a byte offset on.
fn steps(text: &str, from: usize) -> impl Iterator<Item = ScannedChar> + '_ {
    let mut inside = false;
    let mut escaped = false;
    let mut letters = text[from..].char_indices().peekable();
    std::iter::from_fn(move || {
        let (at, letter) = letters.next()?;
        let next = letters.peek().map(|(_, letter)| *letter);
        let before = inside;
        let quote = letter == '"' && !escaped;
        escaped = inside && !escaped && letter == '\\' && matches!(next, Some('"' | '\\'));
        inside ^= quote;
        Some(ScannedChar {
            at: from + at,
            letter,
            quoted: before || inside,
            sign: quote || escaped,
        })
    })
}

/// The next word; blanks in it are quoted.
pub(super) fn next_word(text: &str, from: usize) -> Result<Option<Range<usize>>, FilterMistake> {
    let Some(blanks) = text[from..].find(|letter: char| !letter.is_whitespace()) else {
        return Ok(None);
    };
    let start = from + blanks;
    let mut open = None;
    for step in steps(text, start) {
        if step.letter.is_whitespace() && !step.quoted {
            return Ok(Some(start..step.at));
        }
        if step.letter == '"' && step.sign {
            open = open.xor(Some(step.at));
        }
    }
    match open {
        None => Ok(Some(start..text.len())),
        Some(quote) => Err(FilterMistake::at(
            quote..text.len(),
            "a quote is opened here and never closed",
        )
        .hint("close it with \", and write \\\" for a quote within a value")),
    }
}

/// The values in a range, separated by commas, each with its location and without its quotes. None is empty.
pub(super) fn values(text: &str, place: Range<usize>) -> Result<Vec<FilterValue>, FilterMistake> {
    let mut values = vec![FilterValue::begun(place.start)];
    for step in steps(&text[..place.end], place.start) {
        match values.last_mut() {
            _ if step.letter == ',' && !step.quoted => values.push(FilterValue::begun(step.at + 1)),
            Some(value) => {
                value.place.end = step.at + step.letter.len_utf8();
                if !step.sign {
                    value.text.push(step.letter);
                }
            }
            None => {}
        }
    }
    match values.iter().find(|value| value.text.trim().is_empty()) {
        None => Ok(values),
        // Marks the operator or comma before it, too, since the value itself may be empty.
        Some(empty) => Err(FilterMistake::at(
            empty.place.start.saturating_sub(1)..empty.place.end,
            "a value is missing",
        )
        .hint("put values directly after the sign, separated by commas: tag:ACME_VPN,CARGO_VPN")),
    }
}
