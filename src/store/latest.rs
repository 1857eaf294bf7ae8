//! The newest release, which answers queries without a day.
//!
//! It must never skip an unusable release silently, since an older one would answer unnoticed. A release of an impossible day
//! ([`super::Manifest::is_ahead`]) must never count as newer than any other.

use std::io;

use super::{Cache, Moment, layout::Release, manifest::Unusable};
use crate::contract::{Feed, Format};

/// Why the newest release is unknown or unusable.
#[derive(Debug, thiserror::Error)]
pub enum NoRelease {
    /// The newest release cannot be used.
    #[error("{0}")]
    Unusable(Box<Unusable>),
    /// The cache cannot be read.
    #[error("{0}")]
    Io(io::Error),
}

impl Cache {
    /// The newest release of a feed in one form.
    ///
    /// # Errors
    /// As [`Cache::newest`].
    pub fn latest(&self, feed: Feed, form: Format) -> Result<Option<Release>, NoRelease> {
        self.newest(feed, form, |_| true)
    }

    /// The newest release of a feed in one form, among those that `is_meant` accepts.
    ///
    /// # Errors
    /// [`NoRelease::Unusable`] if that release cannot be used, even if older ones can.
    pub fn newest(
        &self,
        feed: Feed,
        form: Format,
        is_meant: impl Fn(Moment) -> bool,
    ) -> Result<Option<Release>, NoRelease> {
        let moments = self.moments(feed).map_err(NoRelease::Io)?;
        let mut ahead = None;
        for moment in moments.into_iter().filter(|moment| is_meant(*moment)) {
            let found = self.release(feed, form, moment);
            match found.map_err(|why| NoRelease::Unusable(Box::new(why)))? {
                Some(release) if release.manifest.is_ahead() => ahead = ahead.or(Some(release)),
                None => {}
                found => return Ok(found),
            }
        }
        Ok(ahead)
    }

    /// The newest usable release of a feed in one form, and why newer ones cannot be used. For callers that may fall back to an
    /// older release and report the newer ones.
    ///
    /// # Errors
    /// A failure to read the cache.
    pub fn newest_usable(
        &self,
        feed: Feed,
        form: Format,
    ) -> io::Result<(Option<Release>, Vec<Unusable>)> {
        let (mut unusable, mut ahead) = (Vec::new(), None);
        for moment in self.moments(feed)? {
            match self.release(feed, form, moment) {
                Ok(Some(release)) if release.manifest.is_ahead() => ahead = ahead.or(Some(release)),
                Ok(Some(release)) => return Ok((Some(release), unusable)),
                Ok(None) => {}
                Err(why) => unusable.push(why),
            }
        }
        Ok((ahead, unusable))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use jiff::Timestamp;

    use super::*;
    use crate::store::{DaySource, Manifest};

    const FEED: Feed = Feed::Anonymous;

    fn moment(day: &str) -> Moment {
        Moment::parse(day).expect("moment")
    }

    fn release(cache: &Cache, day: &str) -> Manifest {
        let dir = cache.release_dir(FEED, moment(day));
        fs::create_dir_all(&dir).expect("directory");
        let file = "feed-1.json.gz";
        fs::write(dir.join(file), day).expect("data");
        let manifest = Manifest::new(
            FEED,
            moment(day),
            DaySource::Header,
            false,
            file.to_owned(),
            8,
            "00".to_owned(),
            "/v2/anonymous/latest.json.gz".to_owned(),
            Timestamp::UNIX_EPOCH,
        );
        fs::write(dir.join("feed.json"), manifest.text()).expect("manifest");
        manifest
    }

    #[test]
    fn an_unusable_newest_release_is_named_and_never_replaced_by_an_older_one() {
        let root = tempfile::tempdir().expect("directory");
        let cache = Cache::new(root.path());
        let old = release(&cache, "20261119");
        let new = release(&cache, "20261120");
        let latest = cache.latest(FEED, Format::Json).expect("newest");
        assert_eq!(latest.expect("one").manifest, new);
        let dir = cache.release_dir(FEED, new.moment);
        let (text, older) = (new.text(), old.text());
        let mut other_feed = new.clone();
        other_feed.feed = Feed::Dch;
        let other_feed = other_feed.text();
        for (what, manifest) in [
            ("cut", &text[..text.len() / 2]),
            ("empty", ""),
            ("of another day", &older),
            ("of another feed", &other_feed),
        ] {
            fs::write(dir.join("feed.json"), manifest).expect(what);
            match cache.latest(FEED, Format::Json) {
                Err(NoRelease::Unusable(unusable)) => {
                    assert_eq!(
                        (unusable.feed, unusable.moment),
                        (FEED, new.moment),
                        "{what}"
                    );
                }
                other => panic!("{what}: {other:?}"),
            }
            let (usable, unusable) = cache.newest_usable(FEED, Format::Json).expect(what);
            assert_eq!(usable.expect(what).manifest, old);
            assert_eq!(unusable.len(), 1, "{what}");
            let older = cache.newest(FEED, Format::Json, |moment| moment == old.moment);
            assert_eq!(older.expect(what).expect(what).manifest, old);
        }
        fs::remove_file(dir.join("feed.json")).expect("manifest");
        fs::create_dir(dir.join("feed.json")).expect("in the way");
        assert!(cache.latest(FEED, Format::Json).is_err());
        fs::remove_dir(dir.join("feed.json")).expect("in the way");
        let latest = cache.latest(FEED, Format::Json).expect("newest");
        assert_eq!(
            latest.expect("one").manifest,
            old,
            "data alone is no release"
        );
    }

    #[test]
    fn a_day_that_cannot_have_been_is_never_the_newest_beside_others() {
        let root = tempfile::tempdir().expect("directory");
        let cache = Cache::new(root.path());
        let clock = |manifest: &mut Manifest, day: &str| {
            manifest.service_clock = Some(moment(day).begins());
            let dir = cache.release_dir(FEED, manifest.moment);
            fs::write(dir.join("feed.json"), manifest.text()).expect("manifest");
        };
        for day in ["20991230", "20991231"] {
            clock(&mut release(&cache, day), "20261120");
        }
        let days = || {
            let releases = cache.releases(FEED, Format::Json).expect("cache").0;
            let days = releases.iter().map(|one| one.manifest.moment.to_string());
            days.collect::<Vec<_>>()
        };
        let latest = || {
            let latest = cache.latest(FEED, Format::Json).expect("cache");
            latest.expect("one").manifest.moment.to_string()
        };
        assert_eq!(
            (latest(), days().len()),
            ("20991231".to_owned(), 2),
            "there is no other"
        );
        clock(&mut release(&cache, "20261119"), "20261119");
        clock(&mut release(&cache, "20261120"), "20261120");
        assert_eq!(latest(), "20261120");
        assert_eq!(days(), ["20261120", "20261119", "20991231", "20991230"]);
        let usable = cache.newest_usable(FEED, Format::Json).expect("cache").0;
        assert_eq!(usable.expect("one").manifest.moment, moment("20261120"));
        let named = cache.newest(FEED, Format::Json, |one| one == moment("20991230"));
        assert!(named.expect("cache").is_some(), "its day names it");
    }
}
