//! Two local days of a feed: the records added, removed and changed, and their numbers.

use std::net::IpAddr;

use jiff::Timestamp;

use super::{diff_rows::DiffRows, records::NO_ADDRESS};
use crate::{
    contract::LookupQuery,
    engine::Error,
    model::Day,
    store::{
        Generation, Moment,
        diff::{ChangeKind, ListedChanges, Summary},
    },
    tui::{
        ctx::{
            Asked, Destination, DiffQuery, Facts, Flow, Gesture, List, Price, Question, TabReply,
            UpdateCtx, Why, Yank,
        },
        ui::Tone,
    },
};

/// The kinds that can be listed, in the order of the keys.
pub(super) const KINDS: [Option<ChangeKind>; 4] = [
    None,
    Some(ChangeKind::Added),
    Some(ChangeKind::Removed),
    Some(ChangeKind::Changed),
];

/// A comparison of two days.
#[derive(Debug)]
pub(super) struct Comparison {
    pub(super) list: List<DiffRows>,
    /// The numbers of all changes.
    pub(super) summary: Asked<Question, Summary>,
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
}

impl Comparison {
    /// Compares two days.
    pub(super) fn of(query: DiffQuery, newest: Option<Day>, ctx: &mut UpdateCtx<'_>) -> Self {
        let mut comparison = Self {
            is_newest: newest == Some(query.to),
            list: List::new(DiffRows::new(query, None)),
            summary: Asked::default(),
            priced: None,
            is_free: false,
            is_from_list: false,
            generated: None,
        };
        comparison.follow(ctx);
        comparison.want_summary(ctx);
        comparison.judge(ctx.facts, ctx.out.now);
        comparison
    }

    /// The days, and the records in the list.
    pub(super) fn query(&self) -> &DiffQuery {
        &self.list.rows().query
    }

    /// Determines whether looking up records of the new day is free. Depends on the time and the settings.
    fn judge(&mut self, facts: &Facts, now: Timestamp) {
        let query = self.query();
        let is_free = facts.is_free(query.feed, Moment::Day(query.to), now);
        self.is_free = self.is_newest && is_free;
    }

    fn want_summary(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.summary.retry();
        let query = DiffQuery {
            listed: ListedChanges::default(),
            ..self.query().clone()
        };
        self.summary.want(Question::DiffSummary(query), ctx);
    }

    /// Lists other records.
    fn show(&mut self, listed: ListedChanges, ctx: &mut UpdateCtx<'_>) {
        let query = DiffQuery {
            listed,
            ..self.query().clone()
        };
        let rows = self.list.rows_mut();
        rows.stop(ctx);
        let (counts, place) = (rows.counts(), rows.place);
        let mut rows = DiffRows::new(query, counts);
        rows.place = place;
        self.list = List::new(rows);
        self.priced = None;
        self.follow(ctx);
    }

    /// Lists the kind before or after the current one: all, added, removed, changed.
    fn show_kind_beside(&mut self, step: isize, ctx: &mut UpdateCtx<'_>) {
        let listed = self.query().listed;
        let at = KINDS.iter().position(|kind| *kind == listed.kind);
        let len = KINDS.len();
        let kind = KINDS[(at.unwrap_or_default() + len).saturating_add_signed(step) % len];
        self.show(ListedChanges { kind, ..listed }, ctx);
    }

    /// Lists changed records with the same verdict, too, or no more.
    pub(super) fn toggle_others(&mut self, ctx: &mut UpdateCtx<'_>) {
        let listed = self.query().listed;
        let others = !listed.others;
        self.show(ListedChanges { others, ..listed }, ctx);
    }

    /// The number of records of a kind, once counted.
    pub(super) fn number(&self, kind: Option<ChangeKind>) -> Option<u64> {
        let listed = self.query().listed;
        let counts = self.list.rows().counts()?;
        Some(counts.listed(ListedChanges { kind, ..listed }))
    }

    /// Whether looking up the record under the cursor is free.
    pub(super) fn is_free(&self) -> bool {
        let row = self.list.row().filter(|_| self.is_free);
        row.is_some_and(|row| row.kind != ChangeKind::Removed && row.address.is_some())
    }

    /// Fetches more records if the cursor is near the end of the list.
    fn follow(&mut self, ctx: &mut UpdateCtx<'_>) {
        let at = self.list.position().unwrap_or_default();
        self.list.rows_mut().follow(at, ctx);
    }

    /// Resumes after a stop or a failure.
    pub(super) fn resume(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.judge(ctx.facts, ctx.out.now);
        if self.summary.value().is_none() {
            self.want_summary(ctx);
        }
        self.list.rows_mut().retry();
        self.follow(ctx);
    }

    pub(super) fn stop(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        let were_pending = self.list.rows_mut().stop(ctx);
        self.summary.stop(ctx) || were_pending
    }

    /// Takes the reply to one of its questions.
    pub(super) fn settle(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) {
        if let Some(reply) = self.summary.settle(reply) {
            self.list.rows_mut().settle(reply);
        }
        self.follow(ctx);
    }

    /// What a gesture costs.
    ///
    /// # Errors
    /// Why it has no effect.
    pub(super) fn when(&self, gesture: Gesture) -> Result<Price, Why> {
        let row = self.list.row();
        let why = match gesture {
            Gesture::Sort => {
                "compared records are sorted by what they are worth; tab lists one kind alone"
            }
            Gesture::Raw if row.is_none_or(|row| row.document.is_none()) => {
                "there is no record under the cursor"
            }
            Gesture::Open if row.is_none() && self.list.rows().is_pending() => {
                "still comparing: there is no record yet"
            }
            Gesture::Open if row.is_none() => "there is no record to look up",
            Gesture::Open if row.is_some_and(|row| row.address.is_none()) => NO_ADDRESS,
            _ => return Ok(None),
        };
        Err(why.into())
    }

    /// What listing other records costs.
    ///
    /// # Errors
    /// Why it has no effect.
    pub(super) fn when_others(&self) -> Result<Price, Why> {
        let rows = self.list.rows();
        match rows.others() {
            0 if rows.counts().is_none() => Err("still comparing".into()),
            0 => Err("there are no others here".into()),
            _ => Ok(None),
        }
    }

    pub(super) fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        self.judge(ctx.facts, ctx.out.now);
        match gesture {
            Gesture::NextPane => self.show_kind_beside(1, ctx),
            Gesture::PreviousPane => self.show_kind_beside(-1, ctx),
            Gesture::Go(_) => {
                self.list.on(gesture, ctx.out);
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
        let Some(address) = self.list.row().and_then(|row| row.address) else {
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
        let Some(row) = self.list.row() else {
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
        let error = self.list.rows().error();
        error.or(self.summary.error())
    }
}
