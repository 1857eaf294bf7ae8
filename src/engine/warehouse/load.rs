//! Loads a local release: its parts first, its row last.
//!
//! What a run has sent is noted in the state directory, so that the next run goes on with the parts that are whole, and counts them there
//! rather than trusting its note. A part that is not whole is removed and sent anew. Before the row is written all records are
//! counted: a load that lacks one is none.

use std::{
    collections::{BTreeMap, HashSet},
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tokio::sync::mpsc;

use super::{
    Load, Warehouse, refusal,
    search::number_in,
    statement::{self, LoadRow, SCHEMA, WarehouseStatement},
};
use crate::{
    contract::Feed,
    engine::{
        OpenRelease,
        error::{Error, ErrorContext, Kind, Result},
        http::{Budget, FailedTry, RetryStep, TryOutcome},
        paths::write_whole,
        progress::{ProgressReporter, Report, Stage},
    },
    model::Day,
    store::{
        FeedLock, Folder, Manifest,
        checksum::hexadecimal,
        folder::if_there,
        lock::NotLocked,
        parquet::{self, LoadOf, LoadPart, NotWritten, PartLimits},
    },
};

/// Of a part: some 30 MB of Parquet; little in a build for tests, so that their small feeds have several.
const LIMITS: PartLimits = if cfg!(debug_assertions) {
    PartLimits {
        rows: 700,
        bytes: 1 << 20,
    }
} else {
    PartLimits {
        rows: 200_000,
        bytes: 128 << 20,
    }
};
/// Tries to send a part, beyond those of other requests.
const MORE_ATTEMPTS: u32 = 3;
/// The folder of the notes in the state directory.
const FOLDER: &str = "warehouse";
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
    /// The limits of its parts.
    rows: u64,
    bytes: u64,
    load: String,
}

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
        let loads = self.loads().await?;
        let mut readable = loads.readable();
        let present = readable.find(|load| (load.feed, load.day) == (feed, day));
        // What cannot be read is replaced, too.
        let mut unreadable = loads.unreadable().iter();
        let unreadable = unreadable.find(|load| load.feed == feed && load.day == Some(day));
        let name = present.map(|load| load.name.as_str());
        let holding = name.or(unreadable.map(|load| load.name.as_str()));
        let is_same =
            |load: &Load| load.hash == manifest.sha256 && load.records == opened.index.records();
        let outcome = |before, resumed_from| LoadOutcome {
            feed,
            day,
            records: opened.index.records(),
            hash: manifest.sha256.clone(),
            before,
            resumed_from,
        };
        if let Some(load) = present.filter(|load| is_same(load)) {
            // A run that was killed behind its row may have left what it replaced, and its note.
            self.clean(feed, day, &load.name).await;
            self.forget(feed, day, &place)?;
            return Ok(outcome(LoadedBefore::Same, 0));
        }
        let note = Unfinished {
            feed: feed.name().to_owned(),
            day: day.dashed(),
            hash: manifest.sha256.clone(),
            schema: SCHEMA,
            rows: LIMITS.rows,
            bytes: LIMITS.bytes,
            load: self.new_name(holding),
            place,
        };
        // One that is older than the load that holds would never be seen.
        let holds = |name: &str| holding.is_none_or(|text| *text < *name);
        let unfinished = Self::unfinished(&self.note_of(feed, day, &note.place));
        let unfinished = unfinished.filter(|unfinished| {
            let same = Unfinished {
                load: note.load.clone(),
                ..unfinished.clone()
            };
            holds(&unfinished.load) && same == note
        });
        let is_resumed = unfinished.is_some();
        let note = if let Some(own) = unfinished {
            own
        } else {
            self.keep(feed, day, &note)?;
            note
        };
        let run = LoadRun {
            warehouse: self,
            feed,
            day,
            load: &note.load,
            is_resumed,
        };
        let resumed_from = run.send(opened.clone(), &manifest, report).await?;
        run.finish(&manifest, opened.index.records(), &note.place)
            .await?;
        self.forget(feed, day, &note.place)?;
        drop(lock);
        self.clean(feed, day, &note.load).await;
        let before = if holding.is_some() {
            LoadedBefore::Other
        } else {
            LoadedBefore::Nothing
        };
        Ok(outcome(before, resumed_from))
    }

    /// Removes what the loads of a day before this one left, if there is something. It is not there for anybody: a failure changes no
    /// answer, and the next load tries it again.
    async fn clean(&self, feed: Feed, day: Day, load: &str) {
        for table in ["ipspect_loads", "ipspect_records"] {
            let probe = statement::any_before(table, feed, day, load);
            let cleaned = match self.connection.rows(&probe, 1).await {
                Ok(rows) if rows.is_empty() => Ok(()),
                Ok(_) => {
                    let statement = statement::delete_up_to(table, feed, day, load, false);
                    self.run(&statement).await
                }
                Err(error) => Err(error),
            };
            if let Err(error) = cleaned {
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
        let place = self.place()?;
        let own: Vec<(PathBuf, Unfinished)> = self.all_unfinished(&place)?;
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
            let is_of = |other: &Option<Day>, of: Feed| (of, *other) == (feed, Some(day));
            let mut unreadable = loads.unreadable().iter();
            if unreadable.any(|load| is_of(&load.day, load.feed)) {
                continue;
            }
            let holds = loads
                .readable()
                .find(|load| is_of(&Some(load.day), load.feed));
            let is_stale = match holds {
                Some(holds) if holds.name == *load => false,
                Some(holds) if holds.name > *load => true,
                _ => {
                    own.iter().any(|(_, unfinished)| unfinished.load == *load) || *load < yesterday
                }
            };
            if is_stale {
                self.run(&statement::delete_load(feed, day, load)).await?;
                dropped += 1;
            }
        }
        for load in loads.readable() {
            let statement = statement::any_before("ipspect_loads", load.feed, load.day, &load.name);
            if !self.connection.rows(&statement, 1).await?.is_empty() {
                self.clean(load.feed, load.day, &load.name).await;
            }
        }
        for (path, _) in own {
            std::fs::remove_file(&path).at("remove", &path)?;
        }
        drop(lock);
        Ok(dropped)
    }

    fn lock(&self) -> Result<FeedLock> {
        let state = &self.settings.paths.state;
        let folder = Folder::make_root(state)
            .and_then(|folder| folder.make_child(FOLDER))
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

    /// The note of a day in this warehouse.
    fn note_of(&self, feed: Feed, day: Day, place: &str) -> PathBuf {
        let place = hexadecimal(&Sha256::digest(place)[..4]);
        let name = format!("{feed}-{day}-{place}.json");
        self.settings.paths.state.join(FOLDER).join(name)
    }

    /// What a run before left; an unreadable note is none.
    fn unfinished(path: &Path) -> Option<Unfinished> {
        let folder = Folder::root(path.parent()?);
        let text = if_there(folder)
            .ok()??
            .read(path.file_name()?, LARGEST_NOTE);
        serde_json::from_slice(&text.ok()??).ok()
    }

    /// What runs before left of loads into this warehouse.
    fn all_unfinished(&self, place: &str) -> Result<Vec<(PathBuf, Unfinished)>> {
        let folder = self.settings.paths.state.join(FOLDER);
        let mut all = Vec::new();
        for entry in std::fs::read_dir(&folder).at("read", &folder)? {
            let path = entry.at("read", &folder)?.path();
            all.extend(
                Self::unfinished(&path)
                    .filter(|unfinished| unfinished.place == place)
                    .map(|unfinished| (path, unfinished)),
            );
        }
        Ok(all)
    }

    fn keep(&self, feed: Feed, day: Day, note: &Unfinished) -> Result<()> {
        let path = self.note_of(feed, day, &note.place);
        // Texts and numbers become JSON.
        write_whole(&path, &serde_json::to_vec(note).unwrap_or_default())
    }

    fn forget(&self, feed: Feed, day: Day, place: &str) -> Result<()> {
        let path = self.note_of(feed, day, place);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Error::machine_at("remove", &path, &error))
            }
            _ => Ok(()),
        }
    }

    /// A name that no other load has and that is greater than that of the load that holds, whatever the clocks say.
    fn new_name(&self, holds: Option<&str>) -> String {
        let random = fastrand::u32(..);
        let now = name_of(self.settings.now());
        match holds {
            // The clock of another machine is ahead: the same time, and a greater rest.
            Some(holds) if *holds >= *now => format!("{holds}~{random:08x}"),
            _ => format!("{now}-{random:08x}"),
        }
    }
}

/// The beginning of the names of loads that begin at this time.
fn name_of(at: jiff::Timestamp) -> String {
    at.strftime("%Y%m%dT%H%M%S.%6fZ").to_string()
}

/// What the warehouse has of a part.
enum PartThere {
    Nothing,
    Whole,
    /// It was not all of it.
    Removed,
}

/// One load on its way.
struct LoadRun<'w> {
    warehouse: &'w Warehouse,
    feed: Feed,
    day: Day,
    load: &'w str,
    /// Whether an earlier run began it: what that one sent may still arrive.
    is_resumed: bool,
}

impl LoadRun<'_> {
    /// Sends the parts that are not there yet. Returns the records that were.
    async fn send(&self, opened: OpenRelease, manifest: &Manifest, report: Report) -> Result<u64> {
        let there = self.parts().await?;
        let of = (manifest.bytes, opened.index.records());
        let (send, parts) = mpsc::channel(1);
        let of_load = LoadOf {
            feed: self.feed.name().to_owned(),
            day: self.day.dashed(),
            load: self.load.to_owned(),
        };
        let write = self
            .warehouse
            .releases
            .with_local(opened, move |opened, stop| {
                let mut take = |part| {
                    let taken = send.blocking_send(part);
                    taken.map_err(|_| io::Error::other("the load has ended"))
                };
                let index = &opened.index;
                match parquet::write_parts(index, &of_load, LIMITS, &there, stop, &mut take) {
                    Ok(()) => Ok(Ok(())),
                    Err(NotWritten::Io(error)) => Ok(Err(error)),
                    Err(NotWritten::Index(why)) => Err(why),
                }
            });
        let post = self.post_all(parts, of, report);
        let (written, posted) = tokio::join!(write, post);
        let resumed = posted?;
        written?.when("write the parts of a release")?;
        Ok(resumed)
    }

    /// Sends parts. Returns the rows of those that are there.
    async fn post_all(
        &self,
        mut parts: mpsc::Receiver<LoadPart>,
        (bytes, of): (u64, u64),
        report: Report,
    ) -> Result<u64> {
        let mut reporter = ProgressReporter::new(report);
        let (mut sent, mut done, mut resumed) = (HashSet::new(), 0, 0);
        reporter.tell_parts(Stage::Loading, bytes, done, of);
        while let Some(part) = parts.recv().await {
            // They come again from the first where the index had to be mended.
            if !sent.insert(part.number) {
                continue;
            }
            match part.file {
                Some(file) => self.post(part.number, part.rows, file.into()).await?,
                None => resumed += part.rows,
            }
            done += part.rows;
            reporter.tell_parts(Stage::Loading, bytes, done, of);
        }
        Ok(resumed)
    }

    /// Sends a part, again where that failed: what arrived of it is counted, and removed where it is not all.
    async fn post(&self, part: u64, rows: u64, file: bytes::Bytes) -> Result<()> {
        let network = &self.warehouse.settings.network;
        let pause = std::time::Duration::from_millis(network.retry_base_ms);
        // Longer than for an answer: one that still runs has to end first.
        let mut budget = Budget::new(network.attempts + MORE_ATTEMPTS, pause);
        let (statement, name) = (statement::insert(), format!("{}-{part}", self.load));
        let new_token = || format!("{name}-{:08x}", fastrand::u32(..));
        let (connection, mut token) = (&self.warehouse.connection, new_token());
        let mut may_be_there = self.is_resumed;
        loop {
            let mut tried = Ok(PartThere::Nothing);
            if may_be_there {
                // What passes is tried again as long as the part itself.
                tried = self
                    .there(part, rows)
                    .await
                    .map_err(|error| match error.kind {
                        Kind::Network | Kind::RateLimit => FailedTry::broken(error),
                        _ => error.into(),
                    });
            }
            if let Ok(PartThere::Nothing | PartThere::Removed) = tried {
                // What was removed would be taken for what is there.
                if let Ok(PartThere::Removed) = tried {
                    token = new_token();
                }
                let sent = connection.load(&statement, &name, &token, file.clone());
                tried = sent.await.map(|()| PartThere::Whole);
            }
            let Err(trouble) = tried else {
                return Ok(());
            };
            may_be_there |= trouble.outcome != TryOutcome::NotSent;
            let RetryStep::Again(pause) = budget.next(trouble.outcome, fastrand::f64()) else {
                return Err(trouble.error);
            };
            tracing::debug!("part {part} is sent again: {}", trouble.error.message);
            tokio::time::sleep(pause).await;
        }
    }

    /// What is there of a part that was sent before; what is not all of it is removed.
    async fn there(&self, part: u64, rows: u64) -> Result<PartThere> {
        let statement = statement::count_part(self.feed, self.day, self.load, part);
        match self.number(&statement).await? {
            0 => Ok(PartThere::Nothing),
            there if there == rows => Ok(PartThere::Whole),
            _ => {
                let statement = statement::delete_part(self.feed, self.day, self.load, part);
                // Not twice: the second one might come behind the rows that are sent next.
                self.warehouse.connection.run_once(&statement).await?;
                Ok(PartThere::Removed)
            }
        }
    }

    /// The rows of each part that is there.
    async fn parts(&self) -> Result<BTreeMap<u64, u64>> {
        let statement = statement::parts(self.feed, self.day, self.load);
        let rows = self.warehouse.connection.rows(&statement, 2).await?;
        let numbers = rows.iter().map(|row| match row.as_slice() {
            [part, rows] => Some((part.parse().ok()?, rows.parse().ok()?)),
            _ => None,
        });
        let numbers: Option<BTreeMap<u64, u64>> = numbers.collect();
        numbers
            .ok_or_else(|| refusal::unreadable("the warehouse counted parts that cannot be read"))
    }

    /// The number that a statement counts.
    async fn number(&self, statement: &WarehouseStatement) -> Result<u64> {
        let rows = self.warehouse.connection.rows(statement, 1).await?;
        number_in(&rows)
    }

    /// Counts the records, and writes the row of the load.
    async fn finish(&self, manifest: &Manifest, records: u64, place: &str) -> Result<()> {
        let statement = statement::count(self.feed, self.day, self.load);
        let there = self.number(&statement).await?;
        if there != records {
            // The next run begins anew, under another name.
            self.warehouse.forget(self.feed, self.day, place)?;
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
        // Somebody may drop the day meanwhile: then it must not come back.
        let written = self.warehouse.connection.run_once(&row.insert()).await;
        written.map(drop)
    }
}
