//! What the local feeds hold around a record and within a network, against a walk over their lines.

use std::collections::{BTreeMap, BTreeSet};

use ipspect::{
    contract::{Feed, catalog::Records},
    engine::views::{PivotKind, ViewQuery},
    model::{Context, Document, Keyword, Subject},
    store::index::Order,
};

use super::{
    fixture::today,
    views::{naive, query, selected, with_all_feeds},
};

#[tokio::test]
async fn what_lies_in_a_network_is_counted_in_every_kind_of_feed() {
    let stand = with_all_feeds().await;
    let of_networks = Feed::all().filter(|feed| feed.row().records != Records::Tags);
    let walks: BTreeMap<Feed, _> = of_networks
        .map(|feed| (feed, naive(&stand, feed)))
        .collect();
    for network in [
        "198.18.0.0/16",
        "2001:db8::/33",
        "203.0.113.0/24",
        "192.0.2.7/32",
    ] {
        let parsed = network.parse().expect(network);
        let held = stand
            .engine
            .views
            .held_within(parsed)
            .await
            .expect("counts");
        let counted: BTreeSet<Feed> = held.counts().map(|own| own.feed).collect();
        assert!(counted.iter().eq(walks.keys()), "{counted:?}");
        for own in held.counts() {
            let walked = selected(&walks[&own.feed], &format!("net:{network}")).len();
            assert_eq!(own.records, walked as u64, "{} {network}", own.feed);
        }
        let most = held
            .contexts
            .iter()
            .map(|own| own.records)
            .max()
            .unwrap_or_default();
        let most = if most > 0 {
            most
        } else {
            held.others
                .iter()
                .map(|own| own.records)
                .max()
                .unwrap_or_default()
        };
        assert_eq!(held.richest().map_or(0, |own| own.records), most);
    }
}

#[tokio::test]
async fn pivots_count_the_records_that_share_a_value() {
    let stand = with_all_feeds().await;
    let contexts = Feed::all()
        .filter(|feed| matches!(feed.row().records, Records::Context | Records::Ipv6Context));
    let walks: BTreeMap<Feed, _> = contexts.map(|feed| (feed, naive(&stand, feed))).collect();
    let (line, _) = walks[&Feed::Anonymous]
        .iter()
        .find(|(line, _)| line.contains("\"operator\"") && line.contains("\"organization\""))
        .expect("one");
    let document = Document::read(line.as_bytes()).expect("a record");
    let context = Context::decode(document.value()).expect("a context");
    let subject = context.subject().expect("a subject");
    let pivots = stand
        .engine
        .views
        .pivots(subject, &document)
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
            let page = stand.engine.views.page(&query, 0..1).await;
            assert_eq!(page.expect("a page").view.count, count.records, "{pivot:?}");
        }
    }
    // A record that is not in any feed has its neighbours.
    let empty = Document::read(b"{}").expect("an object");
    let alone = Subject::Address("198.51.100.77".parse().expect("address"));
    let pivots = stand
        .engine
        .views
        .pivots(alone, &empty)
        .await
        .expect("pivots")
        .pivots;
    assert_eq!(pivots.len(), 1);
    assert_eq!(pivots[0].value, "198.51.100.0/24");
}
