//! What a record says in the columns of an export (contract, parts 2.9 and 2.11).

use ipnet::IpNet;

use super::cell::Cell;
use crate::{
    contract::{ExportField, ExportQuery, Feed},
    model::{Document, Hosting, Subject},
    store::{
        Index, Row,
        index::{Flat, NoAnswer},
    },
};

/// Columns of contexts that are there without being asked for.
const CONTEXT: [ExportField; 8] = [
    ExportField::Ip,
    ExportField::Tag,
    ExportField::Infrastructure,
    ExportField::Services,
    ExportField::ClientCount,
    ExportField::LocationCity,
    ExportField::LocationState,
    ExportField::LocationCountry,
];
/// The same of netblocks.
const HOSTING: [ExportField; 3] = [
    ExportField::Network,
    ExportField::Organization,
    ExportField::Asn,
];

/// The columns of an export: in the contract's order whatever the order asked, and `network` for `ip` where records are
/// about networks (part 4.3, rule 4).
pub(super) fn columns(query: &ExportQuery) -> Vec<ExportField> {
    let asked: &[ExportField] = match query.feed {
        _ if !query.fields.is_empty() => &query.fields,
        Feed::Dch => &HOSTING,
        _ => &CONTEXT,
    };
    let mut columns = asked.to_vec();
    if query.feed.is_ipv6() {
        for column in &mut columns {
            if *column == ExportField::Ip {
                *column = ExportField::Network;
            }
        }
    }
    columns.sort_by_key(|column| ExportField::ALL.iter().position(|field| field == column));
    columns.dedup();
    columns
}

/// A record that has a subject: others cannot stand in an export, which every row must begin with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) subject: Subject,
    pub(super) says: Says,
}

/// What a record says of its subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Says {
    /// A context, flattened.
    Context(Flat),
    /// A netblock of datacenter hosting.
    Hosting {
        organization: Option<String>,
        asn: Option<u32>,
    },
}

impl Record {
    /// What stands in a column.
    pub(super) fn cell(&self, column: ExportField) -> Cell<'_> {
        match column {
            ExportField::Ip => return Cell::Subject(self.subject),
            ExportField::Network => return Cell::Subject(Subject::Network(self.network())),
            _ => {}
        }
        match &self.says {
            Says::Context(flat) => context_cell(flat, column),
            Says::Hosting { organization, asn } => match column {
                ExportField::Organization => Cell::text(organization.as_ref()),
                ExportField::Asn => Cell::number(asn.map(u64::from)),
                _ => Cell::Null,
            },
        }
    }

    /// Its subject as a network, a single address being one, too.
    pub(super) fn network(&self) -> IpNet {
        match self.subject {
            Subject::Address(address) => address.into(),
            Subject::Network(network) => network,
        }
    }

    /// The clients that it is ranked by.
    pub(super) fn clients(&self) -> u64 {
        match &self.says {
            Says::Context(flat) => flat.clients.unwrap_or(0),
            Says::Hosting { .. } => 0,
        }
    }
}

fn context_cell(flat: &Flat, column: ExportField) -> Cell<'_> {
    match column {
        ExportField::Tag => Cell::text(flat.tag.as_ref()),
        ExportField::CallbackProxy => Cell::text(flat.callback_proxy.as_ref()),
        ExportField::Infrastructure => Cell::text(flat.infrastructure.as_ref()),
        ExportField::Services => Cell::Texts(&flat.services),
        ExportField::ClientCount => Cell::number(flat.clients),
        ExportField::LocationCity => Cell::text(flat.city.as_ref()),
        ExportField::LocationState => Cell::text(flat.state.as_ref()),
        ExportField::LocationCountry => Cell::text(flat.country.as_ref()),
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
    are_hosting: bool,
    line: Vec<u8>,
}

impl<'a> Records<'a> {
    pub(super) fn of(index: &'a Index, feed: Feed) -> Self {
        Self {
            index,
            are_hosting: feed == Feed::Dch,
            line: Vec::new(),
        }
    }

    /// The record of a row; `None` for one without a subject.
    pub(super) fn read(&mut self, row: Row) -> Result<Option<Record>, NoAnswer> {
        if self.are_hosting {
            self.line.clear();
            self.index.line(row, &mut self.line)?;
            return Ok(netblock(&self.line));
        }
        let flat = self.index.flat(row)?;
        Ok(flat.subject.map(|subject| Record {
            subject,
            says: Says::Context(flat),
        }))
    }
}

/// The netblock that a line tells of.
fn netblock(line: &[u8]) -> Option<Record> {
    let document = Document::read(line).ok()?;
    let hosting = Hosting::decode(document.value()).ok()?;
    Some(Record {
        subject: Subject::Network(hosting.network.is().copied()?),
        says: Says::Hosting {
            organization: hosting.organization.is().cloned(),
            asn: hosting.asn.is().copied(),
        },
    })
}
