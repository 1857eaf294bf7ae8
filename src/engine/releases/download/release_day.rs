//! Which release a file is: an existing local one, or that of a day or window, and the source of that date.
//!
//! The first available source wins: the request, the header of the feeds host, the metadata, `Last-Modified`, and at last the
//! clock of this machine. Each date carries its source, so a guess is never taken for a fact.

use std::time::Duration;

use jiff::Timestamp;
use tokio::time::timeout;

use super::{
    journal::Journal,
    pull::Pull,
    query::{PullQuery, WantedRelease},
};
use crate::{
    contract::{Endpoint, Feed, Format, Resource, cadence},
    engine::{
        error::{Error, ErrorContext, Kind, Result},
        http::{Captured, UnreadReply},
    },
    model::{
        Day, FilePath, Window,
        feed_metadata::{ReleaseDate, ReleaseMetadata},
    },
    store::{DaySource, Manifest, Moment, layout::Release},
};

/// How long the metadata is waited for after a download.
const PATIENCE: Duration = Duration::from_secs(10);

impl Pull<'_> {
    /// The existing local release, if the service still has the same file and the release is usable.
    ///
    /// # Errors
    /// A failure to read the cache.
    pub(super) async fn unchanged(&self, reply: &UnreadReply) -> Result<Option<Release>> {
        let Some(validator) = reply.captured.validator() else {
            return Ok(None);
        };
        let releases = self.cache.releases(self.query.feed, self.query.form);
        // An unusable release is downloaded again.
        let (releases, _) = releases.at("read", self.cache.feed_dir(self.query.feed))?;
        let target = self.endpoint.target();
        let same = releases.into_iter().find(|release| {
            let Manifest {
                validator: own,
                target: from,
                bytes,
                ..
            } = &release.manifest;
            // A release dated in the future is an error that a new download can correct.
            !release.manifest.is_ahead()
                && own.as_deref() == Some(validator)
                && *from == target
                && reply.captured.length.is_none_or(|length| length == *bytes)
        });
        let Some(same) = same else {
            return Ok(None);
        };
        // Without a feed file, a damaged index can only be repaired by a new download.
        let fit = same.holds_data() || self.releases.is_sound(&same).await;
        Ok(fit.then_some(same))
    }

    /// The journal of a new download: which release it is, and how to recognize the file later.
    ///
    /// # Errors
    /// [`Kind::Contract`] for a day in the future: nothing is downloaded.
    pub(super) async fn begin(&mut self, reply: &UnreadReply) -> Result<Journal> {
        let captured = &reply.captured;
        let (moment, source) = match self.query.wanted {
            WantedRelease::Day(day) => (Moment::Day(day), DaySource::Asked),
            WantedRelease::Window(window) => (Moment::Window(window), DaySource::Asked),
            WantedRelease::Latest if self.query.feed == Feed::Realtime => {
                self.latest_window(captured).await?
            }
            WantedRelease::Latest => match (captured.generation_date, &self.endpoint) {
                (Some(day), _) => (Moment::Day(day), DaySource::Header),
                (None, Endpoint::Feed(_, Resource::Located(path))) => {
                    (Moment::Day(path.day), DaySource::Metadata)
                }
                (None, _) => {
                    let (day, source) = self.day_of(captured).await?;
                    (Moment::Day(day), source)
                }
            },
        };
        self.check_day(moment, source, captured)?;
        let service = self.cache.service().unwrap_or_default();
        let url = format!("{service}{}", self.endpoint.target());
        Ok(Journal {
            validator: captured.validator().map(str::to_owned),
            total: captured.length,
            service_clock: captured.date,
            ..Journal::new(self.query.feed, url, moment, source)
        })
    }

    /// Refuses a day that is in the future by both clocks, the service's and this machine's.
    fn check_day(&self, moment: Moment, source: DaySource, captured: &Captured) -> Result<()> {
        let now = self.releases.settings.now();
        if !moment.is_ahead_of(now) || captured.date.is_some_and(|date| !moment.is_ahead_of(date)) {
            return Ok(());
        }
        let message = format!(
            "the release of {} is dated {} ({}), more than a day ahead of the service's clock and of this machine's: \
             nothing was published",
            self.query.feed,
            moment.dashed(),
            source.words()
        );
        Err(Error::new(Kind::Contract, message).hint(
            "local releases were not changed: try again later; if it persists, tell the provider",
        ))
    }

    /// The latest window is named by the realtime metadata only (contract, part 2.8).
    async fn latest_window(&mut self, captured: &Captured) -> Result<(Moment, DaySource)> {
        self.ask_metadata(captured).await?;
        let release = self.release_metadata();
        let location = release
            .and_then(|release| release.location.text())
            .and_then(FilePath::parse_window);
        let date = release.and_then(|release| match release.date.is() {
            Some(ReleaseDate::Instant(instant)) => Some(Window::of(*instant)),
            _ => None,
        });
        if let Some(window) = location.or(date) {
            return Ok((Moment::Window(window), DaySource::Metadata));
        }
        let (at, source) = self.changed(captured);
        Ok((Moment::Window(Window::of(at)), source))
    }

    /// The day of a release that no header names: by its metadata, else by its last change, else today.
    async fn day_of(&mut self, captured: &Captured) -> Result<(Day, DaySource)> {
        self.ask_metadata(captured).await?;
        let release = self.release_metadata();
        if let Some(date) = release.and_then(|release| release.date.is().copied()) {
            let day = match date {
                ReleaseDate::Day(day) => day,
                ReleaseDate::Instant(instant) => Day::of(instant),
            };
            return Ok((day, DaySource::Metadata));
        }
        let (at, source) = self.changed(captured);
        Ok((Day::of(at), source))
    }

    /// Reads the metadata of the feed, where the service has it and this token may read it. Where nothing else dates the file, a
    /// failure that another try may mend ends the download: today's date would be a guess.
    async fn ask_metadata(&mut self, captured: &Captured) -> Result<()> {
        let error = match self.releases.live.feed_metadata(self.query.feed).await {
            Ok(fetched) => {
                self.metadata = Some(fetched.value);
                return Ok(());
            }
            Err(error) => error,
        };
        match error.kind {
            Kind::NotFound => return Ok(()),
            Kind::Credentials | Kind::Contract => {}
            _ if captured.last_change().is_some() => {}
            _ => return Err(error),
        }
        self.warnings.push(format!(
            "the metadata of {} does not date the release: {}",
            self.query.feed, error.message
        ));
        Ok(())
    }

    /// Reads the metadata for the time of generation, where it may cover the release and was not read yet. That has none for windows.
    pub(super) async fn ask_generation(&mut self) {
        let PullQuery { feed, wanted, .. } = *self.query;
        let last = cadence::expected_day(self.releases.settings.now());
        let is_covered = match wanted {
            WantedRelease::Latest => feed != Feed::Realtime,
            WantedRelease::Day(day) => day >= last.plus(-1),
            WantedRelease::Window(_) => false,
        };
        if is_covered && self.metadata.is_none() {
            let asked = timeout(PATIENCE, self.releases.live.feed_metadata(feed)).await;
            // Without an answer the release is whole, and its age is marked as counted from its day.
            self.metadata = asked.ok().and_then(Result::ok).map(|fetched| fetched.value);
        }
    }

    /// Records in the manifest when the release was generated, by the metadata, or the other day that the metadata is about.
    pub(super) fn note_metadata(&mut self, manifest: &mut Manifest) {
        if let Some(release) = self.release_metadata()
            && let Moment::Day(day) = manifest.moment
        {
            let named = release.day();
            if named == Some(day) {
                let generated = release.generated_at.is().copied();
                manifest.generated_at = generated.or(manifest.generated_at);
            }
            if self.query.wanted == WantedRelease::Latest {
                manifest.metadata_day = named.filter(|named| *named != day);
            }
        }
        self.warnings.extend(manifest.day_doubt());
    }

    /// The metadata of the latest release in the form that is pulled.
    fn release_metadata(&self) -> Option<&ReleaseMetadata> {
        let metadata = self.metadata.as_ref()?;
        match self.query.form {
            Format::Json => metadata.json.is(),
            Format::Mmdb => metadata.mmdb.is(),
        }
    }

    /// When the file was changed last, else now.
    fn changed(&self, captured: &Captured) -> (Timestamp, DaySource) {
        match captured.last_change() {
            Some(changed) => (changed, DaySource::LastModified),
            None => (self.releases.settings.now(), DaySource::Download),
        }
    }
}
