//! Labels and values, aligned: the text form of one thing.

use std::fmt::Write;

use super::{Fact, Paint};

/// A heading and its facts, one a line.
#[must_use]
pub fn sheet(heading: &str, facts: &[Fact], paint: Paint) -> String {
    let widths = facts.iter().map(|fact| fact.label.chars().count());
    let width = widths.max().unwrap_or(0);
    let mut text = format!("{}\n", paint.strong(heading));
    for Fact { label, cell } in facts {
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
    use crate::report::{TextCell, fact};

    #[test]
    fn values_stand_in_one_column() {
        let facts = [
            fact("city", TextCell::known("Zürich")),
            fact("organization", TextCell::unknown("absent")),
        ];
        let text = sheet("198.51.100.7", &facts, Paint::PLAIN);
        assert_eq!(
            text,
            "198.51.100.7\n  city          Zürich\n  organization  absent\n"
        );
    }
}
