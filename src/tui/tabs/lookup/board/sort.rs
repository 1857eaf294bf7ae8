//! The orders of the table of addresses.

use crate::tui::ctx::orders;

/// By what rows are sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::tui::tabs::lookup) enum BoardSort {
    /// As they are in the text.
    #[default]
    Text,
    /// By verdict, the most telling first, then by clients.
    Verdict,
    /// By address.
    Address,
    /// By operator.
    Operators,
    /// By infrastructure.
    Infrastructure,
    /// By country.
    Country,
    /// By autonomous system.
    System,
    /// By clients, the most first.
    Clients,
}

impl BoardSort {
    /// All, in the order of the columns.
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

    /// Its number among them.
    pub(in crate::tui::tabs::lookup) fn place(self) -> Option<usize> {
        Self::ALL.iter().position(|own| *own == self)
    }

    /// What its two directions are called.
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
