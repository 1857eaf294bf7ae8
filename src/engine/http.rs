//! Talking to the hosts: one request with its retries, in the words of the contract.
//!
//! This is the only room that sends anything. It must never follow a redirect with the token, or decide what a query may
//! cost.

mod body;
mod causes;
mod client;
mod headers;
mod post;
mod proxy;
mod request;
mod response;
mod retry;
mod roots;
mod trace;

pub(super) use self::{
    body::{BodyStream, is_web_page},
    client::{Resume, UnreadReply},
    headers::Captured,
    post::{Post, Posts},
    request::Requests,
    response::{CapturedBody, read_document, web_page},
    retry::{Budget, FailedTry, PROGRESS, RetryStep, TryOutcome},
};
pub use self::{
    proxy::proxy_before,
    response::{Fetched, Provenance},
    roots::{NamedRoots, named_roots},
};
