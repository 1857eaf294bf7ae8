//! One record as a row of the table: parsed once when its page arrives, not at each drawing.

use std::net::IpAddr;

use super::columns;
use crate::{
    contract::Feed,
    engine::views::ViewRow,
    model::{Document, Subject, Terms},
    report::TextCell,
};

#[derive(Clone, Debug)]
pub(super) struct BrowserRow {
    /// The cells, one for each column of its feed.
    pub(super) cells: Vec<TextCell>,
    /// The values of the record's fields in the filter language.
    pub(super) terms: Terms,
    /// The record, or why it is unreadable.
    pub(super) record: ViewRow,
}

impl BrowserRow {
    /// Parses a record of a feed.
    pub(super) fn of(feed: Feed, record: ViewRow) -> Self {
        let terms = record.as_ref().map(|document| Terms::of(document.value()));
        let terms = terms.unwrap_or_default();
        let cells = match &record {
            Ok(document) => columns::cells(feed, document, &terms),
            Err(_) => columns::unread(feed),
        };
        Self {
            cells,
            terms,
            record,
        }
    }

    /// Its name: the address, network or tag.
    pub(super) fn name(&self) -> &str {
        self.cells.first().map_or("", |cell| &cell.text)
    }

    /// The address of its subject; for a network the first one.
    pub(super) fn address(&self) -> Option<IpAddr> {
        self.terms.subject.map(|subject| match subject {
            Subject::Address(address) => address,
            Subject::Network(network) => network.network(),
        })
    }

    /// The record, if readable.
    pub(super) fn document(&self) -> Option<&Document> {
        self.record.as_ref().ok()
    }
}
