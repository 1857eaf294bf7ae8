//! The rows of an export's file as a table over all of them: those in view and a screen around them are at hand, the rest stays in the
//! file.
//!
//! What was there stays, marked as old, until the rows of another order or filter are; it must never be taken for them: rows carry the
//! question that they answer.

pub(super) mod marking;
mod marks;

use std::{net::IpAddr, ops::Range};

use jiff::Timestamp;
use ratatui::layout::Rect;

use self::marking::Marking;
use super::preview;
use crate::{
    engine::{ColumnOrder, Error, ExportFileRun, ExportOrigin, ExportRun, TablePage, TableQuery},
    store::{Generation, Moment},
    tui::{
        ctx::{
            UpdateCtx,
            marks::RowMarks,
            orders::{self, OrderRow, Orders},
            remote::Remote,
            request::{JobId, Question},
        },
        ui::{
            cursor::{Cursor, Motion},
            widgets::text_field::TextField,
        },
    },
};

/// Rows of the screen around the table: border, heads of the table, and what is above them.
const AROUND: u16 = 6;
/// Rows that are asked for at least, beyond those in view.
const LEAST: usize = 40;

/// A change that can be undone.
#[derive(Debug)]
enum ResultsUndo {
    /// Another filter or order: this one was there before, or is there after.
    Query(TableQuery),
    Marks,
}

/// What lies over the table.
#[derive(Debug)]
pub(super) enum Above {
    /// The filter is being typed; this was the one before.
    Filter(TextField, String),
}

/// Who answered an export, and when.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExportProvenance {
    pub(super) is_local: bool,
    /// The local release that was read, where that is known, and from when its age counts.
    pub(super) release: Option<(Moment, Generation)>,
    /// When it was asked for.
    pub(super) at: Timestamp,
}

impl From<&ExportFileRun> for ExportProvenance {
    fn from(exported: &ExportFileRun) -> Self {
        let release = match &exported.origin {
            ExportOrigin::Service { .. } => None,
            ExportOrigin::Disk {
                day, generation, ..
            } => Some((*day, *generation)),
        };
        Self {
            is_local: release.is_some(),
            release,
            at: exported.asked_at,
        }
    }
}

#[derive(Debug)]
pub(super) struct ResultsTable {
    pub(super) run: ExportRun,
    pub(super) outcome: String,
    /// Who answered; not known of a file that the trail leads back to.
    pub(super) answered: Option<ExportProvenance>,
    query: TableQuery,
    pub(super) page: Remote<TablePage>,
    asked: Option<(TableQuery, Range<usize>)>,
    shown: Option<(TableQuery, TablePage)>,
    pub(super) cursor: Cursor,
    /// The column under the cursor, as it is in the file.
    pub(super) column: usize,
    pub(super) above: Option<Above>,
    past: Vec<ResultsUndo>,
    future: Vec<ResultsUndo>,
    /// The marked rows, by their cells, whatever the filter shows of them.
    pub(super) marks: RowMarks<Vec<String>>,
    /// The view and the row in it at which a range begins.
    anchor: Option<(TableQuery, usize)>,
    /// The rows that are being read to be marked.
    marking: Option<Marking>,
    /// Whether it replaces the form.
    pub(super) is_open: bool,
}

impl ResultsTable {
    /// The table of an export, with nothing of it read.
    pub(super) fn of(run: ExportRun, outcome: String, answered: Option<ExportProvenance>) -> Self {
        let query = TableQuery {
            file: run.file.clone(),
            export: run.query.clone(),
            sort: None,
            filter: String::new(),
        };
        Self {
            run,
            outcome,
            answered,
            query,
            page: Remote::default(),
            asked: None,
            shown: None,
            cursor: Cursor::default(),
            column: 0,
            above: None,
            past: Vec::new(),
            future: Vec::new(),
            marks: RowMarks::default(),
            anchor: None,
            marking: None,
            is_open: false,
        }
    }

    /// What it shows, or is going to show.
    pub(super) fn query(&self) -> &TableQuery {
        &self.query
    }

    /// The rows at hand, and whether they answer an older question.
    pub(super) fn at_hand(&self) -> Option<(&TablePage, bool)> {
        let (query, page) = self.shown.as_ref()?;
        Some((page, *query != self.query))
    }

    fn current(&self) -> Option<&TablePage> {
        self.at_hand()
            .filter(|(_, is_old)| !is_old)
            .map(|(page, _)| page)
    }

    /// How many rows there are, as far as is known.
    pub(super) fn len(&self) -> usize {
        let page = self.current();
        page.map_or(0, |page| usize::try_from(page.count).unwrap_or(usize::MAX))
    }

    /// Rows of the table that can be seen.
    pub(super) fn height(body: Rect) -> usize {
        body.height.saturating_sub(AROUND).into()
    }

    /// Asks for the rows in view that are not loaded.
    pub(super) fn follow(&mut self, ctx: &mut UpdateCtx<'_>) {
        let height = Self::height(ctx.body).max(1);
        let window = match self.current() {
            Some(_) => self.cursor.window(self.len(), height),
            None => 0..height,
        };
        let near = window.start.saturating_sub(height / 2)..window.end + height / 2;
        if self.current().is_some_and(|page| covers(page, &near)) {
            let is_other = |(asked, _): &(TableQuery, _)| *asked != self.query;
            if self.asked.as_ref().is_some_and(is_other) {
                self.stop(ctx);
            }
            return;
        }
        // What failed is asked again by a key of its own.
        let is_asked = self.asked.as_ref().is_some_and(|(query, rows)| {
            *query == self.query && rows.start <= window.start && window.end <= rows.end
        });
        if !is_asked {
            let most = height.max(LEAST);
            self.ask(window.start.saturating_sub(most)..window.end + most, ctx);
        }
    }

    fn ask(&mut self, positions: Range<usize>, ctx: &mut UpdateCtx<'_>) {
        self.stop(ctx);
        let range = positions.start as u64..positions.end as u64;
        let asked = Question::ExportRows(self.query.clone(), range);
        self.page.begin(ctx.ask(asked));
        self.asked = Some((self.query.clone(), positions));
    }

    /// Asks again, even for loaded rows.
    pub(super) fn refresh(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.ask(0..2 * LEAST, ctx);
    }

    fn stop(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        self.asked = None;
        ctx.stop(&mut self.page)
    }

    /// Stops what is under way and goes back to what is shown; returns whether anything was.
    pub(super) fn cancel(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        if let Some((query, _)) = &self.shown {
            self.query.clone_from(query);
        }
        let was_marking = self.stop_marking(ctx);
        self.stop(ctx) || was_marking
    }

    /// Rows arrived; returns whether they were waited for.
    pub(super) fn settle(&mut self, job: JobId, result: Result<TablePage, Error>) -> bool {
        if !self.page.finish(job, result) {
            return false;
        }
        if self.page.error().is_none()
            && let Some((query, _)) = self.asked.take()
            && let Some(page) = self.page.value().cloned()
        {
            self.shown = Some((query, page));
        }
        true
    }

    /// Shows the rows in another order, or others; undo brings those before back.
    fn show(&mut self, query: TableQuery, ctx: &mut UpdateCtx<'_>) {
        if self.query != query {
            self.query = query;
            self.cursor = Cursor::default();
        }
        self.follow(ctx);
    }

    fn change(&mut self, change: impl FnOnce(&mut TableQuery), ctx: &mut UpdateCtx<'_>) {
        let before = self.query.clone();
        let mut query = before.clone();
        change(&mut query);
        if query != before {
            self.keep(ResultsUndo::Query(before));
        }
        self.show(query, ctx);
    }

    /// What was before can be brought back from now on.
    fn keep(&mut self, step: ResultsUndo) {
        self.past.push(step);
        self.future.clear();
    }

    /// Undoes the last change of filter, order or marks; returns whether there was one.
    pub(super) fn undo(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        match self.past.pop() {
            None => return false,
            Some(ResultsUndo::Marks) => {
                self.marks.undo();
                self.future.push(ResultsUndo::Marks);
            }
            Some(ResultsUndo::Query(before)) => {
                self.future.push(ResultsUndo::Query(self.query.clone()));
                self.show(before, ctx);
            }
        }
        true
    }

    /// Makes it again; returns whether there was one.
    pub(super) fn redo(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        match self.future.pop() {
            None => return false,
            Some(ResultsUndo::Marks) => {
                self.marks.redo();
                self.past.push(ResultsUndo::Marks);
            }
            Some(ResultsUndo::Query(after)) => {
                self.past.push(ResultsUndo::Query(self.query.clone()));
                self.show(after, ctx);
            }
        }
        true
    }

    /// The filter is typed from now on.
    pub(super) fn type_filter(&mut self) {
        let mut field = TextField::new("words that a row must have: ACME country:NL");
        field.set(&self.query.filter);
        let before = self.query.filter.clone();
        self.above = Some(Above::Filter(field, before));
    }

    /// The text of the filter has changed.
    pub(super) fn typed(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some(Above::Filter(field, _)) = &self.above {
            let filter = field.value().trim().to_owned();
            let query = TableQuery {
                filter,
                ..self.query.clone()
            };
            self.show(query, ctx);
        }
    }

    /// Keeps the filter that is typed.
    pub(super) fn keep_filter(&mut self) {
        if let Some(Above::Filter(_, before)) = self.above.take()
            && before != self.query.filter
        {
            let mut past = self.query.clone();
            past.filter = before;
            self.keep(ResultsUndo::Query(past));
        }
    }

    pub(super) fn filter(&mut self, filter: &str, ctx: &mut UpdateCtx<'_>) {
        self.change(|query| filter.clone_into(&mut query.filter), ctx);
    }

    /// Closes what lies over the table; returns whether something did. A filter that was being typed is as it was before.
    pub(super) fn close_above(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        match self.above.take() {
            Some(Above::Filter(_, before)) => {
                let query = TableQuery {
                    filter: before,
                    ..self.query.clone()
                };
                self.show(query, ctx);
                true
            }
            None => false,
        }
    }

    /// The columns in the order in which they are shown.
    pub(super) fn columns(&self) -> Vec<usize> {
        let page = self.at_hand();
        page.map_or_else(Vec::new, |(page, _)| {
            preview::order(&page.columns).collect()
        })
    }

    /// To the column at the left or at the right.
    pub(super) fn step_column(&mut self, motion: Motion) {
        let columns = self.columns();
        let here = columns.iter().position(|own| *own == self.column);
        let here = here.unwrap_or_default();
        let next = match motion {
            Motion::Left => here.saturating_sub(1),
            _ => here + 1,
        };
        if let Some(column) = columns.get(next) {
            self.column = *column;
        }
    }

    /// The columns to sort by, and how the rows are sorted; the menu begins at the one under the cursor.
    pub(super) fn orders(&self) -> Option<Orders> {
        let (page, _) = self.at_hand()?;
        let columns = self.columns();
        let place = |column: usize| columns.iter().position(|own| *own == column);
        let row = |at: &usize| OrderRow::new(page.columns[*at].as_str(), orders::TEXT);
        let sort = self.query.sort;
        let present = sort.and_then(|own| Some((place(own.column)?, own.descending)));
        let mut orders = Orders::new(columns.iter().map(row).collect(), present);
        orders.start = place(self.column).unwrap_or_default();
        Some(orders)
    }

    /// Sorts by one of them; the cursor goes to the column.
    pub(super) fn sort(&mut self, order: usize, descending: bool, ctx: &mut UpdateCtx<'_>) {
        if let Some(column) = self.columns().get(order).copied() {
            self.column = column;
            self.change(
                |query| query.sort = Some(ColumnOrder { column, descending }),
                ctx,
            );
        }
    }

    /// The row under the cursor.
    pub(super) fn selected(&self) -> Option<&[String]> {
        let page = self.current()?;
        let at = self.cursor.selected(self.len())?;
        let first = usize::try_from(page.first).ok()?;
        page.rows.get(at.checked_sub(first)?).map(Vec::as_slice)
    }

    /// The address of the row under the cursor.
    pub(super) fn address(&self) -> Option<IpAddr> {
        let columns = &self.current()?.columns;
        preview::address(columns, self.selected()?)
    }
}

/// Whether a page has every row at these positions.
fn covers(page: &TablePage, positions: &Range<usize>) -> bool {
    let end = (positions.end as u64).min(page.count);
    let start = (positions.start as u64).min(end);
    page.first <= start && end <= page.first + page.rows.len() as u64
}
