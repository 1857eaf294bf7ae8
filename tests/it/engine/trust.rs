//! Where the token goes, and where it never goes.

use ipspect::{
    contract::{Endpoint, Feed, Host, LookupQuery, Token},
    demo::{DemoRole, FaultSite},
    engine::{Kind, PullQuery, progress::unheard},
};

use super::{
    fixture::{Fixture, TOKEN},
    wire::{Wire, answer, header},
};

#[tokio::test]
async fn the_storage_is_asked_without_token_and_without_referer() {
    let fixture = Fixture::demo().await;
    let pulled = fixture
        .engine
        .releases
        .pull(&PullQuery::latest(Feed::Dch), unheard())
        .await;
    pulled.expect("a release");
    let token = fixture.service.token(DemoRole::Full);
    let (asked, stored) = (
        fixture.seen(FaultSite::Feeds),
        fixture.seen(FaultSite::Storage),
    );
    assert!(
        asked.iter().all(|seen| seen.header("token") == Some(token)),
        "{asked:?}"
    );
    assert_eq!(stored.len(), 1);
    for seen in &stored {
        let told = seen
            .headers
            .iter()
            .any(|(name, value)| name == "referer" || value.contains(token));
        assert!(!told && !seen.target.contains(token), "{seen:?}");
    }
}

#[tokio::test]
async fn no_request_to_any_host_has_the_token_in_its_url() {
    let fixture = Fixture::demo().await;
    fixture.engine.live.probe().await;
    let address = "198.51.100.77".parse().expect("address");
    fixture
        .engine
        .answers
        .lookup(&LookupQuery::now(address))
        .await
        .expect("answer");
    let token = fixture.service.token(DemoRole::Full);
    let seen = fixture.service.requests();
    assert!(seen.len() >= 6);
    for seen in seen {
        assert!(!seen.target.contains(token), "{seen:?}");
        assert_eq!(
            (seen.header("token"), seen.header("referer")),
            (Some(token), None),
            "{seen:?}"
        );
    }
}

#[tokio::test]
async fn another_port_is_another_origin() {
    let fixture = Fixture::wire().await;
    let other = Wire::start().await;
    other.says(answer(404, "", ""));
    fixture
        .service
        .says(moved(&format!("{}/elsewhere", other.url())));
    let error = fixture
        .engine
        .live
        .feed_metadata(Feed::Dch)
        .await
        .expect_err("not there");
    assert_eq!(error.status, Some(404), "{error}");
    let [there] = &other.heard()[..] else {
        panic!("{:?}", other.heard())
    };
    assert!(there.starts_with("GET /elsewhere HTTP/1.1\r\n"), "{there}");
    assert!(
        !there.contains(TOKEN) && header(there, "token").is_none(),
        "{there}"
    );
    assert_eq!(header(there, "referer"), None);
    assert_eq!(header(&fixture.service.heard()[0], "token"), Some(TOKEN));
}

#[tokio::test]
async fn another_spelling_of_this_machine_is_another_origin() {
    let fixture = Fixture::wire().await;
    let alias = fixture.service.url().replace("127.0.0.1", "localhost");
    fixture
        .service
        .says(moved(&format!("{alias}/v2/dch/latest")));
    fixture.service.says(answer(404, "", ""));
    fixture
        .engine
        .live
        .feed_metadata(Feed::Dch)
        .await
        .expect_err("not there");
    let tokens: Vec<bool> = fixture
        .service
        .heard()
        .iter()
        .map(|head| head.contains(TOKEN))
        .collect();
    assert_eq!(tokens, [true, false]);
}

#[tokio::test]
async fn a_way_back_to_the_configured_origin_has_the_token_again() {
    let fixture = Fixture::wire().await;
    let other = Wire::start().await;
    fixture
        .service
        .says(moved(&format!("{}/there", other.url())));
    other.says(moved(&format!("{}/back", fixture.service.url())));
    fixture
        .service
        .says(answer(200, "", r#"{"json":{"date":"20261120"}}"#));
    let metadata = fixture
        .engine
        .live
        .feed_metadata(Feed::Anonymous)
        .await
        .expect("metadata");
    assert_eq!(metadata.provenance.status, 200);
    assert!(!other.heard()[0].contains(TOKEN));
    let tokens: Vec<_> = fixture
        .service
        .heard()
        .iter()
        .map(|head| header(head, "token") == Some(TOKEN))
        .collect();
    assert_eq!(tokens, [true, true]);
}

#[tokio::test]
async fn five_redirects_are_followed_and_a_sixth_is_refused() {
    for (hops, expected) in [(5, None), (6, Some(Kind::Contract))] {
        let fixture = Fixture::wire().await;
        for _ in 0..hops {
            fixture.service.says(moved("/v2/anonymous/latest"));
        }
        fixture.service.says(answer(200, "", "{}"));
        let asked = fixture.engine.live.feed_metadata(Feed::Anonymous).await;
        assert_eq!(asked.err().map(|error| error.kind), expected, "{hops} hops");
        assert_eq!(fixture.service.heard().len(), 6, "{hops} hops");
    }
}

#[tokio::test]
async fn redirects_to_where_no_download_may_lie_are_refused_unfollowed() {
    let watched = Wire::start().await;
    let port = watched.url().replace("http://127.0.0.1:", "");
    for (to, why) in [
        (format!("http://me:secret@127.0.0.1:{port}/f"), "user name"),
        (format!("http://me@127.0.0.1:{port}/f"), "user name"),
        (format!("ftp://127.0.0.1:{port}/f"), "not http"),
        ("file:///etc/hostname".to_owned(), "not http"),
        ("gopher://storage.example/f".to_owned(), "not http"),
        ("data:application/json,{}".to_owned(), "not http"),
        (
            "http://storage.example/f".to_owned(),
            "not allowed for downloads",
        ),
        ("http://[".to_owned(), "not a URL"),
    ] {
        let fixture = Fixture::wire().await;
        fixture.service.says(moved(&to)).says(moved(&to));
        let error = fixture
            .engine
            .live
            .feed_metadata(Feed::Anonymous)
            .await
            .expect_err(&to);
        assert_eq!(error.kind, Kind::Contract, "{to}: {error}");
        assert!(
            error.message.contains(why) && !error.to_string().contains("secret"),
            "{to}: {error}"
        );
        assert!(!error.to_string().contains(TOKEN), "{to}: {error}");
    }
    assert_eq!(watched.heard(), [""; 0]);
}

#[tokio::test]
async fn hosts_that_do_not_redirect_by_contract_are_not_followed() {
    let fixture = Fixture::demo().await;
    let elsewhere = Wire::start().await;
    for place in ["context", "exports"] {
        fixture.arm(&format!(
            "{place}:redirect={}/f?signature=secret-3",
            elsewhere.url()
        ));
    }
    for probed in fixture.engine.live.probe().await {
        if probed.area.host() == Host::Feeds {
            continue;
        }
        let error = probed.outcome.expect_err("a redirect");
        assert_eq!(
            (error.kind, error.status),
            (Kind::Contract, Some(302)),
            "{error}"
        );
        let text = error.to_string();
        assert!(
            text.contains(&elsewhere.url()) && !text.contains("secret-3"),
            "{text}"
        );
    }
    assert_eq!(elsewhere.heard(), [""; 0]);
}

#[tokio::test]
async fn a_loop_of_redirects_ends_and_is_not_repeated() {
    let fixture = Fixture::demo().await;
    fixture.arm("feeds:loop");
    let error = fixture
        .engine
        .live
        .feed_metadata(Feed::Anonymous)
        .await
        .expect_err("a loop");
    assert_eq!(
        (error.kind, fixture.seen(FaultSite::Feeds).len()),
        (Kind::Contract, 6),
        "{error}"
    );
}

#[tokio::test]
async fn the_token_is_in_no_error_no_state_and_no_debug_text() {
    let fixture = Fixture::wire().await;
    // A service that repeats what it was sent must not get it shown.
    let echo = format!(r#"{{"error":"bad token {TOKEN}"}}"#);
    fixture.service.says(answer(401, "", &echo));
    let error = fixture.engine.live.status().await.expect_err("refused");
    let shown = format!(
        "{error} {error:?} {:?} {:?}",
        fixture.engine,
        fixture.engine.account.access()
    );
    assert!(!shown.contains(TOKEN), "{shown}");
    let state = &fixture.engine.settings.paths.state;
    for entry in std::fs::read_dir(state).expect("state") {
        let path = entry.expect("entry").path();
        let bytes = std::fs::read(&path).expect("file");
        assert!(
            !String::from_utf8_lossy(&bytes).contains(TOKEN),
            "{}",
            path.display()
        );
    }
    let url = fixture
        .engine
        .settings
        .url_of(&Endpoint::Status)
        .expect("url");
    assert!(!url.contains(TOKEN) && Token::HEADER == "token");
}

fn moved(to: &str) -> Vec<u8> {
    answer(302, &format!("Location: {to}\r\n"), "")
}
