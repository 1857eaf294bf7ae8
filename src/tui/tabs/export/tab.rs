//! The Export tab, as the shell knows it.

use std::net::IpAddr;

use ratatui::{Frame, layout::Rect};

use super::{
    ExportFocus, ExportTab,
    actions::{EXPORT, ROWS},
    areas::ExportAreas,
    draft::{Draft, DraftField},
    local::{SampleRows, view_of},
    preview::{PreviewOrigin, PreviewRows},
    view,
};
use crate::{
    engine::{Error, ExportFileRun, SavedExports, views::ViewQuery},
    report::{export_note, minute},
    tui::{
        ctx::{
            AnyList, Destination, Facts, Flow, FromAnswer, Gesture, Price, Question, Rows, Scope,
            Subject, Tab, TabEvent, TabReply, TrailStop, UpdateCtx, ViewCtx, Why, Yank,
        },
        ui::{Cursor, Motion, PaneId, TextField, Tone},
    },
};

impl Tab for ExportTab {
    fn scopes(&self, _facts: &Facts) -> Vec<Scope> {
        match (self.open_rows(), self.part) {
            (Some(rows), _) if rows.typing.is_some() => vec![Scope::Filter],
            (Some(_), _) => vec![ROWS],
            (None, ExportFocus::Form) if self.build.is_typing() => {
                vec![Scope::FormText, Scope::Form, EXPORT]
            }
            (None, ExportFocus::Form) => vec![Scope::Form, EXPORT],
            (None, _) => vec![EXPORT],
        }
    }

    fn asked_records(&self) -> Option<ViewQuery> {
        let is_form = self.open_rows().is_none();
        is_form.then(|| view_of(&self.build.query()))
    }

    fn list(&self) -> Option<&dyn AnyList> {
        self.open_rows().map(|rows| rows as &dyn AnyList)
    }

    fn list_mut(&mut self) -> Option<&mut dyn AnyList> {
        self.open_rows_mut().map(|rows| rows as &mut dyn AnyList)
    }

    fn field(&mut self) -> Option<&mut TextField> {
        if self.open_rows().is_some() {
            return self.list_mut()?.field();
        }
        let is_form = self.part == ExportFocus::Form;
        is_form.then(|| self.build.field()).flatten()
    }

    fn hint(&self, gesture: Gesture) -> Option<&'static str> {
        let is_form = self.part == ExportFocus::Form && self.open_rows().is_none();
        let is_fix = is_form && gesture == Gesture::Open && self.build.offers_fix();
        is_fix.then_some("fix")
    }

    fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        if let Some(rows) = self.open_rows_mut() {
            if gesture == Gesture::Open && rows.typing.is_none() {
                self.look_up(ctx);
                return Flow::Done;
            }
            let flow = rows.on(gesture, ctx);
            if !matches!(flow, Flow::Close) {
                return flow;
            }
            let run = self.put_rows_aside(ctx).map(TrailStop::Rows);
            if run.is_some() && ctx.trail.here() == run.as_ref() {
                ctx.trail.back();
            }
            return Flow::Done;
        }
        match gesture {
            Gesture::Undo => self.undo(ctx),
            Gesture::Redo if self.build.redo() => {}
            Gesture::Redo => ctx.out.say(Tone::Info, "nothing to redo"),
            Gesture::Cancel => return self.cancel(ctx).into(),
            _ if self.part == ExportFocus::Form => return self.on_form(gesture, ctx).into(),
            Gesture::Go(motion) if self.part == ExportFocus::Preview => {
                self.cursor.step(motion, self.rows());
            }
            Gesture::Open => self.look_up(ctx),
            Gesture::NextPane => self.turn(1, ctx),
            Gesture::PreviousPane => self.turn(-1, ctx),
            Gesture::Escape => self.go_to_field(self.build.focus()),
            _ => return Flow::Ignored,
        }
        Flow::Done
    }

    fn when(&self, gesture: Gesture, ctx: &ViewCtx<'_>) -> Result<Price, Why> {
        let rows = self.open_rows();
        let is_filtered = rows.is_some_and(|rows| rows.typing.is_some());
        let why = match gesture {
            gesture if gesture.is_mark() && rows.is_none_or(|rows| rows.list.rows().is_empty()) => {
                "there is no row"
            }
            Gesture::NextPane if rows.is_some() => "the rows have no other pane",
            Gesture::Find if rows.is_none() || is_filtered => "there is nothing to search here",
            Gesture::Open => match (rows, self.part) {
                (Some(_), _) if is_filtered => return Ok(None),
                (None, ExportFocus::Form) => return Ok(None),
                (None, ExportFocus::Checks | ExportFocus::Request) => "nothing to open here",
                _ => match self.address() {
                    Some(address) => {
                        let lead = self.price.lead(address, ctx.now);
                        return Ok(lead.price(ctx.facts).map(Into::into));
                    }
                    None if rows.is_some_and(|rows| rows.list.row().is_some())
                        || rows.is_none() && self.selected().is_some() =>
                    {
                        "this row is about a network: there is no single address to look up"
                    }
                    None => "there is no row",
                },
            },
            _ => return Ok(None),
        };
        Err(why.into())
    }

    fn copy(&mut self, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
        if let Some(done) = self.open_rows().and_then(|rows| rows.copy(what, ctx)) {
            return done;
        }
        match what {
            Yank::Value => ctx.out.copy("the URL", self.url(ctx.facts)),
            Yank::Ticket => {
                let query = self.build.query();
                let run = self.run.as_ref().filter(|export| export.run.query == query);
                let exported = run.and_then(|export| export.exported.as_ref());
                let note = export_note(query.feed, &self.url(ctx.facts), exported);
                ctx.out.copy_lines("a note on the export", note);
            }
            Yank::Row if self.part == ExportFocus::Preview => {
                let Some(cells) = self.selected().and_then(|(shown, row)| shown.cells(row)) else {
                    return false;
                };
                ctx.out.copy_cells("the row", cells);
            }
            _ => return false,
        }
        true
    }

    fn handle(&mut self, event: TabEvent<'_>, ctx: &mut UpdateCtx<'_>) -> Flow {
        match event {
            TabEvent::Answered(reply) => self.answered(*reply, ctx),
            TabEvent::Typed if self.open_rows().is_none() => {
                self.build.typed();
                // It was about the form before.
                ctx.out.on_page = true;
            }
            TabEvent::Home => {
                self.put_rows_aside(ctx);
                self.part = ExportFocus::Form;
            }
            // What was never counted is counted when the tab comes to the front.
            TabEvent::LocalChanged if self.local.is_untouched() => {}
            TabEvent::Arrived | TabEvent::LocalChanged => {
                self.local.count_again(&self.build.query(), ctx);
            }
            TabEvent::Changed => self.update(ctx),
            TabEvent::Left => self.build.forget_omitted(),
            TabEvent::Opened(place) => self.open(&place, ctx),
            TabEvent::Shown(place) => self.open(place, ctx),
            TabEvent::Pointed(pane) => self.point_at(pane, ctx),
            TabEvent::MovedIn(pane, motion) => return self.move_in_pane(pane, motion),
            _ => return Flow::Ignored,
        }
        Flow::Done
    }

    fn subject(&self) -> Subject<'_> {
        Subject {
            address: self.address(),
            endpoint: Some(self.request()),
            ..Subject::default()
        }
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) -> Rect {
        view::draw(frame, area, self, ctx)
    }
}

impl ExportTab {
    /// Handles the answer to a question.
    fn answered(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) {
        match reply.question {
            Question::Export(run) | Question::ExportLocal(run) => {
                // The list of jobs shows why an export failed.
                if let Ok(exported) = ExportFileRun::of_result(reply.result) {
                    self.note_run(ctx.jobs);
                    self.exported(run, exported, ctx);
                }
            }
            Question::Page(..) => {
                self.local.page.settle(reply);
                self.note_count();
            }
            Question::Facets(view, ..) => {
                if self.local.values.settle(reply).is_some() {
                    return;
                }
                let counts = self.local.values.answer().map(Vec::as_slice);
                self.build.learn(|words| words.count(view.feed, counts));
                // Rarer ones are to be put beside the new ones.
                self.local.rare.expire(ctx);
            }
            Question::Values(view, field, ..) => {
                if self.local.rare.settle(reply).is_none()
                    && let Some(rare) = self.local.rare.answer()
                {
                    self.build.learn(|words| words.add(view.feed, *field, rare));
                }
            }
            Question::ExportRows(..) => self.rows_came(reply, ctx),
            Question::SavedExports | Question::SavePreset(..) | Question::DeletePreset(_) => {
                self.saved(reply.question, SavedExports::of_result(reply.result), ctx);
            }
            Question::LocalTags => {
                if self.local.tags.settle(reply).is_none()
                    && let Some(tags) = self.local.tags.answer()
                {
                    self.build.learn(|words| words.read(tags));
                }
            }
            Question::LocalPreview(query) => {
                let read = |preview| SampleRows::new(query.clone(), preview);
                let is_new = self.local.rows.settle_with(reply, read).is_none();
                let is_local =
                    |shown: &PreviewRows| matches!(shown.origin, PreviewOrigin::Local(_));
                if is_new && self.shown().is_some_and(is_local) {
                    self.cursor = Cursor::default();
                }
                self.note_count();
            }
            Question::Preview(query) => {
                let read = |sample| PreviewRows {
                    origin: PreviewOrigin::Server,
                    query: query.clone(),
                    sample,
                };
                if self.preview.settle_with(reply, read).is_none() && self.preview.error().is_none()
                {
                    self.cursor = Cursor::default();
                }
            }
            Question::Sources(_) => self.price.settle(reply),
            _ => {}
        }
    }

    fn open(&mut self, place: &Destination, ctx: &mut UpdateCtx<'_>) {
        let (query, label) = match place {
            Destination::Export(query, omitted) => {
                self.seed(query, omitted, ctx);
                return self.local.count_again(&self.build.query(), ctx);
            }
            Destination::Rows(run) => return self.show_rows_of(run),
            Destination::Preset(preset) => (&preset.query, preset.name.clone()),
            Destination::PastRun(run) => (&run.query, format!("run {}", minute(run.at))),
            _ => {
                self.put_rows_aside(ctx);
                return;
            }
        };
        self.build.set(Draft::of(query));
        let words = format!("{label} loaded; u brings the form before back");
        ctx.out.say(Tone::Ok, words);
    }

    /// The address under the cursor.
    pub(super) fn address(&self) -> Option<IpAddr> {
        if let Some(results) = self.open_rows() {
            return results.address();
        }
        let (shown, row) = self
            .selected()
            .filter(|_| self.part == ExportFocus::Preview)?;
        shown.address(row)
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
            Gesture::Go(motion @ (Motion::Left | Motion::Right)) => self.build.step(motion),
            Gesture::Go(Motion::First) => self.build.focus_on(DraftField::Feed),
            Gesture::Go(Motion::Last) => self.build.focus_on(DraftField::last()),
            Gesture::Go(_) => {}
            Gesture::Open => self.build.enter(),
            // What is pasted goes into the field where one is, rather than to a lookup.
            Gesture::Input => return self.build.begin_typing(),
            Gesture::Escape if typing => self.build.stop_typing(),
            Gesture::Escape => return self.preview.stop(ctx),
            _ => return false,
        }
        true
    }

    /// Goes to the next part that can have the focus, or to the one before.
    fn turn(&mut self, step: isize, ctx: &UpdateCtx<'_>) {
        let parts = if ExportAreas::is_narrow(ctx.body) {
            &ExportFocus::ALL[..]
        } else if self.rows() > 0 {
            &ExportFocus::ALL[..2]
        } else {
            &ExportFocus::ALL[..1]
        };
        let here = parts.iter().position(|part| *part == self.part);
        let here = here.unwrap_or_default();
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

    pub(super) fn go_to_field(&mut self, item: DraftField) {
        self.part = ExportFocus::Form;
        self.build.focus_on(item);
    }

    /// Lets keys go to a pane: rows that are not there take none.
    fn point_at(&mut self, pane: PaneId, ctx: &UpdateCtx<'_>) {
        let part = ExportFocus::ALL.get(usize::from(pane)).copied();
        let Some(part) = part.filter(|part| *part != self.part && self.open_rows().is_none())
        else {
            return;
        };
        if part != ExportFocus::Preview || self.rows() > 0 || ExportAreas::is_narrow(ctx.body) {
            self.build.stop_typing();
            self.part = part;
        }
    }

    /// Moves in a pane, wherever keys go. Of the form it is what is in view that moves: its fields are chosen by clicks.
    fn move_in_pane(&mut self, pane: PaneId, motion: Motion) -> Flow {
        if self.open_rows().is_some() {
            return Flow::Ignored;
        }
        match ExportFocus::ALL.get(usize::from(pane)) {
            Some(ExportFocus::Preview) => {
                self.cursor.step(motion, self.rows());
            }
            Some(ExportFocus::Form) => {
                self.build.scroll(motion);
            }
            _ => {}
        }
        Flow::Done
    }

    /// Undoes the last change: of the form, or a preset that was deleted.
    fn undo(&mut self, ctx: &mut UpdateCtx<'_>) {
        let changes = self.build.changes();
        let is_last = self
            .deleted
            .last()
            .is_some_and(|(before, _)| *before >= changes);
        if is_last || !self.build.undo() {
            match self.deleted.pop() {
                Some((_, preset)) => {
                    ctx.ask(Question::SavePreset(preset.name, preset.query));
                }
                None => ctx.out.say(Tone::Info, "nothing to undo"),
            }
        }
    }

    /// Stops what is under way here; returns whether anything was.
    fn cancel(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        if self.preview.stop(ctx) {
            return true;
        }
        let job = self.job(ctx.jobs).filter(|job| job.is_open());
        let Some(job) = job.map(|job| job.id) else {
            return false;
        };
        ctx.jobs.cancel(job, ctx.out);
        true
    }

    /// Looks the address under the cursor up.
    pub(super) fn look_up(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some(address) = self.address() {
            // Back on the trail leads here.
            let rows = self.open_rows();
            let here = rows.map_or(TrailStop::Form, |rows| TrailStop::Rows(rows.run.clone()));
            ctx.trail.visit(here, ctx.out.now);
            ctx.out.go = Some(self.price.lead(address, ctx.out.now));
        }
    }

    /// What is saved was read, or has changed.
    fn saved(
        &mut self,
        question: &Question,
        result: Result<SavedExports, Error>,
        ctx: &mut UpdateCtx<'_>,
    ) {
        let saved = match result {
            Ok(saved) => saved,
            Err(error) => return ctx.out.say(Tone::Error, error.message),
        };
        match question {
            Question::SavePreset(name, _) => {
                self.deleted.retain(|(_, preset)| preset.name != *name);
                let presets = saved.presets.len();
                let words = format!("preset {name} saved; O loads ({presets})");
                ctx.out.say(Tone::Ok, words);
            }
            Question::DeletePreset(preset) => {
                self.deleted.push((self.build.changes(), preset.clone()));
                let name = &preset.name;
                let words = format!("preset {name} deleted; u in the form brings it back");
                ctx.out.say(Tone::Ok, words);
            }
            _ if saved.presets.is_empty() && saved.runs.is_empty() => {
                let words = "no preset is saved and no export was run: w saves this form";
                ctx.out.say(Tone::Info, words);
            }
            _ => {}
        }
    }
}
