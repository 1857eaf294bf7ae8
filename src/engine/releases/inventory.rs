//! What is local of a feed, usable or not. It reads manifests only, and changes nothing.

use std::{collections::HashMap, io, path::PathBuf};

use super::{PartialDownload, Releases, unusable::cannot_be_used};
use crate::{
    contract::{Feed, Format},
    engine::error::{Error, ErrorContext, Kind, Result},
    model::Day,
    store::{
        Folder, Moment,
        layout::Release,
        owner::{self, OwnerMark},
        space::free_space,
    },
};

/// What is local of a feed.
#[derive(Debug, Default)]
pub struct Inventory {
    /// The usable releases, JSON before MMDB, the newest first.
    pub releases: Vec<Release>,
    /// What is there and cannot be used, in words.
    pub unusable: Vec<String>,
    /// Why the newest release of a form cannot answer.
    pub faults: Vec<(Format, Error)>,
    /// What kept the releases of a form from being listed.
    pub unlisted: Vec<io::Error>,
}

/// All that is local.
#[derive(Clone, Debug, Default)]
pub struct OnDisk {
    /// Every usable release, newest first within a feed.
    pub releases: Vec<Release>,
    /// What is there of a feed and cannot be used, in words.
    pub unusable: Vec<(Feed, String)>,
    /// The feeds whose newest JSON release is among that.
    pub faulty: Vec<Feed>,
    /// The downloads that are not complete.
    pub parts: Vec<PartialDownload>,
    /// Bytes free.
    pub free: Option<u64>,
    /// Where the parts of each feed are while they come.
    pub part_dirs: HashMap<Feed, PathBuf>,
}

impl Releases {
    /// All that is local, usable or not. Reads manifests only.
    ///
    /// # Errors
    /// A failure to read the releases.
    pub fn on_disk(&self) -> Result<OnDisk> {
        let cache = self.cache();
        let mut found = OnDisk {
            free: free_space(&self.settings.paths.cache),
            ..OnDisk::default()
        };
        for feed in Feed::all() {
            let inventory = self.inventory(feed);
            let faults = inventory.faults.into_iter();
            for (_, error) in faults.filter(|(form, _)| *form == Format::Json) {
                match error.kind {
                    Kind::Integrity => found.faulty.push(feed),
                    _ => return Err(error),
                }
            }
            if let Some(error) = inventory.unlisted.first() {
                return Err(Error::machine("read the cache", error));
            }
            found.releases.extend(inventory.releases);
            let unusable = inventory.unusable.into_iter();
            found.unusable.extend(unusable.map(|why| (feed, why)));
            found.parts.extend(self.parts(feed)?);
            found.part_dirs.insert(feed, cache.part_dir(feed));
        }
        Ok(found)
    }

    /// What is local of a feed, usable or not. Reads manifests only.
    #[must_use]
    pub fn inventory(&self, feed: Feed) -> Inventory {
        let mut inventory = Inventory::default();
        for form in [Format::Json, Format::Mmdb] {
            let cache = self.cache();
            let found = match cache.newest_first(feed, form, |_| true) {
                Ok(found) => found,
                Err(error) => {
                    let fault = Error::machine_at("read", cache.feed_dir(feed), &error);
                    inventory.faults.push((form, fault));
                    inventory.unlisted.push(error);
                    continue;
                }
            };
            for (at, found) in found.into_iter().enumerate() {
                match found {
                    Ok(release) => inventory.releases.push(release),
                    Err(why) => {
                        inventory.unusable.push(why.to_string());
                        if at == 0 {
                            inventory.faults.push((form, cannot_be_used(&why)));
                        }
                    }
                }
            }
        }
        inventory
    }

    /// The days and windows of which something of a feed is local, usable or not, the last first.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn moments(&self, feed: Feed) -> Result<Vec<Moment>> {
        let cache = self.cache();
        cache.moments(feed).at("read", cache.feed_dir(feed))
    }

    /// The day of the newest release of a feed, usable or not; else the last day of which anything is local.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn latest_day(&self, feed: Feed) -> Result<Option<Day>> {
        let newest = match self.newest_moment(feed, None)? {
            None => self.moments(feed)?.into_iter().next(),
            newest => newest,
        };
        Ok(newest.map(Moment::day))
    }

    /// The number of downloads of a feed that are not complete.
    ///
    /// # Errors
    /// What keeps their folder from being read.
    pub fn count_partial(&self, feed: Feed) -> io::Result<usize> {
        let part_dir = self.cache().part_dir(feed);
        let folder = Folder::reach(&self.settings.paths.cache, &part_dir);
        match folder.and_then(|folder| folder.names()) {
            Ok(names) => {
                let names = names.iter();
                Ok(names
                    .filter(|name| name.as_encoded_bytes().ends_with(b".part"))
                    .count())
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(0),
            Err(error) => Err(error),
        }
    }

    /// To which service the local releases belong, as far as the file that names it can be believed.
    #[must_use]
    pub fn mark(&self) -> OwnerMark {
        owner::mark(&self.settings.paths.cache)
    }
}
