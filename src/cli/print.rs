//! How results look: JSON lines, text, CSV, Markdown. Pure functions from answers to text; the streams are elsewhere.
//!
//! What the service did not say is shown as not said, and nothing is ever called clean. Text from outside is made
//! visible here, where it becomes part of a line.

mod csv;
mod json;
mod paint;
mod sheet;
mod table;

pub use self::{
    csv::Csv,
    json::Line,
    paint::Paint,
    sheet::sheet,
    table::{RunningTable, markdown_row, markdown_table, table},
};
pub use crate::report::{
    Cell, Fact, NOTHING, NOTHING_HERE, Reading, Ticket, Values, bytes, count, each, escaped,
    kept_ticket, local_tag_ticket, local_ticket, lookup_ticket, minute, moment, of_record, of_tag,
    tag_ticket, tunnels, value, values,
};
