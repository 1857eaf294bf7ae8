//! The values of fields among the records of a view, with how many records have each, to filter by.
//!
//! Fields are in one order whatever is chosen, and a value that the filter names stays in its place even where no record is left
//! that has it.

use std::cell::Cell;

use jiff::Timestamp;

use super::{
    choice::{self, ValueChoice},
    columns,
    loaded_rows::UNMARKED,
};
use crate::{
    engine::{
        Error,
        views::{FacetCounts, ViewQuery},
    },
    model::Keyword,
    store::index::FacetBy,
    tui::{
        ctx::{
            UpdateCtx,
            remote::Remote,
            request::{Answer, JobId, Question},
        },
        ui::cursor::{Cursor, Motion},
    },
};

/// Values of a field that are fetched.
const MOST: usize = 14;
/// Values of a field that are shown where there is little room.
const FEW: usize = 7;
/// Lines from which there is more room.
const TALL: u16 = 44;

#[derive(Debug, Default)]
pub(super) struct FacetPane {
    /// Whether they are shown; unless it was chosen, where there is room for them.
    pub(super) chosen: Option<bool>,
    counts: Remote<Vec<FacetCounts>>,
    asked: Option<ViewQuery>,
    /// The view that the counts at hand are of.
    of: Option<ViewQuery>,
    cursor: Cursor,
    /// Since when the counts at hand have been of another view.
    outdated: Option<Timestamp>,
    /// Whether few values of each field are shown: the height they were drawn with decides.
    is_short: Cell<bool>,
    /// The records of the filter, where the view is at hand that the counts are of.
    records: Cell<Option<u64>>,
    /// The value under the cursor: counts may change around it.
    here: Option<(Keyword, String)>,
    /// Where the values that the filter names were in their field before the newest counts: there they stay.
    places: Vec<(Keyword, String, usize)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FacetLine {
    /// A field, and how many of its values are not shown. Where the filter has a clause about it, its values are counted without that
    /// clause, among so many records.
    Field(Keyword, usize, Option<u64>),
    Value(FacetValue),
    /// So many records have no value of the field.
    None(u64),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FacetValue {
    pub(super) field: Keyword,
    pub(super) name: String,
    /// The records that have it, where that is known.
    pub(super) count: Option<u64>,
    pub(super) standing: ValueChoice,
}

impl FacetPane {
    /// Asks for the counts of a view, unless they were asked for already: what failed is asked for again once a person says so.
    pub(super) fn want(&mut self, query: &ViewQuery, ctx: &mut UpdateCtx<'_>) {
        let fields = columns::facets(query.feed);
        let is_asked = self.asked.as_ref().is_some_and(|own| same(own, query));
        if fields.is_empty() || is_asked {
            return;
        }
        ctx.stop(&mut self.counts);
        let by = fields.iter().copied().map(FacetBy::Keyword).collect();
        let question = Question::Facets(query.clone(), by, MOST);
        self.counts.begin(ctx.ask(question));
        self.asked = Some(query.clone());
    }

    /// The answer of a job. Values that were chosen here stay where they stood, so that the next one is where it was seen; else the most
    /// frequent come first, as ever.
    pub(super) fn settle(
        &mut self,
        job: JobId,
        result: Result<Answer, Error>,
        are_chosen_here: bool,
    ) -> bool {
        let asked = self.asked.as_ref().filter(|_| are_chosen_here);
        let places = asked.map(|query| self.named_places(query));
        let accepted = self.counts.settle(job, result);
        if accepted && self.counts.error().is_none() {
            self.places = places.unwrap_or_default();
            self.of.clone_from(&self.asked);
            self.outdated = None;
        }
        accepted
    }

    /// What failed may be asked for again.
    pub(super) fn retry(&mut self) {
        if self.counts.error().is_some() {
            self.asked = None;
        }
    }

    /// Whether the counts at hand are of this view.
    pub(super) fn is_current(&self, query: &ViewQuery) -> bool {
        self.of.as_ref().is_some_and(|own| same(own, query))
    }

    /// Another view is shown from now on: its counts come after its records.
    pub(super) fn outdate(&mut self, now: Timestamp) {
        self.outdated = self.outdated.or(Some(now));
    }

    /// When the counts at hand must be marked as old.
    pub(super) fn late_at(&self, query: &ViewQuery) -> Option<Timestamp> {
        let since = self.outdated.filter(|_| !self.is_current(query))?;
        Some(since + UNMARKED)
    }

    /// Whether the counts at hand are of another view, and have been for so long that this must be shown.
    pub(super) fn is_old(&self, query: &ViewQuery, now: Timestamp) -> bool {
        let is_late = self.late_at(query).is_none_or(|at| at <= now);
        !self.is_current(query) && is_late
    }

    /// Stops waiting for counts.
    pub(super) fn stop(&mut self, ctx: &mut UpdateCtx<'_>) {
        if ctx.stop(&mut self.counts) {
            self.asked = None;
        }
    }

    /// Why there are no counts, or no newer ones.
    pub(super) fn error(&self) -> Option<&Error> {
        self.counts.error()
    }

    /// The counts at hand, where they are of this view.
    pub(super) fn counts_of(&self, query: &ViewQuery) -> Option<&Vec<FacetCounts>> {
        self.counts.value().filter(|_| self.is_current(query))
    }

    /// Whether they arrived once.
    pub(super) fn has_counts(&self) -> bool {
        self.counts.value().is_some()
    }

    /// Notes how many records the filter has: a full bar stands for them.
    pub(super) fn note_records(&self, query: &ViewQuery, records: Option<u64>) {
        self.records
            .set(records.filter(|_| self.counts_of(query).is_some()));
    }

    /// The records that a full bar stands for: those of the filter; until they are at hand, the fewest among which a field is counted.
    pub(super) fn whole(&self) -> u64 {
        let counts = self.counts.value().into_iter().flatten();
        let fewest = || counts.map(|own| own.among).min().unwrap_or_default();
        self.records.get().unwrap_or_else(fewest)
    }

    /// The lines that are drawn in so many rows.
    pub(super) fn lines_in(&self, height: u16, query: &ViewQuery) -> Vec<FacetLine> {
        self.is_short.set(height < TALL);
        self.lines(query)
    }

    /// The lines, with what the filter of this view makes of them.
    fn lines(&self, query: &ViewQuery) -> Vec<FacetLine> {
        let (filter, is_current) = (&query.filter, self.is_current(query));
        let mut lines = Vec::new();
        for counts in self.counts.value().into_iter().flatten() {
            let FacetBy::Keyword(field) = counts.by else {
                continue;
            };
            let value = |value: &str, count| FacetValue {
                field,
                name: value.to_owned(),
                count,
                standing: choice::standing(filter, field, value),
            };
            let most = if self.is_short.get() { FEW } else { MOST };
            let known = counts.values.iter().take(most);
            let mut values: Vec<FacetValue> = known
                .map(|own| value(&own.value, Some(own.count)))
                .collect();
            let mut more = counts.distinct.saturating_sub(values.len());
            for named in choice::named(filter, field) {
                let is_it = |own: &str| own.eq_ignore_ascii_case(named);
                if values.iter().any(|own| is_it(&own.name)) {
                    continue;
                }
                // Values that the filter names are among the counts, however rare.
                if let Some(own) = counts.values.iter().find(|own| is_it(&own.value)) {
                    values.push(value(&own.value, Some(own.count)));
                    more = more.saturating_sub(1);
                } else {
                    let is_none = is_current && field != Keyword::Org;
                    values.push(value(named, is_none.then_some(0)));
                }
            }
            if values.is_empty() {
                continue;
            }
            let none = without_value(counts, field);
            self.keep_places(field, &mut values);
            let is_named = choice::named(filter, field).next().is_some();
            let among = is_named.then_some(counts.among);
            lines.push(FacetLine::Field(field, more, among));
            lines.extend(values.into_iter().map(FacetLine::Value));
            lines.extend(none.map(FacetLine::None));
        }
        lines
    }

    /// Where the values are that the filter of this view names.
    fn named_places(&self, query: &ViewQuery) -> Vec<(Keyword, String, usize)> {
        let mut places = Vec::new();
        let mut at = 0;
        for line in self.lines(query) {
            match line {
                FacetLine::Field(..) | FacetLine::None(_) => at = 0,
                FacetLine::Value(value) => {
                    if value.standing != ValueChoice::Open {
                        places.push((value.field, value.name, at));
                    }
                    at += 1;
                }
            }
        }
        places
    }

    /// Puts the values that the filter names where they were, whatever their counts are now.
    fn keep_places(&self, field: Keyword, values: &mut Vec<FacetValue>) {
        let mut kept = Vec::new();
        for (_, name, place) in self.places.iter().filter(|(own, ..)| *own == field) {
            let is_it = |own: &FacetValue| {
                own.standing != ValueChoice::Open && own.name.eq_ignore_ascii_case(name)
            };
            if let Some(at) = values.iter().position(is_it) {
                kept.push((*place, values.remove(at)));
            }
        }
        for (place, value) in kept {
            values.insert(place.min(values.len()), value);
        }
    }

    /// The cursor over these lines, on the value where it was.
    pub(super) fn cursor(&self, lines: &[FacetLine]) -> &Cursor {
        let here = |line: &FacetLine| match (line, &self.here) {
            (FacetLine::Value(own), Some((field, value))) => {
                own.field == *field && own.name == *value
            }
            _ => false,
        };
        let at = lines.iter().position(here);
        let at = at.unwrap_or_else(|| self.cursor.index().max(1));
        self.cursor.select(at, lines.len());
        &self.cursor
    }

    /// The value under the cursor.
    pub(super) fn selected(&self, query: &ViewQuery) -> Option<FacetValue> {
        let lines = self.lines(query);
        let at = self.cursor(&lines).selected(lines.len())?;
        let behind = lines.get(at..)?.iter();
        let mut behind = behind.filter_map(|line| match line {
            FacetLine::Value(value) => Some(value.clone()),
            FacetLine::Field(..) | FacetLine::None(_) => None,
        });
        behind.next()
    }

    /// Keeps the cursor on a value, whatever becomes of the counts.
    pub(super) fn hold(&mut self, field: Keyword, value: &str) {
        self.here = Some((field, value.to_owned()));
    }

    /// Moves over values; heads of fields are stepped over.
    pub(super) fn step(&mut self, motion: Motion, query: &ViewQuery) {
        let lines = self.lines(query);
        self.cursor(&lines);
        self.cursor.step(motion, lines.len());
        let at = self.cursor.index();
        let is_value = |at: &usize| matches!(lines.get(*at), Some(FacetLine::Value(_)));
        if !is_value(&at) {
            let is_up = matches!(motion, Motion::Up | Motion::PageUp | Motion::HalfUp);
            let above = (0..at).rev().find(is_value);
            let below = (at..lines.len()).find(is_value);
            let next = if is_up {
                above.or(below)
            } else {
                below.or(above)
            };
            self.cursor.select(next.unwrap_or(at), lines.len());
        }
        if let Some(FacetLine::Value(value)) = lines.get(self.cursor.index()) {
            self.here = Some((value.field, value.name.clone()));
        }
    }
}

/// How many records have no value of a field: known where each has one at most, and all values are at hand.
fn without_value(counts: &FacetCounts, field: Keyword) -> Option<u64> {
    let has_one = matches!(field, Keyword::Infra | Keyword::Cc | Keyword::Asn);
    if !has_one || counts.distinct > counts.values.len() {
        return None;
    }
    let with: u64 = counts.values.iter().map(|own| own.count).sum();
    let none = counts.among.checked_sub(with)?;
    (none > 0).then_some(none)
}

/// Whether counts of one view are those of another: the order does not matter.
fn same(one: &ViewQuery, other: &ViewQuery) -> bool {
    (one.feed, one.day, &one.filter) == (other.feed, other.day, &other.filter)
}
