//! What a status means, host by host, and that no message claims more than the contract says.

use ipspect::{
    contract::{Endpoint, ExportQuery, Feed, LookupQuery, Refusal, Resource},
    demo::{Demo, DemoRole},
    engine::{Error, Kind},
    model::TagName,
};

use super::fixture::{Fixture, today};

/// One request of each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ask {
    Lookup,
    Past,
    Tag,
    Status,
    Metadata,
    Runs,
    Realtime,
    Export,
}

use Ask::{Export, Lookup, Metadata, Past, Realtime, Runs, Status, Tag};

const ALL: [Ask; 8] = [Lookup, Past, Tag, Status, Metadata, Runs, Realtime, Export];

async fn asked(fixture: &Fixture<Demo>, ask: Ask) -> Result<(), Error> {
    let engine = &fixture.engine;
    let now = LookupQuery::now("198.51.100.77".parse().expect("address"));
    match ask {
        Lookup => engine.answers.lookup(&now).await.map(drop),
        Past => engine
            .answers
            .lookup(&LookupQuery {
                date: Some(today().plus(-3)),
                ..now
            })
            .await
            .map(drop),
        Tag => engine
            .live
            .tag(&TagName::new("EXAMPLE_VPN").expect("tag"))
            .await
            .map(drop),
        Status => engine.live.status().await.map(drop),
        Metadata => engine.live.feed_metadata(Feed::Dch).await.map(drop),
        Runs => engine
            .live
            .listing(Feed::Anonymous, Resource::Runs)
            .await
            .map(drop),
        Realtime => engine.live.feed_metadata(Feed::Realtime).await.map(drop),
        Export => engine
            .exports
            .export_unnamed(
                &ExportQuery::all_of(Feed::Dch),
                false,
                ipspect::engine::progress::unheard(),
            )
            .await
            .map(drop),
    }
}

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "a table")]
async fn a_status_has_the_meaning_of_its_host() {
    let (context, feeds): (&[Ask], &[Ask]) = (&[Lookup, Tag, Status], &[Metadata, Runs, Realtime]);
    for (status, asks, kind, says, never) in [
        (
            400,
            &[Lookup][..],
            Kind::Contract,
            "refused 198.51.100.77 (400",
            "public address",
        ),
        (
            400,
            &[Past],
            Kind::NotFound,
            "no data for 20",
            "public address",
        ),
        (
            400,
            &[Tag, Status],
            Kind::Contract,
            "not in its contract",
            "address (400)",
        ),
        (
            400,
            &[Export],
            Kind::Contract,
            "the exports host refused the export (400",
            "contract",
        ),
        (400, feeds, Kind::Contract, "not in its contract", "token"),
        (
            401,
            context,
            Kind::Credentials,
            "most likely invalid",
            "no access",
        ),
        (
            401,
            feeds,
            Kind::Credentials,
            "invalid, or has no access",
            "is valid",
        ),
        (
            403,
            context,
            Kind::Credentials,
            "valid but has no access",
            "invalid",
        ),
        (
            403,
            &[Past],
            Kind::Credentials,
            "or to past days",
            "invalid",
        ),
        (
            403,
            feeds,
            Kind::Credentials,
            "invalid, or has no access",
            "is valid",
        ),
        (
            403,
            &[Export],
            Kind::Credentials,
            "invalid, or has no access",
            "is valid",
        ),
        (
            404,
            &[Past, Tag, Status, Runs, Realtime, Export],
            Kind::NotFound,
            "(404)",
            "token",
        ),
        (
            404,
            &[Metadata],
            Kind::NotFound,
            "not offered by this service",
            "token",
        ),
        (
            429,
            context,
            Kind::Quota,
            "insufficient queries",
            "too many requests",
        ),
        (
            429,
            feeds,
            Kind::RateLimit,
            "too many requests",
            "insufficient",
        ),
        (
            429,
            &[Export],
            Kind::RateLimit,
            "too many requests",
            "insufficient",
        ),
        (500, &ALL, Kind::Contract, "an error occurred", "token"),
        (502, &ALL, Kind::Contract, "an error occurred", "token"),
    ] {
        for ask in asks {
            let fixture = Fixture::demo_with(DemoRole::Full, |settings| {
                (settings.network.attempts, settings.lookup_retries) = (1, 0);
            })
            .await;
            for place in ["context", "feeds", "exports"] {
                fixture.arm(&format!("{place}:{status}"));
            }
            let error = asked(&fixture, *ask).await.expect_err("refused");
            assert_eq!(
                (error.kind, error.status),
                (kind, Some(status)),
                "{ask:?}: {error}"
            );
            assert!(
                error.message.contains(says) && !error.message.contains(never),
                "{ask:?}: {error}"
            );
        }
    }
}

#[tokio::test]
async fn every_role_is_told_what_it_may_not() {
    let denied = |asks: &[Ask]| {
        asks.iter()
            .map(|ask| (*ask, Kind::Credentials))
            .collect::<Vec<_>>()
    };
    for (role, expected) in [
        (DemoRole::Full, vec![]),
        (DemoRole::NoHistory, denied(&[Past, Runs])),
        (DemoRole::NoRealtime, denied(&[Realtime])),
        (
            DemoRole::ContextOnly,
            denied(&[Past, Metadata, Runs, Realtime, Export]),
        ),
        (DemoRole::FeedsOnly, denied(&[Lookup, Past, Tag, Export])),
        (
            DemoRole::ExportsOnly,
            denied(&[Lookup, Past, Tag, Metadata, Runs, Realtime]),
        ),
        (DemoRole::Throttled, vec![(Export, Kind::RateLimit)]),
        (
            DemoRole::Spent,
            vec![(Lookup, Kind::Quota), (Past, Kind::Quota)],
        ),
        (
            DemoRole::Inactive,
            denied(&[Lookup, Past, Tag, Metadata, Runs, Realtime, Export]),
        ),
        (DemoRole::Invalid, denied(&ALL)),
    ] {
        let fixture = Fixture::demo_with(role, |settings| settings.network.attempts = 1).await;
        let mut refused = Vec::new();
        for ask in ALL {
            match asked(&fixture, ask).await {
                Err(error) if ask == Tag && error.kind == Kind::NotFound => {}
                Err(error) => refused.push((ask, error.kind)),
                Ok(()) => {}
            }
        }
        assert_eq!(refused, expected, "{role}");
    }
}

#[test]
fn no_refusal_needs_more_than_five_lines() {
    let endpoints = [
        Endpoint::Status,
        Endpoint::Feed(Feed::Realtime, Resource::Metadata),
        Endpoint::Export(ExportQuery::all_of(Feed::Dch)),
    ];
    let long = "x".repeat(200);
    for endpoint in &endpoints {
        for status in [400, 401, 403, 404, 418, 429, 500, 599] {
            let refusal = Refusal::of(endpoint, status).expect("a refusal");
            let text = Error::refused(endpoint, refusal, status, None, Some(&long)).to_string();
            assert!(
                text.lines().count() <= 5 && !text.contains('\u{1b}'),
                "{text}"
            );
        }
    }
}
