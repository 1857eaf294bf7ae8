//! A record in the columns of an export (contract, parts 2.9 and 2.11).

use ipnet::IpNet;

use super::cell::ExportCell;
use crate::{
    contract::{ExportField, Feed},
    model::{Context, Document, Hosting, Subject},
    store::{
        Index, RowId,
        index::{ExportRow, Flats, QueryError},
    },
};

/// A record with a subject. Others cannot be exported, since every row begins with the subject.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ExportRecord<'a> {
    pub(super) subject: Subject,
    pub(super) says: RecordContent<'a>,
}

/// The content of a record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum RecordContent<'a> {
    Context(&'a ExportRow<'a>),
    /// All of a context.
    Whole(&'a Context),
    /// A netblock of datacenter hosting.
    Hosting(&'a Hosting),
}

impl<'a> ExportRecord<'a> {
    pub(super) fn cell(&self, column: ExportField) -> ExportCell<'a> {
        match column {
            ExportField::Ip => return ExportCell::Subject(self.subject),
            ExportField::Network => return ExportCell::Subject(Subject::Network(self.network())),
            _ => {}
        }
        match self.says {
            RecordContent::Context(flat) => context_cell(flat, column),
            // Read for a layout with fields of its own.
            RecordContent::Whole(_) => ExportCell::Null,
            RecordContent::Hosting(hosting) => match column {
                ExportField::Organization => {
                    ExportCell::text(hosting.organization.is().map(String::as_str))
                }
                ExportField::Asn => ExportCell::number(hosting.asn.is().map(|asn| u64::from(*asn))),
                _ => ExportCell::Null,
            },
        }
    }

    /// Its subject as a network; a single address counts as one.
    pub(super) fn network(&self) -> IpNet {
        self.subject.network()
    }

    /// The number of clients for its rank.
    pub(super) fn clients(&self) -> u64 {
        match self.says {
            RecordContent::Context(flat) => flat.clients.unwrap_or(0),
            RecordContent::Whole(context) => {
                let client = context.client.is();
                client
                    .and_then(|client| client.count.is().copied())
                    .unwrap_or(0)
            }
            RecordContent::Hosting(_) => 0,
        }
    }
}

fn context_cell<'a>(flat: &'a ExportRow<'_>, column: ExportField) -> ExportCell<'a> {
    match column {
        ExportField::Tag => ExportCell::text(flat.tag.as_deref()),
        ExportField::CallbackProxy => ExportCell::text(flat.callback_proxy.as_deref()),
        ExportField::Infrastructure => ExportCell::text(flat.infrastructure.as_deref()),
        ExportField::Services => ExportCell::Texts(&flat.services),
        ExportField::ClientCount => ExportCell::number(flat.clients),
        ExportField::LocationCity => ExportCell::text(flat.place.city.as_deref()),
        ExportField::LocationState => ExportCell::text(flat.place.state.as_deref()),
        ExportField::LocationCountry => ExportCell::text(flat.place.country.as_deref()),
        // Netblocks have these columns, contexts do not; the subject was handled before.
        ExportField::Ip | ExportField::Network | ExportField::Organization | ExportField::Asn => {
            ExportCell::Null
        }
    }
}

/// How much of a record is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecordExtent {
    /// What exports have columns for.
    Columns,
    Whole,
}

#[derive(Debug)]
pub(super) struct ExportRecords<'a> {
    index: &'a Index,
    are_contexts: bool,
    /// The columns of contexts; none where whole records are read.
    flats: Option<Flats<'a>>,
}

impl<'a> ExportRecords<'a> {
    pub(super) fn of(
        index: &'a Index,
        feed: Feed,
        extent: RecordExtent,
    ) -> Result<Self, QueryError> {
        let are_contexts = feed != Feed::Dch;
        let are_flat = are_contexts && extent == RecordExtent::Columns;
        Ok(Self {
            index,
            are_contexts,
            flats: are_flat.then(|| index.flats()).transpose()?,
        })
    }

    /// Passes the records of some rows to `show`, in order, without those that have no subject.
    pub(super) fn each<E>(
        &self,
        rows: &[RowId],
        odd: impl Fn(QueryError) -> E,
        mut show: impl FnMut(ExportRecord<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        if let Some(flats) = &self.flats {
            return flats.each(rows, odd, |flat| match flat.subject {
                Some(subject) => show(ExportRecord {
                    subject,
                    says: RecordContent::Context(flat),
                }),
                None => Ok(()),
            });
        }
        for row in rows {
            let mut line = Vec::new();
            self.index.line(*row, &mut line).map_err(&odd)?;
            if self.are_contexts {
                // Stored as it was indexed, so a line that is no record of a subject is not one here either.
                let context = Document::read(&line).ok();
                let context = context.and_then(|record| Context::decode(record.value()).ok());
                if let Some(context) = context
                    && let Some(subject) = context.subject()
                {
                    show(ExportRecord {
                        subject,
                        says: RecordContent::Whole(&context),
                    })?;
                }
                continue;
            }
            // The line is stored as it was indexed. A line that is not a netblock has no row, as at the service.
            let hosting = Document::read(&line).ok();
            let hosting = hosting.and_then(|record| Hosting::decode(record.value()).ok());
            if let Some(hosting) = hosting
                && let Some(network) = hosting.network.is()
            {
                show(ExportRecord {
                    subject: Subject::Network(*network),
                    says: RecordContent::Hosting(&hosting),
                })?;
            }
        }
        Ok(())
    }
}
