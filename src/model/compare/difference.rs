//! One place of two records, and how they compare with each other there.

/// One place in which two records may differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The path, such as `tunnels[0].operator`.
    pub path: String,
    /// What the first record says there; `None` where it says nothing.
    pub a: Option<String>,
    /// What the second one says.
    pub b: Option<String>,
}

/// How two records differ in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DifferenceKind {
    /// They say the same.
    Equal,
    /// They say different things.
    Changed,
    /// The second one alone says something, or says more.
    Added,
    /// The first one alone says something, or says more.
    Removed,
}

impl DifferenceKind {
    /// The sign that stands for it in a table.
    #[must_use]
    pub fn sign(self) -> char {
        match self {
            Self::Equal => '=',
            Self::Changed => '~',
            Self::Added => '+',
            Self::Removed => '-',
        }
    }
}

impl Difference {
    /// How the two differ here.
    #[must_use]
    pub fn change(&self) -> DifferenceKind {
        match (&self.a, &self.b) {
            (a, b) if a == b => DifferenceKind::Equal,
            (None, _) => DifferenceKind::Added,
            (_, None) => DifferenceKind::Removed,
            _ => DifferenceKind::Changed,
        }
    }
}
