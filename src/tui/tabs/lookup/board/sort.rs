//! The orders of the table of addresses.

use crate::tui::ctx::orders;

/// The order of the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::tui::tabs::lookup) enum BoardSort {
    /// As in the text.
    #[default]
    Text,
    /// By verdict, the most significant first, then by clients.
    Verdict,
    /// By address.
    Address,
    Operators,
    Infrastructure,
    Country,
    System,
    /// By clients, descending.
    Clients,
}

impl BoardSort {
    /// All orders, in the order of the columns.
    pub(super) const ALL: [Self; 8] = [
        Self::Address,
        Self::Operators,
        Self::Infrastructure,
        Self::Country,
        Self::System,
        Self::Clients,
        Self::Verdict,
        Self::Text,
    ];

    /// Its index among them.
    pub(in crate::tui::tabs::lookup) fn place(self) -> Option<usize> {
        Self::ALL.iter().position(|own| *own == self)
    }

    /// The words for its two directions.
    pub(super) fn directions(self) -> [&'static str; 2] {
        match self {
            Self::Text => ["", "reversed"],
            Self::Verdict => ["most telling first", "least telling first"],
            Self::Clients => orders::NUMBER,
            _ => orders::TEXT,
        }
    }

    pub(in crate::tui::tabs::lookup) fn word(self) -> &'static str {
        match self {
            Self::Text => "as in the text",
            Self::Verdict => "verdict",
            Self::Address => "address",
            Self::Operators => "operator",
            Self::Infrastructure => "infrastructure",
            Self::Country => "country",
            Self::System => "AS",
            Self::Clients => "clients",
        }
    }
}
