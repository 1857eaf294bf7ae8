//! What an address of a board is filtered and grouped by.

use std::{borrow::Cow, fmt, net::IpAddr};

use ipnet::IpNet;

use super::standing::Standings;
use crate::{
    investigation::{
        gather::{Beside, EventTimes, Values},
        text::AddressRole,
    },
    model::{Day, Keyword, Terms},
    store::Filter,
};

/// An address of a board, as filters and groups see it.
#[derive(Clone, Copy, Debug)]
pub struct BoardEntry<'b> {
    pub address: IpAddr,
    pub standings: Standings,
    /// The words of its record, if it has one.
    pub record: Option<&'b Terms>,
    /// What stands beside it in the text.
    pub beside: Option<(&'b Values, &'b Beside)>,
    /// How many lines of the text have it.
    pub lines: u64,
    /// Whose address it is, by what the text says.
    pub role: AddressRole,
    /// The UTC day of its events, if it has an entry for each.
    pub day: Option<Day>,
    /// Its events by time, where they are counted.
    pub events: Option<&'b EventTimes>,
}

/// What a board is grouped by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum BoardField {
    /// What the addresses are.
    Is,
    /// A field of the records.
    Record(Keyword),
    /// The networks around the addresses: /24, of IPv6 /48.
    Net,
    /// Whose the addresses are, by what the text says.
    Role,
    /// A column of the text, by its name.
    Column(String),
}

/// The name of the field of what addresses are.
pub(super) const IS: &str = "is";
/// The name of the networks around addresses, as in filters of records.
const NET: &str = "net";
/// The name of whose addresses they are.
pub(super) const ROLE: &str = "role";
/// The name of the number of lines.
pub(super) const LINES: &str = "lines";
/// The name of the day of events.
pub(super) const DAY: &str = "day";
/// The name of the time of events.
pub(super) const TIME: &str = "time";

impl BoardField {
    /// The field of this name; a column of the text if it is none of a record.
    #[must_use]
    pub fn named(name: &str) -> Self {
        let lower = name.to_ascii_lowercase();
        let keyword = || {
            let mut all = Keyword::ALL.into_iter();
            all.find(|keyword| keyword.heading().eq_ignore_ascii_case(name))
        };
        match lower.as_str() {
            IS => return Self::Is,
            NET => return Self::Net,
            ROLE => return Self::Role,
            _ => {}
        }
        match Keyword::named(&lower).or_else(keyword) {
            Some(field) => Self::Record(field),
            None => Self::Column(name.to_owned()),
        }
    }

    /// What people call it.
    #[must_use]
    pub fn heading(&self) -> &str {
        match self {
            Self::Is => IS,
            Self::Record(field) => field.heading(),
            Self::Net => NET,
            Self::Role => ROLE,
            Self::Column(name) => name,
        }
    }

    /// What is counted by it, as a title.
    #[must_use]
    pub fn in_words(&self) -> &str {
        match self {
            Self::Is => "what they are",
            Self::Net => "network: /24, of IPv6 /48",
            Self::Role => "role in the text",
            other => other.heading(),
        }
    }

    /// The different values of an address, each with the number of its lines.
    #[must_use]
    pub fn values<'b>(&self, entry: &BoardEntry<'b>) -> Vec<(Cow<'b, str>, u64)> {
        let of_all = |value: &'b str| (value.into(), entry.lines);
        match (self, entry.record, entry.beside) {
            (Self::Is, ..) => entry
                .standings
                .iter()
                .map(|standing| of_all(standing.word()))
                .collect(),
            (Self::Net, ..) => {
                let network = network_around(entry.address).to_string();
                vec![(network.into(), entry.lines)]
            }
            (Self::Role, ..) => vec![of_all(entry.role.word())],
            (Self::Record(field), Some(record), _) => record.of_field(*field).map(of_all).collect(),
            (Self::Column(name), _, Some((values, beside))) => {
                let mut of_column = Vec::new();
                values.each(beside, |column, column_values| {
                    if is_column(column, name) {
                        let values = column_values.values.into_iter();
                        of_column.extend(values.map(|(value, count)| (value, u64::from(count))));
                    }
                });
                of_column
            }
            _ => Vec::new(),
        }
    }

    /// The term of a filter with this value.
    #[must_use]
    pub fn term(&self, value: &str) -> String {
        self.term_of([value])
    }

    /// The term of a filter with any of these values.
    #[must_use]
    pub fn term_of<'v>(&self, values: impl IntoIterator<Item = &'v str>) -> String {
        let (name, sign) = match self {
            Self::Is => (IS.into(), ':'),
            Self::Record(Keyword::Org) => ("org".into(), '='),
            Self::Record(field) => (field.name().into(), ':'),
            Self::Net => (NET.into(), ':'),
            Self::Role => (ROLE.into(), ':'),
            Self::Column(name) => (name_in_filters(name), ':'),
        };
        let values: Vec<_> = values.into_iter().map(quoted).collect();
        format!("{name}{sign}{}", values.join(","))
    }
}

/// The network around an address of which one often has neighbours of the same owner: /24, of IPv6 /48.
#[must_use]
pub fn network_around(address: IpAddr) -> IpNet {
    let length = if address.is_ipv4() { 24 } else { 48 };
    IpNet::new(address, length).map_or_else(|_| address.into(), |network| network.trunc())
}

impl fmt::Display for BoardField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.heading())
    }
}

/// The name of a column in filters: without what has a meaning there, and apart from the fields of records.
#[must_use]
pub fn name_in_filters(column: &str) -> Cow<'_, str> {
    let is_field = |name: &str| column.eq_ignore_ascii_case(name);
    let mut fields = Filter::FIELDS.iter().map(|field| field.name);
    if [IS, LINES, DAY, ROLE].into_iter().any(is_field) || fields.any(is_field) {
        return format!("text.{column}").into();
    }
    let is_sign = |letter: char| letter.is_whitespace() || ":<>=!\",".contains(letter);
    let column = match column.strip_prefix('-') {
        Some(rest) => format!("_{rest}").into(),
        None => Cow::Borrowed(column),
    };
    if column.contains(is_sign) {
        return column.replace(is_sign, "_").into();
    }
    column
}

/// Whether a column of a text is meant by a name.
#[must_use]
pub fn is_column(column: &str, name: &str) -> bool {
    let own = name_in_filters(column);
    own.eq_ignore_ascii_case(&name_in_filters(name))
}

/// A value as a filter has it: in quotes where it would be read otherwise.
fn quoted(value: &str) -> Cow<'_, str> {
    let is_plain = |letter: char| !(letter.is_whitespace() || matches!(letter, ',' | '"' | '*'));
    if !value.is_empty() && value.chars().all(is_plain) {
        return value.into();
    }
    let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{escaped}\"").into()
}
