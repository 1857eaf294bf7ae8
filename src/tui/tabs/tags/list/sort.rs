//! How the list of tags is sorted.

use crate::tui::ctx::orders::{self, OrderRow, Orders};

/// The column by which the list is sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TagSortKey {
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

impl TagSortKey {
    /// All, in the order of the columns.
    pub const ALL: [Self; 6] = [
        Self::Name,
        Self::Kind,
        Self::Devices,
        Self::Churn,
        Self::Countries,
        Self::Addresses,
    ];

    /// Its number among them.
    #[must_use]
    pub fn place(self) -> Option<usize> {
        Self::ALL.iter().position(|by| *by == self)
    }

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

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sort {
    /// By which column.
    pub by: TagSortKey,
    /// Whether against its usual direction.
    pub flipped: bool,
}

impl Sort {
    /// By what the list can be sorted, and how it is.
    #[must_use]
    pub fn orders(self) -> Orders {
        let row = |by: &TagSortKey| {
            let words = if by.is_text() {
                orders::TEXT
            } else {
                orders::NUMBER
            };
            OrderRow::new(by.word(), words)
        };
        let present = self.by.place();
        let rows = TagSortKey::ALL.iter().map(row).collect();
        Orders::new(rows, present.map(|at| (at, self.flipped)))
    }

    #[must_use]
    pub fn of(order: usize, flipped: bool) -> Self {
        let by = TagSortKey::ALL.get(order).copied().unwrap_or_default();
        Self { by, flipped }
    }

    /// The sign beside the head of a column: `v` for large at the top, `^` for small.
    #[must_use]
    pub fn sign(self, by: TagSortKey) -> &'static str {
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
    fn each_column_has_two_directions() {
        let sort = Sort::default();
        assert_eq!(sort.orders().present, Some((2, false)));
        assert_eq!(sort.sign(TagSortKey::Devices), " v");
        assert_eq!(Sort::of(1, false).sign(TagSortKey::Kind), " ^");
        assert_eq!(Sort::of(2, true).words(), "devices, fewest first");
        assert_eq!(Sort::of(2, true).orders().direction(2), "fewest first");
    }
}
