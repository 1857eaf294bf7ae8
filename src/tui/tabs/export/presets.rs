//! Saved presets and past runs, to load into the form.

use ratatui::{
    Frame,
    layout::{Rect, Size},
};

/// The presets and the exports that were run.
pub(super) const SAVED: Scope = Scope::Tab("Presets and runs");

use crate::{
    contract::{Endpoint, ExportQuery},
    engine::SavedExports,
    report::{count, minute},
    tui::{
        ctx::{
            Answer, Choice, Destination, Flow, Gesture, Question, Scope, Surface, UpdateCtx,
            ViewCtx,
        },
        ui::{Focus, PickerItem, Popup, TextField, Tone},
    },
};

/// The name under which a form is saved.
#[derive(Debug)]
pub(super) struct PresetName {
    query: ExportQuery,
    field: TextField,
}

impl PresetName {
    pub(super) fn new(query: ExportQuery) -> Self {
        let field = TextField::new("a name for this form");
        Self { query, field }
    }
}

impl Surface for PresetName {
    fn scope(&self) -> Scope {
        Scope::Input
    }

    fn field(&mut self) -> Option<&mut TextField> {
        Some(&mut self.field)
    }

    fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        let name = self.field.value().trim();
        match gesture {
            Gesture::Open if name.is_empty() => ctx.out.say(Tone::Warn, "type a name first"),
            Gesture::Open => {
                ctx.ask(Question::SavePreset(name.to_owned(), self.query.clone()));
                return Flow::Close;
            }
            Gesture::Escape => return Flow::Close,
            _ => {}
        }
        Flow::Done
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        let inner = Popup::new("Save this form as", Size::new(40, 1))
            .key(ctx.theme, "enter", "save", 0)
            .key(ctx.theme, "esc", "back to the form", 0)
            .draw(frame, area, ctx);
        self.field.draw(frame, inner, ctx.theme, Focus::Here);
    }
}

/// The presets and the exports that were run, to choose from once they are read.
pub(super) fn saved_forms(ctx: &mut UpdateCtx<'_>) -> Box<Choice> {
    ctx.ask(Question::SavedExports);
    let choice = Choice::reading("Presets and runs", |reply| {
        match (reply.question, &reply.result) {
            (
                Question::SavedExports | Question::DeletePreset(_),
                Ok(Answer::SavedExports(saved)),
            ) => Some(items(saved)),
            (Question::SavedExports, Err(_)) => Some(Vec::new()),
            _ => None,
        }
    });
    Box::new(choice.with_actions(SAVED))
}

fn items(saved: &SavedExports) -> Vec<PickerItem<Destination>> {
    let presets = saved.presets.iter().map(|preset| {
        let place = Destination::Preset(preset.clone());
        PickerItem::new(&preset.name, request_of(&preset.query), place)
    });
    let runs = saved.runs.iter().map(|run| {
        let by = if run.is_local { "local" } else { "service" };
        let records = run.records.map_or_else(String::new, |records| {
            format!(", {} records", count(records))
        });
        let detail = format!("{by}{records}  {}", request_of(&run.query));
        let label = format!("run {}", minute(run.at));
        PickerItem::new(label, detail, Destination::PastRun(run.clone()))
    });
    presets.chain(runs).collect()
}

/// A request in a line: its feed, its output, and what else it asks for.
fn request_of(query: &ExportQuery) -> String {
    let target = Endpoint::Export(query.clone()).target();
    let target = target.trim_start_matches("/v1/feeds/");
    let target = target.replace("?output=", " ");
    target
        .replace("&includeCSVHeader=true", "")
        .replace('&', " ")
}
