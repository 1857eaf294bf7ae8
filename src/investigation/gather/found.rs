//! An address of a text.

use std::{net::IpAddr, sync::Arc};

use super::{occurrences::Occurrences, values::Values};
use crate::model::Day;

/// A public address, reported at its first occurrence.
#[derive(Clone, Debug)]
pub struct FoundAddress {
    pub address: IpAddr,
    /// The UTC day of its events, if it comes once for each.
    pub day: Option<Day>,
    /// Its spelling in the text, if not canonical.
    pub typed: Option<Box<str>>,
    /// Where, when and how often it occurs, and the texts beside it, once all is read.
    pub seen: Option<Box<(Occurrences, Arc<Values>)>>,
}

impl FoundAddress {
    /// Whether a query about it is worth its price: it is somebody outside, not where traffic went or one's own host, unless any role is asked
    /// for; and the text leaves no doubt which address it is.
    #[must_use]
    pub fn is_worth_a_query(&self, any_role: bool) -> bool {
        let seen = self.seen.as_deref();
        seen.is_none_or(|(seen, _)| seen.is_worth_a_query(any_role))
    }
}
