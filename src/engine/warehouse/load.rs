//! Loads a local release: its parts first, its row last.
//!
//! What a run has sent is noted in the state directory, so that the next run goes on with the parts that are whole, and counts them there
//! rather than trusting its note. A part that is not whole is removed and sent anew. Before the row is written all records are
//! counted: a load that lacks one is none.

use std::{
    collections::{HashMap, HashSet},
    io,
    sync::Arc,
};

use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use super::{
    Load, Warehouse,
    statement::{self, LoadRow, SCHEMA},
};
use crate::{
    contract::Feed,
    engine::{
        OpenRelease,
        error::{Error, ErrorContext, Kind, Result},
        http::{Budget, RetryStep, TryOutcome},
        paths::write_whole,
        progress::{ProgressReporter, Report, Stage},
    },
    model::Day,
    store::{
        FeedLock, Folder, Manifest,
        folder::if_there,
        lock::NotLocked,
        parquet::{self, NotWritten},
    },
};

/// Rows of a part: some 30 MB of Parquet. The parts of a release are counted by it, so it belongs to the schema.
const ROWS: u64 = 200_000;
/// The folder of the note in the state directory, and its name.
const FOLDER: &str = "warehouse";
const NOTE: &str = "unfinished.json";
const LARGEST_NOTE: u64 = 64 << 10;

/// What was loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadOutcome {
    pub feed: Feed,
    pub day: Day,
    pub records: u64,
    /// SHA-256 of the feed file.
    pub hash: String,
    pub before: LoadedBefore,
    /// Records of it that an earlier run had sent.
    pub resumed_from: u64,
}

/// What the warehouse had of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadedBefore {
    Nothing,
    /// The same release: nothing was sent.
    Same,
    /// Another one, which is replaced.
    Other,
}

/// A load that has begun.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Unfinished {
    place: String,
    feed: String,
    day: String,
    hash: String,
    schema: u32,
    rows: u64,
    load: String,
}

/// A part on its way: its number, its rows and the file.
type Part = (u64, u64, Vec<u8>);

impl Warehouse {
    /// Loads the local release of a day, else the newest, unless the warehouse has the same.
    ///
    /// # Errors
    /// [`Kind::NotFound`] for a release that is not local; what the warehouse refuses; [`Kind::Integrity`] where not all records
    /// arrived, which leaves the day as it was.
    pub async fn load(&self, feed: Feed, day: Option<Day>, report: Report) -> Result<LoadOutcome> {
        let place = self.place()?;
        if feed == Feed::Realtime {
            return Err(
                Error::new(Kind::Usage, format!("{feed} has no days, only windows"))
                    .hint("a warehouse holds days: load the other feeds"),
            );
        }
        ProgressReporter::new(Arc::clone(&report)).tell(Stage::Asking, 0, None);
        let opened = self.releases.open_local(feed, day).await?;
        let manifest = opened.release.manifest.clone();
        let day = manifest.moment.day();
        if !self.has_tables().await? {
            return Err(
                Error::new(Kind::NotFound, "the warehouse has no tables of ipspect")
                    .hint("`ipspect warehouse init` creates them"),
            );
        }
        let lock = self.lock()?;
        let present = self.loads().await?;
        let present = present
            .into_iter()
            .find(|own| (own.feed, own.day) == (feed, day));
        let is_same =
            |own: &Load| own.hash == manifest.sha256 && own.records == opened.index.records();
        let outcome = |before, resumed_from| LoadOutcome {
            feed,
            day,
            records: opened.index.records(),
            hash: manifest.sha256.clone(),
            before,
            resumed_from,
        };
        if present.as_ref().is_some_and(is_same) {
            return Ok(outcome(LoadedBefore::Same, 0));
        }
        let note = Unfinished {
            place,
            feed: feed.name().to_owned(),
            day: day.dashed(),
            hash: manifest.sha256.clone(),
            schema: SCHEMA,
            rows: ROWS,
            load: self.new_name(),
        };
        // One that is older than the load that holds would never be seen.
        let holds = |name: &str| present.as_ref().is_none_or(|own| *own.name < *name);
        let unfinished = self.unfinished().filter(|own| {
            holds(&own.load)
                && Unfinished {
                    load: note.load.clone(),
                    ..own.clone()
                } == note
        });
        let note = if let Some(own) = unfinished {
            own
        } else {
            self.keep(&note)?;
            note
        };
        let run = LoadRun {
            warehouse: self,
            feed,
            day,
            load: &note.load,
        };
        let resumed_from = run.send(opened.clone(), &manifest, report).await?;
        run.finish(&manifest, opened.index.records()).await?;
        self.forget()?;
        drop(lock);
        // They are not there for anybody: a failure to remove them changes no answer.
        let stale = ["ipspect_loads", "ipspect_records"];
        for table in stale {
            let statement = statement::delete_before(table, feed, day, Some(&note.load));
            if let Err(error) = self.run(&statement).await {
                self.notices.trouble(Error {
                    message: format!(
                        "replaced records of {feed} are left in the warehouse: {}",
                        error.message
                    ),
                    ..error
                });
                break;
            }
        }
        let before = if present.is_some() {
            LoadedBefore::Other
        } else {
            LoadedBefore::Nothing
        };
        Ok(outcome(before, resumed_from))
    }

    /// Removes the records of loads that were replaced or cut off: those before the load that holds, those of this machine that did not
    /// end, and those of others that began more than a day ago. Returns how many loads they were of.
    ///
    /// # Errors
    /// What the warehouse refuses; [`Kind::Locked`] while this machine loads.
    pub async fn drop_stale(&self) -> Result<u64> {
        let lock = self.lock()?;
        let loads = self.loads().await?;
        let there = self
            .connection
            .rows(&statement::loads_of_records(), 3)
            .await?;
        let own = self.unfinished().map(|own| own.load);
        let yesterday = self.settings.now() - jiff::SignedDuration::from_hours(24);
        let yesterday = name_of(yesterday);
        let mut dropped = 0;
        for row in there {
            let [feed, day, load] = row.as_slice() else {
                continue;
            };
            let (Ok(feed), Some(day)) = (feed.parse::<Feed>(), Day::from_dashed(day)) else {
                continue;
            };
            let holds = loads.iter().find(|own| (own.feed, own.day) == (feed, day));
            let is_stale = match holds {
                Some(holds) if holds.name == *load => false,
                Some(holds) if holds.name > *load => true,
                _ => own.as_ref() == Some(load) || *load < yesterday,
            };
            if is_stale {
                self.run(&statement::delete_load(feed, day, load)).await?;
                dropped += 1;
            }
        }
        self.forget()?;
        drop(lock);
        Ok(dropped)
    }

    fn lock(&self) -> Result<FeedLock> {
        let state = &self.settings.paths.state;
        let folder = Folder::make_root(state)
            .and_then(|own| own.make_child(FOLDER))
            .at("write", state)?;
        FeedLock::take_in(&folder).map_err(|why| match why {
            NotLocked::Held(holder) => Error::new(
                Kind::Locked,
                format!("{holder} is loading into the warehouse"),
            )
            .hint("run it again when that has ended"),
            NotLocked::Io(error) => Error::machine_at("lock", state.join(FOLDER), &error),
        })
    }

    /// What a run before left; an unreadable note is none.
    fn unfinished(&self) -> Option<Unfinished> {
        let folder = Folder::root(&self.settings.paths.state.join(FOLDER));
        let text = if_there(folder).ok()??.read(NOTE, LARGEST_NOTE).ok()??;
        serde_json::from_slice(&text).ok()
    }

    fn keep(&self, note: &Unfinished) -> Result<()> {
        let path = self.settings.paths.state.join(FOLDER).join(NOTE);
        // Texts and numbers become JSON.
        write_whole(&path, &serde_json::to_vec(note).unwrap_or_default())
    }

    fn forget(&self) -> Result<()> {
        let path = self.settings.paths.state.join(FOLDER).join(NOTE);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Error::machine_at("remove", &path, &error))
            }
            _ => Ok(()),
        }
    }

    /// A name that no other load has, and later ones are greater.
    fn new_name(&self) -> String {
        format!("{}-{:08x}", name_of(self.settings.now()), fastrand::u32(..))
    }
}

/// The beginning of the names of loads that begin at this time.
fn name_of(at: jiff::Timestamp) -> String {
    at.strftime("%Y%m%dT%H%M%S.%6fZ").to_string()
}

/// One load on its way.
struct LoadRun<'w> {
    warehouse: &'w Warehouse,
    feed: Feed,
    day: Day,
    load: &'w str,
}

impl LoadRun<'_> {
    /// Sends the parts that are not there yet. Returns the records that were.
    async fn send(&self, opened: OpenRelease, manifest: &Manifest, report: Report) -> Result<u64> {
        let there = self.parts().await?;
        let all = opened.index.records();
        let whole = |part: u64| ROWS.min(all.saturating_sub(part * ROWS));
        for (part, rows) in &there {
            if *rows != whole(*part) {
                self.delete(*part).await?;
            }
        }
        let there: HashSet<u64> = there
            .into_iter()
            .filter(|(part, rows)| *rows == whole(*part))
            .map(|(part, _)| part)
            .collect();
        let resumed: u64 = there.iter().map(|part| whole(*part)).sum();
        let (send, parts) = mpsc::channel(1);
        let (records, skipped) = (manifest.feed.row().records, there.clone());
        let write = self
            .warehouse
            .releases
            .with_local(opened, move |opened, stop| {
                let is_there = |part, _| skipped.contains(&part);
                let mut take = |part, rows, file| {
                    let taken = send.blocking_send((part, rows, file));
                    taken.map_err(|_| io::Error::other("the load has ended"))
                };
                let index = &opened.index;
                match parquet::write_parts(index, records, ROWS, stop, &is_there, &mut take) {
                    Ok(()) => Ok(Ok(())),
                    Err(NotWritten::Io(error)) => Ok(Err(error)),
                    Err(NotWritten::Index(why)) => Err(why),
                }
            });
        let post = self.post_all(parts, there, (resumed, all), manifest.bytes, report);
        let (written, posted) = tokio::join!(write, post);
        posted?;
        written?.when("write the parts of a release")?;
        Ok(resumed)
    }

    async fn post_all(
        &self,
        mut parts: mpsc::Receiver<Part>,
        mut sent: HashSet<u64>,
        (mut done, of): (u64, u64),
        bytes: u64,
        report: Report,
    ) -> Result<()> {
        let mut reporter = ProgressReporter::new(report);
        reporter.tell_parts(Stage::Loading, bytes, done, of);
        while let Some((part, rows, file)) = parts.recv().await {
            // They come again from the first where the index had to be mended.
            if sent.insert(part) {
                self.post(part, rows, file.into()).await?;
                done += rows;
                reporter.tell_parts(Stage::Loading, bytes, done, of);
            }
        }
        Ok(())
    }

    /// Sends a part, again where the connection failed: what arrived of it is counted, and removed where it is not all.
    async fn post(&self, part: u64, rows: u64, file: bytes::Bytes) -> Result<()> {
        let network = &self.warehouse.settings.network;
        let pause = std::time::Duration::from_millis(network.retry_base_ms);
        let mut budget = Budget::new(network.attempts, pause);
        let statement = statement::insert(self.feed, self.day, self.load, part);
        loop {
            let Err(trouble) = self
                .warehouse
                .connection
                .run(&statement, file.clone())
                .await
            else {
                return Ok(());
            };
            let RetryStep::Again(pause) = budget.next(trouble.outcome, fastrand::f64()) else {
                return Err(trouble.error);
            };
            tracing::debug!("part {part} is sent again: {}", trouble.error.message);
            tokio::time::sleep(pause).await;
            if trouble.outcome != TryOutcome::NotSent {
                match self.parts().await?.get(&part) {
                    Some(there) if *there == rows => return Ok(()),
                    Some(_) => self.delete(part).await?,
                    None => {}
                }
            }
        }
    }

    /// The rows of each part that is there.
    async fn parts(&self) -> Result<HashMap<u64, u64>> {
        let statement = statement::parts(self.feed, self.day, self.load);
        let rows = self.warehouse.connection.rows(&statement, 2).await?;
        let numbers = rows.iter().filter_map(|row| match row.as_slice() {
            [part, rows] => Some((part.parse().ok()?, rows.parse().ok()?)),
            _ => None,
        });
        Ok(numbers.collect())
    }

    async fn delete(&self, part: u64) -> Result<()> {
        let statement = statement::delete_part(self.feed, self.day, self.load, part);
        self.warehouse.run(&statement).await
    }

    /// Counts the records, and writes the row of the load.
    async fn finish(&self, manifest: &Manifest, records: u64) -> Result<()> {
        let statement = statement::count(self.feed, self.day, self.load);
        let rows = self.warehouse.connection.rows(&statement, 1).await?;
        let there: Option<u64> = rows.first().and_then(|row| row.first()?.parse().ok());
        if there != Some(records) {
            // The next run begins anew, under another name.
            self.warehouse.forget()?;
            let there = there.unwrap_or_default();
            let (feed, day) = (self.feed, self.day.dashed());
            let message =
                format!("{there} of {records} records of {feed} {day} are in the warehouse");
            return Err(Error::new(Kind::Integrity, message)
                .hint("the day is as it was before; run it again, while nobody else loads it"));
        }
        let row = LoadRow {
            feed: self.feed,
            day: self.day,
            load: self.load,
            release: manifest.moment.to_string(),
            records,
            hash: &manifest.sha256,
            manifest: manifest.text(),
        };
        self.warehouse.run(&row.insert()).await
    }
}
