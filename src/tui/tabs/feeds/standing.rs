//! How a feed stands, in a few words: the last column of the table.

use jiff::Timestamp;

use super::known::Known;
use crate::{
    contract::Freshness,
    engine::{Kind, Part},
    tui::{
        ctx::jobs::{Job, JobState},
        ui::{theme::Tone, words},
    },
};

/// How a feed stands: the words carry the sign, so that colour is never alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Standing {
    /// How good the news is; `None` where there is none.
    pub(super) tone: Option<Tone>,
    /// The words.
    pub(super) words: String,
}

impl Standing {
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

    /// How a feed stands: what is on its way first, then what is here, then what could be.
    pub(super) fn of(known: &Known<'_>, now: Timestamp) -> Self {
        known
            .job
            .and_then(of_job)
            .or_else(|| known.part.map(of_part))
            .or_else(|| of_release(known, now))
            .unwrap_or_else(|| of_offer(known))
    }
}

fn of_job(job: &Job) -> Option<Standing> {
    let share = job
        .percent()
        .map_or_else(String::new, |share| format!(" {share}%"));
    match &job.state {
        JobState::Running => {
            let stage = job
                .progress
                .map_or("asking", |progress| progress.stage.word());
            Some(Standing::new(Some(Tone::Info), format!("{stage}{share}")))
        }
        JobState::Paused => Some(Standing::new(
            Some(Tone::Info),
            format!("paused{share}, z resumes"),
        )),
        JobState::Failed(error) => Some(Standing::new(Some(Tone::Error), in_brief(error.kind))),
        JobState::Done(_) | JobState::Cancelled => None,
    }
}

/// What an earlier run has left.
fn of_part(part: &Part) -> Standing {
    let far = far(part);
    Standing::new(Some(Tone::Info), format!("partial {far}, z resumes"))
}

/// How much of a download has come: the share where it is known, else the bytes.
pub(super) fn far(part: &Part) -> String {
    let share = part.total.filter(|total| *total > 0);
    let share = share.map(|total| part.bytes.saturating_mul(100) / total);
    share.map_or_else(|| words::bytes(part.bytes), |share| format!("{share}%"))
}

fn of_release(known: &Known<'_>, now: Timestamp) -> Option<Standing> {
    if known.is_faulty {
        return Some(Standing::new(Some(Tone::Error), "newest unusable"));
    }
    let release = known.newest()?;
    Some(match known.freshness(release, now) {
        Freshness::DaysBehind(1) => Standing::new(Some(Tone::Warn), "stale 1 day"),
        Freshness::DaysBehind(days) => {
            Standing::new(Some(Tone::Warn), format!("stale {days} days"))
        }
        Freshness::MinutesBehind(minutes) => {
            Standing::new(Some(Tone::Warn), format!("stale {}", span(minutes)))
        }
        Freshness::Current => match release.manifest.records {
            Some(records) => {
                let records = words::number(records);
                let what = match release.manifest.index {
                    Some(_) => "indexed",
                    None => "records",
                };
                Standing::new(Some(Tone::Ok), format!("{records} {what}"))
            }
            None => Standing::new(Some(Tone::Ok), "local"),
        },
    })
}

fn of_offer(known: &Known<'_>) -> Standing {
    if let Some((needs, free)) = known.needs() {
        let (needs, free) = (words::bytes(needs), words::bytes(free));
        // A unit that both have is said once.
        let unit = free.rsplit(' ').next().unwrap_or_default();
        let needs = needs.strip_suffix(unit).unwrap_or(&needs).trim_end();
        return Standing::new(Some(Tone::Warn), format!("needs {needs} of {free}"));
    }
    if known.is_not_offered() {
        return Standing::new(None, "not offered");
    }
    match known.metadata.error() {
        Some(error) => Standing::new(Some(Tone::Error), in_brief(error.kind)),
        None if known.metadata.pending().is_some() && known.metadata.value().is_none() => {
            Standing::new(None, "~ fetching")
        }
        None => Standing::new(None, "not local"),
    }
}

/// Minutes in words.
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

    fn words(known: &Known<'_>) -> String {
        let now = "2026-11-20T23:14:40Z".parse().expect("timestamp");
        Standing::of(known, now).words
    }

    #[test]
    fn a_resource_that_only_follows_the_pattern_may_be_missing() {
        let disk = Remote::known(OnDisk::default());
        for (kind, expected) in [
            (Kind::NotFound, "not offered"),
            (Kind::Credentials, "x access denied"),
            (Kind::Network, "x not reached"),
        ] {
            let mut metadata = Remote::default();
            metadata.begin(crate::tui::ctx::request::JobId(1));
            assert_eq!(
                words(&Known::of(Feed::Ipgeo, &metadata, &disk, None)),
                "~ fetching"
            );
            metadata.finish(
                crate::tui::ctx::request::JobId(1),
                Err(Error::new(kind, "")),
            );
            assert_eq!(
                words(&Known::of(Feed::Ipgeo, &metadata, &disk, None)),
                expected
            );
        }
        let untouched = Remote::default();
        assert_eq!(
            words(&Known::of(Feed::Dch, &untouched, &disk, None)),
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
        let known = Known::of(Feed::Dch, &metadata, &disk, None);
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
