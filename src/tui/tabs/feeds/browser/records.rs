//! The records of a view as the rows of a list: those in view and a screen around them.
//!
//! A new request cancels the one before. Old rows stay until new ones arrive and must never pass for them, so rows carry the
//! query that they answer.

use std::{borrow::Cow, cell::Cell, cmp::Ordering, fmt, net::IpAddr, ops::Range, sync::Arc};

use jiff::Timestamp;

use super::columns::{self, ColumnKind};
use crate::{
    contract::Feed,
    engine::{
        Error,
        views::{RecordName, View, ViewPage, ViewQuery, ViewRow},
    },
    model::{Day, Document, Subject, Terms},
    report::TextCell,
    tui::ctx::{
        UpdateCtx,
        asked::Asked,
        list::{
            ListRow, Rows,
            columns::{ColumnSpec, SortBy, Value},
        },
        request::Question,
        tab::TabReply,
    },
};

/// The minimum number of rows to request beyond those in view.
const LEAST: usize = 40;

/// A record: parsed once when its page arrives, not at each drawing.
#[derive(Clone, Debug)]
pub(super) struct BrowserRow {
    /// The cells, one for each column of its feed.
    pub(super) cells: Vec<TextCell>,
    /// The values of the record's fields in the filter language.
    pub(super) terms: Terms,
    /// The record, or why it is unreadable.
    record: ViewRow,
    key: RecordKey,
}

/// Names a record. Records of the same name are the same, whatever is known of them.
#[derive(Clone, Debug)]
pub(super) struct RecordKey {
    pub(super) record: RecordName,
    /// The view in which it is shown, and the position there.
    shown_at: Option<(Arc<ViewQuery>, usize)>,
}

impl From<RecordName> for RecordKey {
    fn from(record: RecordName) -> Self {
        Self {
            record,
            shown_at: None,
        }
    }
}

impl Ord for RecordKey {
    fn cmp(&self, other: &Self) -> Ordering {
        self.record.name.cmp(&other.record.name)
    }
}

impl PartialOrd for RecordKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for RecordKey {
    fn eq(&self, other: &Self) -> bool {
        self.record.name == other.record.name
    }
}

impl Eq for RecordKey {}

impl fmt::Display for RecordKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.record.name)
    }
}

impl BrowserRow {
    /// Parses a record of a feed.
    pub(super) fn of(feed: Feed, record: ViewRow) -> Self {
        let terms = record.as_ref().map(|document| Terms::of(document.value()));
        let terms = terms.unwrap_or_default();
        let cells = match &record {
            Ok(document) => columns::cells(feed, document, &terms),
            Err(_) => columns::unread(feed),
        };
        let name = RecordName::of(&terms).unwrap_or_else(|| RecordName {
            name: cells.first().map_or("", |cell| &cell.text).to_owned(),
            subject: None,
            tags: Vec::new(),
        });
        Self {
            cells,
            terms,
            record,
            key: name.into(),
        }
    }

    fn shown_at(mut self, view: &Arc<ViewQuery>, position: usize) -> Self {
        self.key.shown_at = Some((Arc::clone(view), position));
        self
    }

    /// Its name: the address, network or tag.
    pub(super) fn name(&self) -> &str {
        self.cells.first().map_or("", |cell| &cell.text)
    }

    /// The address of its subject; for a network the first one.
    pub(super) fn address(&self) -> Option<IpAddr> {
        self.terms.subject.map(|subject| match subject {
            Subject::Address(address) => address,
            Subject::Network(network) => network.network(),
        })
    }

    /// The record, if readable.
    pub(super) fn document(&self) -> Option<&Document> {
        self.record.as_ref().ok()
    }

    /// The value in a column.
    pub(super) fn value(&self, column: usize) -> Value<'_> {
        match self.cells.get(column) {
            Some(cell) if cell.known || self.document().is_none() && column == 0 => {
                Value::Text(Cow::Borrowed(&cell.text))
            }
            _ => Value::Unknown,
        }
    }
}

impl ListRow for BrowserRow {
    type Key = RecordKey;

    const NOUN: [&'static str; 2] = ["record", "records"];

    fn key(&self) -> &RecordKey {
        &self.key
    }

    fn is_dim(&self) -> bool {
        self.document().is_none()
    }
}

/// A request for the rows of a view at some positions.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PageRequest {
    query: ViewQuery,
    positions: Range<usize>,
}

impl From<PageRequest> for Question {
    fn from(PageRequest { query, positions }: PageRequest) -> Self {
        Self::Page(query, positions.start as u64..positions.end as u64)
    }
}

/// Rows and their view.
#[derive(Debug)]
pub(super) struct ViewRows {
    /// The query that they answer.
    pub(super) query: ViewQuery,
    pub(super) view: View,
    first: usize,
    rows: Vec<BrowserRow>,
}

impl ViewRows {
    fn new(query: ViewQuery, page: ViewPage) -> Self {
        let first = usize::try_from(page.first).unwrap_or(usize::MAX);
        let feed = query.feed;
        let key = Arc::new(query.clone());
        let rows = page.rows.into_iter().zip(first..);
        let rows = rows.map(|(record, at)| BrowserRow::of(feed, record).shown_at(&key, at));
        Self {
            rows: rows.collect(),
            view: page.view,
            query,
            first,
        }
    }

    /// The number of rows of the view.
    fn len(&self) -> usize {
        usize::try_from(self.view.count).unwrap_or(usize::MAX)
    }

    /// The row at a position, if loaded.
    fn row(&self, position: usize) -> Option<&BrowserRow> {
        self.rows.get(position.checked_sub(self.first)?)
    }

    fn covers(&self, positions: &Range<usize>) -> bool {
        let end = self.first + self.rows.len();
        let last = positions.end.min(self.len());
        positions.is_empty() || (self.first <= positions.start && last <= end)
    }
}

/// The records of a view.
#[derive(Debug)]
pub(super) struct RecordRows {
    /// What is to be shown.
    pub(super) query: ViewQuery,
    columns: Vec<ColumnSpec<BrowserRow>>,
    page: Asked<PageRequest, ViewRows>,
    /// The position at the top of the screen when all rows in view were last loaded.
    top: Cell<usize>,
}

impl RecordRows {
    pub(super) fn new(query: ViewQuery) -> Self {
        Self {
            columns: specs(query.feed),
            query,
            page: Asked::default(),
            top: Cell::default(),
        }
    }

    /// The loaded rows, whatever their view.
    pub(super) fn loaded(&self) -> Option<&ViewRows> {
        self.page.value()
    }

    /// The loaded rows, if they are of the view to show.
    pub(super) fn current(&self) -> Option<&ViewRows> {
        self.loaded().filter(|loaded| loaded.query == self.query)
    }

    /// Why rows of this view, or of a newer release, failed to load.
    pub(super) fn error(&self) -> Option<&Error> {
        let failed = self.page.error().zip(self.page.question());
        let (error, PageRequest { query, .. }) = failed?;
        let of_any_day = |own: &ViewQuery| (own.feed, own.filter.clone(), own.order);
        (of_any_day(query) == of_any_day(&self.query)).then_some(error)
    }

    /// The time when the old rows must be marked, while new ones are loading.
    pub(super) fn late_at(&self) -> Option<Timestamp> {
        self.page.late_at()
    }

    /// Whether new rows have been loading for so long that the old ones must be marked.
    pub(super) fn is_late(&self, now: Timestamp) -> bool {
        self.late_at().is_some_and(|at| at <= now)
    }

    /// Requests the rows in and around the window that are not loaded. After a failure only the user can retry.
    pub(super) fn want(&mut self, window: &Range<usize>, ctx: &mut UpdateCtx<'_>) {
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
        let is_asked = asked.is_some_and(|PageRequest { positions, .. }| {
            positions.start <= window.start && window.end <= positions.end
        });
        let has_failed = self.page.error().is_some();
        if !(is_of_view && (has_failed || is_asked && self.page.is_pending())) {
            self.ask(
                window.start.saturating_sub(height)..window.end + height,
                ctx,
            );
        }
    }

    /// Requests the loaded rows again, since there may be a newer release now.
    pub(super) fn renew(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some(loaded) = self.loaded()
            && !self.page.is_pending()
        {
            let end = loaded.first + loaded.rows.len();
            let request = PageRequest {
                query: loaded.query.clone(),
                positions: loaded.first..end.max(loaded.first + 1),
            };
            self.page.ask_anew(request, ctx);
        }
    }

    /// Requests the first rows again, even if they are loaded.
    pub(super) fn refresh(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.ask(0..2 * LEAST, ctx);
    }

    fn ask(&mut self, positions: Range<usize>, ctx: &mut UpdateCtx<'_>) {
        let query = self.query.clone();
        self.page.ask_anew(PageRequest { query, positions }, ctx);
    }

    /// Cancels the request; returns whether there was one.
    pub(super) fn stop(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        self.page.stop(ctx)
    }

    /// Takes the reply to the request; returns whether it is of another view or another release than the rows before.
    pub(super) fn settle(&mut self, reply: TabReply<'_>) -> bool {
        let view = |rows: &ViewRows| (rows.query.clone(), rows.view.release.manifest.clone());
        let before = self.loaded().map(view);
        let Some(PageRequest { query, .. }) = self.page.question().cloned() else {
            return false;
        };
        self.page
            .settle_with(reply, |page| ViewRows::new(query, page));
        self.loaded().map(view) != before
    }

    /// Names the day of the loaded rows, which was the newest one when they were requested.
    pub(super) fn stay_on(&mut self, day: Day) {
        self.query.day = Some(day);
        if let Some(loaded) = self.page.value_mut() {
            let view = Arc::new(self.query.clone());
            for (at, row) in (loaded.first..).zip(&mut loaded.rows) {
                row.key.shown_at = Some((Arc::clone(&view), at));
            }
            loaded.query = self.query.clone();
        }
    }
}

impl Rows for RecordRows {
    type Row = BrowserRow;

    const IS_LAZY: bool = true;

    const HAS_CELLS: bool = true;

    fn columns(&self) -> &[ColumnSpec<BrowserRow>] {
        &self.columns
    }

    fn len(&self) -> usize {
        self.current().map_or(0, ViewRows::len)
    }

    fn row(&self, at: usize) -> Option<&BrowserRow> {
        self.current()?.row(at)
    }

    /// Only keys of rows that were shown have one.
    fn position(&self, key: &RecordKey) -> Option<usize> {
        let (view, at) = key.shown_at.as_ref()?;
        (**view == self.query).then_some(*at)
    }

    fn sorted(&self, _own: SortBy) -> Option<SortBy> {
        columns::sorted(self.query.feed, self.query.order)
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

    fn drawn_row(&self, at: usize) -> Option<&BrowserRow> {
        self.loaded()?.row(at)
    }
}

/// The column on the screen. The operators reserve cells; columns whose values are also facets yield to them.
fn spec(own: &ColumnKind, value: fn(&BrowserRow) -> Value<'_>) -> ColumnSpec<BrowserRow> {
    let spec = if own.is_number {
        ColumnSpec::number(own.title, own.title, own.width, value)
    } else {
        ColumnSpec::text(own.title, own.title, own.width, value)
    };
    match own.shows {
        columns::Shows::Tunnels => spec.up_to(24),
        columns::Shows::Words(_) => spec.rank(1),
        _ => spec,
    }
}

fn value<const AT: usize>(row: &BrowserRow) -> Value<'_> {
    row.value(AT)
}

/// The columns of a feed on the screen.
fn specs(feed: Feed) -> Vec<ColumnSpec<BrowserRow>> {
    const VALUES: [fn(&BrowserRow) -> Value<'_>; columns::MOST] = [
        value::<0>,
        value::<1>,
        value::<2>,
        value::<3>,
        value::<4>,
        value::<5>,
        value::<6>,
        value::<7>,
        value::<8>,
        value::<9>,
        value::<10>,
        value::<11>,
        value::<12>,
        value::<13>,
        value::<14>,
        value::<15>,
        value::<16>,
    ];
    let columns = columns::of(feed).iter().zip(VALUES);
    columns.map(|(column, value)| spec(column, value)).collect()
}
