//! The name of a service: an uppercase identifier such as `ACME_VPN` (contract, parts 2.4 and 2.6).

use std::{borrow::Borrow, fmt, str::FromStr};

use super::nearest::nearest;

/// A service tag. The vocabulary is open: any name without separators or controls is a tag.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TagName(String);

impl TagName {
    /// Longest name that is taken for a tag, in bytes.
    pub const LONGEST: usize = 128;

    /// Takes a name as the service spells it.
    ///
    /// # Errors
    /// [`BadTag`] when it is empty, too long, or holds blanks, controls, a slash or a comma.
    pub fn new(name: &str) -> Result<Self, BadTag> {
        let odd = |character: char| {
            character.is_whitespace()
                || character.is_control()
                || matches!(character, '/' | '\\' | ',' | '?' | '#')
        };
        let dots = !name.is_empty() && name.bytes().all(|byte| byte == b'.');
        if name.is_empty() || dots || name.len() > Self::LONGEST || name.contains(odd) {
            return Err(BadTag(name.to_owned()));
        }
        Ok(Self(name.to_owned()))
    }

    /// The one of these names that was most likely meant, if one is near enough.
    #[must_use]
    pub fn nearest<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
        nearest(&self.0, names)
    }

    /// The name as the service spells it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for TagName {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TagName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// A text that is not the name of a tag.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a service tag: tags are identifiers such as ACME_VPN")]
pub struct BadTag(String);

impl FromStr for TagName {
    type Err = BadTag;

    /// Reads what a person typed: surrounding blanks go, letters become uppercase.
    fn from_str(text: &str) -> Result<Self, BadTag> {
        Self::new(&text.trim().to_uppercase())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_names_become_uppercase_and_served_names_stay() {
        assert_eq!(
            "  acme_vpn ".parse::<TagName>().map(|tag| tag.to_string()),
            Ok("ACME_VPN".to_owned())
        );
        assert_eq!(
            TagName::new("3proxy").map(|tag| tag.to_string()),
            Ok("3proxy".to_owned())
        );
    }

    #[test]
    fn what_would_leave_its_place_in_a_url_is_refused() {
        for text in [
            "",
            " ",
            "A B",
            "A/B",
            "..",
            "A,B",
            "A?B",
            "A\u{1b}B",
            &"X".repeat(129),
        ] {
            assert!(text.parse::<TagName>().is_err(), "{text:?}");
        }
    }
}
