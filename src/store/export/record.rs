//! What a record says in the columns of an export (contract, parts 2.9 and 2.11).

use ipnet::IpNet;

use super::cell::Cell;
use crate::{
    contract::{ExportField, Feed},
    model::{Document, Hosting, Subject},
    store::{
        Index, RowId,
        index::{ExportRow, Flats, QueryError},
    },
};

/// A record that has a subject: others cannot stand in an export, which every row must begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Record<'a> {
    pub(super) subject: Subject,
    pub(super) says: Says<'a>,
}

/// What a record says of its subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Says<'a> {
    /// A context, flattened.
    Context(&'a ExportRow<'a>),
    /// A netblock of datacenter hosting.
    Hosting(&'a Hosting),
}

impl<'a> Record<'a> {
    /// What stands in a column.
    pub(super) fn cell(&self, column: ExportField) -> Cell<'a> {
        match column {
            ExportField::Ip => return Cell::Subject(self.subject),
            ExportField::Network => return Cell::Subject(Subject::Network(self.network())),
            _ => {}
        }
        match self.says {
            Says::Context(flat) => context_cell(flat, column),
            Says::Hosting(hosting) => match column {
                ExportField::Organization => {
                    Cell::text(hosting.organization.is().map(String::as_str))
                }
                ExportField::Asn => Cell::number(hosting.asn.is().map(|asn| u64::from(*asn))),
                _ => Cell::Null,
            },
        }
    }

    /// Its subject as a network, a single address being one, too.
    pub(super) fn network(&self) -> IpNet {
        self.subject.network()
    }

    /// The clients that it is ranked by.
    pub(super) fn clients(&self) -> u64 {
        match self.says {
            Says::Context(flat) => flat.clients.unwrap_or(0),
            Says::Hosting(_) => 0,
        }
    }
}

fn context_cell<'a>(flat: &'a ExportRow<'_>, column: ExportField) -> Cell<'a> {
    match column {
        ExportField::Tag => Cell::text(flat.tag.as_deref()),
        ExportField::CallbackProxy => Cell::text(flat.callback_proxy.as_deref()),
        ExportField::Infrastructure => Cell::text(flat.infrastructure.as_deref()),
        ExportField::Services => Cell::Texts(&flat.services),
        ExportField::ClientCount => Cell::number(flat.clients),
        ExportField::LocationCity => Cell::text(flat.place.city.as_deref()),
        ExportField::LocationState => Cell::text(flat.place.state.as_deref()),
        ExportField::LocationCountry => Cell::text(flat.place.country.as_deref()),
        // Not of contexts; the subject is told before.
        ExportField::Ip | ExportField::Network | ExportField::Organization | ExportField::Asn => {
            Cell::Null
        }
    }
}

/// The records of an index.
#[derive(Debug)]
pub(super) struct Records<'a> {
    index: &'a Index,
    /// Of contexts.
    flats: Option<Flats<'a>>,
}

impl<'a> Records<'a> {
    pub(super) fn of(index: &'a Index, feed: Feed) -> Result<Self, QueryError> {
        let are_contexts = feed != Feed::Dch;
        Ok(Self {
            index,
            flats: are_contexts.then(|| index.flats()).transpose()?,
        })
    }

    /// Shows the records of some rows, in their order, but for those without a subject.
    pub(super) fn each<E>(
        &self,
        rows: &[RowId],
        odd: impl Fn(QueryError) -> E,
        mut show: impl FnMut(Record<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        if let Some(flats) = &self.flats {
            return flats.each(rows, odd, |flat| match flat.subject {
                Some(subject) => show(Record {
                    subject,
                    says: Says::Context(flat),
                }),
                None => Ok(()),
            });
        }
        for row in rows {
            let mut line = Vec::new();
            self.index.line(*row, &mut line).map_err(&odd)?;
            // The line is as it was indexed; what is no record of this kind has no row, at the service neither.
            let hosting = Document::read(&line).ok();
            let hosting = hosting.and_then(|record| Hosting::decode(record.value()).ok());
            if let Some(hosting) = hosting
                && let Some(network) = hosting.network.is()
            {
                show(Record {
                    subject: Subject::Network(*network),
                    says: Says::Hosting(&hosting),
                })?;
            }
        }
        Ok(())
    }
}
