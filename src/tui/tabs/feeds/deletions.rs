//! Deletions of releases, with undo until the program ends.

use crate::{
    engine::{Deleted, Error, Kind},
    store::Moment,
    tui::{
        ctx::{Question, UpdateCtx},
        ui::Tone,
    },
};

/// What was deleted, and what of that was put back.
#[derive(Debug, Default)]
pub(super) struct Deletions {
    done: Vec<Deleted>,
    undone: Vec<Deleted>,
}

impl Deletions {
    /// Puts back what was deleted last, or deletes again what was put back last; returns whether anything was.
    pub(super) fn undo(&mut self, is_redo: bool, ctx: &mut UpdateCtx<'_>) -> bool {
        let question = if is_redo {
            let last = self.undone.pop();
            last.map(|deleted| Question::Delete(deleted.feed, deleted.what))
        } else {
            self.done.pop().map(Question::Undelete)
        };
        question.map(|question| ctx.ask(question)).is_some()
    }

    /// Keeps what was deleted or put back, for an undo; returns whether something was deleted. What could not be put back is kept
    /// for another undo: behind the other deletions where a release is in its place, which stays so; what was removed for good is
    /// dropped.
    pub(super) fn settle(
        &mut self,
        question: &Question,
        result: Result<Deleted, Error>,
        ctx: &mut UpdateCtx<'_>,
    ) -> bool {
        match (question, result) {
            (Question::Undelete(_), Ok(deleted)) => {
                let text = format!("{}: local again", words_of(&deleted));
                ctx.out.say(Tone::Ok, text);
                self.undone.push(deleted);
            }
            (_, Ok(deleted)) => {
                let what = words_of(&deleted);
                let text = format!("deleted {what}; u undoes it until you quit");
                ctx.out.say(Tone::Ok, text);
                self.done.push(deleted);
                return true;
            }
            (question, Err(error)) => {
                if let Question::Undelete(deleted) = question {
                    match error.kind {
                        Kind::NotFound => {}
                        Kind::Usage => self.done.insert(0, deleted.clone()),
                        _ => self.done.push(deleted.clone()),
                    }
                }
                ctx.out.say(Tone::Error, error.message);
            }
        }
        false
    }
}

fn words_of(deleted: &Deleted) -> String {
    let feed = deleted.feed;
    let releases: Vec<Moment> = deleted.releases().collect();
    match releases.as_slice() {
        [] => format!("partial download of {feed}"),
        [only] => format!("{feed} {}", only.dashed()),
        more => format!("{} releases of {feed}", more.len()),
    }
}
