//! Live questions that cost no query: one tag, the token's status, a feed's metadata, listings and documentation
//! (contract, parts 4.1 and 4.2).

mod probe;

use std::sync::Arc;

pub use self::probe::Probed;
use super::{
    account::{Account, Balance, BalanceSource},
    error::{Error, Kind, Result},
    http::{Fetched, Provenance, Requests},
};
use crate::{
    contract::{Endpoint, Feed, Resource},
    model::{Document, FeedMetadata, Listing, NotAListing, NotAnObject, Status, Tag, TagName},
};

/// Asks the service what costs no query.
#[derive(Clone, Debug)]
pub struct Live {
    requests: Requests,
    account: Arc<Account>,
}

impl Live {
    pub(super) fn new(requests: Requests, account: Arc<Account>) -> Self {
        Self { requests, account }
    }

    /// The metadata of a tag.
    ///
    /// # Errors
    /// What the service said; [`Kind::NotFound`] for a tag that it does not know;
    /// [`Kind::Contract`] for an answer about another tag.
    pub async fn tag(&self, tag: &TagName) -> Result<Fetched<Tag>> {
        let read = |document: &Document| {
            let decoded = Tag::decode(document.value());
            let decoded = decoded.map_err(|why| unreadable(&format!("tag {tag}"), why))?;
            about_tag(tag, &decoded, document)?;
            Ok(decoded)
        };
        self.requests
            .document(&Endpoint::Tag(tag.clone()), read)
            .await
    }

    /// The status of the token. Whether that costs a query, the contract does not say; it was observed not to.
    ///
    /// # Errors
    /// What the service said.
    pub async fn status(&self) -> Result<Fetched<Status>> {
        let read = |document: &Document| {
            Status::decode(document.value()).map_err(|why| unreadable("the status", why))
        };
        let fetched = self.requests.document(&Endpoint::Status, read).await?;
        if let Some(remaining) = fetched.value.queries_remaining.is() {
            self.account.guards.hear(Balance {
                remaining: *remaining,
                at: self.account.settings.now(),
                source: BalanceSource::Status,
            });
            self.account.note_balance(*remaining);
        }
        Ok(fetched)
    }

    /// The metadata of a feed's latest release.
    ///
    /// # Errors
    /// What the service said; [`Kind::NotFound`] where it offers none.
    pub async fn feed_metadata(&self, feed: Feed) -> Result<Fetched<FeedMetadata>> {
        let endpoint = Endpoint::Feed(feed, Resource::Metadata);
        let read = |document: &Document| {
            let metadata = FeedMetadata::decode(document.value());
            metadata.map_err(|why| unreadable(&format!("the metadata of {feed}"), why))
        };
        self.requests.document(&endpoint, read).await
    }

    /// The days of a feed that the service has, or the files of one of them; needs historical access.
    ///
    /// # Errors
    /// What the service said.
    pub async fn listing(&self, feed: Feed, resource: Resource) -> Result<FetchedListing> {
        let endpoint = Endpoint::of_feed(feed, resource)?;
        let answered = self.requests.small(&endpoint).await?;
        let listing = Listing::read(&answered.body).map_err(|why: NotAListing| {
            Error::faulty(format!(
                "the listing {} could not be read: {why}",
                endpoint.target()
            ))
        })?;
        Ok(FetchedListing {
            listing,
            provenance: answered.provenance,
        })
    }

    /// The documentation of a feed, a PDF.
    ///
    /// # Errors
    /// What the service said; [`Kind::Contract`] for an invalid PDF.
    pub async fn feed_readme(&self, feed: Feed) -> Result<Vec<u8>> {
        let endpoint = Endpoint::of_feed(feed, Resource::Readme)?;
        let answered = self.requests.small(&endpoint).await?;
        if answered.captured.is_web_page() || !answered.body.starts_with(b"%PDF-") {
            return Err(Error::faulty(format!("{} is not a PDF", endpoint.target())));
        }
        Ok(answered.body)
    }
}

/// A listing and where it comes from.
#[derive(Clone, Debug)]
pub struct FetchedListing {
    pub listing: Listing,
    /// Where it comes from.
    pub provenance: Provenance,
}

/// Whether the metadata is about the tag that was asked: it has that name, or says that it goes by that name as well.
fn about_tag(asked: &TagName, tag: &Tag, document: &Document) -> Result<()> {
    let same = |name: &str| name.trim().eq_ignore_ascii_case(asked.as_str());
    let others = [&tag.all_tags, &tag.aliases];
    if others
        .iter()
        .any(|names| names.items().iter().any(|name| same(name)))
    {
        return Ok(());
    }
    let named = document.values_of("tag");
    match named.iter().find(|name| !name.as_str().is_some_and(same)) {
        None if !named.is_empty() => Ok(()),
        None => Err(Error::faulty(format!(
            "the answer does not name a tag; {asked} was asked: refused"
        ))),
        Some(other) => {
            let other = other
                .as_str()
                .map_or_else(|| other.to_string(), str::to_owned);
            Err(about_another(&format!("the tag {other}"), asked.as_str()))
        }
    }
}

/// An answer about something else than what was asked.
pub(super) fn about_another(named: &str, asked: &str) -> Error {
    let named: String = named.chars().take(80).collect();
    let message = format!("the answer is about {named}, but {asked} was asked: refused");
    Error::new(Kind::Contract, message)
        .hint("a cache or proxy in between may mix answers up: tell its operator")
}

fn unreadable(what: &str, why: NotAnObject) -> Error {
    Error::faulty(format!("{what} could not be read: {why}"))
}
