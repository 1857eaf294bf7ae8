//! Short lists over the table: the effects of their rows, and the one of the filter's clauses, with the records that each matches alone
//! and those that the filter would match without it.

use std::cmp::Reverse;

use super::choice;
use crate::{
    engine::{
        Error, UnknownValue,
        views::{ClauseCount, ViewQuery},
    },
    model::Day,
    report::count,
    store::Filter,
    tui::{
        ctx::{Asked, Destination, Question, TabReply, UpdateCtx},
        ui::{Cursor, Motion},
    },
};

#[derive(Clone, Debug, Default)]
pub(super) struct Menu {
    pub(super) title: String,
    pub(super) rows: Vec<MenuItem>,
    pub(super) cursor: Cursor,
}

#[derive(Clone, Debug)]
pub(super) struct MenuItem {
    pub(super) label: String,
    /// Additional text, such as a price or a number of records.
    pub(super) detail: String,
    pub(super) then: MenuEffect,
}

/// The effect of choosing a row.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum MenuEffect {
    Filter(Filter),
    Go(Destination),
    /// Copies a text; with a name for it.
    Copy(String, String),
    /// Shows or hides a column; the menu stays open.
    Column(usize),
    /// Compares with a day.
    Compare(Day),
}

impl Menu {
    pub(super) fn new(title: impl Into<String>, rows: Vec<MenuItem>) -> Self {
        Self {
            title: title.into(),
            rows,
            cursor: Cursor::default(),
        }
    }

    pub(super) fn step(&mut self, motion: Motion) {
        self.cursor.step(motion, self.rows.len());
    }

    /// The row under the cursor.
    pub(super) fn selected(&self) -> Option<&MenuItem> {
        self.rows.get(self.cursor.selected(self.rows.len())?)
    }

    /// The effect of the row under the cursor.
    pub(super) fn chosen(&self) -> Option<&MenuEffect> {
        Some(&self.selected()?.then)
    }
}

impl MenuItem {
    pub(super) fn new(
        label: impl Into<String>,
        detail: impl Into<String>,
        then: MenuEffect,
    ) -> Self {
        Self {
            label: label.into(),
            detail: detail.into(),
            then,
        }
    }
}

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
        let most = (0..counts.len()).max_by_key(|at| (counts[*at].without, Reverse(*at)));
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
        matches!(self.counts.answered(), Some(Question::Clauses(view_query)) if view_query == query)
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
