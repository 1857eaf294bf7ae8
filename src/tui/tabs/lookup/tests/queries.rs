//! Questions about an address: which are answered without a query, and which are never sent.

use super::*;

#[test]
fn typing_an_address_asks_for_it_once() {
    let mut stage = rehearse(120, 36);
    let job = look_up(&mut stage, "198[.]51[.]100[.]77");
    assert_eq!(
        stage.asked,
        [(job, Question::Lookup(query("198.51.100.77")))]
    );
    look_up(&mut stage, "198.51.100.77");
    assert_eq!(
        stage.asked.len(),
        1,
        "a question under way is not asked again"
    );
    answer(&mut stage, job, RECORD);
    look_up(&mut stage, "198.51.100.77");
    assert_eq!(stage.asked.len(), 1, "what is known costs nothing");
    stage.keys("R");
    assert_eq!(stage.asked.len(), 2);
}

#[test]
fn a_stale_record_stands_while_the_service_is_asked_and_where_that_fails() {
    let mut stage = rehearse(120, 36);
    stage.sources.local = local("20261111");
    let job = look_up(&mut stage, "198.51.100.77");
    let screen = stage.screen();
    assert!(
        screen.contains("2026-11-11, 9d old stale") && screen.contains("~ asking the service"),
        "{screen}"
    );
    stage.answer_to(job, Err(Error::new(Kind::Network, "cut off")));
    let screen = stage.screen();
    assert!(
        screen.contains("9d old stale") && screen.contains("x cut off"),
        "{screen}"
    );
}

#[test]
fn a_cached_answer_replaces_a_query_while_it_is_young() {
    let mut stage = rehearse(120, 36);
    stage.sources.cached = Some(record(RECORD));
    stage.pass(3 * 60 * 60);
    stage.keys("i198.51.100.77<enter>");
    assert_eq!(stage.asked, []);
    let screen = stage.screen();
    assert!(
        screen.contains("CACHED 2026-11-20, asked 3h ago"),
        "{screen}"
    );
    stage.pass(24 * 60 * 60);
    look_up(&mut stage, "198.51.100.77");
    assert_eq!(stage.asked.len(), 1, "a day later it is stale");
}

#[test]
fn the_service_alone_is_asked_where_the_configuration_says_so() {
    let mut stage = rehearse(120, 36);
    stage.sources.local = local("20261120");
    stage.app.facts.answers = AnswerOrder::Live;
    look_up(&mut stage, "198.51.100.77");
    assert_eq!(stage.asked.len(), 1);
    let screen = stage.screen();
    assert!(
        screen.contains("LOCAL") && screen.contains("~ asking the service"),
        "{screen}"
    );
}

#[test]
fn what_must_not_be_sent_is_not_asked() {
    let mut stage = rehearse(120, 36);
    for address in ["10.0.0.5", "203.0.113.9", "198.051.100.7", "example"] {
        stage
            .app
            .tabs
            .lookup
            .field()
            .map(crate::tui::ui::widgets::text_field::TextField::clear);
        stage.keys("i");
        stage
            .app
            .tabs
            .lookup
            .field()
            .map(crate::tui::ui::widgets::text_field::TextField::clear);
        stage.keys(address);
        stage.keys("<enter>");
        assert_eq!(stage.asked, [], "{address}");
        assert!(
            stage.screen().contains("nothing was sent"),
            "{address}\n{}",
            stage.screen()
        );
    }
}

#[test]
fn a_stale_answer_changes_nothing() {
    let mut stage = rehearse(120, 36);
    let first = look_up(&mut stage, "198.51.100.77");
    assert!(stage.keys("<esc>").contains(&Cmd::Cancel(first)));
    answer(&mut stage, first, RECORD);
    assert!(
        stage
            .app
            .tabs
            .lookup
            .case()
            .expect("case")
            .live
            .value()
            .is_none()
    );
}

#[test]
fn coming_back_reads_what_is_at_hand_and_sends_no_query() {
    let mut stage = rehearse(120, 36);
    for address in ["198.51.100.77", "198.51.100.78"] {
        let job = look_up(&mut stage, address);
        stage.answer_to(job, Err(Error::new(Kind::Network, "unreachable")));
    }
    stage.sources.local = local("20240101");
    let cmds = stage.keys("<back>");
    let asked = |cmd: &Cmd| matches!(cmd, Cmd::Ask(_, Question::Lookup(_)));
    assert!(!cmds.iter().any(asked), "{cmds:?}");
    let case = stage.app.tabs.lookup.case().expect("case");
    assert_eq!(case.query, query("198.51.100.77"));
    assert!(case.shown().is_some() && !case.is_known());
}

#[test]
fn the_other_geolocation_is_asked_for_once() {
    let mut stage = rehearse(120, 36);
    let job = look_up(&mut stage, "198.51.100.77");
    answer(&mut stage, job, RECORD);
    stage.keys("m");
    let other = LookupQuery {
        geolocation: Geolocation::Mmgeo,
        ..query("198.51.100.77")
    };
    assert_eq!(
        stage.asked.last().map(|(_, question)| question),
        Some(&Question::Lookup(other))
    );
    let job = stage.asked[1].0;
    answer(&mut stage, job, &RECORD.replace("Amsterdam", "Rotterdam"));
    stage.keys("<back>");
    stage.keys("m");
    assert_eq!(stage.asked.len(), 2, "both are known now");
}

#[test]
fn a_question_that_is_no_longer_waited_for_was_asked() {
    let mut stage = rehearse(120, 36);
    look_up(&mut stage, "198.51.100.77");
    stage.keys("x");
    let screen = stage.screen();
    assert!(
        screen.contains("no longer waiting for the service")
            && screen.contains("The query may have been counted.")
            && screen.contains("R asks the service again: 1 query"),
        "{screen}"
    );
}

#[test]
fn what_a_repeated_try_may_have_cost_is_said() {
    let mut stage = rehearse(120, 36);
    let job = look_up(&mut stage, "198.51.100.77");
    let mut repeated = record(RECORD);
    (
        repeated.provenance.attempts,
        repeated.provenance.possibly_spent,
    ) = (2, 1);
    stage.answer_to(job, Ok(Answer::Lookup(repeated)));
    let words = "198.51.100.77: answered at try 2; possibly spent besides: 1";
    assert_eq!(stage.notice(), words);
}

/// Asks by the policy while the engine takes its time; returns the job.
fn begun(stage: &mut Harness) -> JobId {
    stage.is_slow = true;
    stage.keys("i198.51.100.77<enter>");
    stage.job(&Question::Resolve(query("198.51.100.77")))
}

#[test]
fn one_request_reads_what_is_at_hand_and_goes_on_to_the_service() {
    let mut stage = rehearse(120, 36);
    stage.sources.local = local("20261111");
    let job = begun(&mut stage);
    let about = query("198.51.100.77");
    let sources = stage.sources_of(about);
    let next = engine::answers::next(&sources, stage.now);
    let cmds = stage
        .app
        .update(Msg::AtHand(job, Box::new(sources), next), stage.now);
    let asked = harness::questions(&cmds);
    let is_asked_again = |own: &Question| matches!(own, Question::Lookup(_) | Question::Resolve(_));
    assert!(!asked.iter().any(is_asked_again), "{asked:?}");
    let screen = stage.screen();
    assert!(
        screen.contains("2026-11-11, 9d old stale") && screen.contains("~ asking the service"),
        "{screen}"
    );
    let answered = Answer::Resolved(Some(record(RECORD)));
    let cmds = stage.answer_to(job, Ok(answered));
    let is_remembered = |cmd: &Cmd| matches!(cmd, Cmd::Remember(_));
    assert_eq!(cmds.iter().filter(|cmd| is_remembered(cmd)).count(), 1);
    assert!(stage.screen().contains("LIVE 2026-11-20"));
}

#[test]
fn a_request_that_is_stopped_before_its_first_part_sends_nothing() {
    let mut stage = rehearse(120, 36);
    let job = begun(&mut stage);
    assert!(stage.keys("<esc>").contains(&Cmd::Cancel(job)));
    let sources = Box::new(stage.sources_of(query("198.51.100.77")));
    stage
        .app
        .update(Msg::AtHand(job, sources, PolicyStep::Ask(1)), stage.now);
    let case = stage.app.tabs.lookup.case().expect("case");
    assert!(!case.is_pending() && case.live.is_untouched());
}

#[test]
fn refreshing_before_the_first_part_sends_one_query() {
    let mut stage = rehearse(120, 36);
    let job = begun(&mut stage);
    let about = query("198.51.100.77");
    let cmds = stage.keys("R");
    let asked = harness::questions(&cmds);
    assert_eq!(asked, [Question::Lookup(about), Question::Sources(about)]);
    assert!(cmds.contains(&Cmd::Cancel(job)));
}

#[test]
fn what_cannot_be_read_sends_no_query() {
    let mut stage = rehearse(120, 36);
    let job = begun(&mut stage);
    stage.answer_to(job, Err(Error::new(Kind::Machine, "the disk failed")));
    assert_eq!(
        stage.notice(),
        "198.51.100.77: not asked; R fetches it (1 query)"
    );
    assert!(!stage.app.tabs.lookup.case().expect("case").is_pending());
}

#[test]
fn a_local_record_that_cannot_be_read_replaces_no_query() {
    let mut stage = rehearse(120, 36);
    stage.sources.local = local("20261120");
    let old = r#"{"ip":"198.51.100.77","user_count":3}"#;
    stage.sources.local.records[0].document =
        crate::model::Document::read(old.as_bytes()).expect(old);
    look_up(&mut stage, "198.51.100.77");
    assert_eq!(stage.asked.len(), 1);
}

#[test]
fn a_live_answer_is_of_the_day_that_was_chosen_for_lookups() {
    let mut stage = rehearse(120, 36);
    let job = look_up(&mut stage, "198.51.100.77");
    answer(&mut stage, job, RECORD);
    stage.keys("D-1<enter>");
    let screen = stage.screen();
    for said in [
        "enter not local, live: 1 query",
        "as of 2026-11-19",
        "! record of today, not of 2026-11-19: enter here or R, 1 query; esc: today",
    ] {
        assert!(screen.contains(said), "{said}\n{screen}");
    }
    let before = LookupQuery {
        date: Some("20261119".parse().expect("a day")),
        ..query("198.51.100.77")
    };
    let asked = harness::questions(&stage.keys("R"));
    assert!(asked.contains(&Question::Lookup(before)), "{asked:?}");
    stage.keys("Dt<enter>");
    let screen = stage.screen();
    assert!(screen.contains("R live: 1 query"), "{screen}");
    assert!(!screen.contains("! record of"), "{screen}");
    let asked = harness::questions(&stage.keys("R"));
    assert!(
        asked.contains(&Question::Lookup(query("198.51.100.77"))),
        "{asked:?}"
    );
}

#[test]
fn where_nothing_can_be_sent_no_hint_names_a_query() {
    let offline = Facts {
        offline: true,
        ..facts()
    };
    for (width, height) in [(120, 36), (80, 24)] {
        let mut stage = Harness::with(offline.clone(), width, height);
        stage.pivots = pivots(&[Feed::Anonymous]);
        let screen = stage.screen();
        assert!(!screen.contains("query"), "{screen}");
        let job = look_up(&mut stage, "198.51.100.9");
        stage.answer_to(job, Err(Error::new(Kind::Usage, "no request is sent")));
        stage.pass(60);
        let screen = stage.screen();
        assert!(!screen.contains("query"), "{screen}");
        assert!(screen.contains("offline"), "{screen}");
        stage.sources.local = local("20261120");
        stage.keys("i198.51.100.77<enter>");
        for keys in ["", "i", "<esc>t", "<enter>d", "<esc>D"] {
            stage.keys(keys);
            stage.pass(60);
            let screen = stage.screen();
            assert!(!screen.contains("query"), "{keys}\n{screen}");
        }
    }
}

#[test]
fn what_is_not_public_offers_nothing_that_is_sent() {
    let mut stage = rehearse(120, 36);
    stage.keys("i10.0.0.5<enter>");
    stage.pass(60);
    let screen = stage.screen();
    assert!(!screen.contains("query"), "{screen}");
    assert!(screen.contains("x 10.0.0.5"), "{screen}");
}

#[test]
fn a_day_that_is_local_is_shown_when_it_is_chosen_and_esc_takes_it_back() {
    let mut stage = rehearse(120, 36);
    let job = look_up(&mut stage, "198.51.100.77");
    answer(&mut stage, job, RECORD);
    stage.sources.local = local("20261113");
    stage.keys("D-7d");
    let screen = stage.screen();
    let price = "enter shows local anonymous-residential 2026-11-13: free";
    assert!(screen.contains(price), "{screen}");
    let asked = harness::questions(&stage.keys("<enter>"));
    assert!(
        !asked.iter().any(|own| matches!(own, Question::Lookup(_))),
        "{asked:?}"
    );
    let screen = stage.screen();
    for said in [
        "LOCAL anonymous-residential 2026-11-13",
        "as of 2026-11-13",
        "D as of day",
    ] {
        assert!(screen.contains(said), "{said}\n{screen}");
    }
    assert!(!screen.contains("! record of"), "{screen}");
    stage.keys("<esc>");
    let screen = stage.screen();
    assert!(
        screen.contains("date today") && screen.contains("LIVE 2026-11-20"),
        "{screen}"
    );
    assert_eq!(stage.notice(), "lookups ask for today");
    // Where nothing is local, the record stays and says of which day it is.
    stage.sources.local = LocalLookup::default();
    stage.keys("D-3d");
    let price = "sets it: free; then R: not local, live: 1 query";
    assert!(stage.screen().contains(price), "{}", stage.screen());
    stage.keys("<enter>");
    let screen = stage.screen_at(80, 24);
    for said in [
        "! record of today, not of 2026-11-17: enter here or R, 1 query; esc: today",
        "as of 2026-11-17",
    ] {
        assert!(screen.contains(said), "{said}\n{screen}");
    }
}

#[test]
fn a_row_that_leads_to_an_address_names_the_price_of_that_address() {
    let not_local = "not local, live: 1 query";
    let at_hand = "local anonymous-residential 2026-11-20: free";
    for (day, price) in [(None, not_local), (Some("20261120"), at_hand)] {
        let mut stage = rehearse(120, 36);
        let job = look_up(&mut stage, "198.51.100.77");
        answer(&mut stage, job, RECORD);
        if let Some(day) = day {
            stage.sources.local = local(day);
        }
        // From the operator past the entry to the exit.
        stage.keys("<down><down>");
        let screen = stage.screen();
        for said in [format!("look up: {price}"), format!("enter {price}")] {
            assert!(screen.contains(&said), "{said}\n{screen}");
        }
        // Other rows do not name it.
        stage.keys("<up>");
        let screen = stage.screen();
        assert!(screen.contains("look up: local, else 1 query"), "{screen}");
        // Among the entries and exits it stands in the title.
        stage.keys("<down>");
        while stage.app.tabs.lookup.row().expect("a row").label != "ACME_VPN entry" {
            stage.keys("<down>");
        }
        let screen = stage.screen();
        assert!(screen.contains(&format!("enter: {price}")), "{screen}");
        let asked = harness::questions(&stage.keys("<enter>"));
        let is_paid = asked.iter().any(|own| matches!(own, Question::Lookup(_)));
        assert_eq!(is_paid, day.is_none(), "{asked:?}");
    }
}

/// After a day was chosen, Enter fetches that day instead of opening the selected row.
#[test]
fn after_a_day_was_chosen_enter_asks_for_it() {
    for (width, height) in [(120, 36), (80, 24), (60, 16)] {
        let mut stage = rehearse(width, height);
        stage.pivots = pivots(&[Feed::Anonymous]);
        let job = look_up(&mut stage, "198.51.100.77");
        answer(&mut stage, job, RECORD);
        stage.keys("<down><down>D-1<enter>");
        let screen = stage.screen();
        assert!(
            screen.contains("! record of today, not of 2026-11-19"),
            "{screen}"
        );
        let price = screen.lines().nth(1).unwrap_or_default();
        assert!(price.contains("1 query"), "{screen}");
        let before = LookupQuery {
            date: Some("20261119".parse().expect("a day")),
            ..query("198.51.100.77")
        };
        let asked = harness::questions(&stage.keys("<enter>"));
        assert_eq!(asked, [Question::Lookup(before)], "{screen}");
    }
}

#[test]
fn a_past_day_of_lookups_is_seen_where_it_holds_and_beside_what_is_typed() {
    let mut stage = rehearse(120, 36);
    stage.keys("D-7d<enter>");
    for (width, height) in [(120, 36), (80, 24), (60, 16)] {
        // Records of feeds and rows of exports are looked up as of today.
        for (tab, holds) in [
            ("2", false),
            ("3", false),
            ("4", false),
            ("5", false),
            ("1", true),
        ] {
            stage.keys(tab);
            let screen = stage.screen_at(width, height);
            let is_seen = screen.contains("as of 2026-11-13");
            assert_eq!(is_seen, holds, "{tab}:\n{screen}");
        }
        stage.sources.local = LocalLookup::default();
        stage.keys("i198.51.100.9");
        let screen = stage.screen();
        for said in ["as of 2026-11-13", "1 query", "ctrl-t today"] {
            assert!(screen.contains(said), "{said} at {width}:\n{screen}");
        }
        stage.keys("<esc>");
    }
    // What is free today says so, and one key is enough.
    let mut stage = rehearse(80, 24);
    stage.keys("D-7d<enter>");
    stage.keys("i198.51.100.7");
    let today = query("198.51.100.77");
    stage.is_slow = true;
    stage.keys("7");
    let found = stage.sources_of(today);
    let found = crate::engine::Sources {
        local: local("20261120"),
        ..found
    };
    stage.answer(
        &Question::Sources(today),
        Ok(Answer::Sources(Box::new(found))),
    );
    let screen = stage.screen();
    assert!(
        screen.contains("enter 1 query  ctrl-t today: free"),
        "{screen}"
    );
    stage.keys("<ctrl-t>");
    let screen = stage.screen();
    assert!(
        screen.contains("enter local anonymous-residential 2026-11-20: free"),
        "{screen}"
    );
    assert!(!screen.contains("as of 2026"), "{screen}");
}
