//! Marks: one by one, a range, all of a filter, the others; and what is done with what is marked.

use super::*;
use crate::{
    engine::views::RecordName,
    model::{Subject, Terms},
};

fn is_names(question: &Question) -> bool {
    matches!(question, Question::Names(..))
}

/// Answers the question for names; returns the rows that were asked for.
fn answer_names(stage: &mut Harness) -> std::ops::Range<u64> {
    let asked = waiting(stage, is_names);
    let [Question::Names(_, rows)] = &asked[..] else {
        panic!("{asked:?}")
    };
    let names = rows.clone().map(|position| {
        let terms = Terms::of(record(position).value());
        RecordName::of(&terms).expect("a name")
    });
    stage.answer_any(is_names, Ok(Answer::Names(names.collect())));
    rows.clone()
}

#[test]
fn a_range_is_marked_whether_its_rows_are_at_hand_or_not() {
    let mut stage = browsing(120, 36, "", 900);
    stage.keys("<down>V<down><down>");
    let screen = stage.screen();
    assert!(screen.contains("3 in the range"), "{screen}");
    stage.keys("V");
    assert!(stage.screen().contains("marking"));
    assert_eq!(answer_names(&mut stage), 1..4);
    insta::assert_snapshot!(stage.screen());
    let copied_names = stage.keys("yi");
    let names = "198.51.100.1\n198.51.100.2\n198.51.100.3";
    assert_eq!(copied(&copied_names), Some(names));
    stage.keys("VG");
    answer_pages(&mut stage, 900);
    stage.keys("V");
    assert_eq!(answer_names(&mut stage), 3..900);
    assert!(stage.screen().contains("899 marked"));
    stage.keys("V<esc>");
    assert!(
        stage.screen().contains("899 marked"),
        "the range alone is left"
    );
    stage.keys("<esc>");
    assert!(!stage.screen().contains("marked"));
}

#[test]
fn all_records_of_a_filter_are_marked_and_turned_round() {
    let mut stage = browsing(120, 36, "", 6);
    stage.keys("  ");
    stage.keys("*");
    assert_eq!(answer_names(&mut stage), 0..6);
    assert!(stage.screen().contains("4 marked"));
    stage.keys("A");
    answer_names(&mut stage);
    assert!(stage.screen().contains("6 marked"));
    stage.keys("A/cc:NL<enter>");
    assert_eq!(
        waiting(&stage, is_names).len(),
        1,
        "what is asked is asked of its view"
    );
    stage.keys("x");
    let mut stage = browsing(120, 36, "", 20_000_000);
    stage.keys("A");
    assert_eq!(waiting(&stage, is_names), []);
    assert_eq!(
        stage.notice(),
        "20,000,000 records: no more than 100,000 are marked at a time, so filter first"
    );
}

#[test]
fn marked_addresses_become_a_table_in_lookup_and_back_leads_to_the_view() {
    let mut stage = browsing(120, 36, "cc:NL", 41_198);
    stage.keys("b");
    assert_eq!(
        stage.notice(),
        "nothing is marked: space, V or A marks records"
    );
    let cmds = stage.keys("   b");
    assert_eq!(stage.app.tab, TabId::Lookup);
    let is_paid = |own: &Question| matches!(own, Question::Lookup(_));
    assert!(!questions(&cmds).iter().any(is_paid), "{cmds:?}");
    let screen = stage.screen();
    assert!(
        screen.contains("198.51.100.0") && screen.contains("198.51.100.2"),
        "{screen}"
    );
    stage.keys("<back>");
    assert_eq!(stage.app.tab, TabId::Feeds);
    assert!(stage.screen().contains("3 marked"));
}

#[test]
fn marked_records_are_exported_by_their_operators() {
    let mut stage = browsing(120, 36, "cc:NL", 41_198);
    stage.keys("  E");
    assert_eq!(stage.app.tab, TabId::Export);
    let screen = stage.screen();
    assert!(
        screen.contains("ACME_VPN") && screen.contains("BRAVO_PROXY"),
        "{screen}"
    );
    let said: Vec<&str> = stage
        .app
        .notices
        .log()
        .map(|notice| notice.text.as_str())
        .collect();
    let words = "an export has no addresses: it asks for the 2 operators of 2 marked records";
    assert!(said.contains(&words), "{said:?}");
}

#[test]
fn a_record_is_named_by_what_it_is_about_else_by_its_tag() {
    let name = |text: &str| {
        let document = Document::read(text.as_bytes()).expect(text);
        RecordName::of(&Terms::of(document.value()))
    };
    let found = name(r#"{"ip":"198.51.100.7","tunnels":[{"operator":"ACME_VPN"}]}"#).expect("one");
    assert_eq!(
        (&*found.name, &found.tags[..]),
        ("198.51.100.7", &["ACME_VPN".to_owned()][..])
    );
    assert!(matches!(found.subject, Some(Subject::Address(_))));
    let found = name(r#"{"tag":"ACME_VPN"}"#).expect("one");
    assert_eq!((&*found.name, found.subject), ("ACME_VPN", None));
    assert_eq!(name("{}"), None);
}

#[test]
fn a_change_of_marks_is_taken_back_and_made_again() {
    let mut stage = browsing(120, 36, "", 6);
    stage.keys("  A");
    answer_names(&mut stage);
    stage.keys("<esc>");
    assert!(!stage.screen().contains(" marked"), "{}", stage.screen());
    for count in ["6 marked", "2 marked", "1 marked"] {
        stage.keys("u");
        assert!(
            stage.screen().contains(count),
            "{count}:
{}",
            stage.screen()
        );
    }
    stage.keys("<ctrl-r><ctrl-r>");
    assert!(stage.screen().contains("6 marked"));
    stage.keys("/cc:NL<enter>uu");
    let screen = stage.screen();
    assert!(
        screen.contains("2 marked") && !screen.contains("cc:NL"),
        "{screen}"
    );
}

#[test]
fn forward_leads_to_the_form_from_which_one_went_back() {
    let mut stage = browsing(120, 36, "cc:NL", 41_198);
    stage.keys("E");
    assert_eq!(stage.app.tab, TabId::Export);
    stage.keys("<esc><back>");
    assert_eq!(stage.app.tab, TabId::Feeds);
    stage.keys("L");
    assert_eq!(stage.app.tab, TabId::Export);
    stage.keys("<back>");
    assert_eq!(stage.app.tab, TabId::Feeds, "and back from there");
}
