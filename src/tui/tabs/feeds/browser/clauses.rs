//! What each clause of a filter does: the records that it selects alone, and those that the filter would select without it.

use super::{
    choice,
    menu::{Menu, MenuEffect, MenuItem},
};
use crate::{
    engine::{
        Error,
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

/// The clauses of a filter, counted.
#[derive(Debug, Default)]
pub(super) struct Clauses {
    counts: Remote<Vec<ClauseCount>>,
    asked: Option<ViewQuery>,
    /// The clause that would be dropped.
    pub(super) cursor: Cursor,
}

impl Clauses {
    /// Asks what each clause of this filter does, unless that was asked already.
    pub(super) fn want(&mut self, query: &ViewQuery, ctx: &mut UpdateCtx<'_>) {
        if self.asked.as_ref() == Some(query) {
            return;
        }
        ctx.stop(&mut self.counts);
        self.counts = Remote::default();
        self.counts.begin(ctx.ask(Question::Clauses(query.clone())));
        self.asked = Some(query.clone());
    }

    /// The answer of a job. The clause without which the most records remain is selected.
    pub(super) fn settle(&mut self, job: JobId, result: Result<Answer, Error>) -> bool {
        if !self.counts.settle(job, result) {
            return false;
        }
        let counts = self.counts.value().map_or(&[][..], Vec::as_slice);
        let most = (0..counts.len()).max_by_key(|at| (counts[*at].without, std::cmp::Reverse(*at)));
        self.cursor.select(most.unwrap_or_default(), counts.len());
        true
    }

    /// What failed may be asked for again.
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

    /// The menu for dropping one of them; nothing as long as they are counted.
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

    /// Why they are not counted.
    pub(super) fn error(&self) -> Option<&Error> {
        self.counts.error()
    }
}
