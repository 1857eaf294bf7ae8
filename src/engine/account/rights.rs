//! The last answer of each host about this token, saved across runs, and the conclusion from all of them.

mod file;

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

pub(super) use self::file::{AccessFile, LoadedAccess};
use crate::contract::{Endpoint, Feed, Host, Resource};

/// A part of the service that the account may or may not have (contract, part 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Area {
    Lookup,
    /// Lookups for a past day.
    History,
    Tags,
    Status,
    /// Feeds and their metadata.
    Feeds,
    /// Dated feeds and listings.
    FeedHistory,
    /// Windows of five minutes.
    Realtime,
    Exports,
}

impl Area {
    /// All, by host.
    pub const ALL: [Self; 8] = [
        Self::Status,
        Self::Lookup,
        Self::History,
        Self::Tags,
        Self::Feeds,
        Self::FeedHistory,
        Self::Realtime,
        Self::Exports,
    ];

    /// The area that a request belongs to.
    #[must_use]
    pub fn of(endpoint: &Endpoint) -> Self {
        match endpoint {
            Endpoint::Context(query) if query.date.is_some() => Self::History,
            Endpoint::Context(_) => Self::Lookup,
            Endpoint::Tag(_) => Self::Tags,
            Endpoint::Status => Self::Status,
            Endpoint::Feed(Feed::Realtime, _) => Self::Realtime,
            Endpoint::Feed(_, Resource::Dated(_) | Resource::Runs | Resource::Files(_)) => {
                Self::FeedHistory
            }
            Endpoint::Feed(..) => Self::Feeds,
            Endpoint::Export(_) => Self::Exports,
        }
    }

    /// Another area that an answer with this status is about, too. Lookups of past days share token, access and queries with other
    /// lookups; only a 403 may be about past days alone.
    #[must_use]
    pub(in crate::engine) fn beside(self, status: u16) -> Option<Self> {
        let is_shared = self == Self::History && matches!(status, 200 | 401 | 429);
        is_shared.then_some(Self::Lookup)
    }

    /// The host that answers for it.
    #[must_use]
    pub fn host(self) -> Host {
        match self {
            Self::Lookup | Self::History | Self::Tags | Self::Status => Host::Context,
            Self::Feeds | Self::FeedHistory | Self::Realtime => Host::Feeds,
            Self::Exports => Host::Exports,
        }
    }

    /// The word for it on screens and in output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Lookup => "lookup",
            Self::History => "history",
            Self::Tags => "tags",
            Self::Status => "status",
            Self::Feeds => "feeds",
            Self::FeedHistory => "feed-history",
            Self::Realtime => "realtime",
            Self::Exports => "exports",
        }
    }
}

/// What was last heard in one area.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AreaStatus {
    pub at: Timestamp,
    /// The status, or `None` when there was no answer.
    pub status: Option<u16>,
    /// Why there was no answer, in words.
    pub trouble: Option<String>,
}

/// What was last heard in every area.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    heard: BTreeMap<Area, AreaStatus>,
}

impl Access {
    /// What was last heard in `area`.
    #[must_use]
    pub fn of(&self, area: Area) -> Option<&AreaStatus> {
        self.heard.get(&area)
    }

    /// Takes an answer in, and returns whether it is news: of another meaning than the last, or so much later that the date is. An
    /// answer about the thing that was asked for replaces none about the right to ask.
    pub(crate) fn record(&mut self, area: Area, heard: AreaStatus) -> bool {
        const NEWS: i64 = 60;
        let (at, status, trouble) = (heard.at, heard.status, heard.trouble.clone());
        let last = self.heard.get(&area).and_then(|last| last.status);
        if status.is_some_and(is_of_thing) && last.is_some_and(|last| !is_of_thing(last)) {
            return false;
        }
        self.heard.insert(area, heard).is_none_or(|last| {
            (last.status, last.trouble) != (status, trouble)
                || at.as_second() - last.at.as_second() >= NEWS
        })
    }

    /// What the answers mean, one host's beside the others', never more than the contract says.
    #[must_use]
    pub fn meaning(&self, area: Area) -> &'static str {
        let Some(heard) = self.heard.get(&area) else {
            return match area {
                Area::Lookup | Area::History => "not tested: costs a query",
                Area::Tags => "not tested: a tag is free",
                _ => "not tried",
            };
        };
        let Some(status) = heard.status else {
            return "no answer";
        };
        if is_allowed(area, status) {
            return "allowed";
        }
        match (area.host(), status) {
            (_, 400) => "answered: bad request",
            (_, 404) => "answered: not found",
            (Host::Context, 401) if self.token_proved() => {
                "denied, though the token was accepted elsewhere: try again"
            }
            (Host::Context, 401) => "token most likely invalid",
            (Host::Context, 403) if area == Area::History && self.is_allowed(Area::Lookup) => {
                "token valid, no historical access"
            }
            (Host::Context, 403) if area == Area::History => {
                "token valid, no access to the Context API or to past days"
            }
            (Host::Context, 403) => "token valid, no access to the Context API",
            (Host::Context, 429) => "token valid, no queries left",
            (Host::Exports, 429) => "slow down, try again later",
            (Host::Feeds | Host::Exports, 401 | 403) if self.token_proved() => match area {
                Area::FeedHistory => "token valid, no historical access",
                Area::Realtime => "token valid, no realtime access",
                Area::Exports => "token valid, no export access",
                _ => "token valid, no feed access",
            },
            (Host::Feeds | Host::Exports, 401 | 403) if self.token_disproved() => {
                "the Context API rejected this token (401)"
            }
            (Host::Feeds | Host::Exports, 401 | 403) => "token invalid, or no access",
            (_, 500..=599) => "an error of the service",
            _ => "not an answer of the contract",
        }
    }

    /// What a refusal by the feeds or the exports host means, where the answers of other hosts tell more than it does.
    pub(super) fn diagnosis(&self, area: Area) -> Option<&'static str> {
        let is_told = self.token_proved() || self.token_disproved();
        is_told.then(|| self.meaning(area))
    }

    fn is_allowed(&self, area: Area) -> bool {
        let status = self.heard.get(&area).and_then(|heard| heard.status);
        status.is_some_and(|status| is_allowed(area, status))
    }

    /// Whether some answer proves the token valid: anything allowed, or a context answer that presupposes it.
    fn token_proved(&self) -> bool {
        self.heard.iter().any(|(area, heard)| {
            self.is_allowed(*area)
                || (area.host() == Host::Context && matches!(heard.status, Some(403 | 429)))
        })
    }

    fn token_disproved(&self) -> bool {
        self.heard
            .iter()
            .any(|(area, heard)| area.host() == Host::Context && heard.status == Some(401))
    }
}

/// Only the feeds host redirects by contract; another host's redirect is someone else's.
fn is_allowed(area: Area, status: u16) -> bool {
    matches!(status, 200 | 206)
        || (area.host() == Host::Feeds && matches!(status, 301..=303 | 307 | 308))
}

/// Whether a status is about the tag, day, document or request, and leaves the right to ask open.
fn is_of_thing(status: u16) -> bool {
    matches!(status, 400 | 404)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(heard: &[(Area, u16)]) -> Access {
        let mut access = Access::default();
        for (area, status) in heard {
            access.record(
                *area,
                AreaStatus {
                    at: Timestamp::UNIX_EPOCH,
                    status: Some(*status),
                    trouble: None,
                },
            );
        }
        access
    }

    #[test]
    fn what_is_not_there_says_nothing_of_a_right() {
        for area in Area::ALL {
            for missing in [400, 404] {
                for known in [200, 401, 403, 429, 503] {
                    let first = access(&[(area, known)]);
                    assert_eq!(access(&[(area, known), (area, missing)]), first, "{area:?}");
                    let after = access(&[(area, missing), (area, known)]);
                    assert_eq!(after, first, "{area:?}");
                }
                let only = access(&[(area, missing)]);
                assert!(only.meaning(area).starts_with("answered: "), "{area:?}");
            }
        }
    }

    #[test]
    fn an_answer_for_a_past_day_is_about_lookups_too() {
        for (status, about) in [
            (200, Some(Area::Lookup)),
            (401, Some(Area::Lookup)),
            (429, Some(Area::Lookup)),
            (403, None),
            (400, None),
            (404, None),
        ] {
            assert_eq!(Area::History.beside(status), about, "{status}");
        }
        assert_eq!(Area::Lookup.beside(200), None);
    }

    #[test]
    fn one_host_explains_another() {
        let meaning = |heard: &[(Area, u16)], area| access(heard).meaning(area);
        assert_eq!(meaning(&[], Area::Exports), "not tried");
        assert_eq!(
            meaning(&[(Area::Exports, 403)], Area::Exports),
            "token invalid, or no access"
        );
        assert!(
            meaning(&[(Area::Status, 200), (Area::Exports, 403)], Area::Exports)
                .contains("no export access")
        );
        assert!(
            meaning(&[(Area::Lookup, 429), (Area::Feeds, 403)], Area::Feeds)
                .contains("no feed access")
        );
        assert!(
            meaning(&[(Area::Lookup, 401), (Area::Feeds, 403)], Area::Feeds)
                .contains("rejected this token")
        );
        assert_eq!(
            meaning(&[(Area::Lookup, 403)], Area::Lookup),
            "token valid, no access to the Context API"
        );
        assert!(
            meaning(
                &[(Area::Feeds, 302), (Area::FeedHistory, 403)],
                Area::FeedHistory
            )
            .contains("no historical access")
        );
    }
}
