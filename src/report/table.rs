//! Tables and sheets of text: in aligned columns, and as Markdown.
//!
//! A pipe gets each line whole. On a terminal no line is longer than the terminal is wide: what does not fit is wrapped under its column,
//! and columns for which there is no room follow beneath their row, each behind its heading.

use std::{fmt::Write, iter};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{Fact, TextCell, TextStyle, escaped};

/// Cells between which columns are apart.
const APART: usize = 2;
/// What is beneath a row is so far from its left edge.
const INDENT: usize = 4;
/// The most that a column takes of a terminal, or a third of it: the longest IPv6 address has room.
const MOST: usize = 40;
/// The least width in which a last column is wrapped; a narrower one goes beneath its row.
const LEAST: usize = 24;

/// A table that comes in pieces, each as soon as it is there: a column may grow from piece to piece, and does not shrink.
#[derive(Clone, Debug)]
#[must_use]
pub struct RunningTable {
    heads: Vec<String>,
    /// The width of each column, and whether its text is to the right.
    sizes: Vec<(usize, bool)>,
    /// Whether a pipe gets the columns as wide as they are now, whatever is in them.
    is_fixed: bool,
    begun: bool,
}

impl RunningTable {
    /// A table with these headings.
    pub fn of<S: AsRef<str>>(heads: &[S]) -> Self {
        Self {
            heads: heads.iter().map(|head| head.as_ref().to_owned()).collect(),
            sizes: vec![(0, false); heads.len()],
            is_fixed: false,
            begun: false,
        }
    }

    /// The same with columns that are so wide from the beginning, for rows that come one by one.
    pub fn at_least(mut self, widths: impl Iterator<Item = usize>) -> Self {
        self.sizes = widths.map(|width| (width, false)).collect();
        self
    }

    /// The same with columns of these widths, some with their text to the right, that do not grow for a pipe, whatever is in them.
    pub fn fixed(mut self, sizes: Vec<(usize, bool)>) -> Self {
        (self.sizes, self.is_fixed) = (sizes, true);
        self
    }

    /// The next rows; with the headings before the first ones.
    #[must_use]
    pub fn rows(&mut self, rows: &[Vec<TextCell>], style: TextStyle) -> String {
        let begins = !std::mem::replace(&mut self.begun, true);
        let heads: Vec<&str> = self.heads.iter().map(String::as_str).collect();
        let rows: Vec<Vec<&str>> = rows
            .iter()
            .map(|row| row.iter().map(|cell| cell.text.as_str()).collect())
            .collect();
        if !self.is_fixed || style.width.is_some() {
            for row in rows.iter().chain(begins.then_some(&heads)) {
                for (size, cell) in self.sizes.iter_mut().zip(row) {
                    size.0 = size.0.max(cell.width());
                }
            }
        }
        let widths = self.shown(style);
        let mut text = String::new();
        if begins {
            for line in self.lines(&heads, &widths, style).lines() {
                let _ = writeln!(text, "{}", style.faint(line));
            }
        }
        for row in &rows {
            text += &self.lines(row, &widths, style);
            let beneath = iter::zip(&heads, row).skip(widths.len());
            let beneath = beneath.filter(|(_, cell)| !matches!(cell.trim(), "" | "-"));
            let beneath = beneath.map(|(head, cell)| format!("{}: {cell}", head.to_lowercase()));
            let beneath = beneath.collect::<Vec<_>>().join("  ");
            if !beneath.is_empty() {
                let _ = writeln!(text, "{:INDENT$}{}", "", hanging(&beneath, INDENT, style));
            }
        }
        text
    }

    /// The widths of the columns that stand in the table: all for a pipe, and as many as a terminal has room for.
    fn shown(&self, style: TextStyle) -> Vec<usize> {
        let widths = self.sizes.iter().map(|size| size.0);
        let Some(all) = style.width else {
            return widths.collect();
        };
        let most = all.min(MOST.max(all / 3));
        let mut shown = Vec::new();
        let mut rest = all;
        for (at, width) in widths.enumerate() {
            let width = width.min(most);
            let is_last = at + 1 == self.sizes.len();
            if at > 0 && width > rest && !(is_last && rest >= LEAST) {
                break;
            }
            shown.push(if is_last { rest } else { width });
            rest = rest.saturating_sub(width + APART);
        }
        shown
    }

    /// One row in columns of these widths; on a terminal wrapped where a cell is wider.
    fn lines(&self, cells: &[&str], widths: &[usize], style: TextStyle) -> String {
        let wrapped = iter::zip(cells, widths).map(|(cell, width)| match style.width {
            Some(_) => wrap(cell, *width, *width),
            None => vec![*cell],
        });
        let wrapped: Vec<Vec<&str>> = wrapped.collect();
        let height = wrapped.iter().map(Vec::len).max().unwrap_or(0);
        let mut text = String::new();
        for at in 0..height {
            let mut line = String::new();
            for ((cell, width), (_, is_right)) in wrapped.iter().zip(widths).zip(&self.sizes) {
                let cell = cell.get(at).copied().unwrap_or_default();
                let room = width.saturating_sub(cell.width());
                let (before, behind) = if *is_right { (room, 0) } else { (0, room) };
                let _ = write!(line, "{:before$}{cell}{:behind$}{:APART$}", "", "", "");
            }
            let _ = writeln!(text, "{}", line.trim_end());
        }
        text
    }
}

/// A text in lines of at most these widths, the first one and the others, parted at blanks where that is possible.
fn wrap(text: &str, first: usize, others: usize) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text;
    loop {
        let width = if lines.is_empty() { first } else { others };
        let mut used = 0;
        let beyond = rest.char_indices().find(|(_, character)| {
            used += character.width().unwrap_or(0);
            used > width
        });
        let Some((end, character)) = beyond else {
            lines.push(rest);
            return lines;
        };
        let blank = if character == ' ' {
            Some(end)
        } else {
            rest[..end].rfind(' ')
        };
        let end = match blank {
            Some(blank) => blank,
            // A longer line has room for more of it.
            None if width < others => 0,
            None => end.max(rest.chars().next().map_or(0, char::len_utf8)),
        };
        lines.push(rest[..end].trim_end());
        rest = rest[end..].trim_start();
    }
}

/// A text that begins so many cells into its line; on a terminal it is wrapped under its own beginning.
#[must_use]
pub fn hanging(text: &str, indent: usize, style: TextStyle) -> String {
    let Some(all) = style.width else {
        return text.to_owned();
    };
    let under = indent.min(all / 2);
    let lines = wrap(text, all.saturating_sub(indent), all - under);
    lines.join(&format!("\n{:under$}", ""))
}

/// A heading and its facts, one a line: the text form of one thing.
#[must_use]
pub fn sheet(heading: &str, facts: &[Fact], style: TextStyle) -> String {
    let widths = facts.iter().map(|fact| fact.label.chars().count());
    let width = widths.max().unwrap_or(0);
    let mut text = format!("{}\n", style.strong(&hanging(heading, 0, style)));
    for Fact { label, cell } in facts {
        let value = hanging(&cell.text, width + 2 * APART, style);
        let value = if cell.known {
            value
        } else {
            style.faint(&value)
        };
        let label = style.faint(&format!("{label:width$}"));
        let _ = writeln!(text, "  {label}  {value}");
    }
    text
}

/// The same as a Markdown table.
#[must_use]
pub fn markdown_table<S: AsRef<str>>(columns: &[S], rows: &[Vec<TextCell>]) -> String {
    let heads: Vec<&str> = columns.iter().map(AsRef::as_ref).collect();
    let rule = vec!["---"; heads.len()];
    let head = format!("| {} |\n| {} |\n", heads.join(" | "), rule.join(" | "));
    head + &rows.iter().map(|row| markdown_row(row)).collect::<String>()
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
    use crate::report::fact;

    #[test]
    fn columns_are_aligned_and_pipes_escaped() {
        let rows = [
            vec![TextCell::known("anonymous"), TextCell::known("a|b")],
            vec![TextCell::known("dch"), TextCell::unknown("-")],
        ];
        assert_eq!(
            RunningTable::of(&["FEED", "SAYS"]).rows(&rows, TextStyle::PLAIN),
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
            table.rows(&[row("realtime")], TextStyle::PLAIN),
            "FEED      SAYS\nrealtime  x\n"
        );
        assert_eq!(table.rows(&[row("dch")], TextStyle::PLAIN), "dch       x\n");
        assert_eq!(
            table.rows(&[row("service-metrics"), row("dch")], TextStyle::PLAIN),
            "service-metrics  x\ndch              x\n"
        );
        assert_eq!(
            table.rows(&[row("dch")], TextStyle::PLAIN),
            "dch              x\n"
        );
        assert_eq!(table.rows(&[], TextStyle::PLAIN), "");
    }

    #[test]
    fn values_stand_in_one_column() {
        let facts = [
            fact("city", TextCell::known("Zürich")),
            fact("organization", TextCell::unknown("absent")),
        ];
        let text = sheet("198.51.100.7", &facts, TextStyle::PLAIN);
        assert_eq!(
            text,
            "198.51.100.7\n  city          Zürich\n  organization  absent\n"
        );
    }

    /// A terminal of each width that is tried.
    fn terminals() -> impl Iterator<Item = TextStyle> {
        (40..=200).map(|width| TextStyle::PLAIN.with_width(Some(width)))
    }

    fn assert_fits(text: &str, style: TextStyle, words: &[&str]) {
        let width = style.width.expect("a terminal");
        for line in text.lines() {
            assert!(line.width() <= width, "{width}: {line:?}");
        }
        // Wherever it is parted, nothing is lost.
        let solid = |text: &str| text.split_whitespace().collect::<String>();
        for word in words {
            assert!(
                solid(text).contains(&solid(word)),
                "{width}: {word} in\n{text}"
            );
        }
    }

    #[test]
    fn a_sheet_wraps_under_its_values() {
        let exits = (0..60)
            .map(|host| format!("198.51.100.{host}"))
            .collect::<Vec<_>>();
        let facts = [
            fact("client countries", TextCell::known("17")),
            fact(
                "tunnel",
                TextCell::known(format!("VPN, out {}", exits.join(" "))),
            ),
        ];
        for style in terminals() {
            let exits: Vec<&str> = exits.iter().map(String::as_str).collect();
            assert_fits(&sheet("198.51.100.7", &facts, style), style, &exits);
        }
        let narrow = sheet("x", &facts[1..], TextStyle::PLAIN.with_width(Some(40)));
        let lines: Vec<&str> = narrow.lines().take(3).collect();
        assert_eq!(
            lines,
            [
                "x",
                "  tunnel  VPN, out 198.51.100.0",
                "          198.51.100.1 198.51.100.2"
            ]
        );
    }

    #[test]
    fn a_table_keeps_to_the_terminal_and_loses_nothing() {
        let row = |cells: [&str; 4]| cells.map(TextCell::known).to_vec();
        let rows = [
            row([
                "198.51.100.7",
                "1,400",
                "VPN ACME_VPN; TOR",
                "Quartz Test Servers SRL",
            ]),
            row([
                "2001:db8:1111:2222:3333:4444:5555:6666",
                "-",
                &"A_PROXY ".repeat(40),
                "Zürich 日本",
            ]),
        ];
        let heads = ["ADDRESS", "CLIENTS", "TUNNELS", "ORGANIZATION"];
        for style in terminals() {
            let text = RunningTable::of(&heads).rows(&rows, style);
            let all: Vec<&str> = rows
                .iter()
                .flatten()
                .map(|cell| cell.text.as_str())
                .collect();
            assert_fits(&text, style, &all[..3]);
            assert_fits(&text, style, &["Zürich 日本"]);
        }
        assert_eq!(
            RunningTable::of(&heads).rows(&rows[..1], TextStyle::PLAIN.with_width(Some(60))),
            "ADDRESS       CLIENTS  TUNNELS\n\
             198.51.100.7  1,400    VPN ACME_VPN; TOR\n    organization: Quartz Test Servers SRL\n"
        );
        assert_eq!(
            RunningTable::of(&heads).rows(&rows[..1], TextStyle::PLAIN.with_width(Some(66))),
            "ADDRESS       CLIENTS  TUNNELS            ORGANIZATION\n\
             198.51.100.7  1,400    VPN ACME_VPN; TOR  Quartz Test Servers SRL\n"
        );
    }
}
