//! The output file of an export: its name is typed, and an existing file is replaced only after a confirmation.

use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::{
    contract::ExportQuery,
    engine::{Error, ExportRun},
    tui::{
        ctx::{
            UpdateCtx,
            remote::Remote,
            request::{JobId, Question},
        },
        ui::{theme::Tone, widgets::text_field::TextField},
    },
};

/// The question for a file.
#[derive(Debug)]
pub(super) struct Prompt {
    pub(super) field: TextField,
    /// Whether the local release answers.
    pub(super) is_local: bool,
    query: ExportQuery,
    file: PathBuf,
    is_there: Remote<bool>,
}

/// What follows from an answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PromptStep {
    Run(ExportRun),
    /// There is something to be decided or typed.
    Ask,
    /// It is not known whether the file is there.
    Unknown(Error),
}

impl Prompt {
    /// Asks where a query is to go, with a name that is new each minute.
    pub(super) fn new(query: ExportQuery, is_local: bool, now: Timestamp) -> Self {
        let mut field = TextField::new("a file name");
        // Both exports of a form, of the service and of what is local, can stand beside each other.
        field.set(&format!(
            "{}-{}{}.{}",
            query.feed,
            now.strftime("%Y%m%d-%H%M"),
            if is_local { "-local" } else { "" },
            query.output.name()
        ));
        Self {
            field,
            is_local,
            query,
            file: PathBuf::new(),
            is_there: Remote::default(),
        }
    }

    /// Whether the file is there and the person is asked whether to replace it.
    pub(super) fn asks_to_replace(&self) -> bool {
        self.is_there.value() == Some(&true)
    }

    /// The file that was asked about.
    pub(super) fn file(&self) -> &Path {
        &self.file
    }

    /// Another name is being typed: what was asked about the one before no longer counts.
    pub(super) fn typed(&mut self) {
        self.is_there = Remote::default();
    }

    /// Takes the name, if there is one, and asks whether such a file is there.
    pub(super) fn enter(&mut self, ctx: &mut UpdateCtx<'_>) {
        let name = self.field.value().trim();
        if name.is_empty() {
            return ctx.out.say(Tone::Warn, "type a file name first");
        }
        self.file = ctx.facts.working_dir.join(name);
        let asked = ctx.ask(Question::IsThere(self.file.clone()));
        self.is_there.begin(asked);
    }

    /// Whether the file is there; an answer about another name is dropped.
    pub(super) fn answered(&mut self, job: JobId, result: Result<bool, Error>) -> PromptStep {
        if !self.is_there.finish(job, result) {
            return PromptStep::Ask;
        }
        match (self.is_there.value(), self.is_there.error()) {
            (_, Some(error)) => PromptStep::Unknown(error.clone()),
            (Some(false), None) => PromptStep::Run(self.run(false)),
            _ => PromptStep::Ask,
        }
    }

    /// The export to the file that was named.
    pub(super) fn run(&self, force: bool) -> ExportRun {
        ExportRun {
            query: self.query.clone(),
            file: self.file.clone(),
            force,
            spreadsheet_safe: false,
        }
    }
}
