//! The rows of an export's file as a table over all of them: those in view and a screen around them are at hand, the rest stays in the
//! file.

use std::{
    collections::BTreeSet,
    fmt,
    net::IpAddr,
    ops::Range,
    sync::{Mutex, PoisonError},
};

use jiff::Timestamp;
use serde_json::Value as Json;

use super::preview;
use crate::{
    engine::{ColumnOrder, ExportFileRun, ExportOrigin, ExportRun, TablePage, TableQuery},
    model::visible,
    report::{TextCell, counted, markdown_table},
    store::{Generation, Moment},
    tui::{
        ctx::{
            AnyList, ColumnSpec, Flow, Gesture, List, ListRow, LoadedRows, Orders, Outbox,
            Question, RowQuery, SortBy, UpdateCtx, Value, WindowRows, Yank,
        },
        ui::{TextField, Tone, cells},
    },
};

/// Rows of the screen around the table: border, heads of the table, and what is above them.
const AROUND: u16 = 6;
/// The longest network in CIDR notation: what is longer is no address, and must not push the others out.
pub(super) const LONGEST: u16 = 43;

/// A row of the file. Rows that read the same are marked together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ExportRow {
    pub(super) cells: Vec<String>,
    /// Its address or network, else all of its cells.
    name: String,
}

impl ExportRow {
    fn new(columns: &[String], cells: Vec<String>) -> Self {
        let name = match preview::address(columns, &cells) {
            Some(address) => address.to_string(),
            None => {
                preview::subject(columns, &cells).map_or_else(|| cells.join(","), str::to_owned)
            }
        };
        Self { cells, name }
    }

    fn value(&self, column: usize) -> Value<'_> {
        match self.cells.get(column).map_or("", String::as_str) {
            "" => Value::Unknown,
            text => Value::Text(cells::cut(text, LONGEST)),
        }
    }

    /// The value in the column of a diff.
    fn change(&self, column: usize) -> Value<'_> {
        let cell = self.cells.get(column).map_or("", String::as_str);
        Value::Text(preview::cell_text(preview::DIFF, cell))
    }

    /// As an object: numbers and lists stay what they are, all else is text.
    fn object(&self, columns: &[String]) -> String {
        let value = |text: &String| match serde_json::from_str(text) {
            Ok(value @ (Json::Number(_) | Json::Array(_))) => value,
            _ => Json::String(text.clone()),
        };
        let members = columns.iter().zip(&self.cells);
        let members = members.map(|(column, text)| (column.clone(), value(text)));
        Json::Object(members.collect()).to_string()
    }
}

impl fmt::Display for ExportRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&visible(&self.name))
    }
}

impl ListRow for ExportRow {
    type Key = Self;

    const NOUN: &'static str = "row";

    fn key(&self) -> &Self {
        self
    }

    fn unknown(&self) -> &'static str {
        ""
    }
}

/// What is known of the file.
#[derive(Debug)]
pub struct TableHead {
    pub(super) columns: Vec<String>,
    pub(super) records: u64,
    /// The rows that the filter leaves.
    pub(super) count: u64,
    pub(super) is_torn: bool,
}

impl RowQuery for TableQuery {
    type Row = ExportRow;
    type Head = TableHead;
    type Page = TablePage;
    type Keys = TablePage;

    const MOST: u64 = 10_000;

    fn columns(&self, head: Option<&TableHead>) -> Vec<ColumnSpec<ExportRow>> {
        let columns = head.map_or(&[][..], |head| &head.columns[..]);
        let columns = preview::order(columns).map(|at| spec(at, &columns[at]));
        columns.collect()
    }

    fn sorted(&self, head: Option<&TableHead>) -> Option<SortBy> {
        let (sort, columns) = (self.sort?, &head?.columns);
        let column = preview::order(columns).position(|at| at == sort.column)?;
        Some(SortBy {
            column,
            is_reversed: sort.descending != preview::is_number(columns.get(sort.column)?),
        })
    }

    fn page(&self, rows: Range<u64>) -> Question {
        Question::ExportRows(self.clone(), rows)
    }

    fn read(self, page: TablePage) -> LoadedRows<Self> {
        let rows = page.rows.into_iter();
        let rows = rows.map(|cells| ExportRow::new(&page.columns, cells));
        let rows = rows.collect();
        let head = TableHead {
            columns: page.columns,
            records: page.records,
            count: page.count,
            is_torn: page.is_torn,
        };
        LoadedRows::new(self, page.count, page.first, rows, head)
    }

    fn keys(&self, rows: Range<u64>) -> Question {
        self.page(rows)
    }

    /// The file is read page by page.
    fn read_keys(&self, page: TablePage, rest: &mut Range<u64>) -> Vec<ExportRow> {
        let read = page.rows.len() as u64;
        rest.start = if read == 0 {
            rest.end
        } else {
            rest.start + read
        };
        let rows = page.rows.into_iter();
        rows.map(|cells| ExportRow::new(&page.columns, cells))
            .collect()
    }
}

/// A column on the screen.
fn spec(at: usize, column: &str) -> ColumnSpec<ExportRow> {
    let (head, width, rank) = preview::head(column);
    let value = if column == preview::DIFF {
        ExportRow::change
    } else {
        ExportRow::value
    };
    let spec = ColumnSpec::cell_at(at, interned(&head), width, value).rank(rank);
    if preview::is_number(column) {
        spec.numeric()
    } else {
        spec
    }
}

/// Names of columns that are kept at most.
const MOST_NAMES: usize = 256;

/// Characters of such a name.
const LONGEST_NAME: usize = 64;

/// A name that is kept for good: files have few columns, and the same ones come again. What a file adds to the memory is limited.
fn interned(name: &str) -> &'static str {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    let name: String = name.chars().take(LONGEST_NAME).collect();
    if let Some(text) = names.get(name.as_str()) {
        return text;
    }
    if names.len() == MOST_NAMES {
        return "COLUMN";
    }
    let own: &'static str = Box::leak(name.into_boxed_str());
    names.insert(own);
    own
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
    pub(super) list: List<WindowRows<TableQuery>>,
    /// The filter that is being typed, and what was shown before.
    pub(super) typing: Option<(TextField, TableQuery)>,
    /// Whether reading was stopped. The next key goes on.
    is_stopped: bool,
    /// Whether it replaces the form.
    pub(super) is_open: bool,
}

impl AnyList for ResultsTable {
    fn field(&mut self) -> Option<&mut TextField> {
        self.typing.as_mut().map(|(field, _)| field)
    }

    fn typed(&mut self) {
        if let Some((field, before)) = &self.typing {
            let query = TableQuery {
                filter: field.value().trim().to_owned(),
                ..before.clone()
            };
            self.list.show(query);
        }
    }

    fn orders(&self) -> Orders {
        self.list.orders()
    }

    /// Undo brings the order before back.
    fn sort(&mut self, order: usize, is_reversed: bool, _out: &mut Outbox) {
        let columns = self.columns();
        if let Some(column) = preview::order(columns).nth(order) {
            let descending = is_reversed != preview::is_number(&columns[column]);
            self.change(|query| query.sort = Some(ColumnOrder { column, descending }));
        }
    }

    fn marked(&self) -> Vec<String> {
        self.list.marked()
    }
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
            list: List::new(WindowRows::new(query)),
            typing: None,
            is_stopped: false,
            is_open: false,
        }
    }

    /// What is known of the file, and whether that and the rows answer an older question.
    pub(super) fn head(&self) -> Option<(&TableHead, bool)> {
        let loaded = self.list.rows().loaded()?;
        Some((&loaded.head, loaded.query != *self.list.query()))
    }

    fn columns(&self) -> &[String] {
        self.head().map_or(&[], |(head, _)| &head.columns)
    }

    /// Asks for the rows in view that are not loaded.
    pub(super) fn follow(&mut self, ctx: &mut UpdateCtx<'_>) {
        if !self.is_stopped {
            let height = ctx.body.height.saturating_sub(AROUND).max(1);
            self.list.follow(height.into(), ctx);
        }
    }

    /// Stops what is under way and goes back to what is shown; returns whether anything was.
    pub(super) fn cancel(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        if let Some(loaded) = self.list.rows().loaded() {
            let query = loaded.query.clone();
            self.list.rows_mut().query = query;
        }
        self.is_stopped = self.list.stop(ctx);
        self.is_stopped
    }

    /// Shows the rows in another order, or others; undo brings those before back.
    fn change(&mut self, change: impl FnOnce(&mut TableQuery)) {
        let before = self.list.query().clone();
        let mut query = before.clone();
        change(&mut query);
        if self.list.show(query) {
            self.list.keep(before);
        }
    }

    pub(super) fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        if gesture == Gesture::Cancel {
            return self.cancel(ctx).into();
        }
        self.is_stopped = false;
        if let Some((_, before)) = &self.typing {
            let before = before.clone();
            match gesture {
                Gesture::Open if before != *self.list.query() => self.list.keep(before),
                Gesture::Open => {}
                Gesture::Escape | Gesture::Quit | Gesture::Back => {
                    self.list.show(before);
                }
                _ => return Flow::Done,
            }
            self.typing = None;
            return Flow::Done;
        }
        match gesture {
            Gesture::Go(_) => {
                self.list.on(gesture, ctx.out);
            }
            Gesture::Find => {
                let query = self.list.query().clone();
                let mut field = TextField::new("words that a row must have: ACME country:NL");
                field.set(&query.filter);
                self.typing = Some((field, query));
            }
            Gesture::Refresh => self.list.rows_mut().refresh(ctx),
            Gesture::Undo | Gesture::Redo => {
                if let Some(query) = self.list.undo(gesture == Gesture::Redo, ctx.out) {
                    self.list.show(query);
                }
            }
            gesture if gesture.is_mark() => self.list.mark(gesture, ctx),
            Gesture::Escape if self.list.escape(ctx) => {}
            Gesture::Escape if !self.list.query().filter.is_empty() => {
                self.change(|query| query.filter.clear());
                ctx.out.say(Tone::Info, "filter cleared; u brings it back");
            }
            Gesture::Escape | Gesture::Back | Gesture::Quit => return Flow::Close,
            _ => return Flow::Ignored,
        }
        Flow::Done
    }

    /// The address of the row under the cursor.
    pub(super) fn address(&self) -> Option<IpAddr> {
        preview::address(self.columns(), &self.list.row()?.cells)
    }

    /// Copies the marked rows as CSV, as JSON lines or as a table for a ticket, or their cells; without marks the row or the cell
    /// under the cursor. `None` for what is not of the rows.
    pub(super) fn copy(&self, what: Yank, ctx: &mut UpdateCtx<'_>) -> Option<bool> {
        let (marks, columns) = (self.list.marks(), self.columns());
        let column = preview::order(columns).nth(self.list.column());
        let cell = |row: &ExportRow| row.cells.get(column?).cloned();
        if marks.is_empty() {
            let row = self.list.row();
            return match what {
                Yank::Row => row.map(|row| ctx.out.copy_cells("the row", &row.cells)),
                Yank::Value => row
                    .and_then(cell)
                    .map(|cell| ctx.out.copy("the cell", cell)),
                _ => return None,
            }
            .is_some()
            .into();
        }
        let marked = counted(marks.len() as u64, "marked row");
        match what {
            Yank::Value => {
                let cells = marks.iter().filter_map(cell);
                ctx.out.copy_column(format!("the cells of {marked}"), cells);
            }
            Yank::Row => {
                let rows = marks.iter().map(|row| row.cells.clone());
                ctx.out.copy_csv(marked, columns, rows);
            }
            Yank::Json => {
                let objects = marks.iter().map(|row| row.object(columns));
                ctx.out.copy_json_lines(marked, objects);
            }
            Yank::Ticket => {
                let cells = |row: &ExportRow| row.cells.iter().map(TextCell::known).collect();
                let rows: Vec<Vec<TextCell>> = marks.iter().map(cells).collect();
                ctx.out.copy_lines(marked, markdown_table(columns, &rows));
            }
            _ => return None,
        }
        Some(true)
    }
}
