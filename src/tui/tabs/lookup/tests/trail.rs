//! Tests of saved lookups: the trail of earlier runs, the addresses typed before, and records out of view.

use super::*;
use crate::{engine::trail::TrailEntry, tui::ctx::Destination};

#[test]
fn the_trail_of_earlier_runs_never_takes_the_place_of_a_fresh_record() {
    let mut harness = explorer(120, 36);
    harness.sources.local = local("20261120");
    let about = query("198.51.100.77");
    let begun = harness.app.begin(Some(about), harness.now);
    let sources = Box::new(harness.sources_of(about));
    let job = |of: fn(&Question) -> bool| {
        begun.iter().find_map(|cmd| match cmd {
            Cmd::Ask(job, question) if of(question) => Some(*job),
            _ => None,
        })
    };
    let reading = job(|question| matches!(question, Question::Resolve(_))).expect("sources");
    let trail = job(|question| matches!(question, Question::Trail)).expect("the trail");
    let looked = engine::trail::TrailEntry::Looked(about, Box::new(record(RECORD)));
    let of_before = engine::SavedTrail {
        entries: vec![looked],
        ..engine::SavedTrail::default()
    };
    harness.answer_to(trail, Ok(Answer::Trail(of_before)));
    harness.tell(Msg::AtHand(reading, sources, PolicyStep::Ask(1)));
    assert!(
        harness.screen().contains("LOCAL anonymous-residential"),
        "{}",
        harness.screen()
    );
}

#[test]
fn a_fresh_local_record_is_shown_in_place_of_an_answer_of_an_earlier_run() {
    let mut harness = explorer(120, 36);
    let about = query("198.51.100.77");
    let begun = harness.app.begin(None, harness.now);
    let Some(Cmd::Ask(job, Question::Trail)) = begun.into_iter().next() else {
        panic!("the trail is asked for")
    };
    let old = record(&RECORD.replace("ACME_VPN", "BRAVO_VPN"));
    let of_before = engine::SavedTrail {
        entries: vec![engine::trail::TrailEntry::Looked(about, Box::new(old))],
        ..engine::SavedTrail::default()
    };
    harness.answer_to(job, Ok(Answer::Trail(of_before)));
    harness.sources.local = local("20261120");
    harness.keys("i198.51.100.77<enter>");
    assert_eq!(harness.asked, []);
    let screen = harness.screen();
    assert!(
        screen.contains("LOCAL") && screen.contains("VPN exit of ACME_VPN"),
        "{screen}"
    );
}

#[test]
fn an_address_that_is_opened_anew_is_shown_from_its_top_and_a_step_back_from_where_one_was() {
    let mut harness = explorer(80, 24);
    let first = look_up(&mut harness, "198.51.100.77");
    answer(&mut harness, first, RECORD);
    let row = |harness: &mut Harness| {
        harness.screen();
        harness.app.tabs.lookup.row().expect("a row").label
    };
    let top = row(&mut harness);
    harness.keys("G");
    let last = row(&mut harness);
    assert_ne!(last, top);
    let second = look_up(&mut harness, "198.51.100.9");
    answer(&mut harness, second, r#"{"ip":"198.51.100.9"}"#);
    harness.keys("<back>");
    assert_eq!(row(&mut harness), last);
    // Typed, chosen from the trail, and the one that is shown typed again.
    for script in [
        "i198.51.100.77<enter>",
        "<ctrl-t><enter>",
        "i198.51.100.77<enter>",
    ] {
        harness.pass(1);
        harness.keys("GLH");
        assert_eq!(row(&mut harness), last, "{script}");
        harness.keys(script);
        assert_eq!(row(&mut harness), top, "{script}");
        let screen = harness.screen();
        assert!(
            screen.contains("VPN exit of ACME_VPN"),
            "{script}:\n{screen}"
        );
    }
}

#[test]
fn what_is_found_is_remembered() {
    let mut harness = explorer(120, 36);
    let job = look_up(&mut harness, "198.51.100.77");
    let mut cmds = answer(&mut harness, job, RECORD);
    cmds.extend(harness.keys("w"));
    let entries: Vec<engine::trail::TrailEntry> = cmds
        .into_iter()
        .filter_map(|cmd| match cmd {
            Cmd::Remember(entry) => Some(entry),
            _ => None,
        })
        .collect();
    assert_eq!(entries.len(), 2);
    let trail_of_before = engine::SavedTrail {
        entries,
        ..engine::SavedTrail::default()
    };
    let mut again = explorer(120, 36);
    let trail = again.app.begin(None, again.now);
    let Some(Cmd::Ask(job, Question::Trail)) = trail.into_iter().next() else {
        panic!("the trail is asked for")
    };
    again.answer_to(job, Ok(Answer::Trail(trail_of_before)));
    again.keys("<esc><ctrl-t><enter>");
    assert_eq!(again.asked, []);
    assert!(
        again.screen().contains(", last session"),
        "{}",
        again.screen()
    );
    assert!(
        again.screen().contains("198.51.100.77*"),
        "{}",
        again.screen()
    );
}

#[test]
fn the_field_brings_back_what_was_looked_up() {
    let mut harness = explorer(120, 36);
    let first = look_up(&mut harness, "198.51.100.77");
    answer(&mut harness, first, RECORD);
    let second = look_up(&mut harness, "198.51.100.9");
    answer(&mut harness, second, r#"{"ip":"198.51.100.9"}"#);
    harness.keys("i");
    harness.app.tabs.lookup.field().expect("the field").clear();
    let typed = |harness: &mut Harness| {
        harness
            .app
            .tabs
            .lookup
            .field()
            .expect("the field")
            .value()
            .to_owned()
    };
    let mut seen = Vec::new();
    for key in ["<up>", "<up>", "<up>", "<down>", "<down>"] {
        harness.keys(key);
        seen.push(typed(&mut harness));
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen, ["", "198.51.100.77", "198.51.100.9"]);
    assert!(
        harness
            .screen()
            .contains("enter local first, live: 1 query")
    );
    harness.keys("<up>");
    assert!(
        harness.screen().contains("enter shown before: free"),
        "{}",
        harness.screen()
    );
}

#[test]
fn large_records_out_of_view_are_let_go_and_asked_for_only_on_request() {
    let mut harness = explorer(120, 36);
    for last in [1, 2, 3] {
        let address = format!("198.51.100.{last}");
        let job = look_up(&mut harness, &address);
        let padding = "x".repeat(5 << 20);
        let text = format!(r#"{{"ip":"{address}","padding":"{padding}"}}"#);
        answer(&mut harness, job, &text);
    }
    let query = |last| LookupQuery::now([198, 51, 100, last].into());
    let is_kept = |harness: &Harness, last| {
        let case = harness
            .app
            .tabs
            .lookup
            .cases
            .of(query(last))
            .expect("a case");
        case.live.value().is_some()
    };
    let kept = [1, 2, 3].map(|last| is_kept(&harness, last));
    assert_eq!(kept.iter().filter(|kept| **kept).count(), 2, "{kept:?}");
    assert!(kept[2], "what is shown stays");
    let gone = if kept[0] { 2 } else { 1 };
    harness.asked.clear();
    harness.keys("i");
    harness.app.tabs.lookup.field().expect("the field").clear();
    harness.keys(&format!("198.51.100.{gone}<enter>"));
    assert_eq!(harness.asked, []);
    assert!(
        harness.screen().contains("too large to keep"),
        "{}",
        harness.screen()
    );
    harness.keys("R");
    assert_eq!(harness.asked.len(), 1);
}

#[test]
fn the_trail_is_searched_by_words() {
    let mut harness = explorer(120, 36);
    for address in ["198.51.100.77", "198.51.100.9"] {
        let job = look_up(&mut harness, address);
        answer(&mut harness, job, RECORD);
    }
    harness.keys("<ctrl-t>/.77");
    let screen = harness.screen();
    assert!(
        screen.contains("1 of 2") && screen.contains("/ .77"),
        "{screen}"
    );
    harness.keys("<enter><enter>");
    assert_eq!(
        harness.app.tabs.lookup.here,
        Some(query("198.51.100.77")),
        "what is found is opened"
    );
    harness.keys("<ctrl-t>/no such words<enter>");
    assert!(harness.screen().contains("no match; esc shows all"));
    harness.keys("<esc>");
    assert!(!harness.screen().contains("1 of 2"), "esc shows all again");
    harness.draws_at_any_size();
}

#[test]
fn stops_are_found_by_their_names_and_by_notes() {
    let mut harness = explorer(120, 36);
    for address in ["198.51.100.77", "198.51.100.9"] {
        let job = look_up(&mut harness, address);
        answer(&mut harness, job, RECORD);
    }
    harness.keys("a");
    harness.types("seen in case 12");
    harness.keys("<enter>");
    harness.go(Destination::Tag("ACME_VPN".parse().expect("a tag")));
    harness.keys("1<ctrl-t>/");
    for (words, found) in [
        ("", "3 of 3"),
        ("acme vpn", "1 of 3"),
        ("Case 198", "1 of 3"),
        ("nothing", "0 of 3"),
    ] {
        let field = harness.app.tabs.lookup.field().expect("the filter");
        field.clear();
        harness.types(words);
        harness.types(" ");
        let screen = harness.screen();
        assert!(screen.contains(found), "{words}\n{screen}");
    }
}

#[test]
fn the_mark_of_the_trail_is_on_what_is_open_and_its_signs_have_a_legend() {
    let mut harness = explorer(120, 36);
    let job = look_up(&mut harness, "198.51.100.77");
    answer(&mut harness, job, RECORD);
    harness.go(Destination::Tag("BRAVO_PROXY".parse().expect("a tag")));
    harness.keys("1");
    let screen = harness.screen();
    assert!(screen.contains("> ! 198.51.100.77"), "{screen}");
    assert!(
        !screen.contains("> t") && screen.contains("  t   BRAVO_PROXY"),
        "{screen}"
    );
    assert!(!screen.contains("! anonymising "), "{screen}");
    harness.keys("<ctrl-t>");
    for screen in [harness.screen(), harness.screen_at(80, 24)] {
        assert!(
            screen.contains("! anonymising ") && screen.contains("f records"),
            "{screen}"
        );
    }
}

/// An answer that cost nothing is on the trail of the next run as well, and is read again there for free.
#[test]
fn an_address_that_was_answered_locally_stays_on_the_trail() {
    let mut harness = explorer(120, 36);
    harness.sources.local = local("20261120");
    let cmds = harness.keys("i198.51.100.77<enter>");
    let visited = TrailEntry::Visited(query("198.51.100.77"), harness.now);
    assert!(cmds.contains(&Cmd::Remember(visited.clone())), "{cmds:?}");

    let mut again = explorer(120, 36);
    let begun = again.app.begin(None, again.now);
    let Some(Cmd::Ask(job, Question::Trail)) = begun.into_iter().next() else {
        panic!("the trail is not read");
    };
    let of_before = engine::SavedTrail {
        entries: vec![visited],
        ..engine::SavedTrail::default()
    };
    again.answer_to(job, Ok(Answer::Trail(of_before)));
    again.sources.local = local("20261120");
    assert!(
        again.screen().contains("198.51.100.77"),
        "{}",
        again.screen()
    );
    let asked = harness::questions(&again.keys("<ctrl-t><enter>"));
    assert!(
        !asked
            .iter()
            .any(|question| matches!(question, Question::Lookup(_))),
        "{asked:?}"
    );
    assert!(again.screen().contains("LOCAL"), "{}", again.screen());
}

/// While the cursor moves, and without a query; what acts on a record does not act on another one than is shown.
#[test]
fn the_record_of_a_stop_stands_beside_the_trail() {
    let mut harness = explorer(120, 36);
    let first = look_up(&mut harness, "198.51.100.77");
    answer(&mut harness, first, RECORD);
    let second = look_up(&mut harness, "198.51.100.9");
    answer(&mut harness, second, r#"{"ip":"198.51.100.9"}"#);
    let asked = harness.asked.clone();
    harness.keys("<ctrl-t>");
    let screen = harness.screen();
    assert!(screen.contains("┌ 198.51.100.9 ─"), "{screen}");
    assert!(screen.contains("R live"), "{screen}");
    harness.keys("<down>");
    let screen = harness.screen();
    assert!(screen.contains("┌ 198.51.100.77 ─"), "{screen}");
    insta::assert_snapshot!("trail_beside", screen);
    let copied = harness.keys("yi");
    assert_eq!(harness::copied(&copied), Some("198.51.100.77"));
    harness.keys("Rmcw[");
    assert_eq!(harness.asked, asked, "keys of the record ask nothing here");
    assert!(harness.screen().contains("┌ 198.51.100.77 ─"));
    harness.keys("<ctrl-t>");
    let screen = harness.screen();
    assert!(
        screen.contains("┌ 198.51.100.9 ─"),
        "what was open is kept\n{screen}"
    );
    // Tab goes into what stands beside, where its keys are about that.
    harness.keys("<ctrl-t>");
    let screen = harness.screen();
    assert!(screen.contains(" > 198.51.100.77 "), "{screen}");
    assert!(screen.contains("┌ 198.51.100.77 ─"), "{screen}");
    harness.keys("<tab>");
    let screen = harness.screen();
    assert!(screen.contains("┌ 198.51.100.77 ─"), "{screen}");
    assert!(screen.contains("R live"), "{screen}");
    assert_eq!(
        harness
            .app
            .tabs
            .lookup
            .here
            .map(|query| query.address.to_string()),
        Some("198.51.100.77".to_owned())
    );
    harness.draws_at_any_size();
}
