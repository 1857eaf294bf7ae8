//! The place of a download that is partial: its files, the lock of its feed, the room on its disk.
//!
//! Only names, locks and measures: it must never read or write what the files hold, nor touch a published release.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use super::{PullQuery, Wanted};
use crate::{
    contract::{Feed, Format},
    engine::{
        Engine,
        error::{Error, Kind, Result},
    },
    store::{Cache, FeedLock, Folder, Moment, layout::PARTIAL_INDEX, lock::NotLocked},
};

/// The files of what is partial.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The folder of them.
    pub(super) folder: Arc<Folder>,
    /// The bytes that have come.
    pub(super) part: String,
    /// To which file they belong.
    pub(super) journal: String,
    /// The index of what has come, which a next run begins anew.
    pub(super) index: String,
}

impl Place {
    /// Where a download of this query is kept while it comes; the same for every run, so that the next one finds it.
    pub(super) fn of(folder: Folder, query: &PullQuery) -> Self {
        let ending = match query.form {
            Format::Json => "json.gz",
            Format::Mmdb => "mmdb",
        };
        let name = match query.wanted {
            Wanted::Latest => format!("latest.{ending}"),
            Wanted::Day(day) => format!("{day}.{ending}"),
            Wanted::Window(window) => format!("{}.{ending}", Moment::Window(window)),
        };
        Self {
            folder: Arc::new(folder),
            part: format!("{name}.part"),
            journal: format!("{name}.json"),
            index: format!("{name}{PARTIAL_INDEX}"),
        }
    }

    /// The path of one of them.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Bytes that have come.
    ///
    /// # Errors
    /// A failure to look.
    pub(super) fn part_length(&self) -> Result<u64> {
        let stat = self.folder.stat(&self.part);
        let stat = stat.map_err(|error| self.failed("read", &self.part, &error))?;
        Ok(stat.map_or(0, |stat| u64::try_from(stat.st_size).unwrap_or_default()))
    }

    /// Removes all of them that are there, the journal last: while it is there, the part is its own.
    ///
    /// # Errors
    /// A failure to remove. Then the part must not be gone on with.
    pub(super) fn remove(&self) -> Result<()> {
        for name in [&self.index, &self.part, &self.journal] {
            let removed = self.folder.remove(name);
            removed.map_err(|error| self.failed("remove", name, &error))?;
        }
        Ok(())
    }

    /// A failure of this machine with one of them.
    pub(super) fn failed(&self, what: &str, name: &str, error: &io::Error) -> Error {
        Error::machine(&format!("{what} {}", self.path(name).display()), error)
    }

    /// Refuses a download that the disk cannot hold; what cannot be known refuses nothing.
    pub(super) fn check_space(&self, total: Option<u64>, here: u64) -> Result<()> {
        let Some(needed) = total.map(|total| total.saturating_sub(here)) else {
            return Ok(());
        };
        let Some(free) = free_space(self.folder.path()) else {
            return Ok(());
        };
        if needed <= free {
            return Ok(());
        }
        Err(Error::new(
            Kind::Machine,
            format!("the download needs {needed} bytes more, the cache's disk has {free} free"),
        )
        .hint("free some space or choose another place with --cache-dir; what is here is kept"))
    }
}

impl Engine {
    /// Makes this the only process that writes the feed, at once or when the other has ended.
    pub(in crate::engine) async fn take_lock(&self, feed: Feed, wait: bool) -> Result<FeedLock> {
        const PAUSE: Duration = Duration::from_millis(200);
        loop {
            match lock_of(&self.cache(), feed) {
                Err(error) if wait && error.kind == Kind::Locked => {
                    tokio::time::sleep(PAUSE).await;
                }
                other => return other,
            }
        }
    }
}

/// The lock of a feed that is here, if no other process has it.
pub(in crate::engine) fn lock_of(cache: &Cache, feed: Feed) -> Result<FeedLock> {
    let dir = cache.feed_dir(feed);
    let failed = |error| Error::machine(&format!("lock {}", dir.display()), &error);
    let folder = cache.open(&dir).map_err(failed)?;
    let folder = folder.ok_or_else(|| failed(io::ErrorKind::NotFound.into()))?;
    FeedLock::take_in(&folder).map_err(|error| match error {
        NotLocked::Held(who) => {
            Error::new(Kind::Locked, format!("{who} is writing the feed {feed}"))
                .hint("wait for it to end, or let `--wait` do so")
        }
        NotLocked::Io(error) => failed(error),
    })
}

/// Bytes that the file system of `path` has free for this user.
#[must_use]
pub fn free_space(path: &Path) -> Option<u64> {
    let found = path.ancestors().find(|path| path.exists())?;
    // What cannot be measured refuses nothing: a disk that is full says so itself.
    let stat = rustix::fs::statvfs(found).ok()?;
    Some(stat.f_bavail.saturating_mul(stat.f_frsize))
}
