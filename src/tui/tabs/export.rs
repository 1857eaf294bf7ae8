//! The Export tab: a form over all parameters of an export, its checks, its request, and the rows that come out of it.

mod actions;
mod build;
mod checks;
mod draft;
mod history;
mod parts;
mod preview;
mod prompt;
mod tab;
#[cfg(test)]
mod tests;
pub mod view;

use crate::{
    contract::{Endpoint, ExportQuery, Output},
    engine::{Error, ExportRun, Exported},
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
use preview::Shown;
use prompt::{Next, Prompt};

/// The part of the tab that has the focus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    /// The form.
    #[default]
    Form,
    /// The rows.
    Preview,
}

/// The state of the tab.
#[derive(Debug, Default)]
pub struct ExportTab {
    part: Part,
    build: Build,
    prompt: Option<Prompt>,
    /// The export that was started last.
    run: Option<ExportRun>,
    /// What became of it.
    exported: Option<Exported>,
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
            Next::Run(run) => self.start(run, ctx),
            Next::Ask => {}
            Next::Unknown(error) => ctx.out.say(Tone::Error, error.message),
        }
    }

    fn start(&mut self, run: ExportRun, ctx: &mut UpdateCtx<'_>) {
        self.prompt = None;
        self.exported = None;
        self.run = Some(run.clone());
        let label = format!("export {}", run.query.feed);
        ctx.start(label, Question::Export(run));
    }
}
