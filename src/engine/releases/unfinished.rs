//! Downloads that are not complete: what has come of each, and which of them go on at the next start because the person said so.

use std::{ffi::OsString, io};

use serde_json::{Value, json};

use super::{
    Releases,
    download::{Part, PullQuery},
};
use crate::{
    contract::Feed,
    engine::{
        error::{Doing, Result},
        threads::off_thread,
    },
    store::Log,
};

/// The kind of these entries in the log. The last one holds.
const KIND: &str = "going-on";

/// What an earlier run has left.
#[derive(Clone, Debug, Default)]
pub struct Unfinished {
    /// All downloads that are not complete and can be gone on with.
    pub parts: Vec<Part>,
    /// Those of them that are to go on.
    pub going_on: Vec<PullQuery>,
    /// The downloads that were paused before a byte had come.
    pub waiting: Vec<PullQuery>,
}

/// What is to become of downloads at the next start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Later {
    /// Those that go on.
    pub going_on: Vec<PullQuery>,
    /// Those that stay paused. Where some bytes have come, these tell it as well.
    pub paused: Vec<PullQuery>,
}

impl Later {
    fn is_empty(&self) -> bool {
        self.going_on.is_empty() && self.paused.is_empty()
    }
}

impl Releases {
    /// The downloads of a feed that are not complete and can be gone on with.
    ///
    /// # Errors
    /// What keeps their folder from being read.
    pub fn parts(&self, feed: Feed) -> Result<Vec<Part>> {
        let cache = self.cache();
        let dir = cache.part_dir(feed);
        let read = || -> io::Result<Vec<Part>> {
            let Some(folder) = cache.open(&dir)? else {
                return Ok(Vec::new());
            };
            let names: Vec<OsString> = folder.names()?;
            let names = names.iter().filter_map(|name| name.to_str());
            let parts = names.filter_map(|name| Part::of(&cache, &folder, feed, name));
            Ok(parts.collect())
        };
        read().at("read", &dir)
    }

    /// What is left of a download that was stopped; `None` where nothing has come of it.
    ///
    /// # Errors
    /// A failure of this machine.
    pub async fn left_of(&self, query: &PullQuery) -> Result<Option<Part>> {
        let (releases, query) = (self.clone(), *query);
        off_thread(move || {
            let mut parts = releases.parts(query.feed)?.into_iter();
            Ok(parts.find(|part| part.query.is_same_file(&query)))
        })
        .await
    }

    /// Deletes what has come of a download that was stopped. Gives it as it was; `None` where there was nothing.
    ///
    /// # Errors
    /// [`Kind::Locked`](crate::engine::Kind::Locked) when the feed is still being written; a failure of this machine.
    pub async fn delete_part(&self, query: &PullQuery) -> Result<Option<Part>> {
        let lock = self.take_lock_soon(query.feed).await?;
        let part = self.left_of(query).await?;
        let (cache, query) = (self.cache(), *query);
        off_thread(move || {
            let _lock = lock;
            Part::remove(&cache, &query)?;
            Ok(part)
        })
        .await
    }

    /// What an earlier run has left. What is to go on is told once.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn take_unfinished(&self) -> Result<Unfinished> {
        let mut unfinished = Unfinished::default();
        for feed in Feed::all() {
            unfinished.parts.extend(self.parts(feed)?);
        }
        let log = self.log();
        let read = log.read(&[KIND]).at("read", log.path())?;
        let last = read.entries.last().map(|entry| Later {
            going_on: queries_of(&entry.value["downloads"]),
            paused: queries_of(&entry.value["paused"]),
        });
        if let Some(later) = last.filter(|later| !later.is_empty()) {
            self.go_on_later(&Later::default())?;
            let is_there =
                |query: &PullQuery| unfinished.parts.iter().any(|part| part.query == *query);
            let (going_on, going_on_empty): (Vec<_>, Vec<_>) =
                later.going_on.into_iter().partition(is_there);
            let paused = later.paused.into_iter().filter(|query| !is_there(query));
            let waiting: Vec<PullQuery> = going_on_empty.into_iter().chain(paused).collect();
            unfinished.going_on = going_on;
            unfinished.waiting = waiting;
        }
        Ok(unfinished)
    }

    /// Notes which downloads are to go on at the next start, and which wait there.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn go_on_later(&self, later: &Later) -> Result<()> {
        let named = |queries: &[PullQuery]| -> Vec<Value> {
            let queries = queries.iter();
            queries
                .map(|query| json!({"feed": query.feed.name(), "file": query.file_name()}))
                .collect()
        };
        let value = json!({
            "downloads": named(&later.going_on),
            "paused": named(&later.paused),
        });
        let log = self.log();
        log.append(KIND, value).at("write", log.path())
    }

    fn log(&self) -> Log {
        Log::new(&self.settings.paths.state, self.settings.owner())
    }
}

fn queries_of(value: &Value) -> Vec<PullQuery> {
    let listed = value.as_array().into_iter().flatten();
    let query = |entry: &Value| {
        let feed = entry["feed"].as_str()?.parse().ok()?;
        PullQuery::of_file_name(feed, entry["file"].as_str()?)
    };
    listed.filter_map(query).collect()
}
