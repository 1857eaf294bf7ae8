//! Pivots from a record into the local feeds: the same operator, entry, proxy, organization or network.
//!
//! Each pivot is a filter with the number of records that it selects in each local feed of contexts. A feed that is not local is
//! not among them; it must never be counted as 0.

use std::{collections::HashSet, net::IpAddr};

use ipnet::IpNet;

use super::{
    ViewQuery, Views,
    entries::{EntryOf, entry_of},
};
use crate::{
    contract::Feed,
    engine::{error::Result, releases::OpenRelease, storage::UnusableFeed},
    model::{Context, Day, Document, Field, Keyword, Subject},
    store::{
        Filter, Moment, StopFlag,
        filter::Test,
        index::{Order, QueryError},
    },
};

/// Values of one kind that are followed: a list of exits may be long.
const MOST: usize = 8;

/// What records share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PivotKind {
    Operator,
    /// An entry address of a tunnel.
    Entry,
    /// An exit address of a tunnel.
    Exit,
    Proxy,
    /// Who uses the address.
    Organization,
    /// Who announces it.
    System,
    /// The network around it: /24, or /48 of IPv6.
    Network,
}

impl PivotKind {
    pub const ALL: [Self; 7] = [
        Self::Operator,
        Self::Entry,
        Self::Exit,
        Self::Proxy,
        Self::Organization,
        Self::System,
        Self::Network,
    ];
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pivots {
    /// What it shares, in the order in which people follow it.
    pub pivots: Vec<Pivot>,
    /// How many values of a kind are not followed; kinds without such values are left out.
    pub left_out: Vec<(PivotKind, usize)>,
    /// Where other records name the address as an entry, if its own has no tunnel.
    pub entry_of: Vec<EntryOf>,
    /// The feeds that are local and could not be counted.
    pub unusable: Vec<UnusableFeed>,
    /// The day whose releases were counted; the newest local ones where there is none.
    pub day: Option<Day>,
}

/// A pivot: records that share a value with this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pivot {
    /// What they share.
    pub kind: PivotKind,
    /// Its value, as the record has it.
    pub value: String,
    /// The filter that selects them.
    pub filter: Filter,
    /// How many there are in each local feed of contexts, in the catalogue's order.
    pub counts: Vec<PivotCount>,
}

/// The records of one feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PivotCount {
    pub feed: Feed,
    /// The release that was counted.
    pub moment: Moment,
    pub records: u64,
}

impl Pivot {
    /// The feed that holds most of them; the first of several. `None` where no feed holds one.
    #[must_use]
    pub fn richest(&self) -> Option<&PivotCount> {
        let some = self.counts.iter().filter(|count| count.records > 0);
        some.rev().max_by_key(|count| count.records)
    }
}

impl Views {
    /// The pivots of a record. The counts are those of the releases of a day where one is local, else of the newest local ones.
    ///
    /// # Errors
    /// [`Kind::Interrupted`](crate::engine::Kind::Interrupted).
    pub async fn pivots(
        &self,
        subject: Subject,
        record: &Document,
        day: Option<Day>,
    ) -> Result<Pivots> {
        // A record other than a context shares only its network.
        let context = Context::decode(record.value()).unwrap_or_default();
        let (mut pivots, left_out) = pivots_of(subject, &context);
        let address = match subject {
            Subject::Address(address) if context.tunnels.items().is_empty() => Some(address),
            _ => None,
        };
        let filters: Vec<Filter> = pivots.iter().map(|pivot| pivot.filter.clone()).collect();
        let count = move |opened: &OpenRelease, stop: &StopFlag| -> Result<_, QueryError> {
            let count = |filter| Ok(opened.index.select(filter, stop)?.count());
            let counts: Result<Vec<u64>, QueryError> = filters.iter().map(count).collect();
            let manifest = &opened.release.manifest;
            let named = address.map(|address| entry_of(opened, address, stop));
            Ok((
                manifest.feed,
                manifest.moment,
                counts?,
                named.transpose()?.flatten(),
            ))
        };
        let (mut counted, mut day) = (
            self.of_contexts_on(day, Feed::all(), count.clone()).await?,
            day,
        );
        if day.is_some() && counted.found.is_empty() && counted.unusable.is_empty() {
            day = None;
            counted = self.of_contexts(Feed::all(), count).await?;
        }
        let mut entry_of = Vec::new();
        for (feed, moment, counts, named) in counted.found {
            entry_of.extend(named);
            for (pivot, records) in pivots.iter_mut().zip(counts) {
                pivot.counts.push(PivotCount {
                    feed,
                    moment,
                    records,
                });
            }
        }
        Ok(Pivots {
            pivots,
            left_out,
            entry_of,
            unusable: counted.unusable,
            day,
        })
    }
}

impl Pivots {
    /// The records that share a pivot, in the feed that holds most of them.
    #[must_use]
    pub fn view(&self, pivot: &Pivot) -> Option<ViewQuery> {
        let feed = pivot.richest()?.feed;
        Some(ViewQuery {
            feed,
            day: self.day,
            filter: pivot.filter.clone(),
            order: Order::Clients,
        })
    }

    /// How many values of a kind are not followed.
    #[must_use]
    pub fn left_out(&self, kind: PivotKind) -> usize {
        let own = self
            .left_out
            .iter()
            .find(|(pivot_kind, _)| *pivot_kind == kind);
        own.map_or(0, |(_, number)| *number)
    }
}

/// What a record can share, in the order in which people follow it, and how much of it is not followed. Counts are not known yet.
fn pivots_of(subject: Subject, context: &Context) -> (Vec<Pivot>, Vec<(PivotKind, usize)>) {
    let mut pivots: Vec<Pivot> = Vec::new();
    let mut left_out: Vec<(PivotKind, usize)> = Vec::new();
    let mut seen: HashSet<(PivotKind, String)> = HashSet::new();
    let mut push = |kind, value: String, test| {
        if !seen.insert((kind, value.clone())) {
            return;
        }
        if pivots.iter().filter(|pivot| pivot.kind == kind).count() < MOST {
            pivots.push(Pivot {
                kind,
                value,
                filter: [test].into_iter().collect(),
                counts: Vec::new(),
            });
        } else if let Some((_, number)) = left_out
            .iter_mut()
            .find(|(pivot_kind, _)| *pivot_kind == kind)
        {
            *number += 1;
        } else {
            left_out.push((kind, 1));
        }
    };
    let is = |field, value: &str| Test::Is(field, vec![value.to_owned()]);
    let tunnels = || context.tunnels.items().iter();
    for operator in tunnels().filter_map(|tunnel| tunnel.operator.text()) {
        push(
            PivotKind::Operator,
            operator.to_owned(),
            is(Keyword::Tag, operator),
        );
    }
    let addresses = |list: &Field<Vec<String>>| -> Vec<IpAddr> {
        let read = list
            .items()
            .iter()
            .filter_map(|text| text.trim().parse().ok());
        read.collect()
    };
    let network = subject.network();
    let entries = tunnels().flat_map(|tunnel| addresses(&tunnel.entries));
    for entry in entries.filter(|entry| IpNet::from(*entry) != network) {
        let entry = entry.to_string();
        let test = is(Keyword::Entry, &entry);
        push(PivotKind::Entry, entry, test);
    }
    let exits = tunnels().flat_map(|tunnel| addresses(&tunnel.exits));
    for exit in exits.filter(|exit| IpNet::from(*exit) != network) {
        push(
            PivotKind::Exit,
            exit.to_string(),
            Test::Within(vec![exit.into()]),
        );
    }
    if let Some(client) = context.client.is() {
        for proxy in client.proxies.items() {
            push(PivotKind::Proxy, proxy.clone(), is(Keyword::Proxy, proxy));
        }
    }
    if let Some(name) = context.organization.text() {
        let test = is(Keyword::Org, name);
        push(PivotKind::Organization, name.to_owned(), test);
    }
    if let Some(number) = context
        .autonomous_system
        .is()
        .and_then(|system| system.number.is())
    {
        let number = number.to_string();
        let test = is(Keyword::Asn, &number);
        push(PivotKind::System, number, test);
    }
    let around = around(network);
    push(
        PivotKind::Network,
        around.to_string(),
        Test::Within(vec![around]),
    );
    (pivots, left_out)
}

/// The /24 or /48 of an address; a network that is larger, itself.
fn around(network: IpNet) -> IpNet {
    let length = match network {
        IpNet::V4(_) => 24,
        IpNet::V6(_) => 48,
    };
    if network.prefix_len() <= length {
        return network;
    }
    IpNet::new(network.addr(), length).map_or(network, |around| around.trunc())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pivots(record: &str) -> Vec<(PivotKind, String, String)> {
        let document = Document::read(record.as_bytes()).expect("a record");
        let context = Context::decode(document.value()).expect("a context");
        let subject = context.subject().expect("a subject");
        let pivots = pivots_of(subject, &context).0.into_iter();
        pivots
            .map(|pivot| (pivot.kind, pivot.value, pivot.filter.to_string()))
            .collect()
    }

    #[test]
    fn each_value_is_followed_once_and_by_a_filter_that_reads_back() {
        let record = r#"{"ip":"198.51.100.77","organization":"Example \"Hosting\", 12","as":{"number":64500},
            "client":{"proxies":["WIDGET_PROXY"]},"tunnels":[
            {"operator":"ACME_VPN","type":"VPN","entries":["198.51.100.70","gone"],"exits":["198.51.100.77","198.51.100.78"]},
            {"operator":"ACME_VPN","type":"PROXY","entries":["198.51.100.70"]}]}"#;
        let found = pivots(record);
        let filters: Vec<&str> = found.iter().map(|(_, _, filter)| filter.as_str()).collect();
        assert_eq!(
            filters,
            [
                "tag:ACME_VPN",
                "entry:198.51.100.70",
                "net:198.51.100.78",
                "proxy:WIDGET_PROXY",
                "org=\"Example \\\"Hosting\\\", 12\"",
                "asn:64500",
                "net:198.51.100.0/24",
            ]
        );
        for filter in filters {
            assert_eq!(filter.parse::<Filter>().expect(filter).to_string(), filter);
        }
    }

    #[test]
    fn a_long_list_is_followed_for_a_while() {
        let proxies: Vec<String> = (0..20).map(|number| format!("\"P{number}\"")).collect();
        let proxies = proxies.join(",");
        let record = format!(r#"{{"ip":"198.51.100.77","client":{{"proxies":[{proxies}]}}}}"#);
        let of_proxies = pivots(&record).into_iter();
        let of_proxies = of_proxies.filter(|(kind, ..)| *kind == PivotKind::Proxy);
        assert_eq!(of_proxies.count(), MOST);
        let document = Document::read(record.as_bytes()).expect("a record");
        let context = Context::decode(document.value()).expect("a context");
        let subject = context.subject().expect("a subject");
        let (_, left_out) = pivots_of(subject, &context);
        assert_eq!(left_out, [(PivotKind::Proxy, 20 - MOST)]);
    }

    #[test]
    fn a_record_that_says_nothing_still_has_a_network() {
        for (record, network) in [
            (r#"{"ip":"198.51.100.77"}"#, "198.51.100.0/24"),
            (r#"{"network":"2001:db8:1:2::/64"}"#, "2001:db8:1::/48"),
            (r#"{"network":"2001:db8::/32"}"#, "2001:db8::/32"),
        ] {
            let found = pivots(record);
            assert_eq!(found.len(), 1, "{record}");
            assert_eq!(found[0].1, network);
        }
    }
}
