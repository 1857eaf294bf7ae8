//! The gestures of the Export tab, in the form, the preview and the panes beside them.

use super::{
    ExportFocus, ExportTab,
    areas::ExportAreas,
    draft::DraftField,
    overlay::FormOverlay,
    preview::{self, PreviewRows},
    prompt::Prompt,
    view,
};
use crate::{
    engine::Preset,
    report::export_note,
    tui::{
        ctx::{
            UpdateCtx,
            intent::Gesture,
            jobs::Jobs,
            request::{JobId, Question},
            trail::TrailStop,
        },
        ui::{cursor::Motion, theme::Tone},
    },
};

impl ExportTab {
    /// Does what means something in any tab; returns whether it does here.
    pub(super) fn on_gesture(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        let done = self.gestured(gesture, ctx);
        self.follow(ctx);
        done
    }

    fn gestured(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        if self.over.is_some() {
            self.on_over(gesture, ctx);
            return true;
        }
        if self.prompt.is_some() {
            self.on_prompt(gesture, ctx);
            return true;
        }
        if self.open_rows().is_some() {
            return self.on_rows(gesture, ctx);
        }
        match gesture {
            Gesture::Undo => self.undo(ctx),
            Gesture::Redo => self.redo(ctx),
            Gesture::Cancel => return self.cancel(ctx),
            _ => {
                return match self.part {
                    ExportFocus::Form => self.on_form(gesture, ctx),
                    ExportFocus::Preview => self.on_preview(gesture, ctx),
                    ExportFocus::Checks | ExportFocus::Request => self.on_other(gesture, ctx),
                };
            }
        }
        true
    }

    fn on_form(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        let typing = self.build.is_typing();
        match gesture {
            Gesture::Go(motion) if self.build.choose_name(motion) => {}
            Gesture::NextPane | Gesture::Go(Motion::Down) => {
                if !self.build.next() {
                    self.turn(1, ctx);
                }
            }
            Gesture::PreviousPane | Gesture::Go(Motion::Up) => {
                if !self.build.previous() {
                    self.turn(-1, ctx);
                }
            }
            Gesture::Go(Motion::To(field)) => self.build.go_to(field),
            // Keys of readline mean something to the field already.
            Gesture::Go(_) if typing => {}
            Gesture::Go(Motion::Right) => self.build.step(Motion::Right),
            Gesture::Go(Motion::Left) => self.build.step(Motion::Left),
            Gesture::Go(Motion::First) => self.build.focus_on(DraftField::Feed),
            Gesture::Go(Motion::Last) => self.build.focus_on(DraftField::last()),
            Gesture::Go(_) => {}
            Gesture::Open => self.build.enter(),
            // What is pasted goes into the field where one is, rather than to a lookup.
            Gesture::Input => return self.build.begin_typing(),
            Gesture::Escape if typing => self.build.stop_typing(),
            Gesture::Escape => return ctx.stop(&mut self.preview),
            _ => return false,
        }
        true
    }

    fn on_preview(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        let rows = self.rows();
        match gesture {
            Gesture::Go(motion) => {
                self.cursor.step(motion, rows);
            }
            Gesture::Open => self.look_up(ctx),
            _ => return self.on_other(gesture, ctx),
        }
        true
    }

    /// What holds in each part but the form.
    fn on_other(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        match gesture {
            Gesture::NextPane => self.turn(1, ctx),
            Gesture::PreviousPane => self.turn(-1, ctx),
            Gesture::Escape => self.go_to_field(self.build.focus()),
            _ => return false,
        }
        true
    }

    /// From the form or the rows to the checks, from there to the request, from there to the form.
    pub(super) fn next_aside(&mut self) {
        self.build.stop_typing();
        match self.part {
            ExportFocus::Form | ExportFocus::Preview => self.part = ExportFocus::Checks,
            ExportFocus::Checks => self.part = ExportFocus::Request,
            ExportFocus::Request => self.go_to_field(self.build.focus()),
        }
    }

    /// The parts that can have the focus, in order.
    fn parts(&self, ctx: &UpdateCtx<'_>) -> Vec<ExportFocus> {
        if ExportAreas::is_narrow(ctx.body) {
            vec![
                ExportFocus::Form,
                ExportFocus::Preview,
                ExportFocus::Checks,
                ExportFocus::Request,
            ]
        } else if self.has_rows() {
            vec![ExportFocus::Form, ExportFocus::Preview]
        } else {
            vec![ExportFocus::Form]
        }
    }

    /// Goes to the next part, or to the one before.
    fn turn(&mut self, step: isize, ctx: &UpdateCtx<'_>) {
        let parts = self.parts(ctx);
        let here = parts
            .iter()
            .position(|part| *part == self.part)
            .unwrap_or_default();
        let next = here.wrapping_add_signed(step + parts.len().cast_signed()) % parts.len();
        self.build.stop_typing();
        self.part = parts[next];
        if self.part == ExportFocus::Form {
            self.go_to_field(if step > 0 {
                DraftField::Feed
            } else {
                DraftField::last()
            });
        }
    }

    fn on_prompt(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) {
        let Some(prompt) = &mut self.prompt else {
            return;
        };
        match gesture {
            Gesture::Yes => {
                let (run, is_local) = (prompt.run(true), prompt.is_local);
                self.start(run, is_local, ctx);
            }
            Gesture::No => prompt.typed(),
            Gesture::Escape => self.prompt = None,
            Gesture::Open => prompt.enter(ctx),
            _ => {}
        }
    }

    fn go_to_field(&mut self, item: DraftField) {
        self.part = ExportFocus::Form;
        self.build.focus_on(item);
    }

    /// How many rows are shown.
    pub(super) fn rows(&self) -> usize {
        self.shown().map_or(0, |shown| shown.sample.rows.len())
    }

    fn has_rows(&self) -> bool {
        self.rows() > 0
    }

    /// Undoes the last change: of the form, or a preset that was deleted.
    fn undo(&mut self, ctx: &mut UpdateCtx<'_>) {
        let changes = self.build.changes();
        let is_last = |(before, _): &(usize, _)| *before >= changes;
        if self.deleted.last().is_some_and(is_last) || !self.build.undo() {
            match self.deleted.pop() {
                Some((_, Preset { name, query })) => {
                    ctx.ask(Question::SavePreset(name, query));
                }
                None => ctx.out.say(Tone::Info, "nothing to undo"),
            }
        }
    }

    fn redo(&mut self, ctx: &mut UpdateCtx<'_>) {
        if !self.build.redo() {
            ctx.out.say(Tone::Info, "nothing to redo");
        }
    }

    /// Says why the form cannot be sent and goes to the field at fault; returns whether it is so.
    fn is_refused(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        let Some(check) = self.build.refusal() else {
            return false;
        };
        let (words, at) = (format!("{}: nothing was sent", check.words), check.at);
        ctx.out.say(Tone::Error, words);
        self.go_to_field(at.unwrap_or(DraftField::Feed));
        true
    }

    pub(super) fn ask_for_file(&mut self, is_local: bool, ctx: &mut UpdateCtx<'_>) {
        if self.is_refused(ctx) {
            return;
        }
        let query = self.build.query();
        self.prompt = Some(Prompt::new(query, is_local, ctx.out.now));
    }

    fn on_over(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) {
        match (&mut self.over, gesture) {
            (Some(FormOverlay::Choice(picker)), Gesture::Go(motion)) => picker.step(motion),
            (Some(FormOverlay::Choice(_)), Gesture::Open) => self.load_chosen(ctx),
            (Some(FormOverlay::Name(_)), Gesture::Open) => self.save_preset(ctx),
            (_, Gesture::Escape) => self.over = None,
            _ => {}
        }
    }

    pub(super) fn ask_service(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.is_refused(ctx) {
            return;
        }
        match preview::of(&self.build.query()) {
            Ok(few) => {
                ctx.stop(&mut self.preview);
                self.preview.begin(ctx.ask(Question::Preview(few)));
            }
            Err(conflict) => {
                let words = format!("{conflict}: the service cannot be asked for a few rows");
                ctx.out.say(Tone::Warn, words);
            }
        }
    }

    /// Stops what is under way here; returns whether anything was.
    fn cancel(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        if ctx.stop(&mut self.preview) {
            return true;
        }
        let Some(job) = self.running().and_then(|asked| open_job(&asked, ctx.jobs)) else {
            return false;
        };
        ctx.jobs.cancel(job, ctx.out);
        true
    }

    /// Looks the address of the selected row up.
    fn look_up(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some((shown, row)) = self.selected()
            && let Some(address) = shown.address(row)
        {
            // Back on the trail leads here.
            ctx.trail.visit(TrailStop::Form, ctx.out.now);
            ctx.out.go = Some(self.price.lead(address, ctx.facts, ctx.out.now));
        }
    }

    /// The row under the cursor.
    pub(super) fn selected(&self) -> Option<(&PreviewRows, usize)> {
        let shown = self.shown()?;
        let row = self.cursor.selected(shown.sample.rows.len())?;
        Some((shown, row))
    }

    /// What is asked for, and its outcome, as Markdown.
    pub(super) fn note(&self, ctx: &UpdateCtx<'_>) -> String {
        let query = self.build.query();
        let url = view::request::url(&self.request(), ctx.facts);
        let answered = self.run.as_ref().is_some_and(|run| run.query == query);
        let exported = self.exported.as_ref().filter(|_| answered);
        export_note(query.feed, &url, exported)
    }
}

/// The job of an export that can still be stopped.
fn open_job(asked: &Question, jobs: &Jobs) -> Option<JobId> {
    let job = jobs.of(asked)?;
    job.is_open().then_some(job.id)
}
