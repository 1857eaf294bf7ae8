//! What an answer other than success means, host by host (contract, parts 5.4 and 7).
//!
//! The same number means different things: 403 on the Context API says that the token is valid, on the other hosts it
//! does not. Nothing here claims more than the contract says.

use super::{Endpoint, Host, catalog::Offer};

/// The meaning of a status that is not a success.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// Context 400: not a public address, says the service.
    BadInput,
    /// Context 401: the token is most likely invalid.
    TokenInvalid,
    /// Context 403: the token is valid and has no access to the Context API.
    NoAccess,
    /// Feeds and exports 403: the token is invalid or has no access; the contract does not say which.
    TokenOrAccess,
    /// Context 429: the account has insufficient queries.
    QuotaSpent,
    /// Exports 429: too many requests, try again later.
    SlowDown,
    /// 404 for a day, a tag or a file that is not there.
    NotThere,
    /// 404 for something that the contract does not promise for this feed.
    NotOffered,
    /// 500 and above: an error occurred.
    Fault,
    /// A status that the contract does not have for this host.
    OutsideContract,
}

impl Refusal {
    /// The meaning of `status` as an answer to `endpoint`; `None` for the contract's successes (200, and the 302 of a
    /// download) and for the answers of a resumed download (206).
    #[must_use]
    pub fn of(endpoint: &Endpoint, status: u16) -> Option<Self> {
        let host = endpoint.host();
        Some(match (host, status) {
            (_, 200 | 206) | (Host::Feeds, 301..=303 | 307 | 308) => return None,
            // Of the codes the contract lists (part 4.1), this one is about the address of a lookup alone.
            (Host::Context, 400) if matches!(endpoint, Endpoint::Context(_)) => Self::BadInput,
            (Host::Context, 401) => Self::TokenInvalid,
            (Host::Context, 403) => Self::NoAccess,
            (Host::Context, 429) => Self::QuotaSpent,
            // The contract lists 403 alone here; a gateway may well say 401 for the same thing.
            (Host::Feeds | Host::Exports, 401 | 403) => Self::TokenOrAccess,
            (Host::Feeds | Host::Exports, 429) => Self::SlowDown,
            (_, 404) if tried(endpoint) => Self::NotOffered,
            (_, 404) => Self::NotThere,
            (_, 500..=599) => Self::Fault,
            _ => Self::OutsideContract,
        })
    }

    /// Whether asking again later can help, by the contract's meaning.
    #[must_use]
    pub fn is_passing(self) -> bool {
        matches!(self, Self::SlowDown | Self::Fault)
    }
}

fn tried(endpoint: &Endpoint) -> bool {
    matches!(endpoint, Endpoint::Feed(feed, resource) if resource.offer(*feed) == Offer::Tried)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::{ExportQuery, Feed, LookupQuery, Resource};

    #[test]
    fn each_host_has_its_own_meaning() {
        let context = Endpoint::Context(LookupQuery::now([198, 51, 100, 7].into()));
        let feeds = Endpoint::Feed(Feed::Anonymous, Resource::Metadata);
        let tried = Endpoint::Feed(Feed::Dch, Resource::Metadata);
        let exports = Endpoint::Export(ExportQuery::all_of(Feed::Dch));
        for (endpoint, status, expected) in [
            (&context, 200, None),
            (&context, 302, Some(Refusal::OutsideContract)),
            (&context, 400, Some(Refusal::BadInput)),
            (&context, 401, Some(Refusal::TokenInvalid)),
            (&context, 403, Some(Refusal::NoAccess)),
            (&context, 404, Some(Refusal::NotThere)),
            (&context, 429, Some(Refusal::QuotaSpent)),
            (&context, 500, Some(Refusal::Fault)),
            (&Endpoint::Status, 400, Some(Refusal::OutsideContract)),
            (&Endpoint::Status, 401, Some(Refusal::TokenInvalid)),
            (&feeds, 200, None),
            (&feeds, 302, None),
            (&feeds, 206, None),
            (&feeds, 400, Some(Refusal::OutsideContract)),
            (&feeds, 403, Some(Refusal::TokenOrAccess)),
            (&feeds, 404, Some(Refusal::NotThere)),
            (&tried, 404, Some(Refusal::NotOffered)),
            (&feeds, 503, Some(Refusal::Fault)),
            (&exports, 200, None),
            (&exports, 302, Some(Refusal::OutsideContract)),
            (&exports, 403, Some(Refusal::TokenOrAccess)),
            (&exports, 429, Some(Refusal::SlowDown)),
            (&exports, 500, Some(Refusal::Fault)),
            (&exports, 418, Some(Refusal::OutsideContract)),
        ] {
            assert_eq!(
                Refusal::of(endpoint, status),
                expected,
                "{endpoint:?} {status}"
            );
        }
    }
}
