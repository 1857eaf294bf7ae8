//! The actions in the table of an export's rows.

use super::{
    ExportFocus, ExportTab,
    actions::ExportAction,
    results::{Above, ExportProvenance, ResultsTable, marking::RowMarking},
};
use crate::{
    engine::{Error, ExportRun, PastRun, TablePage},
    model::visible,
    report::{count, minute},
    tui::{
        ctx::{
            UpdateCtx,
            intent::{Gesture, Yank},
            request::JobId,
            trail::TrailStop,
        },
        ui::{cursor::Motion, theme::Tone, widgets::text_field::TextField},
    },
};

impl ExportTab {
    /// The table where it replaces the form.
    pub(super) fn open_rows(&self) -> Option<&ResultsTable> {
        self.results.as_ref().filter(|results| results.is_open)
    }

    pub(super) fn open_rows_mut(&mut self) -> Option<&mut ResultsTable> {
        self.results.as_mut().filter(|results| results.is_open)
    }

    /// The field in which its filter is typed.
    pub(super) fn field_of_rows(&mut self) -> Option<&mut TextField> {
        match &mut self.open_rows_mut()?.above {
            Some(Above::Filter(field, _)) => Some(field),
            _ => None,
        }
    }

    /// Opens the table of the export that was run last, or says that there is none.
    pub(super) fn show_rows(&mut self) {
        self.build.stop_typing();
        if let Some(results) = &mut self.results {
            results.is_open = true;
        }
    }

    /// Shows the rows of an export that was run before.
    pub(super) fn show_past(&mut self, past: &PastRun) {
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
    pub(super) fn show_rows_of(&mut self, run: &ExportRun) {
        let is_here = |results: &ResultsTable| results.run == *run;
        if !self.results.as_ref().is_some_and(is_here) {
            let outcome = visible(&run.file.display().to_string()).into_owned();
            self.results = Some(ResultsTable::of(run.clone(), outcome, None));
        }
        self.show_rows();
    }

    /// Rows arrived. The first ones of an export open the table, unless something else has been begun meanwhile.
    pub(super) fn rows_came(
        &mut self,
        job: JobId,
        result: Result<TablePage, Error>,
        ctx: &mut UpdateCtx<'_>,
    ) {
        let query = self.build.query();
        let Some(results) = &mut self.results else {
            return;
        };
        let Some(result) = results.settle_marks(job, result, ctx) else {
            return;
        };
        let is_first = results.at_hand().is_none();
        if !results.settle(job, result) {
            return;
        }
        if results.is_open {
            results.follow(ctx);
        } else if let Some(error) = results.page.error() {
            let words = format!("its rows cannot be shown: {}", error.message);
            ctx.out.say(Tone::Warn, words);
        } else if is_first && !ctx.is_covered && query == results.run.query {
            results.is_open = true;
            self.part = ExportFocus::Form;
            self.build.stop_typing();
        }
    }

    /// Goes back to the form; row, scroll, order and filter stay.
    fn close_rows(&mut self, ctx: &mut UpdateCtx<'_>) {
        let run = self.put_rows_aside(ctx).map(TrailStop::Rows);
        if run.is_some() && ctx.trail.here() == run.as_ref() {
            ctx.trail.back();
        }
    }

    /// Shows the form in their place; returns the export whose rows were shown.
    pub(super) fn put_rows_aside(&mut self, ctx: &mut UpdateCtx<'_>) -> Option<ExportRun> {
        let results = self.open_rows_mut()?;
        results.cancel(ctx);
        results.is_open = false;
        Some(results.run.clone())
    }

    /// Does what means something in any tab, where the table is open; returns whether it does.
    pub(super) fn on_rows(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        let Some(results) = self.open_rows_mut() else {
            return false;
        };
        if results.above.is_some() {
            on_above(results, gesture, ctx);
            return true;
        }
        match gesture {
            Gesture::Go(motion @ (Motion::Left | Motion::Right)) => results.step_column(motion),
            Gesture::Go(motion) => {
                results.cursor.step(motion, results.len());
                results.follow(ctx);
            }
            Gesture::Find => results.type_filter(),
            Gesture::Open => self.look_up(ctx),
            Gesture::Refresh => results.refresh(ctx),
            Gesture::Cancel => return results.cancel(ctx),
            Gesture::Undo => {
                if !results.undo(ctx) {
                    ctx.out.say(Tone::Info, "nothing to undo");
                }
            }
            Gesture::Redo => {
                if !results.redo(ctx) {
                    ctx.out.say(Tone::Info, "nothing to redo");
                }
            }
            Gesture::Escape if results.clear_marks(ctx) => {}
            Gesture::Escape if !results.query().filter.is_empty() => {
                results.filter("", ctx);
                ctx.out.say(Tone::Info, "filter cleared; u brings it back");
            }
            Gesture::Escape | Gesture::Back | Gesture::Quit => self.close_rows(ctx),
            _ => return false,
        }
        true
    }

    pub(super) fn mark_rows(&mut self, action: ExportAction, ctx: &mut UpdateCtx<'_>) {
        let Some(results) = self.open_rows_mut() else {
            return;
        };
        match action {
            ExportAction::Mark => results.mark(ctx),
            ExportAction::MarkRange => results.mark_range(ctx),
            ExportAction::MarkAll => results.mark_all(RowMarking::Add, ctx),
            ExportAction::InvertMarks => results.mark_all(RowMarking::Invert, ctx),
            _ => {}
        }
    }

    /// Copies the row or the cell under the cursor; returns whether there was one.
    pub(super) fn copy_of_rows(&self, what: Yank, ctx: &mut UpdateCtx<'_>) -> Option<bool> {
        let results = self.open_rows()?;
        if results.copy_marked(what, ctx) {
            return Some(true);
        }
        let row = results.selected();
        match what {
            Yank::Row => row.map(|cells| ctx.out.copy_cells("the row", cells)),
            Yank::Value => {
                let cell = row.and_then(|row| row.get(results.column));
                cell.map(|cell| ctx.out.copy("the cell", cell))
            }
            _ => return None,
        }
        .is_some()
        .into()
    }
}

fn on_above(results: &mut ResultsTable, gesture: Gesture, ctx: &mut UpdateCtx<'_>) {
    match (&results.above, gesture) {
        (Some(Above::Filter(..)), Gesture::Open) => results.keep_filter(),
        (Some(_), Gesture::Escape | Gesture::Quit | Gesture::Back) => {
            results.close_above(ctx);
        }
        _ => {}
    }
}
