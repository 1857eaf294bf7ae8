//! What a list to block by is made of.

use std::sync::Arc;

use crate::{
    investigation::{
        address_set::AddressSet,
        blocklist::{ListQuery, ListSource},
        comparison::RecordSet,
    },
    tui::ctx::{ListAsk, ListOf},
};

/// The query for a list, without records of these tags.
pub(super) fn list_query(ask: ListAsk, exempt: &[String]) -> ListQuery {
    let source = match ask.of {
        ListOf::Records(feed, day, filter) => {
            ListSource::records(RecordSet { feed, day, filter }, exempt)
        }
        ListOf::Networks(networks) => {
            ListSource::Addresses(Arc::new(AddressSet::of(networks.iter().copied())))
        }
    };
    ListQuery {
        source,
        allow: AddressSet::of(ask.spared),
        families: ask.families,
        max_beyond: ask.max_beyond,
    }
}
