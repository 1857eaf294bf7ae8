//! Which texts of a run were read, and the exit code that follows.

use crate::{
    cli::{
        console::{CommandResult, Console},
        exit::{Exit, ExitTally},
        text::InputText,
    },
    engine::Error,
};

/// How many of the texts of a run were read, and what kept the others from it.
pub(super) struct TextOutcomes<'a> {
    texts: usize,
    failures: usize,
    tally: ExitTally,
    console: &'a Console,
}

impl<'a> TextOutcomes<'a> {
    pub(super) fn of(texts: &[InputText], console: &'a Console) -> Self {
        Self {
            texts: texts.len(),
            failures: 0,
            tally: ExitTally::default(),
            console,
        }
    }

    /// Reports a text that could not be read to its end.
    pub(super) fn failed(&mut self, text: &InputText, error: &Error) -> CommandResult<()> {
        self.failures += 1;
        self.tally.failed(error.kind);
        self.console.failure(Some(&text.name()), error)
    }

    pub(super) fn any_was_read(&self) -> bool {
        self.failures < self.texts
    }

    pub(super) fn exit(mut self) -> Exit {
        if self.any_was_read() {
            self.tally.done();
        }
        self.tally.exit()
    }
}
