//! The fields of a line: those of its form, of JSON in it, `key=value` pairs by key, and the rest of its words.

use std::ops::Range;

use super::{fields::RowFields, json, line_form, needle::OF_KEY};
use crate::model::scan::Hit;

/// The column of the words of a line.
pub const WORD: &str = "word";

/// Keys with a colon behind them, as in `client: 198.51.100.7, server: web1`; other words with one are prose.
const COLON_KEYS: [&str; 11] = [
    "client", "server", "request", "upstream", "host", "referrer", "user", "username", "port",
    "method", "status",
];

/// Parts of a time, which are no words.
const TIMES: [&str; 21] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mon",
    "tue", "wed", "thu", "fri", "sat", "sun", "utc", "gmt",
];

/// Adds the fields of a line.
pub(super) fn read(line: &[u8], hits: &[Hit], fields: &mut RowFields) {
    let mut end = line.trim_ascii_end().len();
    let from = line_form::read(line, fields);
    let is_divided = |sign: &u8| by_sign(line, from..end, *sign, fields);
    if from >= end || b"\t|".iter().any(is_divided) || by_colons(line, from..end, hits, fields) {
        return;
    }
    // A document to the end of the line, or behind which little comes.
    let has_brace = memchr::memchr(b'{', &line[from..end]).is_some();
    let document = || memchr::memmem::find(&line[from..end], b"{\"");
    if let Some(at) = has_brace.then(document).flatten().map(|at| from + at)
        && let Some(len) = json::value_end(&line[at..end])
    {
        json::read(line, at..at + len, fields);
        pairs(line, at + len..end, hits, fields);
        end = at;
    }
    pairs(line, from..end, hits, fields);
}

/// Adds the pairs of a part of a line that has this sign between them, so that values may have blanks; returns whether it has.
fn by_sign(line: &[u8], part: Range<usize>, sign: u8, fields: &mut RowFields) -> bool {
    const FEWEST: usize = 4;
    let text = &line[part.clone()];
    let key_of = |bytes: &[u8]| {
        let end = memchr::memchr(b'=', bytes)?;
        // The first may stand behind words.
        let begin = bytes[..end].iter().rposition(|byte| *byte == b' ');
        let begin = begin.map_or(0, |at| at + 1);
        is_key(&bytes[begin..end]).then_some(begin..end)
    };
    let has_key = |bytes: &&[u8]| key_of(bytes).is_some();
    let parts = || text.split(|byte| *byte == sign);
    if memchr::memchr(sign, text).is_none() || parts().filter(has_key).count() < FEWEST {
        return false;
    }
    let group = fields.outermost();
    let mut start = part.start;
    for bytes in parts() {
        if let Some(key) = key_of(bytes) {
            let value = start + key.end + 1..start + bytes.len();
            let name = String::from_utf8_lossy(&bytes[key]);
            fields.push(&name, &line[value.clone()], value, group);
        }
        start += bytes.len() + 1;
    }
    true
}

/// Adds the pairs of a message that is nothing else: `AccessControlRuleAction: Block, SrcIP: 198.51.100.7`; returns whether it is one.
fn by_colons(line: &[u8], part: Range<usize>, hits: &[Hit], fields: &mut RowFields) -> bool {
    const FEWEST: usize = 4;
    let is_of_key = |byte: &u8| byte.is_ascii_alphanumeric() || b" _-".contains(byte);
    // Prose has small letters.
    let key_of = |bytes: &[u8]| {
        memchr::memmem::find_iter(bytes, b": ").find_map(|end| {
            // The first stands behind what names the message.
            let begin = memchr::memrchr(b':', &bytes[..end]).map_or(0, |at| at + 1);
            let blanks = bytes[begin..end].iter().take_while(|byte| **byte == b' ');
            let begin = begin + blanks.count();
            let key = &bytes[begin..end];
            let is_key =
                key.first().is_some_and(u8::is_ascii_uppercase) && key.iter().all(is_of_key);
            is_key.then_some(begin..end)
        })
    };
    let text = &line[part.clone()];
    let items = || {
        let ends = memchr::memmem::find_iter(text, b", ").chain([text.len()]);
        ends.scan(0, |start, end| {
            let own = *start..end;
            *start = end + 2;
            Some(own)
        })
    };
    let is_list = OF_KEY.is_in_times(text, FEWEST)
        && items()
            .filter(|range| key_of(&text[range.clone()]).is_some())
            .count()
            >= FEWEST;
    if !is_list {
        return false;
    }
    let group = fields.outermost();
    for range in items() {
        let place = part.start + range.start..part.start + range.end;
        let Some(key) = key_of(&text[range.clone()]) else {
            pairs(line, place, hits, fields);
            continue;
        };
        pairs(line, place.start..place.start + key.start, hits, fields);
        let name = String::from_utf8_lossy(&text[range.start..][key.clone()]).into_owned();
        let value = place.start + key.end + 2..place.end;
        fields.push(&name, &line[value.clone()], value, group);
    }
    true
}

/// Adds the pairs and words in a part of a line.
pub(super) fn pairs(line: &[u8], part: Range<usize>, hits: &[Hit], fields: &mut RowFields) {
    let group = fields.outermost();
    let mut at = part.start;
    let mut before: Option<Range<usize>> = None;
    while let Some(token) = next_token(line, at, part.end) {
        at = token.end;
        let text = &line[token.clone()];
        // `reason = Invalid password`
        if text == b"=" {
            if let (Some(key), Some(next)) = (before.take(), next_token(line, at, part.end)) {
                let (value, end) = value_at(line, next.start, next.end, part.end);
                push_pair(line, key, value, group, fields);
                at = end.max(next.start + 1);
            }
            continue;
        }
        let sign = memchr::memchr(b'=', text).filter(|sign| is_key(&text[..*sign]));
        if let Some(sign) = sign {
            let key = token.start..token.start + sign;
            let inner = line[key.end + 1..token.end].strip_prefix(b"(");
            if inner.is_some_and(|inner| begins_with_key(inner, b'=')) {
                // `(ADDRESS=(PROTOCOL=tcp)(HOST=198.51.100.7))`
                at = key.end + 2;
                continue;
            }
            let (value, end) = value_at(line, key.end + 1, token.end, part.end);
            at = end.max(key.end + 1);
            push_pair(line, key, value, group, fields);
            before = None;
            continue;
        }
        // `action:"Drop"; src:"198.51.100.7"`
        let quote = memchr::memchr(b'"', text).and_then(|quote| quote.checked_sub(1));
        let quoted = quote.filter(|sign| text[*sign] == b':' && is_key(&text[..*sign]));
        if let Some(sign) = quoted {
            let key = token.start..token.start + sign;
            let (value, end) = value_at(line, key.end + 1, token.end, part.end);
            at = end.max(key.end + 2);
            push_pair(line, key, value, group, fields);
            before = None;
            continue;
        }
        let key = text.strip_suffix(b":").unwrap_or_default();
        let is_key = COLON_KEYS.iter().any(|text| text.as_bytes() == key);
        if is_key && let Some(next) = next_token(line, at, part.end) {
            let (value, end) = value_at(line, next.start, next.end, part.end);
            let key = token.start..token.start + key.len();
            push_pair(line, key, value, group, fields);
            at = end.max(next.start);
            continue;
        }
        before = Some(token.clone());
        let own = trimmed(line, token);
        let has_address = hits
            .iter()
            .any(|hit| hit.at.start < own.end && hit.at.end > own.start);
        if let Some(word) = word(&line[own.clone()]).filter(|_| !has_address) {
            fields.push(WORD, word, own, group);
        }
    }
}

/// Whether a text begins with a key and this sign.
fn begins_with_key(text: &[u8], sign: u8) -> bool {
    memchr::memchr(sign, text).is_some_and(|end| is_key(&text[..end]))
}

/// Whether a byte is a sign around values and words.
fn is_sign(byte: u8) -> bool {
    matches!(
        byte,
        b'[' | b']' | b'(' | b')' | b'{' | b'}' | b'<' | b'>' | b'"' | b'\'' | b',' | b';' | b':'
    )
}

/// The next word of a line, without the signs before it.
fn next_token(line: &[u8], from: usize, end: usize) -> Option<Range<usize>> {
    let rest = line.get(from..end)?;
    let is_between = |byte: &u8| byte.is_ascii_whitespace() || is_sign(*byte);
    let start = from + rest.iter().position(|byte| !is_between(byte))?;
    let len = line[start..end].iter().position(u8::is_ascii_whitespace);
    // `a=1,b=2`, `a=1;b=2`
    let own = &line[start..len.map_or(end, |len| start + len)];
    let first = memchr::memchr(b'=', own).unwrap_or(own.len());
    let rest = &own[first..];
    let is_before_key = |more: &[u8]| begins_with_key(more, b'=');
    let mut signs = memchr::memchr3_iter(b',', b';', b'|', rest);
    let sign = signs.find(|at| is_before_key(&rest[at + 1..]));
    // `(HOST=web1)(USER=alice)`
    let mut brackets = memchr::memmem::find_iter(rest, b")(");
    let bracket = brackets.find(|at| is_before_key(&rest[at + 2..]));
    let cut = sign.into_iter().chain(bracket).min().map(|at| first + at);
    Some(start..start + cut.unwrap_or(own.len()))
}

/// The value that begins here, and where it ends with what is around it; without quotes it goes to the end of its token.
fn value_at(line: &[u8], start: usize, token: usize, end: usize) -> (Range<usize>, usize) {
    let close = match line.get(start) {
        Some(b'"') => Some(b'"'),
        Some(b'\'') => Some(b'\''),
        Some(b'<') => Some(b'>'),
        Some(b'(') => Some(b')'),
        Some(b'[') => Some(b']'),
        _ => None,
    };
    if let Some(close) = close {
        let mut at = start + 1;
        while let Some(found) = memchr::memchr2(close, b'\\', &line[at.min(end)..end]) {
            at += found;
            // `"SQL-INJ ""UNION"""`
            let is_doubled = close == b'"' && at > start + 1 && line.get(at + 1) == Some(&b'"');
            if line[at] == close && !is_doubled {
                return (start + 1..at, at + 1);
            }
            at += 2;
        }
    }
    if line.get(start).is_none_or(u8::is_ascii_whitespace) {
        // `user= action=deny`
        return (start..start, start);
    }
    let token = token.max(start);
    let mut value = trimmed(line, start..token);
    if line[start..].starts_with(b"::") {
        value.start = start;
    }
    (value, token)
}

/// The same without signs at its ends.
fn trimmed(line: &[u8], place: Range<usize>) -> Range<usize> {
    let own = &line[place.clone()];
    let before = own.iter().take_while(|byte| is_sign(**byte)).count();
    let rest = &own[before..];
    let behind = rest.iter().rev().take_while(|byte| is_sign(**byte));
    let behind = behind.count();
    place.start + before..place.end - behind
}

fn push_pair(
    line: &[u8],
    key: Range<usize>,
    value: Range<usize>,
    group: u32,
    fields: &mut RowFields,
) {
    let name = String::from_utf8_lossy(&line[key]);
    let is_quoted = value.start > 0 && line[value.start - 1] == b'\'';
    fields.push(&name, &line[value.clone()], value.clone(), group);
    // `msg='op=login acct="alice"'`
    if is_quoted && name == "msg" && memchr::memchr(b'=', &line[value.clone()]).is_some() {
        pairs(line, value, &[], fields);
    }
}

pub(super) fn is_key(key: &[u8]) -> bool {
    let is_of_key = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.@".contains(byte);
    let first = key.first();
    first.is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_')
        && key.len() <= 40
        && key.iter().all(is_of_key)
}

/// A word that tells something: no number, day or month; a path without its query.
fn word(token: &[u8]) -> Option<&[u8]> {
    const LONGEST: usize = 120;
    let end = token.iter().position(|byte| b"[?(".contains(byte));
    let mut token = &token[..end.unwrap_or(token.len())];
    while let Some(rest) = token.strip_suffix(b":") {
        token = rest;
    }
    let is_name = match token {
        [b'/', _, ..] => true,
        [first, ..] => first.is_ascii_alphabetic() || *first >= 0x80,
        [] => false,
    };
    let is_of_time = || {
        let mut times = TIMES.iter();
        token.len() == 3 && times.any(|text| text.as_bytes().eq_ignore_ascii_case(token))
    };
    (is_name && token.len() <= LONGEST && !token.contains(&b'"') && !is_of_time()).then_some(token)
}
