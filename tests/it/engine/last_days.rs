//! What the last local days add to the rows of a board and to the page of an address, against a walk over the lines of the releases.

use std::{
    collections::{BTreeMap, BTreeSet},
    net::IpAddr,
    sync::Arc,
};

use ipspect::{
    contract::Feed,
    engine::{DayPlace, PullQuery, WantedRelease, progress::unheard},
    investigation::{
        board::board_answers,
        history::{HistoryQuery, read_history},
    },
    model::{Day, Subject},
    report::BoardFindings,
};
use serde_json::Value;

use super::{
    fixture::{Fixture, today},
    views::{gzip_text, with_feeds},
};
use crate::history::is_seen;

/// The days of the fixture, as so many days ago; the others are not local.
const LOCAL: [i32; 12] = [0, 1, 2, 4, 5, 6, 7, 8, 9, 11, 12, 13];

/// The records of single addresses, by day.
type ByDay = BTreeMap<Day, BTreeMap<IpAddr, Value>>;

async fn walked(fixture: &Fixture<ipspect::demo::Demo>) -> ByDay {
    let mut days = ByDay::new();
    for day in LOCAL.map(|back| today().plus(-back)) {
        let query = PullQuery {
            wanted: WantedRelease::Day(day),
            ..PullQuery::latest(Feed::Anonymous)
        };
        let pulled = fixture.engine.releases.pull(&query, unheard()).await;
        let text = gzip_text(&pulled.expect("a day").release.data);
        let records = text.lines().map(|line| {
            let record: Value = serde_json::from_str(line).expect(line);
            (
                record["ip"].as_str().and_then(|text| text.parse().ok()),
                record,
            )
        });
        days.insert(
            day,
            records
                .filter_map(|(address, record)| Some((address?, record)))
                .collect(),
        );
    }
    days
}

#[tokio::test]
async fn no_row_of_a_board_and_no_page_is_silent_about_the_days_before() {
    let fixture = with_feeds(&[]).await;
    let days = walked(&fixture).await;
    let engine = &fixture.engine;
    let prefixes = ["198.51.100", "203.0.113", "198.18.7", "192.0.2"];
    let addresses = prefixes
        .iter()
        .flat_map(|text| (0..250).map(move |host| format!("{text}.{host}")));
    let addresses: Arc<[IpAddr]> = addresses
        .map(|text| text.parse().expect("an address"))
        .collect();
    for asked in [None, Some(today().plus(-2)), Some(today().plus(-3))] {
        let to = asked.unwrap_or(today());
        let last: Vec<Day> = days
            .keys()
            .rev()
            .copied()
            .filter(|day| *day <= to)
            .take(10)
            .collect();
        let seen = |address: &IpAddr| -> BTreeSet<Day> {
            let has = |day: &&Day| days[day].get(address).is_some_and(is_seen);
            last.iter().filter(has).copied().collect()
        };
        let found = board_answers(engine, &addresses, asked)
            .await
            .expect("answers");
        let mut told = 0;
        for (address, answer) in addresses.iter().zip(&found.answers) {
            let record = days.get(&to).and_then(|day| day.get(address));
            let has_tunnel = record.is_some_and(|value| value["tunnels"].is_array());
            let expected = seen(address);
            let expected = Some(&expected).filter(|days| !days.is_empty() && !has_tunnel);
            let recent = answer.recent.as_ref();
            let numbers =
                recent.map(|recent| (recent.days, recent.seen, recent.first, recent.last));
            assert_eq!(
                numbers,
                expected.map(|days| (
                    last.len(),
                    days.len(),
                    days.first().copied(),
                    days.last().copied()
                )),
                "{address} on {to}"
            );
            told += usize::from(recent.is_some());
        }
        assert!(told > 2, "{told} on {to}");
        assert_eq!(BoardFindings::of(&addresses, found).recent.len(), told);
    }
    // The page has every day.
    for address in addresses.iter().step_by(25) {
        let query = HistoryQuery {
            subject: Subject::Address(*address),
            feeds: Vec::new(),
            from: None,
            to: today(),
            place: DayPlace::Disk,
        };
        let found = read_history(engine, &query).await.expect("a history");
        for (day, finding) in found.history.days() {
            let by_hand = days.get(&day).map(|map| map.get(address));
            assert_eq!(finding.is_known(), by_hand.is_some(), "{address} on {day}");
            let record = by_hand.flatten();
            assert_eq!(
                finding.record().is_some(),
                record.is_some(),
                "{address} on {day}"
            );
            assert_eq!(
                finding.is_seen(),
                record.is_some_and(is_seen),
                "{address} on {day}"
            );
        }
    }
}
