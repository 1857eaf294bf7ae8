//! The service as its clients see it: over a socket, with requests written out by hand.

mod client;
mod context;
mod exports;
mod faults;
mod feeds;
mod storage;

use std::io::Read;

use flate2::read::MultiGzDecoder;
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use super::*;

/// Noon of the day on which the tests take place.
const NOON: &str = "2026-11-20T12:00:00Z";

fn today() -> Day {
    Day::new(2026, 11, 20).expect("day")
}

async fn demo() -> Demo {
    demo_at(NOON).await
}

async fn demo_at(instant: &str) -> Demo {
    let now = Clock::fixed(instant.parse().expect("timestamp"));
    demo_by(now).await
}

/// A service over a small world.
async fn demo_by(now: Clock) -> Demo {
    let options = DemoOptions {
        now,
        blocks: 8,
        ..DemoOptions::default()
    };
    Demo::start(options).await.expect("a port is free")
}

/// An answer as it came over the wire.
#[derive(Debug)]
struct WireAnswer {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl WireAnswer {
    fn parse(bytes: &[u8]) -> Option<Self> {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let status = head.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok()?;
        Some(Self {
            status,
            head,
            body: bytes[end + 4..].to_vec(),
        })
    }

    fn header(&self, name: &str) -> Option<&str> {
        let pairs = self.head.lines().filter_map(|line| line.split_once(": "));
        pairs
            .filter(|(text, _)| text.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
            .next()
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    fn lines(&self) -> Vec<String> {
        unpacked(&self.body).lines().map(str::to_owned).collect()
    }
}

fn unpacked(bytes: &[u8]) -> String {
    let mut text = String::new();
    MultiGzDecoder::new(bytes)
        .read_to_string(&mut text)
        .expect("gzip of text");
    text
}

/// Sends bytes to the place behind a URL and reads until the other side ends the connection.
async fn sent(url: &str, request: &str) -> std::io::Result<Vec<u8>> {
    let authority = url.strip_prefix("http://").expect("http");
    let mut stream = TcpStream::connect(authority).await?;
    stream.write_all(request.as_bytes()).await?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await?;
    Ok(bytes)
}

/// Asks with these header lines, each ended.
async fn ask(url: &str, target: &str, headers: &str) -> WireAnswer {
    let host = url.strip_prefix("http://").expect("http");
    let request =
        format!("GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n");
    let bytes = sent(url, &request).await.expect("an answer");
    WireAnswer::parse(&bytes).unwrap_or_else(|| panic!("not HTTP: {bytes:?}"))
}

async fn ask_as(demo: &Demo, role: DemoRole, host: Host, target: &str) -> WireAnswer {
    ask(
        &demo.url(host),
        target,
        &format!("Token: {}\r\n", demo.token(role)),
    )
    .await
}

async fn context(demo: &Demo, target: &str) -> WireAnswer {
    ask_as(demo, DemoRole::Full, Host::Context, target).await
}

async fn feeds(demo: &Demo, target: &str) -> WireAnswer {
    ask_as(demo, DemoRole::Full, Host::Feeds, target).await
}

async fn exports(demo: &Demo, target: &str) -> WireAnswer {
    ask_as(demo, DemoRole::Full, Host::Exports, target).await
}

/// Follows a download's redirect to the storage, by hand and without the token.
async fn follow(demo: &Demo, redirect: &WireAnswer, headers: &str) -> WireAnswer {
    assert_eq!(redirect.status, 302, "{}", redirect.head);
    let location = redirect.header("location").expect("location");
    let target = location
        .strip_prefix(&demo.storage_url())
        .expect("the storage");
    ask(&demo.storage_url(), target, headers).await
}

async fn download(demo: &Demo, target: &str) -> WireAnswer {
    let redirect = feeds(demo, target).await;
    follow(demo, &redirect, "").await
}

#[tokio::test]
async fn the_service_starts_at_once_and_stops_when_dropped() {
    let begun = std::time::Instant::now();
    let demo = demo().await;
    assert!(begun.elapsed().as_millis() < 50, "{:?}", begun.elapsed());
    let url = demo.url(Host::Context);
    assert_eq!(context(&demo, "/status").await.status, 200);
    drop(demo);
    // The listeners end with the tasks that hold them, which the runtime drops when it next comes to them.
    while TcpStream::connect(url.strip_prefix("http://").expect("http"))
        .await
        .is_ok()
    {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn only_this_host_and_only_get() {
    let demo = demo().await;
    for host in Host::ALL {
        let url = demo.url(host);
        let strange = sent(
            &url,
            "GET /status HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n",
        )
        .await;
        assert_eq!(
            WireAnswer::parse(&strange.expect("bytes"))
                .expect("answer")
                .status,
            421
        );
        let authority = url.strip_prefix("http://").expect("http");
        for method in ["POST", "HEAD", "OPTIONS", "DELETE"] {
            let request = format!(
                "{method} /status HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n\r\n"
            );
            let answer =
                WireAnswer::parse(&sent(&url, &request).await.expect("bytes")).expect("answer");
            assert_eq!(
                (answer.status, answer.header("allow")),
                (405, Some("GET")),
                "{method}"
            );
            assert!(!answer.head.to_lowercase().contains("access-control"));
        }
    }
}

#[tokio::test]
async fn what_came_in_is_remembered() {
    let demo = demo().await;
    ask(
        &demo.url(Host::Context),
        "/status?x=1",
        "Token: abc\r\nX-Odd: caf\u{e9}\r\n",
    )
    .await;
    download(&demo, "/v2/dch/latest.json.gz").await;
    let seen = demo.requests();
    assert_eq!(
        seen.iter().map(|seen| seen.place).collect::<Vec<_>>(),
        [FaultSite::Context, FaultSite::Feeds, FaultSite::Storage]
    );
    assert_eq!(
        (seen[0].method.as_str(), seen[0].target.as_str()),
        ("GET", "/status?x=1")
    );
    assert_eq!(
        (seen[0].header("token"), seen[0].header("x-odd")),
        (Some("abc"), Some("caf\u{e9}"))
    );
    assert_eq!(seen[2].header("token"), None);
}

#[tokio::test]
async fn examples_are_answered_with_what_they_show() {
    let demo = demo().await;
    assert_eq!(
        examples().next().map(|example| example.address.to_string()),
        Some("198.51.100.77".to_owned())
    );
    for example in examples() {
        let answer = context(&demo, &format!("/v2/context/{}", example.address)).await;
        assert_eq!(
            answer.json()["ip"],
            example.address.to_string(),
            "{}",
            example.shows
        );
    }
}
