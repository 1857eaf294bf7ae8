//! What Enter does on the first screen.

use super::{Enter, LookupPage, LookupTab, NOTHING, start::StartRow};
use crate::{
    contract::LookupQuery,
    engine::{views::ViewQuery, watches::Watched},
    model::{Subject, parse_address},
    store::index::Order,
    tui::ctx::{Destination, Facts},
};

impl LookupTab {
    /// The row under the cursor.
    fn start_row<'f>(&self, facts: &'f Facts) -> Option<StartRow<'f>> {
        let rows = StartRow::all(facts);
        Some(rows[self.start.selected(rows.len())?])
    }

    /// Whether Enter on it opens what is at hand.
    pub(super) fn is_at_free_row(&self, facts: &Facts) -> bool {
        self.start_row(facts).is_some_and(StartRow::is_free)
    }

    /// Whether the record on the page was opened from the first screen.
    pub(super) fn is_from_start(&self) -> bool {
        let is_shown = matches!(self.page, LookupPage::Record) && self.here.is_some();
        is_shown && self.here == self.opened_from_start
    }

    pub(super) fn enter_start(&self, facts: &Facts) -> Enter {
        let row = self.start_row(facts);
        row.map_or(Enter::Nothing(NOTHING), |row| self.entered(row))
    }

    /// What Enter does on it.
    fn entered(&self, row: StartRow<'_>) -> Enter {
        match row {
            StartRow::Change(change) => match change.subject {
                Some(Subject::Address(address)) => Enter::Row(LookupQuery::now(address)),
                Some(Subject::Network(network)) => Enter::Browse(network),
                None => Enter::Nothing("it is about no single record"),
            },
            StartRow::Watch(watch) => match (&watch.what, watch.feed(), watch.what.filter()) {
                (Watched::Address(address), ..) => Enter::Row(LookupQuery::now(*address)),
                (_, Some(feed), Some(filter)) => Enter::Go(Destination::Browse(ViewQuery {
                    feed,
                    day: None,
                    filter,
                    order: Order::Address,
                })),
                _ => Enter::Nothing("it watches a list in a file"),
            },
            StartRow::Example(address, _) => match parse_address(address) {
                Ok(address) => Enter::LookUp(self.query_for(address)),
                Err(_) => Enter::Nothing(NOTHING),
            },
        }
    }
}
