//! Deleted local data that can be restored: it is renamed within the folder of its feed, so that nothing finds it, and removed
//! later.
//!
//! A process locks what it deleted for as long as it can restore it. So the next run that changes the feed knows what a killed
//! process left, and removes that only.
//!
//! It must never overwrite an existing release, nor remove a file without its own prefix. The caller must hold the lock of the
//! feed.

use std::io;

use jiff::{SignedDuration, Timestamp};
use rustix::fs::FileType;

use super::{
    Cache, Folder, Moment,
    folder::Unsafe,
    layout::{PART, kind_of},
    removal::remove_where,
};
use crate::contract::Feed;

/// The prefix of the names of deleted data.
const GONE: &str = ".gone-";
/// After this time a deletion is final where it cannot be locked: its process was killed before it removed the files.
const KEPT: SignedDuration = SignedDuration::from_hours(24);

/// The parts of a feed that can be deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deletable {
    /// A release in all its forms.
    Release(Moment),
    Partial,
}

impl Deletable {
    fn name(self) -> String {
        match self {
            Self::Release(moment) => moment.to_string(),
            Self::Partial => PART.to_owned(),
        }
    }

    /// The original of a name of deleted data.
    fn of_name(name: &str) -> Option<Self> {
        let (name, _) = name.strip_prefix(GONE)?.rsplit_once('-')?;
        if name == PART {
            return Some(Self::Partial);
        }
        Moment::parse(name).map(Self::Release)
    }
}

/// Deleted data that this process can restore. Other processes leave it alone while this lives.
#[derive(Debug)]
pub struct Trashed {
    /// The name for restoring it.
    pub name: String,
    _locked: Option<Folder>,
}

impl Cache {
    /// Deletes a part of a feed; `None` if there is nothing to delete.
    ///
    /// # Errors
    /// A failure of the system.
    pub fn set_aside(&self, feed: Feed, what: Deletable) -> io::Result<Option<Trashed>> {
        let Some(folder) = self.open(&self.feed_dir(feed))? else {
            return Ok(None);
        };
        let name = what.name();
        if folder.stat(&name)?.is_none() {
            return Ok(None);
        }
        let locked = match folder.enter(&name) {
            // Without a lock, its age decides.
            Ok(folder) => folder
                .try_lock()
                .is_ok_and(|is_locked| is_locked)
                .then_some(folder),
            Err(error) if Unsafe::behind(&error).is_some() => None,
            Err(error) => return Err(error),
        };
        let gone = format!("{GONE}{name}-{:08x}", fastrand::u32(..));
        folder.rename(&name, &gone)?;
        folder.sync()?;
        Ok(Some(Trashed {
            name: gone,
            _locked: locked,
        }))
    }

    /// Restores deleted data.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] if its place is taken by now; a failure of the system.
    pub fn put_back(&self, feed: Feed, gone: &str) -> io::Result<()> {
        let folder = self.open(&self.feed_dir(feed))?;
        let (Some(folder), Some(what)) = (folder, Deletable::of_name(gone)) else {
            return Err(io::ErrorKind::NotFound.into());
        };
        if folder.stat(what.name())?.is_some() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        folder.rename(gone, what.name())?;
        folder.sync()
    }

    /// Removes deleted data permanently.
    ///
    /// # Errors
    /// A failure of the system.
    pub fn discard(&self, feed: Feed, gone: &str) -> io::Result<()> {
        let Some(folder) = self.open(&self.feed_dir(feed))? else {
            return Ok(());
        };
        if Deletable::of_name(gone).is_none() {
            return Ok(());
        }
        match folder.stat(gone)?.as_ref().map(kind_of) {
            Some(FileType::Directory) => {
                remove_where(&folder.enter(gone)?, |_| true)?;
                folder.remove_folder(gone).map(drop)
            }
            // A deleted link in place of a folder: only the link is removed.
            Some(_) => folder.remove(gone).map(drop),
            None => Ok(()),
        }
    }

    /// Removes deleted data of a feed that no process can restore any more.
    ///
    /// # Errors
    /// A failure of the system.
    pub fn discard_abandoned(&self, feed: Feed, now: Timestamp) -> io::Result<()> {
        let Some(folder) = self.open(&self.feed_dir(feed))? else {
            return Ok(());
        };
        for name in folder.names()? {
            let Some(name) = name
                .to_str()
                .filter(|name| Deletable::of_name(name).is_some())
            else {
                continue;
            };
            let is_abandoned = match folder.enter(name).and_then(|folder| folder.try_lock()) {
                Ok(is_unlocked) => is_unlocked,
                // A link in place of a folder, or a file system without locks.
                Err(_) => is_old(&folder, name, now)?,
            };
            if is_abandoned {
                self.discard(feed, name)?;
            }
        }
        Ok(())
    }
}

/// Whether so much time has passed since a deletion that it is final.
fn is_old(folder: &Folder, name: &str, now: Timestamp) -> io::Result<bool> {
    // The rename is the last change of its status.
    let changed = folder.stat(name)?.map(|stat| stat.st_ctime);
    let changed = changed.and_then(|seconds| Timestamp::from_second(seconds).ok());
    Ok(changed.is_some_and(|changed| now.duration_since(changed) > KEPT))
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;

    const FEED: Feed = Feed::Anonymous;

    fn cache(root: &Path) -> Cache {
        let cache = Cache::new(root);
        let moment = Moment::parse("20261120").expect("moment");
        fs::create_dir_all(cache.release_dir(FEED, moment)).expect("folder");
        fs::write(cache.release_dir(FEED, moment).join("feed-1.json.gz"), "x").expect("file");
        cache
    }

    #[test]
    fn what_was_deleted_is_no_release_and_comes_back_whole() {
        let root = tempfile::tempdir().expect("directory");
        let cache = cache(root.path());
        let moment = Moment::parse("20261120").expect("moment");
        let gone = cache.set_aside(FEED, Deletable::Release(moment));
        let gone = gone.expect("renamed").expect("there");
        assert_eq!(cache.moments(FEED).expect("moments"), []);
        cache.put_back(FEED, &gone.name).expect("back");
        assert_eq!(cache.moments(FEED).expect("moments"), [moment]);
        let nothing = cache.set_aside(FEED, Deletable::Partial).expect("nothing");
        assert!(nothing.is_none());
    }

    #[test]
    fn nothing_is_put_over_a_release_that_is_there() {
        let root = tempfile::tempdir().expect("directory");
        let store = cache(root.path());
        let moment = Moment::parse("20261120").expect("moment");
        let gone = store.set_aside(FEED, Deletable::Release(moment));
        let gone = gone.expect("renamed").expect("there");
        cache(root.path());
        let refused = store.put_back(FEED, &gone.name).expect_err("there");
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        store.discard(FEED, &gone.name).expect("discarded");
        store
            .discard(FEED, "20261120")
            .expect("nothing of that name");
        assert_eq!(store.moments(FEED).expect("moments"), [moment]);
    }

    #[test]
    fn a_deletion_goes_with_the_next_sweep_once_nobody_can_undo_it() {
        let root = tempfile::tempdir().expect("directory");
        let cache = cache(root.path());
        let moment = Moment::parse("20261120").expect("moment");
        let held = cache.set_aside(FEED, Deletable::Release(moment));
        let held = held.expect("renamed").expect("there");
        let gone = cache.feed_dir(FEED).join(&held.name);
        let now = Timestamp::now();
        // Another process, at any time.
        let later = now + SignedDuration::from_hours(25);
        cache.discard_abandoned(FEED, later).expect("swept");
        assert!(gone.exists(), "it can still be restored");
        // The lock ends with a killed process as it does here.
        drop(held);
        cache.discard_abandoned(FEED, now).expect("swept");
        assert!(!gone.exists());
    }

    #[test]
    fn a_deletion_that_cannot_be_locked_goes_by_its_age() {
        let root = tempfile::tempdir().expect("directory");
        let cache = cache(root.path());
        let gone = cache.feed_dir(FEED).join(".gone-20261120-00000000");
        std::os::unix::fs::symlink("nowhere", &gone).expect("link");
        let now = Timestamp::now();
        cache.discard_abandoned(FEED, now).expect("swept");
        assert!(gone.is_symlink());
        cache
            .discard_abandoned(FEED, now + SignedDuration::from_hours(25))
            .expect("swept");
        assert!(!gone.is_symlink());
    }
}
