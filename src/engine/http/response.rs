//! A received answer: its bytes, what was read from them, and where it comes from. It must never take a web page for
//! data.

use std::time::Duration;

use jiff::Timestamp;

use super::headers::Captured;
use crate::{
    contract::{Endpoint, Host},
    engine::error::{Error, Kind, Result},
    model::{Day, Document, Malformed},
};

/// Where an answer comes from and what it cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provenance {
    /// The URL that was asked, without the token.
    pub url: String,
    pub status: u16,
    /// When it was asked.
    pub asked_at: Timestamp,
    /// How long the answer took, all tries together.
    pub elapsed: Duration,
    pub attempts: u32,
    /// Queries surely spent.
    pub cost: u32,
    /// Queries that may have been counted for tries that failed.
    pub possibly_spent: u32,
    /// `x-balance-remaining`; `None` is unknown.
    pub balance: Option<u64>,
    /// The day of the data: `x-result-dt` of a lookup.
    pub data_date: Option<Day>,
    /// Seconds by which the service's clock is ahead of this machine's, when it is more than five minutes off.
    pub clock_off: Option<i64>,
}

/// An answer: what was read from it, and the service's own text.
#[derive(Clone, Debug)]
pub struct Fetched<T> {
    /// What was read.
    pub value: T,
    /// What was sent.
    pub document: Document,
    /// Where it comes from.
    pub provenance: Provenance,
}

/// An answer's bytes.
pub(in crate::engine) struct CapturedBody {
    pub(in crate::engine) body: Vec<u8>,
    pub(in crate::engine) captured: Captured,
    pub(in crate::engine) provenance: Provenance,
}

/// Reads the document of an answer.
pub(in crate::engine) fn read_document(
    endpoint: &Endpoint,
    answered: &CapturedBody,
) -> Result<Document> {
    if answered.captured.is_web_page() {
        return Err(web_page(endpoint.host()).status(answered.provenance.status));
    }
    Document::read(&answered.body).map_err(|malformed| {
        let error = match malformed {
            Malformed::WebPage => web_page(endpoint.host()),
            other => Error::new(Kind::Contract, format!("the {} host's answer is not JSON: {other}", endpoint.host()))
                .hint("the service, or something between here and it, is faulty: try again, then tell the provider"),
        };
        error.status(answered.provenance.status)
    })
}

/// A web page where data belongs.
pub(in crate::engine) fn web_page(host: Host) -> Error {
    Error::new(Kind::Contract, format!("the {host} host's address answered with a web page where data belongs"))
        .hint("a proxy or a login page may be in between: open the network's login page, or check the address (`ipspect doctor`)")
}
