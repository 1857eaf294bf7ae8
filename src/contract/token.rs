//! The token: one secret for all three hosts (contract, part 5).

use std::fmt;

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
