use std::time::{Duration, Instant};

use super::*;

const LOOKUP: &str = "/v2/context/198.51.100.77";
const DCH: &str = "/v2/dch/latest.json.gz";

fn arm(demo: &Demo, faults: &[&str]) {
    demo.faults().clear();
    for fault in faults {
        demo.faults().add(fault.parse().expect(fault));
    }
}

/// What comes back for a lookup, whatever it is.
async fn raw(demo: &Demo) -> std::io::Result<Vec<u8>> {
    let url = demo.url(Host::Context);
    let host = url.strip_prefix("http://").expect("http");
    let token = demo.token(DemoRole::Full);
    sent(
        &url,
        &format!(
            "GET {LOOKUP} HTTP/1.1\r\nHost: {host}\r\nToken: {token}\r\nConnection: close\r\n\r\n"
        ),
    )
    .await
}

#[tokio::test]
async fn statuses_come_as_often_as_asked_and_cost_nothing() {
    let demo = demo().await;
    arm(&demo, &["context:500x2"]);
    for status in [500, 500, 200] {
        assert_eq!(context(&demo, LOOKUP).await.status, status);
    }
    assert_eq!(demo.spent(DemoRole::Full), 1);
    arm(&demo, &["context:204"]);
    let empty = context(&demo, LOOKUP).await;
    assert_eq!((empty.status, empty.body.len()), (204, 0));
    arm(&demo, &["exports:429=7@1x1"]);
    assert_eq!(exports(&demo, "/v1/feeds/dch").await.status, 200);
    let later = exports(&demo, "/v1/feeds/dch").await;
    assert_eq!(
        (later.status, later.header("retry-after")),
        (429, Some("7"))
    );
}

#[tokio::test]
async fn connections_end_in_every_way_there_is() {
    let demo = demo().await;
    for fault in ["context:reset", "context:refused"] {
        arm(&demo, &[fault]);
        let seen = demo.requests().len();
        let answer = raw(&demo).await;
        assert!(answer.is_err(), "{fault}: {answer:?}");
        assert_eq!(
            demo.requests().len() - seen,
            usize::from(fault == "context:reset")
        );
    }
    arm(&demo, &["context:garbage"]);
    let bytes = raw(&demo).await.expect("bytes");
    assert!(bytes.starts_with(b"SSH-") && WireAnswer::parse(&bytes).is_none());
    arm(&demo, &["context:hang"]);
    assert!(
        tokio::time::timeout(Duration::from_millis(50), raw(&demo))
            .await
            .is_err()
    );
    arm(&demo, &["context:html"]);
    let page = context(&demo, LOOKUP).await;
    assert!(page.status == 200 && page.text().starts_with("<!DOCTYPE html>"));
    arm(&demo, &["context:badheader"]);
    let malformed = context(&demo, LOOKUP).await;
    assert!(malformed.head.contains("x broken\u{1} header: value"));
    assert_eq!(malformed.json()["ip"], "198.51.100.77");
    arm(&demo, &["context:delay=60x1"]);
    let begun = Instant::now();
    assert_eq!(context(&demo, LOOKUP).await.status, 200);
    assert!(begun.elapsed() >= Duration::from_millis(60));
}

#[tokio::test]
async fn redirects_lead_astray_and_in_circles() {
    let demo = demo().await;
    arm(
        &demo,
        &[
            "feeds:redirect=http://127.0.0.1:9/elsewherex1",
            "feeds:loop@1",
        ],
    );
    assert_eq!(
        feeds(&demo, DCH).await.header("location"),
        Some("http://127.0.0.1:9/elsewhere")
    );
    let round = feeds(&demo, DCH).await;
    assert_eq!(
        round.header("location"),
        Some(format!("{}{DCH}", demo.url(Host::Feeds)).as_str())
    );
}

#[tokio::test]
async fn answers_say_odd_things() {
    let demo = demo().await;
    arm(&demo, &["context:nobalancex1"]);
    let answer = context(&demo, LOOKUP).await;
    assert_eq!(
        (answer.status, answer.header("x-balance-remaining")),
        (200, None)
    );
    arm(&demo, &["context:otherx1"]);
    assert_eq!(context(&demo, LOOKUP).await.json()["ip"], "203.0.113.99");
    arm(&demo, &["context:oddx1"]);
    let odd = context(&demo, LOOKUP).await;
    assert!(std::str::from_utf8(&odd.body).is_err() && odd.text().contains("\\ud800"));
    assert!(serde_json::from_slice::<Value>(&odd.body).is_err());
    // A refusal is no record: it stays as it is.
    arm(&demo, &["context:odd"]);
    assert_eq!(
        context(&demo, "/v2/context/10.0.0.1").await.json()["error"],
        "not a public IPv4 or IPv6 address"
    );
}

/// A refusal is JSON on every host, unless a fault makes it something else.
#[tokio::test]
async fn refusals_have_one_form_and_others_on_demand() {
    let demo = demo().await;
    for (host, place, target, status, why) in [
        (Host::Context, "context", "/v2/nothing", 404, "not found"),
        (
            Host::Context,
            "context",
            "/v2/context/10.0.0.1",
            400,
            "not a public IPv4 or IPv6 address",
        ),
        (Host::Feeds, "feeds", "/v2/nothing", 404, "not found"),
        (
            Host::Feeds,
            "feeds",
            "/v2/anonymous/19990101/",
            404,
            "not found",
        ),
        (Host::Exports, "exports", "/v1/nothing", 404, "not found"),
    ] {
        let refused = async |faults: &[&str]| {
            arm(&demo, faults);
            let answer = ask_as(&demo, DemoRole::Full, host, target).await;
            assert_eq!(answer.status, status, "{target}");
            let kind = answer.header("content-type").map(str::to_owned);
            (kind, answer.text())
        };
        let (kind, text) = refused(&[]).await;
        assert_eq!(kind.as_deref(), Some("application/json"), "{target}");
        assert_eq!(text, format!("{{\"error\":\"{why}\"}}"));
        let (kind, text) = refused(&[&format!("{place}:plain")]).await;
        assert_eq!(
            kind.as_deref(),
            Some("text/plain; charset=utf-8"),
            "{target}"
        );
        assert_eq!(text, format!("{why}\n"));
        assert_eq!(
            refused(&[&format!("{place}:wordless")]).await,
            (None, String::new())
        );
    }
    arm(&demo, &["context:500"]);
    assert_eq!(
        context(&demo, LOOKUP).await.json()["error"],
        "Internal Server Error"
    );
    // What is not a refusal stays.
    arm(&demo, &["context:plain", "context:wordless"]);
    assert_eq!(context(&demo, LOOKUP).await.json()["ip"], "198.51.100.77");
}

#[tokio::test]
async fn downloads_break_in_every_way_there_is() {
    let demo = demo().await;
    let link = feeds(&demo, DCH).await;
    let whole = follow(&demo, &link, "").await;
    let size = whole.body.len();
    let shown = size.to_string();
    let fetch = async |faults: &[&str], headers: &str| {
        arm(&demo, faults);
        follow(&demo, &link, headers).await
    };
    let cut = fetch(&["storage:cut=100"], "").await;
    assert_eq!(
        (cut.header("content-length"), cut.body.len()),
        (Some(shown.as_str()), 100)
    );
    let truncated = fetch(&["storage:truncate"], "").await;
    assert_eq!(
        (truncated.header("content-length"), truncated.body.len()),
        (Some(shown.as_str()), size / 2)
    );
    let short = fetch(&["storage:short"], "").await;
    assert_eq!(
        short.header("content-length"),
        Some((size / 2).to_string().as_str())
    );
    assert_eq!(short.body, whole.body[..size / 2]);
    let corrupt = fetch(&["storage:corrupt"], "").await;
    assert_eq!(
        corrupt
            .body
            .iter()
            .zip(&whole.body)
            .filter(|(one, other)| one != other)
            .count(),
        1
    );
    let ignored = fetch(&["storage:norange"], "Range: bytes=100-\r\n").await;
    assert_eq!((ignored.status, ignored.body.len()), (200, size));
    let expired = fetch(&["storage:expiredx1"], "").await;
    assert_eq!(expired.status, 403);
    let etag = whole.header("etag").expect("etag");
    let changed = fetch(
        &["storage:changed"],
        &format!("Range: bytes=100-\r\nIf-Range: {etag}\r\n"),
    )
    .await;
    assert_eq!(changed.status, 200);
    assert_ne!(
        (changed.header("etag"), &changed.body),
        (Some(etag), &whole.body)
    );
    let generation =
        |answer: &WireAnswer| -> Option<i64> { answer.header("x-goog-generation")?.parse().ok() };
    assert!(generation(&changed) > generation(&whole) && generation(&whole) > Some(0));
    assert_eq!(unpacked(&changed.body), unpacked(&whole.body));
    let begun = Instant::now();
    // Both faults at once: a pace of half the file in a twentieth of a second, and the end after half of it.
    let slow = fetch(
        &[&format!("storage:slow={}", size * 10), "storage:truncate"],
        "",
    )
    .await;
    assert_eq!(slow.body.len(), size / 2);
    assert!(begun.elapsed() >= Duration::from_millis(50));
}
