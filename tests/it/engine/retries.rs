//! How often feeds and exports are asked again, and when.

use std::time::{Duration, Instant};

use ipspect::{
    contract::{ExportQuery, Feed},
    demo::{Demo, DemoRole, FaultSite},
    engine::{ExportRun, Kind, Result, progress::unheard},
};

use super::{fixture::Fixture, wire::answer};

/// The same trouble of each kind of request that may be repeated.
async fn asked(fixture: &Fixture<Demo>, place: FaultSite) -> Result<()> {
    match place {
        FaultSite::Exports => {
            let run = ExportRun {
                query: ExportQuery::all_of(Feed::Dch),
                file: fixture.path("out.csv"),
                force: false,
                spreadsheet_safe: false,
            };
            fixture
                .engine
                .exports
                .export(&run, unheard())
                .await
                .map(drop)
        }
        FaultSite::Storage => fixture.pull().await.map(drop),
        _ => fixture.engine.live.feed_metadata(Feed::Dch).await.map(drop),
    }
}

#[tokio::test]
async fn five_requests_are_made_and_no_sixth() {
    for (place, fault) in [
        (FaultSite::Feeds, "feeds:500"),
        (FaultSite::Feeds, "feeds:reset"),
        (FaultSite::Feeds, "feeds:429"),
        (FaultSite::Exports, "exports:500"),
        (FaultSite::Exports, "exports:429"),
        (FaultSite::Exports, "exports:cut=9"),
        (FaultSite::Storage, "storage:503"),
        (FaultSite::Storage, "storage:expired"),
    ] {
        for (attempts, expected) in [(5, 5), (1, 1)] {
            let fixture = Fixture::demo_with(DemoRole::Full, |settings| {
                settings.network.attempts = attempts
            })
            .await;
            fixture.arm(fault);
            let error = asked(&fixture, place).await.expect_err(fault);
            assert_eq!(fixture.seen(place).len(), expected, "{fault}: {error}");
            assert_eq!(
                error.message.contains("after 5 attempts"),
                attempts == 5,
                "{fault}: {error}"
            );
        }
    }
}

#[tokio::test]
async fn what_another_try_cannot_change_is_asked_once() {
    for (place, fault) in [
        (FaultSite::Feeds, "feeds:403"),
        (FaultSite::Feeds, "feeds:404"),
        (FaultSite::Feeds, "feeds:html"),
        (FaultSite::Exports, "exports:400"),
        (FaultSite::Exports, "exports:403"),
        (FaultSite::Exports, "exports:html"),
        (FaultSite::Storage, "storage:404"),
        (FaultSite::Storage, "storage:html"),
    ] {
        let fixture = Fixture::demo().await;
        fixture.arm(fault);
        asked(&fixture, place).await.expect_err(fault);
        assert_eq!(fixture.seen(place).len(), 1, "{fault}");
    }
}

#[tokio::test]
async fn passing_trouble_passes() {
    for (place, fault) in [
        (FaultSite::Feeds, "feeds:500x4"),
        (FaultSite::Exports, "exports:429=0x4"),
        (FaultSite::Storage, "storage:resetx4"),
    ] {
        let fixture = Fixture::demo().await;
        fixture.arm(fault);
        asked(&fixture, place).await.expect(fault);
        assert_eq!(fixture.seen(place).len(), 5, "{fault}");
    }
}

#[tokio::test]
async fn the_pause_that_is_asked_for_is_made() {
    let fixture = Fixture::demo().await;
    fixture.arm("exports:429=1x1");
    let begun = Instant::now();
    asked(&fixture, FaultSite::Exports)
        .await
        .expect("an export");
    assert!(begun.elapsed() >= Duration::from_secs(1));
}

#[tokio::test]
async fn a_pause_of_more_than_two_minutes_ends_it_with_the_time_to_come_back() {
    for (seconds, until) in [
        ("121", "2026-11-20T12:02:01Z"),
        ("7200", "2026-11-20T14:00:00Z"),
        ("9223372036854775807", "9999-12-30"),
    ] {
        for attempts in [5, 1] {
            let fixture = Fixture::demo_with(DemoRole::Full, |settings| {
                settings.network.attempts = attempts
            })
            .await;
            fixture.arm(&format!("exports:429={seconds}"));
            let error = asked(&fixture, FaultSite::Exports)
                .await
                .expect_err("later");
            assert_eq!(
                (error.kind, fixture.seen(FaultSite::Exports).len()),
                (Kind::RateLimit, 1)
            );
            assert!(
                error
                    .hint
                    .as_deref()
                    .is_some_and(|hint| hint.contains(until)),
                "{error}"
            );
        }
    }
}

#[tokio::test]
async fn the_pause_may_be_a_date_on_the_clock_of_the_service() {
    let fixture = Fixture::wire().await;
    let later =
        "Date: Fri, 20 Nov 2026 03:58:00 GMT\r\nRetry-After: Fri, 20 Nov 2026 04:58:00 GMT\r\n";
    fixture.service.says(answer(503, later, ""));
    let error = fixture
        .engine
        .live
        .feed_metadata(Feed::Dch)
        .await
        .expect_err("later");
    assert!(
        error
            .hint
            .is_some_and(|hint| hint.contains("2026-11-20T13:00:00Z"))
    );
}
