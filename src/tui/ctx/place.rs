//! Where a tab can send a person.

use super::intent::Tab;
use crate::{contract::LookupQuery, model::TagName};

/// Somewhere to go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A tab, as it was left.
    Tab(Tab),
    /// The record of an address; asked for if it is not known.
    Address(LookupQuery),
    /// The metadata of a tag; asked for if it is not known.
    Tag(TagName),
    /// The export form, with these tags to include.
    Export(Vec<TagName>),
}
