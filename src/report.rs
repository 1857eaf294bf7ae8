//! What is known, in words for a person and in the forms of the command line: values, facts, notes; text, tables, CSV, JSON lines,
//! Markdown. Both fronts speak through it, so that they say the same.
//!
//! What the service left out is shown as absent, and nothing is ever called clean. Text from outside is made
//! visible here, where it becomes part of a line. Nothing here prints, draws or asks.

mod age;
mod answer;
mod board_row;
mod cell;
mod comparison;
mod csv;
mod curl;
mod escape;
mod facts;
mod fields;
mod line;
mod note;
mod paint;
mod parameters;
mod reading;
mod results;
mod rows;
mod sheet;
mod table;
mod ticket;
mod verdict;

pub use self::{
    age::age,
    answer::{
        NOTHING, NOTHING_HERE, filter_ticket, kept_ticket, local_tag_ticket, local_ticket,
        lookup_ticket, tag_ticket,
    },
    board_row::{BoardFinding, BoardRow, RowSource},
    cell::{TextCell, each, instant, minute, moment, signed},
    comparison::{ComparedSide, ComparedSource, comparison_ticket},
    csv::{Csv, csv_row},
    curl::curl,
    escape::{defanged, escaped},
    facts::{Fact, TAG_COLUMNS, fact, of_record, of_tag, remainder, tag_values},
    fields::{
        COLUMNS, ColumnTexts, about, label_of, of_clients, of_network, stated, value, values,
    },
    line::Line,
    note::{export_difference, export_note, export_outcome, feed_note, unknown_value},
    paint::{Paint, ResultFormat},
    parameters::{PARAMETERS, Parameter},
    reading::{Reading, tunnels},
    results::PrintedResults,
    rows::RecordRows,
    sheet::sheet,
    table::{RunningTable, markdown_row, markdown_table, table},
    ticket::{Ticket, TicketStamp, note_lines},
    verdict::{Verdict, named_as_entry},
};
pub use crate::model::count;
pub use crate::store::space::size;
