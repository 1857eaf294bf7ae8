//! The Export tab: a form over all parameters of an export, its checks, its request, and the rows that come out of it.

mod actions;
mod areas;
mod build;
mod checks;
mod completion;
mod draft;
mod gestures;
mod history;
mod local;
mod overlay;
mod pointing;
mod presets;
mod preview;
mod price;
mod prompt;
mod results;
mod rows;
mod tab;
#[cfg(test)]
mod tests;
pub mod view;
mod vocabulary;

use crate::{
    contract::{Endpoint, ExportField, ExportQuery, Output},
    engine::{Error, ExportFileRun, ExportRun, LocalPreview, Preset},
    report::{export_difference, export_outcome},
    tui::{
        ctx::{
            UpdateCtx,
            destination::OmittedConditions,
            remote::Remote,
            request::{JobId, Question},
        },
        ui::{cursor::Cursor, theme::Tone, words},
    },
};
use build::Build;
use draft::Draft;
use local::LocalMatches;
use overlay::FormOverlay;
use preview::{PreviewOrigin, PreviewRows};
use price::Price;
use prompt::{Prompt, PromptStep};
use results::ResultsTable;

/// The part of the tab that has the focus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ExportFocus {
    #[default]
    Form,
    Preview,
    /// What is to be said of the form, where it has no place of its own.
    Checks,
    Request,
}

#[derive(Debug, Default)]
pub struct ExportTab {
    part: ExportFocus,
    build: Build,
    prompt: Option<Prompt>,
    /// What lies over the form for a moment, beside the question for a file.
    over: Option<FormOverlay>,
    /// The export that was started last.
    run: Option<ExportRun>,
    /// Whether it is one of the local release.
    is_local: bool,
    /// The records that the local release was to give for it, as they were counted when it started.
    counted: Option<u64>,
    exported: Option<ExportFileRun>,
    /// What is local of what the form asks for.
    local: LocalMatches,
    preview: Remote<PreviewRows>,
    cursor: Cursor,
    /// The rows of the export that was run last, or of one that was run before.
    results: Option<ResultsTable>,
    /// What a look at the address under the cursor costs.
    price: Price,
    /// Presets that were deleted, each with how many changes of the form came before.
    deleted: Vec<(usize, Preset)>,
}

impl ExportTab {
    /// Starts a form that is filled in like this. What it cannot say is beside it until it changes.
    fn seed(&mut self, query: ExportQuery, omitted: OmittedConditions, ctx: &mut UpdateCtx<'_>) {
        let opened = match query.tags.as_slice() {
            [] => "a new form; u restores the previous form".to_owned(),
            [only] => format!("a form with the tag {only}; u restores the previous form"),
            more => format!(
                "a form with {} tags; u restores the previous form",
                more.len()
            ),
        };
        let draft = Draft::of(&ExportQuery {
            header: true,
            ..query
        });
        let words = omitted.words.clone();
        self.build.seed(draft, omitted);
        (self.part, self.prompt) = (ExportFocus::Form, None);
        ctx.out.say(Tone::Info, opened);
        // The last words are those that are shown.
        for text in words {
            ctx.out.say(Tone::Warn, text);
        }
    }

    /// What the form cannot say of the wish that it was filled in for, beside the number of its records; nothing where it says all.
    fn shortfall(&self) -> Option<String> {
        let omitted = self.build.omitted()?;
        Some(self.shortage().unwrap_or_else(|| omitted.words.join("; ")))
    }

    /// How many records were wanted and how many the form exports, once they are counted.
    fn shortage(&self) -> Option<String> {
        let wanted = self.build.omitted()?.wanted.as_ref()?;
        let kept = self.local.settled(&self.build.query())?;
        Some(format!("{wanted}, {} exported", words::number(kept)))
    }

    /// The request that the form makes.
    fn request(&self) -> Endpoint {
        Endpoint::Export(self.build.query())
    }

    /// The rows that are shown: those that were asked for, as long as they answer the form, else those of the local release.
    fn shown(&self) -> Option<&PreviewRows> {
        let query = self.build.query();
        let asked = self.preview.value();
        let local = self.local.rows_of(&query).map(|rows| &rows.shown);
        asked
            .filter(|shown| shown.answers(&query))
            .or(local)
            .or(asked)
    }

    /// Counts the matches of the form if its request has changed.
    fn follow(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.local.follow(&self.build.query(), ctx);
        self.local.seek(self.build.sought(), ctx);
        self.follow_price(ctx);
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
        ctx: &mut UpdateCtx<'_>,
    ) {
        let is_local = |shown: &PreviewRows| matches!(shown.origin, PreviewOrigin::Local(_));
        if self.local.sampled(job, query, result, ctx) && self.shown().is_some_and(is_local) {
            self.cursor = Cursor::default();
        }
        self.note_count();
    }

    /// Keeps what the local release was to give for the export that is under way, as soon as that is counted.
    fn note_count(&mut self) {
        let is_open = self.counted.is_none() && self.exported.is_none();
        let Some(run) = self.run.as_ref().filter(|_| is_open && !self.is_local) else {
            return;
        };
        // Collapsed networks are not counted: they come out of the rows. What is local is not compared with itself.
        if !run.query.asks_for(ExportField::Network) {
            self.counted = self.local.settled(&run.query);
        }
    }

    /// How many records came of an export where so many were counted locally, in words.
    fn compared(&self, run: &ExportRun) -> Option<String> {
        let exported = self.exported.as_ref();
        let records = exported
            .filter(|_| self.run.as_ref() == Some(run))?
            .records?;
        Some(export_difference(self.counted?, records))
    }

    /// An export ended well; the one that was started last shows its rows.
    fn exported(&mut self, run: &ExportRun, exported: ExportFileRun, ctx: &mut UpdateCtx<'_>) {
        if self.run.as_ref() != Some(run) {
            return;
        }
        if run.query.output != Output::Mmdb {
            let mut results = ResultsTable::of(
                run.clone(),
                export_outcome(&exported),
                Some((&exported).into()),
            );
            results.follow(ctx);
            self.results = Some(results);
        }
        self.exported = Some(exported);
    }

    fn sampled(&mut self, job: JobId, shown: Result<PreviewRows, Error>) {
        if self.preview.finish(job, shown) && self.preview.error().is_none() {
            self.cursor = Cursor::default();
        }
    }

    fn file_checked(&mut self, job: JobId, result: Result<bool, Error>, ctx: &mut UpdateCtx<'_>) {
        let Some(prompt) = &mut self.prompt else {
            return;
        };
        match prompt.answered(job, result) {
            PromptStep::Run(run) => {
                let is_local = prompt.is_local;
                self.start(run, is_local, ctx);
            }
            PromptStep::Ask => {}
            PromptStep::Unknown(error) => ctx.out.say(Tone::Error, error.message),
        }
    }

    fn start(&mut self, run: ExportRun, is_local: bool, ctx: &mut UpdateCtx<'_>) {
        self.prompt = None;
        self.exported = None;
        self.counted = None;
        (self.run, self.is_local) = (Some(run.clone()), is_local);
        self.note_count();
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
