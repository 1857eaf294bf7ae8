//! The status of a feed, in a few words: the last column of the table.

use jiff::Timestamp;

use super::known_feeds::KnownFeed;
use crate::{
    contract::Freshness,
    engine::{Kind, PartialDownload},
    tui::{
        ctx::{Job, JobState},
        ui::{Tone, words},
    },
};

/// The status of a feed: the words carry the sign, so that colour is never alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FeedStatus {
    /// How good the news is; `None` where there is none.
    pub(super) tone: Option<Tone>,
    pub(super) words: String,
    /// The words for a narrow table, if they can be fewer.
    pub(super) brief: Option<String>,
}

impl FeedStatus {
    pub(super) fn new(tone: impl Into<Option<Tone>>, words: impl Into<String>) -> Self {
        let (tone, words) = (tone.into(), words.into());
        let words = match tone {
            Some(tone @ (Tone::Ok | Tone::Warn | Tone::Error)) => {
                format!("{} {words}", tone.sign())
            }
            _ => words,
        };
        Self {
            tone,
            words,
            brief: None,
        }
    }

    /// Sets the words for a narrow table.
    fn or(self, brief: impl Into<String>) -> Self {
        let brief = Self::new(self.tone, brief).words;
        Self {
            brief: Some(brief),
            ..self
        }
    }

    /// The status of a feed: running work first, then a service that was not reached, then the local state, then what can be done.
    pub(super) fn of(known: &KnownFeed<'_>, now: Timestamp) -> Self {
        known
            .job
            .and_then(of_job)
            .or_else(|| known.part.map(of_part))
            .or_else(|| unreached(known, now))
            .or_else(|| of_release(known, now))
            .unwrap_or_else(|| of_offer(known))
    }
}

fn of_job(job: &Job) -> Option<FeedStatus> {
    let percent = job.percent();
    let share = percent.map_or_else(String::new, |share| format!(" {share}%"));
    Some(match &job.state {
        JobState::Running => {
            let stage = job.progress.map(|progress| progress.stage.word());
            let stage = stage.unwrap_or("asking");
            FeedStatus::new(Tone::Info, format!("{stage}{share}"))
        }
        JobState::Paused => {
            let status = FeedStatus::new(Tone::Info, format!("paused{share}, z resumes"));
            match percent {
                Some(share) => status.or(format!("{share}%, z resumes")),
                None => status,
            }
        }
        JobState::Failed(error) => FeedStatus::new(Tone::Error, in_brief(error.kind)),
        JobState::Done(_) | JobState::Cancelled => return None,
    })
}

/// What an earlier run has left.
fn of_part(part: &PartialDownload) -> FeedStatus {
    let resumes = format!("{}, z resumes", far(part));
    FeedStatus::new(Tone::Info, format!("partial {resumes}")).or(resumes)
}

/// How much of a download was received: the share where it is known, else the bytes.
pub(super) fn far(part: &PartialDownload) -> String {
    let share = part.total.filter(|total| *total > 0);
    let share = share.map(|total| part.bytes.saturating_mul(100) / total);
    share.map_or_else(|| words::bytes(part.bytes), |share| format!("{share}%"))
}

/// The service was not reached when it was asked last. What is local is usable all the same.
fn unreached(known: &KnownFeed<'_>, now: Timestamp) -> Option<FeedStatus> {
    let error = known.metadata.error().filter(|_| !known.is_faulty)?;
    let words = in_brief(error.kind);
    if error.kind != Kind::Network {
        return None;
    }
    // The age stands beside it.
    let freshness = known.newest().map(|release| known.freshness(release, now));
    Some(match freshness {
        None => FeedStatus::new(Tone::Error, words),
        Some(Freshness::Current) => {
            FeedStatus::new(Tone::Warn, format!("local, {words}")).or(words)
        }
        Some(_) => FeedStatus::new(Tone::Warn, format!("stale, {words}")).or(words),
    })
}

fn of_release(known: &KnownFeed<'_>, now: Timestamp) -> Option<FeedStatus> {
    if known.is_faulty {
        return Some(FeedStatus::new(Tone::Error, "newest unusable"));
    }
    let release = known.newest()?;
    let manifest = &release.manifest;
    let stale = |since: String| FeedStatus::new(Tone::Warn, format!("stale {since}"));
    Some(match known.freshness(release, now) {
        _ if manifest.day_doubt().is_some() => FeedStatus::new(Tone::Warn, "day in doubt"),
        Freshness::DaysBehind(days) => stale(words::counted(days.into(), "day")),
        Freshness::MinutesBehind(minutes) => stale(span(minutes)),
        Freshness::Current => {
            let Some(records) = manifest.records.map(words::number) else {
                return Some(FeedStatus::new(Tone::Ok, "local"));
            };
            let what = match manifest.index {
                Some(_) => "indexed",
                None => "records",
            };
            FeedStatus::new(Tone::Ok, format!("{records} {what}")).or(records)
        }
    })
}

fn of_offer(known: &KnownFeed<'_>) -> FeedStatus {
    if let Some((needs, free)) = known.needs() {
        let (whole, free) = (words::bytes(needs), words::bytes(free));
        // A unit that both have is said once.
        let unit = free.rsplit(' ').next().unwrap_or_default();
        let needs = whole.strip_suffix(unit).unwrap_or(&whole).trim_end();
        let status = FeedStatus::new(Tone::Warn, format!("needs {needs} of {free}"));
        return status.or(format!("needs {whole}"));
    }
    match known.metadata.error() {
        _ if known.is_not_offered() => FeedStatus::new(None, "no metadata"),
        Some(error) => FeedStatus::new(Tone::Error, in_brief(error.kind)),
        None if known.metadata.is_pending() => FeedStatus::new(None, "~ fetching"),
        None => FeedStatus::new(None, "not local"),
    }
}

fn span(minutes: u32) -> String {
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
        engine::OnDisk,
        tui::{ctx::Jobs, tabs::feeds::known_feeds::KnownFeeds},
    };

    #[test]
    fn a_newest_release_that_cannot_be_used_stands_for_no_older_one() {
        let known = KnownFeeds::with_disk(OnDisk {
            faulty: vec![Feed::Dch],
            ..OnDisk::default()
        });
        let now = "2026-11-20T23:14:40Z".parse().expect("timestamp");
        let status = |feed| FeedStatus::of(&known.of(feed, &Jobs::default()), now).words;
        assert_eq!(status(Feed::Dch), "x newest unusable");
        assert_eq!(status(Feed::Ipgeo), "not local");
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
