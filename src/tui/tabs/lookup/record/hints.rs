//! What a tab says on the page of a record, and how much room the page has.

use crate::{contract::LookupQuery, tui::ctx::facts::Facts};

/// How much room a page has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// One column of few lines: what tells most is in a line each.
    Narrow,
    /// Two columns.
    Wide,
    /// Two columns with room for a table in each: the sources and the tunnels are beside the rest.
    Broad,
}

/// What the tab says on the page of a record.
#[derive(Debug, Default)]
pub struct Hints {
    /// The question that Enter asks on the row under the cursor, and what that costs.
    pub enter: Option<(LookupQuery, String)>,
    /// That the record is of another day than lookups ask for, what to do about it, and what that asks.
    pub other_day: Option<(LookupQuery, String)>,
}

impl Hints {
    /// What it costs to look an address up: exactly for the row under the cursor, as far as it is known for the others.
    #[must_use]
    pub fn price(&self, query: LookupQuery, facts: &Facts) -> &str {
        match &self.enter {
            Some((own, words)) if *own == query => words,
            _ => facts.price_now(query.geolocation),
        }
    }
}
