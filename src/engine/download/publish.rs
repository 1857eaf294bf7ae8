//! The last step of a download: a final name, a manifest, and what it replaces swept away.
//!
//! The manifest is what makes a file a release, so it is written last. It must never be written for a file that was not
//! verified or whose count is not believed, and until then the last release stays as it was.

use std::{fs, io};

use super::{Pulled, Wanted, journal::Journal, pull::Pull, sink::Verified};
use crate::{
    contract::{Feed, Format},
    engine::{
        error::{Error, Kind, Result},
        paths,
        progress::Stage,
    },
    store::{Manifest, Moment, layout::Release},
};

impl Pull<'_> {
    /// Gives the file its final name, then writes the manifest, which makes it the release.
    pub(super) fn publish(&mut self, journal: Journal, verified: Verified) -> Result<Pulled> {
        self.teller
            .tell(Stage::Publishing, verified.bytes, Some(verified.bytes));
        let feed = self.query.feed;
        self.check_count(&verified)?;
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
        let publish = || -> io::Result<()> {
            fs::rename(&self.place.part, &data)?;
            fs::File::open(&dir)?.sync_all()
        };
        publish()
            .map_err(|error| Error::machine(&format!("publish {}", data.display()), &error))?;
        let pinned = !matches!(self.query.wanted, Wanted::Latest);
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
        manifest.records = verified.records;
        manifest.rejected = verified.rejected;
        manifest.validator = journal.validator;
        paths::write_whole(
            &dir.join(Manifest::file_name(self.query.form)),
            manifest.text().as_bytes(),
        )?;
        self.place.remove();
        // What is left over takes space and does no harm.
        let _ = self.cache.sweep(feed, moment);
        Ok(Pulled {
            release: Release { manifest, data },
            was_here: false,
            resumed_from: self.resumed_from,
        })
    }

    /// A release without records, or with less than half of those of the last, is more likely a fault than the truth. The
    /// part stays, so that whoever accepts it need not download it again.
    fn check_count(&self, verified: &Verified) -> Result<()> {
        let Some(records) = verified.records else {
            return Ok(());
        };
        if self.query.allow_shrink || self.query.feed == Feed::Realtime {
            return Ok(());
        }
        let last = self
            .cache
            .latest(self.query.feed, self.query.form)
            .ok()
            .flatten();
        let before = last.and_then(|last| last.manifest.records).unwrap_or(0);
        if records > 0 && records >= before.div_ceil(2) {
            return Ok(());
        }
        let message = format!(
            "the release holds {records} records, the last one held {before}: it was not published"
        );
        Err(Error::new(Kind::Integrity, message)
            .hint("if that is right, accept it with --allow-shrink"))
    }
}
