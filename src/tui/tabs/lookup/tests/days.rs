//! The strip of the days of an address, and a walk along it.

use super::*;
use crate::{
    engine::{PullQuery, WantedRelease},
    model::Day,
    tui::ctx::ListContent,
};

const OPEN: &str = "i198.51.100.77<enter>";

/// The address on 2026-11-20, of which seven days are at hand.
fn walker(width: u16, height: u16) -> Harness {
    let mut harness = explorer(width, height);
    harness.sources.local = local("20261120");
    harness.days = Some(days("20261114", "-B?-==="));
    harness.keys(OPEN);
    harness
}

/// The walk goes to a day of which nothing is local.
fn without_a_record(harness: &mut Harness, keys: &str) -> String {
    harness.sources.local = LocalLookup::default();
    harness.keys(keys);
    harness.screen()
}

fn here(harness: &Harness) -> Option<String> {
    let here = harness.app.tabs.lookup.here.expect("an address");
    here.date.map(Day::dashed)
}

#[test]
fn the_days_of_an_address_are_a_strip_under_the_verdict() {
    let mut harness = walker(120, 36);
    let screen = harness.screen();
    assert!(
        screen.contains("since 2026-11-18; before: no record"),
        "{screen}"
    );
    assert!(
        screen.contains("2026-11-14  ·A?·BBB  2026-11-20   A B_VPN  B ACME_VPN"),
        "{screen}"
    );
    let small = harness.screen_at(80, 24);
    assert!(small.contains("2026-11-14  ·A?·BBB  2026-11-20"), "{small}");
    // One day is no strip.
    harness.days = Some(days("20261120", "="));
    harness.keys("i198.51.100.78<enter>");
    assert!(!harness.screen().contains("2026-11-20  B"));
}

#[test]
fn the_page_follows_a_walk_and_nothing_is_sent() {
    let mut harness = walker(120, 36);
    harness.sources.local = local("20261119");
    harness.keys("[");
    assert_eq!(here(&harness).as_deref(), Some("2026-11-19"));
    assert!(
        harness
            .screen()
            .contains("LOCAL anonymous-residential 2026-11-19")
    );
    let screen = without_a_record(&mut harness, "[[");
    assert!(
        screen
            .contains("no record on 2026-11-17; VPN of B_VPN on 1 of the last 3 local days, last"),
        "{screen}"
    );
    let screen = without_a_record(&mut harness, "[");
    let told = "Nothing is known of 2026-11-16: anonymous is not local; p downloads it.";
    assert!(screen.contains(told), "{screen}");
    assert_eq!(harness.asked, []);
    // The first day at hand is the end of the way, and so is today.
    harness.keys("[[[[");
    assert_eq!(here(&harness).as_deref(), Some("2026-11-14"));
    assert!(harness.screen().contains("no earlier day is at hand"));
    harness.keys("]]]]]]]]");
    assert_eq!(here(&harness), None);
}

#[test]
fn a_walk_is_no_stop_of_the_trail_until_one_stays() {
    let stops = |harness: &Harness| harness.app.trail.listed().len();
    let mut harness = walker(120, 36);
    without_a_record(&mut harness, "[[[");
    assert_eq!(
        (stops(&harness), here(&harness).as_deref()),
        (1, Some("2026-11-17"))
    );
    harness.keys("<esc>");
    assert_eq!((stops(&harness), here(&harness)), (1, None));
    harness.keys("[[<enter>");
    assert_eq!(
        (stops(&harness), here(&harness).as_deref()),
        (2, Some("2026-11-18"))
    );
    harness.keys("<esc>");
    assert_eq!(here(&harness).as_deref(), Some("2026-11-18"), "one stayed");
    harness.keys("<back>");
    assert_eq!(here(&harness), None);
    assert_eq!(harness.asked, []);
}

#[test]
fn a_live_answer_is_of_the_day_to_which_one_walked() {
    let mut harness = walker(120, 36);
    without_a_record(&mut harness, "[[[[R");
    let asked = harness.asked.last().map(|(_, question)| question.clone());
    let Some(Question::Lookup(query)) = asked else {
        panic!("{asked:?}");
    };
    assert_eq!(query.date.map(Day::dashed).as_deref(), Some("2026-11-16"));
}

#[test]
fn where_one_walked_is_compared_with_where_one_began() {
    let mut harness = walker(120, 36);
    harness.sources.local = local("20261118");
    harness.keys("[[c");
    let compare = harness.app.tabs.lookup.comparison().expect("a comparison");
    assert_eq!(compare.a.date, "20261118".parse().ok());
    assert_eq!(compare.b.date, None);
    assert_eq!(harness.asked, []);
    let screen = harness.screen();
    assert!(
        screen.contains("2026-11-14  ·A?·BBB  2026-11-20"),
        "{screen}"
    );
    let note = harness.keys("ym");
    let note = harness::copied(&note).expect("a note");
    assert!(
        note.contains("days before A:** since 2026-11-18; before: no record"),
        "{note}"
    );
}

#[test]
fn days_that_are_not_known_are_downloaded_after_their_size() {
    let mut harness = walker(120, 36);
    harness.days = Some(days("20261112", "=???-===="));
    harness.keys("i198.51.100.79<enter>p");
    assert!(
        harness
            .screen()
            .contains("this day is known: [ and ] walk to one that is not")
    );
    without_a_record(&mut harness, "[[[[[[");
    let screen = harness.keys("p");
    assert_eq!(screen, []);
    let screen = harness.screen();
    let asked = "Download anonymous of 3 days, 2026-11-13 to 2026-11-15? Size unknown, no query.";
    assert!(screen.contains(asked), "{screen}");
    harness.keys("y");
    let pulls = harness
        .asked
        .iter()
        .filter_map(|(_, question)| match question {
            Question::Pull(PullQuery {
                wanted: WantedRelease::Day(day),
                ..
            }) => Some(day.dashed()),
            _ => None,
        });
    let pulls: Vec<String> = pulls.collect();
    assert_eq!(pulls, ["2026-11-13", "2026-11-14", "2026-11-15"]);
    assert!(harness.screen().contains("198.51.100.79 2026-11-14"));
}

#[test]
fn a_past_day_is_counted_in_its_own_release_or_says_in_which() {
    let mut harness = walker(120, 36);
    harness.pivots = pivots(&[Feed::Anonymous]);
    harness.sources.local = local("20261118");
    harness.keys("[[");
    let asked = harness.app.tabs.lookup.case().expect("a case");
    let Some(Question::Pivots(_, _, day)) = asked.pivots.question() else {
        panic!("{asked:?}");
    };
    assert_eq!(day.map(Day::dashed).as_deref(), Some("2026-11-18"));
    // The answer here is of the newest.
    let screen = harness.screen();
    assert!(
        screen.contains("records, local 2026-11-20, not 2026-11-18"),
        "{screen}"
    );
}

#[test]
fn the_days_are_read_again_when_the_service_has_answered_about_one() {
    let mut harness = explorer(120, 36);
    harness.days = Some(days("20261120", "="));
    let job = look_up(&mut harness, "198.51.100.77");
    answer(&mut harness, job, RECORD);
    assert!(!harness.screen().contains("2026-11-18  "));
    // The cache has the answer about another day by then.
    harness.days = Some(days("20261118", "B?="));
    harness.keys("d-2<enter>");
    let (job, _) = harness.asked.last().cloned().expect("a question");
    answer(&mut harness, job, RECORD);
    harness.keys("<back>");
    assert_eq!(here(&harness), None);
    let screen = harness.screen();
    assert!(screen.contains("2026-11-18  A?B  2026-11-20"), "{screen}");
}

#[test]
fn the_days_of_an_address_are_written_to_a_file() {
    let mut harness = walker(120, 36);
    for (name, rows, told) in [
        (
            "days.csv",
            8,
            "198.51.100.77,20261116,false,not-local,,,,\r\n",
        ),
        (
            "days.jsonl",
            5,
            r#""from":"20261118","to":"20261120","days":3"#,
        ),
        ("days.txt", 1, "198.51.100.77\n"),
    ] {
        harness.keys(&format!("W{name}<enter>"));
        let path = harness.app.facts.working_dir.join(name);
        let cmds = harness.answer(&Question::IsThere(path), Ok(Answer::IsThere(false)));
        let written = harness::questions(&cmds)
            .into_iter()
            .find_map(|question| match question {
                Question::WriteList(file) => Some(file.list),
                _ => None,
            });
        let Some(ListContent::Text(text, _)) = written else {
            panic!("{name}: nothing is written")
        };
        assert_eq!(text.lines().count(), rows, "{name}\n{text}");
        assert!(text.contains(told), "{name}\n{text}");
    }
    let sends = |question: &Question| matches!(question, Question::Lookup(_));
    assert!(!harness.asked.iter().any(|(_, question)| sends(question)));
}
