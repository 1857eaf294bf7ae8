//! The rows of an export, and the selected one.

use std::{borrow::Cow, net::IpAddr};

use crate::{
    contract::{Conflict, ExportField, ExportQuery, Output, Severity},
    engine::{ExportOrigin as Source, Sample},
    model::{parse_address, visible},
    store::Moment,
    tui::ui::{Column, Width, cells},
};

/// Rows that a preview from the service asks for.
pub(super) const ROWS: u64 = 12;

/// The column that only a diff has.
pub(super) const DIFF: &str = "diff";

/// Where rows come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PreviewOrigin {
    /// The local release: what an export of it begins with.
    Local(Source),
    /// Asked for a look, not saved.
    Server,
}

/// Rows, and the request that they answer.
#[derive(Clone, Debug)]
pub(super) struct PreviewRows {
    pub(super) origin: PreviewOrigin,
    pub(super) query: ExportQuery,
    pub(super) sample: Sample,
}

/// The request for a few rows of what a query asks for.
///
/// # Errors
/// The rule that keeps the few rows from being asked for: not every export takes a limit.
pub(super) fn of(query: &ExportQuery) -> Result<ExportQuery, Conflict> {
    let mut few = query.clone();
    few.limit = Some(query.limit.map_or(ROWS, |limit| limit.min(ROWS)));
    if few.output == Output::Mmdb {
        few.output = Output::Csv;
    }
    few.header = few.output == Output::Csv;
    // What is refused comes first.
    let first = few.conflicts().into_iter().next();
    match first.filter(|conflict| conflict.severity == Severity::Refused) {
        Some(conflict) => Err(conflict),
        None => Ok(few),
    }
}

impl PreviewRows {
    /// Whether these rows answer what a form asks for.
    pub(super) fn answers(&self, query: &ExportQuery) -> bool {
        match self.origin {
            PreviewOrigin::Server => of(query).is_ok_and(|few| few == self.query),
            PreviewOrigin::Local(_) => self.query == *query,
        }
    }

    /// The day before that a local diff is against.
    pub(super) fn before(&self) -> Option<Moment> {
        match self.origin {
            PreviewOrigin::Local(Source::Disk { before, .. }) => before,
            _ => None,
        }
    }

    /// The address of a row, if it is one by itself.
    pub(super) fn address(&self, row: usize) -> Option<IpAddr> {
        address(&self.sample.columns, self.sample.rows.get(row)?)
    }

    pub(super) fn cells(&self, row: usize) -> Option<&[String]> {
        self.sample.rows.get(row).map(Vec::as_slice)
    }

    /// The columns in the order in which they are shown.
    pub(super) fn columns(&self) -> Vec<Column<'static>> {
        let columns = &self.sample.columns;
        let column = |at: usize| {
            let (head, width, rank) = head(&columns[at]);
            let column = Column::new(head, width).rank(rank);
            if is_number(&columns[at]) {
                column.right()
            } else {
                column
            }
        };
        order(columns).map(column).collect()
    }

    /// The cells of a row in the order of the columns, as they are shown.
    pub(super) fn shown(&self, row: usize) -> impl Iterator<Item = Cow<'_, str>> {
        let (columns, cells) = (&self.sample.columns, self.sample.rows.get(row));
        order(columns).map(move |at| {
            let cell = cells.and_then(|cells| cells.get(at));
            cell_text(&columns[at], cell.map_or("", String::as_str))
        })
    }
}

/// The order in which columns are shown: what changed comes first.
pub(super) fn order(columns: &[String]) -> impl Iterator<Item = usize> + Clone + use<> {
    let diff = columns.iter().position(|column| column == DIFF);
    let others = (0..columns.len()).filter(move |at| Some(*at) != diff);
    diff.into_iter().chain(others)
}

/// The address or the network that a row is about.
pub(super) fn subject<'r>(columns: &[String], row: &'r [String]) -> Option<&'r str> {
    [ExportField::Ip, ExportField::Network]
        .into_iter()
        .find_map(|field| {
            let at = columns.iter().position(|column| column == field.name())?;
            row.get(at).filter(|cell| !cell.is_empty())
        })
        .map(String::as_str)
}

/// The address of a row, if it is one by itself: a network of one address is.
pub(super) fn address(columns: &[String], row: &[String]) -> Option<IpAddr> {
    parse_address(subject(columns, row)?).ok()
}

/// Whether a column is of numbers.
pub(super) fn is_number(column: &str) -> bool {
    [ExportField::ClientCount, ExportField::Asn]
        .map(ExportField::name)
        .contains(&column)
}

/// The head of a column, its width and its rank: addresses and operators are never cut.
pub(super) fn head(column: &str) -> (String, Width, u8) {
    use ExportField::{
        Asn, ClientCount, Infrastructure, Ip, LocationCity, LocationCountry, LocationState,
        Network, Tag,
    };
    let field = ExportField::ALL
        .into_iter()
        .find(|field| field.name() == column);
    let (head, width, least, rank): (_, fn(u16) -> Width, u16, u8) = match field {
        Some(Ip | Network | Tag) => (column, Width::Min, 8, 0),
        Some(ClientCount) => ("clients", Width::Fixed, 7, 1),
        Some(Asn) => (column, Width::Fixed, 10, 1),
        Some(LocationCountry) => ("country", Width::Fixed, 7, 2),
        Some(Infrastructure) => ("infra", Width::Fill, 10, 3),
        Some(LocationCity) => ("city", Width::Fill, 8, 5),
        Some(LocationState) => ("state", Width::Fill, 6, 6),
        None if column == DIFF => ("change", Width::Fixed, 7, 0),
        _ => (column, Width::Fill, 8, 4),
    };
    let head = visible(head).into_owned();
    let width = width(least.max(cells::width(&head)));
    (head, width, rank)
}

/// A cell as it is shown.
pub(super) fn cell_text<'c>(column: &str, cell: &'c str) -> Cow<'c, str> {
    match cell {
        "add" if column == DIFF => Cow::Borrowed("added"),
        "del" if column == DIFF => Cow::Borrowed("removed"),
        cell => visible(cell),
    }
}
