//! What a command found, in each of the four formats. Commands hand it over as a value; they choose no format themselves.

use super::{Csv, Line, Paint, ResultFormat};

pub trait PrintedResults {
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

    fn markdown(&self) -> String;

    /// The results in one format. Only that one is made.
    fn in_format(&self, format: ResultFormat, paint: Paint) -> String {
        match format {
            ResultFormat::Json => self.json(),
            ResultFormat::Csv => {
                let rows = self.rows();
                let rows = rows.iter().map(|line| Self::CSV.row_of(line));
                Self::CSV.header() + &rows.collect::<String>()
            }
            ResultFormat::Text => self.text(paint),
            ResultFormat::Md => self.markdown(),
        }
    }
}
