//! The answer cache: what the Context API answered lately, so that the same question need not be paid for twice.
//!
//! ```text
//! answers/
//!   6c1f…/                    a service, by the hash of profile and address
//!     a7/                     a bucket: the first byte of the hash of a question
//!       a7c0….json            an answer: who was asked, what, what came, and a checksum of it all
//! ```
//!
//! A file is written beside and renamed, so that several processes may read and write at once. What was changed, belongs to
//! another service or answers another question is removed and counted, never believed; what is too old or from the future
//! is not there. A bucket holds so many answers and bytes at most: the oldest go. Nothing here is the only copy of anything,
//! and no failure of it may cost an answer.

use std::{
    collections::{HashMap, HashSet},
    ffi::{OsStr, OsString},
    io::{self, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use super::{
    answer::LookupAnswer,
    form::{answer_of, answer_value},
};
use crate::{
    contract::{Geolocation, LookupQuery},
    engine::{
        error::{Error, ErrorContext, Kind},
        paths::split,
        settings::Settings,
    },
    store::{
        Folder, checksum,
        folder::{Durability, Replacement, temporary},
        log::EntryOwner,
    },
};

const VERSION: u64 = 1;
/// Answers in one bucket, of 256.
const MOST_IN_A_BUCKET: usize = 128;
/// Bytes in one bucket.
const MOST_BYTES: u64 = 2 << 20;
/// The largest answer that is kept.
const LARGEST: usize = 256 << 10;
/// The largest file: every character of an answer may take six as an escape.
const LARGEST_FILE: u64 = 2 << 20;
/// How far an answer's time may be ahead of this machine's clock.
const CLOCK_SLACK: SignedDuration = SignedDuration::from_mins(5);

/// The cached answers of one service.
#[derive(Debug)]
pub(super) struct AnswerCache {
    root: PathBuf,
    dir: PathBuf,
    owner: EntryOwner,
    is_off: bool,
}

/// The cached answers for many questions: a bucket is listed once, and a question without an answer costs no call of the system.
#[derive(Debug)]
pub(super) struct CacheListing<'c> {
    cache: &'c AnswerCache,
    /// The files of each bucket that was asked for; none for one that cannot be listed.
    buckets: HashMap<PathBuf, Option<HashSet<OsString>>>,
}

impl CacheListing<'_> {
    /// As [`AnswerCache::find`]; what is kept meanwhile may be missed.
    ///
    /// # Errors
    /// As [`AnswerCache::find`].
    pub(super) fn find(
        &mut self,
        query: &LookupQuery,
        now: Timestamp,
    ) -> Result<Option<LookupAnswer>, Error> {
        if self.cache.is_off {
            return Ok(None);
        }
        let file = self.cache.file_of(query);
        let (folder, name) = split(&file);
        if !self.buckets.contains_key(folder) {
            let names = self.cache.names_in(folder);
            self.buckets.insert(folder.to_owned(), names);
        }
        match self.buckets.get(folder) {
            Some(Some(names)) if !names.contains(name) => Ok(None),
            _ => self.cache.find(query, now),
        }
    }
}

/// Why a file is no answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
enum UnusableAnswer {
    FromTheFuture,
    /// It cannot be trusted.
    Untrusted(String),
}

impl AnswerCache {
    pub(super) fn of(settings: &Settings) -> Self {
        let owner = settings.owner();
        let name = format!("{} {}", owner.profile, owner.service);
        let service = format!("{:016x}", xxh3_64(name.as_bytes()));
        let root = settings.paths.cache.clone();
        Self {
            dir: root.join("answers").join(service),
            root,
            owner,
            is_off: settings.cache.answer_max_age_h == 0,
        }
    }

    fn file_of(&self, query: &LookupQuery) -> PathBuf {
        let LookupQuery {
            address,
            date,
            geolocation,
        } = query;
        let date = date.map(|day| day.to_string()).unwrap_or_default();
        let mmgeo = *geolocation == Geolocation::Mmgeo;
        let name = format!(
            "{:032x}",
            xxh3_128(format!("{address} {date} {mmgeo}").as_bytes())
        );
        self.dir.join(&name[..2]).join(name + ".json")
    }

    /// The answers for many questions.
    pub(super) fn listing(&self) -> CacheListing<'_> {
        CacheListing {
            cache: self,
            buckets: HashMap::new(),
        }
    }

    /// The files of a bucket; `None` if it cannot be listed, for whatever reason.
    fn names_in(&self, bucket: &Path) -> Option<HashSet<OsString>> {
        match Folder::reach(&self.root, bucket).and_then(|bucket| bucket.names()) {
            Ok(names) => Some(names.into_iter().collect()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Some(HashSet::new()),
            Err(_) => None,
        }
    }

    /// The answer to this question, if it is kept, of any age, but not from the future; it costs nothing now. One that
    /// cannot be trusted is removed.
    ///
    /// # Errors
    /// What is wrong with the cache: then the answer is not there.
    pub(super) fn find(
        &self,
        query: &LookupQuery,
        now: Timestamp,
    ) -> Result<Option<LookupAnswer>, Error> {
        if self.is_off {
            return Ok(None);
        }
        let file = self.file_of(query);
        let (bucket, name) = split(&file);
        let found = Folder::reach(&self.root, bucket).and_then(|bucket| {
            let bytes = bucket.read(name, LARGEST_FILE)?;
            Ok(bytes.map(|bytes| (bucket, bytes)))
        });
        let (bucket, bytes) = match found {
            Ok(Some(found)) => found,
            Ok(None) => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::machine_at("read", &file, &error)),
        };
        match self.read(&bytes, query, now) {
            Ok(answer) => Ok(Some(answer)),
            Err(UnusableAnswer::FromTheFuture) => Ok(None),
            Err(UnusableAnswer::Untrusted(why)) => {
                let removed = match bucket.remove(name) {
                    Ok(_) => "it was removed",
                    Err(_) => "it could not be removed",
                };
                let message = format!("the cached answer {}: {why}; {removed}", file.display());
                Err(Error::new(Kind::Integrity, message))
            }
        }
    }

    fn read(
        &self,
        bytes: &[u8],
        query: &LookupQuery,
        now: Timestamp,
    ) -> Result<LookupAnswer, UnusableAnswer> {
        let untrusted = |why: &str| UnusableAnswer::Untrusted(why.to_owned());
        let object = checksum::verify(bytes)
            .map_err(|error| UnusableAnswer::Untrusted(error.to_string()))?;
        if object.get("version") != Some(&VERSION.into()) {
            return Err(untrusted("of another version"));
        }
        if !self.owner.owns(&object) {
            return Err(untrusted("of another profile or service"));
        }
        let kept = object.get("answer").and_then(answer_of);
        let (asked, mut answer) = kept.ok_or_else(|| untrusted("not an answer"))?;
        if asked != *query {
            return Err(untrusted("an answer to another question"));
        }
        if now.duration_since(answer.provenance.asked_at) < -CLOCK_SLACK {
            return Err(UnusableAnswer::FromTheFuture);
        }
        let provenance = &mut answer.provenance;
        (
            provenance.cost,
            provenance.possibly_spent,
            provenance.attempts,
        ) = (0, 0, 0);
        // It was the balance of another time.
        (provenance.balance, provenance.elapsed) = (None, Duration::ZERO);
        Ok(answer)
    }

    /// Keeps an answer, unless its text is not whole or too long.
    ///
    /// # Errors
    /// What is wrong with the cache. An answer that cannot be kept is an answer still.
    pub(super) fn keep(&self, query: &LookupQuery, answer: &LookupAnswer) -> Result<(), Error> {
        let document = answer.record.as_ref().map(|record| &record.document);
        let fits =
            document.is_none_or(|document| !document.lossy() && document.text().len() <= LARGEST);
        if self.is_off || !fits {
            return Ok(());
        }
        let mut object = Map::new();
        object.insert("version".to_owned(), VERSION.into());
        self.owner.sign(&mut object);
        object.insert("answer".to_owned(), answer_value(query, answer));
        let file = self.file_of(query);
        let write = || -> io::Result<()> {
            let (bucket, name) = split(&file);
            let bucket = Folder::make(&self.root, bucket)?;
            put(&bucket, name, &checksum::sign(object))?;
            bucket.keep_newest(MOST_IN_A_BUCKET, MOST_BYTES)
        };
        write().at("keep the answer in", &file)
    }
}

/// Writes a file through the one temporary file of its bucket, so that no more than that is ever left.
fn put(bucket: &Folder, name: &OsStr, value: &Value) -> io::Result<()> {
    let mut replacement = Replacement::begin(bucket, temporary(OsStr::new("answer")))?;
    replacement.file.write_all(value.to_string().as_bytes())?;
    replacement.publish(name, Durability::Cached)
}

#[cfg(test)]
mod tests;
