//! What the browser alone can do, and its places.

use crate::tui::ctx::intent::Scope;

/// The records.
pub(in crate::tui::tabs::feeds) const BROWSER: Scope = Scope::Tab("Browser");
/// The facets beside them.
pub(in crate::tui::tabs::feeds) const FACETS: Scope = Scope::Tab("Facets");
/// A list over them.
pub(in crate::tui::tabs::feeds) const MENU: Scope = Scope::Tab("Browser menu");
/// Two days, compared.
pub(in crate::tui::tabs::feeds) const COMPARED: Scope = Scope::Tab("Compared days");

/// What the browser does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BrowserAction {
    /// Show the facets, go to them, or hide them.
    Facets,
    /// Mark the record, or no longer.
    Mark,
    /// Begin a range of marks, or end it.
    MarkRange,
    /// Mark all records of the filter.
    MarkAll,
    /// Mark what is not marked, and no longer what is.
    InvertMarks,
    /// The marked addresses as a table in Lookup.
    Tabulate,
    /// Export with this filter.
    Export,
    /// Compare with another day.
    Compare,
    /// What each clause of the filter does.
    Clauses,
    /// Go to a row or to an address.
    GoTo,
    /// Choose the columns.
    Columns,
    /// Only records like this cell.
    Like,
    /// No records like this cell, or like this value.
    Unlike,
    /// One more value that may be.
    Collect,
}
