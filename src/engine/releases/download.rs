//! Downloading a feed: a link, a part that can be resumed, a sink that checks, a release that appears whole.
//!
//! The feeds host answers with a redirect to a signed link that expires, so resuming always begins with asking it again.
//! Bytes go to `.part/NAME.part` while they come, are checked on the way (gzip members, lines) and indexed into
//! `.part/NAME.idx`; the journal beside them says to which file they belong. When all is there and right, part and index
//! get their final names and the manifest is written last. Dropping the future at any point leaves the part and its journal
//! for the next run.
//!
//! This file holds the request and the preparation; then `pull` takes over: `place` where it is partial, `journal` of which
//! file, `intake` the writing, `sink` the checks and the index, `release_day` which release it is, `publish` the end. This file
//! must never handle a byte of a feed itself.

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
    model::{FilePath, visible},
};

impl Releases {
    /// Downloads, verifies and publishes a release.
    ///
    /// # Errors
    /// Every kind that the network, the service and this machine can bring about; what has come so far stays for the
    /// next run, unless it was corrupt.
    pub async fn pull(&self, query: &PullQuery, report: Report) -> Result<Pulled> {
        let endpoint = self.endpoint_of(query).await?;
        let cache = self.claim()?;
        let part_dir = cache.part_dir(query.feed);
        let parts = cache.make(&part_dir).at("use", &part_dir)?;
        let lock = Arc::new(self.take_lock(query.feed, query.wait).await?);
        let left = left_after_sweep(&cache, query.feed);
        let place = PartFiles::of(parts, query);
        let mut pull = Pull::new(self, query, endpoint, cache, place, lock, report)?;
        pull.warnings.extend(left);
        pull.run().await
    }

    /// What to ask the feeds host for.
    async fn endpoint_of(&self, query: &PullQuery) -> Result<Endpoint> {
        let feed = query.feed;
        let resource = match (query.form, query.wanted) {
            (Format::Json, WantedRelease::Latest) => Resource::Latest(Format::Json),
            (Format::Json, WantedRelease::Day(day)) => Resource::Dated(day),
            (Format::Json, WantedRelease::Window(window)) => Resource::Window(window),
            (Format::Mmdb, WantedRelease::Latest) if feed.row().mmdb != MmdbForm::ByMetadata => {
                Resource::Latest(Format::Mmdb)
            }
            (Format::Mmdb, WantedRelease::Latest) => Resource::Located(self.mmdb_path(feed).await?),
            (Format::Mmdb, WantedRelease::Day(day)) if feed.row().mmdb == MmdbForm::ByMetadata => {
                Resource::Located(self.mmdb_path(feed).await?.on(day))
            }
            (Format::Mmdb, _) => {
                return Err(Error::new(
                    Kind::Usage,
                    format!("the feed {feed} has no MMDB form of that date or time"),
                )
                .hint("leave --mmdb out, or the date and time"));
            }
        };
        Ok(Endpoint::of_feed(feed, resource)?)
    }

    /// Where the metadata says that the MMDB form is (contract, part 2.8).
    async fn mmdb_path(&self, feed: Feed) -> Result<FilePath> {
        let metadata = self.live.feed_metadata(feed).await?;
        let release = metadata.value.mmdb.is().ok_or_else(|| {
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
