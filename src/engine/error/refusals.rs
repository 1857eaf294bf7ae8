//! Refusals of the service in words: what each host means by a status, and what to do about it. The service is quoted; nothing is
//! claimed beyond what it says and what the contract states.

use super::{Error, Kind};
use crate::{
    contract::{Endpoint, Feed, Refusal, Resource},
    model::Day,
};

impl Error {
    /// A lookup that was refused. What the service says decides: the contract has 400 for addresses that are not public, and
    /// days without data are refused so, too.
    fn bad_input(endpoint: &Endpoint, status: u16, said: Option<&str>) -> Self {
        let why = said.map_or_else(|| "400".to_owned(), |said| format!("400: '{said}'"));
        let (kind, message, hint) = match day_of(endpoint).filter(|_| is_of_day(said)) {
            Some(day) => (
                Kind::NotFound,
                match said {
                    Some(said) => format!("no data for {} (the service: '{said}')", day.dashed()),
                    None => format!("no data for {} (400)", day.dashed()),
                },
                "another day may have some; without --date the service answers for today",
            ),
            None => (
                Kind::Contract,
                format!("the service refused {} ({why})", asked_of(endpoint)),
                "it was sent as a public address; if the reason is wrong, ask the provider",
            ),
        };
        Self::new(kind, message).hint(hint).status(status)
    }

    /// The meaning of a refusal by the contract. `diagnosis` is what the answers of the other hosts add to it; `said` is the text of
    /// the body, if it is readable.
    #[must_use]
    pub fn refused(
        endpoint: &Endpoint,
        refusal: Refusal,
        status: u16,
        diagnosis: Option<&str>,
        said: Option<&str>,
    ) -> Self {
        let host = endpoint.host();
        let (kind, message, hint) = match refusal {
            Refusal::BadInput => return Self::bad_input(endpoint, status, said),
            Refusal::TokenInvalid => (
                Kind::Credentials,
                "the Context API denied access (401): the token is most likely invalid".to_owned(),
                "store the right one with `ipspect login`; `ipspect doctor` says where the present one comes from",
            ),
            Refusal::NoAccess if day_of(endpoint).is_some() => (
                Kind::Credentials,
                format!(
                    "the Context API denied access to a past day (403): {}",
                    diagnosis.unwrap_or("the token is valid but has no access to the Context API, or none to past days")
                ),
                "past days need historical access on the account, unless that day is local",
            ),
            Refusal::NoAccess => (
                Kind::Credentials,
                "the token is valid but has no access to the Context API (403)".to_owned(),
                "feeds and exports may still work: `ipspect status --test` asks each host",
            ),
            Refusal::TokenOrAccess => (
                Kind::Credentials,
                format!(
                    "the {host} host denied access ({status}): {}",
                    diagnosis.unwrap_or("the token is invalid, or has no access to this")
                ),
                access_hint(endpoint),
            ),
            Refusal::QuotaSpent => (
                Kind::Quota,
                "the account has insufficient queries (429)".to_owned(),
                "wait for the next billing period or raise the quota; what is answered so far is kept",
            ),
            Refusal::SlowDown => (
                Kind::RateLimit,
                format!("the {host} host answered: too many requests (429)"),
                "try again later; the service does not state its limits",
            ),
            Refusal::NotThere => (
                Kind::NotFound,
                not_there(endpoint),
                match endpoint {
                    Endpoint::Tag(_) => "`ipspect tags` lists the tags of the local service-metrics feed",
                    Endpoint::Context(_) => "another day may have some; without --date the service answers for today",
                    _ => "check the name or the date",
                },
            ),
            Refusal::NotOffered => (
                Kind::NotFound,
                format!("{} is not offered by this service (404)", endpoint.target()),
                "this feed may have no such path",
            ),
            Refusal::Fault => (
                Kind::Contract,
                format!("the {host} host answered that an error occurred ({status})"),
                "try again later; if it persists, tell the provider",
            ),
            Refusal::OutsideContract if matches!(endpoint, Endpoint::Export(_)) && status == 400 => {
                let message = match said {
                    Some(said) => format!("the exports host refused the export (400: '{said}')"),
                    None => "the exports host refused the export (400) without a reason".to_owned(),
                };
                let hint = "`--dry-run` shows the request; change what the reason names, or ask the provider";
                return Self::new(Kind::Contract, message)
                    .hint(hint)
                    .status(status);
            }
            Refusal::OutsideContract => (
                Kind::Contract,
                format!(
                    "the {host} host answered with status {status}, which is not in its contract"
                ),
                "check the address of the host with `ipspect doctor`",
            ),
        };
        let message = match said {
            Some(said) => format!("{message}; the service: '{said}'"),
            None => message,
        };
        let hint = feed_hint(endpoint, refusal).unwrap_or_else(|| hint.to_owned());
        Self::new(kind, message).hint(hint).status(status)
    }
}

/// What to do about a refusal that depends on the feed.
fn feed_hint(endpoint: &Endpoint, refusal: Refusal) -> Option<String> {
    let Endpoint::Feed(feed, resource) = endpoint else {
        return None;
    };
    let is_dated = matches!(
        resource,
        Resource::Dated(_) | Resource::Runs | Resource::Files(_)
    );
    match refusal {
        Refusal::NotThere => Some(match resource {
            Resource::Window(window) => format!(
                "`ipspect feeds files {feed} --date {}` lists the windows of that day",
                window.day.dashed()
            ),
            Resource::Files(_) if *feed == Feed::Realtime => {
                format!("`ipspect feeds pull {feed}` downloads the latest window")
            }
            Resource::Dated(_) | Resource::Files(_) => format!(
                "`ipspect feeds runs {feed}` lists the available days; `ipspect feeds pull {feed}` downloads the latest"
            ),
            _ => "`ipspect feeds` shows what each feed has".to_owned(),
        }),
        Refusal::TokenOrAccess if is_dated && *feed != Feed::Realtime => Some(format!(
            "dated files and listings need historical access; the latest release does not: `ipspect feeds pull {feed}`"
        )),
        _ => None,
    }
}

/// Whether a refusal of a lookup is about its day, as far as the service gives a reason.
fn is_of_day(said: Option<&str>) -> bool {
    let said = said.unwrap_or_default().to_lowercase();
    !["address", "public", "private", "reserved"]
        .iter()
        .any(|word| said.contains(word))
}

fn asked_of(endpoint: &Endpoint) -> String {
    match endpoint {
        Endpoint::Context(query) => match query.date {
            Some(day) => format!("{} on {}", query.address, day.dashed()),
            None => query.address.to_string(),
        },
        _ => "the request".to_owned(),
    }
}

/// The day that a lookup is about.
fn day_of(endpoint: &Endpoint) -> Option<Day> {
    match endpoint {
        Endpoint::Context(query) => query.date,
        _ => None,
    }
}

fn access_hint(endpoint: &Endpoint) -> &'static str {
    match endpoint {
        Endpoint::Feed(Feed::Realtime, _) => {
            "realtime feeds need realtime access on the account; `ipspect status --test` asks each host"
        }
        _ => {
            "`ipspect status --test` asks each host; feeds and exports need an enterprise organization"
        }
    }
}

fn not_there(endpoint: &Endpoint) -> String {
    match endpoint {
        Endpoint::Tag(tag) => format!("tag {tag} not found (404)"),
        Endpoint::Context(query) => match query.date {
            Some(day) => format!("no data for {} on {} (404)", query.address, day.dashed()),
            None => format!("the service has no record of {} (404)", query.address),
        },
        Endpoint::Feed(feed, Resource::Dated(day)) => {
            format!(
                "the service has no release of {feed} for {} (404)",
                day.dashed()
            )
        }
        Endpoint::Feed(feed, Resource::Window(window)) => format!(
            "the service has no window {} of {feed} for {} (404)",
            window.hhmm(),
            window.day.dashed()
        ),
        Endpoint::Feed(feed, Resource::Files(day)) => {
            format!(
                "the service lists no files of {feed} for {} (404)",
                day.dashed()
            )
        }
        _ => format!(
            "the {} host has no {} (404)",
            endpoint.host(),
            endpoint.target()
        ),
    }
}
