//! Which release a file is: one that is here already, or that of which day or window, and who says so.
//!
//! The best word wins: what was asked for, the header of the feeds host, the metadata, the last change, and only then
//! the clock of this machine. A guess must never pass for knowledge: each answer carries its source.

use super::{Wanted, journal::Journal, pull::Pull};
use crate::{
    contract::{Endpoint, Feed, Format, Resource},
    engine::{
        Engine,
        error::{Error, Kind, Result},
        http::{Captured, Reply},
    },
    model::{Day, FilePath, Window, feed_metadata::ReleaseDate},
    store::{DaySource, Manifest, Moment, layout::Release},
};

impl Pull<'_> {
    /// The release that is here already, if the service still has the same file and what is here can answer.
    ///
    /// # Errors
    /// A failure to read the cache.
    pub(super) async fn unchanged(&self, reply: &Reply) -> Result<Option<Release>> {
        let Some(validator) = reply.captured.validator() else {
            return Ok(None);
        };
        let releases = self.cache.releases(self.query.feed, self.query.form);
        // One that cannot be used is none to keep: it is downloaded again.
        let (releases, _) = releases.map_err(|error| {
            let dir = self.cache.feed_dir(self.query.feed);
            Error::machine(&format!("read {}", dir.display()), &error)
        })?;
        let target = self.endpoint.target();
        let same = releases.into_iter().find(|release| {
            let Manifest {
                validator: own,
                target: from,
                bytes,
                ..
            } = &release.manifest;
            // A day that cannot have been is a mistake that a download can mend.
            !release.manifest.is_ahead()
                && own.as_deref() == Some(validator)
                && *from == target
                && reply.captured.length.is_none_or(|length| length == *bytes)
        });
        let Some(same) = same else {
            return Ok(None);
        };
        // An index alone cannot be mended but by downloading its file again.
        let fit = same.holds_data() || self.engine.is_sound(&same).await;
        Ok(fit.then_some(same))
    }

    /// What is known of the file at the first byte: which release it is, and how to recognize it later.
    ///
    /// # Errors
    /// [`Kind::Contract`] for a day that cannot have been yet: nothing is downloaded.
    pub(super) async fn begin(&self, reply: &Reply) -> Result<Journal> {
        let captured = &reply.captured;
        let (moment, source) = match self.query.wanted {
            Wanted::Day(day) => (Moment::Day(day), DaySource::Asked),
            Wanted::Window(window) => (Moment::Window(window), DaySource::Asked),
            Wanted::Latest if self.query.feed == Feed::Realtime => {
                self.latest_window(captured).await
            }
            Wanted::Latest => match (captured.generation_date, &self.endpoint) {
                (Some(day), _) => (Moment::Day(day), DaySource::Header),
                (None, Endpoint::Feed(_, Resource::Located(path))) => {
                    (Moment::Day(path.day), DaySource::Metadata)
                }
                (None, _) => {
                    let (day, source) = self
                        .engine
                        .day_of(self.query.feed, self.query.form, captured)
                        .await;
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
            ..Journal::new(url, moment, source)
        })
    }

    /// Refuses a day that is ahead of both clocks: that of the service, if it gave one, and that of this machine.
    fn check_day(&self, moment: Moment, source: DaySource, captured: &Captured) -> Result<()> {
        let now = self.engine.now();
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
            "what is local stays as it was: try again later; if it stays so, tell the provider",
        ))
    }

    /// The latest window is named by the realtime metadata only (contract, part 2.8).
    async fn latest_window(&self, captured: &Captured) -> (Moment, DaySource) {
        if let Ok(metadata) = self.engine.feed_metadata(Feed::Realtime).await {
            let release = metadata.value.json.is();
            let location = release
                .and_then(|release| release.location.text())
                .and_then(FilePath::parse_window);
            let date = release.and_then(|release| match release.date.is() {
                Some(ReleaseDate::Instant(instant)) => Some(Window::of(*instant)),
                _ => None,
            });
            if let Some(window) = location.or(date) {
                return (Moment::Window(window), DaySource::Metadata);
            }
        }
        let changed = captured
            .last_modified
            .as_deref()
            .and_then(|text| httpdate::parse_http_date(text).ok());
        match changed.and_then(|changed| jiff::Timestamp::try_from(changed).ok()) {
            Some(changed) => (Moment::Window(Window::of(changed)), DaySource::LastModified),
            None => (
                Moment::Window(Window::of(self.engine.now())),
                DaySource::Download,
            ),
        }
    }
}

impl Engine {
    /// The day of a release that no header names: by its metadata, else by its last change, else today.
    async fn day_of(&self, feed: Feed, form: Format, captured: &Captured) -> (Day, DaySource) {
        let metadata = self.feed_metadata(feed).await.ok();
        let release = metadata.as_ref().and_then(|metadata| match form {
            Format::Json => metadata.value.json.is(),
            Format::Mmdb => metadata.value.mmdb.is(),
        });
        if let Some(date) = release.and_then(|release| release.date.is().copied()) {
            let day = match date {
                ReleaseDate::Day(day) => day,
                ReleaseDate::Instant(instant) => Day::of(instant),
            };
            return (day, DaySource::Metadata);
        }
        match captured
            .last_modified
            .as_deref()
            .and_then(|text| httpdate::parse_http_date(text).ok())
        {
            Some(changed) => (
                jiff::Timestamp::try_from(changed).map_or(Day::of(self.now()), Day::of),
                DaySource::LastModified,
            ),
            None => (Day::of(self.now()), DaySource::Download),
        }
    }
}
