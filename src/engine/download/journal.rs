//! The journal of a part: to which file its bytes belong, and whether an answer goes on in that file.
//!
//! It is why bytes of two files never mix: it must never let a part be gone on with when nothing tells the files apart.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::{
    contract::Endpoint,
    engine::{
        error::Result,
        http::{Reply, Resume},
        paths,
    },
    store::{DaySource, Moment},
};

/// What was known at the first byte.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Journal {
    /// The request target.
    pub(super) target: String,
    /// Which release it is.
    pub(super) moment: String,
    /// Who said so.
    pub(super) day_source: DaySource,
    /// What tells whether the file is still the same.
    pub(super) validator: Option<String>,
    /// The file's length.
    pub(super) total: Option<u64>,
}

impl Journal {
    /// The journal of an earlier run, if it can be read and was about the same request.
    pub(super) fn load(path: &Path, endpoint: &Endpoint) -> Option<Self> {
        let text = paths::read_if_there(path).ok()??;
        let journal: Self = serde_json::from_str(&text).ok()?;
        let sound = journal.target == endpoint.target() && Moment::parse(&journal.moment).is_some();
        sound.then_some(journal)
    }

    /// Writes it, whole or not at all.
    pub(super) fn save(&self, path: &Path) -> Result<()> {
        paths::write_whole(
            path,
            serde_json::to_string_pretty(self)
                .unwrap_or_default()
                .as_bytes(),
        )
    }

    /// How to go on behind the first `here` bytes; impossible when nothing tells two files apart.
    pub(super) fn resume(&self, here: u64) -> Option<Resume> {
        Some(Resume {
            from: here,
            validator: self.validator.clone()?,
        })
    }
}

/// How an answer goes with what is here.
pub(super) enum Follows {
    /// It goes on from this byte.
    On(u64),
    /// It is the whole file.
    Anew,
    /// It is a part, and not the one that is missing.
    Not(&'static str),
}

/// A part must begin where what is here ends, and be of the same file: a server may have passed over the condition.
pub(super) fn follows(reply: &Reply, resume: Option<&Resume>, total: Option<u64>) -> Follows {
    if reply.status() != 206 {
        return Follows::Anew;
    }
    let captured = &reply.captured;
    match (resume, captured.range) {
        (None, _) => Follows::Not("was not asked for, and only a part of the file came"),
        (Some(resume), Some((first, _))) if first != resume.from => {
            Follows::Not("goes on from another byte than was asked for")
        }
        (Some(_), None) => Follows::Not("does not say which part of the file it is"),
        (Some(resume), Some((_, now))) => {
            let other_length = total.zip(now).is_some_and(|(total, now)| total != now);
            if other_length || captured.contradicts(&resume.validator) {
                Follows::Not("goes on in another file than it began")
            } else {
                Follows::On(resume.from)
            }
        }
    }
}
