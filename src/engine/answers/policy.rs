//! Which source answers: a pure decision over the answers at hand, so that `--source auto` and the explorer agree.
//!
//! A front fills [`Sources`] with [`Answers::sources`](super::Answers::sources), which sends nothing and is free, and
//! calls [`next`] with the time. `Show` names the answer to show. For `Ask` it calls
//! [`Answers::lookup`](super::Answers::lookup) and puts the answer into [`Sources::live`], or, where a query may not
//! be sent, clears [`Sources::may_send`] and calls [`next`] once more: a stale answer is better than none.
//! [`Answers::resolve`](super::Answers::resolve) does all of this in one step, [`Answers::by_policy`](super::Answers::by_policy) in
//! two parts on one request.
//!
//! A missing record in a feed never answers for the service, and an old answer is never presented as a new one: past its age
//! it is marked stale, and is shown only where no query may be sent.

use jiff::{SignedDuration, Timestamp};

use super::answer::LookupAnswer;
use crate::{
    contract::{Endpoint, Feed, LookupQuery},
    engine::{
        config,
        error::Error,
        releases::{LocalLookup, LocalRecord},
        settings::Settings,
    },
    model::{Context, Day},
    store::Moment,
};

/// The answers at hand about one address, each with its provenance, and whether a query may be sent.
#[derive(Clone, Debug)]
pub struct Sources {
    pub query: LookupQuery,
    /// The records of the local releases, the most specific first; for a past day those of its own releases.
    pub local: LocalLookup,
    /// The cached answer, of any age.
    pub cached: Option<LookupAnswer>,
    /// What the service answered just now.
    pub live: Option<LookupAnswer>,
    /// Local releases that cannot be used: one of them may have had the answer.
    pub unusable: Vec<Error>,
    /// Whether a query may be sent, as far as it is known.
    pub may_send: bool,
    /// How old an answer may be that replaces a query.
    pub limits: Limits,
}

impl Sources {
    /// Whether a local release has a context record of the address or of a network that covers it.
    #[must_use]
    pub fn has_context(&self) -> bool {
        let mut records = self.local.records.iter();
        records.any(|record| replaces_a_query(record.release.manifest.feed))
    }

    /// Whether a local record is too old to replace a query about today.
    #[must_use]
    pub fn is_stale(&self, record: &LocalRecord, now: Timestamp) -> bool {
        let manifest = &record.release.manifest;
        let age = self.limits.age_of(manifest.feed, manifest.moment, now);
        self.query.date.is_none() && age == Some(Age::Stale)
    }

    /// Whether a cached answer is too old to replace a query.
    #[must_use]
    pub fn is_stale_answer(&self, answer: &LookupAnswer, now: Timestamp) -> bool {
        let asked = answer.provenance.asked_at;
        !self.limits.replaces(self.query.date, asked, now)
    }

    /// The local record that is shown where no query is sent, by its position: the most specific context that can be read, one that is
    /// young enough if there is one.
    #[must_use]
    pub fn best_record(&self, now: Timestamp) -> Option<usize> {
        let best = self
            .contexts()
            .min_by_key(|(_, record)| self.is_stale(record, now));
        best.map(|(at, _)| at)
    }

    /// The newest local release with a context record that can be read: another one answers nothing.
    fn newest_context(&self) -> Option<Moment> {
        let moments = self
            .contexts()
            .map(|(_, record)| record.release.manifest.moment);
        moments.max()
    }

    /// The context records that can be read, with their positions.
    fn contexts(&self) -> impl Iterator<Item = (usize, &LocalRecord)> {
        let records = self.local.records.iter().enumerate();
        records.filter(|(_, record)| {
            replaces_a_query(record.release.manifest.feed)
                && Context::decode(record.document.value()).is_ok()
        })
    }
}

/// The ages of the answers at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ages {
    /// The past day that is asked about; else today.
    date: Option<Day>,
    /// The newest local release with a context record.
    local: Option<Moment>,
    /// When the cached answer was asked for.
    cached: Option<Timestamp>,
    may_send: bool,
    limits: Limits,
}

/// How old an answer may be that is given in place of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// `local_max_age_h`: of a local record, from 00:00 UTC of the release's day.
    pub local: SignedDuration,
    /// `answer_max_age_h`: of a cached answer, from when it was asked for.
    pub cached: SignedDuration,
}

/// What to do about a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyStep {
    /// Show what is local or cached.
    Show(Source, Age),
    /// Ask the service, for so many queries. Where nothing may be sent there is no answer.
    Ask(u32),
}

/// Where an answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Local,
    Cached,
    /// The service, just now.
    Live,
}

/// Whether an answer is young enough to be given in place of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Age {
    /// Young enough.
    Fresh,
    /// Too old, given because no query may be sent.
    Stale,
}

impl Limits {
    #[must_use]
    pub fn of(settings: &Settings) -> Self {
        let config::CacheLimits {
            local_max_age_h,
            answer_max_age_h,
            ..
        } = settings.cache;
        Self {
            local: hours(local_max_age_h),
            cached: hours(answer_max_age_h),
        }
    }

    /// The age of a record of a local release in place of a query about today; `None` where it never replaces one.
    #[must_use]
    pub fn age_of(&self, feed: Feed, release: Moment, now: Timestamp) -> Option<Age> {
        let age = if self.is_stale(release, now) {
            Age::Stale
        } else {
            Age::Fresh
        };
        replaces_a_query(feed).then_some(age)
    }

    /// Whether a local record is too old to replace a query about today.
    fn is_stale(&self, release: Moment, now: Timestamp) -> bool {
        now.duration_since(release.begins()) > self.local
    }

    /// Whether what the service answered then replaces a query now. An answer about a past day that was
    /// asked for after that day is final.
    pub(super) fn replaces(&self, date: Option<Day>, asked: Timestamp, now: Timestamp) -> bool {
        let is_settled = date.is_some_and(|day| asked >= day.plus(2).at(0, 0));
        is_settled || now.duration_since(asked) < self.cached
    }
}

/// Whether the records of a feed may be given in place of a query: contexts of the whole of an address. Netblocks,
/// geolocation and the partial records of realtime are beside an answer and never replace one.
#[must_use]
pub fn replaces_a_query(feed: Feed) -> bool {
    feed.holds_contexts() && feed != Feed::Realtime
}

/// Which of a local release with a context record and a cached answer is shown where nothing is sent.
pub(super) fn without_a_query(
    date: Option<Day>,
    local: Option<Moment>,
    cached: Option<Timestamp>,
    limits: Limits,
    now: Timestamp,
) -> Option<Source> {
    let ages = Ages {
        date,
        local,
        cached,
        may_send: false,
        limits,
    };
    ages.shown(now).map(|(source, _)| source)
}

/// What to do about a question: show a local record that is young enough, then a cached answer that is, then send a query.
/// Where none may be sent, show the newer of those that are too old.
#[must_use]
pub fn next(sources: &Sources, now: Timestamp) -> PolicyStep {
    if sources.live.is_some() {
        return PolicyStep::Show(Source::Live, Age::Fresh);
    }
    let ages = Ages {
        date: sources.query.date,
        local: sources.newest_context(),
        cached: sources
            .cached
            .as_ref()
            .map(|answer| answer.provenance.asked_at),
        may_send: sources.may_send,
        limits: sources.limits,
    };
    let shown = ages.shown(now);
    shown.map_or_else(
        || PolicyStep::Ask(Endpoint::Context(sources.query).cost()),
        |(source, age)| PolicyStep::Show(source, age),
    )
}

impl Ages {
    /// What is shown in place of a query, if anything.
    fn shown(&self, now: Timestamp) -> Option<(Source, Age)> {
        let Self {
            date,
            local,
            cached,
            may_send,
            limits,
        } = *self;
        let is_fresh = |release: Moment| match date {
            Some(day) => release.day() == day,
            None => !limits.is_stale(release, now),
        };
        if local.is_some_and(is_fresh) {
            return Some((Source::Local, Age::Fresh));
        }
        if cached.is_some_and(|asked| limits.replaces(date, asked, now)) {
            return Some((Source::Cached, Age::Fresh));
        }
        let stale_local = local.filter(|_| date.is_none()).map(Moment::begins);
        match (stale_local, cached) {
            _ if may_send => None,
            (None, None) => None,
            (Some(local), Some(cached)) if cached > local => Some((Source::Cached, Age::Stale)),
            (Some(_), _) => Some((Source::Local, Age::Stale)),
            (None, Some(_)) => Some((Source::Cached, Age::Stale)),
        }
    }
}

fn hours(hours: u64) -> SignedDuration {
    let hours = i64::try_from(hours).unwrap_or(i64::MAX);
    SignedDuration::from_secs(hours.saturating_mul(60 * 60))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().expect(text)
    }

    fn day(text: &str) -> Day {
        text.parse().expect(text)
    }

    fn ages(local: Option<&str>, cached: Option<&str>, may_send: bool) -> Ages {
        Ages {
            date: None,
            local: local.map(|text| Moment::Day(day(text))),
            cached: cached.map(at),
            may_send,
            limits: Limits {
                local: hours(48),
                cached: hours(24),
            },
        }
    }

    const NOON: &str = "2026-11-20T12:00:00Z";
    const LOCAL: Option<(Source, Age)> = Some((Source::Local, Age::Fresh));
    const CACHED: Option<(Source, Age)> = Some((Source::Cached, Age::Fresh));
    const STALE_LOCAL: Option<(Source, Age)> = Some((Source::Local, Age::Stale));
    const STALE_CACHED: Option<(Source, Age)> = Some((Source::Cached, Age::Stale));

    #[test]
    fn the_first_that_is_young_enough_answers() {
        for (local, cached, expected) in [
            (Some("20261120"), Some("2026-11-20T11:59:00Z"), LOCAL),
            (Some("20261119"), None, LOCAL),
            (Some("20261118"), None, None),
            (Some("20261118"), Some("2026-11-19T12:00:01Z"), CACHED),
            (Some("20261118"), Some("2026-11-19T12:00:00Z"), None),
            (None, Some("2026-11-20T00:00:00Z"), CACHED),
            (None, None, None),
        ] {
            let found = ages(local, cached, true).shown(at(NOON));
            assert_eq!(found, expected, "{local:?} {cached:?}");
        }
        let exactly = ages(Some("20261118"), None, true);
        assert_eq!(exactly.shown(at("2026-11-20T00:00:00Z")), LOCAL);
        assert_eq!(exactly.shown(at("2026-11-20T00:00:01Z")), None);
    }

    #[test]
    fn a_record_replaces_a_query_by_its_feed_and_the_age_of_its_release() {
        let Ages { limits, .. } = ages(None, None, true);
        let release = Moment::Day(day("20261118"));
        for (feed, now, expected) in [
            (Feed::Anonymous, "2026-11-20T00:00:00Z", Some(Age::Fresh)),
            (Feed::Anonymous, "2026-11-20T00:00:01Z", Some(Age::Stale)),
            (Feed::Realtime, "2026-11-18T00:00:00Z", None),
            (Feed::Dch, "2026-11-20T00:00:01Z", None),
        ] {
            let found = limits.age_of(feed, release, at(now));
            assert_eq!(found, expected, "{feed} {now}");
        }
    }

    #[test]
    fn where_nothing_may_be_sent_the_newer_of_what_is_stale_answers() {
        for (local, cached, expected) in [
            (Some("20261119"), None, LOCAL),
            (Some("20240101"), None, STALE_LOCAL),
            (None, Some("2026-10-01T00:00:00Z"), STALE_CACHED),
            (Some("20261001"), Some("2026-10-01T00:00:01Z"), STALE_CACHED),
            (Some("20261002"), Some("2026-10-01T00:00:01Z"), STALE_LOCAL),
            (None, None, None),
        ] {
            let found = ages(local, cached, false).shown(at(NOON));
            assert_eq!(found, expected, "{local:?} {cached:?}");
        }
    }

    #[test]
    fn a_past_day_is_answered_by_its_own_release_or_by_what_was_said_of_it() {
        let of_day = |local, cached, may_send| Ages {
            date: Some(day("20261001")),
            ..ages(local, cached, may_send)
        };
        let settled = Some("2026-10-03T00:00:00Z");
        let early = Some("2026-10-01T09:00:00Z");
        for (sources, expected) in [
            (of_day(Some("20261001"), settled, true), LOCAL),
            (of_day(None, settled, true), CACHED),
            (of_day(None, early, true), None),
            (of_day(None, early, false), STALE_CACHED),
            (of_day(Some("20261002"), None, true), None),
            // Another day's record is no answer, however little may be sent.
            (of_day(Some("20261002"), None, false), None),
        ] {
            assert_eq!(sources.shown(at(NOON)), expected, "{sources:?}");
        }
    }

    #[test]
    fn netblocks_geolocation_and_windows_replace_no_query() {
        let replacing: Vec<Feed> = Feed::all().filter(|feed| replaces_a_query(*feed)).collect();
        assert_eq!(
            replacing,
            [
                Feed::Anonymous,
                Feed::AnonymousResidential,
                Feed::AnonymousIpv6,
                Feed::AnonymousResidentialIpv6,
                Feed::Ipsummary
            ]
        );
    }
}
