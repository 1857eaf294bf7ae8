//! Tables: aligned columns for people, pipes for Markdown.

use std::iter;

use comfy_table::{ColumnConstraint, Table, Width, presets::NOTHING};

use super::{Paint, TextCell, escaped};

/// Columns with a heading each, separated by two blanks. Lines are as long as they need to be: a terminal may wrap them, a
/// pipe gets them whole.
#[must_use]
pub fn table(columns: &[&str], rows: &[Vec<TextCell>], paint: Paint) -> String {
    RunningTable::of(columns).rows(rows, paint)
}

/// Such a table that comes in pieces, each as soon as it is there: a column may grow from piece to piece, and does not
/// shrink.
#[derive(Clone, Debug)]
pub struct RunningTable {
    columns: Vec<String>,
    widths: Vec<u16>,
    begun: bool,
}

impl RunningTable {
    /// Cells between which columns are apart.
    const APART: u16 = 2;

    /// A table with these columns.
    #[must_use]
    pub fn of<S: AsRef<str>>(columns: &[S]) -> Self {
        Self {
            columns: columns
                .iter()
                .map(|name| name.as_ref().to_owned())
                .collect(),
            widths: Vec::new(),
            begun: false,
        }
    }

    /// The same with columns that are so wide from the beginning, for rows that come one by one.
    #[must_use]
    pub fn at_least(mut self, widths: Vec<u16>) -> Self {
        self.widths = widths;
        self
    }

    /// The next rows; with the headings before the first ones.
    #[must_use]
    pub fn rows(&mut self, rows: &[Vec<TextCell>], paint: Paint) -> String {
        let mut table = Table::new();
        table.load_style(NOTHING);
        let begins = !std::mem::replace(&mut self.begun, true);
        if begins {
            table.set_header(&self.columns);
        }
        for row in rows {
            table.add_row(row.iter().map(|cell| cell.text.as_str()));
        }
        for (column, width) in table.column_iter_mut().zip(&self.widths) {
            column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(*width)));
        }
        for column in table.column_iter_mut() {
            column.set_padding((0, Self::APART));
        }
        let widths = table.column_max_content_widths().into_iter();
        let widths = widths.map(|width| width.saturating_add(Self::APART));
        let before = self.widths.iter().copied().chain(iter::repeat(0));
        self.widths = widths
            .zip(before)
            .map(|(own, before)| own.max(before))
            .collect();
        let mut text = String::new();
        for (number, line) in table.lines().enumerate() {
            let line = line.trim_end();
            text.push_str(&if begins && number == 0 {
                paint.faint(line)
            } else {
                line.to_owned()
            });
            text.push('\n');
        }
        text
    }
}

/// The same as a Markdown table.
#[must_use]
pub fn markdown_table(columns: &[&str], rows: &[Vec<TextCell>]) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut text = line(columns.iter().map(|&column| column.to_owned()).collect());
    text.push_str(&line(columns.iter().map(|_| "---".to_owned()).collect()));
    text.extend(rows.iter().map(|row| markdown_row(row)));
    text
}

/// One more row of a Markdown table.
#[must_use]
pub fn markdown_row(row: &[TextCell]) -> String {
    let cells: Vec<String> = row.iter().map(|cell| escaped(&cell.text)).collect();
    format!("| {} |\n", cells.join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_pipes_escaped() {
        let rows = [
            vec![TextCell::known("anonymous"), TextCell::known("a|b")],
            vec![TextCell::known("dch"), TextCell::unknown("-")],
        ];
        assert_eq!(
            table(&["FEED", "SAYS"], &rows, Paint::PLAIN),
            "FEED       SAYS\nanonymous  a|b\ndch        -\n"
        );
        assert_eq!(
            markdown_table(&["FEED", "SAYS"], &rows),
            "| FEED | SAYS |\n| --- | --- |\n| anonymous | a\\|b |\n| dch | - |\n"
        );
    }

    #[test]
    fn a_table_in_pieces_has_one_heading_and_columns_that_do_not_shrink() {
        let row = |feed: &str| vec![TextCell::known(feed), TextCell::known("x")];
        let mut table = RunningTable::of(&["FEED", "SAYS"]);
        assert_eq!(
            table.rows(&[row("realtime")], Paint::PLAIN),
            "FEED      SAYS\nrealtime  x\n"
        );
        assert_eq!(table.rows(&[row("dch")], Paint::PLAIN), "dch       x\n");
        assert_eq!(
            table.rows(&[row("service-metrics"), row("dch")], Paint::PLAIN),
            "service-metrics  x\ndch              x\n"
        );
        assert_eq!(
            table.rows(&[row("dch")], Paint::PLAIN),
            "dch              x\n"
        );
        assert_eq!(table.rows(&[], Paint::PLAIN), "");
    }
}
