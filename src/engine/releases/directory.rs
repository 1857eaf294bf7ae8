//! The directory of the releases of a service: the newest of a feed, and writing the manifest that makes files a release.

use super::{
    Releases,
    unusable::{no_release, not_here},
};
use crate::{
    contract::{Feed, Format},
    engine::error::{ErrorContext, Result},
    model::Day,
    store::{Cache, Manifest, NoRelease, folder::Durability, layout::Release},
};

impl Releases {
    /// The local releases of the service of this run.
    #[must_use]
    pub fn cache(&self) -> Cache {
        let service = self.settings.feeds_service();
        service.cache(&self.settings.paths.cache)
    }
}

/// Writes the manifest of a release, whole or not at all, and waits until it is on the disk.
pub(super) fn write_manifest(cache: &Cache, manifest: &Manifest) -> Result<()> {
    let dir = cache.release_dir(manifest.feed, manifest.moment);
    let name = Manifest::file_name(manifest.form());
    let text = manifest.text();
    let written = cache
        .make(&dir)
        .and_then(|folder| folder.replace(name, text.as_bytes(), Durability::Synced));
    written.at("write", dir.join(name))
}

/// The release of a day, else the newest, of a feed. What cannot be used is an error, whatever older releases there are.
pub(super) fn found(cache: &Cache, feed: Feed, day: Option<Day>) -> Result<Release> {
    let found = newest_of(cache, feed, day).map_err(|why| no_release(cache, feed, &why))?;
    found.ok_or_else(|| not_here(feed, day))
}

/// The newest release of a day, else of all.
pub(super) fn newest_of(
    cache: &Cache,
    feed: Feed,
    day: Option<Day>,
) -> Result<Option<Release>, NoRelease> {
    cache.newest(feed, Format::Json, |moment| {
        day.is_none_or(|day| day == moment.day())
    })
}
