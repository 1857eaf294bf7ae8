//! Tests of the tab as a user meets it: scripts of keys, the requests they cause, and the screens.

use jiff::Timestamp;

use super::*;
use crate::tui::ctx::Tab;
use crate::{
    engine::{
        Access, Area, AreaStatus, Balance, BalanceSource, Error, Kind, Probed, QueryPurpose,
        SavedBy, SavedQueries, Spent, Statement, config::GuardSettings,
    },
    store::lines::SetAside,
    tui::{
        ctx::{Answer, Cmd, Entered, Facts, Keep, Scope, TokenState},
        harness::{self, Harness},
        shell::msg::Msg,
        test_terminal,
    },
};

const STATUS: &str =
    r#"{"active":true,"queriesRemaining":48121,"serviceTier":"enterprise","renews":"soon"}"#;

fn at(text: &str) -> Timestamp {
    text.parse().expect(text)
}

fn asked(cmds: &[Cmd]) -> Vec<&Question> {
    let questions = cmds.iter().filter_map(|cmd| match cmd {
        Cmd::Ask(_, question) => Some(question),
        _ => None,
    });
    questions.collect()
}

fn answer_status(harness: &mut Harness, result: Result<&str, Error>) -> Vec<Cmd> {
    let answer = result.map(|text| Answer::Status(harness::status(text)));
    harness.answer_any(|question| *question == Question::Status, answer)
}

fn answer_ledger(harness: &mut Harness) {
    let spent = |when: &str, surely, possibly, balance| Spent {
        at: at(when),
        surely,
        possibly,
        balance,
        work: None,
        is_total: false,
    };
    let of = |line: Spent, work| Spent {
        work: Some(work),
        ..line
    };
    let saved = |when: &str, by, queries| SavedQueries {
        at: at(when),
        by,
        queries,
    };
    let lines = vec![
        spent("2026-10-01T08:00:00Z", 1688, 0, Some(50_000)),
        spent("2026-11-16T08:00:00Z", 300, 2, Some(48_400)),
        of(
            spent("2026-11-20T08:00:00Z", 110, 1, None),
            QueryPurpose::Batch,
        ),
        of(
            spent("2026-11-20T09:30:00Z", 60, 0, Some(48_230)),
            QueryPurpose::Lookup,
        ),
        of(
            spent("2026-11-20T14:00:00Z", 30, 0, Some(48_200)),
            QueryPurpose::PastDay,
        ),
        of(
            spent("2026-11-20T21:40:00Z", 14, 0, Some(48_186)),
            QueryPurpose::Lookup,
        ),
        spent("2026-11-20T22:50:00Z", 0, 0, Some(48_120)),
    ];
    let saved = vec![
        saved("2026-11-18T08:00:00Z", SavedBy::Local, 1200),
        saved("2026-11-20T08:00:00Z", SavedBy::Local, 280),
        saved("2026-11-20T15:00:00Z", SavedBy::Cache, 31),
    ];
    harness.answer_any(
        |question| *question == Question::Ledger,
        Ok(Answer::Ledger(Statement {
            spent: lines,
            saved,
            ..Statement::default()
        })),
    );
}

fn access() -> Access {
    let mut access = Access::default();
    for (area, when, status) in [
        (Area::Status, "2026-11-20T23:14:00Z", Some(200)),
        (Area::Lookup, "2026-11-20T23:10:00Z", Some(200)),
        (Area::Feeds, "2026-11-20T22:10:00Z", Some(302)),
        (Area::FeedHistory, "2026-11-18T22:10:00Z", None),
        (Area::Exports, "2026-11-20T22:51:30Z", Some(403)),
    ] {
        let trouble = status
            .is_none()
            .then(|| "the feeds host cannot be reached".to_owned());
        let heard = AreaStatus {
            at: at(when),
            status,
            trouble,
        };
        access.record(area, heard);
    }
    access
}

fn with_data(width: u16, height: u16) -> Harness {
    let mut harness = Harness::new(width, height);
    let balance = Balance {
        remaining: 48_120,
        at: at("2026-11-20T23:10:00Z"),
        source: BalanceSource::Lookup,
    };
    harness.tell(Msg::Heard(Some(balance), access()));
    harness.keys("3");
    answer_status(&mut harness, Ok(STATUS));
    answer_ledger(&mut harness);
    harness
}

#[test]
fn on_arrival_the_status_is_asked_for_once_a_minute() {
    let mut harness = Harness::new(120, 36);
    assert_eq!(
        asked(&harness.keys("3")),
        [&Question::Ledger, &Question::Status]
    );
    assert_eq!(
        asked(&harness.keys("13")),
        [] as [&Question; 0],
        "both are under way"
    );
    answer_status(&mut harness, Ok(STATUS));
    answer_ledger(&mut harness);
    harness.pass(59);
    assert_eq!(asked(&harness.keys("13")), [&Question::Ledger]);
    harness.pass(1);
    assert_eq!(asked(&harness.keys("13")), [&Question::Status]);
}

#[test]
fn refreshing_asks_at_any_time() {
    let mut harness = with_data(120, 36);
    assert_eq!(
        asked(&harness.keys("R")),
        [&Question::Ledger, &Question::Status]
    );
    answer_status(&mut harness, Ok(STATUS));
    assert!(harness.screen().contains("status refreshed"));
}

#[test]
fn a_balance_that_comes_while_the_ledger_is_read_is_in_the_page() {
    let mut harness = Harness::new(120, 36);
    let cmds = harness.keys("3");
    let Some(Cmd::Ask(early, Question::Ledger)) = cmds.first() else {
        panic!("the ledger is read first: {cmds:?}");
    };
    let cmds = answer_status(&mut harness, Ok(STATUS));
    assert_eq!(asked(&cmds), [&Question::Ledger]);
    assert!(cmds.contains(&Cmd::Cancel(*early)));
}

#[test]
fn without_a_token_nothing_is_asked_of_the_service() {
    let mut facts = harness::facts();
    facts.token = TokenState::Missing;
    let mut harness = Harness::with(facts, 120, 36);
    assert_eq!(asked(&harness.keys("3")), [&Question::Ledger]);
    assert!(harness.screen().contains("There is no token"));
}

#[test]
fn testing_access_is_one_question_and_can_be_stopped() {
    let mut harness = with_data(120, 36);
    let cmds = harness.keys("tt");
    assert_eq!(asked(&cmds), [&Question::Probe]);
    assert!(harness.screen().contains("~ testing"));
    let cmds = harness.keys("x");
    assert!(matches!(cmds.as_slice(), [Cmd::Cancel(_)]));
    assert!(!harness.screen().contains("~ testing"));
}

#[test]
fn a_test_names_the_areas_that_are_not_allowed() {
    let mut harness = with_data(120, 36);
    let probed = |area, outcome| Probed {
        area,
        target: String::new(),
        outcome,
    };
    let denied = || Err(Error::new(Kind::Credentials, "denied"));
    for (probed, expected) in [
        (
            vec![probed(Area::Status, Ok(())), probed(Area::Feeds, Ok(()))],
            "access tested, no query was spent",
        ),
        (
            vec![
                probed(Area::Status, Ok(())),
                probed(Area::Feeds, denied()),
                probed(Area::Exports, denied()),
            ],
            "access tested, free; not allowed: feeds, exports",
        ),
    ] {
        harness.keys("t");
        harness.answer_any(
            |question| *question == Question::Probe,
            Ok(Answer::Probed(probed)),
        );
        assert_eq!(harness.notice(), expected);
    }
}

#[test]
fn a_ledger_without_surely_spent_queries_says_what_it_has() {
    let line = |possibly| Spent {
        at: at("2026-11-20T21:40:00Z"),
        surely: 0,
        possibly,
        balance: None,
        work: None,
        is_total: false,
    };
    let saved = SavedQueries {
        at: at("2026-11-20T15:00:00Z"),
        by: SavedBy::Local,
        queries: 2,
    };
    let mut harness = Harness::new(120, 36);
    for (statement, expected, absent) in [
        (
            Statement {
                spent: vec![line(2)],
                ..Statement::default()
            },
            "0 queries spent for certain, 0 saved in 24 hours",
            "nothing was spent",
        ),
        (
            Statement {
                saved: vec![saved],
                ..Statement::default()
            },
            "full bar: 2 saved",
            "nothing was spent",
        ),
    ] {
        harness.keys("3R");
        harness.answer_any(
            |question| *question == Question::Ledger,
            Ok(Answer::Ledger(statement)),
        );
        let screen = harness.screen();
        assert!(screen.contains(expected), "{expected}\n{screen}");
        assert!(!screen.contains(absent), "{absent}\n{screen}");
        // One chart at most, that of what is above nothing.
        let charts = screen.matches("full bar").count();
        assert!(charts <= 1, "{screen}");
    }
}

#[test]
fn what_is_wrong_with_the_ledger_stands_beside_its_figures() {
    let mut harness = Harness::new(120, 36);
    harness.keys("3R");
    let set_aside = SetAside {
        damaged: 2,
        ..SetAside::default()
    };
    let statement = Statement {
        set_aside,
        other_keys: 3,
        ..Statement::default()
    };
    harness.answer_any(
        |question| *question == Question::Ledger,
        Ok(Answer::Ledger(statement)),
    );
    let screen = harness.screen();
    let words = screen.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("! ledger: 2 lines cannot be read"),
        "{screen}"
    );
    assert!(
        words.contains("! ledger: 3 lines were written before"),
        "{screen}"
    );
}

#[test]
fn an_answer_that_comes_too_late_is_dropped() {
    let mut harness = with_data(120, 36);
    harness.keys("R");
    let (job, _) = harness
        .asked
        .iter()
        .rfind(|(_, question)| *question == Question::Status)
        .expect("a question")
        .clone();
    harness.keys("x");
    let late = r#"{"active":false,"queriesRemaining":1}"#;
    harness.tell(Msg::Answered(
        job,
        Box::new(Ok(Answer::Status(harness::status(late)))),
    ));
    assert!(harness.screen().contains("token active: yes"));
}

#[test]
fn a_new_token_is_tested_before_its_status_is_asked_for() {
    let mut harness = Harness::new(120, 36);
    let token = crate::contract::Token::new("an-invented-token").expect("token");
    let cmds = harness.keys(":token<enter>an-invented-token<enter>");
    let login = Question::Login(Entered {
        token: Some(token),
        urls: Vec::new(),
        keep: Keep::ForNow,
    });
    assert_eq!(asked(&cmds), [&login, &Question::Ledger]);
    let cmds = harness.answer_any(
        |question| *question == login,
        Ok(Answer::Probed(Vec::new())),
    );
    assert_eq!(asked(&cmds), [&Question::Status]);
}

/// The service states no period size: a bar of the balance would say nothing, a guard does.
#[test]
fn a_low_balance_is_named_beside_it() {
    let mut harness = with_data(120, 36);
    assert!(
        !harness.screen().contains("below 1,000"),
        "{}",
        harness.screen()
    );
    let low = Balance {
        remaining: 2,
        at: at("2026-11-20T23:12:00Z"),
        source: BalanceSource::Lookup,
    };
    harness.tell(Msg::Heard(Some(low), access()));
    let screen = harness.screen();
    assert!(
        screen.contains("2 queries remaining  ! below 1,000"),
        "{screen}"
    );
}

#[test]
fn what_is_copied_is_what_was_asked_for() {
    let mut harness = with_data(120, 36);
    let mut copied = |script: &str| match harness.keys(script).as_slice() {
        [Cmd::Copy(_, text)] => text.clone(),
        other => format!("{other:?}"),
    };
    let whole = copied("ym");
    assert!(whole.starts_with("queries remaining: 48120\n"), "{whole}");
    assert!(
        whole.contains(
            "spent today (UTC): 214 queries, possibly 1 more; saved by cache 31, by local feeds 280\n"
        ),
        "{whole}"
    );
    assert!(
        whole.contains("exports: x 403, token valid, no export access (checked 22m)\n"),
        "{whole}"
    );
    assert_eq!(copied("jyv"), "48120");
    assert!(copied("yj").starts_with(r#"{"active":true"#));
    assert_eq!(
        copied("yc"),
        "curl -fsS -H \"Token: $IPSPECT_TOKEN\" 'https://context.example/status'"
    );
    assert_eq!(copied("yi"), "[]");
}

#[test]
fn a_hidden_balance_is_not_on_the_screen() {
    let mut harness = with_data(120, 36);
    harness.app.private = true;
    let screen = harness.screen();
    assert!(screen.contains("balance hidden"));
    assert!(!screen.contains("48,12"), "{screen}");
    harness.app.private = false;
    assert!(harness.screen().contains("48,120 queries remaining"));
}

#[test]
fn guards_are_set_in_place() {
    let mut harness = with_data(120, 36);
    harness.keys("a");
    assert_eq!(harness.app.scopes()[0], Scope::Input);
    insta::assert_snapshot!("screen_of_the_guards", harness.screen());
    harness.keys("<back>x");
    assert_eq!(asked(&harness.keys("<enter>")), [] as [&Question; 0]);
    assert!(harness.screen().contains("a number of queries"));
    harness.keys("<back>");
    let guards = GuardSettings {
        warn_below: 100,
        stop_below: 5000,
        confirm_over: 25,
    };
    let question = Question::ChangeGuards(guards.clone());
    let cmds = harness.keys("<tab><back>5,000<enter>");
    assert_eq!(asked(&cmds), [&question]);
    let refused = Error::new(
        Kind::Machine,
        "could not write /config/config.toml: no space left",
    );
    harness.answer(&question, Err(refused));
    assert!(harness.screen().contains("no space left"));
    assert_eq!(harness.app.facts.guards, GuardSettings::default());
    harness.keys("<enter>");
    harness.answer(&question, Ok(Answer::GuardsChanged(guards.clone())));
    assert_eq!(harness.app.facts.guards, guards);
    assert!(
        harness
            .screen()
            .contains("guards kept in /config/config.toml")
    );
    harness.keys("a<esc>");
    assert_eq!(harness.app.scopes()[0], Scope::Tab("Quota"));
}

#[test]
fn what_is_spent_elsewhere_is_told() {
    let mut harness = with_data(120, 36);
    let screen = harness.screen();
    assert!(
        screen.contains("! balance fell by 66 since 2026-11-20 21:40Z, not by"),
        "{screen}"
    );
    harness.app.private = true;
    assert!(!harness.screen().contains("balance fell"));
    harness.app.private = false;
    harness.keys("b");
    insta::assert_snapshot!("screen_of_days", harness.screen());
}

#[test]
fn any_size_will_do() {
    let mut harness = with_data(120, 36);
    for script in ["", "t", "r", "/x"] {
        harness.keys(script);
        test_terminal::fits_any_area(|frame, area| {
            let app = &harness.app;
            Tab::draw(&app.tabs.quota, frame, area, &app.view(harness.now));
        });
    }
}

#[test]
fn screen_with_data() {
    insta::assert_snapshot!(with_data(120, 36).screen());
    let mut small = with_data(80, 24);
    insta::assert_snapshot!("screen_with_data_small", small.screen());
    small.keys("G");
    insta::assert_snapshot!("screen_with_data_small_end", small.screen());
}

#[test]
fn a_large_screen_has_both_charts_and_the_latest_queries() {
    insta::assert_snapshot!("screen_with_data_large", with_data(200, 60).screen());
}

#[test]
fn a_test_of_access_tells_refusals_from_silence() {
    let mut harness = with_data(120, 36);
    harness.keys("t");
    let probed = |area, kind| Probed {
        area,
        target: "/".to_owned(),
        outcome: Err(Error::new(kind, "no")),
    };
    let answer = vec![
        probed(Area::Exports, Kind::Credentials),
        probed(Area::Feeds, Kind::Network),
    ];
    harness.answer_any(
        |question| *question == Question::Probe,
        Ok(Answer::Probed(answer)),
    );
    assert_eq!(
        harness.notice(),
        "access tested, free; not allowed: exports; no answer: feeds"
    );
}

#[test]
fn screen_while_asking() {
    let mut harness = Harness::new(120, 36);
    harness.keys("3t");
    insta::assert_snapshot!(harness.screen());
}

#[test]
fn screen_of_a_failure() {
    let denied = Error::new(
        Kind::Credentials,
        "the Context API denied access (401): the token is most likely invalid",
    )
    .hint("store the right one with `ipspect login`; `ipspect doctor` says where the present one comes from");
    let mut harness = Harness::new(80, 24);
    harness.keys("3");
    answer_status(&mut harness, Err(denied.clone()));
    insta::assert_snapshot!("screen_denied_small", harness.screen());
    let mut harness = with_data(120, 36);
    harness.keys("R");
    answer_status(&mut harness, Err(denied));
    insta::assert_snapshot!("screen_denied_after_an_answer", harness.screen());
}

#[test]
fn screen_of_an_empty_ledger() {
    let mut harness = Harness::new(120, 36);
    harness.keys("3");
    answer_status(&mut harness, Ok(STATUS));
    harness.answer_any(
        |question| *question == Question::Ledger,
        Ok(Answer::Ledger(Statement::default())),
    );
    insta::assert_snapshot!(harness.screen());
    insta::assert_snapshot!("screen_of_an_empty_ledger_small", harness.screen_at(80, 24));
}

#[test]
fn a_ledger_that_cannot_be_read_again_leaves_what_was_read() {
    let mut harness = with_data(120, 36);
    let failed = Error::new(Kind::Machine, "denied");
    harness.keys("R");
    harness.answer_any(|question| *question == Question::Ledger, Err(failed));
    let screen = harness.screen_at(120, 48);
    for words in [
        "x the ledger could not be read: denied",
        "these figures are older; R refreshes them",
        "last 7 days",
    ] {
        assert!(screen.contains(words), "{words}\n{screen}");
    }
}

/// The contract has no such field: that is said, rather than left open.
#[test]
fn the_end_of_the_token_is_named_or_said_to_be_unknown() {
    for (status, expected) in [
        (STATUS, "expires  not stated in /status"),
        (
            r#"{"active":true,"expired":false}"#,
            "expires  not stated in /status",
        ),
        (
            r#"{"active":true,"expiresAt":"2027-01-31"}"#,
            "expires  2027-01-31 (expiresAt)",
        ),
    ] {
        let (mut harness, _) = Harness::on(crate::tui::shell::registry::TabId::Quota);
        answer_status(&mut harness, Ok(status));
        let screen = harness.screen();
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words(&screen).contains(&words(expected)), "{screen}");
        assert!(screen.contains("not tested: costs a query"), "{screen}");
        assert!(screen.contains("not tested: a tag is free"), "{screen}");
    }
}

/// The first questions of the program about the account.
fn at_start(facts: Facts) -> (Harness, Vec<Cmd>) {
    let mut harness = Harness::with(facts, 120, 36);
    let cmds = harness.app.begin(None, harness.now);
    (harness, cmds)
}

#[test]
fn the_balance_is_asked_for_at_the_start_where_nothing_is_missing() {
    let (mut harness, cmds) = at_start(harness::facts());
    let status: Vec<_> = cmds
        .iter()
        .filter_map(|cmd| match cmd {
            Cmd::Ask(job, Question::Status) => Some(*job),
            _ => None,
        })
        .collect();
    let [job] = status.as_slice() else {
        panic!("{cmds:?}")
    };
    // A failure is in Quota only.
    let error = Error::new(Kind::Network, "the service could not be reached");
    harness.answer_to(*job, Err(error));
    assert_eq!(harness.notice(), "");
    assert!(harness.screen().contains("bal unknown"));
    harness.keys("3");
    let screen = harness.screen();
    assert!(
        screen.contains("the service could not be reached"),
        "{screen}"
    );
    let offline = Facts {
        offline: true,
        ..harness::facts()
    };
    let without_token = Facts {
        token: TokenState::Missing,
        ..harness::facts()
    };
    let without_service = Facts {
        urls: Vec::new(),
        ..harness::facts()
    };
    for facts in [offline, without_token, without_service] {
        let (_, cmds) = at_start(facts);
        assert!(!asked(&cmds).contains(&&Question::Status), "{cmds:?}");
    }
}

/// A chart never wraps: the bar of the present hour stands under its own column.
#[test]
fn the_present_hour_is_at_the_end_of_its_line() {
    for (width, height) in [(80, 40), (120, 40), (200, 60)] {
        let mut harness = Harness::new(width, height);
        harness.keys("3R");
        let spent = Spent {
            at: harness.now,
            surely: 1,
            possibly: 0,
            balance: None,
            work: Some(QueryPurpose::PastDay),
            is_total: false,
        };
        let statement = Statement {
            spent: vec![spent],
            ..Statement::default()
        };
        harness.answer_any(
            |question| *question == Question::Ledger,
            Ok(Answer::Ledger(statement)),
        );
        let screen = harness.screen();
        let is_bar = |line: &&str| line.contains("history  ") && line.contains('█');
        assert!(screen.lines().any(|line| is_bar(&line)), "{screen}");
    }
}
