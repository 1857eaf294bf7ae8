//! Rebuilding the index of a release from its feed file, and putting it in the place of the one that is not fit.
//!
//! The new index gets a name of its own, and the manifest, replaced in one step, names it: whoever reads meanwhile has the
//! old one or the new one, and a run that is ended leaves what was there. It must never replace an index of a newer
//! version, nor be built from a file that is not the one that the manifest names.

use std::{io, sync::Arc, thread};

use super::{
    Releases,
    directory::write_manifest,
    file::FeedFile,
    indexing::{ReadFailure, finish, read_lines},
    lock::left_after_sweep,
    unusable::{fetch_again, not_here, not_opened, stopped, unfit},
};
use crate::{
    contract::{Feed, Format},
    engine::{
        error::{Error, ErrorContext, Kind, Result},
        progress::{Report, Stage},
        threads::{ended_early, give_way},
    },
    store::{
        Cache, FeedLock, Folder, IndexFile, StopFlag,
        index::{
            NotOpened,
            build::{Building, Built},
        },
        layout::{PARTIAL_INDEX, Release},
        threads::start_in,
    },
};

/// When an index is rebuilt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mend {
    /// When the present one is not fit: another process may have mended it meanwhile.
    IfUnfit,
    /// In any case.
    Always,
}

impl Releases {
    /// Gives the release an index that is fit, in the feed's lock. Returns the release as it is now.
    pub(super) fn mend(
        &self,
        release: &Release,
        lock: FeedLock,
        when: Mend,
        stop: &StopFlag,
        report: &Report,
    ) -> Result<Release> {
        let _lock = lock;
        let (feed, moment) = (release.manifest.feed, release.manifest.moment);
        let cache = self.cache();
        // It may have been replaced, removed or repaired while the lock was free.
        let present = cache.release(feed, Format::Json, moment);
        let release = present
            .map_err(|unusable| unfit(release, &unusable.to_string()))?
            .ok_or_else(|| not_here(feed, Some(moment.day())))?;
        self.indexes.forget(&release);
        let why = match self.indexes.open(&cache, &release) {
            Err(NotOpened::Unfit(why)) => why,
            // A link or a device in its place is never opened, but a request removes it.
            Err(NotOpened::Io(error)) if when == Mend::Always => error.to_string(),
            Err(why) => return Err(not_opened(&release, why)),
            Ok(_) if when == Mend::Always => "on request".to_owned(),
            Ok(index) => match index.check(stop) {
                Ok(()) => return Ok(release),
                Err(why) => why.to_string(),
            },
        };
        if !release.holds_data() {
            let why = format!("{why}, and the feed file it was built from was not kept");
            return Err(unfit(&release, &why));
        }
        self.indexes.forget(&release);
        let release = self.build_anew(release, stop, report)?;
        if when == Mend::IfUnfit {
            self.notices.notice(format!(
                "the index of {feed} for {} was rebuilt: {why}",
                moment.dashed()
            ));
        }
        Ok(release)
    }

    /// Builds the index of a release and publishes it with the manifest, in the feed's lock.
    pub(super) fn build_anew(
        &self,
        mut release: Release,
        stop: &StopFlag,
        report: &Report,
    ) -> Result<Release> {
        let (feed, moment) = (release.manifest.feed, release.manifest.moment);
        let cache = self.cache();
        self.sweep(&cache, feed);
        let (dir, part_dir) = (cache.release_dir(feed, moment), cache.part_dir(feed));
        let name = format!("{moment}{PARTIAL_INDEX}");
        let partial = part_dir.join(&name);
        let parts = cache.make(&part_dir).at("write", &partial)?;
        let made = || {
            if self.gives_way() {
                give_way();
            }
            build(&cache, &release, (&parts, &name), stop, report)
        };
        // On a thread of its own, which can give way for good: the one of the caller goes on to other work.
        let built = thread::scope(|scope| {
            let thread = start_in(scope, made).at("index", &release.data)?;
            thread.join().unwrap_or_else(|_| Err(ended_early()))
        });
        let (built, sha256) = built.inspect_err(|_| self.sweep(&cache, feed))?;
        let index = release.next_index();
        let publish = || -> io::Result<IndexFile> {
            let folder = cache.make(&dir)?;
            parts.move_to(&name, &folder, &index)?;
            folder.sync()?;
            IndexFile::of(&folder.open(&index)?, &index)
        };
        let named = publish().at("publish", &partial)?;
        let manifest = &mut release.manifest;
        manifest.sha256 = sha256;
        manifest.records = Some(built.records);
        manifest.rejected = built.rejected;
        manifest.index = Some(named);
        write_manifest(&cache, manifest)?;
        self.sweep(&cache, feed);
        Ok(release)
    }

    /// Removes what a run that was ended has left.
    pub(super) fn sweep(&self, cache: &Cache, feed: Feed) {
        if let Some(left) = left_after_sweep(cache, feed, self.settings.now()) {
            self.notices.notice(left);
        }
    }
}

/// Builds the index of a release into this file; returns the SHA-256 of its data, too.
fn build(
    cache: &Cache,
    release: &Release,
    partial: (&Folder, &str),
    stop: &StopFlag,
    report: &Report,
) -> Result<(Built, String)> {
    let manifest = &release.manifest;
    let spoilt = |why: &str| {
        let message = format!("{} is damaged: {why}", release.data.display());
        Error::new(Kind::Integrity, message).hint(fetch_again(release))
    };
    let broken = |broken: ReadFailure| match broken {
        _ if stop.is_stopped() => stopped(),
        ReadFailure::Io(error) => Error::machine_at("index", &release.data, &error),
        ReadFailure::Corrupt(why) => spoilt(&why),
    };
    let file = cache.open_file(&release.data).at("read", &release.data)?;
    let file = FeedFile::of(file, Stage::Verifying, stop, Arc::clone(report));
    let file = file.at("read", &release.data)?;
    let building = Building::begin_in(partial.0, partial.1);
    let mut building = building.map_err(|error| broken(ReadFailure::Io(error)))?;
    let file = read_lines(file, &mut building).map_err(broken)?;
    let (bytes, sha256) = file.finish().at("read", &release.data)?;
    // Of a manifest that was lost, the name of the file has the beginning of it.
    if bytes != manifest.bytes || !sha256.starts_with(&manifest.sha256) {
        return Err(spoilt("its SHA-256 does not match its manifest"));
    }
    if stop.is_stopped() {
        return Err(stopped());
    }
    let built = finish(building, bytes, report).map_err(broken)?;
    Ok((built, sha256))
}
