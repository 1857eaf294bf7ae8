//! Builds the tree of a JSON text that is known to be well formed and not too deep.
//!
//! `serde_json` would refuse half a surrogate pair, and it gives a meaning of its own to two keys.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::tokens::JsonTokens;

pub(super) fn grow(text: &str) -> Value {
    let mut tokens = JsonTokens::of(text);
    tokens
        .next()
        .map_or(Value::Null, |first| value(first, &mut tokens))
}

/// Every value of a key of the outermost object, in the order sent: a repeated key has several.
pub(super) fn values_of(text: &str, key: &str) -> Vec<Value> {
    let mut tokens = JsonTokens::of(text);
    let mut values = Vec::new();
    if tokens.next() != Some("{") {
        return values;
    }
    while let Some(token) = tokens.next() {
        match token {
            "}" => break,
            "," => {}
            text => {
                let item = tokens.nth(1).unwrap_or("null"); // behind the colon
                let item = value(item, &mut tokens);
                if unquote(text) == key {
                    values.push(item);
                }
            }
        }
    }
    values
}

/// The value whose first token is `first`; the others are taken from `tokens`.
fn value<'a>(first: &'a str, tokens: &mut JsonTokens<'a>) -> Value {
    match first {
        "[" => {
            let mut list = Vec::new();
            while let Some(token) = tokens.next() {
                match token {
                    "]" => break,
                    "," => {}
                    item => list.push(value(item, tokens)),
                }
            }
            Value::Array(list)
        }
        "{" => {
            let mut map = Map::new();
            while let Some(token) = tokens.next() {
                match token {
                    "}" => break,
                    "," => {}
                    key => {
                        let item = tokens.nth(1).unwrap_or("null"); // behind the colon
                        map.insert(unquote(key).into_owned(), value(item, tokens));
                    }
                }
            }
            Value::Object(map)
        }
        text if text.starts_with('"') => Value::String(unquote(text).into_owned()),
        word => serde_json::from_str(word).unwrap_or_default(),
    }
}

/// What a string says, without quotes and escapes; half a surrogate pair becomes a replacement character.
fn unquote(token: &str) -> Cow<'_, str> {
    let inner = token
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .unwrap_or(token);
    if !inner.contains('\\') {
        return Cow::Borrowed(inner);
    }
    let mut units: Vec<u16> = Vec::with_capacity(inner.len());
    let mut rest = inner.chars();
    while let Some(character) = rest.next() {
        let unit = match character {
            '\\' => match rest.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                Some('b') => '\u{8}',
                Some('f') => '\u{c}',
                Some('u') => {
                    let digits = rest.as_str().get(..4).unwrap_or_default();
                    units.push(u16::from_str_radix(digits, 16).unwrap_or(0xfffd));
                    rest.nth(3);
                    continue;
                }
                Some(other) => other,
                None => break,
            },
            plain => plain,
        };
        units.extend_from_slice(unit.encode_utf16(&mut [0; 2]));
    }
    Cow::Owned(String::from_utf16_lossy(&units))
}
