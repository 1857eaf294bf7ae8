//! What is found wrong with the records of a release, against a reading of every line.

use std::collections::BTreeMap;

use ipspect::{
    contract::{Feed, catalog::RecordKind, vocabulary},
    engine::{PullQuery, progress::unheard},
    model::{Context, Document, Geo, Hosting, Tag},
};
use serde_json::{Value, json};

use super::{
    feed::{gz, of_day},
    fixture::{Fixture, today},
    views::{gzip_text, with_all_feeds},
};

type Counts = BTreeMap<String, u64>;

/// What is unknown and unreadable in a record.
fn paths(feed: Feed, line: &str) -> [Vec<String>; 2] {
    let document = Document::read(line.as_bytes()).expect("a record");
    let value = document.value();
    let (unknown, odd) = match feed.row().records {
        RecordKind::Context | RecordKind::Ipv6Context => {
            let read = Context::decode(value).expect("a record");
            (read.unknown, read.odd)
        }
        RecordKind::Tags => {
            let read = Tag::decode(value).expect("a record");
            (read.unknown, read.odd)
        }
        RecordKind::Hosting => {
            let read = Hosting::decode(value).expect("a record");
            (read.unknown, read.odd)
        }
        RecordKind::Geo => {
            let read = Geo::decode(value).expect("a record");
            (read.unknown, read.odd)
        }
    };
    [unknown, odd].map(|paths| {
        let digits = |c: char| c.is_ascii_digit();
        let plain = |path: String| -> String {
            let parts = path.split('[').enumerate();
            let parts = parts.map(|(at, part)| match at {
                0 => part.to_owned(),
                _ => format!("[{}", part.trim_start_matches(digits)),
            });
            parts.collect()
        };
        let mut paths: Vec<String> = paths.into_iter().map(plain).collect();
        paths.sort();
        paths.dedup();
        paths
    })
}

fn walked(feed: Feed, text: &str) -> [Counts; 2] {
    let mut counts = [Counts::new(), Counts::new()];
    for line in text.lines().filter(|line| line.starts_with('{')) {
        for (counts, paths) in counts.iter_mut().zip(paths(feed, line)) {
            for path in paths {
                *counts.entry(path).or_default() += 1;
            }
        }
    }
    counts
}

/// The values that the contract does not name.
fn walked_values(feed: Feed, text: &str) -> Counts {
    fn values(value: &Value, path: &[&str], found: &mut Vec<String>) {
        match (value, path) {
            (Value::Array(items), _) => items.iter().for_each(|item| values(item, path, found)),
            (Value::Object(map), [key, rest @ ..]) => {
                if let Some(value) = map.get(*key) {
                    values(value, rest, found);
                }
            }
            (Value::String(text), []) if !text.trim().is_empty() => found.push(text.clone()),
            _ => {}
        }
    }
    let mut counts = Counts::new();
    for line in text.lines().filter(|line| line.starts_with('{')) {
        let record: Value = serde_json::from_str(line).expect("a record");
        for field in vocabulary::of(feed.row().records) {
            let path: Vec<&str> = field.path.split('.').collect();
            let mut found = Vec::new();
            values(&record, &path, &mut found);
            found.sort();
            found.dedup();
            for value in found
                .iter()
                .filter(|value| !field.values.contains(&&***value))
            {
                *counts.entry(format!("{} {value}", field.path)).or_default() += 1;
            }
        }
    }
    counts
}

fn map(list: &[(String, u64)]) -> Counts {
    list.iter().cloned().collect()
}

#[tokio::test]
async fn every_record_of_every_feed_is_judged_as_a_reading_judges_it() {
    let fixture = with_all_feeds().await;
    for feed in Feed::all() {
        let health = fixture.engine.releases.health(feed).await.expect("judged");
        let text = gzip_text(&health.release.data);
        let [unknown, odd] = walked(feed, &text);
        assert_eq!(health.records, text.lines().count() as u64, "{feed}");
        assert_eq!(map(&health.unknown), unknown, "{feed}");
        assert_eq!(map(&health.odd), odd, "{feed}");
        assert_eq!(health.odd, [], "{feed}: the demo spells what can be read");
        assert_eq!(
            map(&health.new_values),
            walked_values(feed, &text),
            "{feed}"
        );
        assert_eq!(health.rejected, BTreeMap::new(), "{feed}");
    }
}

/// A feed of contexts in which little is odd, once in many records.
fn odd_feed() -> String {
    let line = |number: u64| {
        let mut record = json!({
            "ip": format!("198.18.{}.{}", number / 250, number % 250),
            "as": {"number": 64500 + number % 9, "organization": "Example"},
            "client": {"count": number, "types": ["MOBILE"]},
            "infrastructure": "DATACENTER",
            "risks": ["TUNNEL"],
            "tunnels": [{"type": "VPN", "operator": "ACME_VPN", "entries": ["198.51.100.7"]}],
        });
        match number {
            701 => record["client"]["mood"] = json!({"is": "new"}),
            702 => record["novel"] = json!({}),
            703 => record["client"]["count"] = json!("many"),
            704 => record["tunnels"][0]["speed"] = json!(7),
            705 => record["tunnels"] = json!([{"type": "VPN"}, {"type": 7, "colour": "red"}]),
            706 => record["as"]["number"] = json!(5_000_000_000_u64),
            707 => record["infrastructure"] = json!("SUBMARINE"),
            708 => record["risks"] = json!(["TUNNEL", "GHOSTS"]),
            709 => record["ip"] = json!("nowhere"),
            710 => record["client"] = json!([1]),
            711..=720 => record["ai"] = json!({"model": number}),
            _ => {}
        }
        format!("{record}\n")
    };
    let mut text = String::new();
    for number in 0..3_000 {
        match number {
            900 => text.push_str("no record at all\n"),
            950 => text.push_str("{\"ip\":\"198.18.0.1\",\n"),
            960 => text.push('\n'),
            970 => text.push_str(&format!("[{}]\n", "x".repeat(2_000))),
            _ => {}
        }
        text.push_str(&line(number));
    }
    text
}

#[tokio::test]
async fn what_one_record_of_many_has_is_found_and_rejected_lines_are_shown() {
    let text = odd_feed();
    let fixture = Fixture::wire().await;
    fixture
        .service
        .says(of_day(&today().to_string(), &gz(&text)));
    let query = PullQuery::latest(Feed::Anonymous);
    let pulled = fixture.engine.releases.pull(&query, unheard()).await;
    pulled.expect("a release");
    let health = fixture.engine.releases.health(Feed::Anonymous).await;
    let health = health.expect("judged");
    let is_record =
        |line: &&str| serde_json::from_str::<Value>(line).is_ok_and(|value| value.is_object());
    let records: Vec<&str> = text.lines().filter(is_record).collect();
    let [unknown, odd] = walked(Feed::Anonymous, &records.join("\n"));
    assert_eq!(health.records, 3_000);
    assert_eq!(map(&health.unknown), unknown);
    assert_eq!(map(&health.odd), odd);
    for path in [
        "client.mood",
        "novel",
        "tunnels[].speed",
        "tunnels[].colour",
    ] {
        assert_eq!(unknown.get(path), Some(&1), "{path}: {unknown:?}");
    }
    for path in ["client.count", "as.number", "ip", "client"] {
        assert_eq!(odd.get(path), Some(&1), "{path}: {odd:?}");
    }
    let values = [
        ("infrastructure SUBMARINE".to_owned(), 1),
        ("risks GHOSTS".to_owned(), 1),
    ];
    assert_eq!(health.new_values, values);
    let rejected: Vec<(u64, usize, &str)> = health
        .rejected
        .iter()
        .map(|(line, text)| (*line, text.len(), &text[..8]))
        .collect();
    assert_eq!(
        rejected,
        [
            (901, 16, "no recor"),
            (952, 19, "{\"ip\":\"1"),
            (974, 400, "[xxxxxxx"),
        ]
    );
    let lines: Vec<u64> = health
        .release
        .manifest
        .rejected
        .first
        .iter()
        .map(|pair| pair.0)
        .collect();
    assert_eq!(lines, [901, 952, 974]);
}
