//! How much room a page has, which decides what is in a line and what in a section.

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
