//! The last step of a download: final names, a manifest, and what it replaces swept away.
//!
//! The manifest is what makes files a release, so it is written last. It must never be written for a file that was not
//! verified or whose count is not believed, and until then the last release stays as it was.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{Pulled, Wanted, journal::Journal, pull::Pull, sink::Verified};
use crate::{
    contract::{Feed, Format},
    engine::{
        error::{Error, Kind, Result},
        paths,
        progress::Stage,
    },
    store::{
        IndexFile, Manifest, Moment,
        layout::{Release, next_index},
    },
};

impl Pull<'_> {
    /// Gives file and index their final names, then writes the manifest, which makes them the release.
    pub(super) fn publish(&mut self, journal: Journal, verified: Verified) -> Result<Pulled> {
        self.teller
            .tell(Stage::Publishing, verified.bytes, Some(verified.bytes));
        let feed = self.query.feed;
        let mut warnings = Vec::new();
        self.check_count(&verified, &mut warnings)?;
        let moment = Moment::parse(&journal.moment)
            .ok_or_else(|| Error::new(Kind::Integrity, "the journal names no release"))?;
        let dir = self.cache.release_dir(feed, moment);
        paths::make_dir(&dir)?;
        let (prefix, ending) = match self.query.form {
            Format::Json => ("feed", "json.gz"),
            Format::Mmdb => ("mmdb", "mmdb"),
        };
        let file = format!("{prefix}-{}.{ending}", &verified.sha256[..12]);
        let data = dir.join(&file);
        let before = self.cache.release(feed, self.query.form, moment);
        let before = before.ok().flatten().map(|before| before.manifest);
        let taken = before.as_ref().and_then(|before| before.index.as_ref());
        let taken = taken.map(|index| &*index.file);
        let index = verified
            .built
            .is_some()
            .then(|| dir.join(next_index(&file, taken)));
        let named = self
            .name_files(&dir, &data, index.as_ref())
            .map_err(|error| Error::machine(&format!("publish {}", data.display()), &error))?;
        let pinned = before.is_some_and(|before| before.pinned)
            || !matches!(self.query.wanted, Wanted::Latest);
        let records = verified.records();
        let mut manifest = Manifest::new(
            feed,
            moment,
            journal.day_source,
            pinned,
            file,
            verified.bytes,
            verified.sha256,
            journal.target,
            self.engine.now(),
        );
        manifest.records = records;
        manifest.rejected = verified
            .built
            .map(|built| built.rejected)
            .unwrap_or_default();
        manifest.index = named;
        manifest.validator = journal.validator;
        paths::write_whole(
            &dir.join(Manifest::file_name(self.query.form)),
            manifest.text().as_bytes(),
        )?;
        self.place.remove();
        // What is left over takes space and does no harm.
        let _ = self.cache.sweep(feed, moment);
        let release = Release { manifest, data };
        let removed = self.engine.keep_rule(&release, self.query.form);
        Ok(Pulled {
            release,
            was_here: false,
            resumed_from: self.resumed_from,
            removed,
            warnings,
        })
    }

    /// The data first: an index without its data could not be built anew. Data that is not to be kept gets no name at all;
    /// it goes when the index is published.
    fn name_files(
        &self,
        dir: &Path,
        data: &Path,
        index: Option<&PathBuf>,
    ) -> io::Result<Option<IndexFile>> {
        if index.is_none() || self.engine.settings.cache.keep_feed_files {
            fs::rename(&self.place.part, data)?;
        }
        if let Some(index) = index {
            fs::rename(&self.place.index, index)?;
        }
        fs::File::open(dir)?.sync_all()?;
        index.map(|index| IndexFile::of(index)).transpose()
    }

    /// A release without records, or with less than half of those of the last, is more likely a fault than the truth. The
    /// part stays, so that whoever accepts it need not download it again.
    fn check_count(&self, verified: &Verified, warnings: &mut Vec<String>) -> Result<()> {
        let Some(records) = verified.records() else {
            return Ok(());
        };
        if self.query.allow_shrink || self.query.feed == Feed::Realtime {
            return Ok(());
        }
        let before = self.last_count(warnings)?;
        if records > 0 && records >= before.div_ceil(2) {
            return Ok(());
        }
        let message = format!(
            "the release holds {records} records, the last one held {before}: it was not published"
        );
        Err(Error::new(Kind::Integrity, message)
            .hint("if that is right, accept it with --allow-shrink"))
    }

    /// The records of the newest local release that can be used; newer ones that cannot are named. Zero where there is none
    /// to compare with.
    fn last_count(&self, warnings: &mut Vec<String>) -> Result<u64> {
        let feed = self.query.feed;
        let last = self.cache.newest_usable(feed, self.query.form);
        let (last, unusable) = last.map_err(|error| {
            let dir = self.cache.feed_dir(feed);
            Error::machine(&format!("read {}", dir.display()), &error)
        })?;
        if let Some(newest) = unusable.first() {
            let compared = last.as_ref().map_or_else(
                || "the number of records was compared with nothing".to_owned(),
                |last| {
                    let day = last.manifest.moment.dashed();
                    format!("the number of records was compared with the release for {day}")
                },
            );
            warnings.push(format!(
                "the release of {feed} for {} cannot be used ({newest}): {compared}",
                newest.moment.dashed()
            ));
        }
        Ok(last.and_then(|last| last.manifest.records).unwrap_or(0))
    }
}
