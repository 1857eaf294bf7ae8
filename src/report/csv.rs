//! CSV as RFC 4180 has it: CRLF, quotes where they are needed, a header row first.

use ::csv::{Terminator, WriterBuilder};

use super::Line;
use crate::model::visible;

/// Rows of a fixed set of columns: these lists, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Csv(&'static [&'static [&'static str]]);

impl Csv {
    /// A table with these columns.
    #[must_use]
    pub const fn of(columns: &'static [&'static [&'static str]]) -> Self {
        Self(columns)
    }

    #[must_use]
    pub fn header(self) -> String {
        row(self.columns())
    }

    /// A row. Cells from outside are made visible.
    #[must_use]
    pub fn row<S: AsRef<str>>(self, cells: &[S]) -> String {
        debug_assert_eq!(
            cells.len(),
            self.columns().count(),
            "a cell for each of {:?}",
            self.0
        );
        row(cells.iter())
    }

    /// The row of an object: the cells that it has for the columns.
    #[must_use]
    pub fn row_of(self, line: &Line) -> String {
        row(self.columns().map(|column| line.cell_of(column)))
    }

    pub fn columns(self) -> impl Iterator<Item = &'static str> {
        self.0.iter().copied().flatten().copied()
    }
}

/// A row of any cells. Those from outside are made visible.
#[must_use]
pub fn csv_row<S: AsRef<str>>(cells: &[S]) -> String {
    row(cells.iter())
}

fn row(cells: impl Iterator<Item = impl AsRef<str>>) -> String {
    let mut writer = WriterBuilder::new()
        .terminator(Terminator::CRLF)
        .from_writer(Vec::new());
    // Writing to memory does not fail.
    let _ = writer.write_record(cells.map(|cell| visible(cell.as_ref()).into_owned()));
    let bytes = writer.into_inner().unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        let csv = Csv::of(&[&["a", "b"], &["c"]]);
        assert_eq!(csv.header(), "a,b,c\r\n");
        assert_eq!(
            csv.row(&["x, y", "say \"z\"", "1\n2\u{1b}"]),
            "\"x, y\",\"say \"\"z\"\"\",1\\x0a2\\x1b\r\n"
        );
        assert_eq!(Csv::of(&[&["a"]]).row(&[""]), "\"\"\r\n");
    }
}
