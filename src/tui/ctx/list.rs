//! A list: cursor, columns, order, filter, marks with undo, copies and drawing, for any rows. All of it follows from the one
//! declaration of the columns. A list never asks for data: its tab fills it, or its [`Rows`] know what is missing.

pub mod columns;
mod held_rows;
#[cfg(test)]
mod tests;

use std::{fmt, ops::Range};

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    style::Style,
    text::{Line, Span},
};

use super::{
    ViewCtx,
    intent::{Gesture, Yank},
    marks::{RANGE_BEGUN, RowMarks},
    orders::Orders,
    outbox::Outbox,
};
use crate::{
    model::{Document, visible},
    report::count,
    tui::ui::{
        cells,
        cursor::{Cursor, Motion},
        theme::{Focus, Theme, Tone},
        widgets::{
            bar::{BarLine, BarPart},
            pane::Pane,
            table::Table,
            text_field::TextField,
        },
    },
};
use columns::{ColumnSpec, SortBy};
pub use held_rows::{HeldRow, HeldRows};

/// Lines below the rows at most.
const LEGEND: usize = 3;

/// A row of a list.
pub trait ListRow: fmt::Debug + Sized + 'static {
    /// What tells the row from all others, wherever it is.
    type Key: Clone + fmt::Debug + fmt::Display + Ord;

    /// What a row is called: one, several.
    const NOUN: [&'static str; 2];

    /// What the filter looks into, in words.
    const FILTER: &'static str;

    fn key(&self) -> &Self::Key;

    /// The sign before the row, unless it is marked.
    fn sign(&self, _theme: &Theme) -> (char, Style) {
        (' ', Style::new())
    }

    fn is_dim(&self) -> bool {
        false
    }

    /// What stands for an unknown value.
    fn unknown(&self) -> &'static str {
        "-"
    }
}

/// The rows that a list shows, in their order. Only the rows in view must be in memory.
pub trait Rows: Default + fmt::Debug {
    type Row: ListRow;

    /// The number of the column by which the list is sorted at first.
    const SORTED_BY: usize;

    /// The columns, from the left. The sign of the row is in the first one.
    fn columns(&self) -> &[ColumnSpec<Self::Row>];

    fn len(&self) -> usize;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The row at a position; `None` if it is not in memory.
    fn row(&self, at: usize) -> Option<&Self::Row>;

    /// The row of a key, whether it is shown or not; `None` if it is not in memory.
    fn find(&self, key: &KeyOf<Self>) -> Option<&Self::Row>;

    /// Where the row of a key is shown.
    fn position(&self, key: &KeyOf<Self>) -> Option<usize>;

    /// The keys of the rows at these positions, as far as they are in memory.
    fn keys(&self, rows: Range<usize>) -> Vec<KeyOf<Self>> {
        let rows = rows.filter_map(|at| self.row(at));
        rows.map(|row| row.key().clone()).collect()
    }

    /// The cells of the widest value of a column, among the rows in memory.
    fn widest(&self, column: usize) -> u16;

    /// Filters and sorts.
    fn arrange(&mut self, filter: &str, sort: SortBy);
}

/// The keys of rows.
pub type KeyOf<R> = <<R as Rows>::Row as ListRow>::Key;

/// A list of any rows, as the shell knows it.
pub trait AnyList {
    /// The filter, while it is typed.
    fn field(&mut self) -> Option<&mut TextField>;

    /// Applies the filter after a change.
    fn typed(&mut self);

    /// What the list can be sorted by, and how it is.
    fn orders(&self) -> Orders;

    /// Sorts by one of the orders, in its usual direction or reversed.
    fn sort(&mut self, order: usize, is_reversed: bool, out: &mut Outbox);

    /// The keys of the marked rows, in order.
    fn marked(&self) -> Vec<String>;
}

/// Rows with a selected one, an order, a filter and marks.
#[derive(Debug)]
pub struct List<R: Rows> {
    rows: R,
    marks: RowMarks<KeyOf<R>>,
    /// The selected key, whether it is among the rows or not; `None` for whatever row is under the cursor.
    held: Option<KeyOf<R>>,
    cursor: Cursor,
    sort: SortBy,
    filter: TextField,
    is_typing: bool,
    /// The names of the columns that are not shown.
    hidden: Vec<&'static str>,
}

impl<R: Rows> Default for List<R> {
    fn default() -> Self {
        Self {
            rows: R::default(),
            marks: RowMarks::default(),
            held: None,
            cursor: Cursor::default(),
            sort: SortBy {
                column: R::SORTED_BY,
                is_reversed: false,
            },
            filter: TextField::new(R::Row::FILTER),
            is_typing: false,
            hidden: Vec::new(),
        }
    }
}

impl<R: Rows> List<R> {
    #[must_use]
    pub fn rows(&self) -> &R {
        &self.rows
    }

    #[must_use]
    pub fn marks(&self) -> &RowMarks<KeyOf<R>> {
        &self.marks
    }

    /// The selected key: the one that was chosen, else that of the row under the cursor, which is the first one at first. `None`
    /// if that row is not in memory.
    #[must_use]
    pub fn selected(&self) -> Option<&KeyOf<R>> {
        let row = || self.rows.row(self.cursor.selected(self.rows.len())?);
        self.held.as_ref().or_else(|| row().map(ListRow::key))
    }

    /// Selects a key, whether it is among the rows or not.
    pub fn select(&mut self, key: KeyOf<R>) {
        self.held = Some(key);
    }

    /// Where the selected row is shown.
    #[must_use]
    pub fn position(&self) -> Option<usize> {
        match &self.held {
            Some(key) => self.rows.position(key),
            None => self.cursor.selected(self.rows.len()),
        }
    }

    /// The marked keys, else the selected one.
    #[must_use]
    pub fn chosen(&self) -> Vec<KeyOf<R>> {
        if self.marks.is_empty() {
            return self.selected().cloned().into_iter().collect();
        }
        self.marks.iter().cloned().collect()
    }

    /// The positions between the beginning of a range and the selected row.
    #[must_use]
    pub fn range(&self) -> Option<Range<usize>> {
        self.marks
            .range(self.position()?, |key| self.rows.position(key))
    }

    /// Shows a column, or hides it.
    pub fn hide(&mut self, name: &'static str, is_hidden: bool) {
        self.hidden.retain(|own| *own != name);
        self.hidden.extend(is_hidden.then_some(name));
    }

    #[must_use]
    pub fn is_typing(&self) -> bool {
        self.is_typing
    }

    /// Whether the filter leaves rows out.
    #[must_use]
    pub fn is_filtered(&self) -> bool {
        !self.filter.is_empty()
    }

    /// Ends the typing of the filter, which holds.
    pub fn stop_typing(&mut self) {
        self.is_typing = false;
    }

    fn arrange(&mut self) {
        self.rows.arrange(self.filter.value(), self.sort);
    }

    fn clear_filter(&mut self) {
        self.filter.clear();
        self.arrange();
    }

    /// Selects the first row if the selected one is not among the rows any more.
    pub fn keep_in_view(&mut self) {
        if self.position().is_none() && !self.rows.is_empty() {
            self.hold(0);
        }
    }

    /// Selects the row at a position, by its key if that is in memory.
    fn hold(&mut self, at: usize) {
        self.cursor.select(at, self.rows.len());
        self.held = self.rows.row(at).map(|row| row.key().clone());
    }

    /// Whether a gesture needs a row and there is none.
    #[must_use]
    pub fn lacks_row_for(&self, gesture: Gesture) -> bool {
        let needs_row = match gesture {
            Gesture::Find => !self.is_filtered(),
            Gesture::Open
            | Gesture::Refresh
            | Gesture::Sort
            | Gesture::SortLeft
            | Gesture::SortRight => true,
            gesture => gesture.is_mark(),
        };
        needs_row && self.selected().is_none()
    }

    /// Handles a gesture; returns whether it has a meaning here.
    pub fn on(&mut self, gesture: Gesture, out: &mut Outbox) -> bool {
        match gesture {
            Gesture::Open | Gesture::NextPane | Gesture::PreviousPane if self.is_typing => {
                self.is_typing = false;
            }
            Gesture::Escape if self.is_typing => {
                self.is_typing = false;
                self.clear_filter();
            }
            _ if self.is_typing => return false,
            Gesture::Go(motion) => self.go(motion),
            Gesture::Find => self.is_typing = true,
            Gesture::Mark if self.range().is_none() => {
                if let Some(key) = self.selected().cloned() {
                    self.marks.toggle(key);
                }
            }
            Gesture::Mark | Gesture::MarkRange => self.mark_range(out),
            Gesture::MarkAll => {
                self.marks.add(self.rows.keys(0..self.rows.len()));
            }
            Gesture::InvertMarks => {
                self.marks.invert(self.rows.keys(0..self.rows.len()));
            }
            Gesture::Undo if self.marks.undo() => {}
            Gesture::Undo => out.say(Tone::Info, "nothing to undo"),
            Gesture::Redo if self.marks.redo() => {}
            Gesture::Redo => out.say(Tone::Info, "nothing to redo"),
            Gesture::Escape if self.marks.leave_range() => {
                out.say(Tone::Info, "range cancelled");
            }
            Gesture::Escape if self.is_filtered() => self.clear_filter(),
            _ => return false,
        }
        true
    }

    fn go(&mut self, motion: Motion) {
        let len = self.rows.len();
        if let Some(at) = self.position() {
            self.cursor.select(at, len);
        }
        self.cursor.step(motion, len);
        if len > 0 {
            self.hold(self.cursor.index());
        }
    }

    /// Begins a range at the selected row, or marks what lies between its beginning and the cursor.
    fn mark_range(&mut self, out: &mut Outbox) {
        if let Some(range) = self.range() {
            self.marks.leave_range();
            self.marks.add(self.rows.keys(range));
        } else if let Some(key) = self.selected().cloned() {
            self.marks.begin_range(key);
            out.say(Tone::Info, RANGE_BEGUN);
        }
    }

    /// Copies what is marked: the documents, a line each, or the rows as CSV. Returns whether anything is known of it.
    pub fn copy<'d>(
        &self,
        what: Yank,
        document: impl Fn(&KeyOf<R>) -> Option<&'d Document>,
        out: &mut Outbox,
    ) -> bool {
        let words = |copied: usize| {
            let [one, several] = R::Row::NOUN;
            let noun = if copied == 1 { one } else { several };
            format!("{} marked {noun}", count(copied as u64))
        };
        match what {
            Yank::Json => {
                let texts: Vec<&str> = self
                    .marks
                    .iter()
                    .filter_map(document)
                    .map(Document::text)
                    .collect();
                if !texts.is_empty() {
                    out.copy_json_lines(words(texts.len()), &texts);
                }
                !texts.is_empty()
            }
            Yank::Row => {
                let rows = self.marks.iter().filter_map(|key| self.rows.find(key));
                let columns = self.rows.columns();
                let cells = |row: &R::Row| {
                    let values = columns.iter().map(|column| column.value(row).plain());
                    values.collect::<Vec<_>>()
                };
                let rows: Vec<Vec<String>> = rows.map(cells).collect();
                let has_rows = !rows.is_empty();
                if has_rows {
                    let names: Vec<&str> = columns.iter().map(|own| own.name).collect();
                    out.copy_csv(words(rows.len()), &names, rows);
                }
                has_rows
            }
            _ => false,
        }
    }

    /// Adds the range and the keys that sort to the hints of the pane.
    #[must_use]
    pub fn hints(&self, mut bar: BarLine<'static>) -> BarLine<'static> {
        if let Some(range) = self.range() {
            bar = bar.left(BarPart::new(format!("{} in the range", range.len()), 3));
        }
        bar.left(BarPart::new("s < > sort", 5))
    }

    /// Draws the list in a pane: the filter if there is one, the rows, and the legend below.
    pub fn draw_in(
        &self,
        frame: &mut Frame<'_>,
        area: Rect,
        pane: Pane<'_>,
        legend: Line<'_>,
        ctx: &ViewCtx<'_>,
    ) {
        let mut focus = pane.focus;
        let inner = pane.draw(frame, area, ctx.theme);
        let mut legend = cells::wrap(legend, inner.width);
        legend.truncate(LEGEND.min(usize::from(inner.height / 4).max(1)));
        let has_filter = self.is_typing || self.is_filtered();
        let [filter, rows, below] = Layout::vertical([
            Constraint::Length(u16::from(has_filter)),
            Constraint::Min(0),
            Constraint::Length(u16::try_from(legend.len()).unwrap_or(1)),
        ])
        .areas(inner);
        self.draw_filter(frame, filter, ctx.theme);
        // If the selected key is not among the rows, no row is drawn as selected.
        match self.position() {
            Some(at) => self.cursor.select(at, self.rows.len()),
            None => focus = Focus::Elsewhere,
        }
        let shown = self.rows.columns().iter().enumerate();
        let shown = shown.filter(|(_, own)| !self.hidden.contains(&own.name));
        let shown: Vec<_> = shown.collect();
        let column = |(at, own): &(usize, &ColumnSpec<R::Row>)| {
            // The sign is in front of the first column.
            let before = if *at == 0 { "  " } else { "" };
            own.column(*at, self.sort, before, || self.rows.widest(*at))
        };
        let columns: Vec<_> = shown.iter().map(column).collect();
        let range = self.range();
        let cells_of = |at: usize| {
            let is_in_range = range.as_ref().is_some_and(|range| range.contains(&at));
            let row = self.rows.row(at);
            let cells = shown.iter().map(|(_, own)| cell(own, row, ctx.theme));
            let mut cells: Vec<Line<'_>> = cells.collect();
            if let (Some(row), Some(first)) = (row, cells.first_mut()) {
                let (sign, style) = if is_in_range || self.marks.contains(row.key()) {
                    ('*', ctx.theme.accent)
                } else {
                    row.sign(ctx.theme)
                };
                first
                    .spans
                    .insert(0, Span::styled(format!("{sign} "), style));
            }
            cells
        };
        Table::new(&columns, &self.cursor, self.rows.len()).draw(frame, rows, cells_of, ctx, focus);
        if self.rows.is_empty()
            && let Some(place) = rows.rows().nth(1)
        {
            frame.render_widget(
                Line::styled("  no match; esc shows all", ctx.theme.dim),
                place,
            );
        }
        for (line, place) in legend.into_iter().zip(below.rows()) {
            frame.render_widget(cells::cut_line(line, place.width), place);
        }
    }

    fn draw_filter(&self, frame: &mut Frame<'_>, place: Rect, theme: &Theme) {
        if self.is_typing {
            self.filter.draw_behind("/", frame, place, theme);
        } else if !place.is_empty() {
            let line = Line::from(vec![
                Span::styled("/ ", theme.accent),
                Span::styled(visible(self.filter.value()).into_owned(), theme.text),
                Span::styled("  esc clears", theme.dim),
            ]);
            frame.render_widget(line, place);
        }
    }
}

impl<R: Rows> AnyList for List<R> {
    fn field(&mut self) -> Option<&mut TextField> {
        self.is_typing.then_some(&mut self.filter)
    }

    fn typed(&mut self) {
        self.arrange();
        self.keep_in_view();
    }

    fn orders(&self) -> Orders {
        let columns = self.rows.columns().iter();
        let rows = columns.map(|own| own.order(self.hidden.contains(&own.name)));
        let present = (self.sort.column, self.sort.is_reversed);
        Orders::new(rows.collect(), Some(present))
    }

    fn sort(&mut self, order: usize, is_reversed: bool, out: &mut Outbox) {
        let Some(name) = self.rows.columns().get(order).map(|own| own.name) else {
            return;
        };
        self.sort = SortBy {
            column: order,
            is_reversed,
        };
        self.arrange();
        let direction = self.orders().direction(order);
        out.say(Tone::Info, format!("sorted by {name}, {direction}"));
    }

    fn marked(&self) -> Vec<String> {
        self.marks.iter().map(ToString::to_string).collect()
    }
}

/// The cell of a row in a column; empty for a row that is not in memory.
fn cell<R: ListRow>(column: &ColumnSpec<R>, row: Option<&R>, theme: &Theme) -> Line<'static> {
    let Some(row) = row else {
        return Line::default();
    };
    let style = match column.is_text {
        true if row.is_dim() => theme.dim,
        true => theme.text,
        false => Style::new(),
    };
    match column.cell(row) {
        Some(text) => Line::from(Span::styled(text, style)),
        None => Line::from(Span::styled(row.unknown(), theme.dim)),
    }
}
