//! The place of a download that is partial: its files, the lock of its feed, the room on its disk.
//!
//! Only names, locks and measures: it must never read or write what the files hold, nor touch a published release.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use super::{PullQuery, Wanted};
use crate::{
    contract::{Feed, Format},
    engine::{
        Engine,
        error::{Error, Kind, Result},
    },
    store::{Cache, FeedLock, Moment, layout::PARTIAL_INDEX, lock::NotLocked},
};

/// The files of what is partial.
pub(super) struct Place {
    /// The directory of them.
    dir: PathBuf,
    /// The bytes that have come.
    pub(super) part: PathBuf,
    /// To which file they belong.
    pub(super) journal: PathBuf,
    /// The index of what has come, which a next run begins anew.
    pub(super) index: PathBuf,
}

impl Place {
    /// Where a download of this query is kept while it comes; the same for every run, so that the next one finds it.
    pub(super) fn of(cache: &Cache, query: &PullQuery) -> Self {
        let ending = match query.form {
            Format::Json => "json.gz",
            Format::Mmdb => "mmdb",
        };
        let name = match query.wanted {
            Wanted::Latest => format!("latest.{ending}"),
            Wanted::Day(day) => format!("{day}.{ending}"),
            Wanted::Window(window) => format!("{}.{ending}", Moment::Window(window)),
        };
        let dir = cache.part_dir(query.feed);
        Self {
            part: dir.join(format!("{name}.part")),
            journal: dir.join(format!("{name}.json")),
            index: dir.join(format!("{name}{PARTIAL_INDEX}")),
            dir,
        }
    }

    /// Removes all of them that are there.
    pub(super) fn remove(&self) {
        let _ = fs::remove_file(&self.index);
        let _ = fs::remove_file(&self.part);
        let _ = fs::remove_file(&self.journal);
    }

    /// Refuses a download that the disk cannot hold; what cannot be known refuses nothing.
    pub(super) fn check_space(&self, total: Option<u64>, here: u64) -> Result<()> {
        let Some(needed) = total.map(|total| total.saturating_sub(here)) else {
            return Ok(());
        };
        let Some(free) = free_space(&self.dir) else {
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
    FeedLock::take(&dir).map_err(|error| match error {
        NotLocked::Held(who) => {
            Error::new(Kind::Locked, format!("{who} is writing the feed {feed}"))
                .hint("wait for it to end, or let `--wait` do so")
        }
        NotLocked::Io(error) => Error::machine(&format!("lock {}", dir.display()), &error),
    })
}

/// Bytes that the file system of `path` has free for this user.
#[must_use]
pub fn free_space(path: &Path) -> Option<u64> {
    let found = path.ancestors().find(|path| path.exists())?;
    let stat = rustix::fs::statvfs(found).ok()?;
    Some(stat.f_bavail.saturating_mul(stat.f_frsize))
}
