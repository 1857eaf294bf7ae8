//! Collects the results of a state change: effects, messages, and navigation. The application empties it after each change.

use std::path::PathBuf;

use jiff::Timestamp;

use super::{Cmd, Destination, JobId, ListPart, Question};
use crate::{
    model::{Document, visible, visible_lines},
    report::csv_row,
    tui::ui::Tone,
};

/// A yes-or-no question with the effects of yes.
#[derive(Clone, Debug)]
pub struct Confirm {
    pub question: String,
    /// The effects of yes.
    pub then: Vec<Cmd>,
    /// The destination that yes opens.
    pub go: Option<Destination>,
    /// Whether yes destroys something; then Enter alone is not an answer.
    pub erases: bool,
}

#[derive(Debug)]
pub struct Outbox {
    /// The time of the change.
    pub now: Timestamp,
    /// Effects, in order.
    pub cmds: Vec<Cmd>,
    /// Messages for the user.
    pub notices: Vec<(Tone, String)>,
    /// Whether the page in front shows what the last message says: then only the log has the message.
    pub on_page: bool,
    /// The whole text that the last message is about.
    pub body: Option<String>,
    /// The destination to open next.
    pub go: Option<Destination>,
    /// Whether to go back on the trail.
    pub goes_back: bool,
    /// The question for the user.
    pub confirm: Option<Confirm>,
    /// The failed question that an error message is about.
    pub failed: Option<Question>,
    /// The download to be stopped once the user decides about its downloaded part.
    pub stopping: Option<JobId>,
    /// The order by which to sort the table of the tab in front, and whether in reverse.
    pub sort: Option<(usize, bool)>,
    /// What of the list in front to write to a file of this name, and whether over one that is there.
    pub write: Option<(ListPart, PathBuf, bool)>,
}

impl Outbox {
    #[must_use]
    pub fn new(now: Timestamp) -> Self {
        Self {
            now,
            cmds: Vec::new(),
            notices: Vec::new(),
            on_page: false,
            body: None,
            go: None,
            goes_back: false,
            confirm: None,
            failed: None,
            stopping: None,
            sort: None,
            write: None,
        }
    }

    /// Adds an effect.
    pub fn cmd(&mut self, cmd: Cmd) {
        self.cmds.push(cmd);
    }

    pub fn say(&mut self, tone: Tone, text: impl Into<String>) {
        self.notices.push((tone, text.into()));
        self.on_page = false;
    }

    /// Says what the page of this tab shows, too: only the log has it while that tab is in front.
    pub fn say_of_page(&mut self, tone: Tone, text: impl Into<String>) {
        self.say(tone, text);
        self.on_page = true;
    }

    /// Asks the user; yes runs these effects.
    pub fn confirm(&mut self, question: impl Into<String>, then: Vec<Cmd>) {
        self.confirm = Some(Confirm {
            question: question.into(),
            then,
            go: None,
            erases: false,
        });
    }

    /// Asks the user; yes opens a destination.
    pub fn confirm_going(&mut self, question: String, place: Destination) {
        self.confirm = Some(Confirm {
            question,
            then: Vec::new(),
            go: Some(place),
            erases: false,
        });
    }

    /// Copies one line of text with a description. Control and invisible characters become visible escapes, and so do line
    /// breaks: a pasted line break would run a command.
    pub fn copy(&mut self, what: impl Into<String>, text: impl AsRef<str>) {
        let text = visible(text.as_ref()).into_owned();
        self.cmds.push(Cmd::Copy(what.into(), text));
    }

    /// Copies a text of several lines that this program wrote; its lines must be escaped already.
    pub fn copy_lines(&mut self, what: impl Into<String>, lines: impl AsRef<str>) {
        let text = visible_lines(lines.as_ref()).into_owned();
        self.cmds.push(Cmd::Copy(what.into(), text));
    }

    /// Copies the cells of a row, separated by tabs.
    pub fn copy_cells(&mut self, what: impl Into<String>, cells: &[String]) {
        let cells: Vec<_> = cells.iter().map(|cell| visible(cell)).collect();
        self.cmds.push(Cmd::Copy(what.into(), cells.join("\t")));
    }

    /// Copies several rows as CSV, after a row with the names of the columns.
    pub fn copy_csv<S: AsRef<str>>(
        &mut self,
        what: impl Into<String>,
        columns: &[S],
        rows: impl IntoIterator<Item = Vec<String>>,
    ) {
        let rows = rows.into_iter().map(|row| csv_row(&row));
        let text: String = std::iter::once(csv_row(columns)).chain(rows).collect();
        // A line break at the end would paste as an empty line.
        let text = text.trim_end().to_owned();
        self.cmds.push(Cmd::Copy(what.into(), text));
    }

    /// Copies several texts, one a line.
    pub fn copy_column(
        &mut self,
        what: impl Into<String>,
        cells: impl IntoIterator<Item = String>,
    ) {
        let lines: Vec<_> = cells.into_iter().collect();
        let lines: Vec<_> = lines.iter().map(|cell| visible(cell)).collect();
        self.cmds.push(Cmd::Copy(what.into(), lines.join("\n")));
    }

    /// Copies JSON on one line. It stays valid JSON, with JSON escapes.
    pub fn copy_json(&mut self, what: impl Into<String>, json: &str) {
        let (line, _) = Document::line_of(json.as_bytes());
        self.cmds.push(Cmd::Copy(what.into(), line));
    }

    /// Copies several JSON texts, one a line.
    pub fn copy_json_lines<T: AsRef<str>>(
        &mut self,
        what: impl Into<String>,
        all: impl IntoIterator<Item = T>,
    ) {
        let line = |json: T| Document::line_of(json.as_ref().as_bytes()).0;
        let lines: Vec<String> = all.into_iter().map(line).collect();
        self.cmds.push(Cmd::Copy(what.into(), lines.join("\n")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::harness;

    const HOSTILE: &str = "a\u{1b}[201~\nrm -rf x\r\u{9b}2J\u{202e}\t";

    fn copied(copy: impl FnOnce(&mut Outbox)) -> String {
        let mut out = Outbox::new(harness::now());
        copy(&mut out);
        let [Cmd::Copy(_, text)] = out.cmds.as_slice() else {
            panic!("{:?}", out.cmds)
        };
        text.clone()
    }

    #[test]
    fn what_is_copied_steers_no_terminal_and_runs_nothing() {
        let line = r"a\x1b[201~\x0arm -rf x\x0d\u{9b}2J\u{202e}\x09";
        assert_eq!(copied(|out| out.copy("x", HOSTILE)), line);
        assert_eq!(
            copied(|out| out.copy_cells("x", &[HOSTILE.to_owned(), "b".to_owned()])),
            format!("{line}\tb")
        );
        assert_eq!(
            copied(|out| out.copy_lines("x", "one\n\u{1b}two\n")),
            "one\n\\x1btwo\n"
        );
        let json = serde_json::json!({"x": HOSTILE}).to_string();
        let copied = copied(|out| out.copy_json("x", &json));
        assert!(!copied.chars().any(crate::model::visible::is_hostile));
        let back: serde_json::Value = serde_json::from_str(&copied).expect("JSON");
        assert_eq!(back["x"], HOSTILE);
    }
}
