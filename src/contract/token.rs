//! The token: one secret for all three hosts (contract, part 5).

use std::fmt;

use secrecy::{ExposeSecret, SecretString};

/// The service's token. Never printed: `Debug` hides it and there is no `Display`.
#[derive(Clone)]
pub struct Token(SecretString);

impl Token {
    /// The header that carries the token on every request (contract, part 5.1).
    pub const HEADER: &'static str = "token";

    /// Takes a token as a person or a command gave it; surrounding blanks go.
    ///
    /// # Errors
    /// [`BadToken`] when nothing is left, or when it could not be in a header.
    pub fn new(text: &str) -> Result<Self, BadToken> {
        let text = text.trim();
        if text.is_empty() {
            return Err(BadToken::Empty);
        }
        if text.len() > 4096 || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(BadToken::NotAHeader);
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
    /// Characters that no HTTP header can carry, or far too many of them.
    #[error(
        "the token holds characters that a header cannot carry: is it the token alone, on one line?"
    )]
    NotAHeader,
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
    fn what_no_header_carries_is_no_token() {
        assert_eq!(Token::new(" \n").err(), Some(BadToken::Empty));
        for text in ["a b", "a\nb", "a\u{1b}", "tökén", &"x".repeat(4097)] {
            assert_eq!(
                Token::new(text).err(),
                Some(BadToken::NotAHeader),
                "{text:?}"
            );
        }
    }
}
