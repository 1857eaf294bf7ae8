//! How results look: their form, and colours where those are wanted, three of the terminal's own and never the only sign of anything.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResultFormat {
    #[default]
    Text,
    /// One object a line.
    Json,
    /// RFC 4180, with a header row.
    Csv,
    /// Markdown for a ticket, defanged.
    Md,
}

/// Whether a stream gets colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paint(bool);

impl Paint {
    pub const PLAIN: Self = Self(false);

    /// Colours, or none.
    #[must_use]
    pub fn when(is_wanted: bool) -> Self {
        Self(is_wanted)
    }

    /// Whether there are colours.
    #[must_use]
    pub fn is_on(self) -> bool {
        self.0
    }

    #[must_use]
    pub fn strong(self, text: &str) -> String {
        self.with("1", text)
    }

    /// What is dimmed: labels, what is absent.
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
