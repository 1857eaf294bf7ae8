//! The columns of records, by the kind of records of a feed: what each shows, and by what a cell of it filters.

use ipnet::IpNet;

use super::choice;
use crate::{
    contract::{Feed, catalog::Records},
    model::{Document, Keyword, Subject, Tag, Terms},
    report::{Cell, Reading, TAG_COLUMNS, count, each, tag_values, value},
    store::{
        filter::{Compare, Term, Test},
        index::{Order, SortBy},
    },
    tui::ui::{widgets::columns::Width, words},
};

/// A column.
#[derive(Debug)]
pub(super) struct ColumnKind {
    /// Its head.
    pub(super) title: &'static str,
    /// How wide it is.
    pub(super) width: Width,
    /// Whether it holds numbers.
    pub(super) is_number: bool,
    /// Whether it is shown unless it is chosen otherwise.
    pub(super) is_shown: bool,
    /// What a cell of it filters by.
    by: By,
    shows: Shows,
    /// The path whose values it is sorted by, where that is not what its cells filter by.
    path: Option<&'static str>,
}

/// What a cell filters by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Nothing,
    Subject,
    Clients,
    Words(Keyword),
}

/// What a cell shows.
#[derive(Clone, Copy, Debug)]
enum Shows {
    Subject,
    Tunnels,
    /// One of the columns of tables for programs.
    Value(&'static str),
    /// The same, grouped as a number.
    Count(&'static str),
    Words(Keyword),
    /// One of the columns of tags for programs.
    OfTag(&'static str),
}

const fn column(title: &'static str, width: Width, by: By, shows: Shows) -> ColumnKind {
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
    const fn sorted_at(self, path: &'static str) -> Self {
        Self {
            path: Some(path),
            ..self
        }
    }

    /// The order by this column, in its usual direction or the other one: texts from the beginning, numbers the most first.
    pub(super) fn order(&self, turned: bool) -> Option<Order> {
        let descending = self.is_number != turned;
        let by = match (self.path, self.by) {
            (Some(path), _) => SortBy::Path(path),
            (None, By::Words(field)) => SortBy::Words(field),
            (None, By::Subject) if descending => return Some(Order::AddressDescending),
            (None, By::Subject) => return Some(Order::Address),
            (None, By::Clients) if descending => return Some(Order::Clients),
            (None, By::Clients) => return Some(Order::ClientsAscending),
            (None, By::Nothing) => return None,
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

    /// The clauses that keep records like this one: one for each value of the cell.
    pub(super) fn clauses(&self, terms: &Terms) -> Vec<Term> {
        match self.by {
            By::Nothing => Vec::new(),
            By::Subject => {
                let around = terms.subject.map(around);
                around
                    .map(|network| Test::Within(vec![network]).into())
                    .into_iter()
                    .collect()
            }
            By::Clients => {
                let clients = terms
                    .clients
                    .map(|clients| Test::Clients(Compare::AtLeast, clients));
                clients.map(Term::from).into_iter().collect()
            }
            By::Words(field) => {
                let words = terms.of_field(field).map(str::to_owned);
                words
                    .map(|word| choice::test(field, vec![word]).into())
                    .collect()
            }
        }
    }
}

/// The network that is looked at around an address: /24, or /48 of IPv6; a network is its own.
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
    column("ADDRESS", ADDRESS, By::Subject, Shows::Subject),
    column("OPERATORS", Width::Fill(15), By::Words(Keyword::Tag), Shows::Tunnels),
    column("INFRA", Width::Fixed(10), By::Words(Keyword::Infra), Shows::Value("infrastructure")),
    column("CC", Width::Fixed(2), By::Words(Keyword::Cc), Shows::Value("country")),
    column("CITY", Width::Fill(9), By::Nothing, Shows::Value("city")).sorted_at("location.city"),
    column("AS", Width::Fixed(6), By::Words(Keyword::Asn), Shows::Value("as_number")),
    column("CLIENTS", Width::Fixed(7), By::Clients, Shows::Count("client_count")).number(),
    column("RISK", Width::Fill(6), By::Words(Keyword::Risk), Shows::Words(Keyword::Risk)),
    column("PROXIES", Width::Fill(12), By::Words(Keyword::Proxy), Shows::Words(Keyword::Proxy)),
    column("SERVICES", Width::Fill(10), By::Words(Keyword::Service), Shows::Words(Keyword::Service)).hidden(),
    column("BEHAVIORS", Width::Fill(12), By::Words(Keyword::Behavior), Shows::Words(Keyword::Behavior)).hidden(),
    column("DEVICES", Width::Fill(10), By::Words(Keyword::Device), Shows::Words(Keyword::Device)).hidden(),
    column("COUNTRIES", Width::Fixed(9), By::Nothing, Shows::Count("client_countries")).sorted_at("client.countries").number().hidden(),
    column("STATE", Width::Fill(8), By::Nothing, Shows::Value("state")).sorted_at("location.state").hidden(),
    column("ORGANIZATION", Width::Fill(14), By::Words(Keyword::Org), Shows::Value("organization")).sorted_at("organization").hidden(),
    column("NETWORK OWNER", Width::Fill(14), By::Words(Keyword::Org), Shows::Value("as_organization")).sorted_at("as.organization").hidden(),
    column("ENTRIES", Width::Fill(15), By::Words(Keyword::Entry), Shows::Words(Keyword::Entry)).hidden(),
];

#[rustfmt::skip]
const HOSTING: &[ColumnKind] = &[
    column("NETWORK", ADDRESS, By::Subject, Shows::Subject),
    column("AS", Width::Fixed(10), By::Words(Keyword::Asn), Shows::Value("as_number")),
    column("ORGANIZATION", Width::Fill(20), By::Words(Keyword::Org), Shows::Value("organization")),
];

#[rustfmt::skip]
const GEO: &[ColumnKind] = &[
    column("NETWORK", ADDRESS, By::Subject, Shows::Subject),
    column("CC", Width::Fixed(2), By::Words(Keyword::Cc), Shows::Value("country")),
    column("STATE", Width::Fill(12), By::Nothing, Shows::Value("state")).sorted_at("subdivisions.names.en"),
    column("CITY", Width::Fill(14), By::Nothing, Shows::Value("city")).sorted_at("city.names.en"),
    column("AS", Width::Fixed(10), By::Words(Keyword::Asn), Shows::Value("as_number")),
    column("NETWORK OWNER", Width::Fill(20), By::Words(Keyword::Org), Shows::Value("as_organization")),
];

#[rustfmt::skip]
const TAGS: &[ColumnKind] = &[
    column("TAG", Width::Min(12), By::Words(Keyword::Tag), Shows::OfTag("tag")),
    column("NAME", Width::Fill(16), By::Nothing, Shows::OfTag("name")).sorted_at("name"),
    column("CATEGORIES", Width::Fill(16), By::Nothing, Shows::OfTag("categories")).sorted_at("categories"),
    column("DEVICES", Width::Fixed(10), By::Nothing, Shows::OfTag("average_device_count")).sorted_at("metrics.averageDeviceCount").number(),
    column("CHURN", Width::Fixed(6), By::Nothing, Shows::OfTag("churn_rate")).sorted_at("metrics.churnRate").number(),
    column("ADDRESSES", Width::Fixed(11), By::Nothing, Shows::OfTag("distinct_ips")).sorted_at("metrics.distinctIPs").number(),
    column("ALIAS OF", Width::Fill(12), By::Nothing, Shows::OfTag("alias_of")).sorted_at("aliasOf"),
    column("ANONYMOUS", Width::Fixed(9), By::Nothing, Shows::OfTag("is_anonymous")).sorted_at("isAnonymous"),
    column("CALLBACK", Width::Fixed(8), By::Nothing, Shows::OfTag("is_callback_proxy")).sorted_at("isCallbackProxy").hidden(),
    column("NO LOG", Width::Fixed(6), By::Nothing, Shows::OfTag("is_no_log")).sorted_at("isNoLog").hidden(),
    column("WEBSITE", Width::Fill(16), By::Nothing, Shows::OfTag("website")).sorted_at("website").hidden(),
];

/// The columns of a feed; the first one names the record and stays in view.
pub(super) fn of(feed: Feed) -> &'static [ColumnKind] {
    match feed.row().records {
        Records::Context | Records::Ipv6Context => CONTEXTS,
        Records::Hosting => HOSTING,
        Records::Geo => GEO,
        Records::Tags => TAGS,
    }
}

/// The fields whose values are counted beside the records of a feed, in the order in which they stand.
pub(super) fn facets(feed: Feed) -> &'static [Keyword] {
    match feed.row().records {
        Records::Context | Records::Ipv6Context => &[
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
        Records::Hosting => &[Keyword::Asn, Keyword::Org],
        Records::Geo => &[Keyword::Cc, Keyword::Asn, Keyword::Org],
        Records::Tags => &[],
    }
}

/// The cells of a record, one for each column of its feed.
pub(super) fn cells(feed: Feed, document: &Document, terms: &Terms) -> Vec<Cell> {
    let record = document.value();
    if feed.row().records == Records::Tags {
        let Ok(tag) = Tag::decode(record) else {
            return unread(feed);
        };
        let values = tag_values(&tag);
        let cell = |column: &ColumnKind| match column.shows {
            Shows::OfTag(name) => {
                let at = TAG_COLUMNS.iter().position(|own| *own == name);
                let text = at.map_or("", |at| values[at].as_str());
                shown(&if column.is_number {
                    grouped(text)
                } else {
                    text.to_owned()
                })
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
        Shows::Subject => shown(&terms.subject.map(|own| own.to_string()).unwrap_or_default()),
        Shows::Tunnels => shown(&reading.tunnels()),
        Shows::Value(name) => shown(value(&values, name)),
        Shows::Count(name) => shown(&grouped(value(&values, name))),
        Shows::Words(field) => shown(&each(&terms.of_field(field).collect::<Vec<_>>(), " ")),
        Shows::OfTag(_) => shown(""),
    };
    of(feed).iter().map(cell).collect()
}

/// The cells of a record that cannot be read.
pub(super) fn unread(feed: Feed) -> Vec<Cell> {
    let mut cells = vec![shown(""); of(feed).len()];
    if let Some(first) = cells.first_mut() {
        *first = Cell::unknown("unreadable");
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

/// In a table of many rows what is absent takes one sign only.
fn shown(text: &str) -> Cell {
    if text.trim().is_empty() {
        Cell::unknown("-")
    } else {
        Cell::known(text)
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
