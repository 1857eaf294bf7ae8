//! A text that is not a filter, and the location of the mistake.

use std::{fmt, ops::Range};

use unicode_width::UnicodeWidthStr;

use crate::model::visible;

/// Why a text is not a filter. It contains the text as typed, so escape it before it is shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct BadFilter {
    pub text: String,
    /// The bytes at fault; empty only if something is missing at the end.
    pub place: Range<usize>,
    /// The mistake, in one sentence.
    pub message: String,
    /// A suggestion, or an instruction.
    pub hint: Option<String>,
    /// The corrected text, if one change corrects the mistake.
    pub mend: Option<String>,
}

/// Help with a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Hint {
    /// A replacement for the word.
    Instead(String),
    /// An instruction.
    Write(String),
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Instead(word) => write!(f, "did you mean {word}?"),
            Self::Write(words) => f.write_str(words),
        }
    }
}

impl From<&str> for Hint {
    fn from(words: &str) -> Self {
        Self::Write(words.to_owned())
    }
}

impl BadFilter {
    /// Two lines: the escaped text, and marks under the mistake. They align if the terminal uses the character widths of Unicode.
    #[must_use]
    pub fn picture(&self) -> String {
        let [before, at, behind] = [
            &self.text[..self.place.start],
            &self.text[self.place.clone()],
            &self.text[self.place.end..],
        ]
        .map(visible);
        let (blanks, marks) = (before.width(), at.width().max(1));
        format!(
            "{before}{at}{behind}\n{}{}",
            " ".repeat(blanks),
            "^".repeat(marks)
        )
    }
}

/// A mistake, before the whole text is attached.
#[derive(Debug)]
pub(super) struct FilterMistake {
    place: Range<usize>,
    message: String,
    hint: Option<Hint>,
}

impl FilterMistake {
    pub(super) fn at(place: Range<usize>, message: impl Into<String>) -> Self {
        Self {
            place,
            message: message.into(),
            hint: None,
        }
    }

    pub(super) fn hint(mut self, hint: impl Into<Hint>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The suggested replacement for the wrong word.
    pub(super) fn instead(&self) -> Option<&str> {
        match &self.hint {
            Some(Hint::Instead(word)) => Some(word),
            Some(Hint::Write(_)) | None => None,
        }
    }

    pub(super) fn of(self, text: &str) -> BadFilter {
        BadFilter {
            text: text.to_owned(),
            place: self.place,
            message: self.message,
            hint: self.hint.map(|hint| hint.to_string()),
            mend: None,
        }
    }
}
