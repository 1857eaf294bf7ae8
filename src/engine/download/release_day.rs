//! Which release a file is: one that is here already, or that of which day or window, and who says so.
//!
//! The best word wins: what was asked for, the header of the feeds host, the metadata, the last change, and only then
//! the clock of this machine. A guess must never pass for knowledge: each answer carries its source.

use super::{Wanted, journal::Journal, pull::Pull};
use crate::{
    contract::{Endpoint, Feed, Format, Resource},
    engine::{
        Engine,
        http::{Captured, Reply},
    },
    model::{Day, FilePath, Window, feed_metadata::ReleaseDate},
    store::{DaySource, Moment, layout::Release},
};

impl Pull<'_> {
    /// The release that is here already, if the service still has the same file and what is here can answer.
    pub(super) async fn unchanged(&self, reply: &Reply) -> Option<Release> {
        let validator = reply.captured.validator()?;
        let (releases, _) = self.cache.releases(self.query.feed, self.query.form).ok()?;
        let target = self.endpoint.target();
        let same = releases.into_iter().find(|release| {
            release.manifest.validator.as_deref() == Some(validator)
                && release.manifest.target == target
                && reply
                    .captured
                    .length
                    .is_none_or(|length| length == release.manifest.bytes)
        })?;
        // An index alone cannot be mended but by downloading its file again.
        let fit = same.holds_data() || self.engine.is_sound(&same).await;
        fit.then_some(same)
    }

    /// What is known of the file at the first byte: which release it is, and how to recognize it later.
    pub(super) async fn begin(&self, reply: &Reply) -> Journal {
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
        Journal {
            target: self.endpoint.target(),
            moment: moment.to_string(),
            day_source: source,
            validator: captured.validator().map(str::to_owned),
            total: captured.length,
        }
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
