//! Talking to the hosts: one request with its retries, in the words of the contract.
//!
//! This is the only room that sends anything. It must never follow a redirect with the token, or decide what a query may
//! cost.

mod answered;
mod body;
mod captured;
mod client;
mod request;
mod retry;
mod trace;

pub use self::answered::{Fetched, Provenance};
pub(super) use self::{
    answered::{Answered, read_document, web_page},
    body::{Body, is_web_page},
    captured::Captured,
    client::{Reply, Resume},
    request::Requests,
    retry::{Outcome, PROGRESS, Trouble},
};
