//! One record as a row of the table: read once when its page arrives, not each time it is drawn.

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
    /// What it shows, a cell for each column of its feed.
    pub(super) cells: Vec<TextCell>,
    /// What the record says in the fields of the filter language.
    pub(super) terms: Terms,
    /// The record, or why it cannot be read.
    pub(super) record: ViewRow,
}

impl BrowserRow {
    /// Reads a record of a feed.
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

    /// What it is called: its address, its network or its tag.
    pub(super) fn name(&self) -> &str {
        self.cells.first().map_or("", |cell| &cell.text)
    }

    /// The address that it is about; of a network the first one.
    pub(super) fn address(&self) -> Option<IpAddr> {
        self.terms.subject.map(|subject| match subject {
            Subject::Address(address) => address,
            Subject::Network(network) => network.network(),
        })
    }

    /// The record, where it can be read.
    pub(super) fn document(&self) -> Option<&Document> {
        self.record.as_ref().ok()
    }
}
