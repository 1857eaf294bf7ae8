//! A text that is not a filter, and the place where it stops being one.

use std::{fmt, ops::Range};

use unicode_width::UnicodeWidthStr;

use crate::model::visible;

/// Why a text is no filter. What was typed is in it as it was: it is to be made visible before it is shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct BadFilter {
    pub text: String,
    /// The bytes of it that are at fault; empty only where something is missing at its end.
    pub place: Range<usize>,
    /// What is wrong there, in one sentence.
    pub message: String,
    /// What may be meant, or what to write.
    pub hint: Option<String>,
    /// The whole text as it may be meant, where one change mends what is wrong here.
    pub mend: Option<String>,
}

/// What helps against a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Hint {
    /// The word that may be meant.
    Instead(String),
    /// What to write.
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
    /// Two lines: the text, made visible, and marks under the place. They are right where every character is as wide as
    /// Unicode has it.
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

/// The same before the whole text is known.
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

    /// The word that may be meant in place of the one that is wrong.
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
