//! The questions that were sent and not answered.

use std::collections::HashMap;

use jiff::Timestamp;

use super::line::{LedgerLine, LineKind};

/// Finds them among the lines of a ledger, oldest first.
#[derive(Default)]
pub(super) struct Unanswered {
    /// The question of each intent without an outcome.
    open: HashMap<String, String>,
    /// The times at which each question was sent, by intent, as long as none of them was answered.
    sent: HashMap<String, HashMap<String, Timestamp>>,
}

impl Unanswered {
    pub(super) fn take(&mut self, line: LedgerLine) {
        match line.kind {
            LineKind::Intent(id) => {
                if let Some(question) = line.question {
                    let sent = self.sent.entry(question.clone()).or_default();
                    sent.insert(id.clone(), line.at);
                    self.open.insert(id, question);
                }
            }
            LineKind::Outcome(id) => {
                let Some(question) = self.open.remove(&id) else {
                    return;
                };
                if !line.is_unanswered {
                    self.sent.remove(&question);
                } else if line.possibly + line.surely == 0
                    && let Some(sent) = self.sent.get_mut(&question)
                {
                    // It was refused, or never left.
                    sent.remove(&id);
                }
            }
            LineKind::Total | LineKind::Balance | LineKind::Saved(_) => {}
        }
    }

    /// The questions, each with when it was sent last.
    pub(super) fn end(self) -> HashMap<String, Timestamp> {
        let questions = self.sent.into_iter();
        questions
            .filter_map(|(question, sent)| Some((question, sent.into_values().max()?)))
            .collect()
    }
}
