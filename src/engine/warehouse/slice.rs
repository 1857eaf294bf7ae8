//! Records of a loaded day as a release of its own: an index of them, for as long as it is open.
//!
//! The index has no name once it is open, so nothing of it is left when the run ends, however that is.

use std::{
    fs::{self, File},
    path::PathBuf,
    time::Duration,
};

use super::{
    Load, LoadedRecords, RecordOrder, Warehouse, not_loaded,
    search::{COUNT, RECORDS, number_in, of_loads},
    statement::text,
};
use crate::{
    contract::Feed,
    engine::{
        DiffDays, OpenRelease,
        error::{Error, ErrorContext, Kind, Result},
        threads::off_thread,
    },
    model::Day,
    store::{Filter, Folder, Index, index::build::Building, mapping::Fault},
};

/// The folder of indexes under construction, in the cache directory.
const FOLDER: &str = "slices";
/// What is older was left by a run that was killed while it built it.
const LEFT: Duration = Duration::from_hours(1);
/// Records of one part, and the bytes of it.
const PAGE: usize = 4096;
const BLOCK: usize = 1 << 20;

impl Warehouse {
    /// The records of a load that match a filter, as a release.
    ///
    /// # Errors
    /// What the warehouse refuses; a failure of this machine.
    pub async fn open_matching(&self, load: &Load, filter: &Filter) -> Result<OpenRelease> {
        let loads = std::slice::from_ref(load);
        let (number, records) = tokio::try_join!(
            self.count(loads, filter),
            self.records(loads, filter, RecordOrder::Feed, None)
        )?;
        self.index(load, records.promised(number)).await
    }

    /// Two loaded days of a feed: those that are named, else the newest and the one before it. See [`Warehouse::open_different`].
    ///
    /// # Errors
    /// [`Kind::NotFound`] where one is not loaded; what the warehouse refuses.
    pub async fn open_days(
        &self,
        feed: Feed,
        [from, to]: [Option<Day>; 2],
        filter: &Filter,
    ) -> Result<DiffDays> {
        let loads = self.loads().await?;
        let find = |day: Option<Day>, before: Option<Day>| {
            let passes = |other: Day| {
                day.is_none_or(|day| other == day) && before.is_none_or(|before| other < before)
            };
            loads
                .newest(feed, passes)?
                .ok_or_else(|| not_loaded(feed, day))
        };
        let after = find(to, None)?;
        let before = match from {
            Some(_) => find(from, None)?,
            None => find(None, Some(after.day)).map_err(|error| match error.kind {
                Kind::NotFound => Error {
                    message: format!(
                        "no day of {feed} before {} is loaded in the warehouse",
                        after.day.dashed()
                    ),
                    ..error
                },
                _ => error,
            })?,
        };
        self.open_different([before, after], filter).await
    }

    /// The records of two loads that are not the same in both, as far as they, or what the other load has in their place, match.
    ///
    /// # Errors
    /// As [`Warehouse::open_matching`].
    pub async fn open_different(&self, loads: [&Load; 2], filter: &Filter) -> Result<DiffDays> {
        let both = loads.map(Clone::clone);
        let differing = |beginning: &str, of: &[Load]| {
            let mut statement = of_loads(beginning, of, &Filter::default());
            if !filter.is_empty() {
                let matching = of_loads("SELECT subject FROM ipspect_records", &both, filter);
                statement = statement.with(" AND subject IN (", matching).and(")", []);
            }
            let hashes = of_loads(
                "SELECT hash FROM ipspect_records",
                &both,
                &Filter::default(),
            );
            let values = loads.map(|load| text(&load.name));
            statement.with(" AND hash IN (", hashes).and(
                " GROUP BY hash HAVING countIf(load = ?) != countIf(load = ?))",
                values,
            )
        };
        let counting = differing(COUNT, &both);
        let number = async { number_in(&self.connection.rows(&counting, 1).await?) };
        let ask = async |load: &Load| {
            let loads = std::slice::from_ref(load);
            let statement = differing(RECORDS, loads).and(" ORDER BY row", []);
            let rows = self.connection.ask(&statement, 2).await?;
            Ok(LoadedRecords::of(rows, loads))
        };
        let [old, new] = loads;
        // The records are not read before it is known how many may come.
        let (number, records) = tokio::try_join!(number, ask(old))?;
        let before = self.build(old, records.at_most(number)).await?;
        let rest = number - before.index.records();
        let after = self.build(new, ask(new).await?.promised(rest)).await?;
        self.still_holds(&both).await?;
        Ok(DiffDays { before, after })
    }

    /// Builds an index of records while they are received, of a load that still holds when all are there.
    pub(super) async fn index(&self, load: &Load, records: LoadedRecords) -> Result<OpenRelease> {
        let is_asked = records.is_asked();
        let opened = self.build(load, records).await?;
        if is_asked {
            self.still_holds(std::slice::from_ref(load)).await?;
        }
        Ok(opened)
    }

    async fn build(&self, load: &Load, mut records: LoadedRecords) -> Result<OpenRelease> {
        let file = self.new_slice()?;
        let path = file.path.clone();
        let begun = path.clone();
        let mut building = off_thread(move || Building::begin(&begun).at("write", &begun)).await?;
        let mut block = Vec::new();
        loop {
            let page = records.page(PAGE).await?;
            let is_last = page.is_empty();
            for (_, line) in page {
                block.extend_from_slice(&line);
                block.push(b'\n');
            }
            if !block.is_empty() && (is_last || block.len() >= BLOCK) {
                let full = std::mem::take(&mut block);
                let at = path.clone();
                building = off_thread(move || {
                    building.lines(full).at("write", &at)?;
                    Ok(building)
                })
                .await?;
            }
            if is_last {
                break;
            }
        }
        let about = format!("{} {}", load.feed, load.day.dashed());
        let release = load.release();
        off_thread(move || {
            building.finish(&mut |_, _| ()).at("write", &path)?;
            let fault = Fault {
                message: format!("the records of {about} were cut off while they were read"),
                hint: "run it again".to_owned(),
            };
            let opened = File::open(&path).at("read", &path)?;
            let index = Index::of_file(&opened, &fault).map_err(|_| {
                Error::new(
                    Kind::Machine,
                    format!("{} was changed while it was read", path.display()),
                )
            })?;
            drop(file);
            Ok(OpenRelease { release, index })
        })
        .await
    }

    /// A name for an index under construction, which goes with the value.
    fn new_slice(&self) -> Result<SliceFile> {
        let cache = &self.settings.paths.cache;
        let folder = cache.join(FOLDER);
        let made = Folder::make_root(cache).and_then(|folder| folder.make_child(FOLDER));
        made.map(drop).at("write", &folder)?;
        for entry in fs::read_dir(&folder).at("read", &folder)?.flatten() {
            let changed = entry.metadata().and_then(|metadata| metadata.modified());
            let age = changed.ok().and_then(|time| time.elapsed().ok());
            if age.is_some_and(|age| age > LEFT) {
                // Another run may have been faster.
                let _ = fs::remove_file(entry.path());
            }
        }
        // Processes of several machines may share the folder.
        let path = folder.join(format!("{:016x}.idx", fastrand::u64(..)));
        Ok(SliceFile { path })
    }
}

/// A file that is removed with this value.
struct SliceFile {
    path: PathBuf,
}

impl Drop for SliceFile {
    fn drop(&mut self) {
        // What is left is removed by a later run.
        let _ = fs::remove_file(&self.path);
    }
}
