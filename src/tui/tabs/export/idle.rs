//! Why a key of the Export tab does nothing now: help shows the reason, and the footer leaves the key out.

use std::borrow::Cow;

use super::{
    ExportFocus, ExportTab,
    actions::ExportAction,
    overlay::{FormOverlay, SavedForm},
};
use crate::tui::ctx::{ViewCtx, intent::Gesture};

impl ExportTab {
    /// Why what any tab may be asked for does nothing.
    pub(super) fn idle_gesture(&self, gesture: Gesture) -> Option<Cow<'static, str>> {
        if self.over.is_some() {
            return None;
        }
        if let Some(prompt) = &self.prompt {
            let held = matches!(gesture, Gesture::Open | Gesture::Find | Gesture::NextPane);
            let held = held && prompt.asks_to_replace();
            return held.then(|| "y replaces the file, n keeps it".into());
        }
        match gesture {
            Gesture::Open => {}
            Gesture::NextPane if self.open_rows().is_some() => {
                return Some("the rows have no other pane".into());
            }
            Gesture::Find => {
                let rows = self.open_rows();
                let none = rows.is_none_or(|rows| rows.above.is_some());
                return none.then(|| "there is nothing to search here".into());
            }
            _ => return None,
        }
        let none = match (self.open_rows(), self.part) {
            (Some(results), _) => results.above.is_none() && results.address().is_none(),
            (None, ExportFocus::Preview) => self.rows() == 0,
            (None, ExportFocus::Checks | ExportFocus::Request) => {
                return Some("nothing to open here".into());
            }
            _ => false,
        };
        none.then(|| "there is no address under the cursor".into())
    }

    /// Why one of its own actions does nothing.
    pub(super) fn idle_own(
        &self,
        action: ExportAction,
        ctx: &ViewCtx<'_>,
    ) -> Option<Cow<'static, str>> {
        let chosen = match &self.over {
            Some(FormOverlay::Choice(picker)) => picker.chosen().map(|item| &item.value),
            _ => None,
        };
        match action {
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
            ExportAction::PastRows => {
                let is_run = matches!(chosen, Some(SavedForm::Run(_)));
                (!is_run).then(|| "this is no run: only runs have rows".into())
            }
            ExportAction::DeletePreset => {
                let is_preset = matches!(chosen, Some(SavedForm::Preset(_)));
                (!is_preset).then(|| "this is no preset: only presets are deleted".into())
            }
            ExportAction::Mark
            | ExportAction::MarkRange
            | ExportAction::MarkAll
            | ExportAction::InvertMarks => {
                let none = self.open_rows().is_none_or(|rows| rows.len() == 0);
                none.then(|| "there is no row".into())
            }
            ExportAction::Toggle | ExportAction::NextChoice | ExportAction::PreviousChoice => {
                let is_toggle = action == ExportAction::Toggle;
                (!self.build.can(is_toggle)).then(|| "the field has no choice".into())
            }
            _ => None,
        }
    }
}
