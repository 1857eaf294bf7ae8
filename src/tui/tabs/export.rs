//! The Export tab: a form over all parameters of an export, its checks, its request, and the rows that come out of it.

mod actions;
mod areas;
mod build;
mod checks;
mod completion;
mod draft;
mod history;
mod local;
mod presets;
mod preview;
mod price;
mod prompt;
mod results;
mod tab;
#[cfg(test)]
mod tests;
pub mod view;
mod vocabulary;

use crate::{
    contract::{Endpoint, ExportField, ExportQuery, Host, Output},
    engine::{ExportFileRun, ExportRun, PastRun, Preset},
    model::visible,
    report::{count, export_difference, export_outcome, minute},
    tui::{
        ctx::{Asked, Facts, Job, JobId, Jobs, OmittedConditions, Question, TabReply, UpdateCtx},
        ui::{Cursor, Tone, words},
    },
};
use build::Build;
use draft::Draft;
use local::LocalMatches;
use preview::PreviewRows;
use price::Price;
use results::{ExportProvenance, ResultsTable};

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

impl ExportFocus {
    /// All, in order; as panes they are numbered like this.
    const ALL: [Self; 4] = [Self::Form, Self::Preview, Self::Checks, Self::Request];
}

/// An export that was started, and its outcome.
#[derive(Debug)]
struct StartedExport {
    job: JobId,
    run: ExportRun,
    /// Whether it is one of the local release.
    is_local: bool,
    /// The records that the local release was to give for it, as they were counted when it started.
    counted: Option<u64>,
    exported: Option<ExportFileRun>,
}

#[derive(Debug, Default)]
pub struct ExportTab {
    part: ExportFocus,
    build: Build,
    /// The export that was started last.
    run: Option<StartedExport>,
    /// What is local of what the form asks for.
    local: LocalMatches,
    /// A few rows from the service.
    preview: Asked<Question, PreviewRows>,
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
    fn seed(&mut self, query: &ExportQuery, omitted: &OmittedConditions, ctx: &mut UpdateCtx<'_>) {
        let opened = match query.tags.as_slice() {
            [] => "a new form".to_owned(),
            [only] => format!("a form with the tag {only}"),
            more => format!("a form with {} tags", more.len()),
        };
        let mut draft = query.clone();
        draft.header = true;
        self.build.seed(Draft::of(&draft), omitted.clone());
        self.part = ExportFocus::Form;
        let text = format!("{opened}; u restores the previous form");
        ctx.out.say(Tone::Info, text);
        // The last words are those that are shown.
        for text in &omitted.words {
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

    /// The URL of the request; a name stands for an address that is not configured.
    fn url(&self, facts: &Facts) -> String {
        let base = facts.url(Host::Exports).map(str::to_owned);
        let base = base.unwrap_or_else(|| format!("{{{}}}", Host::Exports.key()));
        format!("{base}{}", self.request().target())
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

    /// How many rows are shown.
    fn rows(&self) -> usize {
        self.shown().map_or(0, |shown| shown.sample.rows.len())
    }

    /// The row under the cursor.
    fn selected(&self) -> Option<(&PreviewRows, usize)> {
        let shown = self.shown()?;
        let row = self.cursor.selected(shown.sample.rows.len())?;
        Some((shown, row))
    }

    /// Asks for what follows from the form and the cursor.
    fn update(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.note_run(ctx.jobs);
        let sought = self.build.sought();
        self.local.follow(&self.build.query(), sought, ctx);
        self.note_count();
        if let Some(results) = self.open_rows_mut() {
            results.follow(ctx);
        }
        self.price.follow(self.address(), ctx);
    }

    /// Notes an export that was started since.
    fn note_run(&mut self, jobs: &Jobs) {
        let newest = jobs.all().iter().rev().find_map(|job| match &job.question {
            Question::Export(run) => Some((job.id, run, false)),
            Question::ExportLocal(run) => Some((job.id, run, true)),
            _ => None,
        });
        let last = self.run.as_ref().map(|export| export.job);
        if let Some((job, run, is_local)) = newest
            && last.is_none_or(|last| last < job)
        {
            self.run = Some(StartedExport {
                job,
                run: run.clone(),
                is_local,
                counted: None,
                exported: None,
            });
        }
    }

    /// Keeps what the local release was to give for the export that is under way, as soon as that is counted.
    fn note_count(&mut self) {
        // Collapsed networks are not counted: they come out of the rows. What is local is not compared with itself.
        if let Some(export) = &mut self.run
            && export.counted.is_none()
            && export.exported.is_none()
            && !export.is_local
            && !export.run.query.asks_for(ExportField::Network)
        {
            export.counted = self.local.settled(&export.run.query);
        }
    }

    /// How many records came of an export where so many were counted locally, in words.
    fn compared(&self, run: &ExportRun) -> Option<String> {
        let export = self.run.as_ref().filter(|export| export.run == *run)?;
        let records = export.exported.as_ref()?.records?;
        Some(export_difference(export.counted?, records))
    }

    /// An export ended well; the one that was started last shows its rows.
    fn exported(&mut self, run: &ExportRun, exported: ExportFileRun, ctx: &mut UpdateCtx<'_>) {
        let Some(export) = self.run.as_mut().filter(|export| export.run == *run) else {
            return;
        };
        if run.query.output != Output::Mmdb {
            let outcome = export_outcome(&exported);
            let mut results = ResultsTable::of(run.clone(), outcome, Some((&exported).into()));
            results.follow(ctx);
            self.results = Some(results);
        }
        export.exported = Some(exported);
    }

    /// The job of the export that was started last.
    fn job<'j>(&self, jobs: &'j Jobs) -> Option<&'j Job> {
        let id = self.run.as_ref()?.job;
        jobs.all().iter().find(|job| job.id == id)
    }

    /// The rows where they replace the form.
    fn open_rows(&self) -> Option<&ResultsTable> {
        self.results.as_ref().filter(|results| results.is_open)
    }

    fn open_rows_mut(&mut self) -> Option<&mut ResultsTable> {
        self.results.as_mut().filter(|results| results.is_open)
    }

    /// Opens the rows of the export that was run last.
    fn show_rows(&mut self) {
        self.build.stop_typing();
        if let Some(results) = &mut self.results {
            results.is_open = true;
        }
    }

    /// Shows the rows of an export that was run before.
    fn show_past(&mut self, past: &PastRun) {
        let records = past.records.map_or_else(String::new, |records| {
            format!("{} records, ", count(records))
        });
        let file = past.file.display().to_string();
        let outcome = format!("{records}{} in {}", minute(past.at), visible(&file));
        let run = ExportRun {
            query: past.query.clone(),
            file: past.file.clone(),
            force: false,
            spreadsheet_safe: false,
        };
        let answered = ExportProvenance {
            is_local: past.is_local,
            release: past.release,
            at: past.at,
        };
        self.results = Some(ResultsTable::of(run, outcome, Some(answered)));
        self.show_rows();
    }

    /// Shows the rows of a file as they were left.
    fn show_rows_of(&mut self, run: &ExportRun) {
        let is_here = |results: &ResultsTable| results.run == *run;
        if !self.results.as_ref().is_some_and(is_here) {
            let outcome = visible(&run.file.display().to_string()).into_owned();
            self.results = Some(ResultsTable::of(run.clone(), outcome, None));
        }
        self.show_rows();
    }

    /// Takes rows. The first ones of an export open the table, unless something else has been begun meanwhile.
    fn rows_came(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) {
        let query = self.build.query();
        let Some(results) = &mut self.results else {
            return;
        };
        let is_first = results.head().is_none();
        let is_of_rows = results.list.rows().pending() == Some(reply.job);
        results.list.settle(reply, ctx);
        if !is_of_rows || results.is_open {
            return;
        }
        if let Some(error) = results.list.rows().error() {
            let words = format!("its rows cannot be shown: {}", error.message);
            ctx.out.say(Tone::Warn, words);
        } else if is_first && !ctx.is_covered && query == results.run.query {
            self.part = ExportFocus::Form;
            self.show_rows();
        }
    }

    /// Shows the form in place of the rows, which stay as they are; returns the export that they are of.
    fn put_rows_aside(&mut self, ctx: &mut UpdateCtx<'_>) -> Option<ExportRun> {
        let results = self.open_rows_mut()?;
        results.cancel(ctx);
        results.is_open = false;
        Some(results.run.clone())
    }
}
