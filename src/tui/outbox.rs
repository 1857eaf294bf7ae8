//! What a part of the program wants done while it changes its state: questions, effects, words for the person, places to
//! go. It is emptied by the application after each change.

use jiff::Timestamp;

use super::{
    app::{Confirm, Place},
    msg::{Cmd, JobId, Question},
    theme::Tone,
};

/// What is wanted.
#[derive(Debug)]
pub struct Outbox {
    /// The time of the change.
    pub now: Timestamp,
    /// Effects, in order.
    pub cmds: Vec<Cmd>,
    /// Words for the person.
    pub notices: Vec<(Tone, String)>,
    /// Where to go next.
    pub go: Option<Place>,
    /// What to ask the person first.
    pub confirm: Option<Confirm>,
    next_job: u64,
}

impl Outbox {
    /// An empty one; `next_job` is the first number that has not been used.
    #[must_use]
    pub fn new(now: Timestamp, next_job: u64) -> Self {
        Self {
            now,
            cmds: Vec::new(),
            notices: Vec::new(),
            go: None,
            confirm: None,
            next_job,
        }
    }

    /// The first number that has not been used.
    #[must_use]
    pub fn next_job(&self) -> u64 {
        self.next_job
    }

    /// Asks; the job's number belongs into a [`super::remote::Remote`].
    pub fn ask(&mut self, question: Question) -> JobId {
        let job = JobId(self.next_job);
        self.next_job += 1;
        self.cmds.push(Cmd::Ask(job, question));
        job
    }

    /// Wants an effect.
    pub fn cmd(&mut self, cmd: Cmd) {
        self.cmds.push(cmd);
    }

    /// Says something.
    pub fn say(&mut self, tone: Tone, text: impl Into<String>) {
        self.notices.push((tone, text.into()));
    }

    /// Asks the person; these effects follow from yes.
    pub fn confirm(&mut self, question: impl Into<String>, then: Vec<Cmd>) {
        self.confirm = Some(Confirm {
            question: question.into(),
            then,
        });
    }

    /// Copies a text and says what it is.
    pub fn copy(&mut self, what: impl Into<String>, text: impl Into<String>) {
        self.cmds.push(Cmd::Copy(what.into(), text.into()));
    }
}
