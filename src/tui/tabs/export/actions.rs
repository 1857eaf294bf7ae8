//! What keys do in the Export tab.

use crossterm::event::KeyCode;

use super::{
    ExportFocus, ExportTab,
    draft::DraftField,
    presets::{PresetName, SAVED, saved_forms},
    preview,
    prompt::FilePrompt,
};
use crate::{
    engine::PullQuery,
    tui::{
        ctx::{
            Actions, Binding, Chord, Destination, Flow, Gesture, Question, Scope, UpdateCtx,
            ViewCtx, Why,
            binding::{
                also, char, key, quiet,
                rank::{FIRST, LATER, SOON},
                shown,
            },
            intent::Intent::{Action, Shared},
            subject,
        },
        ui::{Motion, Tone},
    },
};

pub(super) const EXPORT: Scope = Scope::Tab("Export");
pub(super) const ROWS: Scope = Scope::Tab("Export rows");
/// What this tab alone can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExportAction {
    /// Download the feed, so that it can be counted.
    Download,
    /// A few rows from the service.
    ServerPreview,
    Run,
    /// Run the export on the local release.
    RunLocally,
    /// Keep the form under a name.
    SavePreset,
    /// Choose a preset or an earlier run.
    LoadPreset,
    DeletePreset,
    /// Show the rows of the export that was run last.
    Rows,
    /// Show the rows of the chosen run.
    PastRows,
    /// Go to the checks, from there to the request, from there to the form.
    Checks,
    /// Switch a field of the form.
    Toggle,
    /// The next choice of a field.
    NextChoice,
    PreviousChoice,
}

impl Actions for ExportTab {
    type Action = ExportAction;

    #[rustfmt::skip]
    const KEYS: &'static [Binding<ExportAction>] = &[
        shown(EXPORT, char('S'), Action(ExportAction::ServerPreview), SOON, "server preview (free)", "ask the service for 12 rows: free").sends(),
        quiet(EXPORT, char('p'), Action(ExportAction::Download), "download the feed, so that matches are counted locally").sends(),
        shown(Scope::Form, Chord::control('s'), Action(ExportAction::Run), FIRST, "run (free)", "run the export on the service, to a file: free").sends(),
        shown(Scope::Form, Chord::control('o'), Action(ExportAction::RunLocally), SOON, "run locally (free)", "run the export on the local release, to a file: free"),
        shown(EXPORT, char('K'), Action(ExportAction::Checks), FIRST, "checks, request", "explain the form: to its checks, then to the request"),
        shown(EXPORT, char('I'), Action(ExportAction::Rows), SOON, "rows", "the rows of the export that was run last, as a table"),
        shown(EXPORT, char('w'), Action(ExportAction::SavePreset), LATER, "save preset", "save the form under a name"),
        shown(EXPORT, char('O'), Action(ExportAction::LoadPreset), LATER, "presets, runs", "load a preset, or an export that was run"),
        shown(SAVED, Chord::control('t'), Action(ExportAction::PastRows), SOON, "rows", "show the rows of the run"),
        shown(SAVED, Chord::control('x'), Action(ExportAction::DeletePreset), SOON, "delete preset", "delete the preset; u in the form brings it back"),
        shown(ROWS, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "look up", "look the address up; the price is below the table"),
        shown(ROWS, char('/'), Shared(Gesture::Find), FIRST, "filter", "filter the rows by words"),
        shown(ROWS, char('s'), Shared(Gesture::Sort), FIRST, "sort", "choose the column to sort by; s again reverses it"),
        quiet(ROWS, char('>'), Shared(Gesture::SortRight), "sort by the column to the right"),
        quiet(ROWS, char('<'), Shared(Gesture::SortLeft), "sort by the column to the left"),
        shown(ROWS, char(' '), Shared(Gesture::Mark), LATER, "mark", "mark the row; y i, y r and y v copy what is marked, Q prints it"),
        quiet(ROWS, char('V'), Shared(Gesture::MarkRange), "begin a range of marks at this row; again marks up to the cursor"),
        quiet(ROWS, char('A'), Shared(Gesture::MarkAll), "mark all rows of the filter"),
        quiet(ROWS, char('*'), Shared(Gesture::InvertMarks), "invert the marks of the filtered rows"),
        quiet(ROWS, char('R'), Shared(Gesture::Refresh), "read the file again"),
        shown(ROWS, key(KeyCode::Backspace), Shared(Gesture::Back), SOON, "form", "back to the form; the rows stay as they are"),
        shown(Scope::FormText, key(KeyCode::Esc), Shared(Gesture::Escape), SOON, "stop typing", "stop typing: letters are keys again"),
        shown(Scope::Form, key(KeyCode::Tab), Shared(Gesture::NextPane), FIRST, "field", "to the next field"),
        quiet(Scope::Form, key(KeyCode::BackTab), Shared(Gesture::PreviousPane), "to the field before"),
        also(Scope::Form, key(KeyCode::Down), Shared(Gesture::Go(Motion::Down))),
        also(Scope::Form, key(KeyCode::Up), Shared(Gesture::Go(Motion::Up))),
        shown(Scope::Form, char(' '), Action(ExportAction::Toggle), SOON, "toggle", "toggle the field"),
        shown(Scope::Form, key(KeyCode::Right), Action(ExportAction::NextChoice), LATER, "choose", "the next choice"),
        quiet(Scope::Form, key(KeyCode::Left), Action(ExportAction::PreviousChoice), "the choice before"),
        shown(Scope::Form, key(KeyCode::Enter), Shared(Gesture::Open), SOON, "edit", "take the fix that the field offers, else type or toggle"),
    ];

    fn when_acting(&self, action: ExportAction, ctx: &ViewCtx<'_>) -> Result<subject::Price, Why> {
        let lead = ctx.lead.as_ref();
        let why: Option<Why> = match action {
            ExportAction::PastRows if !matches!(lead, Some(Destination::PastRun(_))) => {
                Some("this is a preset: only runs have rows".into())
            }
            ExportAction::DeletePreset if !matches!(lead, Some(Destination::Preset(_))) => {
                Some("this is a run: only presets are deleted".into())
            }
            ExportAction::RunLocally => {
                let query = self.build.query();
                let none = self.local.view(&query).is_none();
                none.then(|| format!("{} is not local: p downloads it", query.feed).into())
            }
            ExportAction::Download => ctx.facts.lack_of_feeds().map(Into::into),
            ExportAction::ServerPreview | ExportAction::Run => {
                ctx.facts.lack_of_exports().map(Into::into)
            }
            ExportAction::Rows => {
                let none = self.results.is_none();
                none.then(|| "no rows yet: ctrl-s runs the export, O lists earlier ones".into())
            }
            ExportAction::Toggle | ExportAction::NextChoice | ExportAction::PreviousChoice => {
                let is_toggle = action == ExportAction::Toggle;
                (!self.build.can(is_toggle)).then(|| "the field has no choice".into())
            }
            _ => None,
        };
        why.map_or(Ok(None), Err)
    }

    fn run(&mut self, action: ExportAction, ctx: &mut UpdateCtx<'_>) -> Flow {
        match (action, ctx.lead.take()) {
            (ExportAction::Download, _) => {
                let query = PullQuery::latest(self.build.query().feed);
                ctx.start(format!("{} latest", query.feed), Question::Pull(query));
            }
            (ExportAction::ServerPreview, _) => self.ask_service(ctx),
            (ExportAction::Run, _) => return self.ask_for_file(false, ctx),
            (ExportAction::RunLocally, _) => return self.ask_for_file(true, ctx),
            (ExportAction::SavePreset, _) => {
                self.build.stop_typing();
                return Flow::Push(Box::new(PresetName::new(self.build.query())));
            }
            (ExportAction::LoadPreset, _) => {
                self.build.stop_typing();
                return Flow::Push(saved_forms(ctx));
            }
            (ExportAction::DeletePreset, Some(Destination::Preset(preset))) => {
                ctx.ask(Question::DeletePreset(preset));
            }
            (ExportAction::PastRows, Some(Destination::PastRun(past))) => {
                self.show_past(&past);
                return Flow::Close;
            }
            (ExportAction::DeletePreset | ExportAction::PastRows, _) => {}
            (ExportAction::Rows, _) => self.show_rows(),
            (ExportAction::Checks, _) => {
                self.build.stop_typing();
                match self.part {
                    ExportFocus::Form | ExportFocus::Preview => self.part = ExportFocus::Checks,
                    ExportFocus::Checks => self.part = ExportFocus::Request,
                    ExportFocus::Request => self.go_to_field(self.build.focus()),
                }
            }
            (ExportAction::Toggle, _) if self.build.begin_typing() => {}
            (ExportAction::Toggle, _) => self.build.toggle(),
            (ExportAction::NextChoice, _) => self.build.step(Motion::Right),
            (ExportAction::PreviousChoice, _) => self.build.step(Motion::Left),
        }
        Flow::Done
    }
}

impl ExportTab {
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

    fn ask_for_file(&mut self, is_local: bool, ctx: &mut UpdateCtx<'_>) -> Flow {
        if self.is_refused(ctx) {
            return Flow::Done;
        }
        let omitted = self
            .build
            .omitted()
            .into_iter()
            .flat_map(|conditions| &conditions.words);
        let remarks = self.shortage().into_iter().chain(omitted.cloned());
        let query = self.build.query();
        let prompt = FilePrompt::new(query, is_local, remarks.collect(), ctx);
        Flow::Push(Box::new(prompt))
    }

    fn ask_service(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.is_refused(ctx) {
            return;
        }
        match preview::of(&self.build.query()) {
            Ok(few) => self.preview.ask_anew(Question::Preview(few), ctx),
            Err(conflict) => {
                let words = format!("{conflict}: the service cannot be asked for a few rows");
                ctx.out.say(Tone::Warn, words);
            }
        }
    }
}
