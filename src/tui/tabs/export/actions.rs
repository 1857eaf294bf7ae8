//! What keys do in the Export tab.

use super::{
    ExportTab, Part,
    draft::Item,
    preview::{self, Shown},
    prompt::Prompt,
    view,
};
use crate::{
    contract::LookupQuery,
    engine::ExportRun,
    report::{defanged, export_note},
    tui::{
        ctx::{
            UpdateCtx,
            cmd::Cmd,
            intent::{Intent, Yank},
            jobs::Jobs,
            place::Place,
            request::{JobId, Question},
        },
        ui::{cursor::Motion, theme::Tone},
    },
};

impl ExportTab {
    /// Does what a person wants; says whether it is this tab's business.
    pub fn act(&mut self, intent: Intent, ctx: &mut UpdateCtx<'_>) -> bool {
        if self.prompt.is_some() {
            return self.act_on_prompt(intent, ctx);
        }
        match intent {
            Intent::RunExport => self.ask_for_file(ctx),
            Intent::ServerPreview => self.ask_service(ctx),
            Intent::Undo => self.undo(ctx),
            Intent::Redo => self.redo(ctx),
            Intent::Cancel => return self.cancel(ctx),
            _ => {
                return match self.part {
                    Part::Form => self.act_on_form(intent, ctx),
                    Part::Preview => self.act_on_preview(intent, ctx),
                };
            }
        }
        true
    }

    fn act_on_form(&mut self, intent: Intent, ctx: &mut UpdateCtx<'_>) -> bool {
        let typing = self.build.is_typing();
        match intent {
            Intent::NextPane | Intent::Go(Motion::Down) => {
                if !self.build.next() && self.has_rows() {
                    self.go_to_rows();
                }
            }
            Intent::PreviousPane | Intent::Go(Motion::Up) => {
                if !self.build.previous() && self.has_rows() {
                    self.go_to_rows();
                }
            }
            // Keys of readline mean something to the field already.
            Intent::Go(_) if typing => {}
            Intent::NextChoice | Intent::Go(Motion::Right) => self.build.step(Motion::Right),
            Intent::PreviousChoice | Intent::Go(Motion::Left) => self.build.step(Motion::Left),
            Intent::Go(Motion::First) => self.build.focus_on(Item::Feed),
            Intent::Go(Motion::Last) => self.build.focus_on(Item::last()),
            Intent::Go(_) => {}
            Intent::Toggle if self.build.begin_typing() => {}
            Intent::Toggle => self.build.toggle(),
            Intent::Open => self.build.enter(),
            // What is pasted goes into the field where one is, rather than to a lookup.
            Intent::Input => return self.build.begin_typing(),
            Intent::Escape if typing => self.build.stop_typing(),
            Intent::Escape => return self.stop_waiting(ctx),
            _ => return false,
        }
        true
    }

    fn act_on_preview(&mut self, intent: Intent, ctx: &mut UpdateCtx<'_>) -> bool {
        let rows = self.rows();
        match intent {
            Intent::Go(motion) => {
                let height = view::preview::height(ctx.body, self);
                self.cursor.step(motion, rows, height);
            }
            Intent::Open => self.look_up(ctx),
            Intent::NextPane => self.go_to_field(Item::Feed),
            Intent::PreviousPane => self.go_to_field(Item::last()),
            Intent::Escape => self.go_to_field(self.build.focus()),
            _ => return false,
        }
        true
    }

    fn act_on_prompt(&mut self, intent: Intent, ctx: &mut UpdateCtx<'_>) -> bool {
        let Some(prompt) = &mut self.prompt else {
            return false;
        };
        match intent {
            Intent::Yes => {
                let run = prompt.run(true);
                self.start(run, ctx);
            }
            Intent::No => prompt.typed(),
            Intent::Escape => self.prompt = None,
            Intent::Open | Intent::RunExport => prompt.enter(&ctx.facts.working_dir, ctx.out),
            Intent::Tab(_) | Intent::Help | Intent::Palette | Intent::Messages | Intent::Jobs => {
                return false;
            }
            _ => {}
        }
        true
    }

    fn go_to_rows(&mut self) {
        self.build.stop_typing();
        self.part = Part::Preview;
    }

    fn go_to_field(&mut self, item: Item) {
        self.part = Part::Form;
        self.build.focus_on(item);
    }

    /// How many rows are shown.
    pub(super) fn rows(&self) -> usize {
        let shown = self.preview.value();
        shown.map_or(0, |shown| shown.sample.rows.len())
    }

    fn has_rows(&self) -> bool {
        self.rows() > 0
    }

    fn undo(&mut self, ctx: &mut UpdateCtx<'_>) {
        if !self.build.undo() {
            ctx.out.say(Tone::Info, "there is no change to take back");
        }
    }

    fn redo(&mut self, ctx: &mut UpdateCtx<'_>) {
        if !self.build.redo() {
            ctx.out.say(Tone::Info, "there is no change to make again");
        }
    }

    /// Says why the form cannot be sent and goes to the field at fault; says whether it is so.
    fn is_refused(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        let Some(check) = self.build.refusal() else {
            return false;
        };
        let (words, at) = (format!("{}: nothing was sent", check.words), check.at);
        ctx.out.say(Tone::Error, words);
        self.go_to_field(at.unwrap_or(Item::Feed));
        true
    }

    fn ask_for_file(&mut self, ctx: &mut UpdateCtx<'_>) {
        if !self.is_refused(ctx) {
            self.prompt = Some(Prompt::new(self.build.query(), ctx.out.now));
        }
    }

    fn ask_service(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.is_refused(ctx) {
            return;
        }
        match preview::of(&self.build.query()) {
            Ok(few) => {
                self.stop_waiting(ctx);
                self.preview.begin(ctx.out.ask(Question::Preview(few)));
            }
            Err(conflict) => {
                let words = format!("{conflict}: a few rows cannot be asked for");
                ctx.out.say(Tone::Warn, words);
            }
        }
    }

    /// Stops waiting for rows; says whether they were waited for.
    fn stop_waiting(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        let job = self.preview.cancel();
        if let Some(job) = job {
            ctx.out.cmd(Cmd::Cancel(job));
        }
        job.is_some()
    }

    /// Stops what is under way here; says whether anything was.
    fn cancel(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        if self.stop_waiting(ctx) {
            return true;
        }
        let Some(job) = self.run.as_ref().and_then(|run| open_job(run, ctx.jobs)) else {
            return false;
        };
        ctx.jobs.cancel(job, ctx.out);
        true
    }

    /// Looks the address of the selected row up.
    fn look_up(&mut self, ctx: &mut UpdateCtx<'_>) {
        let Some((shown, row)) = self.selected() else {
            return;
        };
        match shown.address(row) {
            Some(address) => {
                ctx.out.go = Some(Place::Address(LookupQuery::now(address)));
            }
            None => ctx
                .out
                .say(Tone::Info, "this row names no single address to look up"),
        }
    }

    /// The row under the cursor.
    pub(super) fn selected(&self) -> Option<(&Shown, usize)> {
        let shown = self.preview.value()?;
        let row = self.cursor.selected(shown.sample.rows.len())?;
        Some((shown, row))
    }

    /// Copies something; says whether there was something of that kind.
    pub fn yank(&mut self, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
        let row = self.selected().filter(|_| self.part == Part::Preview);
        let address = row.and_then(|(shown, row)| shown.address(row));
        let endpoint = self.endpoint();
        match (what, address, row) {
            (Yank::Curl, ..) => ctx
                .out
                .copy("the request as curl", ctx.facts.curl(&endpoint)),
            (Yank::Value, ..) => ctx
                .out
                .copy("the URL", view::request::url(&endpoint, ctx.facts)),
            (Yank::Ticket, ..) => {
                let note = self.note(ctx);
                ctx.out.copy_lines("a note on the export", note);
            }
            (Yank::Address, Some(address), _) => {
                ctx.out.copy(address.to_string(), address.to_string());
            }
            (Yank::Defanged, Some(address), _) => ctx
                .out
                .copy("the address, defanged,", defanged(&address.to_string())),
            (Yank::Row, _, Some((shown, row))) => {
                let Some(cells) = shown.cells(row) else {
                    return false;
                };
                ctx.out.copy_cells("the row", cells);
            }
            _ => return false,
        }
        true
    }

    /// What is asked for, and what came of it, as Markdown.
    fn note(&self, ctx: &UpdateCtx<'_>) -> String {
        let query = self.build.query();
        let url = view::request::url(&self.endpoint(), ctx.facts);
        let answered = self.run.as_ref().is_some_and(|run| run.query == query);
        let exported = self.exported.as_ref().filter(|_| answered);
        export_note(query.feed, &url, exported)
    }
}

/// The job of an export that can still be stopped.
fn open_job(run: &ExportRun, jobs: &Jobs) -> Option<JobId> {
    let job = jobs.of(&Question::Export(run.clone()))?;
    job.is_open().then_some(job.id)
}
