//! How a run goes on that has not sent all that it was to send, in words.

use std::path::Path;

use super::batch::LeftOut;
use crate::report::{count, counted, shell_word};

/// What decides which command goes on.
pub(super) struct GoOn<'a> {
    /// The file behind whose rows this run prints.
    pub(super) resumed: Option<&'a Path>,
    /// Whether a later run may go on behind the rows of this one.
    pub(super) is_json: bool,
}

impl GoOn<'_> {
    /// What was not sent, and what sends it.
    pub(super) fn after_left_out(&self, left_out: &LeftOut) -> String {
        let lost = left_out.possibly_spent;
        let twice = "which may be paid for twice";
        let Some((why, queries)) = &left_out.unsent else {
            let all = counted(lost, "query");
            let why = "sent before without an answer, and possibly spent";
            let command = self.command(" --yes");
            return format!("{all} not sent: {why}\n  {command} sends again, {twice}");
        };
        let (all, why) = (counted(queries + lost, "query"), &why.message);
        let goes_on = format!("{} goes on: cached answers are free", self.command(""));
        match lost {
            0 => format!("{all} not sent: {why}\n  {goes_on}"),
            _ => format!(
                "{all} not sent: {why}; {} of them possibly spent\n  {goes_on}; --yes sends those again, too, {twice}",
                count(lost)
            ),
        }
    }

    /// What goes on where the run is cut off.
    pub(super) fn after_interruption(&self) -> String {
        let others = match (self.resumed, self.is_json) {
            (None, true) => "; with --resume FILE >> FILE it leaves out the rows of FILE",
            _ => "",
        };
        format!(
            "answers that were paid for are cached: {} goes on{others}; what was under way is possibly spent, and sent again with --yes only",
            self.command("")
        )
    }

    /// The command that goes on, with what it needs beside.
    fn command(&self, more: &str) -> String {
        let Some(file) = self.resumed else {
            return match more {
                "" => "the same command".to_owned(),
                more => format!("the same command with{more}"),
            };
        };
        let file = shell_word(&file.to_string_lossy());
        format!("the same command with `--resume {file}{more} >> {file}`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Error, Kind};

    #[test]
    fn the_command_that_is_named_is_the_one_that_goes_on() {
        let anew = GoOn {
            resumed: None,
            is_json: true,
        };
        let behind = GoOn {
            resumed: Some(Path::new("my out")),
            ..anew
        };
        let left_out = |unsent: u64, possibly_spent| LeftOut {
            unsent: (unsent > 0)
                .then(|| (Error::new(Kind::Guard, "--spend 1 allows no more"), unsent)),
            possibly_spent,
        };
        assert_eq!(
            anew.after_left_out(&left_out(2, 0)),
            "2 queries not sent: --spend 1 allows no more\n  the same command goes on: cached answers are free"
        );
        assert_eq!(
            anew.after_left_out(&left_out(0, 1)),
            "1 query not sent: sent before without an answer, and possibly spent\n  \
            the same command with --yes sends again, which may be paid for twice"
        );
        assert_eq!(
            behind.after_left_out(&left_out(0, 1)),
            "1 query not sent: sent before without an answer, and possibly spent\n  \
            the same command with `--resume 'my out' --yes >> 'my out'` sends again, which may be paid for twice"
        );
        assert_eq!(
            behind.after_left_out(&left_out(2, 1)),
            "3 queries not sent: --spend 1 allows no more; 1 of them possibly spent\n  \
            the same command with `--resume 'my out' >> 'my out'` goes on: cached answers are free; \
            --yes sends those again, too, which may be paid for twice"
        );
        let text = GoOn {
            is_json: false,
            ..anew
        };
        let names_file = |on: &GoOn<'_>| on.after_interruption().contains("--resume FILE");
        assert!(names_file(&anew) && !names_file(&text) && !names_file(&behind));
        assert!(
            behind
                .after_interruption()
                .contains(">> 'my out'` goes on;")
        );
    }
}
