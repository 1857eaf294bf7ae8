//! Two local days of a feed: the records added, removed and changed, and their numbers.

use std::net::IpAddr;

use jiff::Timestamp;

use super::{cell::NO_ADDRESS, columns, records::BrowserRow};
use crate::{
    contract::{Feed, LookupQuery},
    engine::{DiffRecord, Error, answers::replaces_a_query, config::AnswerOrder},
    model::{Day, Document, compare::Difference},
    report::each,
    store::{
        Generation, Moment,
        diff::{ChangeKind, Summary},
    },
    tui::{
        ctx::{
            UpdateCtx,
            asked::Asked,
            destination::Destination,
            facts::Facts,
            intent::{Gesture, Yank},
            request::{DiffQuery, Question},
            surface::Flow,
            tab::{Price, TabReply, Why},
        },
        ui::{cursor::Cursor, glyphs::ARROW, theme::Tone},
    },
};

/// The number of records that are fetched at a time.
const STEP: u64 = 500;
/// The maximum number of records in the list.
const MOST: u64 = 10_000;

/// The kinds that can be listed, in the order of the keys.
pub(super) const KINDS: [Option<ChangeKind>; 4] = [
    None,
    Some(ChangeKind::Added),
    Some(ChangeKind::Removed),
    Some(ChangeKind::Changed),
];

/// The sign and the name of a kind.
pub(super) fn words_of(kind: ChangeKind) -> (&'static str, &'static str) {
    match kind {
        ChangeKind::Added => ("+", "added"),
        ChangeKind::Removed => ("-", "removed"),
        ChangeKind::Changed => ("~", "changed"),
    }
}

/// A comparison of two days.
#[derive(Debug)]
pub(super) struct Comparison {
    pub(super) query: DiffQuery,
    /// The differing records that were fetched.
    pub(super) rows: Vec<DiffRow>,
    /// The numbers of all changes.
    pub(super) summary: Asked<Question, Summary>,
    pub(super) cursor: Cursor,
    /// The address whose price was shown.
    priced: Option<IpAddr>,
    /// Whether the new day is the newest local one.
    is_newest: bool,
    /// Whether looking up its records is free, because it is also fresh enough.
    is_free: bool,
    /// Whether the comparison was opened from the list of feeds, where closing it leads.
    pub(super) is_from_list: bool,
    /// The time from which the age of the new day counts, if known.
    pub(super) generated: Option<Generation>,
    /// The next records, until they become rows.
    records: Asked<Question, Vec<DiffRecord>>,
    /// The number of records requested so far.
    asked: u64,
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

impl Comparison {
    /// Compares two days.
    pub(super) fn of(query: DiffQuery, newest: Option<Day>, ctx: &mut UpdateCtx<'_>) -> Self {
        let mut comparison = Self {
            is_newest: newest == Some(query.to),
            query,
            rows: Vec::new(),
            summary: Asked::default(),
            cursor: Cursor::default(),
            priced: None,
            is_free: false,
            is_from_list: false,
            generated: None,
            records: Asked::default(),
            asked: 0,
        };
        comparison.more(ctx);
        comparison.want_summary(ctx);
        comparison.judge(ctx.facts, ctx.out.now);
        comparison
    }

    /// Determines whether looking up records of the new day is free. Depends on the time and the settings.
    fn judge(&mut self, facts: &Facts, now: Timestamp) {
        let age = now.duration_since(Moment::Day(self.query.to).begins());
        self.is_free = self.is_newest
            && replaces_a_query(self.query.feed)
            && facts.answers != AnswerOrder::Live
            && age <= facts.local_max_age;
    }

    fn want_summary(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.summary.retry();
        let query = DiffQuery {
            kind: None,
            ..self.query.clone()
        };
        self.summary.want(Question::DiffSummary(query), ctx);
    }

    /// Lists only records of one kind, or all.
    fn list(&mut self, kind: Option<ChangeKind>, ctx: &mut UpdateCtx<'_>) {
        self.records.stop(ctx);
        self.records = Asked::default();
        self.query.kind = kind;
        self.rows.clear();
        self.cursor = Cursor::default();
        (self.priced, self.asked) = (None, 0);
        self.more(ctx);
    }

    /// The kind before or after the current one: all, added, removed, changed.
    fn kind_beside(&self, step: isize) -> Option<ChangeKind> {
        let at = KINDS.iter().position(|kind| *kind == self.query.kind);
        let len = KINDS.len();
        KINDS[(at.unwrap_or_default() + len).saturating_add_signed(step) % len]
    }

    /// The number of records of a kind, once counted.
    pub(super) fn number(&self, kind: Option<ChangeKind>) -> Option<u64> {
        let totals = self.summary.value()?.totals;
        Some(match kind {
            None => totals.sum(),
            Some(ChangeKind::Added) => totals.added,
            Some(ChangeKind::Removed) => totals.removed,
            Some(ChangeKind::Changed) => totals.changed,
        })
    }

    /// Whether looking up the record under the cursor is free.
    pub(super) fn is_free(&self) -> bool {
        let row = self.selected().filter(|_| self.is_free);
        row.is_some_and(|row| row.kind != ChangeKind::Removed && row.address.is_some())
    }

    fn more(&mut self, ctx: &mut UpdateCtx<'_>) {
        let positions = self.asked..(self.asked + STEP).min(MOST);
        self.asked = positions.end;
        let question = Question::Diff(self.query.clone(), positions);
        self.records.ask_anew(question, ctx);
    }

    /// Fetches more records if the cursor is near the end of the list.
    pub(super) fn follow(&mut self, ctx: &mut UpdateCtx<'_>) {
        let near = self.cursor.index() + 100 >= self.rows.len();
        let is_all = (self.rows.len() as u64) < self.asked;
        if near && !is_all && self.asked < MOST && !self.records.is_pending() {
            self.more(ctx);
        }
    }

    /// Resumes after a stop or a failure.
    pub(super) fn resume(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.judge(ctx.facts, ctx.out.now);
        if self.summary.value().is_none() {
            self.want_summary(ctx);
        }
        if self.records.error().is_some() {
            self.asked = self.rows.len() as u64;
        }
        self.follow(ctx);
    }

    /// Whether all differing records were fetched.
    pub(super) fn is_whole(&self) -> bool {
        let is_waiting = self.records.is_pending() || self.records.error().is_some();
        !is_waiting && (self.rows.len() as u64) < self.asked
    }

    /// Whether the list reached its maximum.
    pub(super) fn is_cut(&self) -> bool {
        self.rows.len() as u64 >= MOST
    }

    pub(super) fn stop(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        let records = self.records.stop(ctx);
        if records {
            self.asked = self.rows.len() as u64;
        }
        self.summary.stop(ctx) || records
    }

    /// Takes the reply to one of its questions.
    pub(super) fn settle(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) {
        let reply = self.summary.settle(reply);
        reply.and_then(|reply| self.records.settle(reply));
        let feed = self.query.feed;
        let new = self.records.take().into_iter().flatten();
        self.rows
            .extend(new.map(|record| DiffRow::of(feed, &record)));
        self.cursor.select(self.cursor.index(), self.rows.len());
        self.follow(ctx);
    }

    /// What a gesture costs.
    ///
    /// # Errors
    /// Why it has no effect.
    pub(super) fn when(&self, gesture: Gesture) -> Result<Price, Why> {
        let row = self.selected();
        let why = match gesture {
            Gesture::Sort => "compared records cannot be sorted; tab lists one kind alone",
            Gesture::Raw if row.is_none_or(|row| row.document.is_none()) => {
                "there is no record under the cursor"
            }
            Gesture::Open if row.is_none() && self.is_pending() => {
                "still comparing: there is no record yet"
            }
            Gesture::Open if row.is_none() => "there is no record to look up",
            Gesture::Open if row.is_some_and(|row| row.address.is_none()) => NO_ADDRESS,
            _ => return Ok(None),
        };
        Err(why.into())
    }

    pub(super) fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        self.judge(ctx.facts, ctx.out.now);
        match gesture {
            Gesture::NextPane => self.list(self.kind_beside(1), ctx),
            Gesture::PreviousPane => self.list(self.kind_beside(-1), ctx),
            Gesture::Go(motion) => {
                self.cursor.step(motion, self.rows.len());
                self.priced = None;
                self.follow(ctx);
            }
            Gesture::Open => self.look_up(ctx),
            Gesture::Escape | Gesture::Quit | Gesture::Back => return Flow::Close,
            Gesture::Cancel => return self.stop(ctx).into(),
            Gesture::Refresh => self.resume(ctx),
            _ => return Flow::Ignored,
        }
        Flow::Done
    }

    /// Looks up the selected record: immediately if that is free, else after a first Enter that shows the price.
    fn look_up(&mut self, ctx: &mut UpdateCtx<'_>) {
        let Some(address) = self.selected().and_then(|row| row.address) else {
            return;
        };
        let query = LookupQuery::now(address);
        if self.is_free() {
            ctx.out.go = Some(Destination::AtHand(query));
        } else if self.priced == Some(address) {
            ctx.out.go = Some(Destination::Address(query));
        } else {
            self.priced = Some(address);
            let price = ctx.facts.price(query.geolocation);
            let text = format!("{address}: {price}; enter again looks it up");
            ctx.out.say(Tone::Info, text);
        }
    }

    /// Copies the selected row or a part of it; returns whether there was one.
    pub(super) fn copy(&self, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
        let Some(row) = self.selected() else {
            return false;
        };
        let name = row.name.clone();
        match what {
            Yank::Address if row.address.is_some() => ctx.out.copy("the address", name),
            Yank::Address => ctx.out.copy("the name", name),
            Yank::Value => ctx.out.copy("the change", row.brief()),
            Yank::Row => ctx.out.copy_cells("the row", &[name, row.brief()]),
            _ => return false,
        }
        true
    }

    /// Why there are no records.
    pub(super) fn error(&self) -> Option<&Error> {
        self.records.error().or(self.summary.error())
    }

    /// Whether the first records are still being fetched.
    pub(super) fn is_pending(&self) -> bool {
        self.records.is_pending() && self.rows.is_empty()
    }

    /// The row under the cursor.
    pub(super) fn selected(&self) -> Option<&DiffRow> {
        self.rows.get(self.cursor.selected(self.rows.len())?)
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
    let said = |value: &Option<String>| value.clone().unwrap_or_else(|| "(absent)".to_owned());
    let values = format!("{} {ARROW} {}", said(&difference.a), said(&difference.b));
    (difference.path.clone(), values)
}
