//! A ticket block: Markdown that can be pasted where colleagues click on things, so every address and name is defanged.
//!
//! One sentence first, then the facts, their source, day and time of the query, and what is unknown.

use std::fmt::Write;

use jiff::Timestamp;

use super::{Fact, each, escaped, minute};
use crate::{engine::Settings, model::visible};

/// What a block says first where its data is invented.
const INVENTED: &str = "**Invented data** of the embedded service: it describes no real address.";

/// When a block is written, and of which world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TicketStamp {
    /// The time of writing.
    pub at: Timestamp,
    /// Whether the data is invented.
    pub invented: bool,
}

impl TicketStamp {
    /// A block that is written now.
    #[must_use]
    pub fn of(settings: &Settings) -> Self {
        Self {
            at: settings.now(),
            invented: settings.invented,
        }
    }
}

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
#[must_use]
pub struct Ticket(String);

impl Ticket {
    /// A block with this heading.
    pub fn about(subject: &str) -> Self {
        Self(format!("### {}\n\n", escaped(subject)))
    }

    /// A block with this heading, which begins with what its data is where that is invented.
    pub fn written(subject: &str, written: TicketStamp) -> Self {
        let mut ticket = Self::about(subject);
        if written.invented {
            let _ = writeln!(ticket.0, "{INVENTED}\n");
        }
        ticket
    }

    pub fn sentence(mut self, text: &str) -> Self {
        let _ = writeln!(self.0, "{}\n", escaped(text));
        self
    }

    pub fn line(mut self, label: &str, text: &str) -> Self {
        let _ = writeln!(self.0, "- **{label}:** {}", escaped(text));
        self
    }

    /// A line with code, which is left as it is.
    pub fn code(mut self, label: &str, code: &str) -> Self {
        // A fence is longer than any run of its sign within.
        let runs = code.split(|letter| letter != '`').map(str::len);
        let fence = "`".repeat(runs.max().unwrap_or(0) + 1);
        let code = visible(code);
        let _ = writeln!(self.0, "- **{label}:** {fence}{code}{fence}");
        self
    }

    /// What is known, a line each. That nothing of a kind was observed is known too.
    pub fn known(self, facts: &[Fact]) -> Self {
        self.list(facts.iter().filter(|fact| is_known(fact)))
    }

    /// What is not known, in one line: the labels of each reason together.
    pub fn unknown(self, facts: &[Fact]) -> Self {
        let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
        for fact in facts.iter().filter(|fact| !is_known(fact)) {
            let why = fact.cell.text.as_str();
            match reasons.iter_mut().find(|(text, _)| *text == why) {
                Some((_, labels)) => labels.push(&fact.label),
                None => reasons.push((why, vec![&fact.label])),
            }
        }
        if reasons.is_empty() {
            return self;
        }
        let reason = |(why, labels): (&str, Vec<&str>)| format!("{} ({why})", each(labels, ", "));
        let missing = reasons.into_iter().map(reason);
        self.line("not known", &each(missing, "; "))
    }

    /// A line for each fact, also where it is only why there is none.
    pub fn list<'a>(self, facts: impl IntoIterator<Item = &'a Fact>) -> Self {
        let line = |ticket: Self, fact: &Fact| ticket.line(&fact.label, &fact.cell.text);
        facts.into_iter().fold(self, line)
    }

    /// The finished block with a table below it.
    #[must_use]
    pub fn table(self, table: &str) -> String {
        let text = self.end();
        // A sentence is followed by an empty line already.
        let between = if text.ends_with("\n\n") { "" } else { "\n" };
        text + between + table
    }

    /// The finished block.
    #[must_use]
    pub fn end(self) -> String {
        self.0
    }
}

/// Adds to the opening sentence of a finished block.
#[must_use]
pub fn beside_sentence(block: &str, text: &str) -> String {
    let text = format!(" Last days: {}.", escaped(text));
    // What is known of it is a list below the sentence.
    let at = block.find("\n\n- ").unwrap_or(block.trim_end().len());
    let (sentence, rest) = block.split_at(at);
    format!("{sentence}{text}{rest}")
}

fn is_known(fact: &Fact) -> bool {
    let text = fact.cell.text.as_str();
    fact.cell.known || text.starts_with("none ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{TextCell, fact};

    #[test]
    fn a_ticket_says_what_is_not_known() {
        let facts = [
            fact("operators", TextCell::known("ACME_VPN")),
            fact("services", TextCell::unknown("absent")),
            fact("clients", TextCell::unknown("null")),
            fact("risks", TextCell::unknown("absent")),
            fact("anonymization", TextCell::unknown("none observed")),
        ];
        let written = TicketStamp {
            at: Timestamp::UNIX_EPOCH,
            invented: true,
        };
        let ticket = Ticket::written("198.51.100.77", written)
            .sentence("198.51.100.77: VPN of ACME_VPN.")
            .known(&facts)
            .line("source", "live")
            .unknown(&facts)
            .end();
        assert_eq!(
            ticket,
            "### 198[.]51[.]100[.]77\n\n\
            **Invented data** of the embedded service: it describes no real address.\n\n\
            198[.]51[.]100[.]77: VPN of ACME_VPN.\n\n\
            - **operators:** ACME_VPN\n\
            - **anonymization:** none observed\n\
            - **source:** live\n\
            - **not known:** services, risks (absent); clients (null)\n"
        );
    }
}
