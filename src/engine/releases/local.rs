//! Answers from local feeds: the indexes of downloaded feeds, opened once and mended when they are damaged.
//!
//! An index that is missing, of an older version, damaged, or not the one that the manifest names is rebuilt from the
//! feed file before anything is answered from it. Work that meets a damaged part is done once more from its
//! beginning. It must never answer from what it could not check: a wrong "no record" is worse than an error.

use super::{
    Releases,
    directory::{found, newest_of},
    index_rebuild::Mend,
    lock::lock_after_own,
    unusable::{no_release, not_here, not_opened, stopped, too_many, unfit},
};
use crate::{
    contract::{Feed, Format},
    engine::{error::Result, progress::Report, threads::stoppable},
    model::Day,
    store::{
        Index, NoRelease, StopFlag,
        index::{NotOpened, QueryError},
        layout::Release,
    },
};

/// A local release with its index open. Cheap to clone; keeps the release readable while it is replaced.
#[derive(Clone, Debug)]
pub struct OpenRelease {
    pub release: Release,
    pub index: Index,
}

impl Releases {
    /// The newest local release of a feed in one form. One that cannot be used is an error, and no older one is taken for it.
    pub(in crate::engine) fn newest_local(
        &self,
        feed: Feed,
        form: Format,
    ) -> Result<Option<Release>> {
        let cache = self.cache();
        let latest = cache.latest(feed, form);
        latest.map_err(|why| no_release(&cache, feed, &why))
    }

    /// Opens the release of a day, else the newest, of a feed; rebuilds its index where there is none that is fit.
    ///
    /// # Errors
    /// [`Kind::NotFound`](crate::engine::Kind::NotFound) when it is not downloaded, with how to download it;
    /// [`Kind::Locked`](crate::engine::Kind::Locked) when another process is building the index.
    pub async fn open_local(&self, feed: Feed, day: Option<Day>) -> Result<OpenRelease> {
        let engine = self.clone();
        stoppable(move |stop| engine.open_here(feed, day, stop)).await
    }

    /// Works on an open release where it holds nothing else up. When its index turns out to be damaged it is rebuilt
    /// from the feed file, and the work done once more from its beginning; dropping the future stops the work.
    ///
    /// # Errors
    /// What the work fails with, and what opening fails with.
    pub async fn with_local<T: Send + 'static>(
        &self,
        opened: OpenRelease,
        work: impl Fn(&OpenRelease, &StopFlag) -> Result<T, QueryError> + Send + Sync + 'static,
    ) -> Result<T> {
        let engine = self.clone();
        stoppable(move |stop| {
            match work(&opened, stop) {
                Err(QueryError::Damaged(_)) => {}
                Err(QueryError::Stopped) => return Err(stopped()),
                Err(why @ QueryError::TooMany(..)) => return Err(too_many(&why)),
                Ok(made) => return Ok(made),
            }
            let manifest = &opened.release.manifest;
            if manifest.is_excerpt() {
                let source = manifest.source();
                let what = format!("the records of the {source} were changed on this disk");
                return Err(unfit(&opened.release, &what));
            }
            let mended = engine.mended(&opened.release, stop)?;
            work(&mended, stop).map_err(|why| match why {
                QueryError::Stopped => stopped(),
                QueryError::Damaged(_) => unfit(&mended.release, &why.to_string()),
                QueryError::TooMany(..) => too_many(&why),
            })
        })
        .await
    }

    /// Rebuilds the index of a release, fit or not: that of a day, else of the newest. Returns the release with it. A
    /// manifest that cannot be used is made again, too, where the data allows it.
    ///
    /// # Errors
    /// [`Kind::Integrity`](crate::engine::Kind::Integrity) when there is no feed file to build it from; otherwise as
    /// [`Releases::open_local`].
    pub async fn reindex(
        &self,
        feed: Feed,
        day: Option<Day>,
        wait: bool,
        report: Report,
    ) -> Result<Release> {
        // What is not local is not locked either.
        match newest_of(&self.cache(), feed, day) {
            Ok(None) => return Err(not_here(feed, day)),
            Err(why @ NoRelease::Io(_)) => return Err(no_release(&self.cache(), feed, &why)),
            Ok(Some(_)) | Err(NoRelease::Unusable(_)) => {}
        }
        let (lock, engine) = (self.take_lock(feed, wait).await?, self.clone());
        stoppable(move |stop| match newest_of(&engine.cache(), feed, day) {
            Ok(Some(release)) => engine.mend(&release, lock, Mend::Always, stop, &report),
            Ok(None) => Err(not_here(feed, day)),
            Err(NoRelease::Unusable(unusable)) => engine.remake(&unusable, lock, stop, &report),
            Err(why) => Err(no_release(&engine.cache(), feed, &why)),
        })
        .await
    }

    /// What [`Releases::open_local`] does, on a thread that may wait for the disk.
    pub(super) fn open_here(
        &self,
        feed: Feed,
        day: Option<Day>,
        stop: &StopFlag,
    ) -> Result<OpenRelease> {
        /// It may be replaced between reading its manifest and opening its index, more than once only by a tireless writer.
        const TRIES: usize = 4;
        let mut release = found(&self.cache(), feed, day)?;
        for _ in 0..TRIES {
            match self.indexes.open(&self.cache(), &release) {
                Ok(index) => return Ok(OpenRelease { release, index }),
                Err(NotOpened::Unfit(_)) => {}
                Err(why) => return Err(not_opened(&release, why)),
            }
            let again = found(&self.cache(), feed, day)?;
            if again == release {
                break;
            }
            release = again;
        }
        self.mended(&release, stop)
    }

    /// The release with an index that is fit, which is rebuilt if it must be.
    fn mended(&self, release: &Release, stop: &StopFlag) -> Result<OpenRelease> {
        // Another task may be building the same index.
        let feed_lock = lock_after_own(&self.cache(), release.manifest.feed, stop)?;
        let (report, rebuilding) = self.notices.begin_rebuild();
        let release = self.mend(release, feed_lock, Mend::IfUnfit, stop, &report)?;
        drop(rebuilding);
        let index = self.indexes.open(&self.cache(), &release);
        let index = index.map_err(|why| not_opened(&release, why))?;
        Ok(OpenRelease { release, index })
    }
}
