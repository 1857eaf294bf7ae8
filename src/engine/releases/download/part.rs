//! The received part of an incomplete download, as its journal describes it.

use super::{
    journal::{Journal, LARGEST},
    part_files::PartFiles,
    query::PullQuery,
};
use crate::{
    contract::Feed,
    engine::error::{ErrorContext, Result},
    store::{Cache, Folder, Moment},
};

/// A download that is not complete and can be resumed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialDownload {
    pub query: PullQuery,
    /// The release that it is of.
    pub moment: Moment,
    /// Bytes received.
    pub bytes: u64,
    /// Bytes in all, where the service named them.
    pub total: Option<u64>,
}

impl PartialDownload {
    /// Removes the received part of a download, if there is one. The caller holds the lock of the feed.
    ///
    /// # Errors
    /// A failure to remove.
    pub(in crate::engine::releases) fn remove(cache: &Cache, query: &PullQuery) -> Result<()> {
        let dir = cache.part_dir(query.feed);
        match cache.open(&dir).at("use", &dir)? {
            Some(folder) => PartFiles::of(folder, query).remove(),
            None => Ok(()),
        }
    }

    /// The part of this name in the folder of a feed's parts; none for another file, and for one that no journal of this service
    /// names.
    pub(in crate::engine::releases) fn of(
        cache: &Cache,
        folder: &Folder,
        feed: Feed,
        name: &str,
    ) -> Option<Self> {
        let stem = name.strip_suffix(".part")?;
        let query = PullQuery::of_file_name(feed, stem)?;
        // Without a readable journal the download starts over, so nothing counts as received.
        let journal = folder
            .read(format!("{stem}.json"), LARGEST)
            .ok()
            .flatten()?;
        let journal = Journal::read(&journal).ok()?;
        let service = cache.service().unwrap_or_default();
        let is_own = journal.feed == feed.name() && journal.url.starts_with(service);
        let stat = folder.stat(name).ok().flatten().filter(|_| is_own)?;
        Some(Self {
            query,
            moment: Moment::parse(&journal.moment)?,
            bytes: u64::try_from(stat.st_size).unwrap_or_default(),
            total: journal.total,
        })
    }
}
