//! Whether a release is still what it was when it was published: its file read through, its index compared with it.
//!
//! This only reads, and needs no lock: it holds the files open that it compares.

mod comparing;

use std::sync::Arc;

use self::comparing::Comparing;
use super::{
    Releases,
    file::FeedFile,
    indexing::ReadFailure,
    unusable::{cannot_be_used, no_release, not_here, not_opened, stopped},
};
use crate::{
    contract::{Feed, Format},
    engine::{
        error::{Error, ErrorContext, Kind, Result},
        mmdb::{self, Extent, NotWhole},
        progress::{Report, Stage},
        threads::stoppable,
    },
    model::Day,
    store::{
        Index, Moment, NoRelease, StopFlag,
        index::{NotOpened, QueryError},
        layout::Release,
    },
};

/// The verified parts of a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedRelease {
    pub release: Release,
    /// In which form.
    pub form: Format,
    /// Whether it has a feed file: then its length, SHA-256, form and number of lines match.
    pub data: bool,
    /// Whether it has an index: then every section is valid, and it holds every line of the file.
    pub index: bool,
}

impl Releases {
    /// Verifies a release, that of a day or the newest, in each local form.
    ///
    /// # Errors
    /// [`Kind::NotFound`] when it is not here. Within, for each form,
    /// [`Kind::Integrity`] with what is damaged.
    pub async fn verify(
        &self,
        feed: Feed,
        day: Option<Day>,
        report: Report,
    ) -> Result<Vec<Result<VerifiedRelease>>> {
        let engine = self.clone();
        stoppable(move |stop| {
            let Some(moment) = engine.newest_moment(feed, day)? else {
                return Err(not_here(feed, day));
            };
            let mut forms = Vec::new();
            for form in [Format::Json, Format::Mmdb] {
                match engine.cache().release(feed, form, moment) {
                    Ok(None) => {}
                    Ok(Some(release)) => {
                        forms.push(engine.verify_form(release, form, stop, &report));
                    }
                    Err(unusable) => forms.push(Err(cannot_be_used(&unusable))),
                }
            }
            Ok(forms)
        })
        .await
    }

    /// The moment of the newest release of a day, else of all, in any form, usable or not.
    pub(super) fn newest_moment(&self, feed: Feed, day: Option<Day>) -> Result<Option<Moment>> {
        let cache = self.cache();
        let mut newest = None;
        for form in [Format::Json, Format::Mmdb] {
            let found = cache.newest(feed, form, |moment| {
                day.is_none_or(|day| day == moment.day())
            });
            let found = match found {
                Ok(Some(release)) => Some((!release.manifest.is_ahead(), release.manifest.moment)),
                Ok(None) => None,
                Err(NoRelease::Unusable(unusable)) => Some((true, unusable.moment)),
                Err(why) => return Err(no_release(&cache, feed, &why)),
            };
            newest = newest.max(found);
        }
        Ok(newest.map(|(_, moment)| moment))
    }

    /// Checks that an MMDB file is whole, with every value in it.
    fn check_database(&self, release: &Release, stop: &StopFlag) -> Result<()> {
        let opened = self.cache().open_file(&release.data);
        let mut file = opened.at("read", &release.data)?;
        let checked = mmdb::check(&mut file, Extent::All, &|| stop.is_stopped());
        checked.map_err(|why| match why {
            NotWhole::Damaged(why) => spoilt(release, &why.to_string()),
            NotWhole::Unread(_) if stop.is_stopped() => stopped(),
            NotWhole::Unread(error) => Error::machine_at("read", &release.data, &error),
        })
    }

    fn verify_form(
        &self,
        release: Release,
        form: Format,
        stop: &StopFlag,
        report: &Report,
    ) -> Result<VerifiedRelease> {
        let index = match form {
            Format::Json => self.checked_index(&release, stop)?,
            Format::Mmdb => None,
        };
        let data = release.holds_data();
        if data {
            let file = self
                .cache()
                .open_file(&release.data)
                .at("read", &release.data)?;
            let file = FeedFile::of(file, Stage::Verifying, stop, Arc::clone(report));
            let file = file.at("read", &release.data)?;
            let (bytes, sha256) = match form {
                Format::Json => compare(&release, file, index.as_ref(), stop)?,
                Format::Mmdb => file.finish(),
            }
            .map_err(|error| {
                if stop.is_stopped() {
                    stopped()
                } else {
                    Error::machine_at("read", &release.data, &error)
                }
            })?;
            if (bytes, &sha256) != (release.manifest.bytes, &release.manifest.sha256) {
                return Err(spoilt(&release, "its SHA-256 does not match its manifest"));
            }
            if form == Format::Mmdb {
                self.check_database(&release, stop)?;
            }
        }
        Ok(VerifiedRelease {
            release,
            form,
            data,
            index: index.is_some(),
        })
    }

    /// Whether every part of a release's index is right.
    pub(in crate::engine) async fn is_sound(&self, release: &Release) -> bool {
        let (engine, release) = (self.clone(), release.clone());
        let checked = stoppable(move |stop| engine.checked_index(&release, stop));
        // What cannot be checked is not sound, and is downloaded again.
        checked.await.is_ok_and(|index| index.is_some())
    }

    /// The index of a release with every part of it checked, if it has one.
    fn checked_index(&self, release: &Release, stop: &StopFlag) -> Result<Option<Index>> {
        if release.manifest.index.is_none() {
            return Ok(None);
        }
        // What was checked when it was opened earlier may have changed on the disk since.
        self.indexes.forget(release);
        let index = self
            .indexes
            .open(&self.cache(), release)
            .map_err(|why| match why {
                NotOpened::Unfit(why) => unlike(release, &why),
                why => not_opened(release, why),
            })?;
        index.check(stop).map_err(|why| no_answer(release, &why))?;
        Ok(Some(index))
    }
}

/// Reads a feed file and finds each of its records in the index, in the same order and byte for byte.
fn compare(
    release: &Release,
    file: FeedFile,
    index: Option<&Index>,
    stop: &StopFlag,
) -> Result<std::io::Result<(u64, String)>> {
    let (read, comparing) = Comparing::read(file, index);
    let file = match read {
        Ok(file) => file,
        Err(_) if stop.is_stopped() => return Err(stopped()),
        Err(ReadFailure::Io(error)) => return Ok(Err(error)),
        Err(ReadFailure::Corrupt(why)) => {
            return Err(match comparing.fault {
                Some(fault) => no_answer(release, &fault),
                None => spoilt(release, &why),
            });
        }
    };
    let manifest = &release.manifest;
    let (lines, records) = (comparing.lines, manifest.records.unwrap_or_default());
    let found = u64::from(comparing.row);
    if index.is_some() && found != records {
        let why = format!("it has {records} records, and the file lacks number {found}");
        return Err(unlike(release, &why));
    }
    if lines != records + manifest.rejected.count {
        let why = format!(
            "it has {lines} lines that are not blank, its manifest {}",
            records + manifest.rejected.count
        );
        return Err(spoilt(release, &why));
    }
    Ok(file.finish())
}

/// The file is not what it was.
fn spoilt(release: &Release, why: &str) -> Error {
    let manifest = &release.manifest;
    let (feed, day) = (manifest.feed, manifest.moment.day().dashed());
    let message = format!("{} is damaged: {why}", release.data.display());
    let form = match manifest.form() {
        Format::Json => "",
        Format::Mmdb => " --mmdb",
    };
    Error::new(Kind::Integrity, message).hint(format!(
        "remove it with `ipspect feeds rm {feed} --day {day}`, then download it again with `ipspect feeds pull {feed}{form}`"
    ))
}

/// The index is not that of the file.
fn unlike(release: &Release, why: &str) -> Error {
    let manifest = &release.manifest;
    let (feed, moment) = (manifest.feed, manifest.moment.dashed());
    let error = Error::new(
        Kind::Integrity,
        format!("the index of {feed} {moment} cannot be used: {why}"),
    );
    error.hint(if release.holds_data() {
        format!(
            "rebuild it with `ipspect feeds reindex {feed} --day {}`",
            manifest.moment.day().dashed()
        )
    } else {
        format!("its feed file was not kept: download it again with `ipspect feeds pull {feed}`")
    })
}

fn no_answer(release: &Release, why: &QueryError) -> Error {
    match why {
        QueryError::Stopped => stopped(),
        QueryError::Damaged(why) => unlike(release, why),
        QueryError::TooMany(..) => unlike(release, &why.to_string()),
    }
}
