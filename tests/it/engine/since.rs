//! Since when a local record reads as it does, against a walk over the lines of the local days.

use std::collections::BTreeMap;

use ipspect::{
    contract::Feed,
    engine::{Pick, PullQuery, WantedRelease, progress::unheard},
    model::{Day, Terms, compare},
};

use super::{
    fixture::today,
    views::{gzip_text, records, with_feeds},
};

#[tokio::test]
async fn a_record_has_been_the_same_since_the_last_release_that_differs() {
    walk(&[0, 1, 2, 3]).await;
}

/// The demo's world has two weeks: days are left out at both ends of a stretch and within it.
#[tokio::test]
async fn days_that_are_not_local_are_counted() {
    walk(&[0, 3, 4, 9]).await;
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
    let (mut stayed, mut changed, mut new) = (0, 0, 0);
    for (line, terms) in &lines[&days[0]] {
        let network = terms.subject.expect("a subject").network();
        let of = |day: &Day| -> Option<&String> {
            let about = |terms: &Terms| terms.subject.is_some_and(|own| own.network() == network);
            let found = lines[day].iter().find(|(_, terms)| about(terms));
            found.map(|(line, _)| line)
        };
        let picked = fixture
            .engine
            .releases
            .open_picked(&Pick::default())
            .await
            .expect("releases");
        let found = fixture
            .engine
            .releases
            .lookup_local(terms.subject.expect("a subject"), &picked.opened);
        let found = found.await.expect("records");
        let since = fixture.engine.views.since(&found.records[0]).await;
        let since = since.expect("an answer").expect("a subject");
        let same = days.iter().take_while(|day| {
            of(day).is_some_and(|old| !compare::differ(old.as_bytes(), line.as_bytes()))
        });
        let same: Vec<&Day> = same.collect();
        assert_eq!(since.day, **same.last().expect("its own day"), "{line}");
        let before = days.get(same.len());
        assert_eq!(
            since.before.as_ref().map(|before| before.day),
            before.copied()
        );
        let gap = |later: &Day, earlier: &Day| later.days_since(*earlier).unsigned_abs() - 1;
        let within: u32 = same.windows(2).map(|pair| gap(pair[0], pair[1])).sum();
        assert_eq!(since.missing, within, "{line}");
        let missing = before.map_or(0, |before| gap(&since.day, before));
        assert_eq!(since.missing_before(), missing, "{line}");
        match since.before.map(|before| before.record) {
            None => stayed += 1,
            Some(Some(_)) => changed += 1,
            Some(None) => new += 1,
        }
        if stayed > 20 && changed > 20 && new > 2 {
            return;
        }
    }
    panic!("not every case was met: {stayed} stayed, {changed} changed, {new} new");
}
