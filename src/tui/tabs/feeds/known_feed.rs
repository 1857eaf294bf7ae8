//! The known state of a feed, from the catalogue, the service, the local releases and the jobs.

use jiff::Timestamp;

use crate::{
    contract::{Feed, Format, Freshness, cadence},
    engine::{Fetched, Kind, OnDisk, PartialDownload, PullQuery, WantedRelease},
    model::{FeedMetadata, Window, feed_metadata::ReleaseMetadata as Offered},
    store::{Generation, Moment, layout::Release},
    tui::ctx::{
        jobs::{Job, Jobs},
        remote::Remote,
        request::Question,
    },
};

/// All that is known of one feed.
#[derive(Clone, Debug)]
pub(super) struct KnownFeed<'a> {
    pub(super) feed: Feed,
    /// What the service says of its latest release.
    pub(super) metadata: &'a Remote<Fetched<FeedMetadata>>,
    /// The local releases in both forms, newest first.
    pub(super) here: Vec<&'a Release>,
    /// What is local and cannot be used.
    pub(super) unusable: Vec<&'a str>,
    /// Whether its newest JSON release cannot be used.
    pub(super) is_faulty: bool,
    pub(super) part: Option<&'a PartialDownload>,
    pub(super) job: Option<&'a Job>,
    /// Bytes free on the disk.
    pub(super) free: Option<u64>,
    /// Where its parts are while they come.
    pub(super) part_dir: Option<std::path::PathBuf>,
}

/// The size of a release: the contract states no unit for `filesize`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Size {
    Unknown,
    /// A number without a unit.
    Said(u64),
    /// Bytes: that many were announced or received.
    Bytes(u64),
}

impl<'a> KnownFeed<'a> {
    pub(super) fn of(
        feed: Feed,
        metadata: &'a Remote<Fetched<FeedMetadata>>,
        disk: &'a Remote<OnDisk>,
        job: Option<&'a Job>,
    ) -> Self {
        let disk = disk.value();
        let releases = disk.into_iter().flat_map(|disk| &disk.releases);
        let mut here: Vec<&Release> = releases
            .filter(|release| release.manifest.feed == feed)
            .collect();
        // They come newest first in each form; both forms of a day belong together.
        let places: Vec<Moment> = here.iter().map(|own| own.manifest.moment).collect();
        here.sort_by_key(|own| {
            places
                .iter()
                .position(|place| *place == own.manifest.moment)
        });
        let unusable = disk.into_iter().flat_map(|disk| &disk.unusable);
        let unusable = unusable
            .filter(|(own, _)| *own == feed)
            .map(|(_, why)| &**why)
            .collect();
        Self {
            feed,
            metadata,
            here,
            unusable,
            is_faulty: disk.is_some_and(|disk| disk.faulty.contains(&feed)),
            part: disk.and_then(|disk| disk.parts.iter().find(|part| part.query.feed == feed)),
            job,
            free: disk.and_then(|disk| disk.free),
            part_dir: disk.and_then(|disk| disk.part_dirs.get(&feed).cloned()),
        }
    }

    /// The latest JSON release, as the service describes it.
    pub(super) fn offered(&self) -> Option<&'a Offered> {
        self.metadata.value()?.value.json.is()
    }

    /// From when the age of the newest local release counts.
    pub(super) fn generated_here(&self) -> Option<Generation> {
        Some(self.newest()?.manifest.generation())
    }

    /// The latest release that the service has.
    pub(super) fn offered_moment(&self) -> Option<Moment> {
        self.moment_of(self.offered()?)
    }

    /// The latest release that the service is known to have: it has what was downloaded, whatever its metadata says.
    pub(super) fn latest_moment(&self) -> Option<Moment> {
        let offered = self.offered_moment();
        let is_told = offered.is_some() || self.is_not_offered();
        let local = self.newest().filter(|_| is_told);
        offered.max(local.map(|local| local.manifest.surest_moment()))
    }

    /// The latest release in a form that the service has: the MMDB comes after the JSON.
    fn offered_in(&self, form: Format) -> Option<Moment> {
        let metadata = &self.metadata.value()?.value;
        let release = match form {
            Format::Json => metadata.json.is(),
            Format::Mmdb => metadata.mmdb.is(),
        };
        self.moment_of(release?)
    }

    fn moment_of(&self, release: &Offered) -> Option<Moment> {
        if self.feed == Feed::Realtime {
            release.window().map(Moment::Window)
        } else {
            release.day().map(Moment::Day)
        }
    }

    /// Whether the service has no metadata for it: the contract only says that it follows the pattern. There may be a release all the same.
    pub(super) fn is_not_offered(&self) -> bool {
        self.metadata
            .error()
            .is_some_and(|error| error.kind == Kind::NotFound)
    }

    /// The newest local JSON release, else the newest in any form.
    pub(super) fn newest(&self) -> Option<&'a Release> {
        let json = self.newest_in(Format::Json);
        json.or_else(|| self.here.first().copied())
    }

    /// The newest release in a form, local.
    pub(super) fn newest_in(&self, form: Format) -> Option<&'a Release> {
        let mut here = self.here.iter();
        here.find(|release| form_of(release) == form).copied()
    }

    /// How a release compares with the one due now. It is stale where the service has a newer one, however new it is by the clock; and it
    /// is not while the service has none, as long as that was heard lately.
    pub(super) fn freshness(&self, release: &Release, now: Timestamp) -> Freshness {
        let moment = release.manifest.surest_moment();
        let by_clock = moment.freshness(now);
        let offered = self.offered_in(form_of(release));
        match offered {
            Some(offered) if offered > moment && by_clock == Freshness::Current => {
                behind(moment, offered)
            }
            Some(offered) if offered <= moment && self.is_heard_lately(moment, now) => {
                Freshness::Current
            }
            _ => by_clock,
        }
    }

    /// Whether the metadata was read so lately that no release has become due since.
    fn is_heard_lately(&self, moment: Moment, now: Timestamp) -> bool {
        let heard = self.metadata.value().map(|own| own.provenance.asked_at);
        heard.is_some_and(|heard| match moment {
            Moment::Day(_) => cadence::expected_day(heard) >= cadence::expected_day(now),
            Moment::Window(window) => {
                let heard = Window::of(heard).max(window);
                cadence::of_window(heard, now) == Freshness::Current
            }
        })
    }

    /// The size of the latest JSON release.
    pub(super) fn size(&self) -> Size {
        let said = self
            .offered()
            .and_then(|release| release.filesize.is().copied());
        match (self.length(), said) {
            (Some(length), _) => Size::Bytes(length),
            (None, Some(said)) => Size::Said(said),
            (None, None) => Size::Unknown,
        }
    }

    /// The size of the latest JSON release, from its `Content-Length` or from the local file.
    pub(super) fn length(&self) -> Option<u64> {
        let offered = self.latest_moment()?;
        let here = self
            .here
            .iter()
            .find(|release| form_of(release) == Format::Json && release.manifest.moment == offered);
        here.map(|release| release.manifest.bytes)
            .or_else(|| self.announced())
    }

    /// What a running download of the latest JSON release was told.
    fn announced(&self) -> Option<u64> {
        let job = self.job?;
        let latest =
            |query: &PullQuery| query.wanted == WantedRelease::Latest && query.form == Format::Json;
        match &job.question {
            Question::Pull(query) if latest(query) => job.progress?.total,
            _ => None,
        }
    }

    /// How many bytes are missing on the disk for the latest release, if it seems not to fit.
    pub(super) fn needs(&self) -> Option<(u64, u64)> {
        let size = match self.size() {
            Size::Bytes(size) | Size::Said(size) => size,
            Size::Unknown => return None,
        };
        let free = self.free?;
        (size > free).then_some((size, free))
    }
}

/// How far a release is behind a newer one of the same feed.
fn behind(own: Moment, newer: Moment) -> Freshness {
    if let (Moment::Window(own), Moment::Window(newer)) = (own, newer) {
        let minutes = newer.begins().duration_since(own.begins()).as_mins();
        return Freshness::MinutesBehind(u32::try_from(minutes).unwrap_or(u32::MAX));
    }
    let days = newer.day().days_since(own.day());
    Freshness::DaysBehind(u32::try_from(days).unwrap_or(u32::MAX))
}

/// The form of a local release.
pub(super) fn form_of(release: &Release) -> Format {
    let mmdb = std::path::Path::new(&release.manifest.file)
        .extension()
        .is_some_and(|ending| ending == "mmdb");
    if mmdb { Format::Mmdb } else { Format::Json }
}

/// The download of a feed that matters: one that can still be stopped, else the last one.
pub(super) fn job_of(feed: Feed, jobs: &Jobs) -> Option<&Job> {
    let is_open = |job: &&Job| job.is_open();
    let open = jobs.pulls(feed).find(is_open);
    open.or_else(|| jobs.pulls(feed).next())
}
