//! The rows of an export, and the selected one.

use std::{borrow::Cow, net::IpAddr};

use crate::{
    contract::{Conflict, ExportField, ExportQuery, Output, Severity},
    engine::{ExportOrigin as Source, Sample},
    model::{parse_address, visible},
    store::Moment,
    tui::ui::{
        cells,
        widgets::columns::{Column, Width},
    },
};

/// Rows that a preview from the service asks for.
pub(super) const ROWS: u64 = 12;

/// The column that only a diff has.
const DIFF: &str = "diff";

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
    let conflicts = few.conflicts().into_iter();
    let refused = |conflict: &Conflict| conflict.severity == Severity::Refused;
    match { conflicts }.find(refused) {
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
        order(columns).map(|at| column(&columns[at], "")).collect()
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

/// The address of a row, if it is one by itself: a network of one address is.
pub(super) fn address(columns: &[String], row: &[String]) -> Option<IpAddr> {
    let cell = |field: ExportField| {
        let at = columns.iter().position(|column| column == field.name())?;
        row.get(at).filter(|cell| !cell.is_empty())
    };
    let text = cell(ExportField::Ip).or_else(|| cell(ExportField::Network))?;
    parse_address(text).ok()
}

/// A column, with addresses and operators never cut and counts at the right; `sign` follows its name.
pub(super) fn column(name: &str, sign: &str) -> Column<'static> {
    use ExportField::{
        Asn, ClientCount, Infrastructure, Ip, LocationCity, LocationCountry, LocationState,
        Network, Tag,
    };
    let field = ExportField::ALL
        .into_iter()
        .find(|field| field.name() == name);
    let with = |name: &str, width: fn(u16) -> Width, least: u16| {
        let head = format!("{name}{sign}");
        let least = least.max(cells::width(&head));
        Column::new(head, width(least))
    };
    match field {
        Some(Ip | Network | Tag) => with(name, Width::Min, 8),
        Some(ClientCount) => with("clients", Width::Fixed, 7).right().rank(1),
        Some(Asn) => with(name, Width::Fixed, 10).right().rank(1),
        Some(LocationCountry) => with("country", Width::Fixed, 7).rank(2),
        Some(Infrastructure) => with("infra", Width::Fill, 10).rank(3),
        Some(LocationCity) => with("city", Width::Fill, 8).rank(5),
        Some(LocationState) => with("state", Width::Fill, 6).rank(6),
        None if name == DIFF => with("change", Width::Fixed, 7),
        _ => with(&visible(name), Width::Fill, 8).rank(4),
    }
}

/// A cell as it is shown.
pub(super) fn cell_text<'c>(column: &str, cell: &'c str) -> Cow<'c, str> {
    match cell {
        "add" if column == DIFF => Cow::Borrowed("added"),
        "del" if column == DIFF => Cow::Borrowed("removed"),
        cell => visible(cell),
    }
}
