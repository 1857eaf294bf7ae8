use std::collections::BTreeMap;

use serde_json::Value;

use super::*;
use crate::contract::Feed;

fn today() -> Day {
    Day::new(2026, 11, 20).expect("day")
}

fn records(world: &World, day: Day, feed: Feed) -> Vec<DemoRecord> {
    world.listing(feed, day).records().cloned().collect()
}

fn lines(world: &World, day: Day, feed: Feed) -> Vec<String> {
    let listing = world.listing(feed, day);
    listing.lines().map(str::to_owned).collect()
}

fn by_key(records: Vec<DemoRecord>) -> BTreeMap<RecordKey, DemoRecord> {
    records
        .into_iter()
        .map(|record| (record.key, record))
        .collect()
}

/// The one test that makes a full world: of the size that is promised, each feed within the next larger one.
#[test]
fn a_full_world_has_about_ten_thousand_addresses() {
    let world = World::new(1, today(), 512);
    let scene = world.on(today());
    let summary = by_key(records(&world, scene.day, Feed::Ipsummary));
    let residential = by_key(records(&world, scene.day, Feed::AnonymousResidential));
    let anonymous = by_key(records(&world, scene.day, Feed::Anonymous));
    assert!(
        (9_000..11_500).contains(&residential.len()),
        "{}",
        residential.len()
    );
    let share = anonymous.len() * 100 / residential.len();
    assert!(
        (40..60).contains(&share),
        "{share} of a hundred are anonymous"
    );
    assert!(anonymous.keys().all(|key| residential.contains_key(key)));
    assert!(
        residential
            .iter()
            .all(|(key, record)| summary.get(key) == Some(record))
    );
    assert!(summary.len() > residential.len() + 1_000);

    let networks = by_key(records(&world, scene.day, Feed::AnonymousResidentialIpv6));
    assert!((200..900).contains(&networks.len()), "{}", networks.len());
    let nested = networks.keys().filter(|inner| {
        networks
            .keys()
            .any(|outer| outer != *inner && outer.network().contains(&inner.network()))
    });
    assert!(nested.count() > 50);
    assert!(networks.keys().any(|key| key.network().prefix_len() == 128));
}

#[test]
fn a_feed_lists_each_address_and_network_once_on_any_day() {
    let world = World::new(1, today(), 64);
    for day in (-14..=14).map(|days| today().plus(days)) {
        for feed in [Feed::AnonymousResidential, Feed::AnonymousResidentialIpv6] {
            let mut before = None;
            for record in records(&world, day, feed) {
                let key = Some(record.key.network());
                assert!(before < key, "{key:?} of {feed} on {day}");
                before = key;
            }
        }
    }
}

#[test]
fn most_records_stay_from_day_to_day_and_some_change() {
    let world = World::new(1, today(), 64);
    let [before, after] =
        [today().plus(-1), today()].map(|day| by_key(records(&world, day, Feed::Anonymous)));
    let came = after.keys().filter(|key| !before.contains_key(key)).count();
    let left = before.keys().filter(|key| !after.contains_key(key)).count();
    let changed = after
        .iter()
        .filter(|(key, record)| before.get(key).is_some_and(|old| old != *record))
        .count();
    for moved in [came, left] {
        assert!(
            (1..after.len() / 8).contains(&moved),
            "{moved} of {}",
            after.len()
        );
    }
    assert!(
        (after.len() / 50..after.len() / 2).contains(&changed),
        "{changed} of {}",
        after.len()
    );
}

#[test]
fn a_day_comes_out_the_same_every_time_and_another_seed_is_another_world() {
    let day = today().plus(-3);
    let told = |seed| lines(&World::new(seed, today(), 8), day, Feed::Ipsummary);
    assert_eq!(told(1), told(1));
    assert_ne!(told(1), told(2));
}

#[test]
fn the_lookup_of_an_address_is_its_line() {
    let world = World::new(3, today(), 8);
    let scene = world.on(today().plus(-6));
    for record in records(&world, scene.day, Feed::Ipsummary) {
        let RecordKey::Address(address) = record.key else {
            panic!("a network among addresses: {record:?}");
        };
        assert_eq!(scene.record(address).as_ref(), Some(&record));
    }
    let networks = by_key(records(&world, scene.day, Feed::AnonymousResidentialIpv6));
    for (key, record) in networks
        .iter()
        .filter(|(key, _)| key.network().prefix_len() == 128)
    {
        let looked_up = scene
            .record(key.network().addr())
            .map(|found| DemoRecord { key: *key, ..found });
        assert_eq!(looked_up.as_ref(), Some(record));
    }
}

#[test]
fn the_first_story_is_the_one_that_is_promised() {
    let world = World::new(9, today(), 1);
    let told = |days| {
        let record = world
            .on(today().plus(days))
            .record([198, 51, 100, 77].into())
            .expect("told");
        serde_json::from_str::<Value>(&record.line()).expect("JSON")
    };
    let (now, then) = (told(0), told(-9));
    assert_eq!(now["infrastructure"], "DATACENTER");
    assert_eq!(now["as"]["number"], 64500);
    assert_eq!(
        (&now["location"]["city"], &now["location"]["country"]),
        (&"Amsterdam".into(), &"NL".into())
    );
    assert_eq!(now["services"], serde_json::json!(["OPENVPN", "IPSEC"]));
    assert_eq!(
        now["risks"],
        serde_json::json!(["TUNNEL", "CALLBACK_PROXY"])
    );
    assert_eq!(now["client"]["count"], 14);
    assert_eq!(
        now["client"]["proxies"],
        serde_json::json!(["WIDGET_PROXY"])
    );
    assert_eq!(now["tunnels"][0]["operator"], "ACME_VPN");
    assert_eq!(
        now["tunnels"][0]["exits"].as_array().map(Vec::len),
        Some(15)
    );
    assert_eq!(
        now["tunnels"][1],
        serde_json::json!({"anonymous": true, "type": "PROXY"})
    );
    assert_eq!(then["tunnels"][0]["operator"], "BRAVO_PROXY");
}

#[test]
fn records_are_as_rough_as_real_ones() {
    let world = World::new(1, today(), 128);
    let text = lines(&world, today(), Feed::Ipsummary).join("\n");
    for oddity in [
        "\"density\":1,",
        "\"density\":0.",
        "\"skew\":15",
        "\\u0026",
        "\\u003c",
        "\"anonymous\":false",
        "Łó",
        "\"ai\":{",
        "\"risks\":[]",
        "\"services\":[]",
        "{\"anonymous\":true,\"type\":\"PROXY\"}",
        "IN_FLIGHT_WIFI",
        "REMOTE_DESKTOP",
        "\"operator\":\"3RIVERS_PROXY\"",
        "_USER\"",
        "HEADLESS",
    ] {
        assert!(text.contains(oddity), "{oddity}");
    }
    let records: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    for field in [
        "infrastructure",
        "services",
        "tunnels",
        "client",
        "risks",
        "organization",
    ] {
        assert!(
            records.iter().any(|record| record.get(field).is_none()),
            "{field} is never missing"
        );
        assert!(
            records.iter().any(|record| record.get(field).is_some()),
            "{field} is never there"
        );
    }
    let networks = lines(&world, today(), Feed::AnonymousIpv6).join("\n");
    assert!(networks.contains("\"client\":{}") && !networks.contains("\"ip\":"));
}

#[test]
fn the_world_ends_where_its_ranges_end() {
    let world = World::new(1, today(), 512);
    for inside in [
        "192.0.2.0",
        "198.51.100.255",
        "203.0.113.9",
        "198.18.0.0",
        "198.19.255.255",
        "2001:db8:ffff::1",
    ] {
        let address = inside.parse().expect(inside);
        assert!(world.admits(address), "{inside}");
        let record = world.on(today()).record(address).expect(inside);
        assert_eq!(record.key, RecordKey::Address(address));
    }
    for outside in [
        "192.0.1.255",
        "192.0.3.0",
        "198.17.255.255",
        "198.20.0.0",
        "10.0.0.1",
        "2001:db7::1",
        "::1",
    ] {
        let address = outside.parse().expect(outside);
        assert!(
            !world.admits(address) && world.on(today()).record(address).is_none(),
            "{outside}"
        );
    }
}

#[test]
fn the_third_party_sees_some_addresses_elsewhere() {
    let world = World::new(1, today(), 512);
    let scene = world.on(today());
    let moved = world
        .blocks()
        .filter_map(|block| scene.record(block.host(1).into()))
        .filter(|record| {
            scene
                .relocated(record.clone())
                .location
                .as_ref()
                .map(|location| location.country)
                != record.location.as_ref().map(|location| location.country)
        });
    assert!((40..300).contains(&moved.count()));
}

#[test]
fn a_window_holds_each_address_once_and_slides() {
    let world = World::new(1, today(), 64);
    let window = |hhmm| crate::model::Window::new(today(), hhmm).expect("window");
    let [first, next, later] =
        ["1200", "1205", "1300"].map(|hhmm| by_key(world.on(today()).detections(window(hhmm))));
    assert!(first.len() > 60);
    assert!(
        first.keys().any(|key| next.contains_key(key))
            && first.keys().any(|key| !next.contains_key(key))
    );
    assert!(first.keys().filter(|key| later.contains_key(key)).count() < 10);
}

#[test]
fn tags_come_typed_and_as_strings() {
    let world = World::new(1, today(), 1);
    let acme = world.tag("ACME_VPN", today()).expect("known");
    assert!(acme["isAnonymous"].is_boolean() && acme["metrics"]["distinctIPs"].is_u64());
    let alias = world.tag("ACME", today()).expect("known");
    assert_eq!(
        (&alias["tag"], &alias["aliasOf"]),
        (&"ACME".into(), &"ACME_VPN".into())
    );
    assert_eq!(world.tag("NOBODY_VPN", today()), None);
    let lines = world.service_metrics(today());
    assert_eq!(lines.len(), 48);
    for line in &lines {
        assert!(
            line["isAnonymous"].is_string() || line["isAnonymous"].is_null(),
            "{line}"
        );
        assert!(
            line["metrics"]["distinctIPs"].is_string() || line["metrics"]["distinctIPs"].is_null(),
            "{line}"
        );
    }
    assert!(
        lines.iter().any(|line| line["description"].is_null())
            || lines.iter().any(|line| line["name"] == "")
    );
    assert!(lines.iter().any(|line| line["allowsMultihop"] == "true"));
}

#[test]
fn netblocks_are_collapsed_and_locations_cover_the_world() {
    let world = World::new(1, today(), 512);
    let netblocks = world.netblocks();
    assert!(netblocks.iter().any(|netblock| netblock.asn.is_none()));
    assert!(
        netblocks
            .iter()
            .any(|netblock| netblock.network.prefix_len() < 24)
    );
    let locations = world.locations();
    assert!(
        locations.len() > 512
            && locations
                .iter()
                .any(|(network, _)| network.prefix_len() == 25)
    );
}
