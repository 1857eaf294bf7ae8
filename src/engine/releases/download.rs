//! Downloads a feed: a link, a resumable part, a sink that checks it, and an atomic publication.
//!
//! The feeds host answers with a redirect to a signed link that expires, so resuming always begins with asking it again.
//! Bytes go to `.part/NAME.part` while they come, are checked on the way (gzip members, lines) and indexed into
//! `.part/NAME.idx`; the journal beside them says to which file they belong. After all checks part and index get
//! their final names, and the manifest is written last. Dropping the future at any point keeps the part and its journal for the
//! next run.
//!
//! This file prepares the request; then `pull` takes over. `part_files` names the partial files, `journal` identifies the file,
//! `intake` writes, `sink` checks and indexes, `release_day` dates the release, and `publish` ends the download.

mod intake;
mod journal;
mod part;
mod part_files;
mod publish;
mod pull;
mod query;
mod release_day;
mod sink;

use std::sync::Arc;

pub use self::{
    part::PartialDownload,
    query::{PullQuery, Pulled, WantedRelease},
};
use self::{part_files::PartFiles, pull::Pull};
use super::{Releases, lock::left_after_sweep};
use crate::{
    contract::{Endpoint, Feed, Format, Resource, catalog::MmdbForm},
    engine::{
        error::{Error, ErrorContext, Kind, Result},
        progress::Report,
    },
    model::{FeedMetadata, FilePath, visible},
};

impl Releases {
    /// Downloads, verifies and publishes a release.
    ///
    /// # Errors
    /// Every kind of failure of the network, the service and this machine; the received part stays for the next run, unless it
    /// was corrupt.
    pub async fn pull(&self, query: &PullQuery, report: Report) -> Result<Pulled> {
        let (endpoint, metadata) = self.endpoint_of(query).await?;
        let cache = self.claim()?;
        let part_dir = cache.part_dir(query.feed);
        let parts = cache.make(&part_dir).at("use", &part_dir)?;
        let lock = Arc::new(self.take_lock(query.feed, query.wait).await?);
        let left = left_after_sweep(&cache, query.feed, self.settings.now());
        let place = PartFiles::of(parts, query);
        let mut pull = Pull::new(self, query, endpoint, cache, place, lock, report)?;
        pull.warnings.extend(left);
        pull.metadata = metadata;
        let mut pulled = pull.run().await?;
        // The release is there, whether that is kept or not.
        if let Err(error) = self.note_pulled(&pulled.release) {
            pulled.warnings.push(error.message);
        }
        Ok(pulled)
    }

    /// The endpoint of a download, and the metadata if that had to be read for it.
    async fn endpoint_of(&self, query: &PullQuery) -> Result<(Endpoint, Option<FeedMetadata>)> {
        let feed = query.feed;
        let mut metadata = None;
        let resource = match (query.form, query.wanted) {
            (Format::Json, WantedRelease::Latest) => Resource::Latest(Format::Json),
            (Format::Json, WantedRelease::Day(day)) => Resource::Dated(day),
            (Format::Json, WantedRelease::Window(window)) => Resource::Window(window),
            (Format::Mmdb, WantedRelease::Latest) if feed.row().mmdb != MmdbForm::ByMetadata => {
                Resource::Latest(Format::Mmdb)
            }
            (Format::Mmdb, WantedRelease::Latest) => {
                Resource::Located(self.mmdb_path(feed, &mut metadata).await?)
            }
            (Format::Mmdb, WantedRelease::Day(day)) if feed.row().mmdb == MmdbForm::ByMetadata => {
                Resource::Located(self.mmdb_path(feed, &mut metadata).await?.on(day))
            }
            (Format::Mmdb, _) => {
                return Err(Error::new(
                    Kind::Usage,
                    format!("the feed {feed} has no MMDB form of that date or time"),
                )
                .hint("leave --mmdb out, or the date and time"));
            }
        };
        Ok((Endpoint::of_feed(feed, resource)?, metadata))
    }

    /// The location of the MMDB form in the metadata (contract, part 2.8), which is read for it.
    async fn mmdb_path(&self, feed: Feed, metadata: &mut Option<FeedMetadata>) -> Result<FilePath> {
        let metadata = metadata.insert(self.live.feed_metadata(feed).await?.value);
        let release = metadata.mmdb.is().ok_or_else(|| {
            Error::new(
                Kind::NotFound,
                format!("the metadata of {feed} names no MMDB form"),
            )
            .hint("the service may still be building it")
        })?;
        let location = release.location.text().unwrap_or_default();
        FilePath::parse(location).ok_or_else(|| {
            let shown = visible(location);
            Error::faulty(format!(
                "the metadata of {feed} names {shown:?}, which is not a dated file"
            ))
        })
    }
}
