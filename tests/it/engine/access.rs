//! What the hosts say of a token: asked for nothing, put together, and kept apart from other tokens and services.

use std::{collections::BTreeMap, fs};

use ipspect::{
    contract::{BaseUrl, Host, LookupQuery, Token},
    demo::DemoRole,
    engine::{Area, Engine, Settings, credentials},
};

use super::{fixture::Fixture, wire::answer};

/// What each area means once the probes are back.
async fn meanings(role: DemoRole) -> BTreeMap<Area, &'static str> {
    let fixture = Fixture::demo_as(role).await;
    fixture.engine.live.probe().await;
    // The balance that the status named is there, and nothing that was spent.
    let statement = fixture.engine.account.ledger.statement().expect("ledger");
    let noted: u32 = statement
        .spent
        .iter()
        .map(|spent| spent.surely + spent.possibly)
        .sum();
    assert_eq!((fixture.service.spent(role), noted), (0, 0), "{role}");
    let access = fixture.engine.account.access();
    Area::ALL
        .into_iter()
        .map(|area| (area, access.meaning(area)))
        .collect()
}

#[tokio::test]
async fn probing_spends_nothing_and_one_host_explains_another() {
    const ALLOWED: &str = "allowed";
    for (role, expected) in [
        (DemoRole::Full, [ALLOWED; 5]),
        (
            DemoRole::NoHistory,
            [
                ALLOWED,
                ALLOWED,
                "token valid, no historical access",
                ALLOWED,
                ALLOWED,
            ],
        ),
        (
            DemoRole::NoRealtime,
            [
                ALLOWED,
                ALLOWED,
                ALLOWED,
                "token valid, no realtime access",
                ALLOWED,
            ],
        ),
        (
            DemoRole::FeedsOnly,
            [
                ALLOWED,
                ALLOWED,
                ALLOWED,
                ALLOWED,
                "token valid, no export access",
            ],
        ),
        (
            DemoRole::Throttled,
            [
                ALLOWED,
                ALLOWED,
                ALLOWED,
                ALLOWED,
                "slow down, try again later",
            ],
        ),
        (
            DemoRole::Invalid,
            [
                "token most likely invalid",
                INVALID,
                INVALID,
                INVALID,
                INVALID,
            ],
        ),
    ] {
        let told = meanings(role).await;
        let probed = [
            Area::Status,
            Area::Feeds,
            Area::FeedHistory,
            Area::Realtime,
            Area::Exports,
        ];
        assert_eq!(probed.map(|area| told[&area]), expected, "{role}");
        assert_eq!(told[&Area::Lookup], "not tested: costs a query", "{role}");
    }
}

const INVALID: &str = "the Context API rejected this token (401)";

#[tokio::test]
async fn a_past_day_refused_means_missing_history_only_where_today_is_allowed() {
    let fixture = Fixture::demo_as(DemoRole::NoHistory).await;
    let today = LookupQuery::now("198.51.100.77".parse().expect("address"));
    let past = LookupQuery {
        date: Some(super::fixture::today().plus(-3)),
        ..today
    };
    let error = fixture
        .engine
        .answers
        .lookup(&past)
        .await
        .expect_err("no history");
    assert!(error.message.contains("or to past days"), "{error}");
    let meaning = || fixture.engine.account.access().meaning(Area::History);
    assert_eq!(
        meaning(),
        "token valid, no access to the Context API or to past days"
    );
    fixture
        .engine
        .answers
        .lookup(&today)
        .await
        .expect("an answer");
    assert_eq!(meaning(), "token valid, no historical access");
    let error = fixture.engine.answers.lookup(&past).await;
    let error = error.expect_err("still none");
    assert!(error.message.contains(meaning()), "{error}");
}

#[tokio::test]
async fn a_page_put_in_between_says_nothing_of_the_token() {
    let fixture = Fixture::wire().await;
    fixture
        .service
        .says(answer(200, "Content-Type: text/html\r\n", "<html>"));
    fixture.engine.live.status().await.expect_err("a page");
    assert_eq!(
        fixture.engine.account.access().meaning(Area::Status),
        "no answer"
    );
    let fixture = Fixture::wire().await;
    fixture
        .service
        .says(answer(302, "Location: /login\r\n", ""));
    fixture.engine.live.status().await.expect_err("a redirect");
    assert_eq!(
        fixture.engine.account.access().meaning(Area::Status),
        "not an answer of the contract"
    );
}

#[tokio::test]
async fn what_was_heard_is_there_in_the_next_run_and_not_for_another_token() {
    let mut fixture = Fixture::demo().await;
    fixture.engine.live.probe().await;
    fixture.restart();
    assert_eq!(
        fixture.engine.account.access().meaning(Area::Exports),
        "allowed"
    );
    let address = "198.51.100.77".parse().expect("address");
    fixture
        .engine
        .answers
        .lookup(&LookupQuery::now(address))
        .await
        .expect("an answer");
    assert!(fixture.engine.account.balance().is_some());
    fixture
        .engine
        .account
        .use_token(&Token::new(DemoRole::Invalid.token()).expect("token"));
    assert_eq!(
        (
            fixture.engine.account.access().meaning(Area::Exports),
            fixture.engine.account.balance()
        ),
        ("not tried", None)
    );
    // The next run has the first token again, and what was heard of that one.
    fixture.restart();
    assert_eq!(
        fixture.engine.account.access().meaning(Area::Exports),
        "allowed"
    );
}

#[tokio::test]
async fn services_do_not_hear_of_each_other() {
    let fixture = Fixture::demo().await;
    let elsewhere = Fixture::wire().await;
    let real = |base: &BaseUrl, profile: &str| {
        let paths = fixture.engine.settings.paths.clone();
        let mut settings = Settings {
            profile: profile.to_owned(),
            ..Settings::plain(paths)
        };
        settings.service.set_url(Host::Context, base.clone());
        settings.admission = fixture.engine.settings.admission.clone();
        let engine = Engine::new(settings);
        engine
            .account
            .use_token(&Token::new(DemoRole::Full.token()).expect("token"));
        engine
    };
    let here = fixture.engine.settings.url(Host::Context).expect("url");
    let there = elsewhere.engine.settings.url(Host::Context).expect("url");
    let query = LookupQuery::now("198.51.100.77".parse().expect("address"));
    let first = real(here, "default");
    first.answers.lookup(&query).await.expect("an answer");
    let lines = |engine: &Engine| {
        engine
            .account
            .ledger
            .statement()
            .expect("ledger")
            .spent
            .len()
    };
    assert_eq!(
        (lines(&first), first.account.access().meaning(Area::Lookup)),
        (1, "allowed")
    );
    let meaning = |engine: &Engine| engine.account.access().meaning(Area::Lookup);
    let elsewhere = real(there, "default");
    assert_eq!(
        (lines(&elsewhere), meaning(&elsewhere)),
        (0, "not tested: costs a query")
    );
    // What is known of a token is known in every profile that has it.
    let work = real(here, "work");
    assert_eq!((lines(&work), meaning(&work)), (0, "allowed"));
    // And of no other token, also where the program comes to know it later.
    first
        .account
        .use_token(&Token::new(DemoRole::ContextOnly.token()).expect("token"));
    assert_eq!(meaning(&first), "not tested: costs a query");
    first
        .account
        .use_token(&Token::new(DemoRole::Full.token()).expect("token"));
    assert_eq!(meaning(&first), "allowed");
    assert_eq!(lines(&fixture.engine), 0);
}

#[cfg(unix)]
#[tokio::test]
async fn what_is_kept_is_for_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let fixture = Fixture::demo().await;
    let token = Token::new("proof-token-1").expect("token");
    credentials::store("default", &fixture.path("config"), &token).expect("stored");
    let file = credentials::file_of("default", &fixture.path("config"));
    let query = LookupQuery::now("198.51.100.77".parse().expect("address"));
    fixture
        .engine
        .answers
        .lookup(&query)
        .await
        .expect("an answer");
    let pulled = fixture.pull().await.expect("a release");
    let state = &fixture.engine.settings.paths.state;
    let mode =
        |path: &std::path::Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
    for path in [
        &file,
        &state.join("ledger"),
        &state.join("hosts.json"),
        &pulled.release.data,
    ] {
        assert_eq!(mode(path), 0o600, "{}", path.display());
        assert_eq!(
            mode(path.parent().expect("a folder")),
            0o700,
            "{}",
            path.display()
        );
    }
}
