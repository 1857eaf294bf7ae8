//! Since when the verdict on a local record is the same, against a walk over the lines of the local days.

use std::collections::{BTreeMap, BTreeSet};

use ipspect::{
    contract::Feed,
    engine::{LocalRecord, PullQuery, WantedRelease, progress::unheard},
    model::{Day, Document, Terms},
};
use serde_json::Value;

use super::{
    fixture::today,
    views::{gzip_text, records, with_feeds},
};

#[tokio::test]
async fn a_verdict_lasts_until_the_last_release_with_another_one() {
    walk(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]).await;
}

/// The demo's world has two weeks: days are left out at both ends of a stretch and within it.
#[tokio::test]
async fn days_that_are_not_local_are_counted() {
    walk(&[0, 3, 4, 9]).await;
}

/// Type, operator and anonymity of the tunnels, and the callback proxies where there is none.
fn verdict(line: &str) -> BTreeSet<String> {
    let record: Value = serde_json::from_str(line).expect(line);
    let tunnels = record["tunnels"].as_array().into_iter().flatten();
    let tunnels: BTreeSet<String> = tunnels
        .map(|own| format!("{} {} {}", own["type"], own["operator"], own["anonymous"]))
        .collect();
    let proxies = record["client"]["proxies"].as_array().into_iter().flatten();
    if tunnels.is_empty() {
        return proxies.map(Value::to_string).collect();
    }
    tunnels
}

/// Compares the answers with a walk over the lines of these days, which are counted back from today.
async fn walk(backs: &[i32]) {
    let fixture = with_feeds(&[]).await;
    let days: Vec<Day> = backs.iter().map(|back| today().plus(-back)).collect();
    let mut lines: BTreeMap<Day, Vec<(String, Terms)>> = BTreeMap::new();
    for day in &days {
        let query = PullQuery {
            wanted: WantedRelease::Day(*day),
            ..PullQuery::latest(Feed::Anonymous)
        };
        let pulled = fixture
            .engine
            .releases
            .pull(&query, unheard())
            .await
            .expect("a day");
        let text = gzip_text(&pulled.release.data);
        lines.insert(*day, records(&text));
    }
    let opened = fixture
        .engine
        .releases
        .open_local(Feed::Anonymous, Some(days[0]));
    let release = opened.await.expect("the last day").release;
    let [mut stayed, mut changed, mut new, mut gaps, mut moved] = [0; 5];
    let subject = |terms: &Terms| terms.subject.expect("a subject").network();
    let by_network: BTreeMap<Day, BTreeMap<_, &String>> = lines
        .iter()
        .map(|(day, lines)| {
            let own = lines.iter().map(|(line, terms)| (subject(terms), line));
            (*day, own.collect())
        })
        .collect();
    for (network, line) in &by_network[&days[0]] {
        let of = |day: &Day| by_network[day].get(network).copied();
        let record = LocalRecord {
            release: release.clone(),
            document: Document::read(line.as_bytes()).expect(line),
        };
        let since = fixture.engine.views.since(&record).await;
        let since = since.expect("an answer").expect("a verdict");
        // By hand: every day counts until one has another verdict; of those with a record the oldest is the first.
        let own = verdict(line);
        let is_other = |day: &&Day| of(day).is_some_and(|old| verdict(old) != own);
        let other = days.iter().position(|day| is_other(&day));
        let stretch = &days[..other.unwrap_or(days.len())];
        let first = stretch.iter().rposition(|day| of(day).is_some());
        let first = first.expect("its own day");
        let without: Vec<Day> = stretch
            .iter()
            .copied()
            .filter(|day| of(day).is_none())
            .collect();
        let (within, before): (Vec<Day>, Vec<Day>) =
            without.into_iter().partition(|day| *day > stretch[first]);
        assert_eq!(
            (since.day, &since.gaps.absent),
            (stretch[first], &within),
            "{line}"
        );
        let expected = match other {
            Some(other) => Some((days[other], of(&days[other]).map(|own| &**own))),
            None => before.first().map(|day| (*day, None)),
        };
        let found = since.before.as_ref();
        let found = found.map(|own| (own.day, own.record.as_ref().map(Document::text)));
        assert_eq!(found, expected, "{line}");
        let not_local = |later: Day, earlier: Day| {
            let all = 1..later.days_since(earlier);
            all.filter(|back| !days.contains(&later.plus(-back)))
                .count()
        };
        let missing = (since.gaps.not_local, since.gaps_before.not_local);
        let missing = [missing.0, missing.1].map(|own| own as usize);
        let earlier = expected.map_or(since.day, |(day, _)| day);
        assert_eq!(
            missing,
            [not_local(days[0], since.day), not_local(since.day, earlier)],
            "{line}"
        );
        gaps += usize::from(!within.is_empty());
        moved += usize::from(
            stretch[..=first]
                .iter()
                .any(|day| of(day).is_some_and(|own| own != *line)),
        );
        match expected {
            None => stayed += 1,
            Some((_, Some(_))) => changed += 1,
            Some((_, None)) => new += 1,
        }
    }
    let met = [stayed, changed, new, gaps, moved];
    assert!(
        met.iter().all(|own| *own > 0),
        "not every case was met: {met:?}"
    );
}
