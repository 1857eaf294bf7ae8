//! The token: one secret for all three hosts (contract, part 5).

use std::fmt;

use base64::{Engine as _, alphabet, engine::GeneralPurpose, engine::general_purpose::NO_PAD};
use secrecy::{ExposeSecret, SecretString};

/// The service's token. Never printed: `Debug` hides it and there is no `Display`.
#[derive(Clone)]
pub struct Token(SecretString);

impl Token {
    /// The header that carries the token on every request (contract, part 5.1).
    pub const HEADER: &'static str = "token";

    /// The maximum length, in bytes.
    const LONGEST: usize = 4096;

    /// Takes a token as a person or a command gave it. Surrounding whitespace is removed; spaces within it stay, as in a header value
    /// (RFC 9110, section 5.5).
    ///
    /// # Errors
    /// [`BadToken`] when nothing is left, or when it could not be in a header.
    pub fn new(text: &str) -> Result<Self, BadToken> {
        let text = text.trim();
        if text.is_empty() {
            return Err(BadToken::Empty);
        }
        if let Some(control) = text.chars().find(|character| character.is_control()) {
            return Err(BadToken::Control(control));
        }
        if !text.is_ascii() {
            return Err(BadToken::NotAscii);
        }
        if text.len() > Self::LONGEST {
            return Err(BadToken::TooLong);
        }
        Ok(Self(text.into()))
    }

    /// A text with `[name]` in place of the secret, also where it is written with escapes, in percent encoding or within base64: what a
    /// server repeats of a request can have any of these.
    #[must_use]
    pub fn hidden_in(&self, text: &str, name: &str) -> String {
        let secret = self.expose().as_bytes();
        let encoded: Vec<String> = (0..3)
            .flat_map(|before| within_base64(secret, before))
            .collect();
        let mut hidden = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let found = spelled(rest.as_bytes(), secret).or_else(|| {
                let own = encoded.iter().find(|text| rest.starts_with(text.as_str()));
                own.map(String::len)
            });
            if let Some(len) = found {
                hidden.push_str(&format!("[{name}]"));
                rest = &rest[len..];
            } else {
                hidden.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
        hidden
    }

    /// The secret itself, for the one header and the one file it may be in.
    #[must_use]
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

impl PartialEq for Token {
    fn eq(&self, other: &Self) -> bool {
        self.expose() == other.expose()
    }
}

impl Eq for Token {}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// How long a secret is that a text begins with, each of its bytes as it is or escaped: `%2D`, `\u002d`, `\x2d`, `&#45;`, `&#x2d;`.
fn spelled(text: &[u8], secret: &[u8]) -> Option<usize> {
    const NUMBERED: [(&[u8], u32, usize); 3] = [(b"%", 16, 2), (b"\\u", 16, 4), (b"\\x", 16, 2)];
    const OPEN: [(&[u8], u32); 3] = [(b"&#x", 16), (b"&#X", 16), (b"&#", 10)];
    let number = |digits: &[u8], radix: u32| {
        let digits = std::str::from_utf8(digits).ok()?;
        u32::from_str_radix(digits, radix).ok()
    };
    let mut at = 0;
    for byte in secret {
        let rest = text.get(at..)?;
        let numbered = NUMBERED.iter().find_map(|(sign, radix, len)| {
            let digits = rest.strip_prefix(*sign)?.get(..*len)?;
            (number(digits, *radix)? == u32::from(*byte)).then_some(sign.len() + len)
        });
        let open = || {
            OPEN.iter().find_map(|(sign, radix)| {
                let digits = rest.strip_prefix(*sign)?;
                let len = digits.iter().take(8).position(|byte| *byte == b';')?;
                (number(&digits[..len], *radix)? == u32::from(*byte))
                    .then_some(sign.len() + len + 1)
            })
        };
        // `\"`, `\/`
        let behind_sign =
            || (rest.first() == Some(&b'\\') && rest.get(1) == Some(byte)).then_some(2);
        let plain = || (rest.first() == Some(byte)).then_some(1);
        at += numbered.or_else(open).or_else(plain).or_else(behind_sign)?;
    }
    Some(at)
}

/// What of base64, of either alphabet, is the same whatever stands around a secret with so many bytes before it; nothing where that is so
/// little that it could be a word.
fn within_base64(secret: &[u8], before: usize) -> Vec<String> {
    const SHORTEST: usize = 5;
    let own = [&vec![0; before][..], secret].concat();
    let [from, to] = [(before * 8).div_ceil(6), own.len() * 8 / 6];
    let alphabets = [alphabet::STANDARD, alphabet::URL_SAFE];
    let encoded = alphabets.map(|own_alphabet| {
        let text = GeneralPurpose::new(&own_alphabet, NO_PAD).encode(&own);
        text.get(from..to).unwrap_or_default().to_owned()
    });
    encoded
        .into_iter()
        .filter(|text| text.len() >= SHORTEST)
        .collect()
}

/// Why a text cannot be a token. The text is not repeated: it may be a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadToken {
    /// Nothing but blanks.
    #[error("the token is empty")]
    Empty,
    /// This control character is in it.
    #[error("the token contains {}", name_of(*.0))]
    Control(char),
    #[error("the token contains characters outside ASCII")]
    NotAscii,
    #[error("the token is longer than 4,096 bytes")]
    TooLong,
}

/// A control character, by name and code point.
fn name_of(control: char) -> String {
    let name = match control {
        '\0' => "a NUL",
        '\t' => "a tab",
        '\n' => "a line feed",
        '\r' => "a carriage return",
        '\u{1b}' => "an ESC",
        '\u{7f}' => "a DEL",
        _ => "a control character",
    };
    format!("{name} (U+{:04X})", u32::from(control))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_never_shows_itself() {
        let token = Token::new(" secret-1234 \n").expect("token");
        assert_eq!(token.expose(), "secret-1234");
        assert!(!format!("{token:?}").contains("secret"));
    }

    #[test]
    fn a_token_is_hidden_however_it_is_written() {
        let token = Token::new("s3cret-\"7/x").expect("token");
        for text in [
            "a s3cret-\"7/x b",
            "a s3cret-\\\"7\\/x b",
            "a s3cret%2D%227%2fx b",
            "a \\u00733cret\\u002D\\u00227\\u002Fx b",
            "a \\x73\\x33cret-\\x227/x b",
            "a s3cret&#45;&#34;7&#x2F;x b",
        ] {
            assert_eq!(token.hidden_in(text, "token"), "a [token] b", "{text}");
        }
        let encode = |text: &str| GeneralPurpose::new(&alphabet::STANDARD, NO_PAD).encode(text);
        for user in ["", "a", "ab", "abc", "analyst:"] {
            let text = encode(&format!("{user}s3cret-\"7/x and more"));
            let hidden = token.hidden_in(&text, "password");
            assert!(hidden.contains("[password]"), "{user}: {hidden}");
            assert!(hidden.len() < text.len(), "{user}: {hidden}");
        }
        for text in ["", "nothing", "s3cret", "é%2", "&#", "\\u00"] {
            assert_eq!(token.hidden_in(text, "token"), text);
        }
    }

    #[test]
    fn spaces_within_a_token_stay() {
        let token = Token::new("  Bearer a  b\r\n").expect("token");
        assert_eq!(token.expose(), "Bearer a  b");
    }

    #[test]
    fn what_no_header_carries_is_refused_by_name() {
        for (text, why) in [
            (" \n", "the token is empty"),
            ("a\tb", "the token contains a tab (U+0009)"),
            ("a\nb", "the token contains a line feed (U+000A)"),
            ("a\r\nb", "the token contains a carriage return (U+000D)"),
            ("a\u{1b}", "the token contains an ESC (U+001B)"),
            ("a\u{1}b", "the token contains a control character (U+0001)"),
            (
                "a\u{90}b",
                "the token contains a control character (U+0090)",
            ),
            ("tökén", "the token contains characters outside ASCII"),
            (&"x".repeat(4097), "the token is longer than 4,096 bytes"),
        ] {
            let refused = Token::new(text).map_err(|why| why.to_string());
            assert_eq!(refused, Err(why.to_owned()), "{text:?}");
        }
    }
}
