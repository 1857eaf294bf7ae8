//! Deletes local releases with undo until the program ends. Deleted releases take their space until then.

use std::{io, mem};

use super::{Releases, deletion::Deleted};
use crate::{
    contract::Feed,
    engine::{
        error::{Error, ErrorContext, Kind, Result},
        threads::{lock, off_thread},
    },
    store::Deletable,
};

impl Releases {
    /// Deletes these of a feed.
    ///
    /// # Errors
    /// [`Kind::NotFound`] when nothing of it is local, [`Kind::Locked`] when the feed is being written; a failure of this machine.
    pub async fn delete(&self, feed: Feed, what: Vec<Deletable>) -> Result<Deleted> {
        let nothing = move || {
            let message = format!("{feed} has nothing to delete");
            Error::new(Kind::NotFound, message)
        };
        let dir = self.cache().feed_dir(feed);
        if self.cache().open(&dir).at("use", &dir)?.is_none() {
            return Err(nothing());
        }
        let feed_lock = self.take_lock(feed, false).await?;
        let engine = self.clone();
        off_thread(move || {
            let _lock = feed_lock;
            let cache = engine.cache();
            engine.sweep(&cache, feed);
            let mut deleted = Deleted {
                feed,
                what: Vec::new(),
                names: Vec::new(),
            };
            for what in what {
                let gone = cache.set_aside(feed, what);
                if let Some(gone) = gone.at("delete in", &dir)? {
                    deleted.what.push(what);
                    deleted.names.push(gone.name.clone());
                    // Releases deleted before a failure are removed at the end.
                    lock(&engine.deleted).push((feed, gone));
                }
            }
            if deleted.what.is_empty() {
                return Err(nothing());
            }
            Ok(deleted)
        })
        .await
    }

    /// Restores deleted releases. After a failure it can be repeated: what was restored before it stays.
    ///
    /// # Errors
    /// [`Kind::Usage`] for a release that is there again, after restoring the others; [`Kind::NotFound`] for what was removed for
    /// good; [`Kind::Locked`] when the feed is being written; a failure of this machine.
    pub async fn undelete(&self, deleted: Deleted) -> Result<Deleted> {
        let feed_lock = self.take_lock(deleted.feed, false).await?;
        let engine = self.clone();
        off_thread(move || {
            let _lock = feed_lock;
            let (cache, feed) = (engine.cache(), deleted.feed);
            let mut names = deleted.names.clone();
            names.retain(|name| engine.is_in_trash(feed, name));
            if names.is_empty() {
                let message = format!("the deleted releases of {feed} were removed for good");
                return Err(Error::new(Kind::NotFound, message));
            }
            let mut is_there_again = false;
            for name in names {
                match cache.put_back(feed, &name) {
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                        is_there_again = true;
                    }
                    put_back => {
                        put_back.at("put back in", cache.feed_dir(feed))?;
                        lock(&engine.deleted).retain(|(_, trashed)| trashed.name != name);
                    }
                }
            }
            if is_there_again {
                let message =
                    format!("{feed} was downloaded again: the deleted release is not restored");
                return Err(Error::new(Kind::Usage, message)
                    .hint("delete the local release of that day first"));
            }
            Ok(deleted)
        })
        .await
    }

    fn is_in_trash(&self, feed: Feed, name: &str) -> bool {
        lock(&self.deleted)
            .iter()
            .any(|(own_feed, trashed)| *own_feed == feed && trashed.name == name)
    }

    /// Removes the deleted releases of this run for good. What cannot be removed now is removed by the next run that changes the feed.
    pub fn empty_trash(&self) {
        let all = mem::take(&mut *lock(&self.deleted));
        for (feed, gone) in all {
            let _ = self.cache().discard(feed, &gone.name);
        }
    }
}
