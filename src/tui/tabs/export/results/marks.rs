//! The marked rows, by their cells: rows that read the same are marked together.
//!
//! Rows of a range or of a filter that are not loaded are read from the file, page by page. Their number is limited; a request beyond the
//! limit marks nothing and reports the limit.

use std::ops::Range;

use serde_json::Value;

use super::{
    ResultsTable, ResultsUndo,
    marking::{Marking, RowMarking},
};
use crate::{
    contract::ExportField,
    engine::{Error, TablePage},
    model::visible,
    report::{TextCell, count, markdown_table},
    tui::{
        ctx::{UpdateCtx, intent::Yank, marks::RANGE_BEGUN, remote::Remote, request::JobId},
        tabs::export::preview,
        ui::{cursor::Motion, theme::Tone},
    },
};

/// Rows that are marked at most at a time.
const MOST: u64 = 10_000;

impl ResultsTable {
    /// The rows between the beginning of a range and the cursor.
    pub(in crate::tui::tabs::export) fn range(&self) -> Option<Range<usize>> {
        let (query, from) = self.anchor.as_ref()?;
        let to = self.cursor.selected(self.len())?;
        (*query == self.query).then(|| *from.min(&to)..*from.max(&to) + 1)
    }

    /// Whether rows are being read to be marked.
    pub(in crate::tui::tabs::export) fn is_marking(&self) -> bool {
        self.marking.is_some()
    }

    /// Toggles the mark of the row under the cursor and moves to the next one; ends a range that was begun.
    pub(in crate::tui::tabs::export) fn mark(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.range().is_some() {
            return self.mark_range(ctx);
        }
        let Some(row) = self.selected().map(<[String]>::to_vec) else {
            return;
        };
        self.marks.toggle(row);
        self.keep(ResultsUndo::Marks);
        self.cursor.step(Motion::Down, self.len());
        self.follow(ctx);
    }

    /// Begins a range at the cursor, or marks what lies between its beginning and the cursor.
    pub(in crate::tui::tabs::export) fn mark_range(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some(range) = self.range() {
            self.anchor = None;
            self.mark_rows(range.start as u64..range.end as u64, RowMarking::Add, ctx);
        } else if let Some(at) = self.cursor.selected(self.len()) {
            self.anchor = Some((self.query.clone(), at));
            ctx.out.say(Tone::Info, RANGE_BEGUN);
        }
    }

    /// Marks all rows of the filter, or turns their marks round.
    pub(in crate::tui::tabs::export) fn mark_all(
        &mut self,
        change: RowMarking,
        ctx: &mut UpdateCtx<'_>,
    ) {
        match self.len() as u64 {
            0 => ctx.out.say(Tone::Info, "there is no row to mark"),
            rows => self.mark_rows(0..rows, change, ctx),
        }
    }

    fn mark_rows(&mut self, rows: Range<u64>, change: RowMarking, ctx: &mut UpdateCtx<'_>) {
        let number = rows.end - rows.start;
        if number > MOST {
            let text = format!(
                "{} rows: no more than {} are marked at a time, so filter first",
                count(number),
                count(MOST)
            );
            return ctx.out.say(Tone::Warn, text);
        }
        self.stop_marking(ctx);
        if let Some(rows) = self.rows_at(&rows) {
            return self.change_marks(rows, change);
        }
        let mut marking = Marking {
            query: self.query.clone(),
            change,
            rest: rows,
            rows: Vec::new(),
            page: Remote::default(),
        };
        marking.ask(ctx);
        self.marking = Some(marking);
    }

    /// The rows at these positions, where all of them are at hand.
    fn rows_at(&self, positions: &Range<u64>) -> Option<Vec<Vec<String>>> {
        let page = self.current()?;
        let place = |position: u64| usize::try_from(position.checked_sub(page.first)?).ok();
        let rows = page
            .rows
            .get(place(positions.start)?..place(positions.end)?);
        rows.map(<[Vec<String>]>::to_vec)
    }

    fn change_marks(&mut self, rows: Vec<Vec<String>>, change: RowMarking) {
        let is_changed = match change {
            RowMarking::Add => self.marks.add(rows),
            RowMarking::Invert => self.marks.invert(rows),
        };
        if is_changed {
            self.keep(ResultsUndo::Marks);
        }
    }

    /// Rows arrived that are to be marked; returns the answer where it is to another question.
    pub(in crate::tui::tabs::export) fn settle_marks(
        &mut self,
        job: JobId,
        result: Result<TablePage, Error>,
        ctx: &mut UpdateCtx<'_>,
    ) -> Option<Result<TablePage, Error>> {
        let is_it = |own: &mut Marking| own.page.pending() == Some(job);
        let Some(mut marking) = self.marking.take_if(is_it) else {
            return Some(result);
        };
        marking.page.finish(job, result);
        if let Some(error) = marking.page.error() {
            let words = format!("nothing was marked: {}", error.message);
            ctx.out.say(Tone::Error, words);
            return None;
        }
        let page = std::mem::take(&mut marking.page);
        let rows = page.value().map_or(&[][..], |page| &page.rows[..]);
        marking.rest.start += rows.len() as u64;
        marking.rows.extend_from_slice(rows);
        if rows.is_empty() || marking.rest.is_empty() {
            self.change_marks(marking.rows, marking.change);
        } else {
            marking.ask(ctx);
            self.marking = Some(marking);
        }
        None
    }

    /// No longer waits for rows to be marked; returns whether any were on their way.
    pub(super) fn stop_marking(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        let marking = self.marking.take();
        marking.is_some_and(|mut marking| ctx.stop(&mut marking.page))
    }

    /// Leaves the range that was begun, else takes all marks away; returns whether there was anything.
    pub(in crate::tui::tabs::export) fn clear_marks(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        if self.stop_marking(ctx) || self.anchor.take().is_some() {
            return true;
        }
        let is_changed = self.marks.clear();
        if is_changed {
            self.keep(ResultsUndo::Marks);
            ctx.out.say(Tone::Info, "marks cleared; u brings them back");
        }
        is_changed
    }

    /// What the marked rows are called: their address or network, else all of their cells.
    pub(in crate::tui::tabs::export) fn marked(&self) -> Vec<String> {
        let Some((page, _)) = self.at_hand() else {
            return Vec::new();
        };
        let name = |row: &Vec<String>| match preview::address(&page.columns, row) {
            Some(address) => address.to_string(),
            None => network(&page.columns, row).unwrap_or_else(|| row.join(",")),
        };
        self.marks
            .iter()
            .map(|row| visible(&name(row)).into_owned())
            .collect()
    }

    /// Copies the marked rows as CSV, as JSON lines or as a table for a ticket, or their cells; returns whether there are any.
    pub(in crate::tui::tabs::export) fn copy_marked(
        &self,
        what: Yank,
        ctx: &mut UpdateCtx<'_>,
    ) -> bool {
        if self.marks.is_empty() {
            return false;
        }
        let marked = match self.marks.len() {
            1 => "1 marked row".to_owned(),
            more => format!("{} marked rows", count(more as u64)),
        };
        let column = self.column;
        match what {
            Yank::Value => {
                let cells = self.marks.iter().filter_map(|row| row.get(column).cloned());
                ctx.out.copy_column(format!("the cells of {marked}"), cells);
            }
            Yank::Row | Yank::Json | Yank::Ticket => {
                let Some((page, _)) = self.at_hand() else {
                    return false;
                };
                if what == Yank::Row {
                    let rows = self.marks.iter().cloned();
                    ctx.out.copy_csv(marked, &page.columns, rows);
                } else if what == Yank::Json {
                    let objects = self.marks.iter().map(|row| object(&page.columns, row));
                    ctx.out.copy_json_lines(marked, objects);
                } else {
                    let heads: Vec<&str> = page.columns.iter().map(String::as_str).collect();
                    let cells = |row: &Vec<String>| row.iter().map(TextCell::known).collect();
                    let rows: Vec<_> = self.marks.iter().map(cells).collect();
                    ctx.out.copy_lines(marked, markdown_table(&heads, &rows));
                }
            }
            _ => return false,
        }
        true
    }
}

/// A row as an object: numbers and lists stay what they are, all else is text.
fn object(columns: &[String], row: &[String]) -> String {
    let value = |text: &String| match serde_json::from_str(text) {
        Ok(value @ (Value::Number(_) | Value::Array(_))) => value,
        _ => Value::String(text.clone()),
    };
    let members = columns.iter().zip(row);
    let object: serde_json::Map<String, Value> = members
        .map(|(column, text)| (column.clone(), value(text)))
        .collect();
    Value::Object(object).to_string()
}

/// The network that a row is about.
fn network(columns: &[String], row: &[String]) -> Option<String> {
    [ExportField::Ip, ExportField::Network]
        .into_iter()
        .find_map(|field| {
            let at = columns.iter().position(|column| column == field.name())?;
            row.get(at).filter(|cell| !cell.is_empty()).cloned()
        })
}
