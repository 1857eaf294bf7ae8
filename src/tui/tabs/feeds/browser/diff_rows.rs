//! The records that differ between two days, as the rows of a list that are fetched step by step.

use std::{borrow::Cow, net::IpAddr};

use ratatui::style::Style;

use super::{columns, records::BrowserRow};
use crate::{
    contract::Feed,
    engine::{DiffPage, DiffRecord, Error},
    model::{Document, compare::Difference},
    report::{difference_side, each},
    store::{
        ReleasePlace,
        diff::{ChangeKind, RankedCounts},
    },
    tui::{
        ctx::{
            Asked, ColumnSpec, DiffQuery, ListRow, Question, Rows, SortBy, TabReply, UpdateCtx,
            Value,
        },
        ui::{Theme, Width, glyphs::ARROW},
    },
};

/// The number of records that are fetched at a time.
const STEP: usize = 500;
/// The maximum number of records in the list.
const MOST: usize = 10_000;
/// The rows from the end of the list at which more are fetched.
const NEAR: usize = 100;

/// The sign and the name of a kind.
pub(super) fn words_of(kind: ChangeKind) -> (char, &'static str) {
    match kind {
        ChangeKind::Added => ('+', "added"),
        ChangeKind::Removed => ('-', "removed"),
        ChangeKind::Changed => ('~', "changed"),
    }
}

pub(super) fn style_of(kind: ChangeKind, theme: &Theme) -> Style {
    match kind {
        ChangeKind::Added => theme.good,
        ChangeKind::Removed => theme.bad,
        ChangeKind::Changed => theme.accent,
    }
}

/// A record that differs between the days.
#[derive(Debug)]
pub(super) struct DiffRow {
    pub(super) kind: ChangeKind,
    pub(super) name: String,
    pub(super) address: Option<IpAddr>,
    /// The content of the record, or its changes: names and values.
    pub(super) what: Vec<(String, String)>,
    pub(super) document: Option<Document>,
}

impl ListRow for DiffRow {
    type Key = String;

    const NOUN: &'static str = "record";

    fn key(&self) -> &String {
        &self.name
    }

    fn sign(&self, theme: &Theme) -> (char, Style) {
        (words_of(self.kind).0, style_of(self.kind, theme))
    }
}

/// The records that were fetched, from the first one.
#[derive(Debug)]
pub(super) struct DiffRows {
    /// The days, and which records.
    pub(super) query: DiffQuery,
    rows: Vec<DiffRow>,
    /// The next records, until they become rows.
    records: Asked<Question, DiffPage>,
    /// The numbers of all records, once known.
    counts: Option<RankedCounts>,
    /// Where the days are, once known.
    pub(super) place: ReleasePlace,
    /// The number of records requested so far.
    asked: usize,
}

impl DiffRows {
    pub(super) fn new(query: DiffQuery, counts: Option<RankedCounts>) -> Self {
        Self {
            query,
            rows: Vec::new(),
            records: Asked::default(),
            counts,
            place: ReleasePlace::default(),
            asked: 0,
        }
    }

    /// Fetches more records if the row at a position is near the end of the list.
    pub(super) fn follow(&mut self, at: usize, ctx: &mut UpdateCtx<'_>) {
        let is_near = at + NEAR >= self.rows.len();
        let has_more = self.rows.len() >= self.asked && self.asked < MOST;
        if is_near && has_more && !self.records.is_pending() {
            let rows = self.asked..(self.asked + STEP).min(MOST);
            self.asked = rows.end;
            let rows = rows.start as u64..rows.end as u64;
            let question = Question::Diff(self.query.clone(), rows);
            self.records.ask_anew(question, ctx);
        }
    }

    /// Lets the records that failed to arrive be fetched again.
    pub(super) fn retry(&mut self) {
        if self.records.error().is_some() {
            self.asked = self.rows.len();
        }
    }

    pub(super) fn stop(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        let was_pending = self.records.stop(ctx);
        if was_pending {
            self.asked = self.rows.len();
        }
        was_pending
    }

    /// Takes the next records.
    pub(super) fn settle(&mut self, reply: TabReply<'_>) {
        self.records.settle(reply);
        let feed = self.query.feed;
        if let Some(page) = self.records.take() {
            self.counts = Some(page.counts);
            self.place = page.place;
            let new = page.records.iter().map(|record| DiffRow::of(feed, record));
            self.rows.extend(new);
        }
    }

    pub(super) fn error(&self) -> Option<&Error> {
        self.records.error()
    }

    /// Whether the first records are still being fetched.
    pub(super) fn is_pending(&self) -> bool {
        self.records.is_pending() && self.rows.is_empty()
    }

    /// Whether all differing records were fetched.
    pub(super) fn is_whole(&self) -> bool {
        let is_waiting = self.records.is_pending() || self.records.error().is_some();
        !is_waiting && self.rows.len() < self.asked
    }

    pub(super) fn counts(&self) -> Option<RankedCounts> {
        self.counts
    }

    /// The changed records that are not listed because their verdict is the same, or would not be.
    pub(super) fn others(&self) -> u64 {
        let is_listed = self
            .query
            .listed
            .kind
            .is_none_or(|kind| kind == ChangeKind::Changed);
        let counts = self.counts.filter(|_| is_listed);
        counts.map_or(0, |counts| counts.others)
    }

    /// Whether the list reached its maximum.
    pub(super) fn is_cut(&self) -> bool {
        self.rows.len() >= MOST
    }
}

impl Rows for DiffRows {
    type Row = DiffRow;

    const IS_LAZY: bool = true;

    fn columns(&self) -> &[ColumnSpec<DiffRow>] {
        const COLUMNS: &[ColumnSpec<DiffRow>] = &[
            ColumnSpec::text("address", "ADDRESS", Width::Min(13), |row| {
                row.name.as_str().into()
            }),
            ColumnSpec::text("what", "WHAT", Width::Fill(20), |row| {
                Value::Text(Cow::Owned(row.brief()))
            }),
        ];
        COLUMNS
    }

    fn len(&self) -> usize {
        self.rows.len()
    }

    fn row(&self, at: usize) -> Option<&DiffRow> {
        self.rows.get(at)
    }

    fn position(&self, key: &String) -> Option<usize> {
        self.rows.iter().position(|row| row.name == *key)
    }

    fn sorted(&self, _own: SortBy) -> Option<SortBy> {
        None
    }
}

impl DiffRow {
    fn of(feed: Feed, record: &DiffRecord) -> Self {
        let document = record.after.as_ref().or(record.before.as_ref());
        let row = match document {
            Some(document) => BrowserRow::of(feed, Ok(document.clone())),
            None => BrowserRow::of(feed, Err(String::new())),
        };
        let what = match record.kind {
            ChangeKind::Changed => changes(feed, &row, record),
            ChangeKind::Added | ChangeKind::Removed => {
                let columns = columns::of(feed).iter().zip(&row.cells).skip(1);
                let known = columns.filter(|(_, cell)| cell.known);
                known
                    .map(|(column, cell)| (column.title.to_lowercase(), cell.text.clone()))
                    .collect()
            }
        };
        Self {
            kind: record.kind,
            name: row.name().to_owned(),
            address: row.address(),
            what,
            document: document.cloned(),
        }
    }

    /// The content of the record, or its changes, in one line.
    pub(super) fn brief(&self) -> String {
        let part = |(name, value): &(String, String)| match self.kind {
            ChangeKind::Changed => format!("{name} {value}"),
            // A bare number needs its name.
            ChangeKind::Added | ChangeKind::Removed if name == "as" => format!("AS{value}"),
            ChangeKind::Added | ChangeKind::Removed
                if value.bytes().all(|byte| !byte.is_ascii_alphabetic()) =>
            {
                format!("{name} {value}")
            }
            ChangeKind::Added | ChangeKind::Removed => value.clone(),
        };
        let parts: Vec<String> = self.what.iter().map(part).collect();
        each(
            &parts,
            if self.kind == ChangeKind::Changed {
                "; "
            } else {
                "  "
            },
        )
    }
}

/// Fields whose changes the columns show.
const IN_COLUMNS: [&str; 17] = [
    "tunnels.operator",
    "tunnels.type",
    "tunnels.entries",
    "infrastructure",
    "location.city",
    "location.state",
    "location.country",
    "as.number",
    "as.organization",
    "organization",
    "client.count",
    "client.countries",
    "client.types",
    "client.behaviors",
    "client.proxies",
    "risks",
    "services",
];

/// The changes of a record: by column, in the order of the columns, then the fields that no column shows.
fn changes(feed: Feed, after: &BrowserRow, record: &DiffRecord) -> Vec<(String, String)> {
    let before = record.before.clone().ok_or_else(String::new);
    let before = BrowserRow::of(feed, before);
    let columns = columns::of(feed).iter();
    let cells = columns.zip(before.cells.iter().zip(&after.cells));
    let mut what: Vec<(String, String)> = cells
        .filter_map(|(column, (before, after))| {
            let change = columns::change(column, before, after)?;
            Some((column.title.to_lowercase(), change))
        })
        .collect();
    let is_in_columns = |path: &str| {
        let without_places: String = path
            .split(['[', ']'])
            .filter(|part| part.parse::<usize>().is_err())
            .collect();
        IN_COLUMNS.contains(&without_places.as_str())
    };
    let all = what.is_empty();
    let others = record.differences.iter();
    let others = others.filter(|difference| all || !is_in_columns(&difference.path));
    what.extend(others.map(change));
    what
}

/// A field with its old and new value.
fn change(difference: &Difference) -> (String, String) {
    let said = |side: &Option<String>| match side {
        Some(text) => difference_side(&difference.path, text).into_owned(),
        None => "(absent)".to_owned(),
    };
    let values = format!("{} {ARROW} {}", said(&difference.a), said(&difference.b));
    (difference.path.clone(), values)
}
