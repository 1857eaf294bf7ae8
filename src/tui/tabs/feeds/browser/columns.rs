//! The columns for each kind of records: their values, their orders, and the filters of their cells.

use ipnet::IpNet;

use crate::{
    contract::{Feed, catalog::RecordKind},
    model::{Document, Keyword, Subject, Tag, Terms},
    report::{Reading, TextCell, count, each, tag_values, value as value_of},
    store::{
        filter::{NumberComparison, Term, Test},
        index::{Order, SortField},
    },
    tui::{
        ctx::SortBy,
        ui::{Width, glyphs::ARROW, words},
    },
};

#[derive(Debug)]
pub(super) struct ColumnKind {
    pub(super) title: &'static str,
    pub(super) width: Width,
    /// Whether it holds numbers.
    pub(super) is_number: bool,
    /// Whether it is shown by default.
    pub(super) is_shown: bool,
    /// The field by which its cells are filtered, for texts.
    by: Option<Keyword>,
    pub(super) shows: Shows,
    /// The path to sort by, if it differs from the filter's field.
    pub(super) path: Option<&'static str>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Shows {
    Subject,
    Tunnels,
    /// A column of the tables for programs.
    Value(&'static str),
    Clients,
    Words(Keyword),
    /// A column of the tags table for programs.
    OfTag(&'static str),
}

const fn column(title: &'static str, width: Width, shows: Shows) -> ColumnKind {
    let by = match shows {
        Shows::Words(field) => Some(field),
        Shows::Tunnels => Some(Keyword::Tag),
        _ => None,
    };
    ColumnKind {
        title,
        width,
        is_number: false,
        is_shown: true,
        by,
        shows,
        path: None,
    }
}

impl ColumnKind {
    const fn by(self, field: Keyword) -> Self {
        Self {
            by: Some(field),
            ..self
        }
    }

    const fn sorted_at(self, path: &'static str) -> Self {
        Self {
            path: Some(path),
            ..self
        }
    }

    /// The order by this column, in its usual direction or reversed: texts ascending, numbers descending.
    pub(super) fn order(&self, turned: bool) -> Option<Order> {
        let descending = self.is_number != turned;
        let by = match (self.path, self.by, self.shows) {
            (Some(path), ..) => SortField::Path(path),
            (None, Some(field), _) => SortField::Words(field),
            (None, None, Shows::Subject) if descending => return Some(Order::AddressDescending),
            (None, None, Shows::Subject) => return Some(Order::Address),
            (None, None, Shows::Clients) if descending => return Some(Order::Clients),
            (None, None, Shows::Clients) => return Some(Order::ClientsAscending),
            (None, None, _) => return None,
        };
        Some(Order::Field { by, descending })
    }

    const fn number(self) -> Self {
        Self {
            is_number: true,
            ..self
        }
    }

    const fn hidden(self) -> Self {
        Self {
            is_shown: false,
            ..self
        }
    }

    /// The cell of a text, or of a number in groups of digits.
    fn cell(&self, text: &str) -> TextCell {
        if self.is_number {
            shown(&grouped(text))
        } else {
            shown(text)
        }
    }

    /// The clauses that match records like this one: one for each value of the cell.
    pub(super) fn clauses(&self, terms: &Terms) -> Vec<Term> {
        match (self.by, self.shows) {
            (Some(field), _) => {
                let words = terms.of_field(field).map(str::to_owned);
                words
                    .map(|word| Test::Is(field, vec![word]).into())
                    .collect()
            }
            (None, Shows::Subject) => {
                let around = terms.subject.map(around);
                let within = around.map(|network| Test::Within(vec![network]).into());
                within.into_iter().collect()
            }
            (None, Shows::Clients) => {
                let at_least = |clients| Test::Clients(NumberComparison::AtLeast, clients).into();
                terms.clients.map(at_least).into_iter().collect()
            }
            (None, _) => Vec::new(),
        }
    }
}

/// The network around an address: /24, or /48 for IPv6; for a network of at least that length the same, else the network itself.
fn around(subject: Subject) -> IpNet {
    let network = subject.network();
    let length = match network {
        IpNet::V4(_) => 24,
        IpNet::V6(_) => 48,
    };
    let shorter = length.min(network.prefix_len());
    IpNet::new(network.addr(), shorter).map_or(network, |around| around.trunc())
}

const ADDRESS: Width = Width::Min(13);

#[rustfmt::skip]
const CONTEXTS: &[ColumnKind] = &[
    column("ADDRESS", ADDRESS, Shows::Subject),
    column("OPERATORS", Width::Fill(15), Shows::Tunnels),
    column("INFRA", Width::Fixed(10), Shows::Value("infrastructure")).by(Keyword::Infra),
    column("CC", Width::Fixed(2), Shows::Value("country")).by(Keyword::Cc),
    column("CITY", Width::Fill(9), Shows::Value("city")).sorted_at("location.city"),
    column("AS", Width::Fixed(6), Shows::Value("as_number")).by(Keyword::Asn),
    column("CLIENTS", Width::Fixed(7), Shows::Clients).number(),
    column("RISK", Width::Fill(6), Shows::Words(Keyword::Risk)),
    column("PROXIES", Width::Fill(12), Shows::Words(Keyword::Proxy)),
    column("SERVICES", Width::Fill(10), Shows::Words(Keyword::Service)).hidden(),
    column("BEHAVIORS", Width::Fill(12), Shows::Words(Keyword::Behavior)).hidden(),
    column("DEVICES", Width::Fill(10), Shows::Words(Keyword::Device)).hidden(),
    column("COUNTRIES", Width::Fixed(9), Shows::Value("client_countries")).sorted_at("client.countries").number().hidden(),
    column("STATE", Width::Fill(8), Shows::Value("state")).sorted_at("location.state").hidden(),
    column("ORGANIZATION", Width::Fill(14), Shows::Value("organization")).by(Keyword::Org).sorted_at("organization").hidden(),
    column("AS ORGANIZATION", Width::Fill(14), Shows::Value("as_organization")).by(Keyword::Org).sorted_at("as.organization").hidden(),
    column("ENTRIES", Width::Fill(15), Shows::Words(Keyword::Entry)).hidden(),
];

#[rustfmt::skip]
const HOSTING: &[ColumnKind] = &[
    column("NETWORK", ADDRESS, Shows::Subject),
    column("AS", Width::Fixed(10), Shows::Value("as_number")).by(Keyword::Asn),
    column("ORGANIZATION", Width::Fill(20), Shows::Value("organization")).by(Keyword::Org),
];

#[rustfmt::skip]
const GEO: &[ColumnKind] = &[
    column("NETWORK", ADDRESS, Shows::Subject),
    column("CC", Width::Fixed(2), Shows::Value("country")).by(Keyword::Cc),
    column("STATE", Width::Fill(12), Shows::Value("state")).sorted_at("subdivisions.names.en"),
    column("CITY", Width::Fill(14), Shows::Value("city")).sorted_at("city.names.en"),
    column("AS", Width::Fixed(10), Shows::Value("as_number")).by(Keyword::Asn),
    column("AS ORGANIZATION", Width::Fill(20), Shows::Value("as_organization")).by(Keyword::Org),
];

#[rustfmt::skip]
const TAGS: &[ColumnKind] = &[
    column("TAG", Width::Min(12), Shows::OfTag("tag")).by(Keyword::Tag),
    column("NAME", Width::Fill(16), Shows::OfTag("name")).sorted_at("name"),
    column("CATEGORIES", Width::Fill(16), Shows::OfTag("categories")).sorted_at("categories"),
    column("DEVICES", Width::Fixed(10), Shows::OfTag("average_device_count")).sorted_at("metrics.averageDeviceCount").number(),
    column("CHURN", Width::Fixed(6), Shows::OfTag("churn_rate")).sorted_at("metrics.churnRate").number(),
    column("ADDRESSES", Width::Fixed(11), Shows::OfTag("distinct_ips")).sorted_at("metrics.distinctIPs").number(),
    column("ALIAS OF", Width::Fill(12), Shows::OfTag("alias_of")).sorted_at("aliasOf"),
    column("ANONYMOUS", Width::Fixed(9), Shows::OfTag("is_anonymous")).sorted_at("isAnonymous"),
    column("CALLBACK", Width::Fixed(8), Shows::OfTag("is_callback_proxy")).sorted_at("isCallbackProxy").hidden(),
    column("NO LOG", Width::Fixed(6), Shows::OfTag("is_no_log")).sorted_at("isNoLog").hidden(),
    column("WEBSITE", Width::Fill(16), Shows::OfTag("website")).sorted_at("website").hidden(),
];

/// The separator of tunnels. The order of a list has no meaning (contract, 2.2) and is not stable, so only its members are
/// compared.
const TUNNELS_APART: &str = "; ";

/// The change of a cell between two days; `None` if both have the same members in any order.
pub(super) fn change(column: &ColumnKind, before: &TextCell, after: &TextCell) -> Option<String> {
    if before == after {
        return None;
    }
    let apart = match column.shows {
        Shows::Tunnels => TUNNELS_APART,
        Shows::Words(_) | Shows::OfTag("categories") => " ",
        _ => return Some(format!("{} {ARROW} {}", before.text, after.text)),
    };
    let members = |cell: &TextCell| -> Vec<String> {
        let members = cell.text.split(apart).filter(|_| cell.known);
        members.map(str::to_owned).collect()
    };
    let (old, new) = (members(before), members(after));
    let is_tunnels = apart == TUNNELS_APART;
    let beyond = |one: &[String], other: &[String], sign: char| {
        let mut left = other.to_vec();
        let mut beyond = Vec::new();
        for member in one {
            match left.iter().position(|text| text == member) {
                Some(at) => drop(left.swap_remove(at)),
                None => beyond.push(format!("{sign}{member}")),
            }
        }
        beyond
    };
    let mut members = beyond(&old, &new, '-');
    members.extend(beyond(&new, &old, '+'));
    if members.is_empty() {
        return None;
    }
    // A replaced tunnel is easier to read side by side.
    Some(if is_tunnels {
        format!("{} {ARROW} {}", before.text, after.text)
    } else {
        each(&members, " ")
    })
}

/// The columns of a feed. The first one names the record and is always in view.
pub(super) fn of(feed: Feed) -> &'static [ColumnKind] {
    match feed.row().records {
        RecordKind::Context | RecordKind::Ipv6Context => CONTEXTS,
        RecordKind::Hosting => HOSTING,
        RecordKind::Geo => GEO,
        RecordKind::Tags => TAGS,
    }
}

/// The column that the records are sorted by; `None` for the order of the file.
pub(super) fn sorted(feed: Feed, order: Order) -> Option<SortBy> {
    let columns = of(feed).iter().enumerate();
    let mut both = columns.flat_map(|(at, kind)| [false, true].map(|turned| (kind, at, turned)));
    both.find_map(|(kind, column, is_reversed)| {
        let is_it = kind.order(is_reversed) == Some(order);
        is_it.then_some(SortBy {
            column,
            is_reversed,
        })
    })
}

/// An order in words, with its direction unless it is the usual one.
pub(super) fn order_in_words(feed: Feed, order: Order) -> String {
    let Some(sort) = sorted(feed, order) else {
        return "as in the file".to_owned();
    };
    let column = &of(feed)[sort.column];
    let direction = match (column.is_number, sort.is_reversed) {
        (_, false) => "",
        (true, true) => ", fewest first",
        (false, true) => ", descending",
    };
    format!("by {}{direction}", column.title.to_lowercase())
}

/// The fields of the facets of a feed, in display order.
pub(super) fn facets(feed: Feed) -> &'static [Keyword] {
    match feed.row().records {
        RecordKind::Context | RecordKind::Ipv6Context => &[
            Keyword::Tag,
            Keyword::Cc,
            Keyword::Infra,
            Keyword::Risk,
            Keyword::Type,
            Keyword::Proxy,
            Keyword::Service,
            Keyword::Behavior,
            Keyword::Device,
            Keyword::Asn,
            Keyword::Org,
        ],
        RecordKind::Hosting => &[Keyword::Asn, Keyword::Org],
        RecordKind::Geo => &[Keyword::Cc, Keyword::Asn, Keyword::Org],
        RecordKind::Tags => &[],
    }
}

/// The cells of a record, one for each column of its feed.
pub(super) fn cells(feed: Feed, document: &Document, terms: &Terms) -> Vec<TextCell> {
    let record = document.value();
    if feed.row().records == RecordKind::Tags {
        let Ok(tag) = Tag::decode(record) else {
            return unread(feed);
        };
        let values = tag_values(&tag);
        let cell = |column: &ColumnKind| match column.shows {
            Shows::OfTag(name) => {
                let own = values.iter().find(|(text, _)| *text == name);
                column.cell(own.map_or("", |(_, text)| text))
            }
            _ => shown(""),
        };
        return of(feed).iter().map(cell).collect();
    }
    let reading = Reading::of(feed, record);
    if reading == Reading::Unread {
        return unread(feed);
    }
    let values = reading.values();
    let cell = |column: &ColumnKind| match column.shows {
        Shows::Subject => shown(
            &terms
                .subject
                .map(|subject| subject.to_string())
                .unwrap_or_default(),
        ),
        Shows::Tunnels => shown(&reading.tunnels()),
        Shows::Value(name) => column.cell(value_of(&values, name)),
        Shows::Clients => column.cell(value_of(&values, "client_count")),
        Shows::Words(field) => shown(&each(&terms.of_field(field).collect::<Vec<_>>(), " ")),
        Shows::OfTag(_) => shown(""),
    };
    of(feed).iter().map(cell).collect()
}

/// The cells of an unreadable record.
pub(super) fn unread(feed: Feed) -> Vec<TextCell> {
    let mut cells = vec![shown(""); of(feed).len()];
    if let Some(first) = cells.first_mut() {
        *first = TextCell::unknown("unreadable");
    }
    cells
}

fn grouped(number: &str) -> String {
    match (number.parse(), number.parse()) {
        (Ok(whole), _) => count(whole),
        (Err(_), Ok(fraction)) => words::decimal(fraction),
        (Err(_), Err(_)) => number.to_owned(),
    }
}

/// In a table of many rows an absent value is a single character.
fn shown(text: &str) -> TextCell {
    if text.trim().is_empty() {
        TextCell::unknown("-")
    } else {
        TextCell::known(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(feed: Feed, record: &str) -> (Vec<String>, Vec<Vec<String>>) {
        let document = Document::read(record.as_bytes()).expect(record);
        let terms = Terms::of(document.value());
        let cells = cells(feed, &document, &terms);
        let clauses = of(feed).iter().map(|column| {
            let clauses = column.clauses(&terms);
            clauses.iter().map(ToString::to_string).collect()
        });
        (
            cells.into_iter().map(|cell| cell.text).collect(),
            clauses.collect(),
        )
    }

    #[test]
    fn each_column_sorts_in_both_directions_and_no_two_alike() {
        for feed in Feed::all() {
            let orders: Vec<Order> = of(feed)
                .iter()
                .flat_map(|column| {
                    [false, true].map(|turned| column.order(turned).expect(column.title))
                })
                .collect();
            for (at, order) in orders.iter().enumerate() {
                assert!(!orders[..at].contains(order), "{feed} {order:?}");
            }
        }
    }

    #[test]
    fn lists_in_another_order_are_no_change() {
        let column = |title: &str| {
            let mut all = of(Feed::Anonymous).iter();
            all.find(|column| column.title == title).expect(title)
        };
        let known = |text: &str| TextCell::known(text);
        for (title, before, after, expected) in [
            ("RISK", "TUNNEL SPAM", "SPAM TUNNEL", None),
            ("RISK", "TUNNEL SPAM", "AD TUNNEL", Some("-SPAM +AD")),
            ("RISK", "A A", "A", Some("-A")),
            ("OPERATORS", "VPN A; PROXY", "PROXY; VPN A", None),
            (
                "OPERATORS",
                "VPN A; PROXY",
                "VPN B; PROXY",
                Some("VPN A; PROXY → VPN B; PROXY"),
            ),
            ("CITY", "New York", "York New", Some("New York → York New")),
            ("CLIENTS", "3", "14", Some("3 → 14")),
        ] {
            let found = change(column(title), &known(before), &known(after));
            assert_eq!(found.as_deref(), expected, "{title}");
        }
        let none = TextCell::unknown("-");
        let found = change(column("RISK"), &none, &known("SPAM"));
        assert_eq!(found.as_deref(), Some("+SPAM"));
    }

    #[test]
    fn each_kind_of_record_fills_its_columns() {
        let record = r#"{"ip":"198.51.100.77","infrastructure":"DATACENTER","as":{"number":64500},"client":{"count":1400},
            "risks":["TUNNEL","SPAM"],"location":{"country":"NL","city":"Amsterdam"},
            "tunnels":[{"type":"VPN","operator":"ACME_VPN"},{"type":"PROXY"}]}"#;
        let (cells, clauses) = read(Feed::Anonymous, record);
        assert_eq!(
            cells[..8],
            [
                "198.51.100.77",
                "VPN ACME_VPN; PROXY",
                "DATACENTER",
                "NL",
                "Amsterdam",
                "64500",
                "1,400",
                "TUNNEL SPAM"
            ]
        );
        assert_eq!(clauses[0], ["net:198.51.100.0/24"]);
        assert_eq!(clauses[1], ["tag:ACME_VPN"]);
        assert_eq!(clauses[4], [""; 0]);
        assert_eq!(clauses[6], ["clients>=1400"]);
        assert_eq!(clauses[7], ["risk:TUNNEL", "risk:SPAM"]);
        let (cells, clauses) = read(
            Feed::Dch,
            r#"{"network":"198.18.0.0/23","organization":"Example Hosting","asn":64501}"#,
        );
        assert_eq!(cells, ["198.18.0.0/23", "64501", "Example Hosting"]);
        assert_eq!(clauses[0], ["net:198.18.0.0/23"]);
        assert_eq!(clauses[2], ["org=\"Example Hosting\""]);
        let (cells, _) = read(
            Feed::ServiceMetrics,
            r#"{"tag":"ACME_VPN","name":"Acme","metrics":{"distinctIPs":"6400000","averageDeviceCount":"18204.5"}}"#,
        );
        assert_eq!(
            (&*cells[0], &*cells[3], &*cells[5]),
            ("ACME_VPN", "18,204.5", "6,400,000")
        );
        let (cells, _) = read(Feed::Anonymous, r#"{"maxmind":1}"#);
        assert_eq!(cells[1], "-");
    }
}
