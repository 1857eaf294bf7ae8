//! What a record of an export says beyond that of a feed (contract, part 2.11): in a diff, what happened to it.

/// What happened to a record between two days.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// It came, `add`.
    Added,
    /// It went, `del`.
    Deleted,
}

impl Change {
    /// The word of the wire.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Added => "add",
            Self::Deleted => "del",
        }
    }
}
