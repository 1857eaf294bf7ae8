//! What the local feeds hold around a record and within a network, against a walk over their lines.

use std::{
    collections::{BTreeMap, BTreeSet},
    net::IpAddr,
};

use ipnet::IpNet;
use ipspect::{
    contract::{Feed, catalog::RecordKind},
    engine::{
        PullQuery, WantedRelease,
        progress::unheard,
        views::{PivotKind, ViewQuery},
    },
    model::{Context, Document, Keyword, Subject, Terms},
    store::index::Order,
};

use super::{
    fixture::today,
    views::{gzip_text, naive, query, records, selected, with_all_feeds, with_feeds},
};

#[tokio::test]
async fn what_lies_in_a_network_is_counted_in_every_kind_of_feed() {
    let fixture = with_all_feeds().await;
    let of_networks = Feed::all().filter(|feed| feed.row().records != RecordKind::Tags);
    let walks: BTreeMap<Feed, _> = of_networks
        .map(|feed| (feed, naive(&fixture, feed)))
        .collect();
    for network in [
        "198.18.0.0/16",
        "2001:db8::/33",
        "203.0.113.0/24",
        "192.0.2.7/32",
    ] {
        let parsed = network.parse().expect(network);
        let held = fixture
            .engine
            .views
            .held_within(parsed)
            .await
            .expect("counts");
        let counted: BTreeSet<Feed> = held.counts().map(|count| count.feed).collect();
        assert!(counted.iter().eq(walks.keys()), "{counted:?}");
        for count in held.counts() {
            let walked = selected(&walks[&count.feed], &format!("net:{network}")).len();
            assert_eq!(count.records, walked as u64, "{} {network}", count.feed);
        }
        let most = held
            .contexts
            .iter()
            .map(|count| count.records)
            .max()
            .unwrap_or_default();
        let most = if most > 0 {
            most
        } else {
            held.others
                .iter()
                .map(|count| count.records)
                .max()
                .unwrap_or_default()
        };
        assert_eq!(held.richest().map_or(0, |count| count.records), most);
    }
}

#[tokio::test]
async fn an_address_that_records_name_as_their_entry_is_counted_by_feed_with_their_operators() {
    let fixture = with_all_feeds().await;
    let walk = naive(&fixture, Feed::Anonymous);
    let entry = walk.iter().find_map(|(line, _)| {
        let context = Context::decode(Document::read(line.as_bytes()).ok()?.value()).ok()?;
        let tunnel = context.tunnels.items().first()?.clone();
        tunnel.operator.text()?;
        tunnel.entries.items().first().cloned()
    });
    let entry = entry.expect("an entry");
    let address = entry.parse().expect("an address");
    let mut operators = BTreeSet::new();
    let mut records = 0;
    for (line, _) in &walk {
        let document = Document::read(line.as_bytes()).expect("a record");
        let context = Context::decode(document.value()).expect("a context");
        let tunnels = context.tunnels.items().iter();
        let own: Vec<_> = tunnels
            .filter(|tunnel| tunnel.entries.items().contains(&entry))
            .collect();
        records += u64::from(!own.is_empty());
        let names = own.iter().filter_map(|tunnel| tunnel.operator.text());
        operators.extend(names.map(str::to_owned));
    }
    let empty = Document::read(b"{}").expect("an object");
    let views = &fixture.engine.views;
    let subject = Subject::Address(address);
    let named = views
        .pivots(subject, &empty, None)
        .await
        .expect("pivots")
        .entry_of;
    // Among many that nobody names, it is found in each feed.
    let nobody: IpAddr = "198.51.100.255".parse().expect("an address");
    let mut many = vec![nobody; 70];
    many[41] = address;
    let found = views.entries_of(many.into()).await.expect("entries").found;
    let expected: Vec<_> = named.iter().map(|of| (address, of.clone())).collect();
    assert_eq!(found, expected);
    let entry_of = named.iter().find(|of| of.feed == Feed::Anonymous);
    let entry_of = entry_of.expect("named in the feed");
    assert_eq!(
        (entry_of.records, entry_of.moment.day()),
        (records, today())
    );
    assert_eq!(entry_of.read, records.min(64));
    let found: BTreeSet<String> = entry_of.operators.iter().cloned().collect();
    assert_eq!(found, operators);
    // Nobody names this one, and a record with tunnels of its own is not asked about.
    let found = views.entries_of([nobody].into()).await.expect("entries");
    assert_eq!(found.found, []);
    let tunnels = Document::read(br#"{"tunnels":[{"type":"VPN"}]}"#).expect("an object");
    let pivots = views.pivots(subject, &tunnels, None).await.expect("pivots");
    assert_eq!(pivots.entry_of, []);
}

#[tokio::test]
async fn pivots_count_the_records_that_share_a_value() {
    let fixture = with_all_feeds().await;
    let contexts = Feed::all().filter(|feed| {
        matches!(
            feed.row().records,
            RecordKind::Context | RecordKind::Ipv6Context
        )
    });
    let walks: BTreeMap<Feed, _> = contexts.map(|feed| (feed, naive(&fixture, feed))).collect();
    let (line, _) = walks[&Feed::Anonymous]
        .iter()
        .find(|(line, _)| line.contains("\"operator\"") && line.contains("\"organization\""))
        .expect("one");
    let document = Document::read(line.as_bytes()).expect("a record");
    let context = Context::decode(document.value()).expect("a context");
    let subject = context.subject().expect("a subject");
    let pivots = fixture
        .engine
        .views
        .pivots(subject, &document, None)
        .await
        .expect("pivots")
        .pivots;
    assert!(pivots.iter().any(|pivot| pivot.kind == PivotKind::Operator));
    assert!(
        pivots
            .iter()
            .any(|pivot| pivot.kind == PivotKind::Organization)
    );
    for pivot in &pivots {
        // A feed of netblocks holds no contexts: it is not counted at all.
        let counted = pivot.counts.iter().map(|count| &count.feed);
        assert!(counted.eq(walks.keys()), "{pivot:?}");
        for count in &pivot.counts {
            let all = &walks[&count.feed];
            let found = selected(all, &pivot.filter.to_string()).len();
            assert_eq!(count.records, found as u64, "{pivot:?}");
            assert_eq!(count.moment.day(), today());
            if pivot.kind == PivotKind::Organization {
                let mut same = 0;
                for (_, terms) in all {
                    let mut names = terms.of_field(Keyword::Org);
                    same += u64::from(names.any(|name| name.eq_ignore_ascii_case(&pivot.value)));
                }
                assert_eq!(count.records, same, "{pivot:?}");
            }
            // The browser that the row opens shows the very same number.
            let query = ViewQuery {
                filter: pivot.filter.clone(),
                ..query(count.feed, "", Order::Clients)
            };
            let page = fixture.engine.views.page(&query, 0..1).await;
            assert_eq!(page.expect("a page").view.count, count.records, "{pivot:?}");
        }
    }
    // A record that is not in any feed has its neighbours.
    let empty = Document::read(b"{}").expect("an object");
    let alone = Subject::Address("198.51.100.77".parse().expect("address"));
    let pivots = fixture
        .engine
        .views
        .pivots(alone, &empty, None)
        .await
        .expect("pivots")
        .pivots;
    assert_eq!(pivots.len(), 1);
    assert_eq!(pivots[0].value, "198.51.100.0/24");
}

#[tokio::test]
async fn a_record_of_a_past_day_is_counted_in_the_releases_of_that_day() {
    let fixture = with_feeds(&[Feed::Anonymous]).await;
    let (past, absent) = (today().plus(-5), today().plus(-3));
    let pull = PullQuery {
        wanted: WantedRelease::Day(past),
        ..PullQuery::latest(Feed::Anonymous)
    };
    let pulled = fixture.engine.releases.pull(&pull, unheard()).await;
    let lines = records(&gzip_text(&pulled.expect("a day").release.data));
    let views = &fixture.engine.views;
    let empty = Document::read(b"{}").expect("an object");
    let network: IpNet = "198.51.100.0/24".parse().expect("a network");
    let subject = Subject::Address("198.51.100.77".parse().expect("address"));
    let within = |(_, terms): &&(String, Terms)| {
        let own = terms.subject.expect("a subject").network();
        network.contains(&own)
    };
    let by_hand = lines.iter().filter(within).count() as u64;
    for (asked, day, counted) in [
        (Some(past), Some(past), past),
        (Some(absent), None, today()),
        (None, None, today()),
    ] {
        let found = views.pivots(subject, &empty, asked).await.expect("pivots");
        assert_eq!(found.day, day, "{asked:?}");
        let pivot = &found.pivots[0];
        let count = &pivot.counts[0];
        assert_eq!(count.moment.day(), counted, "{asked:?}");
        // What is opened from there is what was counted.
        let view = found.view(pivot).expect("a view");
        assert_eq!(view.day, day);
        let page = views.page(&view, 0..1).await.expect("a page");
        assert_eq!(page.view.count, count.records);
        assert_eq!(count.records == by_hand, counted == past, "{asked:?}");
    }
}
