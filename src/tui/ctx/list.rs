//! A list: cursor, columns, order, filter, marks with undo, copies and drawing, for any rows. All of it follows from the one
//! declaration of the columns. A list never asks for data: its tab fills it, or its [`Rows`] know what is missing.

mod cell_columns;
pub mod columns;
mod draw;
mod held_rows;
#[cfg(test)]
mod tests;
mod window_rows;
mod written;

use std::{collections::BTreeSet, fmt, ops::Range};

use ratatui::style::Style;

use super::{
    Gesture, ListContent, ListPart, Orders, Outbox, RowMarks, RowNumbers, Scope, Yank,
    marks::RANGE_BEGUN,
};
use crate::{
    model::Document,
    report::{count, counted, each},
    tui::ui::{BarLine, BarPart, Cursor, Motion, TextField, Theme, Tone},
};
use columns::{ColumnSpec, SortBy};
pub use held_rows::{HeldRow, HeldRows, RowTest, by_words};
pub use window_rows::{LoadedRows, RowQuery, WindowRows};

/// Where the sign of a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignPlace {
    /// In the first cell. A mark is in its place.
    FirstCell,
    /// In a column of its own. A mark is before it.
    OwnColumn,
    /// Rows have no signs. A mark is before the first column.
    Nowhere,
}

/// A row of a list.
pub trait ListRow: fmt::Debug + Sized + 'static {
    /// What tells the row from all others, wherever it is.
    type Key: Clone + fmt::Debug + fmt::Display + Ord;

    /// What a row is called.
    const NOUN: &'static str;

    /// What the filter looks into, in words.
    const FILTER: &'static str = "";

    fn key(&self) -> &Self::Key;

    /// What the row is about, alone.
    fn name(&self) -> String {
        self.key().to_string()
    }

    /// Where the sign is.
    const SIGNS: SignPlace = SignPlace::FirstCell;

    /// The sign before the row.
    fn sign(&self, _theme: &Theme) -> (char, Style) {
        (' ', Style::new())
    }

    fn is_dim(&self) -> bool {
        false
    }

    /// The style of a column.
    fn style(&self, _column: &str, theme: &Theme) -> Style {
        if self.is_dim() { theme.dim } else { theme.text }
    }

    /// The part of a column's text that has the colour of the sign.
    fn loud_part(&self, _column: &str) -> Option<&str> {
        None
    }

    /// What stands for an unknown value.
    fn unknown(&self) -> &'static str {
        "-"
    }

    /// The text of a column, with what stands for an unknown one.
    fn text_in(&self, column: &ColumnSpec<Self>) -> String {
        let text = column.text_of(self);
        text.unwrap_or_else(|| self.unknown().to_owned())
    }
}

/// The rows that a list shows, in their order. Only the rows in view must be in memory.
pub trait Rows: fmt::Debug {
    type Row: ListRow;

    /// Whether few rows are in memory: the cursor stays at its position then, not at its row, and the keys to mark are asked for.
    const IS_LAZY: bool = false;

    /// Whether the cursor is in a cell. Then columns scroll sideways, and marks are before the first one.
    const HAS_CELLS: bool = false;

    /// The number of the column by which the list is sorted at first.
    const SORTED_BY: usize = 0;

    /// The columns, from the left. The sign of the row is in the first one.
    fn columns(&self) -> &[ColumnSpec<Self::Row>];

    fn len(&self) -> usize;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The row at a position; `None` if it is not in memory.
    fn row(&self, at: usize) -> Option<&Self::Row>;

    /// The row of a key, whether it is shown or not; `None` if it is not in memory.
    fn find(&self, key: &KeyOf<Self>) -> Option<&Self::Row> {
        self.row(self.position(key)?)
    }

    /// Where the row of a key is shown.
    fn position(&self, key: &KeyOf<Self>) -> Option<usize>;

    /// The keys of the rows at these positions, as far as they are in memory.
    fn keys(&self, rows: Range<usize>) -> Vec<KeyOf<Self>> {
        let rows = rows.filter_map(|at| self.row(at));
        rows.map(|row| row.key().clone()).collect()
    }

    /// The cells of the widest value of a column, among the rows in memory.
    fn widest(&self, column: usize) -> u16 {
        let rows = (0..self.len()).map_while(|at| self.row(at));
        let widths = rows.map(|row| self.columns()[column].cells(row));
        widths.max().unwrap_or_default()
    }

    /// Whether the keys of rows are being read, to mark them.
    fn is_marking(&self) -> bool {
        false
    }

    /// Why the filter is none, if it is not.
    fn mistake(&self) -> Option<&str> {
        None
    }

    /// Filters and sorts.
    fn arrange(&mut self, _filter: &str, _sort: SortBy) {}

    /// All rows in this order, those too that the filter leaves out.
    fn everything(&self, _sort: SortBy) -> Vec<&Self::Row> {
        (0..self.len()).filter_map(|at| self.row(at)).collect()
    }

    /// The column by which the rows are sorted, if any; `own` is what was chosen in the list.
    fn sorted(&self, sort_by: SortBy) -> Option<SortBy> {
        Some(sort_by)
    }

    /// The positions to draw in place of a window; others while its rows are not in memory.
    fn drawn(&self, window: Range<usize>, _height: usize) -> Range<usize> {
        window
    }

    /// The row to draw at one of these positions.
    fn drawn_row(&self, at: usize) -> Option<&Self::Row> {
        self.row(at)
    }
}

/// How keys change marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkChange {
    Add,
    Invert,
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

    /// The keys of the marked rows, those that are shown first.
    fn marked(&self) -> Vec<String>;

    /// How many rows can be written to a file; `None` where that is not possible.
    fn numbers(&self) -> Option<RowNumbers> {
        None
    }

    /// Part of the list, for a file.
    fn content(&self, _part: ListPart) -> ListContent {
        ListContent::Text("".into(), 0)
    }
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
    /// The column under the cursor.
    column: usize,
    /// Where a range begins in rows that are not all in memory.
    from: usize,
    /// The rows to mark whose keys must be asked for.
    wanted: Option<(Range<usize>, MarkChange)>,
}

impl<R: Rows + Default> Default for List<R> {
    fn default() -> Self {
        Self::new(R::default())
    }
}

impl<R: Rows> List<R> {
    #[must_use]
    pub fn new(rows: R) -> Self {
        Self {
            rows,
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
            column: 0,
            from: 0,
            wanted: None,
        }
    }

    #[must_use]
    pub fn rows(&self) -> &R {
        &self.rows
    }

    pub fn rows_mut(&mut self) -> &mut R {
        &mut self.rows
    }

    /// The selected row, if it is in memory.
    #[must_use]
    pub fn row(&self) -> Option<&R::Row> {
        self.rows.row(self.position()?)
    }

    /// The column under the cursor.
    #[must_use]
    pub fn column(&self) -> usize {
        self.column
    }

    /// Selects the row at a position, whatever is there.
    pub fn jump(&mut self, at: usize) {
        self.held = None;
        self.cursor.select(at, self.rows.len());
    }

    /// The positions in view, with so many rows on the screen.
    #[must_use]
    pub fn window(&self, height: usize) -> Range<usize> {
        match self.rows.len() {
            0 => 0..height,
            len => self.cursor.window(len, height),
        }
    }

    #[must_use]
    pub fn marks(&self) -> &RowMarks<KeyOf<R>> {
        &self.marks
    }

    pub fn marks_mut(&mut self) -> &mut RowMarks<KeyOf<R>> {
        &mut self.marks
    }

    /// Changes the marks of these keys.
    fn change_marks(&mut self, keys: Vec<KeyOf<R>>, change: MarkChange) {
        match change {
            MarkChange::Add => self.marks.add(keys),
            MarkChange::Invert => self.marks.invert(keys),
        };
    }

    fn mark_rows(&mut self, rows: Range<usize>, change: MarkChange) {
        if R::IS_LAZY {
            self.wanted = Some((rows, change));
        } else {
            self.change_marks(self.rows.keys(rows), change);
        }
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

    /// The marked keys, those of the rows shown first.
    #[must_use]
    pub fn marked_keys(&self) -> Vec<&KeyOf<R>> {
        let shown = 0..if R::IS_LAZY { 0 } else { self.rows.len() };
        let shown = shown.filter_map(|at| self.rows.row(at)).map(ListRow::key);
        let mut keys: Vec<_> = shown.filter(|key| self.marks.contains(key)).collect();
        let in_view: BTreeSet<_> = keys.iter().copied().collect();
        keys.extend(self.marks.iter().filter(|key| !in_view.contains(key)));
        keys
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
        self.marks.range(self.position()?, |key| {
            if R::IS_LAZY {
                Some(self.from)
            } else {
                self.rows.position(key)
            }
        })
    }

    /// Shows a column, or hides it.
    pub fn hide(&mut self, name: &'static str, is_hidden: bool) {
        self.hidden.retain(|text| *text != name);
        self.hidden.extend(is_hidden.then_some(name));
        if !self.is_shown(self.column) {
            self.column = 0;
        }
    }

    /// Whether a column is shown, by its number.
    #[must_use]
    pub fn is_shown(&self, column: usize) -> bool {
        let column = self.rows.columns().get(column);
        column.is_some_and(|spec| !self.hidden.contains(&spec.name))
    }

    /// How many columns are not shown.
    #[must_use]
    pub fn hidden(&self) -> usize {
        self.hidden.len()
    }

    /// The scope of its keys, which are those of a text while its filter is typed.
    #[must_use]
    pub fn scope_or(&self, own: Scope) -> Scope {
        if self.is_typing { Scope::Input } else { own }
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

    /// Shows the rows that match this filter.
    pub fn filter_by(&mut self, filter: &str) {
        self.filter.set(filter);
        self.arrange();
        self.keep_in_view();
    }

    #[must_use]
    pub fn filter(&self) -> &str {
        self.filter.value()
    }

    /// Sorts by a column; a name that no column has changes nothing.
    pub fn sort_by(&mut self, name: &str, is_reversed: bool) {
        let column = self
            .rows
            .columns()
            .iter()
            .position(|spec| spec.name == name);
        if let Some(column) = column {
            self.sort = SortBy {
                column,
                is_reversed,
            };
            self.arrange();
        }
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
        let row = self.rows.row(at).filter(|_| !R::IS_LAZY);
        self.held = row.map(|row| row.key().clone());
    }

    /// The name of the column by which it is sorted, and whether in reverse.
    #[must_use]
    pub fn sorted_by(&self) -> (&'static str, bool) {
        let column = self.rows.columns().get(self.sort.column);
        (column.map_or("", |spec| spec.name), self.sort.is_reversed)
    }

    /// Clears all marks; returns whether there were any.
    pub fn clear_marks(&mut self) -> bool {
        self.marks.clear()
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
            Gesture::Go(Motion::Left | Motion::Right) if R::HAS_CELLS && !self.is_typing => {
                self.go_sideways(gesture == Gesture::Go(Motion::Left));
            }
            Gesture::Go(motion) => self.go(motion),
            _ if self.is_typing => return false,
            Gesture::Find => self.is_typing = true,
            Gesture::Mark if self.range().is_none() => {
                if let Some(key) = self.selected().cloned() {
                    self.marks.toggle(key);
                }
            }
            Gesture::Mark | Gesture::MarkRange => self.mark_range(out),
            Gesture::MarkAll => self.mark_rows(0..self.rows.len(), MarkChange::Add),
            Gesture::InvertMarks => self.mark_rows(0..self.rows.len(), MarkChange::Invert),
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

    fn go_sideways(&mut self, is_left: bool) {
        let next = if is_left {
            (0..self.column).rev().find(|at| self.is_shown(*at))
        } else {
            let all = self.rows.columns().len();
            (self.column + 1..all).find(|at| self.is_shown(*at))
        };
        self.column = next.unwrap_or(self.column);
    }

    /// Begins a range at the selected row, or marks what lies between its beginning and the cursor.
    fn mark_range(&mut self, out: &mut Outbox) {
        if let Some(range) = self.range() {
            self.marks.leave_range();
            self.mark_rows(range, MarkChange::Add);
        } else if let Some(key) = self.selected().cloned() {
            self.marks.begin_range(key);
            self.from = self.cursor.index();
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
        let words = |copied: usize| counted(copied as u64, &format!("marked {}", R::Row::NOUN));
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
                    let names: Vec<&str> = columns.iter().map(|spec| spec.name).collect();
                    out.copy_csv(words(rows.len()), &names, rows);
                }
                has_rows
            }
            _ => false,
        }
    }

    /// How many rows are in the range and marked, and which of the rows the cursor is on, with `aside` before that.
    #[must_use]
    pub fn standing(&self, aside: &str) -> String {
        let number = |rows: usize| count(rows as u64);
        let range = self.range();
        let range = range.map(|range| format!("{} in the range", number(range.len())));
        let marked = match self.marks.len() {
            _ if self.rows.is_marking() => Some("marking".to_owned()),
            0 => None,
            marked => Some(format!("{} marked", number(marked))),
        };
        let at = self.position();
        let at = at.map(|at| format!("{aside}{} of {}", number(at + 1), number(self.rows.len())));
        each([range, marked, at].into_iter().flatten(), "   ")
    }

    /// Adds the range and the keys that sort to the hints of the pane.
    #[must_use]
    pub fn hints(&self, mut bar: BarLine<'static>) -> BarLine<'static> {
        if let Some(range) = self.range() {
            bar = bar.left(BarPart::new(format!("{} in the range", range.len()), 3));
        }
        bar.left(BarPart::new("s < > sort", 5))
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
        let columns = self.rows.columns();
        let sortable = columns.iter().filter(|spec| spec.is_sortable);
        let rows = sortable.map(|spec| spec.order(self.hidden.contains(&spec.name)));
        let present = self.rows.sorted(self.sort);
        let present = present.and_then(|by| {
            let order = columns::order_of(columns, by.column)?;
            Some((order, by.is_reversed))
        });
        Orders {
            start: columns::order_of(columns, self.column).unwrap_or_default(),
            ..Orders::new(rows.collect(), present)
        }
    }

    fn sort(&mut self, order: usize, is_reversed: bool, out: &mut Outbox) {
        let columns = self.rows.columns().iter().enumerate();
        let mut sortable = columns.filter(|(_, spec)| spec.is_sortable);
        let Some((column, name)) = sortable.nth(order).map(|(at, spec)| (at, spec.name)) else {
            return;
        };
        self.sort = SortBy {
            column,
            is_reversed,
        };
        self.arrange();
        let direction = self.orders().direction(order);
        out.say(Tone::Info, format!("sorted by {name}, {direction}"));
    }

    fn marked(&self) -> Vec<String> {
        let marked = self.marked_keys();
        marked.into_iter().map(ToString::to_string).collect()
    }

    fn numbers(&self) -> Option<RowNumbers> {
        self.row_numbers()
    }

    fn content(&self, part: ListPart) -> ListContent {
        self.content_of(part)
    }
}
