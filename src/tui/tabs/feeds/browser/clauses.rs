//! Counts for each clause of a filter: the records that it matches alone, and those that the filter would match without it.

use super::{
    choice,
    menu::{Menu, MenuEffect, MenuItem},
};
use crate::{
    engine::{
        Error, UnknownValue,
        views::{ClauseCount, ViewQuery},
    },
    report::count,
    tui::{
        ctx::{
            UpdateCtx,
            remote::Remote,
            request::{Answer, JobId, Question},
        },
        ui::cursor::Cursor,
    },
};

/// The counts of a filter's clauses.
#[derive(Debug, Default)]
pub(super) struct Clauses {
    counts: Remote<Vec<ClauseCount>>,
    asked: Option<ViewQuery>,
    /// Selects the clause to drop.
    pub(super) cursor: Cursor,
}

impl Clauses {
    /// Requests the counts for this filter, unless they were requested already.
    pub(super) fn want(&mut self, query: &ViewQuery, ctx: &mut UpdateCtx<'_>) {
        if self.asked.as_ref() == Some(query) {
            return;
        }
        ctx.stop(&mut self.counts);
        self.counts = Remote::default();
        self.counts.begin(ctx.ask(Question::Clauses(query.clone())));
        self.asked = Some(query.clone());
    }

    /// Handles the answer of a job. Selects the clause whose removal leaves the most records.
    pub(super) fn settle(&mut self, job: JobId, result: Result<Answer, Error>) -> bool {
        if !self.counts.settle(job, result) {
            return false;
        }
        let counts = self.counts.value().map_or(&[][..], Vec::as_slice);
        let most = (0..counts.len()).max_by_key(|at| (counts[*at].without, std::cmp::Reverse(*at)));
        self.cursor.select(most.unwrap_or_default(), counts.len());
        true
    }

    /// Allows another request after a failure.
    pub(super) fn retry(&mut self) {
        if self.counts.error().is_some() {
            self.asked = None;
        }
    }

    /// Stops waiting for counts.
    pub(super) fn stop(&mut self, ctx: &mut UpdateCtx<'_>) {
        if ctx.stop(&mut self.counts) {
            self.asked = None;
        }
    }

    /// The menu for dropping a clause; `None` until they are counted.
    pub(super) fn menu(&self, query: &ViewQuery) -> Option<Menu> {
        if self.asked.as_ref() != Some(query) {
            return None;
        }
        let item = |clause: &ClauseCount| {
            let detail = format!(
                "{} alone   {} without it",
                count(clause.alone),
                count(clause.without)
            );
            let then = MenuEffect::Filter(choice::without(&query.filter, &clause.term));
            MenuItem::new(clause.term.to_string(), detail, then)
        };
        let rows = self.counts.value()?.iter().map(item).collect();
        let mut menu = Menu::new("Clauses: enter drops one", rows);
        menu.cursor = self.cursor.clone();
        Some(menu)
    }

    /// The values of the clauses that no record has.
    pub(super) fn unknown(&self) -> impl Iterator<Item = &UnknownValue> {
        let clauses = self.counts.value().into_iter().flatten();
        clauses.flat_map(|clause| &clause.unknown)
    }

    /// Why they are not counted.
    pub(super) fn error(&self) -> Option<&Error> {
        self.counts.error()
    }
}
