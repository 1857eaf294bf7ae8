//! Watches: what is looked for in each new release of a feed, and up to which release that was done.
//!
//! They are lines of the log, the last one of a name holds, and belong to a profile and its service. Nothing of the records is kept: what
//! changed is read from the releases that are local.

mod command;

use std::{net::IpAddr, path::PathBuf, sync::Arc};

use ipnet::IpNet;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    error::{Error, ErrorContext, Kind, Result},
    settings::Settings,
};
use crate::{
    contract::Feed,
    model::{Day, Keyword, counted},
    store::{EntryLog, FeedLock, Filter, Folder, filter::Test, lock::NotLocked, log::MOST_ENTRIES},
};

const WATCH: &str = "watch";
const TOLD: &str = "watch-told";
const HANDED: &str = "watch-handed";
const SEEN: &str = "watch-seen";

/// The counts that are kept of a watch.
pub const MOST_COUNTS: usize = 30;

/// What a watch looks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Watched {
    Address(IpAddr),
    Network(IpNet),
    As(u32),
    Tag(String),
    Filter(String),
    /// A list in a file, which is read at each check.
    File(PathBuf),
}

impl Watched {
    /// Its kind, as on the command line.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Address(_) => "address",
            Self::Network(_) => "network",
            Self::As(_) => "as",
            Self::Tag(_) => "tag",
            Self::Filter(_) => "filter",
            Self::File(_) => "file",
        }
    }

    /// What was given for it.
    #[must_use]
    pub fn value(&self) -> String {
        match self {
            Self::Address(address) => address.to_string(),
            Self::Network(network) => network.to_string(),
            Self::As(number) => number.to_string(),
            Self::Tag(tag) => tag.clone(),
            Self::Filter(filter) => filter.clone(),
            Self::File(path) => path.display().to_string(),
        }
    }

    /// The records, where that does not depend on a file or a release.
    #[must_use]
    pub fn filter(&self) -> Option<Filter> {
        let is = |field, value: String| Some([Test::Is(field, vec![value])].into_iter().collect());
        match self {
            Self::Network(network) => Some([Test::Within(vec![*network])].into_iter().collect()),
            Self::As(number) => is(Keyword::Asn, number.to_string()),
            Self::Tag(tag) => is(Keyword::Tag, tag.clone()),
            Self::Filter(text) => text.parse().ok(),
            Self::Address(_) | Self::File(_) => None,
        }
    }
}

/// A release up to which everything was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LookedAt {
    pub day: Day,
    pub generated: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Watch {
    pub name: String,
    pub feed: String,
    pub what: Watched,
    /// The bounds of the number of its records.
    #[serde(default)]
    pub at_least: Option<u64>,
    #[serde(default)]
    pub at_most: Option<u64>,
    /// None before a release was local.
    #[serde(default)]
    pub looked: Option<LookedAt>,
    /// How many records it had on the last days that were looked at, the oldest first.
    #[serde(default)]
    pub counts: Vec<(Day, u64)>,
}

impl Watch {
    #[must_use]
    pub fn feed(&self) -> Option<Feed> {
        self.feed.parse().ok()
    }

    /// Whether so many records are within its bounds.
    #[must_use]
    pub fn admits(&self, number: u64) -> bool {
        self.at_least.is_none_or(|least| number >= least)
            && self.at_most.is_none_or(|most| number <= most)
    }

    /// Notes that a release was looked at.
    pub fn looked_at(&mut self, looked: LookedAt, count: u64) {
        self.looked = Some(looked);
        self.counts.retain(|(day, _)| *day != looked.day);
        self.counts.push((looked.day, count));
        let more = self.counts.len().saturating_sub(MOST_COUNTS);
        self.counts.drain(..more);
    }
}

/// The watches of a profile.
#[derive(Clone, Debug)]
pub struct Watches {
    settings: Arc<Settings>,
}

impl Watches {
    pub(super) fn new(settings: Arc<Settings>) -> Self {
        Self { settings }
    }

    fn log(&self) -> EntryLog {
        EntryLog::new(&self.settings.paths.state, self.settings.owner())
    }

    /// All watches, by name.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn all(&self) -> Result<Vec<Watch>> {
        let log = self.log();
        let read = log.read(&[WATCH]).at("read", log.path())?;
        // A line without a watch is one that was removed.
        let watches = read.entries.iter();
        let watches = watches.filter_map(|entry| Watch::deserialize(&entry.value).ok());
        let mut watches: Vec<Watch> = watches.collect();
        watches.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(watches)
    }

    /// What is to be said of watches that this version cannot read; `None` where it can read all.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn unreadable(&self) -> Result<Option<String>> {
        let log = self.log();
        let read = log.read(&[WATCH]).at("read", log.path())?;
        let is_unreadable = |value: &Value| !value.is_null() && Watch::deserialize(value).is_err();
        let entries = read.entries.iter().map(|entry| &entry.value);
        let number = entries.filter(|value| is_unreadable(value)).count() as u64;
        let words = counted(number, "watch");
        Ok((number > 0).then(|| {
            format!("{words} of another version cannot be read: nothing is looked for there")
        }))
    }

    /// Keeps a watch, in place of the one of its name.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn save(&self, watch: &Watch) -> Result<()> {
        let log = self.log();
        log.replace(WATCH, &watch.name, json!(watch))
            .at("write", log.path())
    }

    /// Removes the watch of a name.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn remove(&self, name: &str) -> Result<()> {
        let log = self.log();
        log.replace(WATCH, name, Value::Null)
            .at("write", log.path())
    }

    /// One that checks at a time: two would tell everything twice. Ends with what is returned.
    ///
    /// # Errors
    /// [`Kind::Locked`] while another one checks.
    pub fn lock(&self) -> Result<FeedLock> {
        let path = self.settings.paths.state.join("watches");
        let folder = Folder::make(&self.settings.paths.state, &path).at("use", &path)?;
        FeedLock::take_in(&folder).map_err(|why| match why {
            NotLocked::Held(holder) => {
                Error::new(Kind::Locked, format!("{holder} is checking the watches"))
                    .hint("wait for it, then run this again")
            }
            NotLocked::Io(error) => Error::machine_at("lock", &path, &error),
        })
    }

    /// Keeps what was told, for who looks later.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn remember(&self, changes: &[Value]) -> Result<()> {
        let (log, at) = (self.log(), self.settings.now().to_string());
        // The log keeps no more of a kind.
        for change in changes.iter().take(MOST_ENTRIES) {
            log.append(TOLD, json!({"at": at, "change": change}))
                .at("write", log.path())?;
        }
        Ok(())
    }

    /// What was told so far, the oldest first, as far as it is kept.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn told(&self) -> Result<Vec<Value>> {
        let log = self.log();
        let read = log.read(&[TOLD]).at("read", log.path())?;
        let told = read.entries.into_iter();
        Ok(told.map(|mut entry| entry.value["change"].take()).collect())
    }

    /// Hands what it was not handed yet to the command of the configuration, if there is one: as lines of JSON on its standard input. What
    /// it did not take is handed to it the next time.
    ///
    /// # Errors
    /// [`Kind::Machine`] if it cannot be run, fails or takes too long.
    pub async fn hand_over(&self) -> Result<()> {
        let changes = self.told_since(HANDED)?;
        if changes.is_empty() {
            return Ok(());
        }
        let lines = changes.iter().map(|change| format!("{change}\n"));
        command::run(&self.settings.watch.on_change, lines.collect()).await?;
        let log = self.log();
        log.append(HANDED, Value::Null).at("write", log.path())
    }

    /// What was told since a person last saw it here, the oldest first, as far as it is kept.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn unseen(&self) -> Result<Vec<Value>> {
        self.told_since(SEEN)
    }

    /// Keeps that a person sees all that was told so far.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn saw(&self) -> Result<()> {
        let log = self.log();
        log.replace(SEEN, SEEN, Value::Null).at("write", log.path())
    }

    /// What was told since the last entry of this kind.
    fn told_since(&self, kind: &str) -> Result<Vec<Value>> {
        let log = self.log();
        let read = log.read(&[TOLD, kind]).at("read", log.path())?;
        let mut changes = Vec::new();
        for mut entry in read.entries {
            if entry.kind == kind {
                changes.clear();
            } else {
                changes.push(entry.value["change"].take());
            }
        }
        Ok(changes)
    }
}
