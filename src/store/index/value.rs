//! The encoding of one token in a record: the number of a repeated text, packed, or verbatim.
//!
//! ```text
//! 0  length, text                 as it is
//! 1  4 bytes                      "198.51.100.7"
//! 2  number                       64500
//! 3  count, 4 bytes each          ["198.51.100.7","198.51.100.8"]
//! 4  count, number each           ["A_PROXY","B_PROXY"], by the numbers of the words of the column's field
//! 5+ n                            text n of the column's dictionary; in a column of numbers, the number n
//! ```
//!
//! Codes, lengths, counts and numbers are variable-length: seven bits a byte, low bits first, with the highest bit set in all
//! bytes but the last. Code `5 + n` is one such number. An address is 4 bytes in network byte order. The text of a list has no
//! blanks, as above. A packed form is used only if it restores the token byte for byte.

use std::net::Ipv4Addr;

use super::spelling::{spell_number, spell_v4};

/// The first code that means a text of the dictionary.
pub(super) const FIRST_TEXT: u64 = 5;

#[inline]
pub(super) fn put(mut number: u64, into: &mut Vec<u8>) {
    while number >= 0x80 {
        into.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    into.push(number.to_le_bytes()[0]);
}

/// Reads a variable-length number and advances.
#[inline]
pub(super) fn take(from: &mut &[u8]) -> Option<u64> {
    // Most numbers are small.
    match from {
        [number @ 0..0x80, rest @ ..] => {
            *from = rest;
            Some(u64::from(*number))
        }
        [low, middle @ 0..0x80, rest @ ..] => {
            *from = rest;
            Some(u64::from(low & 0x7f) | u64::from(*middle) << 7)
        }
        _ => take_long(from),
    }
}

fn take_long(from: &mut &[u8]) -> Option<u64> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let (byte, rest) = from.split_first()?;
        *from = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if *byte < 0x80 {
            return Some(number);
        }
        shift += 7;
        if shift > 63 {
            return None;
        }
    }
}

/// The encoding of a token that is not in the dictionary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packed {
    /// As an address.
    Address(Ipv4Addr),
    /// As a list of addresses of 4 bytes each, from this offset on.
    Addresses(usize),
    /// As a number or verbatim.
    Other,
}

/// Appends a token that is not in the dictionary, in its shortest encoding; `None` if it is not JSON.
pub(super) fn put_token(
    token: &[u8],
    is_json: impl FnOnce(&[u8]) -> bool,
    into: &mut Vec<u8>,
) -> Option<Packed> {
    if let Some(address) = quoted_v4(token) {
        into.push(1);
        into.extend_from_slice(&address.octets());
        return Some(Packed::Address(address));
    }
    if let Some(number) = whole(token) {
        into.push(2);
        put(number, into);
        return Some(Packed::Other);
    }
    if let Some(start) = put_addresses(token, into) {
        return Some(Packed::Addresses(start));
    }
    is_json(token).then(|| {
        into.push(0);
        put(token.len() as u64, into);
        into.extend_from_slice(token);
        Packed::Other
    })
}

/// Appends a list of addresses in canonical spelling and returns the offset of the first; `None`, and nothing is appended, for
/// any other token.
fn put_addresses(token: &[u8], into: &mut Vec<u8>) -> Option<usize> {
    // Most lists are short enough for a count of one byte.
    let (start, first) = (into.len(), into.len() + 2);
    into.extend_from_slice(&[3, 0]);
    let mut all = addresses(token);
    let is_list = all.all(|address| {
        let address = address.map(|address| into.extend_from_slice(&address.octets()));
        address.is_some()
    });
    let count = (into.len() - first) / 4;
    if !is_list || count == 0 {
        into.truncate(start);
        return None;
    }
    if let Ok(count @ 0..0x80) = u8::try_from(count) {
        into[start + 1] = count;
    } else {
        let addresses = into.split_off(first);
        into.truncate(start + 1);
        put(count as u64, into);
        into.extend_from_slice(&addresses);
    }
    Some(into.len() - count * 4)
}

/// Appends a list of words in canonical spelling as the numbers that `number` returns. False, and nothing is appended, for any
/// other token, for a list of 128 words or more, and if a word has no number.
pub(super) fn put_words(
    token: &[u8],
    number: impl FnMut(&[u8]) -> Option<u32>,
    into: &mut Vec<u8>,
) -> bool {
    let start = into.len();
    into.extend_from_slice(&[4, 0]);
    let count = put_each_word(token, number, into);
    // The count takes one byte.
    let count = count.and_then(|count| u8::try_from(count).ok());
    match count.filter(|count| *count < 0x80) {
        Some(count) => into[start + 1] = count,
        None => into.truncate(start),
    }
    into.len() > start
}

/// Appends the numbers of the words in a list without escapes or blanks; returns their count.
fn put_each_word(
    token: &[u8],
    mut number: impl FnMut(&[u8]) -> Option<u32>,
    into: &mut Vec<u8>,
) -> Option<usize> {
    let mut rest = token.strip_prefix(b"[\"")?;
    for count in 1.. {
        let (word, after) = rest.split_at(memchr::memchr2(b'"', b'\\', rest)?);
        put(number(word)?.into(), into);
        if after == b"\"]" {
            return Some(count);
        }
        rest = after.strip_prefix(b"\",\"")?;
    }
    None
}

/// A value of a record, decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenValue<'a> {
    Text(u64),
    Raw(&'a [u8]),
    V4(Ipv4Addr),
    Number(u64),
    V4List(&'a [[u8; 4]]),
    Words(WordNumbers<'a>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WordNumbers<'a>(&'a [u8]);

impl WordNumbers<'_> {
    pub(super) fn numbers(mut self) -> impl Iterator<Item = u64> {
        std::iter::from_fn(move || take(&mut self.0))
    }
}

impl<'a> TokenValue<'a> {
    /// Decodes one value and advances.
    #[inline]
    pub(super) fn take(from: &mut &'a [u8]) -> Option<Self> {
        let split = |from: &mut &'a [u8], length: usize| {
            let (own, rest) = from.split_at_checked(length)?;
            *from = rest;
            Some(own)
        };
        Some(match take(from)? {
            0 => {
                let length = usize::try_from(take(from)?).ok()?;
                Self::Raw(split(from, length)?)
            }
            1 => Self::V4(Ipv4Addr::from(*split(from, 4)?.first_chunk::<4>()?)),
            2 => Self::Number(take(from)?),
            3 => {
                let count = usize::try_from(take(from)?).ok()?;
                Self::V4List(split(from, count.checked_mul(4)?)?.as_chunks().0)
            }
            4 => {
                let (count, all) = (take(from)?, *from);
                for _ in 0..count {
                    take(from)?;
                }
                Self::Words(WordNumbers(&all[..all.len() - from.len()]))
            }
            text => Self::Text(text - FIRST_TEXT),
        })
    }
}

/// The address of a token in canonical spelling.
#[inline]
pub(super) fn quoted_v4(token: &[u8]) -> Option<Ipv4Addr> {
    let text = token.strip_prefix(b"\"")?;
    let (address, rest) = leading_v4(text)?;
    (rest == b"\"").then_some(address)
}

/// The address at the beginning of a text, and the rest. No part has leading zeros.
#[inline]
#[must_use]
pub fn leading_v4(mut text: &[u8]) -> Option<(Ipv4Addr, &[u8])> {
    let mut octets = [0; 4];
    for (at, octet) in octets.iter_mut().enumerate() {
        if at > 0 {
            text = text.strip_prefix(b".")?;
        }
        let (mut number, mut digits) = (0_u16, 0);
        while let Some(digit) = text.get(digits).filter(|byte| byte.is_ascii_digit()) {
            number = number * 10 + u16::from(digit - b'0');
            digits += 1;
            if digits == 3 {
                break;
            }
        }
        let padded = digits > 1 && text[0] == b'0';
        if digits == 0 || padded {
            return None;
        }
        *octet = u8::try_from(number).ok()?;
        text = &text[digits..];
    }
    Some((octets.into(), text))
}

/// The number of a token that is an integer below 10^18 in canonical spelling.
#[inline]
pub(super) fn whole(token: &[u8]) -> Option<u64> {
    let usual = token.len() == 1 || ((2..=18).contains(&token.len()) && token[0] != b'0');
    if !usual || !token.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(
        token
            .iter()
            .fold(0, |number, digit| number * 10 + u64::from(digit - b'0')),
    )
}

/// The addresses of a token that is a list of them in canonical spelling, without blanks.
pub(super) fn v4_list(token: &[u8]) -> Option<Vec<Ipv4Addr>> {
    let addresses: Option<Vec<Ipv4Addr>> = addresses(token).collect();
    addresses.filter(|addresses| !addresses.is_empty())
}

/// The addresses one by one, and `None` where the token is not a list of addresses.
fn addresses(token: &[u8]) -> impl Iterator<Item = Option<Ipv4Addr>> {
    let mut rest = token.strip_prefix(b"[\"");
    std::iter::from_fn(move || {
        let Some((address, after)) = leading_v4(rest.take()?) else {
            return Some(None);
        };
        if after != b"\"]" {
            rest = after.strip_prefix(b"\",\"");
            if rest.is_none() {
                return Some(None);
            }
        }
        Some(Some(address))
    })
}

/// The text of a token that is a string without escapes.
pub(super) fn plain(token: &[u8]) -> Option<&str> {
    let text = token.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    if text.contains(&b'\\') {
        return None;
    }
    std::str::from_utf8(text).ok()
}

/// The texts of a token that is a list of strings without escapes.
pub(super) fn plain_list(token: &[u8]) -> Option<impl Iterator<Item = &str>> {
    let inner = token.strip_prefix(b"[")?.strip_suffix(b"]")?.trim_ascii();
    let inner = std::str::from_utf8(inner)
        .ok()
        .filter(|inner| !inner.contains('\\'))?;
    let texts = inner.split('"').skip(1).step_by(2);
    // Between the strings there are only commas.
    let mut between = inner.split('"').step_by(2).map(str::trim);
    let count = inner.matches('"').count();
    let is_list = count % 2 == 0
        && between.next() == Some("")
        && (0..count / 2)
            .all(|at| between.next() == Some(if at + 1 == count / 2 { "" } else { "," }));
    is_list.then_some(texts)
}

/// Appends the text of a value that is in no dictionary.
#[inline]
pub(super) fn spell(value: TokenValue<'_>, into: &mut Vec<u8>) {
    match value {
        TokenValue::Text(_) | TokenValue::Words(_) => {}
        TokenValue::Raw(token) => into.extend_from_slice(token),
        TokenValue::V4(address) => {
            into.push(b'"');
            spell_v4(address.octets(), into);
            into.push(b'"');
        }
        TokenValue::Number(number) => spell_number(number, into),
        TokenValue::V4List(addresses) => {
            for (at, octets) in addresses.iter().enumerate() {
                into.extend_from_slice(if at == 0 { b"[\"" } else { b"\",\"" });
                spell_v4(*octets, into);
            }
            into.extend_from_slice(b"\"]");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(token: &str) -> usize {
        let (mut bytes, mut text) = (Vec::new(), Vec::new());
        assert!(put_token(token.as_bytes(), |_| true, &mut bytes).is_some());
        let mut rest = bytes.as_slice();
        let value = TokenValue::take(&mut rest).expect("a value");
        spell(value, &mut text);
        assert_eq!(
            (String::from_utf8(text).as_deref(), rest.len()),
            (Ok(token), 0)
        );
        for length in 0..bytes.len() {
            let mut cut = &bytes[..length];
            assert_eq!(TokenValue::take(&mut cut), None, "{token} {length}");
        }
        bytes.len()
    }

    #[test]
    fn nothing_is_no_number() {
        // A crafted index has such tokens.
        assert_eq!(whole(b""), None);
        assert_eq!((whole(b"0"), whole(b"07")), (Some(0), None));
    }

    #[test]
    fn tokens_come_back_byte_for_byte_and_usual_ones_are_small() {
        for (token, length) in [
            ("\"198.51.100.7\"", 5),
            ("\"0.10.200.255\"", 5),
            ("64500", 4),
            ("0", 2),
            ("999999999999999999", 10),
            ("[\"198.51.100.7\",\"203.0.113.255\"]", 10),
            ("\"198.051.100.7\"", 17),
            ("\"198.51.100.256\"", 18),
            ("\"198.51.100.7 \"", 17),
            ("007", 5),
            ("-1", 4),
            ("1.0", 5),
            ("9999999999999999999", 21),
            ("[\"198.51.100.7\", \"203.0.113.255\"]", 35),
            ("[]", 4),
            ("\"\"", 4),
            ("null", 6),
        ] {
            assert_eq!(round_trip(token), length, "{token}");
        }
    }

    #[test]
    fn numbers_of_any_size_are_put_and_taken() {
        for number in [0, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            let (mut bytes, mut text) = (Vec::new(), Vec::new());
            put(number, &mut bytes);
            assert_eq!(take(&mut bytes.as_slice()), Some(number));
            spell_number(number, &mut text);
            assert_eq!(String::from_utf8(text), Ok(number.to_string()));
        }
        assert_eq!(take(&mut [0xff; 11].as_slice()), None);
    }
}
