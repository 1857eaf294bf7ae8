//! Tests of rules for every tab: leaving, stopping, going back, hiding, and clearing errors.

use crate::{
    contract::{Feed, Host, LookupQuery},
    engine::{DownloadPlan, Error, Kind, Progress, PullQuery, Stage},
    model::Admission,
    tui::{
        ctx::{Answer, Cmd, Destination, Facts, Keep, Question, TokenState},
        harness::{self, Harness, questions},
        shell::{msg::Msg, palette::Choices, registry::TabId, screen::ProgressShare},
    },
};

const ADDRESS: &str = "198.51.100.77";

fn explorer() -> Harness {
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
    let mut harness = explorer();
    harness.go(Destination::Address(lookup()));
    let mut answer = harness::record(&format!(r#"{{"ip":"{ADDRESS}"}}"#));
    answer.provenance.balance = Some(48_120);
    harness.answer(&Question::Lookup(lookup()), Ok(Answer::Lookup(answer)));
    harness
}

fn pull() -> Question {
    Question::Pull(PullQuery::latest(Feed::Anonymous))
}

#[test]
fn leaving_with_a_paused_job_asks_and_says_that_it_is_kept() {
    let mut harness = explorer();
    harness.keys("4pz");
    assert_eq!(harness.keys("q"), []);
    let screen = harness.screen();
    assert!(
        screen.contains("1 job is paused. Leave? It is kept for the next start."),
        "{screen}"
    );
    assert_eq!(harness.keys("n"), []);
    let plan = DownloadPlan {
        paused: vec![PullQuery::latest(Feed::Anonymous)],
        ..DownloadPlan::default()
    };
    assert_eq!(harness.keys("qy"), [Cmd::SaveDownloadPlan(plan), Cmd::Quit]);
}

/// What does not fit into its line names the key that shows it whole, but not where that key is text.
#[test]
fn a_message_that_is_cut_says_where_it_is_whole() {
    let mut harness = Harness::with(harness::facts(), 80, 24);
    harness.keys("<esc>");
    let end = "and that is where it ends";
    let text = format!(
        "the storage host closed the connection {}{end}",
        "again ".repeat(9)
    );
    harness.tell(Msg::Failed(text));
    let last = |harness: &mut Harness| {
        let screen = harness.screen();
        screen.lines().rev().nth(2).unwrap_or_default().to_owned()
    };
    let cut = last(&mut harness);
    assert!(cut.trim_end().ends_with("…  ! shows all"), "{cut}");
    harness.keys("i");
    let typing = last(&mut harness);
    assert!(!typing.contains("shows all"), "{typing}");
    harness.keys("<esc>!");
    let screen = harness.screen();
    assert!(screen.contains(end), "{screen}");
    harness.keys("<esc>");
    let wide = harness.screen_at(160, 24);
    assert!(!wide.contains("shows all"), "{wide}");
    harness.tell(Msg::Failed("a short one".to_owned()));
    assert!(!last(&mut harness).contains("shows all"));
}

/// Rings the bell after long work if the terminal is unfocused, never after short work.
#[test]
fn the_bell_rings_at_the_end_of_what_took_long_where_nobody_looks() {
    for (seconds, is_seen, rings) in [(9, false, false), (10, false, true), (60, true, false)] {
        let mut harness = explorer();
        harness.keys("4p");
        harness.tell(Msg::Focus(is_seen));
        harness.pass(seconds);
        let cmds = harness.answer(&pull(), Err(Error::new(Kind::Network, "cut off")));
        assert_eq!(cmds.contains(&Cmd::Bell), rings, "{seconds} {is_seen}");
    }
}

/// However the program ends, a download without a received byte waits at the next start.
#[test]
fn a_download_is_noted_as_soon_as_it_begins() {
    let mut harness = explorer();
    let query = PullQuery::latest(Feed::Anonymous);
    harness.keys("4p");
    assert_eq!(harness.begun, [query]);
    let job = harness.job(&pull());
    let progress = |done| Progress {
        stage: Stage::Downloading,
        done,
        total: Some(100),
    };
    harness.tell(Msg::Progress(job, progress(0)));
    harness.keys("z");
    assert_eq!(harness.begun, [query], "it is paused");
    assert_eq!(harness.keys("<ctrl-c>"), [Cmd::Quit]);
    harness.keys("z");
    let job = harness.job(&pull());
    harness.tell(Msg::Progress(job, progress(7)));
    assert_eq!(harness.begun, [], "what has come tells it");
}

#[test]
fn a_job_is_stopped_where_it_was_begun_and_in_the_list_of_jobs() {
    let mut harness = explorer();
    harness.keys("4p");
    let job = harness.job(&pull());
    for tab in ["2", "3", "5<esc>"] {
        // What the tab waits for itself is stopped first.
        assert!(
            !harness
                .keys(&format!("{tab}xx"))
                .contains(&Cmd::Cancel(job))
        );
        assert!(
            harness.notice().contains("J lists the jobs"),
            "{tab}: {}",
            harness.notice()
        );
        let screen = harness.screen();
        assert!(
            screen.contains("J jobs") && !screen.contains("x cancel"),
            "{screen}"
        );
    }
    assert_eq!(harness.keys("Jxk")[0], Cmd::Cancel(job));
    harness.keys("<esc>4p");
    let job = harness.job(&pull());
    assert_eq!(harness.keys("xk")[0], Cmd::Cancel(job));
}

#[test]
fn what_is_private_is_hidden_on_every_tab() {
    let mut harness = looked_up();
    assert!(
        harness.screen().contains("balance 48,120"),
        "{}",
        harness.screen()
    );
    harness.keys("<ctrl-g>");
    for tab in ["1", "2", "3", "4", "5<esc>"] {
        harness.keys(tab);
        let screen = harness.screen();
        for shown in ["48,120", "token active", "profile work"] {
            assert!(!screen.contains(shown), "{tab} {shown}: {screen}");
        }
    }
}

#[test]
fn back_from_a_tab_that_was_opened_by_its_key_leads_to_what_was_left() {
    let mut harness = looked_up();
    for tab in ["2", "3", "4", "5<esc>"] {
        harness.keys(tab);
        harness.keys("H");
        assert_eq!(harness.app.tab, TabId::Lookup, "{tab}");
        assert_eq!(harness.app.trail.len(), 1);
    }
}

#[test]
fn enter_erases_nothing() {
    let mut harness = looked_up();
    harness.keys(":");
    harness.types("erase");
    harness.keys("<enter>");
    assert!(
        harness.screen().contains("Erase the trail"),
        "{}",
        harness.screen()
    );
    assert_eq!(harness.keys("<enter>"), []);
    assert!(
        harness.notice().contains("y does it"),
        "{}",
        harness.notice()
    );
    assert_eq!(harness.keys("y"), [Cmd::Forget]);
    assert!(harness.app.trail.is_empty());
}

#[test]
fn a_later_answer_to_the_same_question_takes_the_error_away() {
    let mut harness = explorer();
    let about = Question::Lookup(lookup());
    harness.go(Destination::Address(lookup()));
    harness.keys("2");
    harness.answer(&about, Err(Error::new(Kind::Network, "cut off")));
    harness.keys("1");
    assert!(harness.notice().contains("cut off"));
    assert_eq!(questions(&harness.keys("R")), std::slice::from_ref(&about));
    let answer = harness::record(&format!(r#"{{"ip":"{ADDRESS}"}}"#));
    harness.answer(&about, Ok(Answer::Lookup(answer)));
    assert_eq!(harness.notice(), "");
    assert!(
        !harness.screen().contains("cut off"),
        "{}",
        harness.screen()
    );
}

#[test]
fn what_is_entered_is_tested_and_other_hosts_begin_the_explorer_anew() {
    let mut harness = Harness::with(
        Facts {
            urls: Vec::new(),
            token: TokenState::Missing,
            ..harness::facts()
        },
        120,
        36,
    );
    let screen = harness.screen();
    assert!(screen.contains("T       enter token (hidden)"), "{screen}");
    harness.keys("4T");
    harness.types("https://context.example");
    assert_eq!(harness.keys("<enter>"), []);
    assert!(
        harness.screen().contains("Token and hosts"),
        "a token is missing"
    );
    harness.types("an-invented-token");
    let screen = harness.screen();
    assert!(!screen.contains("an-invented-token"), "{screen}");
    insta::assert_snapshot!("setup", screen);
    harness.keys("<up><space>");
    let cmds = harness.keys("<enter>");
    let [Cmd::OpenService(entered)] = cmds.as_slice() else {
        panic!("{cmds:?}")
    };
    assert_eq!(entered.urls.len(), 1);
    assert_eq!(
        (entered.token.is_some(), entered.keep),
        (true, Keep::InFile)
    );
    assert!(!format!("{entered:?}").contains("an-invented-token"));

    let mut again = explorer();
    let begun = again.app.test_entered(entered.clone(), again.now);
    assert!(questions(&begun).contains(&Question::Login(entered.clone())));
    assert_eq!(again.app.tab, TabId::Quota);
}

#[test]
fn the_stored_token_goes_to_another_host_only_after_a_yes() {
    let enter = |harness: &mut Harness, url: &str| {
        harness.keys("T<down><ctrl-u>");
        harness.types(url);
        harness.keys("<enter>")
    };
    let mut harness = explorer();
    assert_eq!(enter(&mut harness, "https://other.example/v2"), []);
    let question = "Send the stored token to https://other.example?";
    let screen = harness.screen();
    assert!(screen.contains(question), "{screen}");
    assert_eq!(harness.keys("<enter>"), []);
    assert_eq!(harness.keys("n"), []);
    assert!(!harness.screen().contains(question));
    enter(&mut harness, "https://other.example:444");
    assert!(harness.screen().contains("https://other.example:444?"));
    assert!(matches!(
        harness.keys("y").as_slice(),
        [Cmd::OpenService(_)]
    ));

    // The token that is entered with the host is meant for it, and another path of a host is the same host.
    let mut harness = explorer();
    harness.keys("T");
    harness.types("an-invented-token");
    harness.keys("<down><ctrl-u>");
    harness.types("https://other.example");
    assert!(matches!(
        harness.keys("<enter>").as_slice(),
        [Cmd::OpenService(_)]
    ));
    let known = harness.app.facts.url(Host::Context).expect("a host");
    let other_path = format!("{known}/other/path");
    let mut harness = explorer();
    assert!(matches!(
        enter(&mut harness, &other_path).as_slice(),
        [Cmd::OpenService(_)]
    ));

    // Where the demo is left, the hosts of the configuration are unknown.
    let demo = Facts {
        invented: true,
        ..harness::facts()
    };
    let mut harness = Harness::with(demo, 120, 36);
    assert_eq!(enter(&mut harness, "https://other.example"), []);
    let screen = harness.screen();
    assert!(screen.contains(question), "{screen}");
}

#[test]
fn a_pasted_token_is_not_changed_unseen() {
    let mut harness = explorer();
    harness.keys("T");
    let pasted = Msg::Paste("an\tinvented-token\n".to_owned());
    harness.tell(pasted);
    assert_eq!(harness.keys("<enter>"), []);
    let screen = harness.screen();
    assert!(
        screen.contains("the token contains a tab (U+0009)"),
        "{screen}"
    );
}

#[test]
fn a_refused_token_names_the_keys_that_mend_it() {
    let mut harness = explorer();
    let about = Question::Lookup(lookup());
    harness.go(Destination::Address(lookup()));
    let error = Error::new(Kind::Credentials, "401").hint("store it with `ipspect login`");
    harness.answer(&about, Err(error));
    let screen = harness.screen();
    assert!(
        screen.contains("3 t asks each host") && screen.contains("T enters"),
        "{screen}"
    );
    assert!(!screen.contains("ipspect login"), "{screen}");
    harness.keys("T");
    assert!(
        harness.screen().contains("Token and hosts"),
        "{}",
        harness.screen()
    );
}

#[test]
fn the_marked_rows_or_the_selected_one_are_printed_by_leaving() {
    let mut harness = looked_up();
    assert_eq!(harness.keys("Q"), [Cmd::Print(vec![ADDRESS.to_owned()])]);
    harness.keys("4p");
    assert_eq!(harness.keys("Q"), []);
    assert!(harness.screen().contains("Leave?"), "{}", harness.screen());
}

#[test]
fn title_and_taskbar_follow_what_is_under_way() {
    let mut harness = explorer();
    assert_eq!(harness.app.under_way(), None);
    harness.keys("4p");
    let at = |share, paused| Some(ProgressShare { share, paused });
    assert_eq!(harness.app.under_way(), at(None, false));
    let progress = Progress {
        stage: Stage::Downloading,
        done: 41,
        total: Some(100),
    };
    harness.progress(&pull(), progress);
    assert_eq!(harness.app.under_way(), at(Some(41), false));
    harness.keys("z");
    assert_eq!(harness.app.under_way(), at(Some(41), true));
}

#[test]
fn names_of_tabs_give_way_to_balance_and_jobs_alone() {
    let header = |harness: &mut Harness| {
        let screen = harness.screen();
        screen.lines().next().unwrap_or_default().to_owned()
    };
    let mut harness = Harness::new(80, 24);
    insta::assert_snapshot!(header(&mut harness), @" ipspect [1 Lookup] 2 Tags  3 Quota  4 Feeds  5 Export      bal unknown  ? keys");
    harness.keys("4p");
    let progress = Progress {
        stage: Stage::Downloading,
        done: 41,
        total: Some(100),
    };
    harness.progress(&pull(), progress);
    insta::assert_snapshot!(header(&mut harness), @"  1 Lookup  2 Tags  3 Quota [4 Feeds] 5 Export     bal unknown  J:1 41%  ? keys");
    harness.app.facts.invented = true;
    insta::assert_snapshot!(header(&mut harness), @" ipspect  1  2  3 [4 Feeds] 5                DEMO  bal unknown  J:1 41%  ? keys");
}

#[test]
fn a_click_on_the_heading_of_a_tab_brings_it_to_the_front() {
    use crossterm::event::{MouseButton, MouseEventKind};
    for width in [120, 80] {
        let mut harness = Harness::new(width, 36);
        for tab in [TabId::Feeds, TabId::Tags, TabId::Export, TabId::Lookup] {
            let number = TabId::ALL
                .iter()
                .position(|other| *other == tab)
                .expect("tab")
                + 1;
            let screen = harness.screen();
            let header = screen.lines().next().unwrap_or_default();
            let column = header.find(&number.to_string()).expect("its number");
            let column = u16::try_from(column).expect("small");
            let cmds = harness.mouse(MouseEventKind::Down(MouseButton::Left), column, 0);
            assert_eq!(harness.app.tab, tab, "{screen}");
            let is_paid = |question: &Question| matches!(question, Question::Lookup(_));
            assert!(!questions(&cmds).iter().any(is_paid));
        }
    }
}

#[test]
fn the_next_match_is_that_of_a_search() {
    let mut harness = explorer();
    let words = "nothing is searched for: / finds text in the JSON";
    harness.keys("n");
    assert_eq!(harness.notice(), words);
    harness.go(Destination::Address(lookup()));
    let record = harness::record(r#"{"ip":"198.51.100.77","as":{"number":64500}}"#);
    harness.answer(&Question::Lookup(lookup()), Ok(Answer::Lookup(record)));
    harness.keys("/");
    harness.types("64500");
    assert!(harness.screen().contains("1 of 1"), "{}", harness.screen());
    harness.keys("<esc>N");
    assert_eq!(harness.notice(), words, "the search was left");
}

#[test]
fn what_to_do_where_nothing_pastes_is_said_once() {
    let mut harness = Harness::new(120, 36);
    let copied = |harness: &mut Harness| {
        let route = Ok("OSC 52 (1,466 bytes)".to_owned());
        harness.tell(Msg::Copied("a ticket note".to_owned(), route));
        harness.notice()
    };
    let first = "copied a ticket note via OSC 52 (1,466 bytes)";
    let what_else = "; no paste? allow OSC 52 in the terminal";
    assert_eq!(copied(&mut harness), format!("{first}{what_else}"));
    assert_eq!(copied(&mut harness), first);
}

/// What is said about a row or a list is noise on another one; an error is not.
#[test]
fn a_message_goes_with_the_place_that_it_is_about() {
    let mut harness = Harness::new(120, 36);
    harness.keys("4m");
    let said = harness.notice();
    assert!(!said.is_empty());
    harness.keys("j");
    assert_eq!(harness.notice(), said, "the place is the same");
    harness.keys("3");
    assert_eq!(harness.notice(), "");
    harness.tell(Msg::Failed("could not write the file".to_owned()));
    harness.keys("4J");
    assert_eq!(harness.notice(), "could not write the file");
}

/// Help is searched for a word: rows that only have its letters somewhere are not what was meant.
#[test]
fn help_finds_what_has_the_word() {
    let mut harness = Harness::new(120, 36);
    harness.keys("?");
    harness.types("ticket");
    let list = harness.app.cover_as::<Choices>().expect("help");
    let list = &list.picker;
    assert!((1..6).contains(&list.found()), "{}", list.found());
    let first = list.chosen().expect("a row");
    assert!(first.detail.contains("ticket") || first.label.contains("ticket"));
}

/// The last lines of the screen: the keys.
fn footer(harness: &Harness) -> Vec<String> {
    let screen = harness.screen();
    let lines: Vec<_> = screen.lines().map(str::to_owned).collect();
    lines[lines.len() - 2..].to_vec()
}

#[test]
fn a_message_hides_no_key_and_goes_with_its_place() {
    for (width, height) in [(120, 36), (80, 24)] {
        let mut harness = looked_up();
        harness.screen_at(width, height);
        let keys = footer(&harness);
        harness.keys("yi");
        harness.tell(Msg::Copied(ADDRESS.to_owned(), Ok("OSC 52".to_owned())));
        assert!(harness.notice().contains("copied"), "{}", harness.notice());
        let screen = harness.screen();
        assert!(screen.contains("copied 198.51.100.77"), "{screen}");
        assert_eq!(footer(&harness), keys);
        harness.keys("4");
        assert_eq!(harness.notice(), "");
    }
}

#[test]
fn an_error_of_another_tab_stays_until_that_tab_is_left() {
    let mut harness = explorer();
    harness.keys("4p1");
    harness.answer(&pull(), Err(Error::new(Kind::Network, "cut off")));
    assert!(harness.notice().contains("cut off"));
    harness.keys("2");
    assert!(
        harness.notice().contains("cut off"),
        "it is not about Lookup"
    );
    harness.keys("4");
    assert!(harness.notice().contains("cut off"));
    harness.keys("1");
    assert_eq!(harness.notice(), "");
}
