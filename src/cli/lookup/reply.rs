//! The outcome of a question: an answer with its parts, or why there is none.

use super::answer_part::{AnswerPart, SourceRecord};
use crate::engine::{NotAnswered, Unread};

/// The outcome of a question.
pub(super) type LookupReply = Result<AnswerParts, NotAnswered>;

#[derive(Clone, Debug)]
pub(super) struct AnswerParts {
    /// What it consists of, in the order in which it is shown; never empty.
    pub(super) parts: Vec<AnswerPart>,
    /// Local records about it that cannot be read.
    pub(super) unread: Vec<Unread>,
}

impl AnswerParts {
    pub(super) fn of(part: AnswerPart) -> Self {
        Self {
            parts: vec![part],
            unread: Vec::new(),
        }
    }

    /// The same for an address that was asked about before: it cost nothing more.
    pub(super) fn again(mut self) -> Self {
        for part in &mut self.parts {
            if let SourceRecord::Live(answer) = &mut part.found {
                (answer.provenance.cost, answer.provenance.possibly_spent) = (0, 0);
            }
        }
        self
    }
}
