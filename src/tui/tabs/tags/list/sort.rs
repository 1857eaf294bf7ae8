//! How the list of tags is sorted.

/// The column by which the list is sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum By {
    /// The tag.
    Name,
    /// What it is.
    Kind,
    /// Devices on average, most first.
    #[default]
    Devices,
    /// Churn, most first.
    Churn,
    /// Countries, most first.
    Countries,
    /// Addresses of a local feed, most first.
    Addresses,
}

impl By {
    /// All, in the order of the columns.
    pub const ALL: [Self; 6] = [
        Self::Name,
        Self::Kind,
        Self::Devices,
        Self::Churn,
        Self::Countries,
        Self::Addresses,
    ];

    /// Whether it is a column of texts, which usually begins with the first.
    fn is_text(self) -> bool {
        matches!(self, Self::Name | Self::Kind)
    }

    fn word(self) -> &'static str {
        match self {
            Self::Name => "tag",
            Self::Kind => "kind",
            Self::Devices => "devices",
            Self::Churn => "churn",
            Self::Countries => "countries",
            Self::Addresses => "addresses",
        }
    }
}

/// How the list is sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sort {
    /// By which column.
    pub by: By,
    /// Whether against its usual direction.
    pub flipped: bool,
}

impl Sort {
    /// The same column the other way.
    #[must_use]
    pub fn flip(self) -> Self {
        Self {
            flipped: !self.flipped,
            ..self
        }
    }

    /// Another column, so many further to the right, in its usual direction.
    #[must_use]
    pub fn shift(self, steps: isize) -> Self {
        let at = By::ALL.iter().position(|by| *by == self.by);
        let at = at.unwrap_or_default().cast_signed() + steps;
        let at = at.rem_euclid(By::ALL.len().cast_signed());
        Self {
            by: By::ALL[at.cast_unsigned()],
            flipped: false,
        }
    }

    /// The sign beside the head of a column: `v` for large at the top, `^` for small.
    #[must_use]
    pub fn sign(self, by: By) -> &'static str {
        match (self.by == by, self.flipped == by.is_text()) {
            (false, _) => "",
            (true, true) => " v",
            (true, false) => " ^",
        }
    }

    /// In words.
    #[must_use]
    pub fn words(self) -> String {
        let direction = match (self.by.is_text(), self.flipped) {
            (true, false) => "",
            (true, true) => ", from the end",
            (false, false) => ", most first",
            (false, true) => ", fewest first",
        };
        format!("{}{direction}", self.by.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_the_last_column_the_first_comes_again() {
        let mut turns = std::iter::successors(Some(Sort::default()), |sort| Some(sort.shift(1)));
        assert_eq!(turns.nth(6), Some(Sort::default()));
        assert_eq!(Sort::default().shift(1).shift(-1), Sort::default());
        assert_eq!(Sort::default().sign(By::Devices), " v");
        assert_eq!(Sort::default().shift(-1).sign(By::Kind), " ^");
        assert_eq!(Sort::default().flip().words(), "devices, fewest first");
    }
}
