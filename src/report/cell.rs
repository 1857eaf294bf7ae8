//! One value for a person: what a field says, or the quiet word for saying nothing.

use std::{borrow::Cow, fmt::Display};

use jiff::Timestamp;

use crate::model::{Field, count, visible};

/// One value, safe for a screen.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct TextCell {
    pub text: String,
    /// Whether something is known at all; if not, the text says why not.
    pub known: bool,
}

impl TextCell {
    /// Something known. Text from outside becomes visible here.
    pub fn known(text: impl AsRef<str>) -> Self {
        Self {
            text: visible(text.as_ref()).into_owned(),
            known: true,
        }
    }

    /// Something not known, and why.
    pub fn unknown(why: &str) -> Self {
        Self {
            text: why.to_owned(),
            known: false,
        }
    }

    /// A text, or a dash where there is none.
    pub fn or_dash(text: Option<impl AsRef<str>>) -> Self {
        text.map_or_else(|| Self::unknown("-"), Self::known)
    }

    /// What a field says, in words that `show` finds for its value.
    pub fn of<T, S: AsRef<str>>(field: &Field<T>, show: impl FnOnce(&T) -> S) -> Self {
        match field {
            Field::Absent => Self::unknown("absent"),
            Field::Null => Self::unknown("null"),
            Field::Odd => Self::unknown("unreadable"),
            Field::Is(value) => {
                let text = show(value);
                if text.as_ref().trim().is_empty() {
                    Self::unknown("empty")
                } else {
                    Self::known(text)
                }
            }
        }
    }

    /// What a field of text says.
    pub fn text(field: &Field<String>) -> Self {
        Self::of(field, String::clone)
    }

    /// What a list of texts says; a list without elements says that there are none.
    pub fn list(field: &Field<Vec<String>>) -> Self {
        match field {
            Field::Is(items) if items.is_empty() => Self::known("none"),
            _ => Self::of(field, |items| each(items, " ")),
        }
    }

    /// What a truth value says.
    pub fn flag(field: Field<bool>) -> Self {
        Self::of(&field, |is| if *is { "yes" } else { "no" })
    }

    /// What a whole number says, in groups of three digits.
    pub fn count(field: &Field<u64>) -> Self {
        Self::of(field, |number| count(*number))
    }

    /// How many there are, where they were counted.
    pub fn counted(number: Option<u64>) -> Self {
        Self::known(number.map_or("not counted".to_owned(), count))
    }

    pub fn number<T: Display>(field: &Field<T>) -> Self {
        Self::of(field, ToString::to_string)
    }

    /// The cell for a table of many rows, where a missing value takes one sign only.
    pub fn dashed(self) -> Self {
        Self::or_dash(self.known.then_some(self.text))
    }

    /// The text where something is known, and nothing otherwise: for programs.
    #[must_use]
    pub fn bare(&self) -> &str {
        if self.known { &self.text } else { "" }
    }
}

/// Texts with something between them.
#[must_use]
pub fn each(items: impl IntoIterator<Item: AsRef<str>>, between: &str) -> String {
    let mut text = String::new();
    for (number, item) in items.into_iter().enumerate() {
        text += if number > 0 { between } else { "" };
        text += item.as_ref();
    }
    text
}

/// Each of these once, in the order in which they come up.
#[must_use]
pub fn distinct<T: PartialEq>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut found = Vec::new();
    for item in items {
        if !found.contains(&item) {
            found.push(item);
        }
    }
    found
}

/// A number that may be below zero, in groups of three digits.
#[must_use]
pub fn signed(number: i64) -> String {
    let sign = if number < 0 { "-" } else { "" };
    format!("{sign}{}", count(number.unsigned_abs()))
}

/// An instant, to the second, for people.
#[must_use]
pub fn instant(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M:%SZ").to_string()
}

/// An instant, to the second, for programs.
#[must_use]
pub fn moment(at: Timestamp) -> Cow<'static, str> {
    format!("{at:.0}").into()
}

/// An instant, to the minute, for people.
#[must_use]
pub fn minute(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%MZ").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saying_nothing_has_a_word_of_its_own() {
        for (field, expected, known) in [
            (Field::Absent, "absent", false),
            (Field::Null, "null", false),
            (Field::Odd, "unreadable", false),
            (Field::Is(" ".to_owned()), "empty", false),
            (Field::Is("a\u{1b}b".to_owned()), r"a\x1bb", true),
        ] {
            let cell = TextCell::text(&field);
            assert_eq!((cell.text.as_str(), cell.known), (expected, known));
        }
        assert_eq!(TextCell::list(&Field::Is(Vec::new())).text, "none");
        assert_eq!(TextCell::count(&Field::Is(48_120)).text, "48,120");
        assert_eq!(TextCell::flag(Field::Null).bare(), "");
    }
}
