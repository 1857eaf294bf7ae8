//! Tests of rules for every tab: leaving, stopping, going back, hiding, and clearing errors.

use crate::{
    contract::{Feed, LookupQuery},
    engine::{DownloadPlan, Error, Kind, Progress, PullQuery, Stage},
    model::Admission,
    tui::{
        ctx::{
            cmd::Cmd,
            destination::Destination,
            facts::{Facts, TokenState},
            request::{Answer, Keep, Question},
        },
        harness::{self, Harness, questions},
        shell::{msg::Msg, overlay::Overlay, registry::TabId, screen::ProgressShare},
    },
};

const ADDRESS: &str = "198.51.100.77";

fn rehearse() -> Harness {
    let facts = Facts {
        admission: Admission::with(vec!["198.51.100.0/24".parse().expect("block")]),
        ..harness::facts()
    };
    Harness::with(facts, 120, 36)
}

fn lookup() -> LookupQuery {
    LookupQuery::now(ADDRESS.parse().expect("address"))
}

/// With the record of an address in Lookup, and its answer as the service gave it.
fn looked_up() -> Harness {
    let mut stage = rehearse();
    stage.go(Destination::Address(lookup()));
    let mut answer = harness::record(&format!(r#"{{"ip":"{ADDRESS}"}}"#));
    answer.provenance.balance = Some(48_120);
    stage.answer(&Question::Lookup(lookup()), Ok(Answer::Lookup(answer)));
    stage
}

fn pull() -> Question {
    Question::Pull(PullQuery::latest(Feed::Anonymous))
}

#[test]
fn leaving_with_a_paused_job_asks_and_says_that_it_is_kept() {
    let mut stage = rehearse();
    stage.keys("4pz");
    assert_eq!(stage.keys("q"), []);
    let screen = stage.screen();
    assert!(
        screen.contains("1 job is paused. Leave? It is kept for the next start."),
        "{screen}"
    );
    assert_eq!(stage.keys("n"), []);
    let plan = DownloadPlan {
        paused: vec![PullQuery::latest(Feed::Anonymous)],
        ..DownloadPlan::default()
    };
    assert_eq!(stage.keys("qy"), [Cmd::SaveDownloadPlan(plan), Cmd::Quit]);
}

/// What does not fit into the last line names the key that shows it whole, but not where that key is text.
#[test]
fn a_message_that_is_cut_says_where_it_is_whole() {
    let mut stage = Harness::with(harness::facts(), 80, 24);
    stage.keys("<esc>");
    let end = "and that is where it ends";
    let text = format!(
        "the storage host closed the connection {}{end}",
        "again ".repeat(9)
    );
    stage.tell(Msg::Failed(text));
    let last = |stage: &mut Harness| {
        let screen = stage.screen();
        screen.lines().last().unwrap_or_default().to_owned()
    };
    let cut = last(&mut stage);
    assert!(cut.trim_end().ends_with("…  ! shows all"), "{cut}");
    stage.keys("i");
    let typing = last(&mut stage);
    assert!(!typing.contains("shows all"), "{typing}");
    stage.keys("<esc>!");
    let screen = stage.screen();
    assert!(screen.contains(end), "{screen}");
    stage.keys("<esc>");
    let wide = stage.screen_at(160, 24);
    assert!(!wide.contains("shows all"), "{wide}");
    stage.tell(Msg::Failed("a short one".to_owned()));
    assert!(!last(&mut stage).contains("shows all"));
}

/// Rings the bell after long work if the terminal is unfocused, never after short work.
#[test]
fn the_bell_rings_at_the_end_of_what_took_long_where_nobody_looks() {
    for (seconds, is_seen, rings) in [(9, false, false), (10, false, true), (60, true, false)] {
        let mut stage = rehearse();
        stage.keys("4p");
        stage.tell(Msg::Focus(is_seen));
        stage.pass(seconds);
        let cmds = stage.answer(&pull(), Err(Error::new(Kind::Network, "cut off")));
        assert_eq!(cmds.contains(&Cmd::Bell), rings, "{seconds} {is_seen}");
    }
}

/// However the program ends, a download without a received byte waits at the next start.
#[test]
fn a_download_is_noted_as_soon_as_it_begins() {
    let mut stage = rehearse();
    let query = PullQuery::latest(Feed::Anonymous);
    stage.keys("4p");
    assert_eq!(stage.begun, [query]);
    let job = stage.job(&pull());
    let progress = |done| Progress {
        stage: Stage::Downloading,
        done,
        total: Some(100),
    };
    stage.tell(Msg::Progress(job, progress(0)));
    stage.keys("z");
    assert_eq!(stage.begun, [query], "it is paused");
    assert_eq!(stage.keys("<ctrl-c>"), [Cmd::Quit]);
    stage.keys("z");
    let job = stage.job(&pull());
    stage.tell(Msg::Progress(job, progress(7)));
    assert_eq!(stage.begun, [], "what has come tells it");
}

#[test]
fn a_job_is_stopped_where_it_was_begun_and_in_the_list_of_jobs() {
    let mut stage = rehearse();
    stage.keys("4p");
    let job = stage.job(&pull());
    for tab in ["2", "3", "5<esc>"] {
        // What the tab waits for itself is stopped first.
        assert!(!stage.keys(&format!("{tab}xx")).contains(&Cmd::Cancel(job)));
        assert!(
            stage.notice().contains("J lists the jobs"),
            "{tab}: {}",
            stage.notice()
        );
        let screen = stage.screen();
        assert!(
            screen.contains("J jobs") && !screen.contains("x cancel"),
            "{screen}"
        );
    }
    assert_eq!(stage.keys("Jxk")[0], Cmd::Cancel(job));
    stage.keys("<esc>4p");
    let job = stage.job(&pull());
    assert_eq!(stage.keys("xk")[0], Cmd::Cancel(job));
}

#[test]
fn what_is_private_is_hidden_on_every_tab() {
    let mut stage = looked_up();
    assert!(
        stage.screen().contains("balance 48,120"),
        "{}",
        stage.screen()
    );
    stage.keys("<ctrl-g>");
    for tab in ["1", "2", "3", "4", "5<esc>"] {
        stage.keys(tab);
        let screen = stage.screen();
        for shown in ["48,120", "token active", "profile work"] {
            assert!(!screen.contains(shown), "{tab} {shown}: {screen}");
        }
    }
}

#[test]
fn back_from_a_tab_that_was_opened_by_its_key_leads_to_what_was_left() {
    let mut stage = looked_up();
    for tab in ["2", "3", "4", "5<esc>"] {
        stage.keys(tab);
        stage.keys("H");
        assert_eq!(stage.app.tab, TabId::Lookup, "{tab}");
        assert_eq!(stage.app.trail.len(), 1);
    }
}

#[test]
fn enter_erases_nothing() {
    let mut stage = looked_up();
    stage.keys(":");
    stage.types("erase");
    stage.keys("<enter>");
    assert!(
        stage.screen().contains("Erase the trail"),
        "{}",
        stage.screen()
    );
    assert_eq!(stage.keys("<enter>"), []);
    assert!(stage.notice().contains("y does it"), "{}", stage.notice());
    assert_eq!(stage.keys("y"), [Cmd::Forget]);
    assert!(stage.app.trail.is_empty());
}

#[test]
fn a_later_answer_to_the_same_question_takes_the_error_away() {
    let mut stage = rehearse();
    let about = Question::Lookup(lookup());
    stage.go(Destination::Address(lookup()));
    stage.answer(&about, Err(Error::new(Kind::Network, "cut off")));
    assert!(stage.notice().contains("cut off"));
    assert_eq!(questions(&stage.keys("R")), std::slice::from_ref(&about));
    let answer = harness::record(&format!(r#"{{"ip":"{ADDRESS}"}}"#));
    stage.answer(&about, Ok(Answer::Lookup(answer)));
    assert_eq!(stage.notice(), "");
    assert!(!stage.screen().contains("cut off"), "{}", stage.screen());
}

#[test]
fn what_is_entered_is_tested_and_other_hosts_begin_the_explorer_anew() {
    let mut stage = Harness::with(
        Facts {
            urls: Vec::new(),
            token: TokenState::Missing,
            ..harness::facts()
        },
        120,
        36,
    );
    let screen = stage.screen();
    assert!(screen.contains("T     enter token (hidden)"), "{screen}");
    stage.keys("4T");
    stage.types("https://context.example");
    assert_eq!(stage.keys("<enter>"), []);
    assert!(
        stage.screen().contains("Token and hosts"),
        "a token is missing"
    );
    stage.types("an-invented-token");
    let screen = stage.screen();
    assert!(!screen.contains("an-invented-token"), "{screen}");
    insta::assert_snapshot!("setup", screen);
    stage.keys("<up><space>");
    let cmds = stage.keys("<enter>");
    let [Cmd::OpenService(entered)] = cmds.as_slice() else {
        panic!("{cmds:?}")
    };
    assert_eq!(entered.urls.len(), 1);
    assert_eq!(
        (entered.token.is_some(), entered.keep),
        (true, Keep::InFile)
    );
    assert!(!format!("{entered:?}").contains("an-invented-token"));

    let mut again = rehearse();
    let begun = again.app.test_entered(entered.clone(), again.now);
    assert!(questions(&begun).contains(&Question::Login(entered.clone())));
    assert_eq!(again.app.tab, TabId::Quota);
}

#[test]
fn a_refused_token_names_the_keys_that_mend_it() {
    let mut stage = rehearse();
    let about = Question::Lookup(lookup());
    stage.go(Destination::Address(lookup()));
    let error = Error::new(Kind::Credentials, "401").hint("store it with `ipspect login`");
    stage.answer(&about, Err(error));
    let screen = stage.screen();
    assert!(
        screen.contains("3 t asks each host") && screen.contains("T enters"),
        "{screen}"
    );
    assert!(!screen.contains("ipspect login"), "{screen}");
    stage.keys("T");
    assert!(
        stage.screen().contains("Token and hosts"),
        "{}",
        stage.screen()
    );
}

#[test]
fn the_marked_rows_or_the_selected_one_are_printed_by_leaving() {
    let mut stage = looked_up();
    assert_eq!(stage.keys("Q"), [Cmd::Print(vec![ADDRESS.to_owned()])]);
    stage.keys("4p");
    assert_eq!(stage.keys("Q"), []);
    assert!(stage.screen().contains("Leave?"), "{}", stage.screen());
}

#[test]
fn title_and_taskbar_follow_what_is_under_way() {
    let mut stage = rehearse();
    assert_eq!(stage.app.under_way(), None);
    stage.keys("4p");
    let at = |share, paused| Some(ProgressShare { share, paused });
    assert_eq!(stage.app.under_way(), at(None, false));
    let progress = Progress {
        stage: Stage::Downloading,
        done: 41,
        total: Some(100),
    };
    stage.progress(&pull(), progress);
    assert_eq!(stage.app.under_way(), at(Some(41), false));
    stage.keys("z");
    assert_eq!(stage.app.under_way(), at(Some(41), true));
}

#[test]
fn names_of_tabs_give_way_to_balance_and_jobs_alone() {
    let header = |stage: &mut Harness| {
        let screen = stage.screen();
        screen.lines().next().unwrap_or_default().to_owned()
    };
    let mut stage = Harness::new(80, 24);
    insta::assert_snapshot!(header(&mut stage), @" ipspect [1 Lookup] 2 Tags  3 Quota  4 Feeds  5 Export      bal unknown  ? keys");
    stage.keys("4p");
    let progress = Progress {
        stage: Stage::Downloading,
        done: 41,
        total: Some(100),
    };
    stage.progress(&pull(), progress);
    insta::assert_snapshot!(header(&mut stage), @"  1 Lookup  2 Tags  3 Quota [4 Feeds] 5 Export     bal unknown  J:1 41%  ? keys");
    stage.app.facts.invented = true;
    insta::assert_snapshot!(header(&mut stage), @" ipspect  1  2  3 [4 Feeds] 5                DEMO  bal unknown  J:1 41%  ? keys");
}

#[test]
fn a_click_on_the_heading_of_a_tab_brings_it_to_the_front() {
    use crossterm::event::{MouseButton, MouseEventKind};
    for width in [120, 80] {
        let mut stage = Harness::new(width, 36);
        for tab in [TabId::Feeds, TabId::Tags, TabId::Export, TabId::Lookup] {
            let number = TabId::ALL.iter().position(|own| *own == tab).expect("tab") + 1;
            let screen = stage.screen();
            let header = screen.lines().next().unwrap_or_default();
            let column = header.find(&number.to_string()).expect("its number");
            let column = u16::try_from(column).expect("small");
            let cmds = stage.mouse(MouseEventKind::Down(MouseButton::Left), column, 0);
            assert_eq!(stage.app.tab, tab, "{screen}");
            let is_paid = |own: &Question| matches!(own, Question::Lookup(_));
            assert!(!questions(&cmds).iter().any(is_paid));
        }
    }
}

#[test]
fn the_next_match_is_that_of_a_search() {
    let mut stage = rehearse();
    let words = "nothing is searched for: / finds text in the JSON";
    stage.keys("n");
    assert_eq!(stage.notice(), words);
    stage.go(Destination::Address(lookup()));
    let record = harness::record(r#"{"ip":"198.51.100.77","as":{"number":64500}}"#);
    stage.answer(&Question::Lookup(lookup()), Ok(Answer::Lookup(record)));
    stage.keys("/");
    stage.types("64500");
    assert!(stage.screen().contains("1 of 1"), "{}", stage.screen());
    stage.keys("<esc>N");
    assert_eq!(stage.notice(), words, "the search was left");
}

#[test]
fn what_to_do_where_nothing_pastes_is_said_once() {
    let mut stage = Harness::new(120, 36);
    let copied = |stage: &mut Harness| {
        let route = Ok("OSC 52 (1,466 bytes)".to_owned());
        stage.tell(Msg::Copied("a ticket note".to_owned(), route));
        stage.notice()
    };
    let first = "copied a ticket note via OSC 52 (1,466 bytes)";
    let what_else = "; no paste? allow OSC 52 in the terminal";
    assert_eq!(copied(&mut stage), format!("{first}{what_else}"));
    assert_eq!(copied(&mut stage), first);
}

/// What is said about a row or a list is noise on another one; an error is not.
#[test]
fn a_message_goes_with_the_place_that_it_is_about() {
    let mut stage = Harness::new(120, 36);
    stage.keys("4m");
    let said = stage.notice();
    assert!(!said.is_empty());
    stage.keys("j");
    assert_eq!(stage.notice(), said, "the place is the same");
    stage.keys("3");
    assert_eq!(stage.notice(), "");
    stage.tell(Msg::Failed("could not write the file".to_owned()));
    stage.keys("4J");
    assert_eq!(stage.notice(), "could not write the file");
}

/// Help is searched for a word: rows that only have its letters somewhere are not what was meant.
#[test]
fn help_finds_what_has_the_word() {
    let mut stage = Harness::new(120, 36);
    stage.keys("?");
    stage.types("ticket");
    let Some(Overlay::Help(list)) = &stage.app.overlay else {
        panic!("no help");
    };
    assert!((1..6).contains(&list.found()), "{}", list.found());
    let first = list.chosen().expect("a row");
    assert!(first.detail.contains("ticket") || first.label.contains("ticket"));
}
