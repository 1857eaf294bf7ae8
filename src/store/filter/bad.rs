//! A text that is no filter, and the place where it stops being one.

use std::ops::Range;

use unicode_width::UnicodeWidthStr;

use crate::model::visible;

/// Why a text is no filter. What was typed stands in it as it was: it is to be made visible before it is shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct BadFilter {
    /// The text.
    pub text: String,
    /// The bytes of it that are at fault; empty only where something is missing at its end.
    pub place: Range<usize>,
    /// What is wrong there, in one sentence.
    pub message: String,
    /// What may be meant, or what to write.
    pub hint: Option<String>,
}

impl BadFilter {
    /// Two lines: the text, made visible, and marks under the place. They stand right where every character is as wide as
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
pub(super) struct Mistake {
    place: Range<usize>,
    message: String,
    hint: Option<String>,
}

impl Mistake {
    pub(super) fn at(place: Range<usize>, message: impl Into<String>) -> Self {
        Self {
            place,
            message: message.into(),
            hint: None,
        }
    }

    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub(super) fn of(self, text: &str) -> BadFilter {
        BadFilter {
            text: text.to_owned(),
            place: self.place,
            message: self.message,
            hint: self.hint,
        }
    }
}
