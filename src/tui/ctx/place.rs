//! Where a tab can send a person.

use std::net::IpAddr;

use super::{request::Entered, trail::Stop};
use crate::{
    contract::{ExportQuery, LookupQuery},
    engine::{ExportRun, views::ViewQuery},
    model::TagName,
};

/// Somewhere to go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The record of an address; asked for if it is not known.
    Address(LookupQuery),
    /// The same for whoever was told that it is free: nothing is sent, also where nothing is at hand any more.
    AtHand(LookupQuery),
    /// The metadata of a tag; asked for if it is not known.
    Tag(TagName),
    /// The records of a local feed.
    Browse(ViewQuery),
    /// A table of several addresses, and the view of which they are records.
    Several(Vec<IpAddr>, Box<ViewQuery>),
    /// The export form, filled in like this, and what of the wish it cannot say.
    Export(ExportQuery, Vec<String>),
    /// The rows of an export.
    Rows(ExportRun),
    /// The export form as it was left.
    Form,
    /// What each host says of a token that was just entered.
    Access(Entered),
}

impl From<Stop> for Place {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Address(query) => Self::Address(query),
            Stop::Tag(tag) => Self::Tag(tag),
            Stop::View(query) => Self::Browse(query),
            Stop::Rows(run) => Self::Rows(run),
            Stop::Form => Self::Form,
        }
    }
}
