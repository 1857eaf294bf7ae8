//! What one field of a record says.

/// What a record says in one field. Absent is not null, null is not false, and odd is none of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Field<T> {
    #[default]
    Absent,
    /// The key is there and holds null, or an empty text where a number or a truth value belongs.
    Null,
    /// The key holds something else than the contract says.
    Odd,
    /// The key holds this.
    Is(T),
}

impl<T> Field<T> {
    /// What the field holds, if it could be read.
    #[must_use]
    pub fn is(&self) -> Option<&T> {
        self.as_ref().into_option()
    }

    /// What the field holds, if it could be read.
    #[must_use]
    pub fn into_option(self) -> Option<T> {
        match self {
            Self::Is(value) => Some(value),
            Self::Absent | Self::Null | Self::Odd => None,
        }
    }

    /// Whether the key is not there at all.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// The same field over a reference.
    #[must_use]
    pub fn as_ref(&self) -> Field<&T> {
        match self {
            Self::Absent => Field::Absent,
            Self::Null => Field::Null,
            Self::Odd => Field::Odd,
            Self::Is(value) => Field::Is(value),
        }
    }

    /// The same field with its value turned into another.
    #[must_use]
    pub fn map<U>(self, turn: impl FnOnce(T) -> U) -> Field<U> {
        match self {
            Self::Absent => Field::Absent,
            Self::Null => Field::Null,
            Self::Odd => Field::Odd,
            Self::Is(value) => Field::Is(turn(value)),
        }
    }

    /// What an inner field says; what this one says of itself where it holds nothing.
    #[must_use]
    pub fn and_then<U>(&self, inner: impl FnOnce(&T) -> Field<U>) -> Field<U> {
        match self {
            Self::Absent => Field::Absent,
            Self::Null => Field::Null,
            Self::Odd => Field::Odd,
            Self::Is(value) => inner(value),
        }
    }

    /// The field that says more of two spellings of one key: this one unless only `other` holds a value or is there.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        match (&self, &other) {
            (Self::Is(_), _) => self,
            (_, Self::Is(_)) | (Self::Absent, _) => other,
            _ => self,
        }
    }
}

impl<T> Field<Vec<T>> {
    /// The elements that could be read; none for a list that is absent, null or odd.
    #[must_use]
    pub fn items(&self) -> &[T] {
        self.is().map_or(&[], Vec::as_slice)
    }
}

impl Field<String> {
    /// What the text says, if it says anything but blanks.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.is()
            .map(String::as_str)
            .filter(|text| !text.trim().is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_spellings_the_one_that_says_more_counts() {
        let fields = [Field::Absent, Field::Null, Field::Odd, Field::Is(1)];
        for first in fields {
            assert_eq!(
                first.or(Field::Is(2)),
                if first == Field::Is(1) {
                    first
                } else {
                    Field::Is(2)
                }
            );
            assert_eq!(first.or(Field::Absent), first);
            assert_eq!(Field::Absent.or(first), first);
        }
    }
}
