//! A ticket block: Markdown that can be pasted where colleagues click on things, so every address and name is defanged.
//!
//! It says where the facts come from, for which day, when they were asked for, and what is not known.

use std::fmt::Write;

use super::{Cell, Fact, each};
use crate::model::{parse_address, visible};

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
    pub fn facts(mut self, facts: &[Fact]) -> Self {
        let (known, unknown): (Vec<_>, Vec<_>) = facts.iter().partition(|fact| fact.cell.known);
        for Fact {
            label,
            cell: Cell { text, .. },
        } in known
        {
            self = self.line(label, text);
        }
        let missing: Vec<String> = unknown
            .iter()
            .map(|fact| format!("{} ({})", fact.label, fact.cell.text))
            .collect();
        if missing.is_empty() {
            self
        } else {
            self.line("not known", &each(&missing, ", "))
        }
    }

    /// The finished block.
    #[must_use]
    pub fn end(self) -> String {
        self.0
    }
}

/// Text from outside on one line, visible, defanged, and without a meaning of its own in Markdown.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in defanged(&visible(text)).chars() {
        // The brackets of defanging stay as they are: they open no link, since no parenthesis follows unescaped.
        if matches!(
            character,
            '\\' | '`' | '*' | '|' | '<' | '>' | '(' | ')' | '#' | '~' | '!'
        ) {
            safe.push('\\');
        }
        safe.push(character);
    }
    safe
}

/// The text with every address, URL and host name in it made unclickable: `198[.]51[.]100[.]7`, `hxxps://acme[.]example`.
#[must_use]
pub fn defanged(text: &str) -> String {
    let words: Vec<String> = text.split(' ').map(defanged_word).collect();
    words.join(" ")
}

fn defanged_word(word: &str) -> String {
    let core = word.trim_matches(|character: char| ",;()\"'".contains(character));
    let bare = core.split_once('/').map_or(core, |(address, _)| address);
    if let Ok(address) = parse_address(bare) {
        let mark = if address.is_ipv4() { '.' } else { ':' };
        return word.replace(mark, &format!("[{mark}]"));
    }
    if word.contains("://") || names_a_host(core) {
        return word.replace("http", "hxxp").replace('.', "[.]");
    }
    word.to_owned()
}

/// Whether a word reads like `acme.example`: labels of letters, digits and hyphens, the last one of letters.
fn names_a_host(word: &str) -> bool {
    let host = word
        .split(['/', ':', '@'])
        .find(|part| part.contains('.'))
        .unwrap_or_default();
    let labels: Vec<&str> = host.split('.').collect();
    let of_host =
        |label: &&str| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-');
    labels.len() > 1
        && labels.iter().all(of_host)
        && labels
            .last()
            .is_some_and(|top| top.len() > 1 && top.chars().all(char::is_alphabetic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_can_be_clicked() {
        for (text, expected) in [
            ("198.51.100.77", "198[.]51[.]100[.]77"),
            (
                "out 198.51.100.77, 2001:db8::7",
                "out 198[.]51[.]100[.]77, 2001[:]db8[:][:]7",
            ),
            ("2001:db8::/32", "2001[:]db8[:][:]/32"),
            ("https://acme.example/a.b", "hxxps://acme[.]example/a[.]b"),
            ("mail to x@acme.example", "mail to x@acme[.]example"),
            ("Example B.V. 3.5", "Example B.V. 3.5"),
        ] {
            assert_eq!(defanged(text), expected);
        }
    }

    #[test]
    fn outside_text_cannot_shape_the_ticket() {
        assert_eq!(
            escaped("*a* | <b> `c` [d](x)"),
            "\\*a\\* \\| \\<b\\> \\`c\\` [d]\\(x\\)"
        );
        assert_eq!(escaped("a\n# b\u{1b}"), r"a\\x0a\# b\\x1b");
    }

    #[test]
    fn a_ticket_says_what_is_not_known() {
        let facts = [
            Fact {
                label: "operators",
                cell: Cell::known("ACME_VPN"),
            },
            Fact {
                label: "services",
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
