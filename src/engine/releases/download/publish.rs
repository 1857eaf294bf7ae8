//! The last step of a download: final names, the manifest, and removal of replaced files.
//!
//! The manifest turns files into a release, so it is written last, and only for a verified file with a plausible number of
//! records. Until then the last release is not changed.

use std::{io, mem};

use jiff::Timestamp;

use super::{
    journal::Journal,
    pull::Pull,
    query::{PullQuery, Pulled, WantedRelease},
    sink::Verified,
};
use crate::{
    contract::{Feed, Format},
    engine::{
        error::{Error, ErrorContext, Kind, Result},
        progress::Stage,
        releases::directory::write_manifest,
    },
    store::{
        Folder, IndexFile, Manifest, Moment,
        layout::{Release, next_index},
    },
};

impl Pull<'_> {
    /// Gives file and index their final names, then writes the manifest, which makes them the release.
    pub(super) fn publish(&mut self, journal: Journal, verified: Verified) -> Result<Pulled> {
        self.reporter
            .tell(Stage::Publishing, verified.bytes, Some(verified.bytes));
        let feed = self.query.feed;
        self.check_count(&verified)?;
        let moment = Moment::parse(&journal.moment)
            .ok_or_else(|| Error::new(Kind::Integrity, "the journal names no release"))?;
        let dir = self.cache.release_dir(feed, moment);
        let folder = self.cache.make(&dir).at("use", &dir)?;
        let (prefix, ending) = match self.query.form {
            Format::Json => ("feed", "json.gz"),
            Format::Mmdb => ("mmdb", "mmdb"),
        };
        let file = format!("{prefix}-{}.{ending}", &verified.sha256[..12]);
        let data = dir.join(&file);
        let (before, unknown) = self.manifest_before(&folder, moment);
        let taken = before.as_ref().and_then(|before| before.index.as_ref());
        let taken = taken.map(|index| &*index.file);
        let index = verified.built.is_some().then(|| next_index(&file, taken));
        let named = self
            .name_files(&folder, &file, index.as_deref())
            .at("publish", &data)?;
        let was_pinned = |before: &Manifest| before.pinned;
        let pinned = before.as_ref().is_some_and(was_pinned)
            || unknown
            || self.query.wanted != WantedRelease::Latest;
        let records = verified.records();
        let mut manifest = Manifest::new(
            feed,
            moment,
            journal.day_source,
            pinned,
            file,
            verified.bytes,
            verified.sha256,
            self.endpoint.target(),
            self.releases.settings.now(),
        );
        let service = self.cache.service().unwrap_or_default();
        service.clone_into(&mut manifest.feeds_url);
        manifest.service_clock = journal.service_clock;
        manifest.latest_at = self.pull_time(moment, before.as_ref(), unknown)?;
        self.note_metadata(&mut manifest);
        manifest.records = records;
        manifest.rejected = verified
            .built
            .map(|built| built.rejected)
            .unwrap_or_default();
        manifest.index = named;
        manifest.validator = journal.validator;
        write_manifest(&self.cache, &manifest)?;
        // The release is published; leftovers only take space.
        if let Err(error) = self.place.remove() {
            self.warnings.push(error.message);
        }
        if let Err(error) = self.cache.sweep(feed, moment) {
            self.warnings.push(format!(
                "the files replaced in {} could not be removed: {error}",
                dir.display()
            ));
        }
        let release = Release { manifest, data };
        let removed = self.releases.keep_rule(&release, &mut self.warnings);
        Ok(Pulled {
            release,
            was_here: false,
            resumed_from: self.resumed_from,
            removed,
            warnings: mem::take(&mut self.warnings),
        })
    }

    /// The place of the release in the order of pulls. Pulling it by its day leaves it where it was.
    fn pull_time(
        &self,
        moment: Moment,
        before: Option<&Manifest>,
        unknown: bool,
    ) -> Result<Option<Timestamp>> {
        let PullQuery { feed, form, .. } = *self.query;
        match before {
            _ if self.query.wanted == WantedRelease::Latest => {
                let now = self.releases.settings.now();
                let next = self.cache.next_pull(feed, form, now);
                next.map(Some).at("read", self.cache.feed_dir(feed))
            }
            None if unknown => {
                let cache = &self.cache;
                self.releases.recovered_pull(cache, feed, form, moment)
            }
            before => Ok(before.and_then(|before| before.latest_at)),
        }
    }

    /// Ends a download whose release is already local; pins the release if it was pulled by its day.
    pub(super) fn was_here(mut self, mut release: Release) -> Result<Pulled> {
        let manifest = &mut release.manifest;
        let before = manifest.clone();
        manifest.pinned |= self.query.wanted != WantedRelease::Latest;
        manifest.latest_at = self.pull_time(before.moment, Some(&before), false)?;
        self.note_metadata(manifest);
        if *manifest != before {
            write_manifest(&self.cache, manifest)?;
        }
        Ok(Pulled {
            release,
            was_here: true,
            resumed_from: 0,
            removed: Vec::new(),
            warnings: self.warnings,
        })
    }

    /// The manifest that is replaced, and whether it is unusable. In that case the release counts as pulled by its day, which
    /// only the user removes.
    fn manifest_before(&mut self, folder: &Folder, moment: Moment) -> (Option<Manifest>, bool) {
        let (feed, form) = (self.query.feed, self.query.form);
        let why = match Manifest::load(folder, form) {
            Ok(None) => return (None, false),
            Ok(Some(manifest)) if (manifest.feed, manifest.moment) == (feed, moment) => {
                return (Some(manifest), false);
            }
            Ok(Some(manifest)) => {
                format!(
                    "it is the manifest for {} {}",
                    manifest.feed, manifest.moment
                )
            }
            Err(why) => why,
        };
        self.warnings.push(format!(
            "the manifest of {feed} for {} was replaced ({why}): the release is kept until it is removed",
            moment.dashed()
        ));
        (None, true)
    }

    /// Moves the data first, since an index without its data cannot be rebuilt. Data that is not kept stays in the part, which is
    /// removed after the publication.
    fn name_files(
        &self,
        folder: &Folder,
        data: &str,
        index: Option<&str>,
    ) -> io::Result<Option<IndexFile>> {
        let place = &self.place;
        if index.is_none() || self.releases.settings.cache.keep_feed_files {
            place.folder.move_to(&place.part, folder, data)?;
        }
        if let Some(index) = index {
            place.folder.move_to(&place.index, folder, index)?;
        }
        folder.sync()?;
        let index = index.map(|index| IndexFile::of(&folder.open(index)?, index));
        index.transpose()
    }

    /// Refuses a release without records, or with less than half the records of the last one, as a likely fault. The part is
    /// kept, so that `--allow-shrink` need not download it again.
    fn check_count(&mut self, verified: &Verified) -> Result<()> {
        let Some(records) = verified.records() else {
            return Ok(());
        };
        if self.query.allow_shrink || self.query.feed == Feed::Realtime {
            return Ok(());
        }
        let before = self.last_count()?;
        if records > 0 && records >= before.div_ceil(2) {
            return Ok(());
        }
        let feed = self.query.feed;
        let message = match (records, before) {
            (0, _) => format!("the release of {feed} is empty: it was not published"),
            _ => format!(
                "the release of {feed} holds {records} records, the last one held {before}: it was not published"
            ),
        };
        Err(Error::new(Kind::Integrity, message).hint(format!(
            "`ipspect feeds pull {feed} --allow-shrink` accepts it; the last release still answers"
        )))
    }

    /// The records of the newest usable local release, or 0. Warns about newer unusable ones.
    fn last_count(&mut self) -> Result<u64> {
        let feed = self.query.feed;
        let last = self.cache.newest_usable(feed, self.query.form);
        let (last, unusable) = last.at("read", self.cache.feed_dir(feed))?;
        if let Some(newest) = unusable.first() {
            let compared = last.as_ref().map_or_else(
                || "the number of records could not be compared".to_owned(),
                |last| {
                    let day = last.manifest.moment.dashed();
                    format!("the number of records was compared with the release for {day}")
                },
            );
            self.warnings.push(format!(
                "the release of {feed} for {} cannot be used ({newest}): {compared}",
                newest.moment.dashed()
            ));
        }
        Ok(last.and_then(|last| last.manifest.records).unwrap_or(0))
    }
}
