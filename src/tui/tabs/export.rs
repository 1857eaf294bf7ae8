//! The Export tab: a form over all parameters of an export, its checks, its request, and the rows that come out of it.

mod actions;
mod build;
mod checks;
mod draft;
mod history;
mod preview;
mod prompt;
#[cfg(test)]
mod tests;
pub mod view;

use crate::{
    contract::{Endpoint, Output, Param},
    engine::{Error, ExportRun, Exported},
    model::{Document, TagName},
    tui::{
        ctx::{
            UpdateCtx,
            intent::Scope,
            remote::Remote,
            request::{Answer, JobId, Question},
        },
        ui::{cursor::Cursor, theme::Tone, widgets::text_field::TextField},
    },
};
use build::Build;
use draft::Draft;
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
    /// Where keys are looked up.
    #[must_use]
    pub fn scopes(&self) -> Vec<Scope> {
        match (&self.prompt, self.part) {
            (Some(prompt), _) if prompt.asks_to_replace() => vec![Scope::Confirm],
            (Some(_), _) => vec![Scope::Input],
            (None, Part::Form) => vec![Scope::Form, Scope::Export],
            (None, Part::Preview) => vec![Scope::Export],
        }
    }

    /// The field that takes what is typed.
    pub fn field(&mut self) -> Option<&mut TextField> {
        match &mut self.prompt {
            Some(prompt) if prompt.asks_to_replace() => None,
            Some(prompt) => Some(&mut prompt.field),
            None if self.part == Part::Form => self.build.field(),
            None => None,
        }
    }

    /// What was typed has changed.
    pub fn typed(&mut self, _desk: &mut UpdateCtx<'_>) {
        match &mut self.prompt {
            Some(prompt) => prompt.typed(),
            None => self.build.typed(),
        }
    }

    /// The service's own text of what is shown: exports are files, not documents.
    #[must_use]
    pub fn document(&self) -> Option<&Document> {
        None
    }

    /// Starts a form with these tags to include.
    pub fn seed(&mut self, tags: Vec<TagName>, ctx: &mut UpdateCtx<'_>) {
        let names: Vec<String> = tags.into_iter().map(|tag| tag.to_string()).collect();
        let words = match names.as_slice() {
            [] => "a new form; u brings the one before back".to_owned(),
            [only] => format!("a form with the tag {only}; u brings the one before back"),
            more => format!(
                "a form with {} tags; u brings the one before back",
                more.len()
            ),
        };
        let mut draft = Draft::default();
        draft.write(Param::Tags, names.join(", "));
        self.build.set(draft);
        (self.part, self.prompt) = (Part::Form, None);
        ctx.out.say(Tone::Info, words);
    }

    /// The request that the form makes.
    #[must_use]
    pub fn endpoint(&self) -> Endpoint {
        Endpoint::Export(self.build.query())
    }

    /// An answer came.
    pub fn answered(
        &mut self,
        job: JobId,
        question: &Question,
        result: Result<Answer, Error>,
        ctx: &mut UpdateCtx<'_>,
    ) {
        match (question, result) {
            (Question::IsThere(_), Ok(Answer::IsThere(there))) => {
                self.file_checked(job, Ok(there), ctx)
            }
            (Question::IsThere(_), Err(error)) => self.file_checked(job, Err(error), ctx),
            (Question::Export(run), Ok(Answer::Exported(exported))) => {
                self.exported(run, exported, ctx)
            }
            (Question::Preview(query), result) => {
                let shown = sample(result, Origin::Server, query.clone());
                self.sampled(job, shown);
            }
            (Question::Sample(run), result) => {
                if let Some(exported) = self.exported.clone() {
                    let shown = sample(result, Origin::File(exported), run.query.clone());
                    self.sampled(job, shown);
                }
            }
            // Why an export failed, the list of jobs says.
            _ => {}
        }
    }

    /// An export ended well; the one that was started last shows its rows.
    fn exported(&mut self, run: &ExportRun, exported: Exported, ctx: &mut UpdateCtx<'_>) {
        if self.run.as_ref() != Some(run) {
            return;
        }
        self.exported = Some(exported);
        if run.query.output != Output::Mmdb {
            self.preview
                .begin(ctx.out.ask(Question::Sample(run.clone())));
        }
    }

    fn sampled(&mut self, job: JobId, shown: Option<Result<Shown, Error>>) {
        if let Some(shown) = shown
            && self.preview.finish(job, shown)
            && self.preview.error().is_none()
        {
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
        ctx.jobs.start(label, Question::Export(run), ctx.out);
    }
}

/// Rows, with where they come from.
fn sample(
    result: Result<Answer, Error>,
    origin: Origin,
    query: crate::contract::ExportQuery,
) -> Option<Result<Shown, Error>> {
    match result {
        Ok(Answer::Sample(sample)) => Some(Ok(Shown {
            origin,
            query,
            sample,
        })),
        Ok(_) => None,
        Err(error) => Some(Err(error)),
    }
}
