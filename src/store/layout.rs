//! The layout of the cache, and the list of its releases.
//!
//! No link is followed below the cache directory: the target of a link is never read as data of this program, written or removed.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use rustix::fs::{FileType, Stat};

use super::{
    folder::{Folder, Unsafe, if_there},
    manifest::{Manifest, Unusable},
    moment::Moment,
};
use crate::contract::{Feed, Format};

/// The local releases of one service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cache {
    /// The cache directory. May be reached through links.
    root: PathBuf,
    /// Its folder for the feeds of the service.
    feeds: PathBuf,
    /// The service of the releases in it; `None` accepts any.
    service: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Release {
    pub manifest: Manifest,
    /// Its data file. Does not exist if only the index was kept: [`Release::holds_data`].
    pub data: PathBuf,
}

impl Release {
    /// Its index, if the manifest names one.
    #[must_use]
    pub fn index(&self) -> Option<PathBuf> {
        let index = self.manifest.index.as_ref()?;
        Some(self.data.with_file_name(&index.file))
    }

    /// The length of its index, if it has one.
    #[must_use]
    pub fn index_bytes(&self) -> Option<u64> {
        self.manifest.index.as_ref().map(|index| index.bytes)
    }

    /// Whether its feed file is local, so that the index can be rebuilt.
    #[must_use]
    pub fn holds_data(&self) -> bool {
        // Unreadable data counts as missing: its users report the error.
        fs::symlink_metadata(&self.data).is_ok_and(|metadata| metadata.is_file())
    }

    /// A name for a new index. Never that of the current one, since readers may have just read the manifest.
    #[must_use]
    pub fn next_index(&self) -> String {
        let present = self.manifest.index.as_ref().map(|index| &*index.file);
        next_index(&self.manifest.file, present)
    }

    /// Its size on disk, in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        let files = [Some(self.data.clone()), self.index()];
        let lengths = files.into_iter().flatten().map(fs::symlink_metadata);
        // A file without a readable size counts as 0. The retention rule then removes less, never more.
        lengths.flatten().map(|metadata| metadata.len()).sum()
    }
}

impl Cache {
    /// The folder `feeds` of a cache directory, for releases of any service.
    #[must_use]
    pub fn new(cache_dir: &Path) -> Self {
        Self::of_service(cache_dir, FEEDS, None)
    }

    /// A named folder of a cache directory, for the releases of one service.
    pub(super) fn of_service(cache_dir: &Path, name: &str, service: Option<String>) -> Self {
        Self {
            root: cache_dir.to_owned(),
            feeds: cache_dir.join(name),
            service,
        }
    }

    /// The folder of the service's feeds.
    #[must_use]
    pub fn feeds_dir(&self) -> &Path {
        &self.feeds
    }

    /// The service of the releases in it; `None` accepts any.
    #[must_use]
    pub fn service(&self) -> Option<&str> {
        self.service.as_deref()
    }

    #[must_use]
    pub fn feed_dir(&self, feed: Feed) -> PathBuf {
        self.feeds.join(feed.name())
    }

    #[must_use]
    pub fn release_dir(&self, feed: Feed, moment: Moment) -> PathBuf {
        self.feed_dir(feed).join(moment.to_string())
    }

    /// The folder of partial downloads.
    #[must_use]
    pub fn part_dir(&self, feed: Feed) -> PathBuf {
        self.feed_dir(feed).join(PART)
    }

    /// Opens a folder of this cache, if it exists.
    ///
    /// # Errors
    /// [`Unsafe::Link`] for a link on the way; a failure to open it.
    pub fn open(&self, dir: &Path) -> io::Result<Option<Folder>> {
        if_there(Folder::reach(&self.root, dir))
    }

    /// Opens a file in a folder of this cache for reading.
    ///
    /// # Errors
    /// [`Unsafe`] for a link, also on the way, and for anything but a regular file; a failure to open it.
    pub fn open_file(&self, path: &Path) -> io::Result<File> {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        Folder::reach(&self.root, folder)?.open(name)
    }

    /// Opens a folder of this cache. Creates it if missing.
    ///
    /// # Errors
    /// As [`Cache::open`].
    pub fn make(&self, dir: &Path) -> io::Result<Folder> {
        Folder::make(&self.root, dir)
    }

    /// The moments that have a folder, the latest day or window first. A link in place of a folder counts: it is an unusable release.
    ///
    /// # Errors
    /// A failure to read the cache.
    pub fn moments(&self, feed: Feed) -> io::Result<Vec<Moment>> {
        self.moments_if(feed, |_| true)
    }

    /// Those of them that `is_meant` accepts. Of the others not even the folder is looked at: there may be hundreds.
    pub(super) fn moments_if(
        &self,
        feed: Feed,
        is_meant: impl Fn(Moment) -> bool,
    ) -> io::Result<Vec<Moment>> {
        let Some(folder) = self.open(&self.feed_dir(feed))? else {
            return Ok(Vec::new());
        };
        let mut moments = Vec::new();
        for name in folder.names()? {
            let moment = name.to_str().and_then(Moment::parse);
            let Some(moment) = moment.filter(|moment| is_meant(*moment)) else {
                continue;
            };
            let kind = folder.stat(&name)?.as_ref().map(kind_of);
            if matches!(kind, Some(FileType::Directory | FileType::Symlink)) {
                moments.push(moment);
            }
        }
        moments.sort_by_key(|moment| std::cmp::Reverse(*moment));
        Ok(moments)
    }

    /// One release, if it is local.
    ///
    /// # Errors
    /// [`Unusable`] if its manifest is unusable, is for another release, or does not match its data. The data may be missing if
    /// there is an index.
    pub fn release(
        &self,
        feed: Feed,
        form: Format,
        moment: Moment,
    ) -> Result<Option<Release>, Unusable> {
        let dir = self.release_dir(feed, moment);
        let unusable = |path: PathBuf, why: String| Unusable {
            feed,
            form,
            moment,
            path,
            why,
            manifest: None,
        };
        let folder = match self.open(&dir) {
            Ok(Some(folder)) => folder,
            Ok(None) => return Ok(None),
            Err(error) => return Err(unusable(dir, error.to_string())),
        };
        let path = dir.join(Manifest::file_name(form));
        let manifest = Manifest::load(&folder, form);
        let Some(manifest) = manifest.map_err(|why| unusable(path.clone(), why))? else {
            return Ok(None);
        };
        if let Some(why) = self.mismatch(&manifest, feed, form, moment) {
            return Err(unusable(path, why));
        }
        let data = dir.join(&manifest.file);
        let release = Release { manifest, data };
        let unusable = |path: PathBuf, why: String| Unusable {
            manifest: Some(Box::new(release.manifest.clone())),
            ..unusable(path, why)
        };
        let length = file_length(&folder, &release.manifest.file);
        let length = length.map_err(|error| unusable(release.data.clone(), error.to_string()))?;
        // An index can be used without the data that it was built from.
        if length == Some(release.manifest.bytes)
            || (length.is_none()
                && release
                    .has_index(&folder)
                    .map_err(|why| unusable(dir, why))?)
        {
            return Ok(Some(release));
        }
        let why = "its data is missing or differs in length from its manifest";
        Err(unusable(release.data.clone(), why.to_owned()))
    }

    /// Why a manifest does not belong to its folder, if so.
    pub(super) fn mismatch(
        &self,
        manifest: &Manifest,
        feed: Feed,
        form: Format,
        moment: Moment,
    ) -> Option<String> {
        if (manifest.feed, manifest.moment) != (feed, moment) {
            let (feed, moment) = (manifest.feed, manifest.moment.dashed());
            return Some(format!("it is the manifest for {feed} {moment}"));
        }
        if manifest.form() != form {
            let form = match manifest.form() {
                Format::Json => "JSON",
                Format::Mmdb => "MMDB",
            };
            return Some(format!("it is the manifest for {form} data"));
        }
        let service = self.service.as_ref()?;
        (manifest.feeds_url != *service).then(|| {
            format!(
                "it was pulled from {}; this folder belongs to {service}",
                manifest.feeds_url
            )
        })
    }
}

impl Release {
    /// Whether the folder has the file of its index.
    fn has_index(&self, folder: &Folder) -> Result<bool, String> {
        let Some(index) = &self.manifest.index else {
            return Ok(false);
        };
        let length = file_length(folder, &index.file).map_err(|error| error.to_string())?;
        Ok(length.is_some())
    }
}

/// The length of a file, if it exists; anything but a regular file is an error.
fn file_length(folder: &Folder, name: &str) -> io::Result<Option<u64>> {
    let Some(stat) = folder.stat(name)? else {
        return Ok(None);
    };
    match kind_of(&stat) {
        FileType::RegularFile => Ok(Some(u64::try_from(stat.st_size).unwrap_or_default())),
        FileType::Symlink => Err(Unsafe::Link.into()),
        _ => Err(Unsafe::NotAFile.into()),
    }
}

/// The type of a directory entry.
pub(super) fn kind_of(stat: &Stat) -> FileType {
    FileType::from_raw_mode(stat.st_mode)
}

/// The folder of feeds for the first service.
pub(super) const FEEDS: &str = "feeds";
/// The folder of partial downloads, in the folder of a feed.
pub(super) const PART: &str = ".part";
/// A part of the name of an index under construction and of its scratch files.
pub const PARTIAL_INDEX: &str = ".idx";

/// The name of an index of this data that differs from the current one.
#[must_use]
pub fn next_index(data: &str, present: Option<&str>) -> String {
    let stem = data.split('.').next().unwrap_or_default();
    let name = format!("{stem}.idx");
    if present == Some(&*name) {
        format!("{stem}-b.idx")
    } else {
        name
    }
}
