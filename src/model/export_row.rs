//! The fields of an export's record that a feed's record lacks (contract, part 2.11): in a diff, its change.

/// What happened to a record between two days.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowChange {
    /// It came, `add`.
    Added,
    /// It went, `del`.
    Deleted,
}

impl RowChange {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Added => "add",
            Self::Deleted => "del",
        }
    }
}
