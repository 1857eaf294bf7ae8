//! The tables of the service and of its world, compiled into the program from `assets/demo`: a header, then a row a line, cells
//! separated by tabs.
//!
//! They must never be read before they are used: the first frame does not wait for them.

use csv::{ReaderBuilder, StringRecord};
use serde::{Deserialize, Deserializer};

/// The rows of a table, kept until the program ends. The cells of a row are the fields of `T` in their order.
pub(super) fn rows<T: Deserialize<'static>>(table: &'static str) -> Vec<T> {
    let mut reader = ReaderBuilder::new();
    let reader = reader.delimiter(b'\t').quoting(false);
    let records = reader.from_reader(table.as_bytes()).into_records();
    let records: Vec<StringRecord> = records.filter_map(Result::ok).collect();
    let records: &'static [StringRecord] = records.leak();
    let rows = records.iter().map(|record| record.deserialize(None));
    // A row that cannot be read is a slip: the tests count the rows.
    rows.filter_map(Result::ok).collect()
}

/// Reads a cell of words separated by spaces.
pub(super) fn words<'de: 'static, D>(cell: D) -> Result<Vec<&'static str>, D::Error>
where
    D: Deserializer<'de>,
{
    let cell = <&str>::deserialize(cell)?;
    Ok(cell.split_ascii_whitespace().collect())
}

#[cfg(test)]
pub(super) mod tests {
    /// Whether every line of a table has become a row.
    pub(in crate::demo) fn is_whole<T>(table: &str, rows: &[T]) -> bool {
        table.lines().count() == rows.len() + 1
    }
}
