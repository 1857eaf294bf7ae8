//! How results look: JSON lines, text, CSV, Markdown. Pure functions from answers to text; the streams are elsewhere.
//!
//! What the service did not say is shown as not said, and nothing is ever called clean. Text from outside is made
//! visible here, where it becomes part of a line.

mod cell;
mod csv;
mod facts;
mod json;
mod paint;
mod sheet;
mod table;
mod ticket;

pub use self::{
    cell::{Cell, bytes, count, each, minute, moment},
    csv::Csv,
    facts::{Fact, of_record, of_tag},
    json::Line,
    paint::Paint,
    sheet::sheet,
    table::{markdown_table, table},
    ticket::{Ticket, escaped},
};
