//! The Export tab: a form over all parameters of an export, its checks, its request, and the rows that come out of it.

mod actions;
mod build;
mod checks;
mod completion;
mod draft;
mod history;
mod local;
mod over;
mod parts;
mod presets;
mod preview;
mod prompt;
mod tab;
#[cfg(test)]
mod tests;
pub mod view;
mod vocabulary;

use crate::{
    contract::{Endpoint, ExportField, ExportQuery, Output},
    engine::{Error, ExportRun, Exported, LocalPreview},
    tui::{
        ctx::{
            UpdateCtx,
            remote::Remote,
            request::{JobId, Question},
        },
        ui::{cursor::Cursor, theme::Tone},
    },
};
use build::Build;
use draft::Draft;
use local::Local;
use over::Over;
use preview::{Origin, Shown};
use prompt::{Next, Prompt};

/// The part of the tab that has the focus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    /// The form.
    #[default]
    Form,
    /// The rows.
    Preview,
    /// What is to be said of the form, where it has no place of its own.
    Checks,
    /// The request, likewise.
    Request,
}

/// The state of the tab.
#[derive(Debug, Default)]
pub struct ExportTab {
    part: Part,
    build: Build,
    prompt: Option<Prompt>,
    /// What lies over the form for a moment, beside the question for a file.
    over: Option<Over>,
    /// The export that was started last.
    run: Option<ExportRun>,
    /// Whether it is one of the local release.
    is_local: bool,
    /// The records that the local release was to give for it, as they were counted when it started.
    counted: Option<u64>,
    /// What became of it.
    exported: Option<Exported>,
    /// What is local of what the form asks for.
    local: Local,
    /// Rows from the service, and those of a file.
    preview: Remote<Shown>,
    cursor: Cursor,
}

impl ExportTab {
    /// Starts a form that is filled in like this.
    fn seed(&mut self, query: ExportQuery, ctx: &mut UpdateCtx<'_>) {
        let words = match query.tags.as_slice() {
            [] => "a new form; u brings the one before back".to_owned(),
            [only] => format!("a form with the tag {only}; u brings the one before back"),
            more => format!(
                "a form with {} tags; u brings the one before back",
                more.len()
            ),
        };
        self.build.set(Draft::of(&ExportQuery {
            header: true,
            ..query
        }));
        (self.part, self.prompt) = (Part::Form, None);
        ctx.out.say(Tone::Info, words);
    }

    /// The request that the form makes.
    fn request(&self) -> Endpoint {
        Endpoint::Export(self.build.query())
    }

    /// The rows that are shown: those that were asked for, as long as they answer the form, else those of the local release.
    fn shown(&self) -> Option<&Shown> {
        let query = self.build.query();
        let asked = self.preview.value();
        let local = self.local.rows_of(&query).map(|rows| &rows.shown);
        asked
            .filter(|shown| shown.answers(&query))
            .or(local)
            .or(asked)
    }

    /// Counts what the form asks for now, where that is not what it asked for before.
    fn follow(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.local.follow(&self.build.query(), ctx);
    }

    /// Counts again: what is local may be another.
    fn recount(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.local.again(&self.build.query(), ctx);
    }

    /// The first rows of the local release came: where they are shown, the cursor goes to the first.
    fn locally_sampled(
        &mut self,
        job: JobId,
        query: &ExportQuery,
        result: Result<LocalPreview, Error>,
    ) {
        let is_local = |shown: &Shown| matches!(shown.origin, Origin::Local(_));
        if self.local.sampled(job, query, result) && self.shown().is_some_and(is_local) {
            self.cursor = Cursor::default();
        }
    }

    /// An export ended well; the one that was started last shows its rows.
    fn exported(&mut self, run: &ExportRun, exported: Exported, ctx: &mut UpdateCtx<'_>) {
        if self.run.as_ref() != Some(run) {
            return;
        }
        self.exported = Some(exported);
        if run.query.output != Output::Mmdb {
            self.preview.begin(ctx.ask(Question::Sample(run.clone())));
        }
    }

    fn sampled(&mut self, job: JobId, shown: Result<Shown, Error>) {
        if self.preview.finish(job, shown) && self.preview.error().is_none() {
            self.cursor = Cursor::default();
        }
    }

    fn file_checked(&mut self, job: JobId, result: Result<bool, Error>, ctx: &mut UpdateCtx<'_>) {
        let Some(prompt) = &mut self.prompt else {
            return;
        };
        match prompt.answered(job, result) {
            Next::Run(run) => {
                let is_local = prompt.is_local;
                self.start(run, is_local, ctx);
            }
            Next::Ask => {}
            Next::Unknown(error) => ctx.out.say(Tone::Error, error.message),
        }
    }

    fn start(&mut self, run: ExportRun, is_local: bool, ctx: &mut UpdateCtx<'_>) {
        self.prompt = None;
        self.exported = None;
        let expected = self.local.settled(&run.query);
        // Collapsed networks are not counted: they come out of the rows. What is local is not compared with itself.
        let compared = !is_local && !run.query.asks_for(ExportField::Network);
        let expected = expected.filter(|_| compared);
        self.counted = expected.map(|expected| expected.kept);
        (self.run, self.is_local) = (Some(run.clone()), is_local);
        let by = if is_local { "local export" } else { "export" };
        let label = format!("{by} {}", run.query.feed);
        ctx.start(label, question_of(run, is_local));
    }

    /// The question of the export that was started last.
    fn running(&self) -> Option<Question> {
        Some(question_of(self.run.clone()?, self.is_local))
    }
}

fn question_of(run: ExportRun, is_local: bool) -> Question {
    if is_local {
        Question::ExportLocal(run)
    } else {
        Question::Export(run)
    }
}
