//! What a command found, in each of the four formats. Commands hand it over as a value; they choose no format themselves.

use super::{Csv, Format, Line, Paint};

/// Results that can be printed.
pub trait Results {
    /// The columns of CSV.
    const CSV: Csv;

    /// The objects of JSON.
    fn lines(&self) -> Vec<Line>;

    /// The objects whose cells are the rows of CSV.
    fn rows(&self) -> Vec<Line> {
        self.lines()
    }

    /// JSON, a line for each object.
    fn json(&self) -> String {
        self.lines().iter().map(|line| line.end() + "\n").collect()
    }

    /// For people, on a terminal.
    fn text(&self, paint: Paint) -> String;

    /// For a ticket.
    fn markdown(&self) -> String;

    /// The results in one format. Only that one is made.
    fn in_format(&self, format: Format, paint: Paint) -> String {
        match format {
            Format::Json => self.json(),
            Format::Csv => {
                let rows = self.rows();
                let rows = rows.iter().map(|line| Self::CSV.row_of(line));
                Self::CSV.header() + &rows.collect::<String>()
            }
            Format::Text => self.text(paint),
            Format::Md => self.markdown(),
        }
    }
}
