use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use jiff::Timestamp;

use super::*;

const DCH: &str = "/v2/dch/latest.json.gz";

#[tokio::test]
async fn parts_of_a_file_make_the_file() {
    let demo = demo().await;
    let redirect = feeds(&demo, DCH).await;
    let whole = follow(&demo, &redirect, "").await;
    let size = whole.body.len();
    assert_eq!(whole.header("accept-ranges"), Some("bytes"));
    assert_eq!(
        whole.header("content-length"),
        Some(size.to_string().as_str())
    );
    let etag = whole.header("etag").expect("etag");
    let modified = whole.header("last-modified").expect("last-modified");
    assert!(modified.starts_with("Fri, 20 Nov 2026 03:"), "{modified}");

    let front = follow(&demo, &redirect, "Range: bytes=0-99\r\n").await;
    assert_eq!(
        front.header("content-range"),
        Some(format!("bytes 0-99/{size}").as_str())
    );
    for validator in [etag, modified] {
        let back = follow(
            &demo,
            &redirect,
            &format!("Range: bytes=100-\r\nIf-Range: {validator}\r\n"),
        )
        .await;
        assert_eq!((front.status, back.status), (206, 206));
        assert_eq!([front.body.as_slice(), &back.body].concat(), whole.body);
    }
    let stale = follow(
        &demo,
        &redirect,
        "Range: bytes=100-\r\nIf-Range: \"other\"\r\n",
    )
    .await;
    assert_eq!((stale.status, stale.body.len()), (200, size));
    let beyond = follow(&demo, &redirect, &format!("Range: bytes={size}-\r\n")).await;
    assert_eq!(
        (beyond.status, beyond.header("content-range")),
        (416, Some(format!("bytes */{size}").as_str()))
    );
}

#[tokio::test]
async fn a_link_is_good_for_its_file_and_for_a_while() {
    let second = Arc::new(AtomicI64::new(
        NOON.parse::<Timestamp>().expect("noon").as_second(),
    ));
    let told = Arc::clone(&second);
    let clock = move || Timestamp::from_second(told.load(Ordering::Relaxed)).expect("timestamp");
    let demo = demo_by(Clock::telling(clock)).await;
    let redirect = feeds(&demo, DCH).await;
    assert_eq!(follow(&demo, &redirect, "").await.status, 200);
    let location = redirect.header("location").expect("location");
    let target = location
        .strip_prefix(&demo.storage_url())
        .expect("the storage");
    for tampered in [
        target.replace("20261120", "20261119"),
        target.replace("dch", "ipsummary"),
        format!("{target}0"),
        "/".into(),
    ] {
        assert_eq!(
            ask(&demo.storage_url(), &tampered, "").await.status,
            403,
            "{tampered}"
        );
    }
    second.fetch_add(3600, Ordering::Relaxed);
    let expired = follow(&demo, &redirect, "").await;
    assert!(expired.status == 403 && expired.text().contains("ExpiredToken"));
    let fresh = feeds(&demo, DCH).await;
    assert_eq!(follow(&demo, &fresh, "").await.status, 200);
}

#[tokio::test]
async fn a_file_is_the_same_from_every_service_of_a_seed() {
    let [one, other] = [demo().await, demo().await];
    let target = "/v2/anonymous-residential/20261112/feed.json.gz";
    assert_eq!(
        download(&one, target).await.body,
        download(&other, target).await.body
    );
}
