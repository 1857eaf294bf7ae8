//! A row of the table: an address with its best local record or cached answer, or why there is none.

use std::{borrow::Cow, fmt, net::IpAddr, sync::Arc};

use jiff::Timestamp;
use ratatui::style::Style;
use serde_json::{Map, Value as Json};

use crate::{
    contract::LookupQuery,
    engine::MissingWhy,
    investigation::{
        board::{BoardEntry, BoardFilter, Standing, Standings},
        gather::{Occurrences, Values},
        text::WORD,
    },
    model::{Anonymization, Context, Day, Reserved, context::VerdictBasis},
    report::{BoardFinding, BoardRow, TextCell, count, each, minute, missing_in_words},
    tui::{
        ctx::{
            ColumnSpec, HeldRow, ListRow, RowTest, SignPlace, Value,
            orders::{self, TEXT},
        },
        tabs::lookup::case::CaseMark,
        ui::{Theme, Width},
    },
};

/// The order of the text, which has no column on the screen.
pub(super) const AS_IN_TEXT: &str = "as in the text";
pub(super) const LINES: &str = "lines";
pub(super) const ROLE: &str = "role";
pub(super) const FIRST: &str = "first";
pub(super) const LAST: &str = "last";
pub(super) const BESIDE: &str = "beside";
pub(super) const OPERATOR: &str = "operator";
pub(super) const TODAY: &str = "today";
pub(super) const DAY: &str = "day";
pub(super) const AGE: &str = "age";
pub(super) const SOURCE: &str = "source";

/// Values of a column of the text that a row shows.
const SHOWN_BESIDE: usize = 2;

/// What a row is about: an address, on the UTC day of its events if each has a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::tui::tabs::lookup) struct RowKey {
    pub(in crate::tui::tabs::lookup) address: IpAddr,
    pub(super) day: Option<Day>,
}

impl RowKey {
    /// The row that asks a query, if each day of events has one.
    pub(super) fn of(query: &LookupQuery, is_at_time: bool) -> Self {
        Self {
            address: query.address,
            day: query.date.filter(|_| is_at_time),
        }
    }
}

impl fmt::Display for RowKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.address.fmt(f)
    }
}

#[derive(Debug)]
pub(in crate::tui::tabs::lookup) struct BoardAddress {
    pub(in crate::tui::tabs::lookup) key: RowKey,
    /// Its place in the text.
    pub(super) place: u32,
    /// Where it occurs in the text, and with what beside it.
    pub(super) seen: Occurrences,
    /// The texts that stand beside addresses.
    pub(super) values: Arc<Values>,
    pub(super) state: AddressState,
    /// What is known today, beside the state on the day of its events.
    pub(super) today: Option<AddressState>,
    /// Where there is no tunnel or proxy: on which of the last local days there was, in words.
    pub(super) recent: Option<String>,
}

/// The state of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AddressState {
    /// The local feeds are being read.
    Waiting,
    /// The service is being asked.
    Asking,
    /// The service was asked in vain, and why.
    Failed(String),
    /// It is not public, so no source has a record.
    Refused(Reserved),
    /// No local feed has a record of it.
    NotLocal,
    /// Nothing is known of a feed on the day.
    DayMissing(MissingWhy),
    /// No readable feed has a record of it, and some local feeds could not be read.
    NotRead,
    /// No source has a record of it, and a query about it is possibly spent.
    PossiblySpent,
    /// It has no record, but records of other addresses name it as an entry; with the words for that.
    Named(String),
    /// The best local or cached answer.
    Known(Box<BoardRow>),
}

impl AddressState {
    /// The state after the local feeds were read, all of them or not.
    pub(super) fn of(finding: Option<BoardFinding>, is_all_read: bool) -> Self {
        match finding {
            Some(BoardFinding::Row(row)) => Self::Known(row),
            Some(BoardFinding::Named(words)) => Self::Named(words),
            Some(BoardFinding::Missing(missing)) => Self::DayMissing(missing.why),
            Some(BoardFinding::PossiblySpent) => Self::PossiblySpent,
            None if is_all_read => Self::NotLocal,
            None => Self::NotRead,
        }
    }

    /// The source of its record or why there is none, the mark, and the rank among all.
    pub(super) fn outline(&self) -> (&'static str, CaseMark, u8) {
        match self {
            Self::Waiting => ("reading", CaseMark::Pending, 2),
            Self::Asking => ("live", CaseMark::Pending, 2),
            Self::Failed(_) | Self::PossiblySpent => ("live", CaseMark::Failed, 2),
            Self::Refused(_) => ("not public", CaseMark::Failed, 4),
            Self::NotLocal => ("not local", CaseMark::NoRecord, 3),
            Self::DayMissing(why) => (missing_in_words(*why), CaseMark::NoRecord, 3),
            Self::NotRead => ("not read", CaseMark::NoRecord, 3),
            Self::Named(_) => ("not local", CaseMark::Possible, 1),
            Self::Known(row) => {
                let mark = match (&row.verdict, &row.named) {
                    (Some(verdict), _) => CaseMark::from(verdict),
                    (None, Some(_)) => CaseMark::Possible,
                    (None, None) => CaseMark::NoRecord,
                };
                (row.source.word(), mark, 0)
            }
        }
    }

    /// What the address is, as far as is known.
    pub(super) fn standings(&self) -> Standings {
        match self {
            Self::Waiting | Self::Asking => Standing::Reading.into(),
            Self::Refused(_) => Standing::NotPublic.into(),
            Self::NotLocal
            | Self::DayMissing(_)
            | Self::NotRead
            | Self::Failed(_)
            | Self::PossiblySpent => Standing::Unknown.into(),
            Self::Named(_) => Standing::Entry.into(),
            Self::Known(row) => row.standings,
        }
    }

    /// What its verdict rests on; `None` where that is unknown.
    pub(super) fn basis(&self) -> Option<Cow<'_, VerdictBasis>> {
        match self {
            Self::Known(row) => row.basis.as_ref().map(Cow::Borrowed),
            Self::NotLocal => Some(Cow::Owned(Context::default().verdict_basis())),
            _ => None,
        }
    }

    /// Whether the service could tell what is not known here.
    pub(super) fn is_unknown(&self) -> bool {
        match self {
            Self::NotLocal
            | Self::DayMissing(_)
            | Self::NotRead
            | Self::Named(_)
            | Self::Failed(_)
            | Self::PossiblySpent => true,
            Self::Known(row) => row.verdict.is_none() && row.has_record(),
            Self::Waiting | Self::Asking | Self::Refused(_) => false,
        }
    }

    /// The words for the column VERDICT.
    fn words(&self) -> String {
        match self {
            Self::Waiting => "reading".to_owned(),
            Self::Asking => "asking the service".to_owned(),
            Self::Failed(why) => why.clone(),
            Self::Refused(reserved) => reserved.why(),
            Self::NotLocal => "unknown: no local record".to_owned(),
            Self::DayMissing(why) => format!("day {}", missing_in_words(*why)),
            Self::NotRead => "unknown: not in feeds read".to_owned(),
            Self::PossiblySpent => "possibly spent: sent, no answer".to_owned(),
            Self::Named(words) => words.clone(),
            Self::Known(row) => row.words(),
        }
    }
}

impl ListRow for BoardAddress {
    type Key = RowKey;

    const NOUN: &'static str = "row";

    const FILTER: &'static str = "is:vpn cc:NL user:alice lines>10, or words";

    const SIGNS: SignPlace = SignPlace::OwnColumn;

    fn key(&self) -> &RowKey {
        &self.key
    }

    fn sign(&self, theme: &Theme) -> (char, Style) {
        let (_, mark, _) = self.state.outline();
        let style = match mark {
            CaseMark::NoRecord | CaseMark::Failed => theme.dim,
            mark => mark.style(theme),
        };
        (mark.sign(), style)
    }

    /// An address that other records name is as relevant as one with a record, so it is not dimmed.
    fn style(&self, column: &str, theme: &Theme) -> Style {
        match (column, &self.state) {
            ("verdict", AddressState::Known(_) | AddressState::Named(_)) => theme.text,
            ("verdict" | "day" | "source", _) => theme.dim,
            _ => theme.text,
        }
    }

    /// A column of nothing but colour would say less than one name in it.
    fn loud_part(&self, column: &str) -> Option<&str> {
        let row = self.known().filter(|_| column == "verdict")?;
        row.operators.split([',', ' ']).next()
    }

    fn unknown(&self) -> &'static str {
        ""
    }
}

impl HeldRow for BoardAddress {
    /// The most telling first.
    const SORTED_BY: usize = 1;

    const BY_LETTERS: bool = false;

    const COLUMNS: &'static [ColumnSpec<Self>] = &[
        ColumnSpec::text("address", "ADDRESS", Width::Min(15), |row: &Self| {
            Value::Text(row.key.address.to_string().into())
        })
        .sorts_by(
            |row| {
                let bits = match row.key.address {
                    IpAddr::V4(address) => address.to_bits().into(),
                    IpAddr::V6(address) => address.to_bits(),
                };
                Value::Place(bits)
            },
            TEXT,
        ),
        ColumnSpec::text("verdict", "VERDICT", Width::Fill(24), |row: &Self| {
            let words = row.verdict();
            Value::Text(if row.seen.may_end_in_port && row.known().is_none() {
                format!("may end in a port; {words}").into()
            } else {
                words.into()
            })
        })
        .sorts_by(
            |row| Value::Place(row.worth()),
            ["most telling first", "least telling first"],
        ),
        ColumnSpec::text(TODAY, "TODAY", Width::Fill(14), |row: &Self| {
            row.today_in_words()
                .map_or(Value::Unknown, |text| Value::Text(text.into()))
        })
        .sorts_by(
            |row| Value::Place(u128::from(row.today_in_words().is_none())),
            [
                "those with another answer first",
                "those with another answer last",
            ],
        ),
        ColumnSpec::number(LINES, "LINES", Width::Min(5), |row: &Self| {
            Value::Count(row.seen.lines)
        })
        .rank(2),
        ColumnSpec::text(ROLE, "ROLE", Width::Min(6), |row: &Self| {
            row.seen.role.word().into()
        })
        .rank(4),
        ColumnSpec::number("clients", "CLIENTS", Width::Min(7), |row: &Self| {
            row.known().and_then(|row| row.clients).into()
        })
        .rank(2),
        ColumnSpec::text("country", "CC", Width::Min(2), |row: &Self| {
            row.of_record(|row| &row.country)
        })
        .rank(3),
        ColumnSpec::text("infrastructure", "INFRA", Width::Min(10), |row: &Self| {
            row.of_record(|row| &row.infrastructure)
        })
        .rank(6),
        ColumnSpec::text("AS", "AS", Width::Min(7), |row: &Self| {
            let system = row.known().and_then(|row| row.system);
            system.map_or(Value::Unknown, |number| {
                Value::Text(format!("AS{number}").into())
            })
        })
        .sorts_by(
            |row| {
                let system = row.known().and_then(|row| row.system);
                system.map_or(Value::Unknown, |number| Value::Place(number.into()))
            },
            TEXT,
        )
        .rank(7),
        ColumnSpec::text(FIRST, "FIRST", Width::Min(11), |row: &Self| {
            row.time(|(first, _)| first)
        })
        .rank(8),
        ColumnSpec::text(LAST, "LAST", Width::Min(11), |row: &Self| {
            row.time(|(_, last)| last)
        })
        .rank(5),
        ColumnSpec::text(BESIDE, "BESIDE", Width::Fill(16), |row: &Self| {
            row.beside(SHOWN_BESIDE)
                .map_or(Value::Unknown, |text| Value::Text(text.into()))
        })
        .rank(4),
        ColumnSpec::text(OPERATOR, "OPERATORS", Width::Fill(7), |row: &Self| {
            row.of_record(|row| &row.operators)
        }),
        ColumnSpec::text(DAY, "DAY", Width::Min(10), |row: &Self| {
            let of_event = row.key.day.map(Day::dashed);
            let day = of_event.or_else(|| Some(row.known()?.source.day()));
            day.map_or(Value::Unknown, |day| Value::Text(day.into()))
        })
        .rank(1),
        ColumnSpec::number(AGE, "AGE", Width::Min(4), Self::since)
            .sorts_by(Self::since, orders::DAY)
            .rank(5),
        ColumnSpec::text(SOURCE, "SOURCE", Width::Min(9), |row: &Self| {
            row.state.outline().0.into()
        })
        .rank(3),
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

    fn test<'f>(filter: &'f str, rows: &[Self]) -> Result<RowTest<'f, Self>, String> {
        let columns = rows.first().map_or(&[][..], |row| row.values.columns());
        let filter = BoardFilter::read(filter, Some(columns)).map_err(|bad| bad.message)?;
        let text = |row: &Self| {
            format!(
                "{} {}",
                row.words(),
                row.beside(usize::MAX).unwrap_or_default()
            )
        };
        Ok(Box::new(move |row| {
            filter.matches(&row.entry(), || text(row))
        }))
    }
}

impl BoardAddress {
    /// Takes what is known today; of a row without a day that is all there is.
    pub(super) fn take_today(&mut self, state: AddressState) {
        match self.key.day {
            Some(_) => self.today = Some(state),
            None => self.state = state,
        }
    }

    /// The words for the column VERDICT, with those of the last days.
    fn verdict(&self) -> String {
        let words = self.state.words();
        let recent = self.recent.iter().map(String::as_str);
        each([words.as_str()].into_iter().chain(recent), "; ")
    }

    /// The same with what is known today, where that differs.
    fn verdict_and_today(&self) -> String {
        match self.today_in_words() {
            Some(today) => format!("{}; today: {today}", self.verdict()),
            None => self.verdict(),
        }
    }

    /// What is known today, unless it is what was known then.
    pub(super) fn today_in_words(&self) -> Option<String> {
        let today = self.today.as_ref()?;
        let (then, now) = (self.state.basis(), today.basis());
        let is_same = then.is_some() && then == now;
        let says_more = then.is_some() || !matches!(today, AddressState::NotLocal);
        let words = today.words();
        (!is_same && says_more && words != self.state.words()).then_some(words)
    }

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

    /// Its place among all: what is known of it, then how often it occurs, then its clients, then its place in the text.
    fn worth(&self) -> u128 {
        let possible = Anonymization::Possible as u32;
        let (seen, clients) = match &self.state {
            AddressState::Known(row) => (row.seen() as u32, row.clients.unwrap_or_default()),
            _ => (0, 0),
        };
        // One that was a proxy lately comes before those that were not.
        let (rank, seen) = match (self.state.outline().2, &self.recent) {
            (0, Some(_)) => (0, seen.min(possible)),
            (3, Some(_)) => (1, seen),
            (rank, _) => (rank, seen),
        };
        let most_first = |number: u64| u32::MAX - u32::try_from(number).unwrap_or(u32::MAX);
        let parts = [
            u32::from(!self.seen.is_worth_a_query(false)) << 16 | u32::from(rank) << 8 | seen,
            most_first(self.seen.lines),
            most_first(clients),
            self.place,
        ];
        parts
            .into_iter()
            .fold(0, |worth, part| worth << 32 | u128::from(part))
    }

    /// The row as filters and groups see it.
    pub(super) fn entry(&self) -> BoardEntry<'_> {
        BoardEntry {
            address: self.key.address,
            standings: self.state.standings(),
            record: self.known().and_then(|row| row.terms.as_deref()),
            beside: Some((&self.values, &self.seen.beside)),
            lines: self.seen.lines,
            role: self.seen.role,
            day: self.key.day,
            events: self.seen.events.as_deref(),
        }
    }

    /// One of the times beside it, to the minute.
    fn time(&self, which: fn((Timestamp, Timestamp)) -> Timestamp) -> Value<'_> {
        self.seen
            .times
            .map(which)
            .map_or(Value::Unknown, Value::Time)
    }

    /// What stands beside it in the text: of each column the most frequent values, with how many more there are.
    fn beside(&self, most: usize) -> Option<String> {
        let mut columns = Vec::new();
        self.values.each(&self.seen.beside, |column, values| {
            if column == WORD && most < usize::MAX {
                return;
            }
            let shown: Vec<&str> = values
                .values
                .iter()
                .take(most)
                .map(|(value, _)| &**value)
                .collect();
            let more = values.values.len() - shown.len() + usize::from(values.others > 0);
            let more = if more > 0 {
                format!(" +{more}")
            } else {
                String::new()
            };
            columns.push(format!("{column} {}{more}", shown.join(" ")));
        });
        (!columns.is_empty()).then(|| columns.join("  "))
    }

    /// The row in words.
    pub(in crate::tui::tabs::lookup) fn words(&self) -> String {
        let Some(row) = self.known() else {
            return format!("{} {}", self.key.address, self.verdict_and_today());
        };
        let system = row.system.map(|number| format!("AS{number}"));
        let clients = row.clients.map(|number| number.to_string());
        [
            self.key.address.to_string(),
            self.verdict_and_today(),
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
        let mut cells = vec![TextCell::known(self.key.address.to_string())];
        if let Some(row) = self.known() {
            cells.extend(row.cells());
            cells[1] = TextCell::known(self.verdict_and_today());
        } else {
            cells.push(TextCell::unknown(&self.verdict_and_today()));
            cells.resize(COPIED.len(), TextCell::unknown("-"));
        }
        cells
    }

    /// The same in a ticket, with what the text says of it.
    pub(super) fn ticket_cells(&self) -> Vec<TextCell> {
        let day = self.key.day.map(Day::dashed);
        let times = self.seen.times.map(|(first, last)| {
            let [first, last] = [first, last].map(minute);
            if first == last {
                first
            } else {
                format!("{first} to {last}")
            }
        });
        let mut cells = self.cells();
        cells.extend([
            TextCell::known(count(self.seen.lines)),
            TextCell::or_dash(times.or(day)),
            TextCell::or_dash(self.beside(SHOWN_BESIDE)),
        ]);
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

/// The heads of the columns of a ticket.
pub(super) const HEADS: [&str; COPIED.len() + 3] = [
    "address",
    "verdict",
    "operators",
    "infrastructure",
    "country",
    "AS",
    "clients a day",
    "source",
    "found",
    "at",
    "beside",
];
