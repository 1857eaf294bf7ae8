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

    /// The day as people write it, with the window's time.
    #[must_use]
    pub fn dashed(self) -> String {
        match self {
            Self::Day(day) => day.dashed(),
            Self::Window(window) => format!("{} {}", window.day.dashed(), window.hhmm()),
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
    /// Its data. Where only the index was kept, that file is not there: [`Release::holds_data`].
    pub data: PathBuf,
}

impl Release {
    /// Its index, if its manifest names one.
    #[must_use]
    pub fn index(&self) -> Option<PathBuf> {
        let index = self.manifest.index.as_ref()?;
        Some(self.data.with_file_name(&index.file))
    }

    /// Whether its data is here, from which its index can be built anew.
    #[must_use]
    pub fn holds_data(&self) -> bool {
        self.data.is_file()
    }

    /// The name for another index of it, which is never that of the present one: readers may have just read the manifest.
    #[must_use]
    pub fn next_index(&self) -> String {
        let present = self.manifest.index.as_ref().map(|index| &*index.file);
        next_index(&self.manifest.file, present)
    }

    /// Bytes that it takes on this disk.
    #[must_use]
    pub fn size(&self) -> u64 {
        let files = [Some(self.data.clone()), self.index()];
        let lengths = files.into_iter().flatten().map(fs::metadata);
        lengths.flatten().map(|metadata| metadata.len()).sum()
    }
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
        for moment in self.moments(feed)? {
            match self.release(feed, form, moment) {
                Ok(Some(release)) => releases.push(release),
                Ok(None) => {}
                Err(why) => unusable.push(why),
            }
        }
        Ok((releases, unusable))
    }

    /// The moments that there are folders of, the newest first.
    ///
    /// # Errors
    /// A failure to read the cache.
    pub fn moments(&self, feed: Feed) -> io::Result<Vec<Moment>> {
        let entries = match fs::read_dir(self.feed_dir(feed)) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut moments = Vec::new();
        for entry in entries {
            moments.extend(entry?.file_name().to_str().and_then(Moment::parse));
        }
        moments.sort_by_key(|moment| std::cmp::Reverse(*moment));
        Ok(moments)
    }

    /// One release, if it is here.
    ///
    /// # Errors
    /// [`Unusable`] when its manifest cannot be read, is of another version, or does not fit its data. Data may be
    /// missing where there is an index.
    pub fn release(
        &self,
        feed: Feed,
        form: Format,
        moment: Moment,
    ) -> Result<Option<Release>, Unusable> {
        let dir = self.release_dir(feed, moment);
        let unusable = |path: &Path, why: String| Unusable {
            feed,
            form,
            moment,
            path: path.to_owned(),
            why,
        };
        let path = dir.join(Manifest::file_name(form));
        let Some(manifest) = Manifest::load(&path).map_err(|why| unusable(&path, why))? else {
            return Ok(None);
        };
        if (manifest.feed, manifest.moment) != (feed, moment) {
            let why = format!(
                "it is the manifest for {} {}",
                manifest.feed, manifest.moment
            );
            return Err(unusable(&path, why));
        }
        if manifest.form() != form {
            return Err(unusable(
                &path,
                format!("it is the manifest for {} data", form_name(manifest.form())),
            ));
        }
        let data = dir.join(&manifest.file);
        let length = match fs::metadata(&data) {
            Ok(metadata) => Some(metadata.len()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(unusable(&data, error.to_string())),
        };
        let release = Release { manifest, data };
        // An index answers without the data that it was built from.
        let answers = || release.index().is_some_and(|index| index.is_file());
        if length == Some(release.manifest.bytes) || (length.is_none() && answers()) {
            return Ok(Some(release));
        }
        let why = "its data is missing or not of the length that its manifest names";
        Err(unusable(&release.data, why.to_owned()))
    }

    /// Removes a release, for whoever holds the lock of its feed. Its manifest goes first, in one step: whatever happens then,
    /// it is no release any more, and what is left of it goes with the next publication. Gives the bytes that came free.
    ///
    /// # Errors
    /// A failure to remove.
    pub fn remove(&self, release: &Release, form: Format) -> io::Result<u64> {
        let manifest = &release.manifest;
        let dir = self.release_dir(manifest.feed, manifest.moment);
        let bytes = release.size();
        fs::remove_file(dir.join(Manifest::file_name(form)))?;
        fs::File::open(&dir)?.sync_all()?;
        for file in [Some(release.data.clone()), release.index()]
            .into_iter()
            .flatten()
        {
            is_removed(&file)?;
        }
        // It stays for the other form, and for what is not of this program.
        let _ = fs::remove_dir(&dir);
        Ok(bytes)
    }

    /// Removes all that is here of a moment, usable or not, for whoever holds the lock of its feed: the forms that it was
    /// here in, and the bytes that came free with each. What is not of this program stays.
    ///
    /// # Errors
    /// A failure to read or remove.
    pub fn remove_moment(&self, feed: Feed, moment: Moment) -> io::Result<Vec<(Format, u64)>> {
        let dir = self.release_dir(feed, moment);
        let mut removed = Vec::new();
        for (form, beginning) in [(Format::Json, "feed-"), (Format::Mmdb, "mmdb-")] {
            let was_release = is_removed(&dir.join(Manifest::file_name(form)))?;
            if was_release {
                fs::File::open(&dir)?.sync_all()?;
            }
            let bytes = remove_where(&dir, |name| name.starts_with(beginning))?;
            if was_release || bytes > 0 {
                removed.push((form, bytes));
            }
        }
        let _ = fs::remove_dir(&dir);
        Ok(removed)
    }

    /// Removes all that is partial of a feed, for whoever holds its lock. Gives the bytes that came free.
    ///
    /// # Errors
    /// A failure to read or remove.
    pub fn remove_partial(&self, feed: Feed) -> io::Result<u64> {
        match remove_where(&self.part_dir(feed), |_| true) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(0),
            other => other,
        }
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
        // An index that was being built begins anew.
        let is_useless = |name: &str| name.starts_with(UNNAMED) || name.contains(PARTIAL_INDEX);
        match remove_where(&self.part_dir(feed), is_useless) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
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
/// What the name of an index that is being built holds, and those of its scratch files.
pub const PARTIAL_INDEX: &str = ".idx";

/// The files that the manifests of a release's folder name, and these themselves; `None` when one cannot be read, since a
/// manifest of a newer version may name files that this version does not know.
fn named(dir: &Path) -> Option<Vec<String>> {
    let mut named = Vec::new();
    for form in [Format::Json, Format::Mmdb] {
        // Not knowing what a manifest names is a reason to remove nothing.
        if let Some(manifest) = Manifest::load(&dir.join(Manifest::file_name(form))).ok()? {
            named.extend([Manifest::file_name(form).to_owned(), manifest.file]);
            named.extend(manifest.index.map(|index| index.file));
        }
    }
    Some(named)
}

fn form_name(form: Format) -> &'static str {
    match form {
        Format::Json => "JSON",
        Format::Mmdb => "MMDB",
    }
}

/// The name of the index of this data, where that of the present one is taken.
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

/// Removes a file; whether it was there.
fn is_removed(file: &Path) -> io::Result<bool> {
    match fs::remove_file(file) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Removes the files of a folder whose names are meant; gives their bytes.
fn remove_where(dir: &Path, is_meant: impl Fn(&str) -> bool) -> io::Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if is_meant(&entry.file_name().to_string_lossy()) {
            let length = entry.metadata()?.len();
            fs::remove_file(entry.path())?;
            bytes += length;
        }
    }
    Ok(bytes)
}

/// Removes the files of a folder that begin in one of these ways and are not among the named ones.
fn remove_others(dir: &Path, named: &[String], beginnings: &[&str]) -> io::Result<()> {
    let is_meant = |name: &str| {
        beginnings.iter().any(|own| name.starts_with(own)) && !named.iter().any(|own| own == name)
    };
    remove_where(dir, is_meant).map(|_| ())
}
