//! Partial downloads: the received part of each, and which of them the user wants to resume at the next start.

use std::{ffi::OsString, io};

use serde_json::{Value, json};

use super::{
    Releases,
    download::{PartialDownload, PullQuery},
};
use crate::{
    contract::Feed,
    engine::{
        error::{ErrorContext, Result},
        threads::off_thread,
    },
    store::EntryLog,
};

/// The kind of these entries in the log. Of each run the last one holds, unless they were taken since.
const KIND: &str = "going-on";

/// The partial downloads of an earlier run.
#[derive(Clone, Debug, Default)]
pub struct Unfinished {
    /// All downloads that are not complete and can be resumed.
    pub parts: Vec<PartialDownload>,
    /// The downloads to resume.
    pub going_on: Vec<PullQuery>,
    /// The downloads that were paused before the first byte.
    pub waiting: Vec<PullQuery>,
}

/// The plan for downloads at the next start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DownloadPlan {
    /// Downloads to resume.
    pub going_on: Vec<PullQuery>,
    /// Downloads that stay paused. One with received bytes is known by its part, too.
    pub paused: Vec<PullQuery>,
}

impl DownloadPlan {
    fn is_empty(&self) -> bool {
        self.going_on.is_empty() && self.paused.is_empty()
    }
}

impl Releases {
    /// The downloads of a feed that are not complete and can be resumed.
    ///
    /// # Errors
    /// What keeps their folder from being read.
    pub fn parts(&self, feed: Feed) -> Result<Vec<PartialDownload>> {
        let cache = self.cache();
        let dir = cache.part_dir(feed);
        let read = || -> io::Result<Vec<PartialDownload>> {
            let Some(folder) = cache.open(&dir)? else {
                return Ok(Vec::new());
            };
            let names: Vec<OsString> = folder.names()?;
            let names = names.iter().filter_map(|name| name.to_str());
            let parts = names.filter_map(|name| PartialDownload::of(&cache, &folder, feed, name));
            Ok(parts.collect())
        };
        read().at("read", &dir)
    }

    /// The received part of a stopped download; `None` if nothing was received.
    ///
    /// # Errors
    /// A failure of this machine.
    pub async fn left_of(&self, query: &PullQuery) -> Result<Option<PartialDownload>> {
        let (releases, query) = (self.clone(), *query);
        off_thread(move || {
            let mut parts = releases.parts(query.feed)?.into_iter();
            Ok(parts.find(|part| part.query.is_same_file(&query)))
        })
        .await
    }

    /// Deletes what was received of a stopped download. Returns it as it was; `None` where there was nothing.
    ///
    /// # Errors
    /// [`Kind::Locked`](crate::engine::Kind::Locked) when the feed is still being written; a failure of this machine.
    pub async fn delete_part(&self, query: &PullQuery) -> Result<Option<PartialDownload>> {
        let lock = self.take_lock_soon(query.feed).await?;
        let part = self.left_of(query).await?;
        let (cache, query) = (self.cache(), *query);
        off_thread(move || {
            let _lock = lock;
            PartialDownload::remove(&cache, &query)?;
            Ok(part)
        })
        .await
    }

    /// The partial downloads of an earlier run. Downloads to resume are reported once.
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
        let plan = noted(read.entries.iter().map(|entry| &entry.value));
        if !plan.is_empty() {
            log.append(KIND, json!({"taken": true}))
                .at("write", log.path())?;
            let is_there =
                |query: &PullQuery| unfinished.parts.iter().any(|part| part.query == *query);
            let (going_on, going_on_empty): (Vec<_>, Vec<_>) =
                plan.going_on.into_iter().partition(is_there);
            let paused = plan.paused.into_iter().filter(|query| !is_there(query));
            let waiting: Vec<PullQuery> = going_on_empty.into_iter().chain(paused).collect();
            unfinished.going_on = going_on;
            unfinished.waiting = waiting;
        }
        Ok(unfinished)
    }

    /// Saves which downloads resume at the next start, and which wait.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn save_download_plan(&self, plan: &DownloadPlan) -> Result<()> {
        let named = |queries: &[PullQuery]| -> Vec<Value> {
            let queries = queries.iter();
            queries
                .map(|query| json!({"feed": query.feed.name(), "file": query.file_name()}))
                .collect()
        };
        let value = json!({
            "run": std::process::id(),
            "downloads": named(&plan.going_on),
            "paused": named(&plan.paused),
        });
        let log = self.log();
        log.append(KIND, value).at("write", log.path())
    }

    fn log(&self) -> EntryLog {
        EntryLog::new(&self.settings.paths.state, self.settings.owner())
    }
}

/// Merges the notes of several explorers: no note removes one of another explorer.
fn noted<'a>(notes: impl Iterator<Item = &'a Value>) -> DownloadPlan {
    let mut runs: Vec<(&Value, DownloadPlan)> = Vec::new();
    for note in notes {
        if note["taken"] == true {
            runs.clear();
            continue;
        }
        let plan = DownloadPlan {
            going_on: queries_of(&note["downloads"]),
            paused: queries_of(&note["paused"]),
        };
        // Older versions wrote no `run`, and an empty note for `taken`.
        runs.retain(|(run, _)| **run != note["run"]);
        runs.push((&note["run"], plan));
    }
    let mut all = DownloadPlan::default();
    for (_, plan) in runs {
        for query in plan.going_on {
            if !all.going_on.contains(&query) {
                all.going_on.push(query);
            }
        }
        for query in plan.paused {
            if !all.paused.contains(&query) {
                all.paused.push(query);
            }
        }
    }
    let DownloadPlan { going_on, paused } = &mut all;
    paused.retain(|query| !going_on.contains(query));
    all
}

fn queries_of(value: &Value) -> Vec<PullQuery> {
    let listed = value.as_array().into_iter().flatten();
    let query = |entry: &Value| {
        let feed = entry["feed"].as_str()?.parse().ok()?;
        PullQuery::of_file_name(feed, entry["file"].as_str()?)
    };
    listed.filter_map(query).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(going_on: &[Feed], paused: &[Feed]) -> DownloadPlan {
        let queries = |feeds: &[Feed]| feeds.iter().copied().map(PullQuery::latest).collect();
        DownloadPlan {
            going_on: queries(going_on),
            paused: queries(paused),
        }
    }

    fn note(run: u32, plan: &DownloadPlan) -> Value {
        let named = |queries: &[PullQuery]| -> Vec<Value> {
            let named = queries
                .iter()
                .map(|query| json!({"feed": query.feed.name(), "file": query.file_name()}));
            named.collect()
        };
        json!({"run": run, "downloads": named(&plan.going_on), "paused": named(&plan.paused)})
    }

    #[test]
    fn no_run_takes_away_what_another_has_noted() {
        let notes = [
            note(1, &plan(&[], &[Feed::Anonymous])),
            note(2, &plan(&[], &[Feed::Dch])),
            note(1, &plan(&[Feed::Anonymous], &[Feed::Ipsummary])),
            // It ended with nothing left.
            note(3, &plan(&[], &[Feed::Ipgeo])),
            note(3, &plan(&[], &[])),
        ];
        let all = plan(&[Feed::Anonymous], &[Feed::Dch, Feed::Ipsummary]);
        assert_eq!(noted(notes.iter()), all);
        let taken = json!({"taken": true});
        assert!(noted(notes.iter().chain([&taken])).is_empty());
        let again = note(2, &plan(&[], &[Feed::Dch]));
        let after = notes.iter().chain([&taken, &again]);
        assert_eq!(noted(after), plan(&[], &[Feed::Dch]));
    }
}
