//! The records of a view as the rows of a list.

use std::{borrow::Cow, cmp::Ordering, fmt, net::IpAddr, ops::Range};

use super::columns::{self, ColumnKind};
use crate::{
    contract::Feed,
    engine::views::{RecordName, View, ViewPage, ViewQuery, ViewRow},
    model::{Document, Subject, Terms},
    report::TextCell,
    tui::ctx::{ColumnSpec, ListRow, LoadedRows, Question, RowQuery, SortBy, Value},
};

/// Why a record cannot be looked up.
pub(super) const NO_ADDRESS: &str = "this record has no address to look up";

/// Why there is no export.
pub(super) const NO_EXPORT: &str =
    "this feed has no export: exports filter the four anonymous types and dch";

/// Why marked records have no export.
pub(super) const NO_OPERATOR: &str = "no marked record has an operator that an export can ask for";

/// Why a key for a record does nothing while a value of the facets has the focus.
pub(super) const VALUE_IN_FOCUS: &str =
    "a value of the facets is selected: esc leads back to the records";

/// A record: parsed once when its page arrives, not at each drawing.
#[derive(Clone, Debug)]
pub struct BrowserRow {
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
pub struct RecordKey(pub(super) RecordName);

impl Ord for RecordKey {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.name.cmp(&other.0.name)
    }
}

impl PartialOrd for RecordKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for RecordKey {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for RecordKey {}

impl fmt::Display for RecordKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.name)
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
            key: RecordKey(name),
        }
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

    const NOUN: &'static str = "record";

    fn key(&self) -> &RecordKey {
        &self.key
    }

    fn is_dim(&self) -> bool {
        self.document().is_none()
    }
}

/// The records of a local feed that match a filter.
impl RowQuery for ViewQuery {
    type Row = BrowserRow;
    type Head = View;
    type Page = ViewPage;
    type Keys = Vec<RecordName>;

    const MOST: u64 = 100_000;

    const MARKS_LOADED: bool = false;

    fn columns(&self, _head: Option<&View>) -> Vec<ColumnSpec<BrowserRow>> {
        let columns = columns::of(self.feed).iter().enumerate();
        columns.map(|(at, column)| spec(at, column)).collect()
    }

    fn sorted(&self, _head: Option<&View>) -> Option<SortBy> {
        columns::sorted(self.feed, self.order)
    }

    /// While a newer release is opened, its failure is shown above the records of the one before.
    fn fails_with(&self, other: &Self) -> bool {
        (self.feed, &self.filter, self.order) == (other.feed, &other.filter, other.order)
    }

    fn page(&self, rows: Range<u64>) -> Question {
        Question::Page(self.clone(), rows)
    }

    fn read(self, page: ViewPage) -> LoadedRows<Self> {
        let feed = self.feed;
        let rows = page.rows.into_iter();
        let rows = rows.map(|record| BrowserRow::of(feed, record)).collect();
        LoadedRows::new(self, page.view.count, page.first, rows, page.view)
    }

    fn keys(&self, rows: Range<u64>) -> Question {
        Question::Names(self.clone(), rows)
    }

    /// One answer names all of them.
    fn read_keys(&self, keys: Vec<RecordName>, rest: &mut Range<u64>) -> Vec<RecordKey> {
        rest.start = rest.end;
        keys.into_iter().map(RecordKey).collect()
    }
}

/// The column on the screen. The operators reserve cells; columns whose values are also facets yield to them.
fn spec(at: usize, kind: &ColumnKind) -> ColumnSpec<BrowserRow> {
    let spec = ColumnSpec::cell_at(at, kind.title, kind.width, BrowserRow::value);
    let spec = if kind.is_number { spec.numeric() } else { spec };
    match kind.shows {
        columns::Shows::Tunnels => spec.up_to(24),
        columns::Shows::Words(_) => spec.rank(1),
        _ => spec,
    }
}
