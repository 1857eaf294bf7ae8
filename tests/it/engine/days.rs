//! Of which day a release is, and who said so; where the MMDB form lies.

use ipspect::{
    contract::{Feed, Format},
    demo::FaultSite,
    engine::{Kind, PullQuery, Pulled, WantedRelease, progress::unheard},
    model::{Day, Window},
    store::{DaySource, Moment},
};

use super::{
    feed::{FEED, of_day, records},
    fixture::{Fixture, noon, today},
    wire::{Wire, answer},
};

fn told(pulled: &Pulled) -> (String, DaySource) {
    let manifest = &pulled.release.manifest;
    (manifest.moment.to_string(), manifest.day_source)
}

/// A file that is served with these headers, and what the metadata answers after it.
async fn pulled(headers: &str, metadata: (u16, &str)) -> (String, DaySource) {
    let fixture = Fixture::wire().await;
    fixture.service.says(answer(200, headers, records("a", 2)));
    fixture.service.says(answer(metadata.0, "", metadata.1));
    told(&fixture.pull().await.expect("a release"))
}

#[tokio::test]
async fn the_day_comes_from_the_best_source_there_is() {
    const CHANGED: &str = "Last-Modified: Wed, 18 Nov 2026 03:00:00 GMT\r\n";
    let dated = (200, r#"{"json":{"date":"20261119"}}"#);
    let header = format!("X-Feed-Generation-Date: 2026-11-17\r\n{CHANGED}");
    let odd = format!("X-Feed-Generation-Date: soon\r\n{CHANGED}");
    for (headers, metadata, day, source) in [
        (header.as_str(), dated, "20261117", DaySource::Header),
        (odd.as_str(), dated, "20261119", DaySource::Metadata),
        (CHANGED, dated, "20261119", DaySource::Metadata),
        (CHANGED, (404, ""), "20261118", DaySource::LastModified),
        (CHANGED, (200, "{}"), "20261118", DaySource::LastModified),
        (
            CHANGED,
            (200, r#"{"json":{"date":"someday"}}"#),
            "20261118",
            DaySource::LastModified,
        ),
        (
            CHANGED,
            (200, "<html>"),
            "20261118",
            DaySource::LastModified,
        ),
        ("", (404, ""), "20261120", DaySource::Download),
        (
            "Last-Modified: long ago\r\n",
            (403, ""),
            "20261120",
            DaySource::Download,
        ),
    ] {
        assert_eq!(
            pulled(headers, metadata).await,
            (day.to_owned(), source),
            "{headers} {metadata:?}"
        );
    }
}

/// The metadata of the 20th, as generated then.
const OF_THE_20TH: &str = r#"{"json":{"date":"20261120","generated_at":"2026-11-20T03:41:00Z"}}"#;

/// However a release is pulled, its age counts from the same time: where the metadata is missing, from its day.
#[tokio::test]
async fn a_pull_asks_when_the_release_was_generated() {
    let of_today = WantedRelease::Day(today());
    for (wanted, metadata, generated, is_known) in [
        (WantedRelease::Latest, Some(OF_THE_20TH), "03:41", true),
        (of_today, Some(OF_THE_20TH), "03:41", true),
        (WantedRelease::Latest, Some("{}"), "00:00", false),
        (WantedRelease::Latest, None, "00:00", false),
    ] {
        let fixture = Fixture::wire_with(|settings| settings.network.attempts = 1).await;
        let file = of_day("20261120", &records("a", 2));
        fixture.service.says(file.clone());
        if let Some(metadata) = metadata {
            fixture.service.says(answer(200, "", metadata));
        }
        let query = PullQuery {
            wanted,
            ..PullQuery::latest(FEED)
        };
        let pull = || fixture.engine.releases.pull(&query, unheard());
        let pulled = pull().await.expect("a release");
        let generation = pulled.release.manifest.generation();
        let expected = format!("2026-11-20T{generated}:00Z");
        assert_eq!(generation.at.to_string(), expected, "{wanted:?}");
        assert_eq!((generation.is_known, pulled.warnings), (is_known, vec![]));
        // It is asked for again until it is known.
        fixture.service.says(file);
        fixture.service.says(answer(200, "", OF_THE_20TH));
        let again = pull().await.expect("the same release");
        let kept = fixture.engine.releases.cache();
        let kept = kept
            .releases(FEED, Format::Json)
            .expect("cache")
            .0
            .remove(0);
        assert!(again.was_here && kept.manifest.generation().is_known);
        assert_eq!(kept, again.release);
    }
    let fixture = Fixture::wire().await;
    fixture.service.says(of_day("20261102", &records("a", 2)));
    let query = PullQuery {
        wanted: WantedRelease::Day("20261102".parse().expect("day")),
        ..PullQuery::latest(FEED)
    };
    let pulled = fixture.engine.releases.pull(&query, unheard()).await;
    assert!(
        !pulled
            .expect("a release")
            .release
            .manifest
            .generation()
            .is_known
    );
    assert_eq!(
        fixture.service.heard().len(),
        1,
        "it is of the latest release alone"
    );
}

/// A day out of step with the metadata is said at the pull and kept. A wrong one answers until the next pull and not after it, and a
/// day that was asked for does not come before it.
#[tokio::test]
async fn a_wrong_day_is_noted_and_gives_way_to_the_next_pull() {
    let fixture = Fixture::wire_with(|settings| settings.cache.keep_releases = 1).await;
    let newest = || {
        let cache = fixture.engine.releases.cache();
        let latest = cache.latest(FEED, Format::Json).expect("cache");
        latest.expect("a release").manifest
    };
    let metadata = |day: &str| {
        answer(
            200,
            "",
            OF_THE_20TH.replace("20261120", day).replace("20T", "19T"),
        )
    };
    fixture
        .service
        .says(of_day("20261120", &records("wrong", 2)));
    fixture.service.says(metadata("20261118"));
    let pulled = fixture.pull().await.expect("a release");
    let [doubt] = &pulled.warnings[..] else {
        panic!("{:?}", pulled.warnings)
    };
    assert!(
        doubt.contains("dch 2026-11-20 (x-feed-generation-date) may be wrong")
            && doubt.contains("named 2026-11-18"),
        "{doubt}"
    );
    assert_eq!(newest().day_doubt().as_ref(), Some(doubt));
    assert!(!newest().generation().is_known);
    let query = PullQuery {
        wanted: WantedRelease::Day(today()),
        ..PullQuery::latest(FEED)
    };
    let of_today = records("asked", 2);
    fixture
        .service
        .says(of_day("20261119", &records("right", 2)));
    fixture.service.says(metadata("20261119"));
    let pulled = fixture.pull().await.expect("a release");
    assert_eq!(
        (&pulled.warnings[..], fixture.days()),
        (&[][..], vec!["20261119".to_owned()])
    );
    assert_eq!(pulled.removed.len(), 1, "the wrong day goes first");
    fixture.service.says(of_day("20261120", &of_today));
    let asked = fixture.engine.releases.pull(&query, unheard()).await;
    asked.expect("a day");
    assert_eq!(newest().moment.to_string(), "20261119");
    assert_eq!(fixture.days(), ["20261119", "20261120"]);
}

#[tokio::test]
async fn metadata_that_cannot_be_had_is_said_and_never_replaced_by_todays_date() {
    const CHANGED: &str = "Last-Modified: Wed, 18 Nov 2026 03:00:00 GMT\r\n";
    let fixture = Fixture::wire_with(|settings| settings.network.attempts = 1).await;
    // The connection that asks for metadata is closed without an answer.
    fixture.service.says(answer(200, "", records("a", 2)));
    let error = fixture.pull().await.expect_err("not dated");
    assert_eq!(
        (error.kind, fixture.days().len()),
        (Kind::Network, 0),
        "{error}"
    );
    fixture.service.says(answer(200, CHANGED, records("a", 2)));
    let pulled = fixture.pull().await.expect("a release");
    assert_eq!(told(&pulled).1, DaySource::LastModified);
    let said = pulled
        .warnings
        .iter()
        .any(|one| one.contains("does not date"));
    assert!(said, "{:?}", pulled.warnings);
}

#[tokio::test]
async fn the_day_on_the_redirect_is_that_of_the_download() {
    let fixture = Fixture::wire().await;
    let storage = Wire::start().await;
    let location = format!(
        "Location: {}/f\r\nX-Feed-Generation-Date: 20261116\r\n",
        storage.url()
    );
    fixture.service.says(answer(302, &location, ""));
    storage.says(answer(
        200,
        "X-Feed-Generation-Date: 20201010\r\nETag: \"a\"\r\n",
        records("a", 2),
    ));
    let pulled = fixture.pull().await.expect("a release");
    assert_eq!(told(&pulled), ("20261116".to_owned(), DaySource::Header));
}

#[tokio::test]
async fn a_redirect_and_a_direct_answer_are_alike() {
    let fixture = Fixture::demo().await;
    for (feed, stored) in [(Feed::Dch, 1), (Feed::ServiceMetrics, 1)] {
        let pulled = fixture
            .engine
            .releases
            .pull(&PullQuery::latest(feed), unheard())
            .await
            .expect("a release");
        assert_eq!(
            told(&pulled),
            (today().to_string(), DaySource::Header),
            "{feed}"
        );
        assert_eq!(fixture.seen(FaultSite::Storage).len(), stored, "{feed}");
    }
}

#[tokio::test]
async fn a_day_that_was_asked_for_is_that_day() {
    let fixture = Fixture::demo().await;
    let day = today().plus(-2);
    let query = PullQuery {
        wanted: WantedRelease::Day(day),
        ..PullQuery::latest(FEED)
    };
    let pulled = fixture
        .engine
        .releases
        .pull(&query, unheard())
        .await
        .expect("a release");
    assert_eq!(told(&pulled), (day.to_string(), DaySource::Asked));
    assert!(pulled.release.manifest.pinned);
    let never = PullQuery {
        wanted: WantedRelease::Day(today().plus(-300)),
        ..query
    };
    let error = fixture
        .engine
        .releases
        .pull(&never, unheard())
        .await
        .expect_err("no such day");
    assert_eq!((error.kind, error.status), (Kind::NotFound, Some(404)));
}

#[tokio::test]
async fn the_latest_window_is_named_by_its_metadata() {
    let fixture = Fixture::demo().await;
    let pulled = fixture
        .engine
        .releases
        .pull(&PullQuery::latest(Feed::Realtime), unheard())
        .await
        .expect("a window");
    let window = pulled.release.manifest.moment;
    assert!(
        matches!(window, Moment::Window(window) if window.begins() < noon()),
        "{window}"
    );
    let asked = Window::new(today(), "0900").expect("window");
    let query = PullQuery {
        wanted: WantedRelease::Window(asked),
        ..PullQuery::latest(Feed::Realtime)
    };
    let pulled = fixture
        .engine
        .releases
        .pull(&query, unheard())
        .await
        .expect("a window");
    assert_eq!(
        told(&pulled),
        ("20261120-0900".to_owned(), DaySource::Asked)
    );
}

#[tokio::test]
async fn an_mmdb_file_lies_where_the_metadata_says_and_is_of_its_own_day() {
    let fixture = Fixture::demo().await;
    for (feed, back) in [
        (Feed::Anonymous, 0),
        (Feed::AnonymousResidential, -1),
        (Feed::Ipgeo, 0),
    ] {
        let query = PullQuery {
            form: Format::Mmdb,
            ..PullQuery::latest(feed)
        };
        let pulled = fixture
            .engine
            .releases
            .pull(&query, unheard())
            .await
            .expect("a database");
        assert_eq!(
            pulled.release.manifest.moment,
            Moment::Day(today().plus(back)),
            "{feed}"
        );
    }
    let none = PullQuery {
        form: Format::Mmdb,
        ..PullQuery::latest(Feed::Ipsummary)
    };
    let sent = fixture.service.requests().len();
    let error = fixture
        .engine
        .releases
        .pull(&none, unheard())
        .await
        .expect_err("no such form");
    assert_eq!(
        (error.kind, fixture.service.requests().len()),
        (Kind::Usage, sent)
    );
}

#[tokio::test]
async fn the_day_of_an_mmdb_file_is_not_that_of_the_json_beside_it() {
    let fixture = Fixture::demo().await;
    let query = PullQuery {
        form: Format::Mmdb,
        ..PullQuery::latest(Feed::Ipgeo)
    };
    let pulled = fixture
        .engine
        .releases
        .pull(&query, unheard())
        .await
        .expect("a database");
    let database = std::fs::read(&pulled.release.data).expect("data");
    let wire = Fixture::wire().await;
    wire.service.says(answer(200, "", &database));
    wire.service.says(answer(
        200,
        "",
        r#"{"json":{"date":"20261120"},"mmdb":{"date":"20261118"}}"#,
    ));
    let pulled = wire
        .engine
        .releases
        .pull(&query, unheard())
        .await
        .expect("a database");
    assert_eq!(told(&pulled), ("20261118".to_owned(), DaySource::Metadata));
}

#[tokio::test]
async fn a_place_that_could_lead_elsewhere_is_not_asked_for() {
    for location in [
        "20261120/../../../etc/passwd",
        "/20261120/feed.mmdb",
        "../20261120/feed.mmdb",
        "20261120/a/b.mmdb",
        "20261120/..",
        "20261120/%2e%2e",
        "http://198.51.100.7/20261120/feed.mmdb",
        "20261120/feed.mmdb?x=1",
        "20261120\\feed.mmdb",
        "latest/feed.mmdb",
        "",
    ] {
        let fixture = Fixture::wire().await;
        let metadata = serde_json::json!({"mmdb": {"location": location, "date": "20261120"}});
        fixture.service.says(answer(200, "", metadata.to_string()));
        let query = PullQuery {
            form: Format::Mmdb,
            ..PullQuery::latest(Feed::Anonymous)
        };
        let error = fixture
            .engine
            .releases
            .pull(&query, unheard())
            .await
            .expect_err(location);
        assert_eq!(
            (error.kind, fixture.service.heard().len()),
            (Kind::Contract, 1),
            "{location}: {error}"
        );
    }
    assert_eq!(Day::of(noon()), today());
}
