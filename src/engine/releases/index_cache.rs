//! Indexes that are open: each is opened once, and again when its file was replaced.
//!
//! It must never hand out an index that is not the one which the manifest names: an index of another day would answer,
//! and answer wrongly.

use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
    sync::Mutex,
    time::SystemTime,
};

use crate::{
    engine::threads::lock,
    store::{Cache, Index, IndexFile, index::NotOpened, layout::Release, mapping::Fault},
};

/// More than this are not kept open: a cache that holds more is asked for the days of one feed after the other.
const MOST: usize = 256;

/// The open indexes of an engine.
#[derive(Debug, Default)]
pub(super) struct IndexCache(Mutex<HashMap<PathBuf, CachedIndex>>);

#[derive(Debug)]
struct CachedIndex {
    named: IndexFile,
    state: FileStamp,
    index: Index,
}

/// What tells whether a file is still the same.
#[derive(Debug, PartialEq, Eq)]
struct FileStamp {
    length: u64,
    changed: Option<SystemTime>,
    number: u64,
}

impl FileStamp {
    fn of(path: &Path) -> io::Result<Self> {
        let metadata = fs::symlink_metadata(path)?;
        #[cfg(unix)]
        let number = std::os::unix::fs::MetadataExt::ino(&metadata);
        #[cfg(not(unix))]
        let number = 0;
        Ok(Self {
            length: metadata.len(),
            // Where the system keeps no such time, length and number tell.
            changed: metadata.modified().ok(),
            number,
        })
    }
}

/// What is said where the index of a release is cut off while it answers.
fn fault_of(release: &Release) -> Fault {
    let (feed, moment) = (release.manifest.feed, release.manifest.moment);
    Fault {
        message: format!(
            "the index of {feed} for {} was cut off by another program while it was read",
            moment.dashed()
        ),
        hint: format!(
            "`ipspect feeds reindex {feed} --day {}` rebuilds it",
            moment.day()
        ),
    }
}

impl IndexCache {
    /// The index of a release.
    ///
    /// # Errors
    /// [`NotOpened::Unfit`] also for an index that is not the one of this release, or is missing.
    pub(super) fn open(&self, cache: &Cache, release: &Release) -> Result<Index, NotOpened> {
        let unfit = |why: &str| NotOpened::Unfit(why.to_owned());
        let (Some(named), Some(path)) = (&release.manifest.index, release.index()) else {
            return Err(unfit("there is none yet"));
        };
        let state = FileStamp::of(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => unfit("its file is missing"),
            _ => NotOpened::Io(error),
        })?;
        if let Some(kept) = lock(&self.0).get(&path)
            && kept.state == state
            && kept.named == *named
        {
            return Ok(kept.index.clone());
        }
        let file = cache.open_file(&path).map_err(NotOpened::Io)?;
        let index = Index::of_file(&file, &fault_of(release))?;
        let is_own = IndexFile::of(&file, &named.file).map_err(NotOpened::Io)? == *named
            && Some(index.records()) == release.manifest.records;
        if !is_own {
            return Err(unfit("it is the index of another release"));
        }
        let mut kept = lock(&self.0);
        if kept.len() >= MOST {
            kept.clear();
        }
        let opened = CachedIndex {
            named: named.clone(),
            state,
            index: index.clone(),
        };
        kept.insert(path, opened);
        Ok(index)
    }

    /// Forgets the index of a release: it is not what it should be.
    pub(super) fn forget(&self, release: &Release) {
        if let Some(path) = release.index() {
            lock(&self.0).remove(&path);
        }
    }
}
