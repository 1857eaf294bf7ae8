//! The exclusive lock for writing a feed, the directory of the service, and leftovers of ended runs.
//!
//! A feed is never written without its lock.

use std::{
    io, process, thread,
    time::{Duration, Instant},
};

use jiff::Timestamp;

use super::{Releases, unusable::stopped};
use crate::{
    contract::Feed,
    engine::{
        error::{Error, ErrorContext, Kind, Result},
        paths,
    },
    store::{Cache, FeedLock, StopFlag, lock::NotLocked},
};

impl Releases {
    /// The local releases of the service, for a run that pulls: their folder is there then, and belongs to the service.
    pub(super) fn claim(&self) -> Result<Cache> {
        let dir = &self.settings.paths.cache;
        paths::make_dir(dir)?;
        self.settings.feeds_service().claim(dir).at("use", dir)
    }

    /// Takes the lock of the feed, or waits for it. Stopped work of this process releases it soon, so that is always waited for.
    pub(super) async fn take_lock(&self, feed: Feed, wait: bool) -> Result<FeedLock> {
        const PAUSE: Duration = Duration::from_millis(200);
        const MOMENT: Duration = Duration::from_secs(2);
        let (began, own) = (
            Instant::now(),
            writes(&format!("process {}", process::id()), feed),
        );
        loop {
            match lock_of(&self.cache(), feed) {
                Err(error)
                    if error.kind == Kind::Locked
                        && (wait || (error.message == own && began.elapsed() < MOMENT)) =>
                {
                    tokio::time::sleep(PAUSE).await;
                }
                other => return other,
            }
        }
    }
}

/// A stopped download releases its lock within this time.
const LETS_GO: Duration = Duration::from_secs(10);

impl Releases {
    /// [`Releases::take_lock`] with a short wait for stopped work of this process.
    pub(super) async fn take_lock_soon(&self, feed: Feed) -> Result<FeedLock> {
        match tokio::time::timeout(LETS_GO, self.take_lock(feed, true)).await {
            Ok(lock) => lock,
            Err(_) => self.take_lock(feed, false).await,
        }
    }
}

/// The lock of a local feed, for a thread that may block: waits for other work of this process, with a limit, unless stopped.
pub(super) fn lock_after_own(cache: &Cache, feed: Feed, stop: &StopFlag) -> Result<FeedLock> {
    const PAUSE: Duration = Duration::from_millis(50);
    const LONGEST: Duration = Duration::from_secs(30);
    let began = Instant::now();
    let own = writes(&format!("process {}", process::id()), feed);
    loop {
        match lock_of(cache, feed) {
            Err(error)
                if error.kind == Kind::Locked
                    && error.message == own
                    && began.elapsed() < LONGEST =>
            {
                if stop.is_stopped() {
                    return Err(stopped());
                }
                thread::sleep(PAUSE);
            }
            other => return other,
        }
    }
}

/// The message that names the holder of the lock.
fn writes(who: &str, feed: Feed) -> String {
    format!("{who} is writing the feed {feed}")
}

/// The lock of a local feed, if no other process holds it.
pub(super) fn lock_of(cache: &Cache, feed: Feed) -> Result<FeedLock> {
    let dir = cache.feed_dir(feed);
    let folder = cache
        .open(&dir)
        .and_then(|folder| folder.ok_or(io::ErrorKind::NotFound.into()));
    let folder = folder.at("lock", &dir)?;
    FeedLock::take_in(&folder).map_err(|error| match error {
        NotLocked::Held(who) => {
            Error::new(Kind::Locked, writes(&who, feed)).hint("wait for it to end, or use `--wait`")
        }
        NotLocked::Io(error) => Error::machine_at("lock", &dir, &error),
    })
}

/// Removes the leftovers of an ended run. Returns a warning for what could not be removed; it only takes space.
pub(super) fn left_after_sweep(cache: &Cache, feed: Feed, now: Timestamp) -> Option<String> {
    let swept = cache.sweep_unpublished(feed);
    let error = swept
        .and_then(|()| cache.discard_abandoned(feed, now))
        .err()?;
    let dir = cache.feed_dir(feed);
    Some(format!(
        "leftovers of an earlier run in {} could not be removed: {error}",
        dir.display()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_work_on_a_feed_is_waited_for_until_it_ends_or_this_is_stopped() {
        let root = tempfile::tempdir().expect("folder");
        let cache = Cache::new(root.path());
        let dir = cache.feed_dir(Feed::Dch);
        std::fs::create_dir_all(&dir).expect("folder");
        let held = FeedLock::take(&dir).expect("lock");
        let stop = StopFlag::default();
        stop.stop();
        let refused = lock_after_own(&cache, Feed::Dch, &stop).expect_err("held");
        assert_eq!(refused.kind, Kind::Interrupted);
        let waiting = thread::scope(|scope| {
            let waiting =
                scope.spawn(|| lock_after_own(&cache, Feed::Dch, &StopFlag::default()).is_ok());
            drop(held);
            waiting.join().expect("thread")
        });
        assert!(waiting);
    }
}
