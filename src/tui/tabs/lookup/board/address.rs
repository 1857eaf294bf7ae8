//! A row of the table: an address with its best local record or cached answer, or why there is none.

use std::{borrow::Cow, net::IpAddr};

use ratatui::style::Style;
use serde_json::{Map, Value as Json};

use crate::{
    model::Reserved,
    report::{BoardFinding, BoardRow, TextCell},
    tui::{
        ctx::{
            ColumnSpec, HeldRow, ListRow, SignPlace, Value,
            orders::{DAY, TEXT},
        },
        tabs::lookup::case::CaseMark,
        ui::{Theme, Width},
    },
};

/// The order of the text, which has no column on the screen.
pub(super) const AS_IN_TEXT: &str = "as in the text";

#[derive(Debug)]
pub(in crate::tui::tabs::lookup) struct BoardAddress {
    pub(in crate::tui::tabs::lookup) address: IpAddr,
    /// Its place in the text.
    pub(super) place: u32,
    /// The number of occurrences in the text.
    pub(super) times: u32,
    pub(super) state: AddressState,
}

/// The state of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AddressState {
    /// The local feeds are being read.
    Waiting,
    /// It is not public, so no source has a record.
    Refused(Reserved),
    /// No local feed has a record of it.
    NotLocal,
    /// No readable feed has a record of it, and some local feeds could not be read.
    NotRead,
    /// It has no record, but records of other addresses name it as an entry; with the words for that.
    Named(String),
    /// The best local or cached answer.
    Known(Box<BoardRow>),
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tui::tabs::lookup) enum AddressKind {
    Known,
    Waiting,
    /// The local feeds have only a netblock.
    Netblock,
    /// The service has no record, by a cached answer.
    NoRecord,
    NotLocal,
    NotRead,
    Refused,
}

/// The kinds in words, each with its rank in the line of their numbers.
pub(super) const KINDS: [(AddressKind, &str, u8); 7] = [
    (AddressKind::Known, "answered", 0),
    (AddressKind::Waiting, "reading", 1),
    (AddressKind::Netblock, "netblock only", 2),
    (AddressKind::NoRecord, "without a record", 2),
    (AddressKind::NotLocal, "not in local feeds", 1),
    (AddressKind::NotRead, "not in the feeds read", 1),
    (AddressKind::Refused, "not public", 2),
];

impl AddressState {
    /// The state after the local feeds were read, all of them or not.
    pub(super) fn of(finding: Option<BoardFinding>, is_all_read: bool) -> Self {
        match finding {
            Some(BoardFinding::Row(row)) => Self::Known(row),
            Some(BoardFinding::Named(words)) => Self::Named(words),
            None if is_all_read => Self::NotLocal,
            None => Self::NotRead,
        }
    }

    /// The kind, the source of its record or why there is none, the mark, and the rank among all.
    pub(super) fn outline(&self) -> (AddressKind, &'static str, CaseMark, u8) {
        match self {
            Self::Waiting => (AddressKind::Waiting, "reading", CaseMark::Pending, 2),
            Self::Refused(_) => (AddressKind::Refused, "not public", CaseMark::Failed, 4),
            Self::NotLocal => (AddressKind::NotLocal, "not local", CaseMark::NoRecord, 3),
            Self::NotRead => (AddressKind::NotRead, "not read", CaseMark::NoRecord, 3),
            Self::Named(_) => (AddressKind::NotLocal, "not local", CaseMark::Possible, 1),
            Self::Known(row) => {
                let kind = match &row.verdict {
                    _ if !row.has_record() => AddressKind::NoRecord,
                    Some(_) => AddressKind::Known,
                    None => AddressKind::Netblock,
                };
                let mark = match (&row.verdict, &row.named) {
                    (Some(verdict), _) => CaseMark::from(verdict),
                    (None, Some(_)) => CaseMark::Possible,
                    (None, None) => CaseMark::NoRecord,
                };
                (kind, row.source.word(), mark, 0)
            }
        }
    }

    /// The words for the column VERDICT.
    fn words(&self) -> String {
        match self {
            Self::Waiting => "reading".to_owned(),
            Self::Refused(reserved) => reserved.why(),
            Self::NotLocal => "not in local feeds".to_owned(),
            Self::NotRead => "not in feeds read".to_owned(),
            Self::Named(words) => words.clone(),
            Self::Known(row) => row.words(),
        }
    }

    /// The most significant first, then by clients.
    fn significance(&self) -> u128 {
        let (seen, clients) = match self {
            Self::Known(row) => (row.seen() as u128, row.clients),
            _ => (0, None),
        };
        let rank = u128::from(self.outline().3);
        let most_first = u64::MAX - clients.unwrap_or_default();
        (rank << 72) | (seen << 64) | u128::from(most_first)
    }
}

impl ListRow for BoardAddress {
    type Key = IpAddr;

    const NOUN: &'static str = "row";

    const FILTER: &'static str = "words that a row must have: ACME NL DATACENTER";

    const SIGNS: SignPlace = SignPlace::OwnColumn;

    fn key(&self) -> &IpAddr {
        &self.address
    }

    fn sign(&self, theme: &Theme) -> (char, Style) {
        let (_, _, mark, _) = self.state.outline();
        let style = match mark {
            CaseMark::NoRecord | CaseMark::Failed => theme.dim,
            mark => mark.style(theme),
        };
        (mark.sign(), style)
    }

    /// An address that other records name is as relevant as one with a record, so it is not dimmed.
    fn style(&self, column: &str, theme: &Theme) -> Style {
        match (column, &self.state) {
            ("verdict", AddressState::Known(_) | AddressState::Named(_)) => self.sign(theme).1,
            ("verdict" | "day" | "source", _) => theme.dim,
            _ => theme.text,
        }
    }

    fn unknown(&self) -> &'static str {
        ""
    }
}

impl HeldRow for BoardAddress {
    /// As in the text.
    const SORTED_BY: usize = Self::COLUMNS.len() - 1;

    const BY_WORDS: bool = true;

    const COLUMNS: &'static [ColumnSpec<Self>] = &[
        ColumnSpec::text("address", "ADDRESS", Width::Min(15), |row: &Self| {
            Value::Text(row.label().into())
        })
        .sorts_by(
            |row| {
                let bits = match row.address {
                    IpAddr::V4(address) => address.to_bits().into(),
                    IpAddr::V6(address) => address.to_bits(),
                };
                Value::Place(bits)
            },
            TEXT,
        ),
        ColumnSpec::text("operator", "OPERATORS", Width::Fill(7), |row: &Self| {
            row.of_record(|own| &own.operators)
        }),
        ColumnSpec::text("infrastructure", "INFRA", Width::Min(10), |row: &Self| {
            row.of_record(|own| &own.infrastructure)
        })
        .rank(5),
        ColumnSpec::text("country", "CC", Width::Min(2), |row: &Self| {
            row.of_record(|own| &own.country)
        })
        .rank(3),
        ColumnSpec::text("AS", "AS", Width::Min(7), |row: &Self| {
            let system = row.known().and_then(|own| own.system);
            system.map_or(Value::Unknown, |own| Value::Text(format!("AS{own}").into()))
        })
        .sorts_by(
            |row| {
                let system = row.known().and_then(|own| own.system);
                system.map_or(Value::Unknown, |own| Value::Place(own.into()))
            },
            TEXT,
        )
        .rank(6),
        ColumnSpec::number("clients", "CLIENTS", Width::Min(7), |row: &Self| {
            row.known().and_then(|own| own.clients).into()
        })
        .rank(2),
        ColumnSpec::text("verdict", "VERDICT", Width::Fill(20), |row: &Self| {
            Value::Text(row.state.words().into())
        })
        .sorts_by(
            |row| Value::Place(row.state.significance()),
            ["most telling first", "least telling first"],
        )
        .rank(4),
        ColumnSpec::text("day", "DAY", Width::Min(10), |row: &Self| {
            let day = row.known().map(|own| own.source.day());
            day.map_or(Value::Unknown, |day| Value::Text(day.into()))
        })
        .rank(1),
        ColumnSpec::number("age", "AGE", Width::Min(4), Self::since).sorts_by(Self::since, DAY),
        ColumnSpec::text("source", "SOURCE", Width::Min(9), |row: &Self| {
            row.state.outline().1.into()
        }),
        ColumnSpec::number(AS_IN_TEXT, "", Width::Fixed(0), |row: &Self| {
            Value::Place(row.place.into())
        })
        .sorts_by(
            |row| Value::Place(row.place.into()),
            ["from the top", "from the end"],
        ),
    ];

    fn text(&self) -> Cow<'_, str> {
        self.words().into()
    }
}

impl BoardAddress {
    pub(super) fn known(&self) -> Option<&BoardRow> {
        match &self.state {
            AddressState::Known(row) => Some(row),
            _ => None,
        }
    }

    fn of_record(&self, of: fn(&BoardRow) -> &str) -> Value<'_> {
        self.known().map_or(Value::Unknown, |row| of(row).into())
    }

    fn since(&self) -> Value<'_> {
        let row = self.known();
        row.map_or(Value::Unknown, |row| Value::Since(row.source.since()))
    }

    /// The address, and how often it is in the text.
    fn label(&self) -> String {
        match self.times {
            0 | 1 => self.address.to_string(),
            times => format!("{} x{times}", self.address),
        }
    }

    /// The row in words.
    pub(in crate::tui::tabs::lookup) fn words(&self) -> String {
        let Some(row) = self.known() else {
            return format!("{} {}", self.address, self.state.words());
        };
        let system = row.system.map(|own| format!("AS{own}"));
        let clients = row.clients.map(|own| own.to_string());
        [
            self.address.to_string(),
            row.words(),
            row.operators.clone(),
            row.infrastructure.clone(),
            row.country.clone(),
            system.unwrap_or_default(),
            clients.unwrap_or_default(),
            row.source(),
        ]
        .join(" ")
    }

    /// Its cells in a copied table, in which an unknown value has a dash.
    pub(super) fn cells(&self) -> Vec<TextCell> {
        let mut cells = vec![TextCell::known(self.address.to_string())];
        match &self.state {
            AddressState::Known(own) => cells.extend(own.cells()),
            other => {
                cells.push(TextCell::unknown(&other.words()));
                cells.resize(COPIED.len(), TextCell::unknown("-"));
            }
        }
        cells
    }

    /// Its cells as a JSON object; an unknown value is null.
    pub(super) fn object(&self) -> String {
        let value = |cell: TextCell| cell.known.then_some(cell.text).into();
        let members = COPIED.into_iter().zip(self.cells());
        let object: Map<String, Json> = members
            .map(|(column, cell)| (column.to_owned(), value(cell)))
            .collect();
        Json::Object(object).to_string()
    }
}

/// The columns of a copied table in CSV and JSON.
pub(super) const COPIED: [&str; 8] = [
    "address",
    "verdict",
    "operators",
    "infrastructure",
    "country",
    "as",
    "clients",
    "source",
];

/// The heads of the same columns in a ticket.
pub(super) const HEADS: [&str; COPIED.len()] = [
    "address",
    "verdict",
    "operators",
    "infrastructure",
    "country",
    "AS",
    "clients a day",
    "source",
];
