//! Questions about an address: which are answered without a query, and which are never sent.

use super::*;

#[test]
fn typing_an_address_asks_for_it_once() {
    let mut harness = explorer(120, 36);
    let job = look_up(&mut harness, "198[.]51[.]100[.]77");
    assert_eq!(
        harness.asked,
        [(job, Question::Lookup(query("198.51.100.77")))]
    );
    look_up(&mut harness, "198.51.100.77");
    assert_eq!(
        harness.asked.len(),
        1,
        "a question under way is not asked again"
    );
    answer(&mut harness, job, RECORD);
    look_up(&mut harness, "198.51.100.77");
    assert_eq!(harness.asked.len(), 1, "what is known costs nothing");
    harness.keys("R");
    assert_eq!(harness.asked.len(), 2);
}

#[test]
fn enter_shows_what_was_read_for_its_price() {
    let mut harness = explorer(120, 36);
    harness.sources.local = local("20261120");
    harness.keys("i198.51.100.77");
    let screen = harness.screen();
    assert!(
        screen.contains("anonymous-residential 2026-11-20: free"),
        "{screen}"
    );
    // What is read from now on has nothing.
    harness.sources.local = LocalLookup::default();
    harness.keys("<enter>");
    let screen = harness.screen();
    assert!(screen.contains("VPN exit of ACME_VPN"), "{screen}");
    assert_eq!(harness.asked, []);
}

#[test]
fn a_stale_record_stands_while_the_service_is_asked_and_where_that_fails() {
    let mut harness = explorer(120, 36);
    harness.sources.local = local("20261111");
    let job = look_up(&mut harness, "198.51.100.77");
    let screen = harness.screen();
    assert!(
        screen.contains("2026-11-11, 9d old stale") && screen.contains("~ asking the service"),
        "{screen}"
    );
    harness.answer_to(job, Err(Error::new(Kind::Network, "cut off")));
    let screen = harness.screen();
    assert!(
        screen.contains("9d old stale") && screen.contains("x cut off"),
        "{screen}"
    );
}

#[test]
fn a_cached_answer_replaces_a_query_while_it_is_young() {
    let mut harness = explorer(120, 36);
    harness.sources.cached = Some(record(RECORD));
    harness.pass(3 * 60 * 60);
    harness.keys("i198.51.100.77<enter>");
    assert_eq!(harness.asked, []);
    let screen = harness.screen();
    assert!(
        screen.contains("CACHED 2026-11-20, asked 3h ago"),
        "{screen}"
    );
    harness.pass(24 * 60 * 60);
    look_up(&mut harness, "198.51.100.77");
    assert_eq!(harness.asked.len(), 1, "a day later it is stale");
}

#[test]
fn the_service_alone_is_asked_where_the_configuration_says_so() {
    let mut harness = explorer(120, 36);
    harness.sources.local = local("20261120");
    harness.app.facts.answers = AnswerOrder::Live;
    look_up(&mut harness, "198.51.100.77");
    assert_eq!(harness.asked.len(), 1);
    let screen = harness.screen();
    assert!(
        screen.contains("LOCAL") && screen.contains("~ asking the service"),
        "{screen}"
    );
}

#[test]
fn what_must_not_be_sent_is_not_asked() {
    let mut harness = explorer(120, 36);
    for address in ["10.0.0.5", "203.0.113.9", "198.051.100.7", "example"] {
        harness
            .app
            .tabs
            .lookup
            .field()
            .map(crate::tui::ui::widgets::text_field::TextField::clear);
        harness.keys("i");
        harness
            .app
            .tabs
            .lookup
            .field()
            .map(crate::tui::ui::widgets::text_field::TextField::clear);
        harness.keys(address);
        harness.keys("<enter>");
        assert_eq!(harness.asked, [], "{address}");
        assert!(
            harness.screen().contains("nothing was sent"),
            "{address}\n{}",
            harness.screen()
        );
    }
}

#[test]
fn a_stale_answer_changes_nothing() {
    let mut harness = explorer(120, 36);
    let first = look_up(&mut harness, "198.51.100.77");
    assert!(harness.keys("<esc>").contains(&Cmd::Cancel(first)));
    answer(&mut harness, first, RECORD);
    assert!(
        harness
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
    let mut harness = explorer(120, 36);
    for address in ["198.51.100.77", "198.51.100.78"] {
        let job = look_up(&mut harness, address);
        harness.answer_to(job, Err(Error::new(Kind::Network, "unreachable")));
    }
    harness.sources.local = local("20240101");
    let cmds = harness.keys("<back>");
    let asked = |cmd: &Cmd| matches!(cmd, Cmd::Ask(_, Question::Lookup(_)));
    assert!(!cmds.iter().any(asked), "{cmds:?}");
    let case = harness.app.tabs.lookup.case().expect("case");
    assert_eq!(case.query, query("198.51.100.77"));
    assert!(case.shown().is_some() && !case.is_known());
}

#[test]
fn the_other_geolocation_is_asked_for_once() {
    let mut harness = explorer(120, 36);
    let job = look_up(&mut harness, "198.51.100.77");
    answer(&mut harness, job, RECORD);
    harness.keys("m");
    let other = LookupQuery {
        geolocation: Geolocation::Mmgeo,
        ..query("198.51.100.77")
    };
    assert_eq!(
        harness.asked.last().map(|(_, question)| question),
        Some(&Question::Lookup(other))
    );
    let job = harness.asked[1].0;
    answer(&mut harness, job, &RECORD.replace("Amsterdam", "Rotterdam"));
    harness.keys("<back>");
    harness.keys("m");
    assert_eq!(harness.asked.len(), 2, "both are known now");
}

#[test]
fn a_question_that_is_no_longer_waited_for_was_asked() {
    let mut harness = explorer(120, 36);
    look_up(&mut harness, "198.51.100.77");
    harness.keys("x");
    let screen = harness.screen();
    assert!(
        screen.contains("no longer waiting for the service")
            && screen.contains("The query may have been counted.")
            && screen.contains("R asks the service again: 1 query"),
        "{screen}"
    );
}

#[test]
fn what_a_repeated_try_may_have_cost_is_said() {
    let mut harness = explorer(120, 36);
    let job = look_up(&mut harness, "198.51.100.77");
    let mut repeated = record(RECORD);
    (
        repeated.provenance.attempts,
        repeated.provenance.possibly_spent,
    ) = (2, 1);
    harness.answer_to(job, Ok(Answer::Lookup(repeated)));
    let words = "198.51.100.77: answered on try 2; 1 query more possibly spent";
    assert_eq!(harness.notice(), words);
}

/// Asks by the policy while the engine takes its time; returns the job.
fn begun(harness: &mut Harness) -> JobId {
    harness.is_slow = true;
    harness.keys("i198.51.100.77<enter>");
    harness.job(&Question::Resolve(query("198.51.100.77")))
}

#[test]
fn one_request_reads_what_is_at_hand_and_goes_on_to_the_service() {
    let mut harness = explorer(120, 36);
    harness.sources.local = local("20261111");
    let job = begun(&mut harness);
    let about = query("198.51.100.77");
    let sources = harness.sources_of(about);
    let next = engine::answers::next(&sources, harness.now);
    let cmds = harness
        .app
        .update(Msg::AtHand(job, Box::new(sources), next), harness.now);
    let asked = harness::questions(&cmds);
    let is_asked_again =
        |question: &Question| matches!(question, Question::Lookup(_) | Question::Resolve(_));
    assert!(!asked.iter().any(is_asked_again), "{asked:?}");
    let screen = harness.screen();
    assert!(
        screen.contains("2026-11-11, 9d old stale") && screen.contains("~ asking the service"),
        "{screen}"
    );
    let answered = Answer::Resolved(Some(record(RECORD)));
    let cmds = harness.answer_to(job, Ok(answered));
    let is_remembered = |cmd: &Cmd| matches!(cmd, Cmd::Remember(_));
    assert_eq!(cmds.iter().filter(|cmd| is_remembered(cmd)).count(), 1);
    assert!(harness.screen().contains("LIVE 2026-11-20"));
}

#[test]
fn a_request_that_is_stopped_before_its_first_part_sends_nothing() {
    let mut harness = explorer(120, 36);
    let job = begun(&mut harness);
    assert!(harness.keys("<esc>").contains(&Cmd::Cancel(job)));
    let sources = Box::new(harness.sources_of(query("198.51.100.77")));
    harness
        .app
        .update(Msg::AtHand(job, sources, PolicyStep::Ask(1)), harness.now);
    let case = harness.app.tabs.lookup.case().expect("case");
    assert!(!case.is_pending() && case.live.is_untouched());
}

#[test]
fn refreshing_before_the_first_part_sends_one_query() {
    let mut harness = explorer(120, 36);
    let job = begun(&mut harness);
    let about = query("198.51.100.77");
    let cmds = harness.keys("R");
    let asked = harness::questions(&cmds);
    assert_eq!(asked, [Question::Lookup(about), Question::Sources(about)]);
    assert!(cmds.contains(&Cmd::Cancel(job)));
}

#[test]
fn what_cannot_be_read_sends_no_query() {
    let mut harness = explorer(120, 36);
    let job = begun(&mut harness);
    harness.answer_to(job, Err(Error::new(Kind::Machine, "the disk failed")));
    assert_eq!(
        harness.notice(),
        "198.51.100.77: not asked; R fetches it (1 query)"
    );
    assert!(!harness.app.tabs.lookup.case().expect("case").is_pending());
}

#[test]
fn a_local_record_that_cannot_be_read_replaces_no_query() {
    let mut harness = explorer(120, 36);
    harness.sources.local = local("20261120");
    let old = r#"{"ip":"198.51.100.77","user_count":3}"#;
    harness.sources.local.records[0].document =
        crate::model::Document::read(old.as_bytes()).expect(old);
    look_up(&mut harness, "198.51.100.77");
    assert_eq!(harness.asked.len(), 1);
}

#[test]
fn a_live_answer_is_of_the_day_that_was_chosen_for_lookups() {
    let mut harness = explorer(120, 36);
    let job = look_up(&mut harness, "198.51.100.77");
    answer(&mut harness, job, RECORD);
    harness.keys("D-1<enter>");
    let screen = harness.screen();
    for said in [
        "enter none local, live: 1 query",
        "as of 2026-11-19",
        "! record of today, not of 2026-11-19: R, 1 query; esc: today",
    ] {
        assert!(screen.contains(said), "{said}\n{screen}");
    }
    let before = LookupQuery {
        date: Some("20261119".parse().expect("a day")),
        ..query("198.51.100.77")
    };
    let asked = harness::questions(&harness.keys("R"));
    assert!(asked.contains(&Question::Lookup(before)), "{asked:?}");
    harness.keys("Dt<enter>");
    let screen = harness.screen();
    assert!(screen.contains("R live: 1 query"), "{screen}");
    assert!(!screen.contains("! record of"), "{screen}");
    let asked = harness::questions(&harness.keys("R"));
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
        let mut harness = Harness::with(offline.clone(), width, height);
        harness.pivots = pivots(&[Feed::Anonymous]);
        let screen = harness.screen();
        assert!(!screen.contains("query"), "{screen}");
        let asked = harness::questions(&harness.keys("i198.51.100.9<enter>"));
        let may_send =
            |question: &Question| matches!(question, Question::Resolve(_) | Question::Lookup(_));
        assert!(!asked.iter().any(may_send), "{asked:?}");
        harness.pass(60);
        let screen = harness.screen();
        assert!(!screen.contains("query"), "{screen}");
        assert!(screen.contains("offline"), "{screen}");
        harness.sources.local = local("20261120");
        harness.keys("i198.51.100.77<enter>");
        for keys in ["", "i", "<esc>t", "<enter>d", "<esc>D"] {
            harness.keys(keys);
            harness.pass(60);
            let screen = harness.screen();
            assert!(!screen.contains("query"), "{keys}\n{screen}");
        }
    }
}

#[test]
fn what_is_not_public_offers_nothing_that_is_sent() {
    let mut harness = explorer(120, 36);
    harness.keys("i10.0.0.5<enter>");
    harness.pass(60);
    let screen = harness.screen();
    assert!(!screen.contains("query"), "{screen}");
    assert!(screen.contains("x 10.0.0.5"), "{screen}");
}

#[test]
fn a_day_that_is_local_is_shown_when_it_is_chosen_and_esc_takes_it_back() {
    let mut harness = explorer(120, 36);
    let job = look_up(&mut harness, "198.51.100.77");
    answer(&mut harness, job, RECORD);
    harness.sources.local = local("20261113");
    harness.keys("D-7d");
    let screen = harness.screen();
    let price = "enter shows local anonymous-residential 2026-11-13: free";
    assert!(screen.contains(price), "{screen}");
    let asked = harness::questions(&harness.keys("<enter>"));
    assert!(
        !asked
            .iter()
            .any(|question| matches!(question, Question::Lookup(_))),
        "{asked:?}"
    );
    let screen = harness.screen();
    for said in [
        "LOCAL anonymous-residential 2026-11-13",
        "as of 2026-11-13",
        "d as of day",
    ] {
        assert!(screen.contains(said), "{said}\n{screen}");
    }
    assert!(!screen.contains("! record of"), "{screen}");
    harness.keys("<esc>");
    let screen = harness.screen();
    assert!(
        screen.contains("date today") && screen.contains("LIVE 2026-11-20"),
        "{screen}"
    );
    assert_eq!(harness.notice(), "lookups ask for today");
    // Where nothing is local, the record stays and says of which day it is.
    harness.sources.local = LocalLookup::default();
    harness.keys("D-3d");
    let price = "sets it: free; then R: none local, live: 1 query";
    assert!(harness.screen().contains(price), "{}", harness.screen());
    harness.keys("<enter>");
    let screen = harness.screen_at(80, 24);
    for said in [
        "! record of today, not of 2026-11-17: R, 1 query; esc: today",
        "as of 2026-11-17",
    ] {
        assert!(screen.contains(said), "{said}\n{screen}");
    }
}

#[test]
fn a_row_that_leads_to_an_address_names_the_price_of_that_address() {
    let not_local = "none local, live: 1 query";
    let at_hand = "local anonymous-residential 2026-11-20: free";
    for (day, price) in [(None, not_local), (Some("20261120"), at_hand)] {
        let mut harness = explorer(120, 36);
        let job = look_up(&mut harness, "198.51.100.77");
        answer(&mut harness, job, RECORD);
        if let Some(day) = day {
            harness.sources.local = local(day);
        }
        // From the operator past the entry to the exit.
        harness.keys("<down><down>");
        let screen = harness.screen();
        for said in [format!("look up: {price}"), format!("enter {price}")] {
            assert!(screen.contains(&said), "{said}\n{screen}");
        }
        // Other rows do not name it.
        harness.keys("<up>");
        let screen = harness.screen();
        assert!(screen.contains("look up: local, else 1 query"), "{screen}");
        // Among the entries and exits it stands in the title.
        harness.keys("<down>");
        while harness.app.tabs.lookup.row().expect("a row").label != "ACME_VPN entry" {
            harness.keys("<down>");
        }
        let screen = harness.screen();
        assert!(screen.contains(&format!("enter: {price}")), "{screen}");
        let asked = harness::questions(&harness.keys("<enter>"));
        let is_paid = asked
            .iter()
            .any(|question| matches!(question, Question::Lookup(_)));
        assert_eq!(is_paid, day.is_none(), "{asked:?}");
    }
}

/// After a day was chosen, Enter fetches that day instead of opening the selected row.
#[test]
fn after_a_day_was_chosen_enter_asks_for_it() {
    for (width, height) in [(120, 36), (80, 24), (60, 16)] {
        let mut harness = explorer(width, height);
        harness.pivots = pivots(&[Feed::Anonymous]);
        let job = look_up(&mut harness, "198.51.100.77");
        answer(&mut harness, job, RECORD);
        harness.keys("<down><down>D-1<enter>");
        let screen = harness.screen();
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
        let asked = harness::questions(&harness.keys("<enter>"));
        assert_eq!(asked, [Question::Lookup(before)], "{screen}");
    }
}

/// `d` is about the record alone: lookups ask for the same day as before.
#[test]
fn a_record_is_shown_as_of_another_day_at_the_price_that_the_calendar_names() {
    let mut harness = explorer(120, 36);
    let job = look_up(&mut harness, "198.51.100.77");
    answer(&mut harness, job, RECORD);
    harness.sources.local = local("20261113");
    harness.keys("d-7d");
    let screen = harness.screen();
    for said in [
        "Show as of",
        "enter local anonymous-residential 2026-11-13: free",
    ] {
        assert!(screen.contains(said), "{said}\n{screen}");
    }
    let is_paid = |question: &Question| matches!(question, Question::Lookup(_));
    let asked = harness::questions(&harness.keys("<enter>"));
    assert!(!asked.iter().any(is_paid), "{asked:?}");
    let screen = harness.screen();
    for said in ["LOCAL anonymous-residential 2026-11-13", "date today"] {
        assert!(screen.contains(said), "{said}\n{screen}");
    }
    harness.keys("<back>");
    assert!(harness.screen().contains("LIVE 2026-11-20"));
    harness.sources.local = LocalLookup::default();
    harness.keys("d-3d");
    let price = "enter none local, live: 1 query";
    assert!(harness.screen().contains(price), "{}", harness.screen());
    let asked = harness::questions(&harness.keys("<enter>"));
    let then = LookupQuery {
        date: "20261117".parse().ok(),
        ..query("198.51.100.77")
    };
    assert!(asked.contains(&Question::Lookup(then)), "{asked:?}");
}

#[test]
fn a_past_day_of_lookups_is_seen_where_it_holds_and_beside_what_is_typed() {
    let mut harness = explorer(120, 36);
    harness.keys("D-7d<enter>");
    for (width, height) in [(120, 36), (80, 24), (60, 16)] {
        // Records of feeds and rows of exports are looked up as of today.
        for (tab, holds) in [
            ("2", false),
            ("3", false),
            ("4", false),
            ("5", false),
            ("1", true),
        ] {
            harness.keys(tab);
            let screen = harness.screen_at(width, height);
            let is_seen = screen.contains("as of 2026-11-13");
            assert_eq!(is_seen, holds, "{tab}:\n{screen}");
        }
        harness.sources.local = LocalLookup::default();
        harness.keys("i198.51.100.9");
        let screen = harness.screen();
        for said in ["as of 2026-11-13", "1 query", "ctrl-n today"] {
            assert!(screen.contains(said), "{said} at {width}:\n{screen}");
        }
        harness.keys("<esc>");
    }
    // What is free today says so, and one key is enough.
    let mut harness = explorer(80, 24);
    harness.keys("D-7d<enter>");
    harness.keys("i198.51.100.7");
    let today = query("198.51.100.77");
    harness.is_slow = true;
    harness.keys("7");
    let found = harness.sources_of(today);
    let found = crate::engine::Sources {
        local: local("20261120"),
        ..found
    };
    harness.answer(
        &Question::Sources(today),
        Ok(Answer::Sources(Box::new(found))),
    );
    let screen = harness.screen();
    assert!(
        screen.contains("enter 1 query  ctrl-n today: free"),
        "{screen}"
    );
    harness.keys("<ctrl-n>");
    let screen = harness.screen();
    assert!(
        screen.contains("enter local anonymous-residential 2026-11-20: free"),
        "{screen}"
    );
    assert!(!screen.contains("as of 2026"), "{screen}");
}

#[test]
fn the_day_of_lookups_is_chosen_from_every_tab() {
    for tab in ["1", "2", "3", "4"] {
        let mut harness = Harness::new(120, 36);
        harness.keys(tab);
        harness.keys("D");
        let screen = harness.screen();
        assert!(screen.contains("Day of lookups"), "{tab}: {screen}");
    }
}

#[test]
fn arrows_move_the_day_of_lookups() {
    let mut harness = Harness::new(120, 36);
    harness.keys("D<left>");
    let screen = harness.screen();
    assert!(screen.contains("19 November 2026"), "{screen}");
    harness.keys("<left><right><up>");
    let screen = harness.screen();
    assert!(screen.contains("12 November 2026"), "{screen}");
}

/// The cache keeps a copy of each live answer: one that is shown does not stand beside itself.
#[test]
fn the_cached_copy_of_the_live_answer_is_no_other_source() {
    for (minutes, is_other) in [(0, false), (90, true)] {
        let mut harness = explorer(120, 36);
        let job = look_up(&mut harness, "198.51.100.77");
        answer(&mut harness, job, RECORD);
        let mut cached = record(RECORD);
        cached.provenance.asked_at -= SignedDuration::from_mins(minutes);
        harness.sources.cached = Some(cached);
        harness.keys("i198.51.100.77<enter>");
        let screen = harness.screen_at(120, 60);
        assert_eq!(screen.contains("cached"), is_other, "{screen}");
    }
}

#[test]
fn what_stands_under_the_cursor_is_explained() {
    let mut harness = explorer(120, 36);
    harness.sources.local = local("20261120");
    harness.keys("i198.51.100.77<enter>K");
    let question = Question::Explain("ACME_VPN".to_owned());
    let found = harness::explanation("ACME_VPN", true);
    harness.answer(&question, Ok(Answer::Explained(Box::new(found))));
    let screen = harness.screen();
    assert!(
        screen.contains("330 of 41,198 records, since 2026-11-17"),
        "{screen}"
    );
    let is_lookup = |question: &Question| matches!(question, Question::Lookup(_));
    assert!(
        !harness
            .asked
            .iter()
            .any(|(_, question)| is_lookup(question))
    );
    harness.keys("<esc>");
    assert!(!harness.screen().contains("since 2026-11-17"));
}
