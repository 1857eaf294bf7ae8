//! Rows that came out of an export, and the one under the cursor.

use std::{borrow::Cow, net::IpAddr};

use crate::{
    contract::{Conflict, ExportField, ExportQuery, Output, Severity},
    engine::{Exported, Origin as Source, Sample},
    model::{parse_address, visible},
    store::Moment,
    tui::ui::widgets::columns::{Column, Width},
};

/// Rows that a preview from the service asks for.
pub(super) const ROWS: u64 = 12;

/// The column that only a diff has.
const DIFF: &str = "diff";

/// Where rows come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// The local release: what an export of it begins with.
    Local(Source),
    /// Asked for a look, kept in no file.
    Server,
    /// The beginning of a file.
    File(Exported),
}

/// Rows, and the request that they answer.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub(super) origin: Origin,
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

impl Shown {
    /// Whether these rows answer what a form asks for.
    pub(super) fn answers(&self, query: &ExportQuery) -> bool {
        match self.origin {
            Origin::Server => of(query).is_ok_and(|few| few == self.query),
            Origin::Local(_) | Origin::File(_) => self.query == *query,
        }
    }

    /// The columns in the order in which they are shown: what changed comes first.
    pub(super) fn order(&self) -> impl Iterator<Item = usize> + Clone {
        let columns = &self.sample.columns;
        let diff = columns.iter().position(|column| column == DIFF);
        let others = (0..columns.len()).filter(move |at| Some(*at) != diff);
        diff.into_iter().chain(others)
    }

    /// The day before that a local diff is against.
    pub(super) fn before(&self) -> Option<Moment> {
        match self.origin {
            Origin::Local(Source::Disk { before, .. }) => before,
            _ => None,
        }
    }

    /// A cell of a row by the name of its column.
    fn cell(&self, row: usize, name: ExportField) -> Option<&str> {
        let columns = &self.sample.columns;
        let at = columns.iter().position(|column| column == name.name())?;
        self.sample.rows.get(row)?.get(at).map(String::as_str)
    }

    /// The address of a row, if it is one by itself: a network of one address is.
    pub(super) fn address(&self, row: usize) -> Option<IpAddr> {
        let ip = self.cell(row, ExportField::Ip);
        let text = ip.or_else(|| self.cell(row, ExportField::Network))?;
        let single = |text: &str| {
            text.strip_suffix("/32")
                .or_else(|| text.strip_suffix("/128"))
                .map(str::to_owned)
        };
        let text = single(text).unwrap_or_else(|| text.to_owned());
        parse_address(&text).ok()
    }

    /// The cells of a row.
    pub(super) fn cells(&self, row: usize) -> Option<&[String]> {
        self.sample.rows.get(row).map(Vec::as_slice)
    }

    /// The columns, with addresses and operators never cut and counts at the right.
    pub(super) fn columns(&self) -> Vec<Column<'_>> {
        use ExportField::{
            Asn, ClientCount, Infrastructure, Ip, LocationCity, LocationCountry, LocationState,
            Network, Tag,
        };
        let column = |name: &'_ String| {
            let field = ExportField::ALL
                .into_iter()
                .find(|field| field.name() == name);
            match field {
                Some(Ip | Network | Tag) => Column::new(field_name(field), Width::Min(8)),
                Some(ClientCount) => Column::new("clients", Width::Fixed(7)).right().rank(1),
                Some(Asn) => Column::new(field_name(field), Width::Fixed(10))
                    .right()
                    .rank(1),
                Some(LocationCountry) => Column::new("country", Width::Fixed(7)).rank(2),
                Some(Infrastructure) => Column::new("infra", Width::Fill(10)).rank(3),
                Some(LocationCity) => Column::new("city", Width::Fill(8)).rank(5),
                Some(LocationState) => Column::new("state", Width::Fill(6)).rank(6),
                None if name == DIFF => Column::new("change", Width::Fixed(7)),
                _ => Column::new(visible(name).into_owned(), Width::Fill(8)).rank(4),
            }
        };
        self.order()
            .map(|at| column(&self.sample.columns[at]))
            .collect()
    }

    /// The cells of a row in the order of the columns, as they are shown.
    pub(super) fn shown(&self, row: usize) -> impl Iterator<Item = Cow<'_, str>> {
        let (columns, cells) = (&self.sample.columns, self.sample.rows.get(row));
        self.order().map(move |at| {
            let cell = cells
                .and_then(|cells| cells.get(at))
                .map_or("", String::as_str);
            match cell {
                "add" if columns[at] == DIFF => Cow::Borrowed("added"),
                "del" if columns[at] == DIFF => Cow::Borrowed("removed"),
                cell => visible(cell),
            }
        })
    }
}

fn field_name(field: Option<ExportField>) -> &'static str {
    field.map_or("", ExportField::name)
}
