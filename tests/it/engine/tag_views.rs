//! What the local feeds have of tags, against a walk over the lines of the same feeds: counts, overlaps, changes. A feed that cannot
//! be read is named, and keeps nothing from the others.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs,
    sync::Arc,
};

use ipspect::{
    contract::{Feed, Format, catalog::RecordKind},
    engine::{Kind, PullQuery, UnusableFeed, progress::unheard, views::TagCount},
    model::{Document, Keyword, Subject, TagName, Terms},
    store::{diff, layout::Release},
};
use serde_json::Value;

use super::{
    feed::{gz, of_day},
    fixture::{Fixture, today},
    views::{naive, with_all_feeds, with_feeds},
};

/// The feeds whose records name tags, and that can be exported.
const TAGGED: [Feed; 4] = [
    Feed::Anonymous,
    Feed::AnonymousResidential,
    Feed::AnonymousIpv6,
    Feed::AnonymousResidentialIpv6,
];

#[tokio::test]
async fn tags_are_counted_as_a_walk_counts() {
    let mut feeds = TAGGED.to_vec();
    feeds.push(Feed::Dch);
    let fixture = with_feeds(&feeds).await;
    let counted = fixture.engine.views.tag_counts().await.expect("counts");
    let again = fixture.engine.views.tag_counts().await.expect("counts");
    assert_eq!(again, counted);
    assert_eq!(counted.unusable, []);
    let of: Vec<Feed> = counted.found.iter().map(|counts| counts.feed).collect();
    assert_eq!(of, TAGGED);
    for counts in counted.found {
        let mut tally: HashMap<String, TagCount> = HashMap::new();
        for (_, terms) in naive(&fixture, counts.feed) {
            for tag in terms.of_field(Keyword::Tag) {
                tally.entry(tag.to_owned()).or_default().as_operator += 1;
            }
            for tag in terms.of_field(Keyword::Proxy) {
                tally.entry(tag.to_owned()).or_default().as_proxy += 1;
            }
        }
        assert!(!tally.is_empty(), "{}", counts.feed);
        assert_eq!(*counts.tags, tally, "{}", counts.feed);
        assert_eq!(counts.moment.day(), today());
    }
}

#[tokio::test]
async fn changes_of_tags_are_those_of_a_walk_over_both_days() {
    let fixture = Fixture::wire().await;
    let changes = fixture.engine.views.tag_changes().await;
    assert!(changes.expect("an answer").is_none(), "nothing is local");
    let mut days = Vec::new();
    for back in [1, 0] {
        let text = metrics(back == 0);
        let day = today().plus(-back).to_string();
        fixture.service.says(of_day(&day, &gz(&text)));
        let query = PullQuery::latest(Feed::ServiceMetrics);
        let pulled = fixture.engine.releases.pull(&query, unheard()).await;
        pulled.expect("a day");
        days.push(tags(&text));
    }
    let [before, after] = &days[..] else {
        panic!("two days")
    };
    let mut expected: BTreeMap<String, diff::ChangeKind> = BTreeMap::new();
    for (name, new) in after {
        match before.get(name) {
            None => drop(expected.insert(name.clone(), diff::ChangeKind::Added)),
            Some(old) if has_changed(old, new) => {
                expected.insert(name.clone(), diff::ChangeKind::Changed);
            }
            Some(_) => {}
        }
    }
    for name in before.keys().filter(|name| !after.contains_key(*name)) {
        expected.insert(name.clone(), diff::ChangeKind::Removed);
    }
    let found = fixture.engine.views.tag_changes().await;
    let found = found.expect("an answer").expect("two days");
    let again = fixture.engine.views.tag_changes().await;
    let again = again.expect("an answer").expect("two days");
    assert!(
        Arc::ptr_eq(&found, &again),
        "the same releases are compared once"
    );
    assert_eq!(found.since.day(), today().plus(-1));
    assert_eq!(found.until.day(), today());
    let found = found.tags.iter();
    let found: BTreeMap<String, diff::ChangeKind> = found
        .map(|change| (change.name.to_string(), change.kind))
        .collect();
    assert_eq!(found, expected);
    for kind in [
        diff::ChangeKind::Added,
        diff::ChangeKind::Removed,
        diff::ChangeKind::Changed,
    ] {
        let same = expected
            .values()
            .filter(|change_kind| **change_kind == kind)
            .count();
        assert!(same > 0 && same < after.len(), "{kind:?}: {same}");
    }
    fixture
        .engine
        .releases
        .remove(Feed::ServiceMetrics, Some(today().plus(-1)), false)
        .await
        .expect("removed");
    let changes = fixture.engine.views.tag_changes().await;
    assert!(changes.expect("an answer").is_none(), "one day is left");
}

/// The service-metrics of a day: numbers that move by none to a quarter, flags and aliases that change, tags of one day alone.
fn metrics(is_new: bool) -> String {
    let line = |number: u64| {
        let is_here = !number.is_multiple_of(if is_new { 13 } else { 11 });
        let moved = if is_new { 100 + number % 26 } else { 100 };
        let devices = 10 * (number + 1) * moved;
        let devices = match number % 3 {
            0 => format!("\"{devices}\""),
            1 => devices.to_string(),
            _ => format!("\"{devices}.5\""),
        };
        let metrics = if is_new && number.is_multiple_of(17) {
            String::new()
        } else {
            format!(",\"metrics\":{{\"averageDeviceCount\":{devices},\"churnRate\":\"0.{moved}\"}}")
        };
        let alias = if is_new && number.is_multiple_of(19) {
            "NEW"
        } else {
            "OLD"
        };
        let line =
            format!("{{\"tag\":\"TAG_{number}\",\"aliases\":[\"{alias}_{number}\"]{metrics}}}\n");
        Some(line).filter(|_| is_here)
    };
    (0..120).filter_map(line).collect()
}

/// The tags of a feed.
fn tags(text: &str) -> BTreeMap<String, Value> {
    let tag = |line: &str| {
        let value: Value = serde_json::from_str(line).expect("a tag");
        (value["tag"].as_str().expect("a name").to_owned(), value)
    };
    text.lines().map(tag).collect()
}

/// Whether anything but numbers has changed, or the devices by a tenth or more.
fn has_changed(old: &Value, new: &Value) -> bool {
    let rest = |tag: &Value| {
        let mut tag = tag.clone();
        tag.as_object_mut().expect("an object").remove("metrics");
        tag
    };
    let devices = |tag: &Value| -> Option<f64> {
        match &tag["metrics"]["averageDeviceCount"] {
            Value::String(text) => text.parse().ok(),
            number => number.as_f64(),
        }
    };
    let moved = match (devices(old), devices(new)) {
        (Some(old), Some(new)) => {
            old.to_bits() != new.to_bits() && (new - old).abs() >= old.abs() / 10.0
        }
        (old, new) => old.is_some() != new.is_some(),
    };
    rest(old) != rest(new) || moved
}

#[tokio::test]
async fn tags_overlap_in_every_feed_as_a_walk_finds() {
    let fixture = with_all_feeds().await;
    let contexts = Feed::all().filter(|feed| {
        matches!(
            feed.row().records,
            RecordKind::Context | RecordKind::Ipv6Context
        )
    });
    let walks: Vec<(Feed, Vec<(String, Terms)>)> =
        contexts.map(|feed| (feed, naive(&fixture, feed))).collect();
    let mut tags = BTreeSet::new();
    for (_, all) in &walks {
        for field in [Keyword::Tag, Keyword::Proxy] {
            let first = all
                .iter()
                .find_map(|(_, terms)| terms.of_field(field).next());
            tags.extend(first.map(str::to_owned));
        }
    }
    let (mut compared, mut expected) = (BTreeSet::new(), BTreeSet::new());
    for tag in tags {
        let name = TagName::new(&tag).expect("a name");
        let uses = fixture
            .engine
            .views
            .tag_uses(&name, 100)
            .await
            .expect("uses");
        assert_eq!(uses.unusable, []);
        let of: Vec<Feed> = uses.found.iter().map(|tag_use| tag_use.feed).collect();
        for (feed, all) in &walks {
            let is_used = all.iter().any(|(_, terms)| holds(terms, &tag));
            assert!(!is_used || of.contains(feed), "{feed} {tag}");
            if all.iter().any(|(_, terms)| is_shared(terms, &tag)) {
                expected.insert(*feed);
            }
        }
        for tag_use in &uses.found {
            let all = walks.iter().find(|(feed, _)| *feed == tag_use.feed);
            let (_, all) = all.expect("a feed of contexts");
            let holding = |field: Keyword, tag: &str| -> Vec<&Terms> {
                let terms = all.iter().map(|(_, terms)| terms);
                terms
                    .filter(|terms| terms.of_field(field).any(|value| value == tag))
                    .collect()
            };
            let [as_operator, as_proxy] =
                [Keyword::Tag, Keyword::Proxy].map(|field| holding(field, &tag).len() as u64);
            assert_eq!(tag_use.records, all.len() as u64, "{} {tag}", tag_use.feed);
            assert_eq!(
                (tag_use.as_operator, tag_use.as_proxy),
                (as_operator, as_proxy)
            );
            for overlap in &tag_use.overlaps {
                let others = holding(overlap.field, &overlap.tag);
                let has_both =
                    |terms: &&&Terms| terms.of_field(overlap.own).any(|value| value == tag);
                let own_count = holding(overlap.own, &tag).len();
                let shared = others.iter().filter(has_both).count();
                assert_eq!(
                    overlap.shared, shared as u64,
                    "{} {overlap:?}",
                    tag_use.feed
                );
                #[expect(clippy::cast_precision_loss, reason = "small numbers")]
                let lift =
                    shared as f64 * all.len() as f64 / (own_count as f64 * others.len() as f64);
                assert!((overlap.lift - lift).abs() < 1e-9, "{overlap:?} {lift}");
                compared.insert(tag_use.feed);
            }
        }
    }
    assert_eq!(compared, expected);
    assert!(compared.len() > 2, "{compared:?}");
}

/// Whether a record names a tag and another one.
fn is_shared(terms: &Terms, tag: &str) -> bool {
    let mut tags = terms
        .of_field(Keyword::Tag)
        .chain(terms.of_field(Keyword::Proxy));
    holds(terms, tag) && tags.any(|text| text != tag)
}

/// Whether a record names a tag at all.
fn holds(terms: &Terms, tag: &str) -> bool {
    let mut tags = terms
        .of_field(Keyword::Tag)
        .chain(terms.of_field(Keyword::Proxy));
    tags.any(|text| text == tag)
}

/// Ways in which a release cannot be used.
const DAMAGES: [fn(&Release); 2] = [
    |release| {
        let manifest = release.data.with_file_name("feed.json");
        fs::write(manifest, "{}").expect("written");
    },
    |release| {
        fs::remove_file(release.index().expect("an index")).expect("removed");
        fs::remove_file(&release.data).expect("removed");
    },
];

#[tokio::test]
async fn a_feed_that_cannot_be_read_is_named_beside_the_others() {
    for damage in DAMAGES {
        let fixture = with_feeds(&TAGGED[..2]).await;
        let cache = fixture.engine.releases.cache();
        let latest = cache.latest(Feed::AnonymousResidential, Format::Json);
        let views = &fixture.engine.views;
        let tag: TagName = "ACME_VPN".parse().expect("a tag");
        let whole = views.tag_counts().await.expect("counts");
        assert_eq!(whole.found.len(), 2);
        damage(&latest.expect("cache").expect("a release"));

        let is_named = |unusable: &[UnusableFeed]| {
            let [feed] = unusable else {
                panic!("{unusable:?}")
            };
            assert_eq!(feed.feed, Feed::AnonymousResidential);
            assert_eq!(feed.why.kind, Kind::Integrity);
            assert!(!feed.why.message.is_empty());
        };
        let counts = views.tag_counts().await.expect("counts");
        is_named(&counts.unusable);
        assert_eq!(counts.found, whole.found[..1]);
        let uses = views.tag_uses(&tag, 9).await.expect("uses");
        is_named(&uses.unusable);
        assert_eq!(uses.found.len(), 1);
        let empty = Document::read(b"{}").expect("an object");
        let subject = Subject::Address("198.51.100.77".parse().expect("address"));
        let found = views.pivots(subject, &empty, None).await.expect("pivots");
        is_named(&found.unusable);
        let counted = found.pivots[0].counts.iter().map(|count| count.feed);
        assert_eq!(counted.collect::<Vec<_>>(), [Feed::Anonymous]);
    }
}
