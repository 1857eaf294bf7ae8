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
    tui::ctx::{UpdateCtx, asked::Asked, request::Question, tab::TabReply},
};

/// The counts of a filter's clauses.
#[derive(Debug, Default)]
pub(super) struct Clauses {
    counts: Asked<Question, Vec<ClauseCount>>,
    /// Drops a clause.
    menu: Menu,
}

impl Clauses {
    /// Requests the counts for this filter, unless they were requested already.
    pub(super) fn want(&mut self, query: &ViewQuery, ctx: &mut UpdateCtx<'_>) {
        self.counts.want(Question::Clauses(query.clone()), ctx);
    }

    /// Takes the counts. Selects the clause whose removal leaves the most records.
    pub(super) fn settle(&mut self, reply: TabReply<'_>) {
        let is_stale = self.counts.settle(reply).is_some();
        let (Some(Question::Clauses(query)), Some(counts)) =
            (self.counts.question(), self.counts.answer())
        else {
            return;
        };
        if is_stale {
            return;
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
        let rows = counts.iter().map(item).collect();
        self.menu = Menu::new("Clauses: enter drops one", rows);
        let most = (0..counts.len()).max_by_key(|at| (counts[*at].without, std::cmp::Reverse(*at)));
        self.menu
            .cursor
            .select(most.unwrap_or_default(), counts.len());
    }

    /// Allows another request after a failure.
    pub(super) fn retry(&mut self) {
        self.counts.retry();
    }

    /// Stops waiting for counts.
    pub(super) fn stop(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.counts.stop(ctx);
    }

    fn is_counted(&self, query: &ViewQuery) -> bool {
        matches!(self.counts.answered(), Some(Question::Clauses(own)) if own == query)
    }

    /// The menu for dropping a clause; `None` until they are counted.
    pub(super) fn menu(&self, query: &ViewQuery) -> Option<&Menu> {
        self.is_counted(query).then_some(&self.menu)
    }

    pub(super) fn menu_mut(&mut self, query: &ViewQuery) -> Option<&mut Menu> {
        self.is_counted(query).then_some(&mut self.menu)
    }

    /// The values of the clauses that no record has.
    pub(super) fn unknown(&self) -> impl Iterator<Item = &UnknownValue> {
        let clauses = self.counts.answer().into_iter().flatten();
        clauses.flat_map(|clause| &clause.unknown)
    }

    /// Why they are not counted.
    pub(super) fn error(&self) -> Option<&Error> {
        self.counts.error()
    }
}
