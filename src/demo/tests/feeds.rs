use std::collections::BTreeMap;

use super::*;
use crate::contract::{Feed, catalog::MmdbForm};

#[tokio::test]
async fn a_download_is_redirected_to_a_signed_link_that_needs_no_token() {
    let demo = demo().await;
    let redirect = feeds(&demo, "/v2/anonymous/latest.json.gz").await;
    assert_eq!(redirect.header("x-feed-generation-date"), Some("20261120"));
    let file = follow(&demo, &redirect, "").await;
    assert_eq!(
        (file.status, file.header("x-feed-generation-date")),
        (200, None)
    );
    assert!(
        file.lines()
            .iter()
            .any(|line| line.contains("\"ip\":\"198.51.100.77\""))
    );
    let in_query = format!(
        "/v2/anonymous/latest.json.gz?Token={}",
        DemoRole::Full.token()
    );
    assert_eq!(ask(&demo.url(Host::Feeds), &in_query, "").await.status, 302);
}

#[tokio::test]
async fn rights_decide_what_of_the_feeds_is_seen() {
    let demo = demo().await;
    let (daily, dated, runs) = (
        "/v2/anonymous/latest.json.gz",
        "/v2/anonymous/20261115/feed.json.gz",
        "/v2/anonymous/",
    );
    let (realtime, windows) = (
        "/v2/anonymous-residential/realtime/latest",
        "/v2/anonymous-residential/realtime/20261120/",
    );
    for (role, target, status) in [
        (DemoRole::Full, daily, 302),
        (DemoRole::Full, dated, 302),
        (DemoRole::Full, runs, 200),
        (DemoRole::Full, "/v2/anonymous/20261115/", 200),
        (DemoRole::Full, "/v2/anonymous/20261106/feed.json.gz", 404),
        (DemoRole::Full, "/v2/anonymous/20261121/feed.json.gz", 404),
        (DemoRole::Full, "/v2/anonymous/20261106/", 404),
        (DemoRole::Full, "/v2/anonymous/nothing", 404),
        (
            DemoRole::Full,
            "/v2/anonymous-residential/realtime/20261120/1155.json.gz",
            302,
        ),
        (
            DemoRole::Full,
            "/v2/anonymous-residential/realtime/20261120/1200.json.gz",
            404,
        ),
        (DemoRole::Full, "/v2/dch/latest", 200),
        (DemoRole::Full, "/v2/dch/README.pdf", 404),
        (DemoRole::Full, "/v2/ipgeo/latest", 200),
        (DemoRole::Full, "/v2/ipgeo/", 404),
        (DemoRole::Full, "/v2/ipgeo/20261120/feed.mmdb", 302),
        (
            DemoRole::Full,
            "/v2/service-metrics/20261119/feed.json.gz",
            200,
        ),
        (DemoRole::Full, "/v2/ipgeo/README.pdf", 200),
        (DemoRole::Full, "/v2/service-metrics/latest", 200),
        (DemoRole::Full, "/v2/service-metrics/", 404),
        (DemoRole::Full, "/v2/ipsummary/", 200),
        (DemoRole::FeedsOnly, daily, 302),
        (DemoRole::NoHistory, daily, 302),
        (DemoRole::NoHistory, dated, 403),
        (DemoRole::NoHistory, runs, 403),
        (DemoRole::NoHistory, "/v2/anonymous/20261115/", 403),
        (DemoRole::NoHistory, "/v2/anonymous/20261120/feed.mmdb", 302),
        (DemoRole::NoHistory, "/v2/anonymous/20261118/feed.mmdb", 403),
        (DemoRole::NoHistory, realtime, 200),
        (DemoRole::NoRealtime, realtime, 403),
        (DemoRole::NoRealtime, windows, 403),
        (DemoRole::NoRealtime, daily, 302),
        (DemoRole::ContextOnly, daily, 403),
        (DemoRole::ExportsOnly, daily, 403),
        (DemoRole::Inactive, daily, 403),
        (DemoRole::Invalid, daily, 403),
        (DemoRole::Spent, daily, 302),
    ] {
        let answer = ask_as(&demo, role, Host::Feeds, target).await;
        assert_eq!(answer.status, status, "{role} {target}");
    }
    assert_eq!(ask(&demo.url(Host::Feeds), daily, "").await.status, 403);
    assert_eq!(demo.spent(DemoRole::Full), 0);
}

/// Every feed, found through its own metadata where it has any, is what the catalogue says it is.
#[tokio::test]
async fn every_feed_is_gzipped_lines_and_as_long_as_its_metadata_says() {
    let demo = demo().await;
    for feed in Feed::all() {
        let base = feed.row().base;
        let first = feeds(&demo, &format!("{base}/latest.json.gz")).await;
        let file = if first.status == 200 {
            first
        } else {
            follow(&demo, &first, "").await
        };
        let lines = file.lines();
        assert!(!lines.is_empty(), "{feed}");
        for line in &lines {
            let record: Value = serde_json::from_str(line).expect("JSON");
            assert!(record.is_object());
        }
        let metadata = feeds(&demo, &format!("{base}/latest")).await.json();
        if feed == Feed::Realtime {
            continue;
        }
        // What the metadata names is there, and as long as they say.
        for (form, extension) in [("json", "json.gz"), ("mmdb", "mmdb")] {
            let block = &metadata[form];
            let is_here = form == "json" || feed.row().mmdb != MmdbForm::No;
            assert_eq!(block.is_object(), is_here, "{feed} {form}");
            if let Some(location) = block["location"].as_str() {
                for target in [location, &format!("latest.{extension}")] {
                    let named = feeds(&demo, &format!("{base}/{target}")).await;
                    let date = named.header("x-feed-generation-date").map(str::to_owned);
                    let named = match named.status {
                        302 => follow(&demo, &named, "").await,
                        _ => named,
                    };
                    assert_eq!(named.status, 200, "{feed} {target}");
                    assert_eq!(block["filesize"], named.body.len(), "{feed} {target}");
                    assert_eq!(block["date"].as_str(), date.as_deref(), "{feed} {target}");
                }
            }
        }
        let json = &metadata["json"];
        assert_eq!(json["filesize"], file.body.len(), "{feed}");
        assert_eq!(json["line_count"], lines.len(), "{feed}");
        assert_eq!(
            (&json["date"], &json["location"]),
            (&"20261120".into(), &"20261120/feed.json.gz".into())
        );
        assert!(
            json["available_at"]
                .as_str()
                .is_some_and(|at| at.starts_with("2026-11-20T04:")),
            "{json}"
        );
    }
}

#[tokio::test]
async fn the_record_of_an_address_is_its_line_in_the_feed() {
    let demo = demo().await;
    let file = download(&demo, "/v2/anonymous-residential/20261117/feed.json.gz").await;
    let lines = file.lines();
    for line in lines.iter().step_by(lines.len() / 20) {
        let record: Value = serde_json::from_str(line).expect("JSON");
        let address = record["ip"].as_str().expect("ip");
        let looked_up = context(&demo, &format!("/v2/context/{address}?dt=20261117")).await;
        assert_eq!(looked_up.json(), record);
    }
}

#[tokio::test]
async fn the_mmdb_is_readable_and_lags_for_the_largest_feed() {
    let demo = demo().await;
    let metadata = feeds(&demo, "/v2/anonymous-residential/latest")
        .await
        .json();
    assert_eq!(metadata["mmdb"]["location"], "20261119/feed.mmdb");
    let file = download(&demo, "/v2/anonymous-residential/20261119/feed.mmdb").await;
    assert_eq!(metadata["mmdb"]["filesize"], file.body.len());
    let reader = maxminddb::Reader::from_source(file.body).expect("a database");
    let found = reader
        .lookup("198.51.100.77".parse().expect("address"))
        .expect("lookup");
    let record: BTreeMap<String, Value> =
        found.decode().expect("decoded").expect("in the database");
    assert_eq!(record["tunnels"][0]["operator"], "ACME_VPN");
    assert!(!record.contains_key("ip"));

    let nested = download(&demo, "/v2/anonymous-residential-ipv6/20261120/feed.mmdb").await;
    let reader = maxminddb::Reader::from_source(nested.body).expect("a database");
    for (address, operated) in [("2001:db8:77:1::7", true), ("2001:db8:77:1::8", false)] {
        let found = reader
            .lookup(address.parse().expect("address"))
            .expect("lookup");
        let record: Value = found.decode().expect("decoded").expect("in the database");
        assert_eq!(
            record["tunnels"][0]["operator"] == "ACME_VPN",
            operated,
            "{record}"
        );
    }

    let geo = download(&demo, "/v2/ipgeo/latest.mmdb").await;
    let reader = maxminddb::Reader::from_source(geo.body).expect("a database");
    let found = reader
        .lookup("198.51.100.77".parse().expect("address"))
        .expect("lookup");
    let record: Value = found.decode().expect("decoded").expect("in the database");
    assert_eq!(record["country"]["iso_code"], "NL");
    assert!(reader.metadata().build_epoch > 1_795_000_000);
}

#[tokio::test]
async fn one_feed_comes_in_several_gzip_members() {
    let demo = demo().await;
    let file = download(&demo, "/v2/anonymous-residential/latest.json.gz").await;
    let mut first = String::new();
    flate2::read::GzDecoder::new(&file.body[..])
        .read_to_string(&mut first)
        .expect("gzip");
    assert!(first.lines().count() < file.lines().len() / 2);
}

#[tokio::test]
async fn listings_differ_in_shape() {
    let demo = demo().await;
    let runs = async |feed: &str| feeds(&demo, &format!("/v2/{feed}/")).await;
    assert_eq!(runs("anonymous").await.json()[13], "20261120");
    assert_eq!(
        runs("anonymous-residential").await.json()[0]["name"],
        "20261107"
    );
    assert_eq!(runs("anonymous-ipv6").await.json()["runs"][13], "20261120");
    assert_eq!(
        runs("anonymous-residential-ipv6")
            .await
            .text()
            .lines()
            .count(),
        14
    );
    let files = feeds(&demo, "/v2/anonymous/20261118/").await.json();
    assert_eq!(files, serde_json::json!(["feed.json.gz", "feed.mmdb"]));
    let windows = feeds(&demo, "/v2/anonymous-residential/realtime/20261120/")
        .await
        .json();
    assert_eq!(
        (windows.as_array().map(Vec::len), &windows[0]),
        (Some(144), &"0000.json.gz".into())
    );
}

#[tokio::test]
async fn realtime_names_its_window_and_serves_it() {
    let demo = demo().await;
    let metadata = feeds(&demo, "/v2/anonymous-residential/realtime/latest")
        .await
        .json();
    let expected = serde_json::json!({
        "json": {"date": "2026-11-20T11:55:00Z", "location": "realtime/20261120/1155.json.gz"}
    });
    assert_eq!(metadata, expected);
    let latest = download(&demo, "/v2/anonymous-residential/realtime/latest.json.gz").await;
    let named = download(
        &demo,
        "/v2/anonymous-residential/realtime/20261120/1155.json.gz",
    )
    .await;
    assert_eq!(latest.body, named.body);
}

#[tokio::test]
async fn before_the_morning_the_latest_release_is_yesterdays() {
    let demo = demo_at("2026-11-20T03:30:00Z").await;
    let metadata = feeds(&demo, "/v2/anonymous/latest").await.json();
    assert_eq!(metadata["json"]["date"], "20261119");
    assert_eq!(
        feeds(&demo, "/v2/anonymous/20261120/feed.json.gz")
            .await
            .status,
        404
    );
}

#[tokio::test]
async fn the_documentation_is_a_pdf() {
    let demo = demo().await;
    let readme = feeds(&demo, "/v2/anonymous/README.pdf").await;
    assert_eq!(
        (readme.status, readme.header("content-type")),
        (200, Some("application/pdf"))
    );
    assert!(readme.body.starts_with(b"%PDF-1.4"));
}
