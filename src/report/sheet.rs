//! Labels and values, aligned: the text form of one thing.

use std::fmt::Write;

use super::{Cell, Paint};

/// A heading and its facts, one a line.
#[must_use]
pub fn sheet<'a>(
    heading: &str,
    facts: impl IntoIterator<Item = (&'a str, &'a Cell)>,
    paint: Paint,
) -> String {
    let facts: Vec<_> = facts.into_iter().collect();
    let width = facts
        .iter()
        .map(|(label, _)| label.chars().count())
        .max()
        .unwrap_or(0);
    let mut text = format!("{}\n", paint.strong(heading));
    for (label, cell) in facts {
        let value = if cell.known {
            cell.text.clone()
        } else {
            paint.faint(&cell.text)
        };
        let label = paint.faint(&format!("{label:width$}"));
        let _ = writeln!(text, "  {label}  {value}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_in_one_column() {
        let (city, nothing) = (Cell::known("Zürich"), Cell::unknown("absent"));
        let text = sheet(
            "198.51.100.7",
            [("city", &city), ("organization", &nothing)],
            Paint::PLAIN,
        );
        assert_eq!(
            text,
            "198.51.100.7\n  city          Zürich\n  organization  absent\n"
        );
    }
}
