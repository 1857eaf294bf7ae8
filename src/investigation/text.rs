//! A text is rows, a row is fields, a field has a role.
//!
//! ```text
//! shape    what the text is, by its beginning: lines, a table, JSON, XML, blocks of `KEY=value`
//! rows     divides it, and what is between rows is no row
//! fields   of a row: by key, by head, or by the form of the line; each with its place, so that an address knows its field
//! role     what the name of a field means: the time of the event or another one, a zone, whose address, a version
//! cue      the same of an address in prose: `from`, `to`, `>`
//! ```
//!
//! A row never takes a value of another row. In JSON and XML a row is divided into groups: the objects of a list that have addresses or
//! times of their own are events apart, which share only what is around the list.

mod address;
mod blocks;
mod cue;
mod field_names;
mod fields;
mod json;
mod line;
mod line_form;
mod markup;
mod needle;
mod role;
mod rows;
mod shape;
mod table;

#[cfg(test)]
mod tests;

pub use self::{
    address::address_of,
    cue::role_at,
    fields::{FieldView, RowFields},
    line::WORD,
    needle::{LISTENING, OF_REQUEST},
    role::{AddressRole, FieldRole, TimeRole, WeakName, role_of_name, weak_name},
    rows::{LONGEST_ROW, RowSpan, Rows, apart},
    shape::TextShape,
    table::Cells,
};
