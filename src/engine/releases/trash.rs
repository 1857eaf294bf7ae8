//! Deletes local releases with undo until the program ends. Deleted releases take their space until then.

use std::{io, mem};

use super::{Releases, deletion::Deleted};
use crate::{
    contract::Feed,
    engine::{
        error::{Error, Kind, Result},
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
        let feed_lock = self.take_lock(feed, false).await?;
        let engine = self.clone();
        off_thread(move || {
            let _lock = feed_lock;
            let cache = engine.cache();
            let mut deleted = Deleted {
                feed,
                what: Vec::new(),
                names: Vec::new(),
            };
            for what in what {
                let gone = cache.set_aside(feed, what);
                let gone = gone
                    .map_err(|error| Error::machine_at("delete in", cache.feed_dir(feed), &error));
                // Releases deleted before a failure can be restored, and are removed at the end.
                if let Some(name) = gone.inspect_err(|_| engine.remember(&deleted))? {
                    deleted.what.push(what);
                    deleted.names.push(name);
                }
            }
            if deleted.what.is_empty() {
                let message = format!("{feed} has nothing to delete");
                return Err(Error::new(Kind::NotFound, message));
            }
            engine.remember(&deleted);
            Ok(deleted)
        })
        .await
    }

    fn remember(&self, deleted: &Deleted) {
        if !deleted.names.is_empty() {
            lock(&self.deleted).push(deleted.clone());
        }
    }

    /// Restores deleted releases.
    ///
    /// # Errors
    /// [`Kind::Locked`] when the feed is being written; a failure of this machine, such as a release that is there again.
    pub async fn undelete(&self, deleted: Deleted) -> Result<Deleted> {
        let feed_lock = self.take_lock(deleted.feed, false).await?;
        let engine = self.clone();
        off_thread(move || {
            let _lock = feed_lock;
            let (cache, feed) = (engine.cache(), deleted.feed);
            for name in &deleted.names {
                cache
                    .put_back(feed, name)
                    .map_err(|error| match error.kind() {
                        io::ErrorKind::AlreadyExists => Error::new(
                            Kind::Usage,
                            format!(
                                "{feed} was downloaded again: the deleted release is not restored"
                            ),
                        ),
                        _ => Error::machine_at("put back in", cache.feed_dir(feed), &error),
                    })?;
            }
            let mut all = lock(&engine.deleted);
            all.retain(|own| *own != deleted);
            drop(all);
            Ok(deleted)
        })
        .await
    }

    /// Removes the deleted releases of this run for good. What cannot be removed now is removed by a later download.
    pub fn empty_trash(&self) {
        let all = mem::take(&mut *lock(&self.deleted));
        for deleted in all {
            for name in &deleted.names {
                let _ = self.cache().discard(deleted.feed, name);
            }
        }
    }
}
