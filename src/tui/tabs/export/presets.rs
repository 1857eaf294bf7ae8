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
            UpdateCtx, ViewCtx,
            destination::Destination,
            intent::{Gesture, Scope},
            request::{Answer, Question, TabReply},
            surface::{Flow, Surface},
        },
        ui::{
            theme::{Focus, Tone},
            widgets::{
                picker::{Picker, PickerItem},
                popup::Popup,
                text_field::TextField,
            },
        },
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
#[derive(Debug)]
pub(super) struct SavedForms {
    picker: Picker<Destination>,
    is_over: bool,
}

impl SavedForms {
    pub(super) fn read(ctx: &mut UpdateCtx<'_>) -> Self {
        ctx.ask(Question::SavedExports);
        Self {
            picker: Picker::new(Vec::new()),
            is_over: false,
        }
    }
}

impl Surface for SavedForms {
    fn scope(&self) -> Scope {
        Scope::Picker
    }

    fn scopes(&self) -> Vec<Scope> {
        vec![Scope::Picker, SAVED]
    }

    fn field(&mut self) -> Option<&mut TextField> {
        Some(self.picker.field())
    }

    fn typed(&mut self) {
        self.picker.refilter();
    }

    fn choices(&self) -> usize {
        self.picker.found()
    }

    fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        match gesture {
            Gesture::Go(motion) => self.picker.step(motion),
            Gesture::Open => ctx.out.go = self.lead(),
            Gesture::Escape => return Flow::Close,
            _ => {}
        }
        Flow::Done
    }

    /// Shows what is saved now. The tab tells the user what happened.
    fn answered<'q>(
        &mut self,
        reply: TabReply<'q>,
        _ctx: &mut UpdateCtx<'_>,
    ) -> Option<TabReply<'q>> {
        match (reply.question, &reply.result) {
            (
                Question::SavedExports | Question::DeletePreset(_),
                Ok(Answer::SavedExports(saved)),
            ) => {
                let items = items(saved);
                self.is_over = items.is_empty();
                self.picker = Picker::new(items);
            }
            (Question::SavedExports, Err(_)) => self.is_over = true,
            _ => {}
        }
        Some(reply)
    }

    fn is_over(&self) -> bool {
        self.is_over
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        if !self.picker.items().is_empty() {
            self.picker.draw(frame, area, "Presets and runs", ctx);
        }
    }

    fn lead(&self) -> Option<Destination> {
        Some(self.picker.chosen()?.value.clone())
    }
}

fn items(saved: &SavedExports) -> Vec<PickerItem<Destination>> {
    let item = |label: String, detail: String, value: Destination| PickerItem {
        label,
        detail,
        key: String::new(),
        enabled: Ok(()),
        value,
    };
    let presets = saved.presets.iter().map(|preset| {
        let place = Destination::Preset(preset.clone());
        item(preset.name.clone(), request_of(&preset.query), place)
    });
    let runs = saved.runs.iter().map(|run| {
        let by = if run.is_local { "local" } else { "service" };
        let records = run.records.map_or_else(String::new, |records| {
            format!(", {} records", count(records))
        });
        let detail = format!("{by}{records}  {}", request_of(&run.query));
        let label = format!("run {}", minute(run.at));
        item(label, detail, Destination::PastRun(run.clone()))
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
