//! What random sets of records share, against a walk over the lines of the release.

use std::{
    collections::{BTreeMap, BTreeSet},
    net::IpAddr,
};

use fastrand::Rng;
use ipnet::IpNet;
use ipspect::{
    contract::Feed,
    demo::Demo,
    engine::{
        Kind, PullQuery,
        progress::unheard,
        views::{CommonQuery, SharedField},
    },
    investigation::common::{Common, MoreOften},
    model::{Document, Keyword, Terms},
    store::Filter,
};

use super::{fixture::Fixture, views::gzip_text};

const FEED: Feed = Feed::Anonymous;

/// The values of a field that a record has, each once; its network among them.
type Values = BTreeSet<(SharedField, String)>;

struct Record {
    network: IpNet,
    values: Values,
    terms: Terms,
}

impl Record {
    fn read(line: &str) -> Option<Self> {
        let document = Document::read(line.as_bytes()).expect(line);
        let terms = Terms::of(document.value());
        let network = terms.subject?.network();
        let bits = if network.addr().is_ipv4() { 24 } else { 48 };
        let around = IpNet::new(network.addr(), bits).expect("a network").trunc();
        let mut values = Values::new();
        for field in Keyword::ALL {
            let words = terms.of_field(field);
            values.extend(words.map(|text| (SharedField::Keyword(field), text.to_owned())));
        }
        if network.prefix_len() >= bits {
            values.insert((SharedField::Network, around.to_string()));
        }
        let value: serde_json::Value = serde_json::from_str(line).expect(line);
        let tunnels = value["tunnels"].as_array().into_iter().flatten();
        let exits = tunnels.flat_map(|value| value["exits"].as_array().into_iter().flatten());
        values
            .extend(exits.map(|value| (SharedField::Exit, value.as_str().expect(line).to_owned())));
        Some(Self {
            network,
            values,
            terms,
        })
    }
}

/// A service whose feed is local, and the records of it by their number.
async fn walked() -> (Fixture<Demo>, Vec<Record>) {
    let fixture = Fixture::demo().await;
    let query = PullQuery::latest(FEED);
    let pulled = fixture.engine.releases.pull(&query, unheard()).await;
    let text = gzip_text(&pulled.expect("a feed").release.data);
    let records = text.lines().filter_map(Record::read).collect();
    (fixture, records)
}

/// How many of some records have each value.
fn counted<'r>(records: impl Iterator<Item = &'r Record>) -> BTreeMap<(SharedField, String), u64> {
    let mut counts = BTreeMap::new();
    for value in records.flat_map(|record| &record.values) {
        *counts.entry(value.clone()).or_default() += 1;
    }
    counts
}

/// Holds what is shared against the walk.
fn hold(
    common: &Common,
    set: &BTreeSet<usize>,
    records: &[Record],
    all: &BTreeMap<(SharedField, String), u64>,
) {
    assert_eq!(common.among, set.len() as u64);
    let mut expected = counted(set.iter().map(|at| &records[*at]));
    expected.retain(|_, count| *count > 1);
    let mut last = f64::INFINITY;
    for shared in &common.values {
        let key = (shared.count.field, shared.count.value.clone());
        assert_eq!(expected.remove(&key), Some(shared.count.here), "{key:?}");
        let is_counted = shared.count.field != SharedField::Exit;
        assert_eq!(
            shared.count.in_feed,
            is_counted.then(|| all[&key]),
            "{key:?}"
        );
        let rest = shared.count.in_feed.map(|all| all - shared.count.here);
        let of = [common.among, common.records - common.among];
        let more = rest.map(|rest| MoreOften::of([shared.count.here, rest], of));
        assert_eq!(shared.more, more);
        let at_least = more.map_or(-1.0, |often| often.at_least);
        assert!(at_least <= last, "{key:?} is not in its place");
        last = at_least;
    }
    assert!(expected.is_empty(), "{expected:?} is not told");
}

#[tokio::test]
async fn what_a_thousand_sets_share_is_what_a_walk_over_the_lines_counts() {
    let (fixture, records) = walked().await;
    let engine = &fixture.engine;
    let all = counted(records.iter());
    let mut random = Rng::with_seed(36);
    let (mut without, mut shared) = (0, 0);
    for number in 0..1000 {
        let size = [1, 2, 3, 8, 20, 60][number % 6];
        // Neighbours share more than any records do.
        let first = random.usize(0..records.len() - size);
        let picked: Vec<usize> = match number % 3 {
            0 => (first..first + size).collect(),
            _ => (0..size).map(|_| random.usize(0..records.len())).collect(),
        };
        let mut asked: Vec<IpAddr> = picked
            .iter()
            .map(|at| records[*at].network.addr())
            .collect();
        // No record of the invented world is about one of these.
        let strangers = random.usize(0..3);
        asked.extend((0..strangers).map(|at| {
            let text = format!("192.0.2.{}", 250 + at);
            text.parse::<IpAddr>().expect("an address")
        }));
        random.shuffle(&mut asked);
        let query = CommonQuery::Addresses(asked.clone().into(), Some(FEED), None);
        let common = Common::of(engine, &query).await.expect("an answer");
        assert!(common.unusable.is_empty() && common.has_read);
        // The most specific record about each, the first of several.
        let best = |address: &IpAddr| {
            let about = records.iter().enumerate();
            let about = about.filter(|(_, record)| record.network.contains(address));
            let best =
                about.max_by_key(|(at, record)| (record.network.prefix_len(), usize::MAX - at));
            best.map(|(at, _)| at)
        };
        let found: Vec<Option<usize>> = asked.iter().map(best).collect();
        assert_eq!(
            common.without,
            found.iter().filter(|number| number.is_none()).count()
        );
        hold(
            &common,
            &found.into_iter().flatten().collect(),
            &records,
            &all,
        );
        without += common.without;
        shared += common.values.len();
    }
    assert!(without > 500 && shared > 10_000, "{without} {shared}");
}

#[tokio::test]
async fn the_records_of_a_filter_share_what_a_walk_counts_but_what_the_filter_says() {
    let (fixture, records) = walked().await;
    let engine = &fixture.engine;
    let whole = CommonQuery::Matching(FEED, None, Filter::default());
    let whole = Common::of(engine, &whole);
    assert_eq!(whole.await.expect_err("no rest").kind, Kind::Usage);
    for (filter, said) in [
        ("type:PROXY cc:NL", &[("type", "PROXY"), ("cc", "NL")][..]),
        ("tag:acme_vpn,NONE_VPN", &[("tag", "ACME_VPN")]),
        ("-type:VPN", &[]),
        ("type:vpn clients>3", &[("type", "VPN")]),
    ] {
        let filter: Filter = filter.parse().expect(filter);
        let query = CommonQuery::Matching(FEED, None, filter.clone());
        let common = Common::of(engine, &query).await.expect("an answer");
        let matching = records.iter().enumerate();
        let matching = matching.filter(|(_, record)| filter.matches(&record.terms));
        let set: BTreeSet<usize> = matching.map(|(at, _)| at).collect();
        assert_eq!(common.among, set.len() as u64, "{filter}");
        let all = counted(records.iter());
        let mut expected = counted(set.iter().map(|at| &records[*at]));
        expected.retain(|_, count| *count > 1);
        let before = expected.len();
        expected.retain(|(field, value), _| !said.contains(&(field.name(), value.as_str())));
        assert_eq!(before - expected.len(), said.len(), "{filter}");
        let found = common.values.iter().map(|shared| {
            let key = (shared.count.field, shared.count.value.clone());
            assert!(
                shared
                    .count
                    .in_feed
                    .is_none_or(|number| number == all[&key])
            );
            (key, shared.count.here)
        });
        assert_eq!(found.collect::<BTreeMap<_, _>>(), expected, "{filter}");
    }
}
