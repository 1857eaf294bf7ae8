//! What became of a question: an answer with its parts, or why there is none.

use super::part::{Found, Part};
use crate::engine::{NotAnswered, Unread};

/// What became of a question.
pub(super) type Reply = Result<Told, NotAnswered>;

/// An answer.
#[derive(Clone, Debug)]
pub(super) struct Told {
    /// What it consists of, in the order in which it is shown; never empty.
    pub(super) parts: Vec<Part>,
    /// Local records about it that cannot be read.
    pub(super) unread: Vec<Unread>,
}

impl Told {
    /// An answer of one part.
    pub(super) fn of(part: Part) -> Self {
        Self {
            parts: vec![part],
            unread: Vec::new(),
        }
    }

    /// The same for an address that was asked about before: it cost nothing more.
    pub(super) fn again(mut self) -> Self {
        for part in &mut self.parts {
            if let Found::Live(answer) = &mut part.found {
                (answer.provenance.cost, answer.provenance.possibly_spent) = (0, 0);
            }
        }
        self
    }
}
