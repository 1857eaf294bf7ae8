//! A checksum inside the JSON object that it protects: for all small files whose content affects an answer.
//!
//! The key `checksum` has 16 hexadecimal digits: XXH3 (64 bits) of the object without that key, as compact JSON with the order of
//! keys and the spelling of numbers preserved. So only whitespace may change. It detects accidents, not tampering: what was read
//! is still validated before use.

use std::fmt::Write as _;

use serde_json::{Map, Value};
use xxhash_rust::xxh3::xxh3_64;

const KEY: &str = "checksum";

/// Why an object is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Untrusted {
    /// It is not a JSON object.
    #[error("not a JSON object: {0}")]
    Unreadable(String),
    /// It has no checksum, so an older version wrote it.
    #[error("no checksum: written by an older version")]
    Unsigned,
    /// Its checksum does not match.
    #[error("damaged: its checksum does not match")]
    Damaged,
}

/// The digits of a hash, in lower case.
#[must_use]
pub fn hexadecimal(hash: &[u8]) -> String {
    let mut digits = String::with_capacity(2 * hash.len());
    for byte in hash {
        // Writing to a string cannot fail.
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

/// Adds the checksum as the last key.
#[must_use]
pub fn sign(mut object: Map<String, Value>) -> Value {
    object.shift_remove(KEY);
    let checksum = checksum_of(&object);
    object.insert(KEY.to_owned(), checksum.into());
    Value::Object(object)
}

/// Reads an object, verifies its checksum and removes it.
///
/// # Errors
/// [`Untrusted`].
pub fn verify(text: &[u8]) -> Result<Map<String, Value>, Untrusted> {
    let mut object: Map<String, Value> =
        serde_json::from_slice(text).map_err(|error| Untrusted::Unreadable(error.to_string()))?;
    match object.shift_remove(KEY) {
        None => Err(Untrusted::Unsigned),
        Some(checksum) if checksum == checksum_of(&object) => Ok(object),
        Some(_) => Err(Untrusted::Damaged),
    }
}

fn checksum_of(object: &Map<String, Value>) -> String {
    // Cannot fail: keys are strings, and numbers keep their spelling.
    let text = serde_json::to_vec(object).unwrap_or_default();
    format!("{:016x}", xxh3_64(&text))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn signed() -> Value {
        let object =
            json!({"kind": "trail", "text": "a\u{202e}\"\\", "n": 1.50, "deep": {"b": [1, null]}});
        sign(object.as_object().expect("object").clone())
    }

    #[test]
    fn an_object_comes_back_as_it_was() {
        let signed = signed();
        for text in [signed.to_string(), format!("{signed:#}\n")] {
            let mut back = verify(text.as_bytes()).expect("verified");
            assert_eq!(sign(back.clone()), signed);
            back.insert("checksum".to_owned(), "x".into());
            assert_eq!(sign(back), signed, "an old checksum is replaced");
        }
        assert_eq!(
            verify(b"{\"checksum\":\"0\",\"a\":1}"),
            Err(Untrusted::Damaged)
        );
        assert_eq!(verify(b"{\"a\":1}"), Err(Untrusted::Unsigned));
        assert!(matches!(verify(b"[1]"), Err(Untrusted::Unreadable(_))));
    }

    #[test]
    fn every_flipped_bit_is_found() {
        let text = signed().to_string().into_bytes();
        for bit in 0..text.len() * 8 {
            let mut flipped = text.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(verify(&flipped).is_err(), "bit {bit}");
        }
        for length in 0..text.len() {
            assert!(verify(&text[..length]).is_err(), "cut at {length}");
        }
    }
}
