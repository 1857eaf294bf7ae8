//! The facets: values of fields among the records of a view, with their counts, to filter by.
//!
//! The order of fields never changes. A value that the filter names keeps its position even if no record has it.

use std::cell::Cell;

use jiff::Timestamp;

use super::{choice, columns};
use crate::{
    engine::{
        Error,
        views::{FacetCounts, ViewQuery},
    },
    model::Keyword,
    report::{TicketStamp, count, each, filter_ticket},
    store::index::{Facet, FacetBy, Order},
    tui::{
        ctx::{Asked, LoadedRows, Question, TabReply, UpdateCtx, asked::UNMARKED},
        ui::{
            Motion,
            widgets::facets::{self, FacetCursor, ValueChoice},
        },
    },
};

/// The number of values of a field to fetch.
const MOST: usize = 14;
/// The number of values of a field to show if there is little room.
const FEW: usize = 7;
/// The height from which there is more room.
const TALL: u16 = 44;
/// The number of values of a field in a note.
const NOTED: usize = 5;

/// The question for the counts of a view. The order of its records does not matter.
fn question(query: &ViewQuery) -> Question {
    let by = columns::facets(query.feed).iter().copied();
    let by = by.map(FacetBy::Keyword).collect();
    let query = ViewQuery {
        order: Order::File,
        ..query.clone()
    };
    Question::Facets(query, by, MOST)
}

#[derive(Debug, Default)]
pub(super) struct FacetPane {
    /// Whether they are shown; `None` shows them if there is room.
    pub(super) chosen: Option<bool>,
    counts: Asked<Question, Vec<FacetCounts>>,
    pub(super) cursor: FacetCursor<Keyword>,
    /// The time from which the current counts belong to another view.
    outdated: Option<Timestamp>,
    /// Whether few values of each field are shown, by the height of the last drawing.
    is_short: Cell<bool>,
    /// The positions of the values that the filter names, before the newest counts. They keep them.
    places: Vec<(Keyword, String, usize)>,
}

type FacetLine = facets::FacetLine<Keyword>;
type FacetValue = facets::FacetValue<Keyword>;

impl FacetPane {
    /// Requests the counts of a view, unless they were requested already.
    pub(super) fn want(&mut self, query: &ViewQuery, ctx: &mut UpdateCtx<'_>) {
        self.counts.want(question(query), ctx);
    }

    /// Takes the counts. If the values were chosen in the facets, named values keep their positions, so that the user finds the
    /// next one where it was; else values are sorted by count.
    pub(super) fn settle(&mut self, reply: TabReply<'_>, are_chosen_here: bool) {
        let places = match self.counts.question() {
            Some(Question::Facets(query, ..)) if are_chosen_here => self.named_places(query),
            _ => Vec::new(),
        };
        if self.counts.settle(reply).is_none() && self.counts.error().is_none() {
            self.places = places;
            self.outdated = None;
        }
    }

    /// Allows another request after a failure.
    pub(super) fn retry(&mut self) {
        self.counts.retry();
    }

    /// Whether the current counts are of this view.
    fn is_current(&self, query: &ViewQuery) -> bool {
        self.counts.answered() == Some(&question(query))
    }

    /// Notes that another view is shown; its counts follow after its records.
    pub(super) fn outdate(&mut self, now: Timestamp) {
        self.outdated = self.outdated.or(Some(now));
    }

    /// The time when the current counts must be marked as outdated.
    pub(super) fn late_at(&self, query: &ViewQuery) -> Option<Timestamp> {
        let since = self.outdated.filter(|_| !self.is_current(query))?;
        Some(since + UNMARKED)
    }

    /// Whether the current counts must be marked as outdated.
    pub(super) fn is_old(&self, query: &ViewQuery, now: Timestamp) -> bool {
        let is_late = self.late_at(query).is_none_or(|at| at <= now);
        !self.is_current(query) && is_late
    }

    /// Stops waiting for counts.
    pub(super) fn stop(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.counts.stop(ctx);
    }

    /// Why there are no counts, or no newer ones.
    pub(super) fn error(&self) -> Option<&Error> {
        self.counts.error()
    }

    /// The ticket note on a view: the number of its records, and the values of their fields with counts. It never counts other records.
    pub(super) fn ticket(&self, rows: &LoadedRows<ViewQuery>, written: TicketStamp) -> String {
        let (view, query) = (&rows.head, &rows.query);
        let number = view.matching();
        let mut ticket = filter_ticket(&view.release, &query.filter, number, written);
        let counts = self.counts_of(query);
        for facet_counts in counts.into_iter().flatten() {
            // The counts of a field that the filter names are those of other records.
            if let FacetBy::Keyword(field) = &facet_counts.by
                && facet_counts.among == number
                && !facet_counts.values.is_empty()
            {
                ticket = ticket.line(field.name(), &most_frequent(facet_counts));
            }
        }
        if counts.is_none() {
            ticket = ticket.line("not known", "the values of fields (not counted yet)");
        }
        ticket.end()
    }

    /// All values that were counted, each with its field, if they are of this view.
    pub(super) fn counted(&self, query: &ViewQuery) -> Vec<(String, String, Option<u64>)> {
        let counts = self.counts_of(query).into_iter().flatten();
        let of_field = |counts: &FacetCounts| {
            let FacetBy::Keyword(field) = counts.by else {
                return Vec::new();
            };
            let values = counts.values.iter();
            let row = |facet: &Facet| {
                (
                    field.name().to_owned(),
                    facet.value.clone(),
                    Some(facet.count),
                )
            };
            values.map(row).collect()
        };
        counts.flat_map(of_field).collect()
    }

    /// The current counts, if they are of this view.
    fn counts_of(&self, query: &ViewQuery) -> Option<&Vec<FacetCounts>> {
        self.counts.value().filter(|_| self.is_current(query))
    }

    /// Whether any counts have arrived.
    pub(super) fn has_counts(&self) -> bool {
        self.counts.value().is_some()
    }

    /// The lines for this height.
    pub(super) fn lines_in(&self, height: u16, query: &ViewQuery) -> Vec<FacetLine> {
        self.is_short.set(height < TALL);
        self.lines(query)
    }

    /// The lines, with the choices of the view's filter.
    fn lines(&self, query: &ViewQuery) -> Vec<FacetLine> {
        let (filter, is_current) = (&query.filter, self.is_current(query));
        let mut lines = Vec::new();
        for counts in self.counts.value().into_iter().flatten() {
            let FacetBy::Keyword(field) = counts.by else {
                continue;
            };
            let largest = counts.values.iter().map(|facet| facet.count).max();
            let value = |value: &str, count| FacetValue {
                field,
                name: value.to_owned(),
                count,
                largest: largest.unwrap_or_default(),
                standing: choice::standing(filter, field, value),
            };
            let most = if self.is_short.get() { FEW } else { MOST };
            let known = counts.values.iter().take(most);
            let mut values: Vec<FacetValue> = known
                .map(|facet| value(&facet.value, Some(facet.count)))
                .collect();
            let mut more = counts.distinct.saturating_sub(values.len());
            for named in choice::named(filter, field) {
                let is_it = |text: &str| text.eq_ignore_ascii_case(named);
                if values.iter().any(|value| is_it(&value.name)) {
                    continue;
                }
                // The counts include values that the filter names, however rare.
                if let Some(facet) = counts.values.iter().find(|facet| is_it(&facet.value)) {
                    values.push(value(&facet.value, Some(facet.count)));
                    more = more.saturating_sub(1);
                } else {
                    let is_none = is_current && field != Keyword::Org;
                    values.push(value(named, is_none.then_some(0)));
                }
            }
            if values.is_empty() {
                continue;
            }
            self.keep_places(field, &mut values);
            let is_named = choice::named(filter, field).next().is_some();
            let among = is_named.then_some(counts.among);
            lines.push(FacetLine::Field(field, more, among));
            lines.extend(values.into_iter().map(FacetLine::Value));
            lines.extend(without_value(counts, field).map(FacetLine::None));
        }
        lines
    }

    /// The positions of the values that the filter names.
    fn named_places(&self, query: &ViewQuery) -> Vec<(Keyword, String, usize)> {
        let (mut places, mut at) = (Vec::new(), 0);
        for line in self.lines(query) {
            let Some(value) = line.value() else {
                at = 0;
                continue;
            };
            if value.standing != ValueChoice::Open {
                places.push((value.field, value.name.clone(), at));
            }
            at += 1;
        }
        places
    }

    /// Moves the values that the filter names to their previous positions.
    fn keep_places(&self, field: Keyword, values: &mut Vec<FacetValue>) {
        let mut kept = Vec::new();
        for (_, name, place) in self.places.iter().filter(|(keyword, ..)| *keyword == field) {
            let is_it = |value: &FacetValue| {
                value.standing != ValueChoice::Open && value.name.eq_ignore_ascii_case(name)
            };
            if let Some(at) = values.iter().position(is_it) {
                kept.push((*place, values.remove(at)));
            }
        }
        for (place, value) in kept {
            values.insert(place.min(values.len()), value);
        }
    }

    /// The selected value.
    pub(super) fn selected(&self, query: &ViewQuery) -> Option<FacetValue> {
        self.cursor.selected(&self.lines(query)).cloned()
    }

    /// Keeps the cursor on a value when counts change.
    pub(super) fn hold(&mut self, field: Keyword, value: &str) {
        self.cursor.hold(field, value);
    }

    /// Moves the cursor over values.
    pub(super) fn step(&mut self, motion: Motion, query: &ViewQuery) {
        let lines = self.lines(query);
        self.cursor.step(motion, &lines);
    }
}

/// The number of records without a value of a field. Known only if each record has at most one and all values are loaded.
fn without_value(counts: &FacetCounts, field: Keyword) -> Option<u64> {
    if !field.is_single() || counts.distinct > counts.values.len() {
        return None;
    }
    let with: u64 = counts.values.iter().map(|facet| facet.count).sum();
    let none = counts.among.checked_sub(with)?;
    (none > 0).then_some(none)
}

/// The most frequent values of a field with their counts, such as `ACME_VPN 41, BRAVO_VPN 3`.
fn most_frequent(counts: &FacetCounts) -> String {
    let known = counts
        .values
        .iter()
        .filter(|facet| facet.count > 0)
        .take(NOTED);
    let named = known.map(|facet| format!("{} {}", facet.value, count(facet.count)));
    let mut words = each(named, ", ");
    let more = counts.distinct.saturating_sub(NOTED);
    if more > 0 {
        words += &format!(", {} more values", count(more as u64));
    }
    words
}
