//! One address, one query: what is sent, what it costs, what is believed.

use std::{net::IpAddr, time::Duration};

use ipspect::{
    contract::{Host, LookupQuery},
    demo::{Demo, DemoRole, FaultSite},
    engine::{
        Balance, BalanceSource, Error, Kind, LookupAnswer, NotAnswered, Result, Spending, Spent,
        answers::{PolicyStep, Source},
        trail::TrailEntry,
    },
    model::Document,
};

use super::{
    fixture::{Fixture, noon, until},
    wire::{Wire, answer},
};

/// An address of which the demo knows much.
const KNOWN: &str = "198.51.100.77";
const RECORD: &str = r#"{"ip":"198.51.100.77","as":{"number":64500}}"#;

impl<S> Fixture<S> {
    async fn lookup(&self, address: &str) -> Result<LookupAnswer> {
        self.engine.answers.lookup(&query(address)).await
    }

    async fn refused(&self) -> Error {
        self.lookup(KNOWN).await.expect_err("no answer")
    }

    /// Queries in the ledger: surely and possibly spent.
    fn ledger(&self) -> (u32, u32) {
        let lines = self
            .engine
            .account
            .ledger
            .statement()
            .expect("ledger")
            .spent;
        let add =
            |(surely, possibly), line: Spent| (surely + line.surely, possibly + line.possibly);
        lines.into_iter().fold((0, 0), add)
    }
}

fn query(address: &str) -> LookupQuery {
    LookupQuery::now(address.parse().expect(address))
}

async fn struck(fault: &str) -> Fixture<Demo> {
    let fixture = Fixture::demo().await;
    fixture.arm(fault);
    fixture
}

#[tokio::test]
async fn nothing_is_sent_about_addresses_that_are_not_public() {
    let fixture = Fixture::demo().await;
    for address in [
        "0.0.0.0",
        "10.0.0.1",
        "100.64.0.1",
        "127.0.0.1",
        "169.254.1.1",
        "172.16.0.1",
        "192.168.0.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "fc00::1",
        "fe80::1",
        "ff02::1",
        "::ffff:10.0.0.1",
    ] {
        let error = fixture.lookup(address).await.expect_err(address);
        assert_eq!(error.kind, Kind::Usage, "{address}: {error}");
        assert!(error.message.contains("nothing was sent"), "{error}");
    }
    let tomorrow = LookupQuery {
        date: Some(super::fixture::today().plus(2)),
        ..query(KNOWN)
    };
    assert_eq!(
        fixture
            .engine
            .answers
            .lookup(&tomorrow)
            .await
            .map(drop)
            .map_err(|error| error.kind),
        Err(Kind::Usage)
    );
    assert_eq!(
        (fixture.service.requests().len(), fixture.ledger()),
        (0, (0, 0))
    );
}

#[tokio::test]
async fn an_answer_is_kept_word_for_word() {
    for record in [
        RECORD,
        "{\"ip\": \"198.51.100.77\",\r\n\t\"new\": [1.0, 1e400, -0, 12345678901234567890123],  \"new\": null}",
        r#"{"ip":"198.51.100.77","lone":"\ud800","escaped":"\u0026","as":7,"tunnels":[null,"VPN"],"client":{"count":14.0}}"#,
        "{\"ip\":\"198.51.100.77\",\"name\":\"zażółć\u{202e}\"}\n",
    ] {
        let fixture = Fixture::wire().await;
        fixture
            .service
            .says(answer(200, "Content-Type: application/json\r\n", record));
        let found = fixture
            .lookup(KNOWN)
            .await
            .expect(record)
            .record
            .expect("a record");
        assert_eq!(found.document.text(), record);
    }
}

#[tokio::test]
async fn odd_fields_cost_themselves_and_not_the_answer() {
    let fixture = struck("context:odd").await;
    let answer = fixture.lookup(KNOWN).await.expect("an answer");
    let record = answer.record.expect("a record");
    assert!(record.document.lossy() && record.document.text().contains("\\ud800"));
    assert_eq!(fixture.ledger(), (1, 0));
}

#[tokio::test]
async fn an_answer_about_another_address_is_refused() {
    let fixture = struck("context:other").await;
    let error = fixture.refused().await;
    assert_eq!(error.kind, Kind::Contract);
    assert!(
        error.message.contains("203.0.113.99") && error.message.contains(KNOWN),
        "{error}"
    );
    for record in [
        r#"{"as":{"number":64500}}"#,
        r#"{"ip":"nonsense"}"#,
        "[]",
        "7",
        r#""198.51.100.77""#,
    ] {
        let fixture = Fixture::wire().await;
        fixture.service.says(answer(200, "", record));
        assert_eq!(fixture.refused().await.kind, Kind::Contract, "{record}");
        assert_eq!(fixture.ledger(), (1, 0), "{record}");
    }
}

#[tokio::test]
async fn a_repeated_key_that_names_another_address_is_refused() {
    for (record, refused) in [
        (
            r#"{"ip":"203.0.113.99","as":{},"ip":"198.51.100.77"}"#,
            true,
        ),
        (r#"{"\u0069p":"203.0.113.99","ip":"198.51.100.77"}"#, true),
        (r#"{"ip":7,"ip":"198.51.100.77"}"#, true),
        (
            r#"{"network":"203.0.113.0/24","network":"198.51.100.0/24"}"#,
            true,
        ),
        (
            r#"{"ip":"::ffff:198.51.100.77","ip":"198.51.100.77"}"#,
            false,
        ),
        (
            r#"{"ip":null,"ip":"198.51.100.77","client":{"ip":"203.0.113.99"}}"#,
            false,
        ),
    ] {
        let fixture = Fixture::wire().await;
        fixture.service.says(answer(200, "", record));
        let found = fixture
            .lookup(KNOWN)
            .await
            .map(drop)
            .map_err(|error| error.kind);
        assert_eq!(
            found,
            if refused { Err(Kind::Contract) } else { Ok(()) },
            "{record}"
        );
        let sources = fixture.engine.answers.sources(&query(KNOWN)).await;
        let cached = sources.expect("sources").cached;
        assert_eq!(cached.is_none(), refused, "{record}");
    }
}

#[tokio::test]
async fn an_answer_about_another_tag_is_refused() {
    for (record, refused) in [
        (r#"{"tag":"BRAVO_PROXY"}"#, true),
        (r#"{"tag":"BRAVO_PROXY","tag":"ACME_VPN"}"#, true),
        (
            r#"{"tag":"BRAVO_PROXY","aliasOf":"ACME_VPN","resoldBy":["ACME_VPN"]}"#,
            true,
        ),
        (r#"{"name":"Acme"}"#, true),
        (r#"{"tag":7}"#, true),
        (r#"{"tag":"ACME_VPN"}"#, false),
        (r#"{"tag":"acme_vpn"}"#, false),
        (r#"{"tag":"ACME","allTags":["ACME","ACME_VPN"]}"#, false),
        (r#"{"tag":"ACME","aliases":["ACME_VPN"]}"#, false),
    ] {
        let fixture = Fixture::wire().await;
        fixture.service.says(answer(200, "", record));
        let asked = "ACME_VPN".parse().expect("tag");
        let found = fixture.engine.live.tag(&asked).await;
        match found {
            Ok(_) => assert!(!refused, "{record}"),
            Err(error) => {
                assert!(refused && error.kind == Kind::Contract, "{record}: {error}");
                assert!(error.message.contains("ACME_VPN"), "{error}");
            }
        }
    }
}

#[tokio::test]
async fn other_spellings_of_the_same_address_are_the_same_address() {
    for (asked, told) in [
        ("2001:db8::77", "2001:0DB8:0:0:0:0:0:77"),
        (KNOWN, "::ffff:198.51.100.77"),
        ("2001:db8::77", "2001:db8::/64"),
    ] {
        let key = if told.contains('/') { "network" } else { "ip" };
        let fixture = Fixture::wire().await;
        fixture
            .service
            .says(answer(200, "", format!(r#"{{"{key}":"{told}"}}"#)));
        assert!(fixture.lookup(asked).await.expect(told).record.is_some());
    }
}

/// Each trouble: its kind, how often it was asked, what is surely and what is possibly spent.
#[tokio::test]
async fn tries_are_repeated_only_where_no_query_can_be_lost_twice() {
    for (fault, kind, tries, spent) in [
        ("context:429", Kind::Quota, 1, (0, 0)),
        ("context:429=1", Kind::Quota, 1, (0, 0)),
        ("context:401", Kind::Credentials, 1, (0, 0)),
        ("context:403", Kind::Credentials, 1, (0, 0)),
        ("context:400", Kind::Contract, 1, (0, 0)),
        ("context:418", Kind::Contract, 1, (0, 0)),
        ("context:500", Kind::Contract, 2, (0, 2)),
        ("context:503", Kind::Contract, 2, (0, 2)),
        ("context:500x1", Kind::Contract, 2, (1, 1)),
        ("context:reset", Kind::Network, 1, (0, 1)),
        ("context:garbage", Kind::Network, 1, (0, 1)),
        ("context:cut=10", Kind::Network, 1, (0, 1)),
        ("context:html", Kind::Contract, 1, (0, 1)),
        ("context:other", Kind::Contract, 1, (1, 0)),
    ] {
        let fixture = struck(fault).await;
        let result = fixture.lookup(KNOWN).await;
        assert_eq!(fixture.seen(FaultSite::Context).len(), tries, "{fault}");
        assert_eq!(fixture.ledger(), spent, "{fault}");
        match result {
            Ok(answer) => assert_eq!(
                (answer.provenance.attempts, answer.provenance.possibly_spent),
                (2, 1),
                "{fault}"
            ),
            Err(error) => {
                assert_eq!(error.kind, kind, "{fault}: {error}");
                let told = error.message.contains("possibly spent");
                assert_eq!(
                    told,
                    spent.1 > 0 && fault != "context:html",
                    "{fault}: {error}"
                );
            }
        }
    }
}

#[tokio::test]
async fn retries_turned_off_are_off() {
    let fixture = Fixture::demo_with(DemoRole::Full, |settings| settings.lookup_retries = 0).await;
    fixture.arm("context:500");
    fixture.refused().await;
    assert_eq!(fixture.seen(FaultSite::Context).len(), 1);
}

#[tokio::test]
async fn a_refused_connection_is_tried_twice_more_and_costs_nothing() {
    let gone = Wire::start().await.url();
    let fixture = Fixture::demo_with(DemoRole::Full, |settings| {
        settings
            .service
            .set_url(Host::Context, gone.parse().expect("url"));
    })
    .await;
    let error = fixture.refused().await;
    assert_eq!(error.kind, Kind::Network);
    assert!(
        error.message.contains("could not be reached")
            && error.message.contains("after 3 attempts"),
        "{error}"
    );
    assert_eq!(fixture.ledger(), (0, 0));
}

#[tokio::test]
async fn a_lookup_on_a_connection_that_was_used_before_is_not_sent_twice() {
    let fixture = Fixture::wire().await;
    fixture.service.says_and_listens(answer(200, "", RECORD));
    fixture.lookup(KNOWN).await.expect("an answer");
    let error = fixture.refused().await;
    assert_eq!(
        (error.kind, fixture.service.heard().len(), fixture.ledger()),
        (Kind::Network, 2, (1, 1))
    );
}

#[tokio::test]
async fn silence_ends_in_time() {
    let fixture = Fixture::demo_with(DemoRole::Full, |settings| {
        settings.network.header_timeout_s = 1
    })
    .await;
    fixture.arm("context:hang");
    let error = fixture.refused().await;
    assert!(
        error.kind == Kind::Network && error.message.contains("within 1 s"),
        "{error}"
    );
    let fixture = Fixture::wire_with(|settings| settings.network.silence_timeout_s = 1).await;
    fixture
        .service
        .says_and_holds("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{");
    let error = fixture.refused().await;
    assert!(
        error.kind == Kind::Network && error.message.contains("no data for"),
        "{error}"
    );
    assert_eq!(fixture.ledger(), (0, 1));
}

#[tokio::test]
async fn a_lookup_that_is_dropped_under_way_is_possibly_spent() {
    let fixture = struck("context:hang").await;
    let heard = || !fixture.seen(FaultSite::Context).is_empty();
    tokio::select! {
        answer = fixture.lookup(KNOWN) => panic!("{answer:?}"),
        () = super::fixture::until("the request is heard", heard) => {}
    }
    assert_eq!(fixture.ledger(), (0, 1));
}

#[tokio::test]
async fn a_web_page_is_called_one_whatever_its_status_and_its_headers() {
    const PAGE: &str = "\u{feff}\n <!DOCTYPE html><title>Guest network</title>";
    for status in [200, 400, 401, 403, 404, 418, 429, 500, 511] {
        for kind in [
            "Content-Type: Text/HTML; charset=utf-8\r\n",
            "Content-Type: application/json\r\n",
            "",
        ] {
            let fixture = Fixture::wire_with(|settings| settings.lookup_retries = 0).await;
            fixture.service.says(answer(status, kind, PAGE));
            let error = fixture.refused().await;
            assert!(
                error.message.contains("web page"),
                "{status} {kind}: {error}"
            );
            assert_eq!(error.status, Some(status));
        }
    }
}

#[tokio::test]
async fn answers_without_bounds_are_refused() {
    let deep = format!(
        r#"{{"ip":"{KNOWN}","a":{}{}}}"#,
        "[".repeat(Document::DEEPEST),
        "]".repeat(Document::DEEPEST)
    );
    let abyss = format!("{{\"a\":{}", "[".repeat(200_000));
    let wide = format!(
        r#"{{"ip":"{KNOWN}","a":[{}1]}}"#,
        "1,".repeat(Document::MOST_VALUES)
    );
    let long = format!(r#"{{"ip":"{KNOWN}","a":"{}"}}"#, "x".repeat(16 << 20));
    for (what, body, spent) in [
        ("deep", deep, (1, 0)),
        ("abyss", abyss, (1, 0)),
        ("wide", wide, (1, 0)),
        ("long", long, (0, 1)),
    ] {
        let fixture = Fixture::wire().await;
        fixture.service.says(answer(200, "", body));
        let error = fixture.refused().await;
        assert_eq!(
            (error.kind, fixture.ledger()),
            (Kind::Contract, spent),
            "{what}: {error}"
        );
        assert_eq!(fixture.service.heard().len(), 1, "{what}");
    }
}

#[tokio::test]
async fn a_404_is_an_answer_that_says_nothing_and_not_one_that_clears() {
    let fixture = Fixture::wire().await;
    fixture.service.says(answer(500, "", "")).says(answer(
        404,
        "x-balance-remaining: 9\r\n",
        r#"{"error":"no data"}"#,
    ));
    let answer = fixture.lookup(KNOWN).await.expect("an answer");
    assert!(answer.record.is_none());
    let told = &answer.provenance;
    assert_eq!(
        (
            told.status,
            told.attempts,
            told.cost,
            told.possibly_spent,
            told.balance
        ),
        (404, 2, 0, 2, Some(9))
    );
    assert_eq!(fixture.ledger(), (0, 2));
    let past = LookupQuery {
        date: Some(super::fixture::today().plus(-900)),
        ..query(KNOWN)
    };
    let demo = Fixture::demo().await;
    let error = demo
        .engine
        .answers
        .lookup(&past)
        .await
        .expect_err("no such day");
    assert_eq!((error.kind, error.status), (Kind::NotFound, Some(404)));
}

#[tokio::test]
async fn a_balance_that_is_not_named_is_unknown_and_forgets_nothing() {
    let fixture = Fixture::demo().await;
    fixture.arm("context:nobalance@1");
    let first = fixture
        .lookup(KNOWN)
        .await
        .expect("an answer")
        .provenance
        .balance;
    assert_eq!(first, Some(48_119));
    let known = Balance {
        remaining: 48_119,
        at: noon(),
        source: BalanceSource::Lookup,
    };
    let second = fixture
        .lookup(KNOWN)
        .await
        .expect("an answer")
        .provenance
        .balance;
    assert_eq!(
        (second, fixture.engine.account.balance()),
        (None, Some(known))
    );
    let fresh = struck("context:nobalance").await;
    fresh.lookup(KNOWN).await.expect("an answer");
    assert_eq!(fresh.engine.account.balance(), None);
}

#[tokio::test]
async fn a_guard_on_the_balance_sends_nothing_below_it() {
    let fixture = Fixture::demo_with(DemoRole::NearlySpent, |settings| {
        settings.guards.stop_below = 2
    })
    .await;
    let mut kinds = Vec::new();
    for _ in 0..3 {
        kinds.push(
            fixture
                .lookup(KNOWN)
                .await
                .map(drop)
                .map_err(|error| error.kind),
        );
    }
    assert_eq!(kinds, [Ok(()), Ok(()), Err(Kind::Guard)]);
    assert_eq!(fixture.service.spent(DemoRole::NearlySpent), 2);
    let address: IpAddr = KNOWN.parse().expect("address");
    assert!(
        fixture
            .engine
            .answers
            .admit(&LookupQuery::now(address))
            .is_err()
    );
}

#[tokio::test]
async fn one_request_tells_what_is_at_hand_and_sends_a_query_where_that_replaces_none() {
    let fixture = Fixture::wire().await;
    fixture.service.says(answer(200, "", RECORD));
    let (mut told, query) = (Vec::new(), query(KNOWN));
    for expected in [1, 0] {
        let tell = |_, next| told.push((next, fixture.service.heard().len()));
        let answered = fixture.engine.answers.by_policy(&query, tell).await;
        let answered = answered.expect("an answer");
        assert_eq!(
            answered.map(|answer| answer.provenance.cost),
            (expected > 0).then_some(1)
        );
    }
    assert_eq!(
        told[0],
        (PolicyStep::Ask(1), 0),
        "told before anything is sent"
    );
    assert!(matches!(told[1], (PolicyStep::Show(Source::Cached, _), 1)));
    assert_eq!(
        (fixture.service.heard().len(), fixture.ledger()),
        (1, (1, 0))
    );
}

/// Asks in a task, and leaves it when the service has heard the question.
async fn left(fixture: &Fixture<Wire>) {
    let engine = fixture.engine.clone();
    let task = tokio::spawn(async move { engine.answers.lookup(&query(KNOWN)).await });
    until("it was sent", || fixture.service.heard().len() == 1).await;
    task.abort();
    assert!(task.await.is_err_and(|ended| ended.is_cancelled()));
}

#[tokio::test]
async fn a_query_that_was_sent_goes_on_when_nobody_waits_and_its_answer_is_kept() {
    let fixture = Fixture::wire().await;
    fixture.service.says_later(answer(200, "", RECORD));
    left(&fixture).await;
    fixture.service.lets_go();
    until("it is in the ledger", || fixture.ledger() == (1, 0)).await;
    until("it is in the trail", || {
        let trail = fixture.engine.trail.read().expect("trail");
        matches!(&trail.entries[..], [TrailEntry::Looked(of, _)] if *of == query(KNOWN))
    })
    .await;
    let sources = fixture.engine.answers.sources(&query(KNOWN)).await;
    assert!(sources.expect("sources").cached.is_some());
}

#[tokio::test]
async fn the_same_question_joins_the_query_that_is_under_way() {
    let fixture = Fixture::wire().await;
    fixture.service.says_later(answer(200, "", RECORD));
    left(&fixture).await;
    // Nobody waits any more; who asks again does, for the same answer.
    let engine = fixture.engine.clone();
    let again = tokio::spawn(async move { engine.answers.lookup(&query(KNOWN)).await });
    tokio::task::yield_now().await;
    assert!(fixture.engine.answers.is_waiting());
    fixture.service.lets_go();
    let joined = again.await.expect("a task").expect("an answer");
    assert!(joined.record.is_some());
    assert_eq!(
        (fixture.service.heard().len(), fixture.ledger()),
        (1, (1, 0))
    );
    // The end of a run finds nothing to wait for.
    fixture.engine.answers.finish(Duration::from_secs(30)).await;
    assert!(!fixture.engine.answers.is_waiting());
}

#[tokio::test]
async fn the_end_of_a_run_waits_for_a_query_that_was_sent() {
    let fixture = Fixture::wire().await;
    fixture.service.says_later(answer(200, "", RECORD));
    left(&fixture).await;
    let engine = fixture.engine.clone();
    let end = tokio::spawn(async move { engine.answers.finish(Duration::from_secs(30)).await });
    tokio::task::yield_now().await;
    assert!(!end.is_finished());
    fixture.service.lets_go();
    end.await.expect("the end");
    let sources = fixture.engine.answers.sources(&query(KNOWN)).await;
    assert!(sources.expect("sources").cached.is_some());
}

#[tokio::test]
async fn a_query_that_nobody_waits_for_is_not_sent_again() {
    let fixture = Fixture::wire().await;
    fixture.service.says_later(answer(500, "", "{}"));
    left(&fixture).await;
    fixture.service.lets_go();
    until("its end is known", || {
        fixture
            .engine
            .account
            .ledger
            .statement()
            .is_ok_and(|statement| statement.spent.len() == 1)
    })
    .await;
    assert_eq!(
        (fixture.service.heard().len(), fixture.ledger()),
        (1, (0, 1))
    );
    let trail = fixture.engine.trail.read().expect("trail");
    assert!(trail.entries.is_empty());
}

#[tokio::test]
async fn what_a_guard_refuses_is_not_counted_against_the_cap() {
    let tune = |settings: &mut ipspect::engine::Settings| settings.guards.stop_below = 1;
    let fixture = Fixture::demo_with(DemoRole::Full, tune).await;
    let (spending, query) = (Spending::at_most(1), query(KNOWN));
    fixture.arm("context:reset");
    let lookup = || fixture.engine.answers.lookup_within(&query, &spending);
    for outcome in futures_util::future::join_all([lookup(), lookup()]).await {
        let why = outcome.expect_err("the balance is unknown");
        let NotAnswered::Failed(error) = &why else {
            panic!("{why:?}")
        };
        assert!(error.message.contains("the balance is unknown"), "{error}");
    }
}

#[tokio::test]
async fn a_guard_asks_for_a_balance_that_is_not_known_and_holds_for_lookups_at_once() {
    let tune = |settings: &mut ipspect::engine::Settings| settings.guards.stop_below = 2;
    let fixture = Fixture::demo_with(DemoRole::NearlySpent, tune).await;
    let addresses = (1..=6).map(|host| format!("198.18.0.{host}"));
    let queries: Vec<LookupQuery> = addresses.map(|address| query(&address)).collect();
    let asked = queries
        .iter()
        .map(|query| fixture.engine.answers.lookup(query));
    let answers = futures_util::future::join_all(asked).await;
    let kinds: Vec<Kind> = answers
        .iter()
        .filter_map(|answer| answer.as_ref().err().map(|error| error.kind))
        .collect();
    assert_eq!(kinds, [Kind::Guard; 4]);
    assert_eq!(fixture.service.spent(DemoRole::NearlySpent), 2);
    let asked = fixture.seen(FaultSite::Context);
    let of_status = asked.iter().filter(|seen| seen.target.contains("status"));
    assert_eq!((of_status.count(), asked.len()), (1, 3));
}

#[tokio::test]
async fn a_guard_without_a_balance_sends_no_query() {
    let tune = |settings: &mut ipspect::engine::Settings| settings.guards.stop_below = 1;
    for fault in ["context:500", "context:html", "context:reset"] {
        let fixture = Fixture::demo_with(DemoRole::Full, tune).await;
        fixture.arm(fault);
        let error = fixture.lookup(KNOWN).await.expect_err(fault);
        assert_eq!(error.kind, Kind::Guard, "{fault}: {error}");
        let asked = fixture.seen(FaultSite::Context);
        let lookups = asked.iter().filter(|seen| seen.target.contains(KNOWN));
        assert_eq!(lookups.count(), 0, "{fault}");
        assert_eq!(fixture.ledger(), (0, 0), "{fault}");
    }
    let refused = Fixture::demo_with(DemoRole::Invalid, tune).await;
    assert_eq!(refused.refused().await.kind, Kind::Credentials);
    let offline = |settings: &mut ipspect::engine::Settings| {
        (settings.guards.stop_below, settings.offline) = (1, true);
    };
    let fixture = Fixture::demo_with(DemoRole::Full, offline).await;
    assert_eq!(fixture.refused().await.kind, Kind::Usage);
}
