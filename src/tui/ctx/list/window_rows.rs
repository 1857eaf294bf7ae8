//! Rows that are not all in memory: those in view and a screen around them. Others are asked for as they come into view, and the
//! keys of others to mark them.
//!
//! Old rows stay until new ones arrive and must never pass for them, so rows carry the view that they are of.

use std::{cell::Cell, fmt, ops::Range};

use jiff::Timestamp;

use super::{
    KeyOf, List, ListRow, MarkChange, Rows,
    columns::{ColumnSpec, SortBy},
};
use crate::{
    engine::Error,
    report::{count, counted},
    tui::{
        ctx::{Asked, FromAnswer, Gesture, JobId, Outbox, Question, TabReply, UpdateCtx},
        ui::{Motion, Tone},
    },
};

/// The minimum number of rows to request beyond those in view.
const LEAST: usize = 40;

/// Which rows are shown, and in which order.
pub trait RowQuery: Clone + fmt::Debug + PartialEq + 'static {
    type Row: ListRow;

    /// What is known of the view beside its rows.
    type Head: fmt::Debug;

    /// The answer with rows.
    type Page: FromAnswer;

    /// The answer with keys.
    type Keys: FromAnswer + fmt::Debug;

    /// The most rows that are marked at a time. A request beyond it marks nothing.
    const MOST: u64;

    /// Whether rows that are in memory are marked without a question.
    const MARKS_LOADED: bool = true;

    /// The columns; the head is that of the loaded rows.
    fn columns(&self, head: Option<&Self::Head>) -> Vec<ColumnSpec<Self::Row>>;

    /// The column by which the rows are sorted, if any; the head is that of the loaded rows.
    fn sorted(&self, head: Option<&Self::Head>) -> Option<SortBy>;

    /// Whether the failure to load another view is also one to load this.
    fn fails_with(&self, other: &Self) -> bool {
        self == other
    }

    /// The question for the rows at these positions.
    fn page(&self, rows: Range<u64>) -> Question;

    fn read(self, page: Self::Page) -> LoadedRows<Self>;

    /// The question for the keys of the rows at these positions.
    fn keys(&self, rows: Range<u64>) -> Question;

    /// The keys in an answer; leaves the positions that are still to be read.
    fn read_keys(
        &self,
        keys: Self::Keys,
        rest: &mut Range<u64>,
    ) -> Vec<<Self::Row as ListRow>::Key>;
}

/// Loaded rows, with the view that they are of.
#[derive(Debug)]
pub struct LoadedRows<Q: RowQuery> {
    pub query: Q,
    pub head: Q::Head,
    /// The number of rows of the view.
    len: usize,
    first: usize,
    rows: Vec<Q::Row>,
}

impl<Q: RowQuery> LoadedRows<Q> {
    /// These rows, of so many; the first one is at this position.
    #[must_use]
    pub fn new(query: Q, count: u64, first: u64, rows: Vec<Q::Row>, head: Q::Head) -> Self {
        let [len, first] =
            [count, first].map(|number| usize::try_from(number).unwrap_or(usize::MAX));
        Self {
            query,
            head,
            len,
            first,
            rows,
        }
    }

    fn row(&self, position: usize) -> Option<&Q::Row> {
        self.rows.get(position.checked_sub(self.first)?)
    }

    fn covers(&self, positions: &Range<usize>) -> bool {
        let end = self.first + self.rows.len();
        let last = positions.end.min(self.len);
        positions.is_empty() || (self.first <= positions.start && last <= end)
    }
}

/// A request for the rows of a view at some positions.
#[derive(Clone, Debug, PartialEq)]
struct PageRequest<Q> {
    query: Q,
    rows: Range<usize>,
}

impl<Q: RowQuery> From<PageRequest<Q>> for Question {
    fn from(PageRequest { query, rows }: PageRequest<Q>) -> Self {
        query.page(rows.start as u64..rows.end as u64)
    }
}

/// A request for the keys of rows to mark.
#[derive(Clone, Debug, PartialEq)]
struct KeysRequest<Q> {
    query: Q,
    rest: Range<u64>,
}

impl<Q: RowQuery> From<KeysRequest<Q>> for Question {
    fn from(KeysRequest { query, rest }: KeysRequest<Q>) -> Self {
        query.keys(rest)
    }
}

/// A change that can be undone.
#[derive(Debug)]
enum ListUndo<Q> {
    /// Another view was shown.
    Query(Q),
    /// Marks changed; they know which.
    Marks,
}

/// The rows of a view.
#[derive(Debug)]
pub struct WindowRows<Q: RowQuery> {
    /// What is to be shown.
    pub query: Q,
    columns: Vec<ColumnSpec<Q::Row>>,
    page: Asked<PageRequest<Q>, LoadedRows<Q>>,
    /// The keys of the rows that are being marked, as far as they were read, and what is done with them.
    keys: Asked<KeysRequest<Q>, Q::Keys>,
    read: Vec<<Q::Row as ListRow>::Key>,
    change: MarkChange,
    past: Vec<ListUndo<Q>>,
    future: Vec<ListUndo<Q>>,
    /// The position at the top of the screen when all rows in view were last loaded.
    top: Cell<usize>,
}

impl<Q: RowQuery> WindowRows<Q> {
    #[must_use]
    pub fn new(query: Q) -> Self {
        Self {
            columns: query.columns(None),
            query,
            page: Asked::default(),
            keys: Asked::default(),
            read: Vec::new(),
            change: MarkChange::Add,
            past: Vec::new(),
            future: Vec::new(),
            top: Cell::default(),
        }
    }

    /// The loaded rows, whatever their view.
    #[must_use]
    pub fn loaded(&self) -> Option<&LoadedRows<Q>> {
        self.page.value()
    }

    /// The loaded rows, if they are of the view to show.
    #[must_use]
    pub fn current(&self) -> Option<&LoadedRows<Q>> {
        self.loaded().filter(|loaded| loaded.query == self.query)
    }

    /// Why rows of this view failed to load.
    #[must_use]
    pub fn error(&self) -> Option<&Error> {
        let (error, asked) = self.page.error().zip(self.page.question())?;
        self.query.fails_with(&asked.query).then_some(error)
    }

    /// The job that loads rows.
    #[must_use]
    pub fn pending(&self) -> Option<JobId> {
        self.page.pending()
    }

    /// The time when the old rows must be marked, while new ones are loading.
    #[must_use]
    pub fn late_at(&self) -> Option<Timestamp> {
        self.page.late_at()
    }

    /// Whether new rows have been loading for so long that the old ones must be marked.
    #[must_use]
    pub fn is_late(&self, now: Timestamp) -> bool {
        self.late_at().is_some_and(|at| at <= now)
    }

    /// Shows another view in place of the loaded one, which has the same rows.
    pub fn rename(&mut self, query: Q) {
        if let Some(loaded) = self.page.value_mut() {
            loaded.query = query.clone();
        }
        self.query = query;
    }

    /// Requests the loaded rows again, since they may have changed.
    pub fn renew(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some(loaded) = self.loaded()
            && !self.page.is_pending()
        {
            let end = loaded.first + loaded.rows.len();
            let rows = loaded.first..end.max(loaded.first + 1);
            let query = loaded.query.clone();
            self.page.ask_anew(PageRequest { query, rows }, ctx);
        }
    }

    /// Requests the first rows again, even if they are loaded.
    pub fn refresh(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.ask(0..2 * LEAST, ctx);
    }

    /// Requests the rows in and around the window that are not loaded. After a failure only the user can retry.
    fn want(&mut self, window: &Range<usize>, ctx: &mut UpdateCtx<'_>) {
        let height = window.len().max(LEAST);
        let near = window.start.saturating_sub(height / 2)..window.end + height / 2;
        let asked = self.page.question();
        let is_of_view = asked.is_some_and(|asked| asked.query == self.query);
        if self.current().is_some_and(|loaded| loaded.covers(&near)) {
            if !is_of_view {
                self.page.stop(ctx);
            }
            return;
        }
        let is_asked = asked.is_some_and(|PageRequest { rows, .. }| {
            rows.start <= window.start && window.end <= rows.end
        });
        let has_failed = self.page.error().is_some();
        if !(is_of_view && (has_failed || is_asked && self.page.is_pending())) {
            self.ask(
                window.start.saturating_sub(height)..window.end + height,
                ctx,
            );
        }
    }

    fn ask(&mut self, rows: Range<usize>, ctx: &mut UpdateCtx<'_>) {
        let query = self.query.clone();
        self.page.ask_anew(PageRequest { query, rows }, ctx);
    }

    /// Records a change for undo.
    fn keep(&mut self, change: ListUndo<Q>) {
        self.past.push(change);
        self.future.clear();
    }
}

impl<Q: RowQuery> Rows for WindowRows<Q> {
    type Row = Q::Row;

    const IS_LAZY: bool = true;

    const HAS_CELLS: bool = true;

    fn columns(&self) -> &[ColumnSpec<Q::Row>] {
        &self.columns
    }

    fn len(&self) -> usize {
        self.current().map_or(0, |loaded| loaded.len)
    }

    fn row(&self, at: usize) -> Option<&Q::Row> {
        self.current()?.row(at)
    }

    /// Only of a row that is loaded.
    fn position(&self, key: &KeyOf<Self>) -> Option<usize> {
        let loaded = self.current()?;
        let mut rows = loaded.rows.iter();
        Some(loaded.first + rows.position(|row| row.key() == key)?)
    }

    fn sorted(&self, _own: SortBy) -> Option<SortBy> {
        self.query.sorted(self.loaded().map(|loaded| &loaded.head))
    }

    fn drawn(&self, window: Range<usize>, height: usize) -> Range<usize> {
        match self.loaded() {
            Some(loaded) if loaded.query == self.query && loaded.covers(&window) => {
                self.top.set(window.start);
                window
            }
            Some(loaded) => {
                let top = self.top.get().max(loaded.first);
                top..top.saturating_add(height.max(1))
            }
            None => 0..0,
        }
    }

    fn drawn_row(&self, at: usize) -> Option<&Q::Row> {
        self.loaded()?.row(at)
    }

    fn is_marking(&self) -> bool {
        self.keys.is_pending()
    }
}

impl<Q: RowQuery> List<WindowRows<Q>> {
    #[must_use]
    pub fn query(&self) -> &Q {
        &self.rows.query
    }

    /// Requests the rows in view that are not loaded, with so many on the screen.
    pub fn follow(&mut self, height: usize, ctx: &mut UpdateCtx<'_>) {
        let window = self.window(height);
        self.rows.want(&window, ctx);
    }

    /// Shows another view from its first row; returns whether it is another. Undo does not bring the one before back.
    pub fn show(&mut self, query: Q) -> bool {
        let is_other = self.rows.query != query;
        if is_other {
            self.rows.query = query;
            self.marks.leave_range();
            self.jump(0);
        }
        is_other
    }

    /// Lets undo bring back a view that was shown before.
    pub fn keep(&mut self, before: Q) {
        self.rows.keep(ListUndo::Query(before));
    }

    /// Undoes the last change, or makes the last undone one again; returns the view to show if it was another.
    pub fn undo(&mut self, is_redo: bool, out: &mut Outbox) -> Option<Q> {
        let rows = &mut self.rows;
        let (from, to) = if is_redo {
            (&mut rows.future, &mut rows.past)
        } else {
            (&mut rows.past, &mut rows.future)
        };
        match from.pop() {
            None => {
                let what = if is_redo { "redo" } else { "undo" };
                out.say(Tone::Info, format!("nothing to {what}"));
            }
            Some(ListUndo::Marks) => {
                if is_redo {
                    self.marks.redo()
                } else {
                    self.marks.undo()
                };
                to.push(ListUndo::Marks);
            }
            Some(ListUndo::Query(query)) => {
                to.push(ListUndo::Query(rows.query.clone()));
                return Some(query);
            }
        }
        None
    }

    /// Marks as a gesture says. The keys of rows that are not loaded are asked for.
    pub fn mark(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) {
        let before = self.marks.changes();
        self.on(gesture, ctx.out);
        let Some((rows, change)) = self.wanted.take() else {
            if self.marks.changes() != before {
                self.rows.keep(ListUndo::Marks);
                self.on(Gesture::Go(Motion::Down), ctx.out);
            }
            return;
        };
        let number = rows.len() as u64;
        if number > Q::MOST {
            let text = format!(
                "{}: no more than {} are marked at a time, so filter first",
                counted(number, Q::Row::NOUN),
                count(Q::MOST)
            );
            return ctx.out.say(Tone::Warn, text);
        }
        self.rows.keys.stop(ctx);
        let is_loaded = |loaded: &LoadedRows<Q>| Q::MARKS_LOADED && loaded.covers(&rows);
        if self.rows.current().is_some_and(is_loaded) {
            return self.change_lazy_marks(self.rows.keys(rows), change);
        }
        (self.rows.read, self.rows.change) = (Vec::new(), change);
        let request = KeysRequest {
            query: self.rows.query.clone(),
            rest: rows.start as u64..rows.end as u64,
        };
        self.rows.keys.ask_anew(request, ctx);
    }

    fn change_lazy_marks(&mut self, keys: Vec<KeyOf<WindowRows<Q>>>, change: MarkChange) {
        let before = self.marks.changes();
        self.change_marks(keys, change);
        if self.marks.changes() != before {
            self.rows.keep(ListUndo::Marks);
        }
    }

    /// Stops marking, leaves the range, or clears the marks; returns whether there was anything.
    pub fn escape(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        if self.rows.keys.stop(ctx) || self.marks.leave_range() {
            return true;
        }
        let is_cleared = self.marks.clear();
        if is_cleared {
            self.rows.keep(ListUndo::Marks);
            ctx.out.say(Tone::Info, "marks cleared; u brings them back");
        }
        is_cleared
    }

    /// Stops waiting for rows and for keys; returns whether any were pending.
    pub fn stop(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        let was_marking = self.rows.keys.stop(ctx);
        self.rows.page.stop(ctx) || was_marking
    }

    /// Takes rows, or keys of rows to mark; hands back any other reply.
    pub fn settle<'q>(
        &mut self,
        reply: TabReply<'q>,
        ctx: &mut UpdateCtx<'_>,
    ) -> Option<TabReply<'q>> {
        let rows = &mut self.rows;
        let Some(reply) = rows.keys.settle(reply) else {
            self.mark_read(ctx);
            return None;
        };
        let Some(asked) = rows.page.question().cloned() else {
            return Some(reply);
        };
        let reply = rows.page.settle_with(reply, |page| asked.query.read(page));
        let head = rows.page.value().map(|loaded| &loaded.head);
        rows.columns = rows.query.columns(head);
        reply
    }

    /// Marks the rows whose keys were read, or reads the next ones.
    fn mark_read(&mut self, ctx: &mut UpdateCtx<'_>) {
        let rows = &mut self.rows;
        if let Some(error) = rows.keys.error() {
            let text = format!("nothing was marked: {}", error.message);
            return ctx.out.say(Tone::Error, text);
        }
        let (Some(keys), Some(asked)) = (rows.keys.take(), rows.keys.question()) else {
            return;
        };
        let mut request = asked.clone();
        let keys = request.query.read_keys(keys, &mut request.rest);
        rows.read.extend(keys);
        if request.rest.is_empty() {
            let keys = std::mem::take(&mut rows.read);
            let change = rows.change;
            self.change_lazy_marks(keys, change);
        } else {
            rows.keys.ask_anew(request, ctx);
        }
    }
}
