//! What is known, in words for a person and in the forms of the command line: values, facts, notes; text, tables, CSV, JSON lines,
//! Markdown. Both fronts speak through it, so that they say the same.
//!
//! What the service left out is shown as absent, and nothing is ever called clean. Text from outside is made
//! visible here, where it becomes part of a line. Nothing here prints, draws or asks.

mod age;
mod answer;
mod board_row;
mod board_ticket;
mod case;
mod cell;
mod columns;
mod common;
mod comparison;
mod curl;
mod escape;
mod explanation;
mod facts;
mod fields;
mod health;
mod history;
mod list_check;
mod list_file;
mod missing;
mod note;
mod parameters;
mod reading;
mod records;
mod rows;
mod sql;
mod style;
mod table;
mod ticket;
mod verdict;
mod watch;

pub use self::{
    age::{age, behind},
    answer::{
        NOTHING, NOTHING_HERE, answer_ticket, filter_ticket, local_tag_ticket, local_ticket,
        tag_ticket,
    },
    board_row::{BoardFinding, BoardFindings, BoardRow, EventVerdicts, RowSource, standings},
    board_ticket::{
        BoardSummary, EnrichAnswers, EnrichCommand, TICKET_ROWS, board_ticket, enrich_command,
    },
    case::{case_columns, case_in_words, cases_columns},
    cell::{TextCell, distinct, each, instant, minute, moment, signed},
    columns::{Cell, Columns, Line},
    common::{SharedRow, common_columns, common_in_words, shared_rows},
    comparison::{
        ComparedLine, ComparedList, ComparedSide, ComparedSource, SaySide, changes,
        compared_in_words, comparison_ticket, reading_of, side_in_words,
    },
    curl::{curl, shell_word},
    escape::{defanged, escaped},
    explanation::{ExplanationRow, explanation_columns, explanation_rows},
    facts::{Fact, fact, of_record, of_tag, remainder, tag_columns, tag_values},
    fields::{
        COLUMNS, ColumnTexts, EXTRA_COLUMNS, about, difference_side, label_of, of_clients,
        of_network, stated, value, values,
    },
    health::{HealthRow, health_columns},
    history::{
        HistoryWords, StretchRow, StripSymbols, history_columns, recent_beside, recent_in_words,
        recent_object, same_verdict, same_verdict_line, strip_legend,
    },
    list_check::{addresses_in_words, change_of_list, check_columns, check_lines},
    list_file::{ListForm, ListStyle, ListText},
    missing::{how_to_get, load_cell, missing_in_words},
    note::{export_difference, export_note, export_outcome, feed_note, unknown_value},
    parameters::{PARAMETERS, Parameter},
    reading::{Reading, tunnels},
    records::{RecordRow, ValueRow, dated_record_columns, record_columns, value_columns},
    rows::{ChosenColumns, IDS, Results, RowFormat, RowPage, RowWriter, csv_row},
    sql::SqlStatement,
    style::{ResultFormat, TextStyle},
    table::{RunningTable, hanging, markdown_row, markdown_table, sheet},
    ticket::{Ticket, TicketStamp, beside_sentence, note_lines},
    verdict::{Verdict, named_as_entry},
    watch::{
        change_columns, change_in_words, change_object, change_of_object, changes_after_pull,
        changes_in_words, watch_columns,
    },
};
pub use crate::model::{count, counted, decimal};
pub use crate::store::space::size;
