use std::{collections::BTreeSet, net::IpAddr};

use ipnet::IpNet;

use super::*;

fn rows(answer: &WireAnswer) -> Vec<Vec<String>> {
    assert_eq!(answer.status, 200, "{}", answer.text());
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(answer.body.as_slice());
    reader
        .records()
        .map(|row| row.expect("CSV").iter().map(str::to_owned).collect())
        .collect()
}

/// All addresses of a network, the first and the last one too.
fn addresses_of(network: &str) -> Vec<IpAddr> {
    let network: IpNet = network.parse().expect(network);
    network
        .subnets(32)
        .expect("an IPv4 network")
        .map(|single| single.addr())
        .collect()
}

async fn feed_records(demo: &Demo, target: &str) -> Vec<Value> {
    let lines = download(demo, target).await.lines();
    lines
        .iter()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

#[tokio::test]
async fn an_export_is_the_whole_feed_by_default() {
    let demo = demo().await;
    let answer = exports(&demo, "/v1/feeds/anonymous?includeCSVHeader=true").await;
    assert_eq!(
        answer.header("content-type"),
        Some("text/csv; charset=utf-8")
    );
    let rows = rows(&answer);
    assert_eq!(
        rows[0].join(","),
        "ip,tag,infrastructure,services,clientCount,locationCity,locationState,locationCountry"
    );
    let records = feed_records(&demo, "/v2/anonymous/latest.json.gz").await;
    assert_eq!(rows.len() - 1, records.len());
    let told = rows
        .iter()
        .find(|row| row[0] == "198.51.100.77")
        .expect("told");
    let expected = [
        "198.51.100.77",
        "ACME_VPN",
        "DATACENTER",
        "[\"OPENVPN\",\"IPSEC\"]",
        "14",
        "Amsterdam",
        "North Holland",
        "NL",
    ];
    assert_eq!(told, &expected);
    assert!(rows.iter().any(|row| row[3] == "[]"));
    let counts: Vec<u32> = rows[1..]
        .iter()
        .map(|row| row[4].parse().unwrap_or(0))
        .collect();
    assert!(
        counts.is_sorted_by(|more, less| more >= less),
        "the busiest come first"
    );
}

#[tokio::test]
async fn fields_keep_the_contracts_order_and_the_limit_keeps_the_busiest() {
    let demo = demo().await;
    let asked = "fields=locationCountry,tag,ip&limit=3&output=json";
    let rows = exports(&demo, &format!("/v1/feeds/anonymous-residential?{asked}"))
        .await
        .json();
    let rows = rows.as_array().expect("one array");
    assert_eq!(rows.len(), 3);
    assert_eq!(
        rows[0]
            .as_object()
            .expect("object")
            .keys()
            .collect::<Vec<_>>(),
        ["ip", "tag", "locationCountry"]
    );
    assert_eq!(rows[0]["ip"], "198.51.100.210");
    let without = exports(&demo, "/v1/feeds/anonymous?fields=tag&limit=1")
        .await
        .text();
    assert_eq!(without, "NIMBUS_RELAY_PROXY\n");
}

#[tokio::test]
async fn records_of_residential_feeds_name_their_callback_proxy() {
    let demo = demo().await;
    let records = feed_records(&demo, "/v2/anonymous-residential/latest.json.gz").await;
    let rows = exports(&demo, "/v1/feeds/anonymous-residential?output=json").await;
    let rows = rows.json();
    let rows = rows.as_array().expect("one array");
    assert_eq!(rows.len(), records.len());
    for row in rows {
        let record = records.iter().find(|record| record["ip"] == row["ip"]);
        let first = record.map(|record| record["client"]["proxies"][0].clone());
        assert_eq!(row.get("callbackProxy"), first.as_ref(), "{row}");
    }
    assert!(rows.iter().any(|row| row["callbackProxy"].is_string()));
    let csv = exports(
        &demo,
        "/v1/feeds/anonymous-residential?includeCSVHeader=true",
    )
    .await;
    assert!(!csv.text().contains("callbackProxy"));
}

/// Whether a filter should let a record through.
type RecordTest = fn(&Value) -> bool;

fn tunnels(record: &Value) -> &[Value] {
    record["tunnels"].as_array().map_or(&[], Vec::as_slice)
}

#[tokio::test]
async fn filters_are_those_of_the_records() {
    let demo = demo().await;
    let records = feed_records(&demo, "/v2/anonymous-residential/latest.json.gz").await;
    let table: [(&str, RecordTest); 5] = [
        ("tags=ACME_VPN,GIZMO_VPN", |record| {
            tunnels(record)
                .iter()
                .any(|tunnel| tunnel["operator"] == "ACME_VPN" || tunnel["operator"] == "GIZMO_VPN")
        }),
        ("callbackProxies=WIDGET_PROXY", |record| {
            let proxies = record["client"]["proxies"].as_array();
            proxies.is_some_and(|proxies| proxies.contains(&"WIDGET_PROXY".into()))
        }),
        ("ccs=DE,ES", |record| {
            record["location"]["country"] == "DE" || record["location"]["country"] == "ES"
        }),
        ("attributed=true", |record| {
            tunnels(record)
                .iter()
                .any(|tunnel| tunnel["type"] == "VPN" && tunnel["operator"].is_string())
        }),
        ("tags=ACME_VPN&ccs=KE", |_| false),
    ];
    for (filter, wanted) in table {
        let expected: BTreeSet<&str> = records
            .iter()
            .filter(|record| wanted(record))
            .filter_map(|record| record["ip"].as_str())
            .collect();
        let answer = exports(
            &demo,
            &format!("/v1/feeds/anonymous-residential?fields=ip&{filter}"),
        )
        .await;
        let rows = rows(&answer);
        let got: BTreeSet<&str> = rows.iter().map(|row| row[0].as_str()).collect();
        assert_eq!(got, expected, "{filter}");
        assert_eq!(expected.is_empty(), filter.contains("KE"), "{filter}");
    }
}

#[tokio::test]
async fn a_diff_is_what_came_and_what_left() {
    let demo = demo().await;
    let addresses = async |day: Day| -> BTreeSet<String> {
        let records = feed_records(&demo, &format!("/v2/anonymous/{day}/feed.json.gz")).await;
        records
            .iter()
            .filter_map(|record| record["ip"].as_str().map(str::to_owned))
            .collect()
    };
    for (asked, day) in [("", today()), ("&diffDate=2026-11-16", today().plus(-4))] {
        let (before, after) = (addresses(day.plus(-1)).await, addresses(day).await);
        let answer = exports(
            &demo,
            &format!("/v1/feeds/anonymous?fields=ip&diff=true&includeCSVHeader=true{asked}"),
        )
        .await;
        let rows = rows(&answer);
        assert_eq!(rows[0], ["ip", "diff"]);
        let of = |kind: &str| -> BTreeSet<&String> {
            rows.iter()
                .filter(|row| row[1] == kind)
                .map(|row| &row[0])
                .collect()
        };
        assert_eq!(of("add"), after.difference(&before).collect());
        assert_eq!(of("del"), before.difference(&after).collect());
        assert!(!of("add").is_empty() && !of("del").is_empty());
    }
    assert_eq!(
        exports(&demo, "/v1/feeds/anonymous?diff=true&diffDate=2026-11-07")
            .await
            .status,
        404
    );
}

#[tokio::test]
async fn networks_hold_exactly_the_addresses_that_share_their_values() {
    let demo = demo().await;
    let plain = exports(&demo, "/v1/feeds/anonymous?fields=ip,tag,locationCountry").await;
    let collapsed = exports(
        &demo,
        "/v1/feeds/anonymous?fields=network,tag,locationCountry",
    )
    .await;
    let (plain, collapsed) = (rows(&plain), rows(&collapsed));
    assert!(collapsed.len() < plain.len());
    let expanded: BTreeSet<(IpAddr, &[String])> = collapsed
        .iter()
        .flat_map(|row| {
            addresses_of(&row[0])
                .into_iter()
                .map(|address| (address, &row[1..]))
        })
        .collect();
    let expected: BTreeSet<(IpAddr, &[String])> = plain
        .iter()
        .map(|row| (row[0].parse().expect("address"), &row[1..]))
        .collect();
    assert_eq!(expanded, expected);
    let wide = collapsed.iter().filter(|row| !row[0].ends_with("/32"));
    assert!(wide.filter(|row| row[1] == "ACME_VPN").count() > 1);
}

#[tokio::test]
async fn ipv6_types_are_by_network() {
    let demo = demo().await;
    let rows = rows(
        &exports(
            &demo,
            "/v1/feeds/anonymous-residential-ipv6?includeCSVHeader=true",
        )
        .await,
    );
    assert_eq!(rows[0][0], "network");
    let records = feed_records(&demo, "/v2/anonymous-residential-ipv6/latest.json.gz").await;
    assert_eq!(rows.len() - 1, records.len());
    let asked = exports(
        &demo,
        "/v1/feeds/anonymous-ipv6?fields=ip,tag&output=json&tags=ACME_VPN",
    )
    .await
    .json();
    assert!(
        asked
            .as_array()
            .expect("array")
            .iter()
            .any(|row| row["network"] == "2001:db8:77:1::7/128"),
        "{asked}"
    );
}

#[tokio::test]
async fn netblocks_of_datacenters_are_exported() {
    let demo = demo().await;
    let rows = rows(&exports(&demo, "/v1/feeds/dch?includeCSVHeader=true").await);
    assert_eq!(rows[0], ["network", "organization", "asn"]);
    let asked = exports(&demo, "/v1/feeds/dch?output=json&fields=asn,network").await;
    let objects = asked.json();
    let objects = objects.as_array().expect("array");
    assert_eq!(objects.len(), rows.len() - 1);
    assert!(
        objects[0]
            .as_object()
            .is_some_and(|object| object.keys().eq(["network", "asn"]))
    );
    let lines = download(&demo, "/v2/dch/latest.json.gz").await.lines();
    assert_eq!(lines.len(), objects.len());
    assert!(
        exports(&demo, "/v1/feeds/dch?output=json")
            .await
            .text()
            .contains("\\u0026")
    );
}

#[tokio::test]
async fn a_database_answers_by_address() {
    let demo = demo().await;
    let target = "/v1/feeds/anonymous?output=mmdb&fields=tag,clientCount&tags=ACME_VPN";
    let file = exports(&demo, target).await;
    // What is asked for twice is the same, and built when its data was: readers in C refuse the beginning of 1970.
    assert_eq!(exports(&demo, target).await.body, file.body);
    let reader = maxminddb::Reader::from_source(file.body).expect("a database");
    let lookup = |address: &str| -> Option<Value> {
        reader
            .lookup(address.parse().expect("address"))
            .expect("lookup")
            .decode()
            .expect("decoded")
    };
    assert_eq!(
        lookup("198.51.100.77"),
        Some(serde_json::json!({"clientCount": 14, "tag": "ACME_VPN"}))
    );
    assert_eq!(lookup("203.0.113.9"), None);
    let metadata = reader.metadata();
    assert_eq!(metadata.build_epoch, 1_795_143_600);
    assert_eq!(
        metadata.description["en"],
        "Invented data: anonymous of 2026-11-20, asked for with output=mmdb fields=tag,clientCount tags=ACME_VPN"
    );
    let alone = exports(&demo, "/v1/feeds/anonymous?output=mmdb&fields=ip").await;
    let reader = maxminddb::Reader::from_source(alone.body).expect("a database");
    let found = reader.lookup("198.51.100.77".parse().expect("address"));
    assert_eq!(
        found.expect("lookup").decode::<Value>().expect("decoded"),
        Some(serde_json::json!({"listed": true}))
    );
}

#[tokio::test]
async fn what_the_contract_forbids_is_refused() {
    let demo = demo().await;
    for (role, target, status) in [
        (DemoRole::Full, "/v1/feeds/anonymous?fields=network,ip", 400),
        (
            DemoRole::Full,
            "/v1/feeds/anonymous?fields=network,services",
            400,
        ),
        (
            DemoRole::Full,
            "/v1/feeds/anonymous?fields=network&diff=true",
            400,
        ),
        (
            DemoRole::Full,
            "/v1/feeds/anonymous-residential?diff=true",
            400,
        ),
        (
            DemoRole::Full,
            "/v1/feeds/anonymous?callbackProxies=WIDGET_PROXY",
            400,
        ),
        (DemoRole::Full, "/v1/feeds/anonymous?limit=0", 400),
        (DemoRole::Full, "/v1/feeds/anonymous?limit=2000001", 400),
        (DemoRole::Full, "/v1/feeds/anonymous?output=xml", 400),
        (DemoRole::Full, "/v1/feeds/anonymous?ccs=NLD", 400),
        (
            DemoRole::Full,
            "/v1/feeds/anonymous?diffDate=2026-11-19",
            400,
        ),
        (DemoRole::Full, "/v1/feeds/dch?limit=1", 400),
        (DemoRole::Full, "/v1/feeds/ipsummary", 404),
        (DemoRole::ExportsOnly, "/v1/feeds/anonymous?limit=1", 200),
        (DemoRole::ContextOnly, "/v1/feeds/anonymous", 403),
        (DemoRole::FeedsOnly, "/v1/feeds/dch", 403),
        (DemoRole::Invalid, "/v1/feeds/anonymous", 403),
        (DemoRole::Inactive, "/v1/feeds/anonymous", 403),
        (DemoRole::Throttled, "/v1/feeds/anonymous", 429),
    ] {
        let answer = ask_as(&demo, role, Host::Exports, target).await;
        assert_eq!(answer.status, status, "{role} {target}");
        assert_eq!(answer.header("retry-after").is_some(), status == 429);
    }
    let why = exports(&demo, "/v1/feeds/anonymous-residential?diff=true")
        .await
        .json();
    assert_eq!(why["error"], "residential types have no daily diff");
}
