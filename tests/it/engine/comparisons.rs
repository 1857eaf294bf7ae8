//! Two days of a feed compared, against two maps of their lines, for every feed of the catalogue.

use std::collections::BTreeMap;

use ipspect::{
    contract::Feed,
    engine::{DiffDays, DiffRecord, Error, PullQuery, WantedRelease, progress::unheard},
    model::{Document, Terms, Window},
    store::{
        Filter,
        diff::{ChangeKind, ListedChanges},
    },
};
use serde_json::Value;

use super::{
    feed::{gz, of_day},
    fixture::{Fixture, today},
    views::{naive, with_all_feeds},
    wire::Wire,
};

/// Records of a feed that are compared.
const MOST: usize = 1_200;

const FILTERS: [&str; 4] = ["", "cc:NL", "infra:DATACENTER -cc:DE", "clients>=5"];

/// The lines of a day by what they are about.
type Lines = BTreeMap<String, (String, Terms)>;

/// What happened to a record, with its line on both days.
type Found = (ChangeKind, Option<String>, Option<String>);

/// The name or network that a record is about.
fn name(line: &str, terms: &Terms) -> String {
    if let Some(subject) = terms.subject {
        return subject.network().to_string();
    }
    let record: Value = serde_json::from_str(line).expect("a record");
    record["tag"].as_str().expect("a tag").to_owned()
}

/// Two days made of the records of one: some on one of them alone, some with another value.
fn two_days(records: Vec<(String, Terms)>) -> [Lines; 2] {
    let mut days = [Lines::new(), Lines::new()];
    for (number, (line, terms)) in records.into_iter().take(MOST).enumerate() {
        let name = name(&line, &terms);
        if number % 11 != 1 {
            let mut record: Value = serde_json::from_str(&line).expect("a record");
            if number.is_multiple_of(7) {
                record["location"] = serde_json::json!({"country": "NL", "city": "Nowhere"});
            }
            let document = Document::read(record.to_string().as_bytes()).expect("a record");
            let old = (document.to_line(), Terms::of(document.value()));
            days[0].entry(name.clone()).or_insert(old);
        }
        if number % 13 != 2 {
            days[1].entry(name).or_insert((line, terms));
        }
    }
    days
}

/// The file of a day.
fn file(day: &Lines) -> Vec<u8> {
    let lines = day.values().map(|(line, _)| format!("{line}\n"));
    gz(lines.collect::<String>())
}

/// Both days of a feed, downloaded.
async fn downloaded(feed: Feed, [before, after]: &[Lines; 2]) -> (Fixture<Wire>, DiffDays) {
    let fixture = Fixture::wire().await;
    for (day, lines) in [(today().plus(-1), before), (today(), after)] {
        fixture.service.says(of_day(&day.to_string(), &file(lines)));
        let wanted = match feed {
            Feed::Realtime => WantedRelease::Window(Window::new(day, "0900").expect("a window")),
            _ => WantedRelease::Latest,
        };
        let query = PullQuery {
            wanted,
            ..PullQuery::latest(feed)
        };
        let pulled = fixture.engine.releases.pull(&query, unheard()).await;
        pulled.unwrap_or_else(|error| panic!("{feed}: {error}"));
    }
    let days = fixture.engine.releases.open_days(feed, None, None).await;
    (
        fixture,
        days.unwrap_or_else(|error| panic!("{feed}: {error}")),
    )
}

/// What changed, found in two maps.
fn walked([before, after]: &[Lines; 2], filter: &Filter) -> Vec<Found> {
    let is_meant =
        |record: Option<&(String, Terms)>| record.is_some_and(|(_, terms)| filter.matches(terms));
    let line = |record: Option<&(String, Terms)>| record.map(|(line, _)| line.clone());
    let mut names: Vec<&String> = before.keys().chain(after.keys()).collect();
    names.sort();
    names.dedup();
    let mut found = Vec::new();
    for name in names {
        let (old, new) = (before.get(name), after.get(name));
        let kind = match (old, new) {
            (None, _) => ChangeKind::Added,
            (_, None) => ChangeKind::Removed,
            (Some((old, _)), Some((new, _))) => {
                let read = |line: &str| serde_json::from_str::<Value>(line).expect("a record");
                if read(old) == read(new) {
                    continue;
                }
                ChangeKind::Changed
            }
        };
        if is_meant(old) || is_meant(new) {
            found.push((kind, line(old), line(new)));
        }
    }
    found.sort();
    found
}

fn found(record: &DiffRecord) -> Found {
    let line = |side: &Option<Document>| side.as_ref().map(Document::to_line);
    (record.kind, line(&record.before), line(&record.after))
}

async fn compared(
    fixture: &Fixture<Wire>,
    days: &DiffDays,
    filter: &Filter,
    limit: Option<u64>,
) -> Vec<Found> {
    let mut all = Vec::new();
    let take = |records: Vec<DiffRecord>| {
        all.extend(records.iter().map(found));
        Ok::<(), Error>(())
    };
    let releases = &fixture.engine.releases;
    let ended = releases.diff(days, filter, limit, take).await;
    ended.expect("a comparison");
    all
}

/// The records of a list in pieces; each piece has the number of all.
async fn ranked(
    fixture: &Fixture<Wire>,
    days: &DiffDays,
    filter: &Filter,
    listed: ListedChanges,
) -> Vec<Found> {
    let mut all = Vec::new();
    let mut number = 0;
    for positions in [0..3, 3..7, 7..u64::MAX, u64::MAX..u64::MAX] {
        let releases = &fixture.engine.releases;
        let page = releases.diff_page(days, filter, listed, positions).await;
        let page = page.expect("a page");
        all.extend(page.records.iter().map(found));
        number = page.counts.listed(listed);
    }
    assert_eq!(number, all.len() as u64);
    all
}

#[tokio::test]
async fn two_days_of_any_feed_differ_as_two_maps_do() {
    let demo = with_all_feeds().await;
    for feed in Feed::all() {
        let both = two_days(naive(&demo, feed));
        let (fixture, days) = downloaded(feed, &both).await;
        for filter in FILTERS {
            let words = format!("{feed} {filter:?}");
            let filter: Filter = filter.parse().expect("a filter");
            let expected = walked(&both, &filter);
            let all = compared(&fixture, &days, &filter, None).await;
            let mut sorted = all.clone();
            sorted.sort();
            assert_eq!(sorted, expected, "{words}");
            let count = |kind| expected.iter().filter(|parts| parts.0 == kind).count() as u64;
            let kinds = [ChangeKind::Added, ChangeKind::Removed, ChangeKind::Changed].map(count);
            let totals = fixture.engine.releases.diff_totals(&days, &filter).await;
            let totals = totals.expect("counts");
            assert_eq!(
                [totals.added, totals.removed, totals.changed],
                kinds,
                "{words}"
            );
            if filter == Filter::default() {
                assert!(kinds.iter().all(|count| *count > 0), "{words}: {kinds:?}");
            }
            let first = compared(&fixture, &days, &filter, Some(3)).await;
            assert_eq!(first, all[..all.len().min(3)], "{words}");
            // By worth it is the same in another order, in pieces too, and each kind alone is what the whole has of it.
            let of = |kind, others| ListedChanges { kind, others };
            let whole = ranked(&fixture, &days, &filter, of(None, true)).await;
            let mut sorted = whole.clone();
            sorted.sort();
            assert_eq!(sorted, expected, "{words}");
            for kind in [ChangeKind::Added, ChangeKind::Removed, ChangeKind::Changed] {
                let own: Vec<Found> = whole
                    .iter()
                    .filter(|parts| parts.0 == kind)
                    .cloned()
                    .collect();
                let alone = ranked(&fixture, &days, &filter, of(Some(kind), true)).await;
                assert_eq!(alone, own, "{words} {kind:?}");
            }
            // Places changed, and no verdict.
            let main = ranked(&fixture, &days, &filter, of(None, false)).await;
            let kept = whole.iter().filter(|parts| parts.0 != ChangeKind::Changed);
            assert!(main.iter().eq(kept), "{words}");
        }
    }
}
