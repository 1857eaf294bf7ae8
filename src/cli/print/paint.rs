//! Colours, where they are wanted: three of the terminal's own, and never the only sign of anything.

use std::env;

use crate::cli::args::When;

/// Whether a stream gets colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paint(bool);

impl Paint {
    /// No colours.
    pub const PLAIN: Self = Self(false);

    /// What option, environment and stream come to.
    #[must_use]
    pub fn wanted(when: When, terminal: bool) -> Self {
        let set = |name| env::var_os(name).filter(|value| !value.is_empty());
        Self(match when {
            When::Always => true,
            When::Never => false,
            When::Auto if set("NO_COLOR").is_some() => false,
            When::Auto if set("CLICOLOR_FORCE").is_some_and(|value| value != "0") => true,
            When::Auto => terminal && set("TERM").is_none_or(|term| term != "dumb"),
        })
    }

    /// Whether there are colours.
    #[must_use]
    pub fn is_on(self) -> bool {
        self.0
    }

    /// A heading.
    #[must_use]
    pub fn strong(self, text: &str) -> String {
        self.with("1", text)
    }

    /// What stands back: labels, what is absent.
    #[must_use]
    pub fn faint(self, text: &str) -> String {
        self.with("2", text)
    }

    /// What went wrong.
    #[must_use]
    pub fn alarm(self, text: &str) -> String {
        self.with("1;31", text)
    }

    /// What deserves a look.
    #[must_use]
    pub fn notable(self, text: &str) -> String {
        self.with("33", text)
    }

    fn with(self, code: &str, text: &str) -> String {
        if self.0 {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_there_when_they_are_wanted() {
        assert_eq!(
            Paint::wanted(When::Always, false).alarm("x"),
            "\x1b[1;31mx\x1b[0m"
        );
        assert_eq!(Paint::wanted(When::Never, true).alarm("x"), "x");
        assert!(
            !Paint::wanted(When::Auto, false).is_on() || env::var_os("CLICOLOR_FORCE").is_some()
        );
    }
}
