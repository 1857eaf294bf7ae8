//! Deleted local data that can be restored: it is renamed within the folder of its feed, so that nothing finds it, and removed
//! later.
//!
//! It must never overwrite an existing release, nor remove a file without its own prefix. The caller must hold the lock of the
//! feed.

use std::io;

use jiff::{SignedDuration, Timestamp};
use rustix::fs::FileType;

use super::{
    Cache, Moment,
    layout::{PART, kind_of},
    removal::remove_where,
};
use crate::contract::Feed;

/// The prefix of the names of deleted data.
const GONE: &str = ".gone-";
/// After this time a deletion is final: the process that made it was killed before it removed the files.
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

impl Cache {
    /// Deletes a part of a feed; returns the name for restoring it, or `None` if there is nothing to delete.
    ///
    /// # Errors
    /// A failure of the system.
    pub fn set_aside(&self, feed: Feed, what: Deletable) -> io::Result<Option<String>> {
        let Some(folder) = self.open(&self.feed_dir(feed))? else {
            return Ok(None);
        };
        let name = what.name();
        if folder.stat(&name)?.is_none() {
            return Ok(None);
        }
        let gone = format!("{GONE}{name}-{:08x}", fastrand::u32(..));
        folder.rename(&name, &gone)?;
        folder.sync()?;
        Ok(Some(gone))
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

    /// Removes deleted data of a feed that is too old to be restored.
    ///
    /// # Errors
    /// A failure of the system.
    pub fn discard_old(&self, feed: Feed, now: Timestamp) -> io::Result<()> {
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
            // The rename is the last change of its status.
            let changed = folder.stat(name)?.map(|stat| stat.st_ctime);
            let changed = changed.and_then(|seconds| Timestamp::from_second(seconds).ok());
            if changed.is_some_and(|changed| now.duration_since(changed) > KEPT) {
                self.discard(feed, name)?;
            }
        }
        Ok(())
    }
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
        cache.put_back(FEED, &gone).expect("back");
        assert_eq!(cache.moments(FEED).expect("moments"), [moment]);
        let nothing = cache.set_aside(FEED, Deletable::Partial).expect("nothing");
        assert_eq!(nothing, None);
    }

    #[test]
    fn nothing_is_put_over_a_release_that_is_there() {
        let root = tempfile::tempdir().expect("directory");
        let store = cache(root.path());
        let moment = Moment::parse("20261120").expect("moment");
        let gone = store.set_aside(FEED, Deletable::Release(moment));
        let gone = gone.expect("renamed").expect("there");
        cache(root.path());
        let refused = store.put_back(FEED, &gone).expect_err("there");
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        store.discard(FEED, &gone).expect("discarded");
        store
            .discard(FEED, "20261120")
            .expect("nothing of that name");
        assert_eq!(store.moments(FEED).expect("moments"), [moment]);
    }

    #[test]
    fn only_what_is_old_goes_by_itself() {
        let root = tempfile::tempdir().expect("directory");
        let cache = cache(root.path());
        let moment = Moment::parse("20261120").expect("moment");
        let gone = cache.set_aside(FEED, Deletable::Release(moment));
        let gone = cache
            .feed_dir(FEED)
            .join(gone.expect("renamed").expect("there"));
        let now = Timestamp::now();
        cache.discard_old(FEED, now).expect("swept");
        assert!(gone.exists());
        cache
            .discard_old(FEED, now + SignedDuration::from_hours(25))
            .expect("swept");
        assert!(!gone.exists());
    }
}
