//! The invariants after every event: no query is spent without a price on the screen, nothing is deleted without a question.

use std::collections::HashMap;

use super::events::Cause;
use crate::{
    engine::ExportRun,
    tui::{
        ctx::{Chord, Cmd, JobId, Question},
        shell::prices::{is_paid, names_price},
    },
};

/// The counts and pending answers that the checks need.
#[derive(Debug, Default)]
pub(super) struct Invariants {
    /// The number of queries spent.
    pub(super) spent: usize,
    /// The number of deletions and replacements.
    pub(super) deleted: usize,
    /// For each job that first asks the local feeds, whether the screen showed a price then.
    announced: HashMap<JobId, bool>,
    /// Whether a deletion was undone, so that redo may repeat it.
    is_undone: bool,
    /// The exports that may replace a file.
    replacing: Vec<ExportRun>,
}

impl Invariants {
    /// Begins with another explorer.
    pub(super) fn forget_answers(&mut self) {
        self.announced.clear();
        self.replacing.clear();
        self.is_undone = false;
    }

    /// Checks the effects of an event against the screen before it.
    pub(super) fn check(&mut self, before: &str, cause: &Cause, cmds: &[Cmd]) {
        let is_announced = match cause {
            Cause::Key(Some(chord)) => names_price(before, *chord),
            Cause::Answer(job) => self.announced.remove(job) == Some(true),
            _ => false,
        };
        if let Cause::Key(_) = cause
            && is_announced
        {
            // A repeated lookup may send, if its local answers are still pending.
            self.announced.values_mut().for_each(|flag| *flag = true);
        }
        for cmd in cmds {
            match cmd {
                Cmd::Ask(_, question) if is_paid(question) => {
                    self.spent += 1;
                    assert!(
                        is_announced,
                        "a query without a price: {question:?} after {cause:?} on\n{before}\nnow"
                    );
                }
                Cmd::Ask(job, Question::Sources(_) | Question::Resolve(_)) => {
                    self.announced.insert(*job, is_announced);
                }
                Cmd::Ask(_, Question::Undelete(_)) => self.is_undone = true,
                _ => {}
            }
            if deletes(cmd) {
                self.deleted += 1;
                assert!(
                    self.is_confirmed(before, cause, cmd),
                    "an unconfirmed deletion: {cmd:?} after {cause:?} on\n{before}\nnow"
                );
            }
            if let Cmd::Ask(_, Question::Export(run) | Question::ExportLocal(run)) = cmd {
                self.replacing.push(run.clone());
            }
        }
    }

    /// Whether the screen had the question for a deletion, and the event is the key that answers it.
    fn is_confirmed(&self, before: &str, cause: &Cause, cmd: &Cmd) -> bool {
        let Cause::Key(Some(chord)) = cause else {
            return false;
        };
        let answers = |question: &str, key: Chord| before.contains(question) && *chord == key;
        match cmd {
            Cmd::Forget => answers("Erase the trail", Chord::char('y')),
            Cmd::Ask(_, Question::DeletePart(_)) => answers("Stop the download?", Chord::char('X')),
            Cmd::Ask(_, Question::Delete(..)) => {
                answers("ctrl-x deletes", Chord::control('x')) || self.is_undone
            }
            Cmd::Ask(_, Question::Export(run) | Question::ExportLocal(run)) => {
                answers("Replace this file?", Chord::char('y')) || self.replacing.contains(run)
            }
            // The message says that `u` undoes it.
            _ => true,
        }
    }
}

/// Whether an effect deletes or replaces something.
fn deletes(cmd: &Cmd) -> bool {
    match cmd {
        Cmd::Forget => true,
        Cmd::Ask(_, Question::Export(run) | Question::ExportLocal(run)) => run.force,
        Cmd::Ask(_, question) => matches!(
            question,
            Question::Delete(..) | Question::DeletePart(_) | Question::DeletePreset(_)
        ),
        _ => false,
    }
}
