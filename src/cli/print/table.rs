//! Tables: aligned columns for people, pipes for Markdown.

use comfy_table::{Table, presets::NOTHING};

use super::{Cell, Paint, escaped};

/// Columns with a heading each, apart by two blanks. Lines are as long as they need to be: a terminal may wrap them, a
/// pipe gets them whole.
#[must_use]
pub fn table(columns: &[&str], rows: &[Vec<Cell>], paint: Paint) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(columns);
    for row in rows {
        table.add_row(row.iter().map(|cell| cell.text.as_str()));
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    let mut text = String::new();
    for (number, line) in table.lines().enumerate() {
        let line = line.trim_end();
        text.push_str(&if number == 0 {
            paint.faint(line)
        } else {
            line.to_owned()
        });
        text.push('\n');
    }
    text
}

/// The same as a Markdown table.
#[must_use]
pub fn markdown_table(columns: &[&str], rows: &[Vec<Cell>]) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut text = line(columns.iter().map(|&column| column.to_owned()).collect());
    text.push_str(&line(columns.iter().map(|_| "---".to_owned()).collect()));
    for row in rows {
        text.push_str(&line(row.iter().map(|cell| escaped(&cell.text)).collect()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_pipes_escaped() {
        let rows = [
            vec![Cell::known("anonymous"), Cell::known("a|b")],
            vec![Cell::known("dch"), Cell::unknown("-")],
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
}
