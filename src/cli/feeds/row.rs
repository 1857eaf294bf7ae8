//! One feed of the list: its row of the catalogue, the service's metadata, the local releases.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::release_fields::{file_of, index_bytes, word_of};

use crate::{
    cli::console::Console,
    contract::{
        Feed, Freshness,
        catalog::{MmdbForm, Offer},
    },
    engine::{Engine, Error, Fetched, Inventory, Kind, Result},
    model::{FeedMetadata, feed_metadata::ReleaseMetadata},
    report::{Line, moment},
    store::{Moment, layout},
};

/// Everything known about a feed.
pub(super) struct FeedRow {
    pub(super) feed: Feed,
    /// The answer of the service; `None` offline.
    pub(super) metadata: Option<Result<Fetched<FeedMetadata>>>,
    /// Local releases, newest first, JSON before MMDB.
    pub(super) local: Vec<layout::Release>,
    /// Local releases that cannot be used.
    pub(super) unusable: Vec<String>,
    /// The directory of the local releases.
    pub(super) folder: PathBuf,
    /// Why the newest local release cannot answer, form by form.
    pub(super) faults: Vec<Error>,
    /// How the service's release compares with the contract's cadence, in words.
    pub(super) freshness: Option<String>,
}

impl FeedRow {
    /// Fetches the metadata unless offline, and reads the local releases.
    pub(super) async fn of(feed: Feed, engine: &Engine) -> Self {
        let metadata = if engine.settings.offline {
            None
        } else {
            Some(engine.live.feed_metadata(feed).await)
        };
        let folder = engine.releases.cache().feed_dir(feed);
        let Inventory {
            releases: local,
            mut unusable,
            faults,
            unlisted,
        } = engine.releases.inventory(feed);
        let unlisted = unlisted.iter();
        unusable.extend(unlisted.map(|error| format!("{}: {error}", folder.display())));
        let mut row = Self {
            feed,
            metadata,
            local,
            unusable,
            folder,
            faults: faults.into_iter().map(|(_, fault)| fault).collect(),
            freshness: None,
        };
        let freshness = row
            .release()
            .and_then(|release| freshness(feed, release, engine));
        row.freshness = freshness.map(freshness_words);
        row
    }

    /// Prints the releases whose day may be wrong, and the unusable ones: older ones as notes, the newest ones as errors.
    pub(super) fn name_doubtful(&self, console: &Console) {
        for doubt in self.local.iter().filter_map(|own| own.manifest.day_doubt()) {
            console.note(&doubt);
        }
        let is_newest = |text: &String| self.faults.iter().any(|own| own.message.contains(text));
        for text in self.unusable.iter().filter(|text| !is_newest(text)) {
            console.note(&format!("unusable local release: {text}"));
        }
        for error in &self.faults {
            console.complain(None, error);
        }
    }

    /// The metadata, if it was fetched and could be read.
    pub(super) fn metadata(&self) -> Option<&FeedMetadata> {
        Some(&self.fetched()?.value)
    }

    fn fetched(&self) -> Option<&Fetched<FeedMetadata>> {
        self.metadata.as_ref()?.as_ref().ok()
    }

    /// Why the metadata is missing, unless the contract does not promise it.
    pub(super) fn failure(&self) -> Option<&Error> {
        let error = self.metadata.as_ref()?.as_ref().err();
        error.filter(|error| !self.is_not_offered(error))
    }

    /// The JSON release that the service has.
    pub(super) fn release(&self) -> Option<&ReleaseMetadata> {
        self.metadata()?.json.is()
    }

    /// The release in words: its day or window, or why it is unknown.
    pub(super) fn release_words(&self) -> String {
        match &self.metadata {
            None => "not asked".to_owned(),
            Some(Err(error)) if self.is_not_offered(error) => "not offered".to_owned(),
            Some(Err(error)) => match error.status {
                Some(status) => format!("{} ({status})", error.kind.word()),
                None => error.kind.word().to_owned(),
            },
            Some(Ok(_)) => self.release().map_or("not named".to_owned(), name_of),
        }
    }

    /// `filesize` of the service's release; its unit is presumably the byte.
    pub(super) fn size(&self) -> Option<u64> {
        self.release()?.filesize.into_option()
    }

    /// Total bytes of the existing indexes.
    pub(super) fn index_bytes(&self) -> Option<u64> {
        self.local
            .iter()
            .filter_map(index_bytes)
            .reduce(|sum, next| sum + next)
    }

    /// The JSON object, and the cells of the list.
    pub(super) fn line(&self) -> Line {
        let row = self.feed.row();
        let failure = self.failure();
        let newest = self.local.first().filter(|_| self.faults.is_empty());
        let line = Line::new()
            .some("query", failure.map(|_| row.name))
            .key("feed", row.name)
            .key("base", row.base)
            .key("records", row.records.word())
            .key("maturity", row.maturity.word())
            .key("covers", row.covers)
            .key("offers", offers(self.feed))
            .key("fresh", &self.freshness)
            .document("metadata", self.fetched().map(|fetched| &fetched.document))
            .objects("local", &self.local())
            .key("unusable", &self.unusable)
            .cell("release", self.release_words())
            .cell("freshness", &self.freshness)
            .cell("filesize", self.size())
            .cell("local_releases", self.local.len())
            .cell(
                "newest_local",
                newest.map(|release| release.manifest.moment.to_string()),
            )
            .cell("index_bytes", self.index_bytes());
        match (failure, self.faults.first()) {
            (Some(error), _) => line.error(error),
            (None, Some(fault)) => line.cell("error", fault.kind.word()),
            (None, None) => line,
        }
    }

    /// The objects of the local releases.
    pub(super) fn local(&self) -> Vec<Line> {
        self.local.iter().map(release_line).collect()
    }

    fn is_not_offered(&self, error: &Error) -> bool {
        error.kind == Kind::NotFound && self.feed.row().metadata == Offer::Tried
    }
}

/// The day or window of a release of the service.
fn name_of(release: &ReleaseMetadata) -> String {
    match (release.window(), release.day()) {
        (Some(window), _) => Moment::Window(window).dashed(),
        (None, Some(day)) => day.dashed(),
        (None, None) => "not named".to_owned(),
    }
}

fn freshness(feed: Feed, release: &ReleaseMetadata, engine: &Engine) -> Option<Freshness> {
    Some(
        match (feed, release.window()) {
            (Feed::Realtime, Some(window)) => Moment::Window(window),
            _ => Moment::Day(release.day()?),
        }
        .freshness(engine.settings.now()),
    )
}

fn freshness_words(freshness: Freshness) -> String {
    match freshness {
        Freshness::Current => "current".to_owned(),
        Freshness::DaysBehind(1) => "1 day behind".to_owned(),
        Freshness::DaysBehind(days) => format!("{days} days behind"),
        Freshness::MinutesBehind(minutes) => format!("{minutes} min behind"),
    }
}

/// What a feed offers, and how firmly the contract states it.
fn offers(feed: Feed) -> Value {
    let row = feed.row();
    let word = |offer| match offer {
        Offer::Stated => "stated",
        Offer::Tried => "tried",
        Offer::No => "no",
    };
    let mmdb = match row.mmdb {
        MmdbForm::ByMetadata => "by metadata",
        MmdbForm::Latest => "latest",
        MmdbForm::No => "no",
    };
    json!({"metadata": word(row.metadata), "history": word(row.history), "mmdb": mmdb, "readme": word(row.readme)})
}

/// A local release as a JSON object, with the cells of `feeds info`.
fn release_line(release: &layout::Release) -> Line {
    let manifest = &release.manifest;
    Line::new()
        .key("day", manifest.moment.day().to_string())
        .key("release", manifest.moment.to_string())
        .key("form", word_of(manifest.form()))
        .key("records", manifest.records)
        .key("rejected", manifest.rejected.count)
        .key("bytes", manifest.bytes)
        .key("pinned", manifest.pinned)
        .key("pulled_at", manifest.pulled_at.to_string())
        .key("file_kept", release.holds_data())
        .key("index_bytes", index_bytes(release))
        .cell("day_source", manifest.day_source.words())
        .cell("pulled_at", moment(manifest.pulled_at))
        .cell("file", file_of(release))
}
