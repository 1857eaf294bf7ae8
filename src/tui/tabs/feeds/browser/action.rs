//! What the browser alone can do, and its places.

use crate::tui::ctx::intent::Scope;

pub(in crate::tui::tabs::feeds) const BROWSER: Scope = Scope::Tab("Records of a feed");
/// The facets beside them.
pub(in crate::tui::tabs::feeds) const FACETS: Scope = Scope::Tab("Facets");
/// A list over them.
pub(in crate::tui::tabs::feeds) const MENU: Scope = Scope::Tab("Menu of records");
pub(in crate::tui::tabs::feeds) const COMPARED: Scope = Scope::Tab("Compared days");

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
    Export,
    /// Compare with another day.
    Compare,
    /// What each clause of the filter does.
    Clauses,
    /// Go to a row or to an address.
    GoTo,
    Columns,
    /// Only records like this cell.
    Like,
    /// No records like this cell, or like this value.
    Unlike,
    /// One more value that may be.
    Collect,
    /// The records that were added, alone.
    OnlyAdded,
    /// The records that were removed, alone.
    OnlyRemoved,
    /// The records that changed, alone.
    OnlyChanged,
}
