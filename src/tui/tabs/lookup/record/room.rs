//! The room of a page, which decides between lines and sections.

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
