//! How results look: their form, the width of the terminal, and colours where those are wanted, three of the terminal's own and never
//! the only sign of anything.

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

/// How text looks on a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct TextStyle {
    colours: bool,
    /// The columns of the terminal to which text is laid out; none for a pipe, which gets each line whole.
    pub width: Option<usize>,
}

impl TextStyle {
    pub const PLAIN: Self = Self {
        colours: false,
        width: None,
    };

    /// Colours, or none; lines of any length.
    pub fn colours(colours: bool) -> Self {
        Self {
            colours,
            ..Self::PLAIN
        }
    }

    /// The same for a terminal of this many columns, and for none.
    pub fn with_width(self, width: Option<usize>) -> Self {
        Self { width, ..self }
    }

    /// Whether there are colours.
    #[must_use]
    pub fn is_on(self) -> bool {
        self.colours
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
        if self.colours {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }
}
