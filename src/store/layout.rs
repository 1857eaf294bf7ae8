//! Where in the cache a release lies, and which releases there are.

use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
};

use super::manifest::{Manifest, Unusable};
use crate::{
    contract::{Feed, Format},
    model::{Day, Window},
};

/// Which release of a feed: that of a day, or a realtime window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Moment {
    /// A daily release.
    Day(Day),
    /// A realtime window.
    Window(Window),
}

impl Moment {
    /// The day on which it lies.
    #[must_use]
    pub fn day(self) -> Day {
        match self {
            Self::Day(day) => day,
            Self::Window(window) => window.day,
        }
    }

    /// Reads the name of a release's folder.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        match name.split_once('-') {
            None => Day::from_compact(name).map(Self::Day),
            Some((day, hhmm)) => Window::new(Day::from_compact(day)?, hhmm).map(Self::Window),
        }
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Day(day) => day.fmt(f),
            Self::Window(window) => f.pad(&format!("{}-{}", window.day, window.hhmm())),
        }
    }
}

/// The cache of downloaded feeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cache {
    root: PathBuf,
}

/// A release on this disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Release {
    /// Its manifest.
    pub manifest: Manifest,
    /// Its data.
    pub data: PathBuf,
}

impl Cache {
    /// The cache below the program's cache directory.
    #[must_use]
    pub fn new(cache_dir: &Path) -> Self {
        Self {
            root: cache_dir.join("feeds"),
        }
    }

    /// The folder of a feed.
    #[must_use]
    pub fn feed_dir(&self, feed: Feed) -> PathBuf {
        self.root.join(feed.name())
    }

    /// The folder of a release.
    #[must_use]
    pub fn release_dir(&self, feed: Feed, moment: Moment) -> PathBuf {
        self.feed_dir(feed).join(moment.to_string())
    }

    /// The folder of what is partial.
    #[must_use]
    pub fn part_dir(&self, feed: Feed) -> PathBuf {
        self.feed_dir(feed).join(".part")
    }

    /// The releases of a feed in one form, newest first. A folder whose manifest is missing is no release; one whose
    /// manifest cannot be used is reported beside them.
    ///
    /// # Errors
    /// A failure to read the cache.
    pub fn releases(&self, feed: Feed, form: Format) -> io::Result<(Vec<Release>, Vec<Unusable>)> {
        let (mut releases, mut unusable) = (Vec::new(), Vec::new());
        let entries = match fs::read_dir(self.feed_dir(feed)) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok((releases, unusable));
            }
            Err(error) => return Err(error),
        };
        for entry in entries {
            let entry = entry?;
            let Some(moment) = entry.file_name().to_str().and_then(Moment::parse) else {
                continue;
            };
            match self.release(feed, form, moment) {
                Ok(Some(release)) => releases.push(release),
                Ok(None) => {}
                Err(why) => unusable.push(why),
            }
        }
        releases.sort_by_key(|release| std::cmp::Reverse(release.manifest.moment));
        Ok((releases, unusable))
    }

    /// One release, if it is here.
    ///
    /// # Errors
    /// [`Unusable`] when its manifest cannot be read, is of another version, or does not fit its data.
    pub fn release(
        &self,
        feed: Feed,
        form: Format,
        moment: Moment,
    ) -> Result<Option<Release>, Unusable> {
        let dir = self.release_dir(feed, moment);
        let Some(manifest) = Manifest::load(&dir, form)? else {
            return Ok(None);
        };
        let data = dir.join(&manifest.file);
        let length = fs::metadata(&data).map(|metadata| metadata.len());
        if length.as_ref().ok() != Some(&manifest.bytes) {
            return Err(Unusable {
                path: data,
                why: "its data is missing or not of the length that its manifest names".to_owned(),
            });
        }
        Ok(Some(Release { manifest, data }))
    }

    /// The newest release of a feed in one form.
    ///
    /// # Errors
    /// A failure to read the cache.
    pub fn latest(&self, feed: Feed, form: Format) -> io::Result<Option<Release>> {
        Ok(self.releases(feed, form)?.0.into_iter().next())
    }

    /// Removes what publications that were cut off have left of a feed: data of ours that no manifest names, files that never
    /// got their name, folders that stayed empty. For whoever holds the lock of the feed.
    ///
    /// # Errors
    /// A failure to read or remove.
    pub fn sweep_unpublished(&self, feed: Feed) -> io::Result<()> {
        const OURS: [&str; 3] = ["feed-", "mmdb-", UNNAMED];
        for entry in fs::read_dir(self.feed_dir(feed))? {
            let name = entry?.file_name();
            let Some(moment) = name.to_str().and_then(Moment::parse) else {
                continue;
            };
            let dir = self.release_dir(feed, moment);
            if let Some(named) = named(&dir) {
                remove_others(&dir, &named, &OURS)?;
                // One that still holds something stays.
                let _ = fs::remove_dir(&dir);
            }
        }
        match remove_others(&self.part_dir(feed), &[], &[UNNAMED]) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            other => other,
        }
    }

    /// Removes what no manifest of a release's folder names: data whose publication was cut off, and what was replaced.
    ///
    /// # Errors
    /// A failure to read or remove.
    pub fn sweep(&self, feed: Feed, moment: Moment) -> io::Result<()> {
        let dir = self.release_dir(feed, moment);
        match named(&dir).map(|named| remove_others(&dir, &named, &[""])) {
            Some(Err(error)) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

/// What files begin with until they get their name.
pub const UNNAMED: &str = ".ipspect-";

/// The files that the manifests of a release's folder name, and these themselves; `None` when one cannot be read, since a
/// manifest of a newer version may name files that this version does not know.
fn named(dir: &Path) -> Option<Vec<String>> {
    let mut named = Vec::new();
    for form in [Format::Json, Format::Mmdb] {
        if let Some(manifest) = Manifest::load(dir, form).ok()? {
            named.extend([Manifest::file_name(form).to_owned(), manifest.file]);
        }
    }
    Some(named)
}

/// Removes the files of a folder that begin in one of these ways and are not among the named ones.
fn remove_others(dir: &Path, named: &[String], beginnings: &[&str]) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let meant = beginnings
            .iter()
            .any(|beginning| name.starts_with(beginning));
        if meant && !named.iter().any(|own| *own == name) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}
