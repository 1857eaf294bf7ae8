//! A ticket block: Markdown that can be pasted where colleagues click on things, so every address and name is defanged.
//!
//! It says where the facts come from, for which day, when they were asked for, and what is not known.

use std::fmt::Write;

use jiff::Timestamp;

use super::{Cell, Fact, each, escaped, markdown_table, minute};

/// The lines of a block for what people wrote about its subject.
#[must_use]
pub fn note_lines<'a>(notes: impl IntoIterator<Item = (Timestamp, &'a str)>) -> String {
    let line = |(at, text): (Timestamp, &str)| {
        format!("- **note of {}:** {}\n", minute(at), escaped(text))
    };
    notes.into_iter().map(line).collect()
}

/// A block about one thing.
#[derive(Clone, Debug)]
pub struct Ticket(String);

impl Ticket {
    /// A block with this heading.
    #[must_use]
    pub fn about(subject: &str) -> Self {
        Self(format!("### {}\n\n", escaped(subject)))
    }

    /// A line of the block.
    #[must_use]
    pub fn line(mut self, label: &str, text: &str) -> Self {
        let _ = writeln!(self.0, "- **{label}:** {}", escaped(text));
        self
    }

    /// What is known, a line each, then in one line what is not.
    #[must_use]
    pub fn facts(self, facts: &[Fact]) -> Self {
        let (known, unknown): (Vec<&Fact>, Vec<_>) = facts.iter().partition(|fact| fact.cell.known);
        let ticket = self.list(known);
        if unknown.is_empty() {
            return ticket;
        }
        let unknown = unknown.into_iter();
        let missing = unknown.map(|fact| format!("{} ({})", fact.label, fact.cell.text));
        ticket.line("not known", &each(missing, ", "))
    }

    /// A line for each fact, also where it is only why there is none.
    #[must_use]
    pub fn list<'a>(self, facts: impl IntoIterator<Item = &'a Fact>) -> Self {
        let line = |ticket: Self, fact: &Fact| ticket.line(&fact.label, &fact.cell.text);
        facts.into_iter().fold(self, line)
    }

    /// The finished block with a table below it.
    #[must_use]
    pub fn table(self, columns: &[&str], rows: &[Vec<Cell>]) -> String {
        self.end() + "\n" + &markdown_table(columns, rows)
    }

    /// The finished block.
    #[must_use]
    pub fn end(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_says_what_is_not_known() {
        let facts = [
            Fact {
                label: "operators".into(),
                cell: Cell::known("ACME_VPN"),
            },
            Fact {
                label: "services".into(),
                cell: Cell::unknown("absent"),
            },
        ];
        let ticket = Ticket::about("198.51.100.77")
            .line("source", "live")
            .facts(&facts)
            .end();
        assert_eq!(
            ticket,
            "### 198[.]51[.]100[.]77\n\n- **source:** live\n- **operators:** ACME_VPN\n- **not known:** services \\(absent\\)\n"
        );
    }
}
