//! The journal of a part: the file that its bytes belong to, and whether an answer continues that file.
//!
//! It prevents mixing bytes of two files: a part without a validator is never resumed, and a damaged journal or one of another
//! service is never used.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::part_files::PartFiles;
use crate::{
    contract::Feed,
    engine::{
        error::{Error, ErrorContext, Kind, Result},
        http::{Resume, UnreadReply},
    },
    store::{
        DaySource, Moment,
        checksum::{sign, verify},
        folder::Durability,
    },
};

/// The version of the journal that this program writes.
const VERSION: u32 = 1;
/// The most bytes that a journal may have.
pub(super) const LARGEST: u64 = 1 << 20;

/// The state of a download at its first byte.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Journal {
    pub(super) version: u32,
    pub(super) feed: String,
    /// The URL of the file: the service's, and the request target.
    pub(super) url: String,
    pub(super) moment: String,
    /// The source of the date.
    pub(super) day_source: DaySource,
    /// The `ETag` or `Last-Modified` that identifies the file.
    pub(super) validator: Option<String>,
    /// The file's length.
    pub(super) total: Option<u64>,
    /// The service's clock, if its answer had a `Date`.
    pub(super) service_clock: Option<Timestamp>,
}

/// The journal of an earlier run.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum EarlierJournal {
    Nothing,
    /// It is about the same file.
    Same(Journal),
    /// It cannot be trusted, or is about another file: the part is of no use.
    Useless(String),
}

impl Journal {
    /// What is known at the first byte of this file.
    pub(super) fn new(feed: Feed, url: String, moment: Moment, day_source: DaySource) -> Self {
        Self {
            version: VERSION,
            feed: feed.name().to_owned(),
            url,
            moment: moment.to_string(),
            day_source,
            validator: None,
            total: None,
            service_clock: None,
        }
    }

    /// The journal of an earlier run.
    ///
    /// # Errors
    /// A failure to read it.
    pub(super) fn load(place: &PartFiles, feed: Feed, url: &str) -> Result<EarlierJournal> {
        let text = place.folder.read(&place.journal, LARGEST);
        let text = text.at("read", place.path(&place.journal))?;
        Ok(
            text.map_or(EarlierJournal::Nothing, |text| match Self::read(&text) {
                Ok(journal) if journal.feed == feed.name() && journal.url == url => {
                    EarlierJournal::Same(journal)
                }
                Ok(journal) => EarlierJournal::Useless(format!(
                    "it is about {} of {}",
                    journal.url, journal.feed
                )),
                Err(why) => EarlierJournal::Useless(why),
            }),
        )
    }

    pub(super) fn read(text: &[u8]) -> Result<Self, String> {
        let object = verify(text).map_err(|why| why.to_string())?;
        let journal: Self =
            serde_json::from_value(Value::Object(object)).map_err(|why| why.to_string())?;
        if journal.version != VERSION {
            return Err(format!("it is of version {}", journal.version));
        }
        if Moment::parse(&journal.moment).is_none() {
            return Err("it names no release".to_owned());
        }
        Ok(journal)
    }

    /// Writes it, whole or not at all.
    pub(super) fn save(&self, place: &PartFiles) -> Result<()> {
        let Ok(Value::Object(object)) = serde_json::to_value(self) else {
            // Plain data without maps of odd keys always becomes an object.
            return Err(Error::new(
                Kind::Machine,
                "the journal could not be written",
            ));
        };
        let text = format!("{:#}\n", sign(object));
        let (folder, name) = (&place.folder, &place.journal);
        let written = folder.replace(name, text.as_bytes(), Durability::Synced);
        written.at("write", place.path(name))
    }

    /// How to resume after the first `here` bytes; `None` without a validator.
    pub(super) fn resume(&self, here: u64) -> Option<Resume> {
        Some(Resume {
            from: here,
            validator: self.validator.clone()?,
        })
    }
}

/// How an answer relates to the received part.
pub(super) enum Continuation {
    /// It continues from this byte.
    On(u64),
    /// It is the whole file.
    Anew,
    /// It is a part, and not the one that is missing.
    Not(&'static str),
}

/// A range must continue the received part and be of the same file: a server may ignore `If-Range`.
pub(super) fn follows(
    reply: &UnreadReply,
    resume: Option<&Resume>,
    total: Option<u64>,
) -> Continuation {
    if reply.status() != 206 {
        return Continuation::Anew;
    }
    let captured = &reply.captured;
    match (resume, captured.range) {
        (None, _) => Continuation::Not("was not requested, and only part of the file was sent"),
        (Some(resume), Some((first, _))) if first != resume.from => {
            Continuation::Not("starts at another byte than requested")
        }
        (Some(_), None) => Continuation::Not("does not state its range"),
        (Some(resume), Some((_, now))) => {
            let other_length = total.zip(now).is_some_and(|(total, now)| total != now);
            if other_length || captured.contradicts(&resume.validator) {
                Continuation::Not("is of another file than the one begun")
            } else {
                Continuation::On(resume.from)
            }
        }
    }
}
