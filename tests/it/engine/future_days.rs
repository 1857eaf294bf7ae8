//! Days that cannot have been yet: what the service dates ahead of every clock is refused, and never the newest.

use ipspect::{
    contract::{Feed, Format},
    engine::{Kind, PullQuery, WantedRelease, progress::unheard},
    model::Window,
};
use jiff::Timestamp;

use super::{
    feed::{FEED, names, of_day, records, rest, whole},
    fixture::Fixture,
    wire::{Wire, answer},
};

/// An answer of the service at noon of the day, with the release of a day.
fn dated(day: &str, file: &[u8]) -> Vec<u8> {
    let headers = format!(
        "Date: Fri, 20 Nov 2026 12:00:00 GMT\r\nETag: \"{day}\"\r\nX-Feed-Generation-Date: {day}\r\n"
    );
    answer(200, &headers, file)
}

fn newest(fixture: &Fixture<Wire>) -> String {
    let latest = fixture.engine.releases.cache().latest(FEED, Format::Json);
    let latest = latest.expect("cache").expect("a release");
    latest.manifest.moment.to_string()
}

#[tokio::test]
async fn a_day_that_is_ahead_of_both_clocks_is_refused() {
    let later = records("later", 2);
    for answer in [
        dated("20261122", &later),
        dated("20991231", &later),
        of_day("20261122", &later),
        of_day("20991231", &later),
    ] {
        let (fixture, old) = Fixture::with_release().await;
        fixture.service.says(answer);
        let error = fixture.pull().await.expect_err("ahead");
        assert_eq!(error.kind, Kind::Contract, "{error}");
        assert!(error.message.contains("more than a day ahead"), "{error}");
        assert_eq!(
            (fixture.days(), fixture.published()),
            (vec!["20261120".to_owned()], Some(old))
        );
        assert_eq!(fixture.partial(), [""; 0]);
        assert_eq!(
            names(&fixture.engine.releases.cache().feed_dir(FEED)),
            [".lock", ".part", "20261120"]
        );
        // Until tomorrow anything may be: clocks and time zones differ.
        fixture.service.says(dated("20261121", &later));
        fixture.pull().await.expect("tomorrow");
        assert_eq!(newest(&fixture), "20261121");
    }
}

#[tokio::test]
async fn it_is_refused_whoever_names_it() {
    let file = records("a", 2);
    let metadata = r#"{"json":{"date":"20991231","location":"20991231/2355.json.gz"}}"#;
    for (feed, headers) in [
        (FEED, "ETag: \"a\"\r\n"),
        (
            FEED,
            "ETag: \"a\"\r\nLast-Modified: Thu, 31 Dec 2099 00:00:00 GMT\r\n",
        ),
        (Feed::Realtime, "ETag: \"a\"\r\n"),
    ] {
        let fixture = Fixture::wire().await;
        fixture.service.says(answer(200, headers, &file));
        let said = if headers.contains("Modified") {
            "{}"
        } else {
            metadata
        };
        fixture.service.says(answer(200, "", said));
        let error = fixture
            .engine
            .releases
            .pull(&PullQuery::latest(feed), unheard())
            .await;
        assert_eq!(error.expect_err("ahead").kind, Kind::Contract, "{headers}");
    }
    let window = Window::new("20991231".parse().expect("day"), "2355").expect("window");
    for (feed, wanted) in [
        (FEED, WantedRelease::Day(window.day)),
        (Feed::Realtime, WantedRelease::Window(window)),
    ] {
        let fixture = Fixture::wire().await;
        fixture.service.says(whole("a", &file));
        let query = PullQuery {
            wanted,
            ..PullQuery::latest(feed)
        };
        let error = fixture.engine.releases.pull(&query, unheard()).await;
        assert_eq!(error.expect_err("ahead").kind, Kind::Contract, "{wanted:?}");
    }
}

#[tokio::test]
async fn a_release_of_a_wrong_clock_is_neither_the_newest_nor_what_others_go_for() {
    fn years_later() -> Timestamp {
        "2099-12-31T12:00:00Z".parse().expect("timestamp")
    }
    let mut fixture = Fixture::wire_with(|settings| settings.cache.keep_releases = 1).await;
    fixture.service.says(dated("20261119", &records("19", 2)));
    fixture.pull().await.expect("a release");
    // The clock of this machine is wrong, and so is the day; that of the service is not.
    let clock = fixture.engine.settings.clock;
    fixture.restart_with(|settings| settings.clock = years_later);
    fixture.service.says(dated("20991231", &records("99", 2)));
    let pulled = fixture.pull().await.expect("a release");
    assert_eq!(pulled.removed, []);
    assert_eq!(newest(&fixture), "20261119");
    assert_eq!(fixture.days(), ["20261119", "20991231"]);
    fixture.restart_with(|settings| settings.clock = clock);
    assert_eq!(newest(&fixture), "20261119");
    // The same file of the right day is no file that was here.
    let same = answer(
        200,
        "ETag: \"20991231\"\r\nX-Feed-Generation-Date: 20261120\r\n",
        records("99", 2),
    );
    fixture.service.says(same);
    let pulled = fixture.pull().await.expect("a release");
    assert!(!pulled.was_here);
    assert_eq!(pulled.removed.len(), 2, "{:?}", pulled.removed);
    assert_eq!(fixture.days(), ["20261120"]);
}

#[tokio::test]
async fn a_clock_that_is_behind_hides_no_release() {
    fn long_ago() -> Timestamp {
        Timestamp::UNIX_EPOCH
    }
    let mut fixture = Fixture::wire().await;
    fixture.restart_with(|settings| settings.clock = long_ago);
    for day in ["20261119", "20261120"] {
        fixture.service.says(dated(day, &records(day, 2)));
        fixture.pull().await.expect(day);
    }
    assert_eq!(newest(&fixture), "20261120");
}

#[tokio::test]
async fn a_refused_day_leaves_the_part_of_the_right_file() {
    let fixture = Fixture::wire().await;
    let file = records("a", 9);
    let mut cut = whole("a", &file);
    cut.truncate(cut.len() - 100);
    for _ in 0..5 {
        fixture.service.says(&cut[..]);
    }
    fixture.pull().await.expect_err("cut off");
    let part = fixture.partial();
    assert!(!part.is_empty());
    fixture.service.says(dated("20991231", &records("b", 9)));
    fixture.pull().await.expect_err("ahead");
    assert_eq!(fixture.partial(), part);
    fixture.service.says(rest("a", &file, file.len() - 100));
    let resumed = fixture.pull().await.expect("a release").resumed_from;
    assert_eq!(resumed, file.len() as u64 - 100);
}
