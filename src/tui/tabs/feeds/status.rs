//! The status of a feed, in a few words: the last column of the table.

use jiff::Timestamp;

use super::known_feed::KnownFeed;
use crate::{
    contract::Freshness,
    engine::{Kind, PartialDownload},
    tui::{
        ctx::jobs::{Job, JobState},
        ui::{theme::Tone, words},
    },
};

/// The status of a feed: the words carry the sign, so that colour is never alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FeedStatus {
    /// How good the news is; `None` where there is none.
    pub(super) tone: Option<Tone>,
    pub(super) words: String,
}

impl FeedStatus {
    fn new(tone: Option<Tone>, words: impl Into<String>) -> Self {
        let words = words.into();
        let words = match tone {
            Some(tone @ (Tone::Ok | Tone::Warn | Tone::Error)) => {
                format!("{} {words}", tone.sign())
            }
            _ => words,
        };
        Self { tone, words }
    }

    /// The status of a feed: running work first, then a service that was not reached, then the local state, then what can be done.
    pub(super) fn of(known: &KnownFeed<'_>, now: Timestamp) -> Self {
        known
            .job
            .and_then(of_job)
            .or_else(|| known.part.map(of_part))
            .or_else(|| unreached(known))
            .or_else(|| of_release(known, now))
            .unwrap_or_else(|| of_offer(known))
    }
}

fn of_job(job: &Job) -> Option<FeedStatus> {
    let share = job
        .percent()
        .map_or_else(String::new, |share| format!(" {share}%"));
    match &job.state {
        JobState::Running => {
            let stage = job
                .progress
                .map_or("asking", |progress| progress.stage.word());
            Some(FeedStatus::new(Some(Tone::Info), format!("{stage}{share}")))
        }
        JobState::Paused => Some(FeedStatus::new(
            Some(Tone::Info),
            format!("paused{share}, z resumes"),
        )),
        JobState::Failed(error) => Some(FeedStatus::new(Some(Tone::Error), in_brief(error.kind))),
        JobState::Done(_) | JobState::Cancelled => None,
    }
}

/// What an earlier run has left.
fn of_part(part: &PartialDownload) -> FeedStatus {
    let far = far(part);
    FeedStatus::new(Some(Tone::Info), format!("partial {far}, z resumes"))
}

/// How much of a download was received: the share where it is known, else the bytes.
pub(super) fn far(part: &PartialDownload) -> String {
    let share = part.total.filter(|total| *total > 0);
    let share = share.map(|total| part.bytes.saturating_mul(100) / total);
    share.map_or_else(|| words::bytes(part.bytes), |share| format!("{share}%"))
}

/// The service was not reached when it was asked last. The details have the local releases.
fn unreached(known: &KnownFeed<'_>) -> Option<FeedStatus> {
    let error = known.metadata.error().filter(|_| !known.is_faulty)?;
    let words = in_brief(error.kind);
    (error.kind == Kind::Network).then(|| FeedStatus::new(Some(Tone::Error), words))
}

fn of_release(known: &KnownFeed<'_>, now: Timestamp) -> Option<FeedStatus> {
    if known.is_faulty {
        return Some(FeedStatus::new(Some(Tone::Error), "newest unusable"));
    }
    let release = known.newest()?;
    if release.manifest.day_doubt().is_some() {
        return Some(FeedStatus::new(Some(Tone::Warn), "day in doubt"));
    }
    Some(match known.freshness(release, now) {
        Freshness::DaysBehind(1) => FeedStatus::new(Some(Tone::Warn), "stale 1 day"),
        Freshness::DaysBehind(days) => {
            FeedStatus::new(Some(Tone::Warn), format!("stale {days} days"))
        }
        Freshness::MinutesBehind(minutes) => {
            FeedStatus::new(Some(Tone::Warn), format!("stale {}", span(minutes)))
        }
        Freshness::Current => match release.manifest.records {
            Some(records) => {
                let records = words::number(records);
                let what = match release.manifest.index {
                    Some(_) => "indexed",
                    None => "records",
                };
                FeedStatus::new(Some(Tone::Ok), format!("{records} {what}"))
            }
            None => FeedStatus::new(Some(Tone::Ok), "local"),
        },
    })
}

fn of_offer(known: &KnownFeed<'_>) -> FeedStatus {
    if let Some((needs, free)) = known.needs() {
        let (needs, free) = (words::bytes(needs), words::bytes(free));
        // A unit that both have is said once.
        let unit = free.rsplit(' ').next().unwrap_or_default();
        let needs = needs.strip_suffix(unit).unwrap_or(&needs).trim_end();
        return FeedStatus::new(Some(Tone::Warn), format!("needs {needs} of {free}"));
    }
    if known.is_not_offered() {
        return FeedStatus::new(None, "no metadata");
    }
    match known.metadata.error() {
        Some(error) => FeedStatus::new(Some(Tone::Error), in_brief(error.kind)),
        None if known.metadata.pending().is_some() => FeedStatus::new(None, "~ fetching"),
        None => FeedStatus::new(None, "not local"),
    }
}

pub(super) fn span(minutes: u32) -> String {
    match minutes {
        0..120 => format!("{minutes} min"),
        120..2880 => format!("{} h", minutes / 60),
        _ => format!("{} days", minutes / 1440),
    }
}

/// A kind of failure in the few words that a column has room for; the details say it in full.
fn in_brief(kind: Kind) -> &'static str {
    match kind {
        Kind::Usage => "cannot be asked",
        Kind::Guard => "stopped by a guard",
        Kind::Credentials => "access denied",
        Kind::Quota => "no queries left",
        Kind::RateLimit => "too many requests",
        Kind::Network => "not reached",
        Kind::Contract => "service error",
        Kind::Integrity => "file was corrupt",
        Kind::Machine => "this machine failed",
        Kind::Locked => "another writes it",
        Kind::NotFound => "not there",
        Kind::Interrupted => "interrupted",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        contract::Feed,
        engine::{Error, OnDisk},
        tui::ctx::remote::Remote,
    };

    fn words(known: &KnownFeed<'_>) -> String {
        let now = "2026-11-20T23:14:40Z".parse().expect("timestamp");
        FeedStatus::of(known, now).words
    }

    #[test]
    fn a_resource_that_only_follows_the_pattern_may_be_missing() {
        let disk = Remote::known(OnDisk::default());
        for (kind, expected) in [
            (Kind::NotFound, "no metadata"),
            (Kind::Credentials, "x access denied"),
            (Kind::Network, "x not reached"),
        ] {
            let mut metadata = Remote::default();
            metadata.begin(crate::tui::ctx::request::JobId(1));
            assert_eq!(
                words(&KnownFeed::of(Feed::Ipgeo, &metadata, &disk, None)),
                "~ fetching"
            );
            metadata.finish(
                crate::tui::ctx::request::JobId(1),
                Err(Error::new(kind, "")),
            );
            assert_eq!(
                words(&KnownFeed::of(Feed::Ipgeo, &metadata, &disk, None)),
                expected
            );
        }
        let untouched = Remote::default();
        assert_eq!(
            words(&KnownFeed::of(Feed::Dch, &untouched, &disk, None)),
            "not local"
        );
    }

    #[test]
    fn a_newest_release_that_cannot_be_used_stands_for_no_older_one() {
        let disk = Remote::known(OnDisk {
            faulty: vec![Feed::Dch],
            ..OnDisk::default()
        });
        let metadata = Remote::default();
        let known = KnownFeed::of(Feed::Dch, &metadata, &disk, None);
        assert_eq!(words(&known), "x newest unusable");
    }

    #[test]
    fn spans_are_rough() {
        for (minutes, expected) in [
            (16, "16 min"),
            (119, "119 min"),
            (120, "2 h"),
            (2880, "2 days"),
        ] {
            assert_eq!(span(minutes), expected);
        }
    }
}
