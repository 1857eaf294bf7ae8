//! Removes local files: releases, partial downloads, and leftovers of interrupted publications.
//!
//! It must never remove a file that this program did not write, follow a link, or touch a folder with an unreadable manifest,
//! unless the user names that release. The caller must hold the lock of the feed.

use std::{
    ffi::{OsStr, OsString},
    io,
};

use rustix::{fs::FileType, io::Errno};

use super::{
    Cache, Folder, Manifest, Moment,
    folder::TEMPORARY,
    layout::{PART, PARTIAL_INDEX, Release, kind_of},
};
use crate::contract::{Feed, Format};

/// The prefixes of file names in a release's folder.
const OURS: [&str; 3] = ["feed-", "mmdb-", TEMPORARY];

impl Cache {
    /// Removes a release; returns the bytes freed. The manifest is removed first, atomically; without it
    /// the release no longer exists, and the next publication removes any files that an interruption leaves.
    ///
    /// # Errors
    /// A failure to remove.
    pub fn remove(&self, release: &Release, form: Format) -> io::Result<u64> {
        let manifest = &release.manifest;
        let (feed, moment) = (manifest.feed, manifest.moment);
        let Some(folder) = self.open(&self.release_dir(feed, moment))? else {
            return Ok(0);
        };
        let bytes = release.size();
        folder.remove(Manifest::file_name(form))?;
        folder.sync()?;
        folder.remove(&manifest.file)?;
        if let Some(index) = &manifest.index {
            folder.remove(&index.file)?;
        }
        self.remove_if_empty(feed, moment)?;
        Ok(bytes)
    }

    /// Removes everything of a moment, usable or not; returns the removed forms, each with the bytes freed. If a link is in place
    /// of the folder, only the link is removed. Files of other programs stay.
    ///
    /// # Errors
    /// A failure to read or remove.
    pub fn remove_moment(&self, feed: Feed, moment: Moment) -> io::Result<Vec<(Format, u64)>> {
        let Some(parent) = self.open(&self.feed_dir(feed))? else {
            return Ok(Vec::new());
        };
        let name = moment.to_string();
        match parent.stat(&name)?.as_ref().map(kind_of) {
            Some(FileType::Directory) => {}
            Some(FileType::Symlink) => {
                parent.remove(&name)?;
                return Ok(vec![(Format::Json, 0)]);
            }
            _ => return Ok(Vec::new()),
        }
        let folder = parent.enter(&name)?;
        let mut removed = Vec::new();
        for (form, beginning) in [(Format::Json, "feed-"), (Format::Mmdb, "mmdb-")] {
            let manifest = Manifest::file_name(form);
            let was_release = match folder.stat(manifest)?.as_ref().map(kind_of) {
                // Not written by this program, and not a manifest.
                Some(FileType::Directory) => folder.remove_folder(manifest)?,
                _ => folder.remove(manifest)?,
            };
            if was_release {
                folder.sync()?;
            }
            let bytes = remove_where(&folder, |name| name.starts_with(beginning))?;
            if was_release || bytes > 0 {
                removed.push((form, bytes));
            }
        }
        remove_where(&folder, |name| name.starts_with(TEMPORARY))?;
        self.remove_if_empty(feed, moment)?;
        Ok(removed)
    }

    /// Removes the partial downloads of a feed; returns the bytes freed.
    ///
    /// # Errors
    /// A failure to read or remove.
    pub fn remove_partial(&self, feed: Feed) -> io::Result<u64> {
        let Some(parent) = self.open(&self.feed_dir(feed))? else {
            return Ok(0);
        };
        match parent.stat(PART)?.as_ref().map(kind_of) {
            None => Ok(0),
            Some(FileType::Symlink) => parent.remove(PART).map(|_| 0),
            Some(_) => remove_where(&parent.enter(PART)?, |_| true),
        }
    }

    /// Removes the leftovers of interrupted publications of a feed: data that no manifest names, temporary files, empty folders.
    ///
    /// # Errors
    /// A failure to read or remove.
    pub fn sweep_unpublished(&self, feed: Feed) -> io::Result<()> {
        for moment in self.moments(feed)? {
            self.sweep(feed, moment)?;
        }
        // An unfinished index is rebuilt from the start.
        let is_useless = |name: &str| name.starts_with(TEMPORARY) || name.contains(PARTIAL_INDEX);
        match self.open(&self.part_dir(feed))? {
            Some(part) => remove_where(&part, is_useless).map(drop),
            None => Ok(()),
        }
    }

    /// Removes files of a release's folder that no manifest names: data of interrupted publications, and replaced files. Leaves a
    /// folder with an unreadable manifest, and a link in place of the folder, unchanged.
    ///
    /// # Errors
    /// A failure to read or remove.
    pub fn sweep(&self, feed: Feed, moment: Moment) -> io::Result<()> {
        let Some(parent) = self.open(&self.feed_dir(feed))? else {
            return Ok(());
        };
        let stat = parent.stat(moment.to_string())?;
        if stat.as_ref().map(kind_of) != Some(FileType::Directory) {
            return Ok(());
        }
        let folder = parent.enter(moment.to_string())?;
        let Some(named) = self.named(&folder, feed, moment) else {
            return Ok(());
        };
        remove_where(&folder, |name| {
            OURS.iter().any(|text| name.starts_with(text)) && !named.iter().any(|text| text == name)
        })?;
        self.remove_if_empty(feed, moment)
    }

    /// The files that the manifests of a release's folder name, and the manifests; `None` if one is unreadable or is for another
    /// release, so that the files of the release are unknown.
    fn named(&self, folder: &Folder, feed: Feed, moment: Moment) -> Option<Vec<String>> {
        let mut named = Vec::new();
        for form in [Format::Json, Format::Mmdb] {
            // An unreadable manifest is a reason to remove nothing.
            if let Some(manifest) = Manifest::load(folder, form).ok()? {
                if self.mismatch(&manifest, feed, form, moment).is_some() {
                    return None;
                }
                named.extend([Manifest::file_name(form).to_owned(), manifest.file]);
                named.extend(manifest.index.map(|index| index.file));
            }
        }
        Some(named)
    }

    /// Removes the folder of a moment, unless it still has files: of the other form, or of another program.
    fn remove_if_empty(&self, feed: Feed, moment: Moment) -> io::Result<()> {
        let Some(parent) = self.open(&self.feed_dir(feed))? else {
            return Ok(());
        };
        match parent.remove_folder(moment.to_string()) {
            Err(error) if is_not_empty(&error) => Ok(()),
            removed => removed.map(drop),
        }
    }
}

fn is_not_empty(error: &io::Error) -> bool {
    let errno = Errno::from_io_error(error);
    matches!(errno, Some(Errno::NOTEMPTY | Errno::EXIST))
}

/// Removes the files whose names `is_meant` accepts, and links without their targets; returns the bytes freed.
pub(super) fn remove_where(folder: &Folder, is_meant: impl Fn(&str) -> bool) -> io::Result<u64> {
    let mut bytes = 0;
    let meant = |name: &OsString| is_meant(&OsStr::new(name).to_string_lossy());
    for name in folder.names()?.into_iter().filter(meant) {
        let Some(stat) = folder.stat(&name)? else {
            continue;
        };
        if folder.remove(&name)? && kind_of(&stat) == FileType::RegularFile {
            bytes += u64::try_from(stat.st_size).unwrap_or_default();
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink, path::Path};

    use jiff::Timestamp;

    use super::*;
    use crate::store::DaySource;

    const FEED: Feed = Feed::Anonymous;

    fn moment(day: &str) -> Moment {
        Moment::parse(day).expect("moment")
    }

    fn release(cache: &Cache, day: &str) -> Release {
        let dir = cache.release_dir(FEED, moment(day));
        fs::create_dir_all(&dir).expect("directory");
        let (file, target) = ("feed-1.json.gz".to_owned(), "/v2/x".to_owned());
        fs::write(dir.join(&file), day).expect("data");
        let (source, hash) = (DaySource::Header, "00".to_owned());
        let now = Timestamp::UNIX_EPOCH;
        let data = dir.join(&file);
        let moment = moment(day);
        let manifest = Manifest::new(FEED, moment, source, false, file, 8, hash, target, now);
        fs::write(dir.join("feed.json"), manifest.text()).expect("manifest");
        Release { manifest, data }
    }

    fn names(dir: &Path) -> Vec<String> {
        let entries = fs::read_dir(dir).expect("directory").flatten();
        let mut names: Vec<String> = entries
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn sweeping_removes_what_no_manifest_names_and_nothing_of_others() {
        let root = tempfile::tempdir().expect("directory");
        let cache = Cache::new(root.path());
        let kept = release(&cache, "20261120");
        let dir = cache.release_dir(FEED, kept.manifest.moment);
        fs::write(dir.join("feed-0.json.gz"), "old").expect("write");
        fs::write(dir.join("notes.txt"), "mine").expect("write");
        let empty = cache.release_dir(FEED, moment("20261119"));
        fs::create_dir(&empty).expect("directory");
        let unread = cache.release_dir(FEED, moment("20261118"));
        let copied = cache.release_dir(FEED, moment("20261117"));
        for (dir, text) in [(&unread, "{"), (&copied, &*kept.manifest.text())] {
            fs::create_dir(dir).expect("directory");
            for name in ["feed.json", "feed-0.json.gz"] {
                fs::write(dir.join(name), text).expect("write");
            }
        }
        cache.sweep_unpublished(FEED).expect("swept");
        assert_eq!(names(&dir), ["feed-1.json.gz", "feed.json", "notes.txt"]);
        assert!(!empty.exists());
        for dir in [unread, copied] {
            assert_eq!(names(&dir), ["feed-0.json.gz", "feed.json"]);
        }
        cache
            .sweep(FEED, moment("20260101"))
            .expect("nothing there");
    }

    #[test]
    fn no_link_is_followed() {
        let root = tempfile::tempdir().expect("directory");
        let outside = tempfile::tempdir().expect("directory");
        let cache = Cache::new(root.path());
        let whole = release(&cache, "20261119");
        let target = outside.path().join("precious");
        fs::create_dir(&target).expect("directory");
        for name in [
            "feed-0.json.gz",
            "feed.json",
            "x.part",
            "latest.json.gz.idx",
        ] {
            fs::write(target.join(name), "precious").expect("write");
        }
        let before = names(&target);
        let day = cache.release_dir(FEED, moment("20261120"));
        symlink(&target, &day).expect("link");
        symlink(&target, cache.part_dir(FEED)).expect("link");
        assert!(
            cache
                .release(FEED, Format::Json, moment("20261120"))
                .is_err()
        );
        assert!(cache.latest(FEED, Format::Json).is_err());
        assert!(cache.sweep_unpublished(FEED).is_err(), "of the part");
        cache.sweep(FEED, moment("20261120")).expect("passed over");
        assert!(cache.make(&day).is_err() && cache.make(&cache.part_dir(FEED)).is_err());
        let removed = cache.remove_moment(FEED, moment("20261120"));
        assert_eq!(removed.expect("the link"), [(Format::Json, 0)]);
        assert_eq!(cache.remove_partial(FEED).expect("the link"), 0);
        assert!(day.symlink_metadata().is_err());
        // A link in place of a release's file is not followed.
        fs::rename(&whole.data, target.join("data")).expect("moved");
        symlink(target.join("data"), &whole.data).expect("link");
        assert!(
            cache
                .release(FEED, Format::Json, moment("20261119"))
                .is_err()
        );
        let removed = cache.remove_moment(FEED, moment("20261119"));
        assert_eq!(removed.expect("removed"), [(Format::Json, 0)]);
        assert_eq!(fs::read(target.join("data")).expect("data"), b"20261119");
        // The folder of a feed.
        fs::remove_dir_all(cache.feed_dir(FEED)).expect("removed");
        symlink(&target, cache.feed_dir(FEED)).expect("link");
        assert!(cache.moments(FEED).is_err() && cache.remove_partial(FEED).is_err());
        fs::remove_file(target.join("data")).expect("removed");
        assert_eq!(names(&target), before);
        // The root itself may be a link.
        let way = outside.path().join("way");
        symlink(root.path(), &way).expect("link");
        fs::remove_file(cache.feed_dir(FEED)).expect("link");
        release(&cache, "20261119");
        let latest = Cache::new(&way).latest(FEED, Format::Json);
        assert!(latest.expect("newest").is_some());
    }
}
