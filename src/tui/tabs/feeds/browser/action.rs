//! The actions and scopes of the browser.

use crate::tui::ctx::intent::Scope;

pub(in crate::tui::tabs::feeds) const BROWSER: Scope = Scope::Tab("Records of a feed");
/// The facets beside the records.
pub(in crate::tui::tabs::feeds) const FACETS: Scope = Scope::Tab("Facets");
/// A list over the records.
pub(in crate::tui::tabs::feeds) const MENU: Scope = Scope::Tab("Menu of records");
pub(in crate::tui::tabs::feeds) const COMPARED: Scope = Scope::Tab("Compared days");

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BrowserAction {
    /// Shows, focuses or hides the facets.
    Facets,
    /// Toggles the mark of the record.
    Mark,
    /// Begins or ends a range of marks.
    MarkRange,
    /// Marks all records of the filter.
    MarkAll,
    /// Inverts the marks.
    InvertMarks,
    /// Opens the marked addresses as a table in Lookup.
    Tabulate,
    Export,
    /// Compares with another day.
    Compare,
    /// Counts the clauses of the filter.
    Clauses,
    /// Goes to a row or to an address.
    GoTo,
    Columns,
    /// Filters for this cell.
    Like,
    /// Excludes this cell, or the selected value of the facets.
    Unlike,
    /// Adds the selected value to the accepted ones.
    Collect,
}
