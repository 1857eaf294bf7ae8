//! Saved presets and past runs, to load into the form. A preset that is deleted can be brought back until
//! the program ends.

use super::{
    ExportTab,
    draft::Draft,
    overlay::{FormOverlay, SavedForm},
};
use crate::{
    contract::{Endpoint, ExportQuery},
    engine::{Error, SavedExports},
    report::{count, minute},
    tui::{
        ctx::{UpdateCtx, request::Question},
        ui::{
            theme::Tone,
            widgets::{
                picker::{Picker, PickerItem},
                text_field::TextField,
            },
        },
    },
};

impl ExportTab {
    pub(super) fn ask_for_name(&mut self) {
        self.build.stop_typing();
        self.over = Some(FormOverlay::Name(TextField::new("a name for this form")));
    }

    /// Keeps the form under the name that was typed.
    pub(super) fn save_preset(&mut self, ctx: &mut UpdateCtx<'_>) {
        let Some(FormOverlay::Name(field)) = &self.over else {
            return;
        };
        let name = field.value().trim().to_owned();
        if name.is_empty() {
            return ctx.out.say(Tone::Warn, "type a name first");
        }
        ctx.ask(Question::SavePreset(name, self.build.query()));
        self.over = None;
    }

    /// Reads what is kept, to choose from.
    pub(super) fn ask_for_presets(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.build.stop_typing();
        ctx.ask(Question::SavedExports);
    }

    /// What is kept came, or a preset was saved.
    pub(super) fn saved(
        &mut self,
        question: &Question,
        result: Result<SavedExports, Error>,
        ctx: &mut UpdateCtx<'_>,
    ) {
        match (question, result) {
            (_, Err(error)) => ctx.out.say(Tone::Error, error.message),
            (Question::SavePreset(name, _), Ok(saved)) => {
                self.deleted.retain(|(_, preset)| preset.name != *name);
                let presets = saved.presets.len();
                let words = format!("preset {name} saved; O loads ({presets})");
                ctx.out.say(Tone::Ok, words);
            }
            (Question::DeletePreset(preset), Ok(saved)) => {
                self.deleted.push((self.build.changes(), preset.clone()));
                if matches!(self.over, Some(FormOverlay::Choice(_))) {
                    self.over = None;
                    if !saved.presets.is_empty() || !saved.runs.is_empty() {
                        self.offer(&saved, ctx);
                    }
                }
                let words = format!(
                    "preset {} deleted; u in the form brings it back",
                    preset.name
                );
                ctx.out.say(Tone::Ok, words);
            }
            (_, Ok(saved)) => self.offer(&saved, ctx),
        }
    }

    /// Deletes the chosen preset. Runs stay.
    pub(super) fn delete_chosen(&mut self, ctx: &mut UpdateCtx<'_>) {
        let Some(FormOverlay::Choice(picker)) = &self.over else {
            return;
        };
        if let Some(SavedForm::Preset(preset)) = picker.chosen().map(|item| &item.value) {
            ctx.ask(Question::DeletePreset(preset.clone()));
        }
    }

    /// Shows the rows of the chosen run.
    pub(super) fn show_chosen(&mut self, ctx: &mut UpdateCtx<'_>) {
        let Some(FormOverlay::Choice(picker)) = &self.over else {
            return;
        };
        if let Some(SavedForm::Run(run)) = picker.chosen().map(|item| item.value.clone()) {
            self.show_past(&run, ctx);
        }
    }

    fn offer(&mut self, saved: &SavedExports, ctx: &mut UpdateCtx<'_>) {
        let item = |label: String, detail: String, value: SavedForm| PickerItem {
            label,
            detail,
            key: String::new(),
            enabled: Ok(()),
            value,
        };
        let presets = saved.presets.iter();
        let presets = presets.map(|preset| {
            item(
                preset.name.clone(),
                request_of(&preset.query),
                SavedForm::Preset(preset.clone()),
            )
        });
        let runs = saved.runs.iter().map(|run| {
            let by = if run.is_local { "local" } else { "service" };
            let records = run.records.map_or_else(String::new, |records| {
                format!(", {} records", count(records))
            });
            let detail = format!("{by}{records}  {}", request_of(&run.query));
            let label = format!("run {}", minute(run.at));
            item(label, detail, SavedForm::Run(run.clone()))
        });
        let items: Vec<_> = presets.chain(runs).collect();
        if items.is_empty() {
            let words = "no preset is saved and no export was run: w saves this form";
            return ctx.out.say(Tone::Info, words);
        }
        self.over = Some(FormOverlay::Choice(Picker::new(items)));
    }

    /// Fills the form in as it was kept.
    pub(super) fn load_chosen(&mut self, ctx: &mut UpdateCtx<'_>) {
        let Some(FormOverlay::Choice(picker)) = self.over.take() else {
            return;
        };
        if let Some(item) = picker.chosen() {
            let query = match &item.value {
                SavedForm::Preset(preset) => &preset.query,
                SavedForm::Run(run) => &run.query,
            };
            self.build.set(Draft::of(query));
            let words = format!("{} loaded; u brings the form before back", item.label);
            ctx.out.say(Tone::Ok, words);
        }
    }
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
