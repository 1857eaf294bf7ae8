//! The values of fields among the records of a view, with how many records have each, to filter by.
//!
//! Fields stand in one order whatever is chosen, and a value that the filter names stays in its place even where no record is left
//! that has it.

use std::cell::Cell;

use super::{
    choice::{self, Standing},
    columns,
};
use crate::{
    engine::{
        Error,
        views::{FacetCounts, ViewQuery},
    },
    model::Keyword,
    store::{Filter, index::FacetBy},
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

/// The facets of a view.
#[derive(Debug, Default)]
pub(super) struct Facets {
    /// Whether they are shown; unless it was chosen, where there is room for them.
    pub(super) chosen: Option<bool>,
    counts: Remote<Vec<FacetCounts>>,
    asked: Option<ViewQuery>,
    cursor: Cursor,
    /// Whether few values of each field are shown: the height they were drawn with decides.
    is_short: Cell<bool>,
    /// The value under the cursor: counts may change around it.
    here: Option<(Keyword, String)>,
}

/// A line of the facets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A field, and how many of its values are not shown.
    Field(Keyword, usize),
    /// One of its values.
    Value(Value),
}

/// A value of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) field: Keyword,
    pub(super) name: String,
    /// The records that have it, of so many.
    pub(super) count: u64,
    pub(super) among: u64,
    pub(super) standing: Standing,
}

impl Facets {
    /// Asks for the counts of a view, unless they are asked for already.
    pub(super) fn want(&mut self, query: &ViewQuery, ctx: &mut UpdateCtx<'_>) {
        let fields = columns::facets(query.feed);
        let is_same = |asked: &ViewQuery| {
            (asked.feed, asked.day, &asked.filter) == (query.feed, query.day, &query.filter)
        };
        if fields.is_empty() || self.asked.as_ref().is_some_and(is_same) {
            return;
        }
        ctx.stop(&mut self.counts);
        let by = fields.iter().copied().map(FacetBy::Keyword).collect();
        let question = Question::Facets(query.clone(), by, MOST);
        self.counts.begin(ctx.ask(question));
        self.asked = Some(query.clone());
    }

    /// The answer of a job.
    pub(super) fn settle(&mut self, job: JobId, result: Result<Answer, Error>) -> bool {
        let accepted = self.counts.settle(job, result);
        if accepted && self.counts.error().is_some() {
            self.asked = None;
        }
        accepted
    }

    /// Stops waiting for counts.
    pub(super) fn stop(&mut self, ctx: &mut UpdateCtx<'_>) {
        if ctx.stop(&mut self.counts) {
            self.asked = None;
        }
    }

    /// Why there are no counts.
    pub(super) fn error(&self) -> Option<&Error> {
        self.counts.error()
    }

    /// Whether they have come once.
    pub(super) fn has_counts(&self) -> bool {
        self.counts.value().is_some()
    }

    /// The lines that are drawn in so many rows.
    pub(super) fn lines_in(&self, height: u16, filter: &Filter) -> Vec<Line> {
        self.is_short.set(height < TALL);
        self.lines(filter)
    }

    /// The lines, as this filter stands to them.
    fn lines(&self, filter: &Filter) -> Vec<Line> {
        let mut lines = Vec::new();
        for counts in self.counts.value().into_iter().flatten() {
            let FacetBy::Keyword(field) = counts.by else {
                continue;
            };
            let value = |value: &str, count| Value {
                field,
                name: value.to_owned(),
                count,
                among: counts.among,
                standing: choice::standing(filter, field, value),
            };
            let most = if self.is_short.get() { FEW } else { MOST };
            let known = counts.values.iter().take(most);
            let mut values: Vec<Value> = known.map(|own| value(&own.value, own.count)).collect();
            for named in choice::named(filter, field) {
                if !values
                    .iter()
                    .any(|own| own.name.eq_ignore_ascii_case(named))
                {
                    values.push(value(named, 0));
                }
            }
            if values.is_empty() {
                continue;
            }
            let more = counts.distinct.saturating_sub(values.len());
            lines.push(Line::Field(field, more));
            lines.extend(values.into_iter().map(Line::Value));
        }
        lines
    }

    /// The cursor over these lines, on the value where it was.
    pub(super) fn cursor(&self, lines: &[Line]) -> &Cursor {
        let here = |line: &Line| match (line, &self.here) {
            (Line::Value(own), Some((field, value))) => own.field == *field && own.name == *value,
            _ => false,
        };
        let at = lines.iter().position(here);
        let at = at.unwrap_or_else(|| self.cursor.index().max(1));
        self.cursor.select(at, lines.len());
        &self.cursor
    }

    /// The value under the cursor.
    pub(super) fn selected(&self, filter: &Filter) -> Option<Value> {
        let lines = self.lines(filter);
        let at = self.cursor(&lines).selected(lines.len())?;
        let behind = lines.get(at..)?.iter();
        let mut behind = behind.filter_map(|line| match line {
            Line::Value(value) => Some(value.clone()),
            Line::Field(..) => None,
        });
        behind.next()
    }

    /// Keeps the cursor on a value, whatever becomes of the counts.
    pub(super) fn hold(&mut self, field: Keyword, value: &str) {
        self.here = Some((field, value.to_owned()));
    }

    /// Moves over values; heads of fields are stepped over.
    pub(super) fn step(&mut self, motion: Motion, filter: &Filter) {
        let lines = self.lines(filter);
        self.cursor(&lines);
        self.cursor.step(motion, lines.len());
        let at = self.cursor.index();
        if matches!(lines.get(at), Some(Line::Field(..))) {
            let up = matches!(motion, Motion::Up | Motion::PageUp | Motion::HalfUp);
            let next = if up && at > 0 { at - 1 } else { at + 1 };
            self.cursor.select(next, lines.len());
        }
        if let Some(Line::Value(value)) = lines.get(self.cursor.index()) {
            self.here = Some((value.field, value.name.clone()));
        }
    }
}
