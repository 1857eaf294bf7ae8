//! Questions to the Context API and for metadata: one address, one tag, the token, a feed's release (contract, 4.1, 4.2).

use super::{
    Engine, Fetched, Provenance,
    ask::{Answered, read_document, web_page},
    body::is_web_page,
    error::{Error, Kind, Result},
    guard::offline,
    ledger::{Balance, BalanceSource},
};
use crate::{
    contract::{Endpoint, Feed, Host, LookupQuery, Resource},
    model::{
        Context, Day, Document, FeedMetadata, Listing, NotAListing, NotAnObject, Reserved, Status,
        Subject, Tag, TagName, terms,
    },
};

/// What the service answered about an address.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The record, or `None` when the service knows nothing: that is an answer, and does not mean harmless.
    pub record: Option<Record>,
    /// Where it comes from and what it cost.
    pub provenance: Provenance,
}

/// A record: what was read, and the service's own text.
#[derive(Clone, Debug)]
pub struct Record {
    /// What was read.
    pub context: Context,
    /// What was sent.
    pub document: Document,
}

impl Engine {
    /// Looks one address up, live: costs a query. Whatever can be refused without asking is refused first; with
    /// `stop_below` above 0 a balance that is not known is asked for.
    ///
    /// # Errors
    /// [`Kind::Usage`] and [`Kind::Guard`] before a query is sent; the others tell what the service said.
    pub async fn lookup(&self, query: &LookupQuery) -> Result<Answer> {
        self.admit(query)?;
        if self.settings.offline {
            return Err(offline());
        }
        let _reserved = self.reserve().await?;
        let answered = self.small(&Endpoint::Context(*query)).await?;
        let answer = read_answer(query, answered)?;
        if let Err(error) = self.answers.keep(query, &answer) {
            self.trouble(error);
        }
        Ok(answer)
    }

    /// Whether a lookup may be sent: the address is public or admitted, the date is not in the future, and the balance, as
    /// far as it is known, is above the guard.
    ///
    /// # Errors
    /// The reason why it must not be sent.
    pub fn admit(&self, query: &LookupQuery) -> Result<()> {
        self.admit_subject(Subject::Address(query.address))?;
        // A day that has begun somewhere may be asked for: clocks differ.
        let tomorrow = Day::of(self.now()).plus(1);
        if let Some(date) = query.date.filter(|date| *date > tomorrow) {
            return Err(Error::new(
                Kind::Usage,
                format!("{} is in the future: nothing was sent", date.dashed()),
            ));
        }
        self.holds_guard(0)
    }

    /// Whether something can be known of an address or network: it is public or admitted, or holds what is.
    ///
    /// # Errors
    /// [`Kind::Usage`] with the reason why not.
    pub fn admit_subject(&self, subject: Subject) -> Result<()> {
        match self.settings.admission.refuses_all_of(subject) {
            Some(reserved) => Err(not_public(subject, reserved)),
            None => Ok(()),
        }
    }

    /// The metadata of a tag.
    ///
    /// # Errors
    /// What the service said; [`Kind::NotFound`] for a tag that it does not know; [`Kind::Contract`] for an answer about
    /// another tag.
    pub async fn tag(&self, tag: &TagName) -> Result<Fetched<Tag>> {
        let fetched = self.document(&Endpoint::Tag(tag.clone())).await?;
        let decoded = Tag::decode(fetched.document.value())
            .map_err(|why| unreadable(&format!("tag {tag}"), why))?;
        about_tag(tag, &decoded, &fetched.document)?;
        fetched.try_map(|()| Ok(decoded))
    }

    /// The status of the token. Whether that costs a query, the contract does not say; it was observed not to.
    ///
    /// # Errors
    /// What the service said.
    pub async fn status(&self) -> Result<Fetched<Status>> {
        let fetched = self.document(&Endpoint::Status).await?;
        let status = Status::decode(fetched.document.value())
            .map_err(|why| unreadable("the status", why))?;
        if let Some(remaining) = status.queries_remaining.is() {
            self.hear_balance(Balance {
                remaining: *remaining,
                at: self.now(),
                source: BalanceSource::Status,
            });
        }
        fetched.try_map(|()| Ok(status))
    }

    /// The metadata of a feed's latest release.
    ///
    /// # Errors
    /// What the service said; [`Kind::NotFound`] where it offers none.
    pub async fn feed_metadata(&self, feed: Feed) -> Result<Fetched<FeedMetadata>> {
        let fetched = self
            .document(&Endpoint::Feed(feed, Resource::Metadata))
            .await?;
        let metadata = FeedMetadata::decode(fetched.document.value());
        fetched.try_map(|()| {
            metadata.map_err(|why| unreadable(&format!("the metadata of {feed}"), why))
        })
    }

    /// The days of a feed that the service has; needs historical access.
    ///
    /// # Errors
    /// What the service said.
    pub async fn feed_runs(&self, feed: Feed) -> Result<Listed> {
        self.listing(feed, Resource::Runs).await
    }

    /// The files of a day of a feed; needs historical access.
    ///
    /// # Errors
    /// What the service said.
    pub async fn feed_files(&self, feed: Feed, day: Day) -> Result<Listed> {
        self.listing(feed, Resource::Files(day)).await
    }

    async fn listing(&self, feed: Feed, resource: Resource) -> Result<Listed> {
        let endpoint = offered(feed, resource)?;
        let answered = self.small(&endpoint).await?;
        let listing = Listing::read(&answered.body).map_err(|why: NotAListing| {
            Error::new(
                Kind::Contract,
                format!("the listing {} could not be read: {why}", endpoint.target()),
            )
        })?;
        Ok(Listed {
            listing,
            provenance: answered.provenance,
        })
    }

    /// The documentation of a feed, a PDF.
    ///
    /// # Errors
    /// What the service said; [`Kind::Contract`] for what is no PDF.
    pub async fn feed_readme(&self, feed: Feed) -> Result<Vec<u8>> {
        let endpoint = offered(feed, Resource::Readme)?;
        let answered = self.small(&endpoint).await?;
        if answered.captured.is_web_page() || !answered.body.starts_with(b"%PDF-") {
            return Err(Error::new(
                Kind::Contract,
                format!("{} is not a PDF", endpoint.target()),
            ));
        }
        Ok(answered.body)
    }
}

/// A listing and where it comes from.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The listing.
    pub listing: Listing,
    /// Where it comes from.
    pub provenance: Provenance,
}

/// The endpoint of a resource, if the catalogue has it for this feed.
///
/// # Errors
/// [`Kind::Usage`] when it does not.
pub(super) fn offered(feed: Feed, resource: Resource) -> Result<Endpoint> {
    if resource.offer(feed) == crate::contract::catalog::Offer::No {
        let what = match resource {
            Resource::Runs => "list of days",
            Resource::Files(_) => "list of files",
            Resource::Readme => "README",
            Resource::Window(_) => "windows of five minutes",
            Resource::Dated(_) => "dated files (its files are windows: --at HHMM)",
            Resource::Latest(_) | Resource::Located(_) => "MMDB form",
            Resource::Metadata => "metadata",
        };
        return Err(Error::new(
            Kind::Usage,
            format!("the feed {feed} has no {what}"),
        ));
    }
    Ok(Endpoint::Feed(feed, resource))
}

/// What the service answered to a question, if it is about that address.
fn read_answer(query: &LookupQuery, answered: Answered) -> Result<Answer> {
    if answered.provenance.status == 404 {
        return nothing_known(answered);
    }
    let document = read_document(&Endpoint::Context(*query), &answered)?;
    let context = Context::decode(document.value()).map_err(|why| {
        Error::new(
            Kind::Contract,
            format!("the answer about {} is no record: {why}", query.address),
        )
    })?;
    let subject = context.subject().ok_or_else(|| {
        Error::new(
            Kind::Contract,
            format!(
                "the answer does not say which address it is about; {} was asked",
                query.address
            ),
        )
    })?;
    if !subject.covers(query.address) {
        return Err(about_another(
            &subject.to_string(),
            &query.address.to_string(),
        ));
    }
    // A key may be repeated: no reader is to take another of its values for what the answer is about.
    let key = match subject {
        Subject::Address(_) => "ip",
        Subject::Network(_) => "network",
    };
    for value in document.values_of(key) {
        let named = terms::subject_under(key, &value);
        if !value.is_null() && !named.is_some_and(|named| named.covers(query.address)) {
            let named = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            return Err(about_another(&named, &query.address.to_string()));
        }
    }
    Ok(Answer {
        record: Some(Record { context, document }),
        provenance: answered.provenance,
    })
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
        None => Err(Error::new(
            Kind::Contract,
            format!("the answer does not name a tag; {asked} was asked: refused"),
        )),
        Some(other) => {
            let other = other
                .as_str()
                .map_or_else(|| other.to_string(), str::to_owned);
            Err(about_another(&format!("the tag {other}"), asked.as_str()))
        }
    }
}

/// An answer about something else than what was asked.
fn about_another(named: &str, asked: &str) -> Error {
    let named: String = named.chars().take(80).collect();
    let message = format!("the answer is about {named}, but {asked} was asked: refused");
    Error::new(Kind::Contract, message)
        .hint("a cache or proxy in between may mix answers up: tell its operator")
}

/// The service's word that it knows nothing, unless something in between said so.
fn nothing_known(answered: Answered) -> Result<Answer> {
    if is_web_page(&answered.body) {
        return Err(web_page(Host::Context).status(404));
    }
    Ok(Answer {
        record: None,
        provenance: answered.provenance,
    })
}

fn unreadable(what: &str, why: NotAnObject) -> Error {
    Error::new(Kind::Contract, format!("{what} could not be read: {why}"))
}

/// A non-public address: refused here, since the service would answer 400 and nothing else.
fn not_public(subject: Subject, reserved: Reserved) -> Error {
    let what = match subject {
        Subject::Address(_) => "a public address",
        Subject::Network(_) => "a public network",
    };
    let message = format!(
        "{subject} is not {what} ({}): nothing was sent",
        reserved.word()
    );
    Error::new(Kind::Usage, message)
        .hint("the service knows public addresses only; treat_as_public in a profile admits ranges")
}
