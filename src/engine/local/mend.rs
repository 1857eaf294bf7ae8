//! Building the index of a release anew from its feed file, and putting it in the place of the one that is not fit.
//!
//! The new index gets a name of its own, and the manifest, replaced in one step, names it: whoever reads meanwhile has the
//! old one or the new one, and a run that is ended leaves what was there. It must never replace an index of a newer
//! version, nor be built from a file that is not the one that the manifest names.

use std::{fs, io, sync::Arc};

use super::{file::FeedFile, not_here};
use crate::{
    contract::Format,
    engine::{
        Engine,
        error::{Error, Kind, Result},
        indexing::{Broken, check_lines, read_lines},
        paths,
        progress::{Report, Stage, Teller},
    },
    store::{
        FeedLock, IndexFile, Manifest, Stop,
        index::{
            NotOpened,
            build::{Building, Built},
        },
        layout::{PARTIAL_INDEX, Release},
    },
};

/// When an index is built anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mend {
    /// When the present one is not fit: another process may have mended it meanwhile.
    IfUnfit,
    /// In any case.
    Always,
}

impl Engine {
    /// Gives the release an index that is fit, in the feed's lock. Gives the release as it is now, and whether its index
    /// was built.
    pub(super) fn mend(
        &self,
        release: &Release,
        lock: FeedLock,
        when: Mend,
        stop: &Stop,
        report: &Report,
    ) -> Result<(Release, bool)> {
        let _lock = lock;
        let (feed, moment) = (release.manifest.feed, release.manifest.moment);
        let cache = self.cache();
        // It may have been replaced, removed or mended while nobody held the lock.
        let present = cache.release(feed, Format::Json, moment);
        let release = present
            .map_err(|unusable| unfit(release, &unusable.to_string()))?
            .ok_or_else(|| not_here(feed, Some(moment.day())))?;
        self.shelf.forget(&release);
        let why = match self.shelf.open(&release) {
            Err(NotOpened::Newer(version)) => return Err(newer(&release, version)),
            Err(NotOpened::Unfit(why)) => why,
            Err(NotOpened::Io(error)) => return Err(unreadable(&release, &error)),
            Ok(_) if when == Mend::Always => "it was asked for".to_owned(),
            Ok(index) => match index.check(stop) {
                Ok(()) => return Ok((release, false)),
                Err(why) => why.to_string(),
            },
        };
        if !release.holds_data() {
            let why = format!("{why}, and the feed file it was built from was not kept");
            return Err(unfit(&release, &why));
        }
        self.shelf.forget(&release);
        let release = self.build_anew(release, stop, report)?;
        tracing::warn!(%feed, %moment, why, "the index was built anew");
        Ok((release, true))
    }

    fn build_anew(&self, mut release: Release, stop: &Stop, report: &Report) -> Result<Release> {
        let manifest = &release.manifest;
        let part_dir = self.cache().part_dir(manifest.feed);
        paths::make_dir(&part_dir)?;
        // What a run that was ended has left takes space and does no harm.
        let _ = self.cache().sweep_unpublished(manifest.feed);
        let partial = part_dir.join(format!("{}{PARTIAL_INDEX}", manifest.moment));
        let built = build(&release, &partial, stop, report);
        let built = built.inspect_err(|_| {
            let _ = self.cache().sweep_unpublished(manifest.feed);
        })?;
        let dir = release.data.parent().unwrap_or(&part_dir).to_owned();
        let index = dir.join(release.next_index());
        let publish = || -> io::Result<IndexFile> {
            fs::rename(&partial, &index)?;
            fs::File::open(&dir)?.sync_all()?;
            IndexFile::of(&index)
        };
        let named = publish()
            .map_err(|error| Error::machine(&format!("publish {}", index.display()), &error))?;
        let manifest = &mut release.manifest;
        manifest.records = Some(built.records);
        manifest.rejected = built.rejected;
        manifest.index = Some(named);
        let file = dir.join(Manifest::file_name(Format::Json));
        paths::write_whole(&file, manifest.text().as_bytes())?;
        let _ = self.cache().sweep_unpublished(manifest.feed);
        Ok(release)
    }
}

/// Builds the index of a release into this file.
fn build(
    release: &Release,
    partial: &std::path::Path,
    stop: &Stop,
    report: &Report,
) -> Result<Built> {
    let manifest = &release.manifest;
    let spoilt = |why: &str| {
        let message = format!("{} is damaged: {why}", release.data.display());
        Error::new(Kind::Integrity, message).hint(fetch_again(release))
    };
    let broken = |broken: Broken| match broken {
        _ if stop.is_stopped() => stopped(),
        Broken::Io(error) => Error::machine(&format!("index {}", release.data.display()), &error),
        Broken::Corrupt(why) => spoilt(&why),
    };
    let file = FeedFile::open(&release.data, Stage::Verifying, stop, Arc::clone(report));
    let file = file.map_err(|error| unreadable(release, &error))?;
    let mut building = Building::begin(partial).map_err(|error| broken(Broken::Io(error)))?;
    let file = read_lines(file, &mut building).map_err(broken)?;
    let (bytes, sha256) = file.finish().map_err(|error| unreadable(release, &error))?;
    if (bytes, &sha256) != (manifest.bytes, &manifest.sha256) {
        return Err(spoilt("its SHA-256 is not the one of its manifest"));
    }
    if stop.is_stopped() {
        return Err(stopped());
    }
    let mut teller = Teller::new(Arc::clone(report));
    let built = building.finish(&mut |done, of| {
        teller.tell(Stage::Indexing, Stage::share(bytes, done, of), Some(bytes));
    });
    let built = built.map_err(|error| broken(Broken::Io(error)))?;
    check_lines(&built).map_err(broken)?;
    Ok(built)
}

/// The index cannot be used and cannot be built.
pub(super) fn unfit(release: &Release, why: &str) -> Error {
    let manifest = &release.manifest;
    let message = format!(
        "the index of {} {} cannot be used: {why}",
        manifest.feed, manifest.moment
    );
    Error::new(Kind::Integrity, message).hint(fetch_again(release))
}

fn fetch_again(release: &Release) -> String {
    let manifest = &release.manifest;
    let (feed, day) = (manifest.feed, manifest.moment.day());
    format!(
        "`ipspect feeds rm {feed} --day {day}` removes it, `ipspect feeds pull {feed}` downloads the latest"
    )
}

/// A newer program wrote it, and will want it again.
pub(super) fn newer(release: &Release, version: u32) -> Error {
    let manifest = &release.manifest;
    let message = format!(
        "the index of {} {} is of version {version}, which this program does not know: it was left alone",
        manifest.feed, manifest.moment
    );
    Error::new(Kind::Integrity, message)
        .hint("use the newer ipspect that wrote it, or another cache with --cache-dir")
}

pub(super) fn unreadable(release: &Release, error: &io::Error) -> Error {
    Error::machine(&format!("read {}", release.data.display()), error)
}

pub(super) fn stopped() -> Error {
    Error::new(
        Kind::Interrupted,
        "it was stopped; what was there is as before",
    )
}
