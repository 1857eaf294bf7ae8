//! A release whose manifest is lost, made again from its data.
//!
//! The name of the data holds the beginning of its SHA-256, so the data proves that it is the file that was published. It
//! must never make a release of data that a readable manifest gives to another feed, another day or another service.

use jiff::Timestamp;

use super::{Releases, unusable::cannot_be_used};
use crate::{
    contract::{Feed, Format},
    engine::{
        error::{Error, ErrorContext, Result},
        progress::Report,
    },
    store::{
        Cache, DaySource, FeedLock, Folder, Manifest, Moment, StopFlag, layout::Release,
        manifest::Unusable,
    },
};

/// How names of feed files begin and end; between is the beginning of the SHA-256.
const NAME: (&str, &str) = ("feed-", ".json.gz");

/// Digits of it at least.
const DIGITS: usize = 12;

/// A feed file without a manifest.
struct Data {
    file: String,
    bytes: u64,
    /// The beginning of its SHA-256.
    sha256: String,
}

impl Releases {
    /// Rebuilds index and manifest of a release. The caller holds the lock of the feed.
    ///
    /// # Errors
    /// [`Kind::Integrity`](crate::engine::Kind::Integrity) when the data is missing, damaged, or of something else.
    pub(super) fn remake(
        &self,
        unusable: &Unusable,
        lock: FeedLock,
        stop: &StopFlag,
        report: &Report,
    ) -> Result<Release> {
        let _lock = lock;
        let (cache, feed, moment) = (self.cache(), unusable.feed, unusable.moment);
        let refused = |why: String| {
            let error = cannot_be_used(unusable);
            let message = format!("{}; it cannot be recreated: {why}", error.message);
            Error::new(error.kind, message).hint(format!(
                "`ipspect feeds pull {feed}` downloads the latest, `ipspect feeds rm {feed} --day {}` removes it",
                moment.day()
            ))
        };
        let dir = cache.release_dir(feed, moment);
        let folder = cache.open(&dir);
        let folder = folder.map_err(|error| refused(error.to_string()))?;
        let folder = folder.ok_or_else(|| refused("its folder is gone".to_owned()))?;
        let Data {
            file,
            bytes,
            sha256,
        } = Data::of(&folder).map_err(refused)?;
        if Manifest::is_newer(&folder, Format::Json) {
            return Err(refused(
                "a later version of this program wrote it".to_owned(),
            ));
        }
        let Some(service) = cache.service() else {
            return Err(refused(
                "feeds_url is not set, so its service is unknown".to_owned(),
            ));
        };
        // What cannot be read says nothing against the data.
        if let Ok(Some(Manifest {
            feed,
            moment,
            file: named,
            feeds_url,
            ..
        })) = Manifest::load(&folder, Format::Json)
            && named == file
        {
            let whose = format!("its data is {feed} {} from {feeds_url}", moment.dashed());
            return Err(refused(whose));
        }
        let (source, data) = (DaySource::Folder, dir.join(&file));
        let (target, now) = (String::new(), self.settings.now());
        // Whether the day was asked for is not known: only a person removes such a release.
        let mut manifest =
            Manifest::new(feed, moment, source, true, file, bytes, sha256, target, now);
        service.clone_into(&mut manifest.feeds_url);
        manifest.latest_at = self.recovered_pull(&cache, feed, Format::Json, moment)?;
        let release = self.build_anew(Release { manifest, data }, stop, report)?;
        self.notices.notice(format!(
            "the manifest of {feed} for {} was rebuilt from the data: the day is that of the folder, and the release \
             is kept until it is removed",
            moment.dashed()
        ));
        Ok(release)
    }
}

impl Releases {
    /// The place in the order of a release whose manifest is lost, and with it how it was pulled. That of the last day here stays in front
    /// of all others, as an older one must not answer in its place; any other comes behind all pulls of `latest`.
    pub(super) fn recovered_pull(
        &self,
        cache: &Cache,
        feed: Feed,
        form: Format,
        moment: Moment,
    ) -> Result<Option<Timestamp>> {
        let dir = cache.feed_dir(feed);
        if cache.moments(feed).at("read", &dir)?.first() != Some(&moment) {
            return Ok(Some(Timestamp::UNIX_EPOCH));
        }
        let next = cache.next_pull(feed, form, self.settings.now());
        next.map(Some).at("read", &dir)
    }
}

impl Data {
    /// The only feed file of a folder.
    fn of(folder: &Folder) -> Result<Self, String> {
        let names = folder.names().map_err(|error| error.to_string())?;
        let mut files = names.iter().filter_map(|name| {
            let name = name.to_str()?;
            let sha256 = name.strip_prefix(NAME.0)?.strip_suffix(NAME.1)?;
            // A shorter beginning proves little, and none at all nothing.
            (sha256.len() >= DIGITS).then(|| (name.to_owned(), sha256.to_owned()))
        });
        match (files.next(), files.next()) {
            (None, _) => Err("there is no feed file".to_owned()),
            (Some(_), Some(_)) => Err("there is more than one feed file".to_owned()),
            (Some((file, sha256)), None) => {
                let opened = folder.open(&file).and_then(|file| file.metadata());
                let bytes = opened.map_err(|error| format!("{file}: {error}"))?.len();
                Ok(Self {
                    file,
                    bytes,
                    sha256,
                })
            }
        }
    }
}
