//! Marks: one by one, a range, all of a filter, the others; and what is done with what is marked.

use super::*;
use crate::{
    engine::views::{CommonQuery, RecordName},
    investigation::common::Common,
    model::{Subject, Terms},
    tui::harness,
};

fn is_names(question: &Question) -> bool {
    matches!(question, Question::Names(..))
}

/// Answers the question for names; returns the rows that were asked for.
fn answer_names(harness: &mut Harness) -> std::ops::Range<u64> {
    let asked = waiting(harness, is_names);
    let [Question::Names(_, rows)] = &asked[..] else {
        panic!("{asked:?}")
    };
    let names = rows.clone().map(|position| {
        let terms = Terms::of(record(position).value());
        RecordName::of(&terms).expect("a name")
    });
    harness.answer_any(is_names, Ok(Answer::Names(names.collect())));
    rows.clone()
}

#[test]
fn a_range_is_marked_whether_its_rows_are_at_hand_or_not() {
    let mut harness = browsing(120, 36, "", 900);
    harness.keys("<down>V<down><down>");
    let screen = harness.screen();
    assert!(screen.contains("3 in the range"), "{screen}");
    harness.keys("V");
    assert!(harness.screen().contains("marking"));
    assert_eq!(answer_names(&mut harness), 1..4);
    insta::assert_snapshot!(harness.screen());
    let copied_names = harness.keys("yi");
    let names = "198.51.100.1\n198.51.100.2\n198.51.100.3";
    assert_eq!(copied(&copied_names), Some(names));
    harness.keys("VG");
    answer_pages(&mut harness, 900);
    harness.keys("V");
    assert_eq!(answer_names(&mut harness), 3..900);
    assert!(harness.screen().contains("899 marked"));
    harness.keys("V<esc>");
    assert!(
        harness.screen().contains("899 marked"),
        "the range alone is left"
    );
    harness.keys("<esc>");
    assert!(!harness.screen().contains("marked"));
}

#[test]
fn all_records_of_a_filter_are_marked_and_turned_round() {
    let mut harness = browsing(120, 36, "", 6);
    harness.keys("  ");
    harness.keys("*");
    assert_eq!(answer_names(&mut harness), 0..6);
    assert!(harness.screen().contains("4 marked"));
    harness.keys("A");
    answer_names(&mut harness);
    assert!(harness.screen().contains("6 marked"));
    harness.keys("A/cc:NL<enter>");
    assert_eq!(
        waiting(&harness, is_names).len(),
        1,
        "what is asked is asked of its view"
    );
    harness.keys("x");
    let mut harness = browsing(120, 36, "", 20_000_000);
    harness.keys("A");
    assert_eq!(waiting(&harness, is_names), []);
    assert_eq!(
        harness.notice(),
        "20,000,000 records: no more than 100,000 are marked at a time, so filter first"
    );
}

#[test]
fn marked_addresses_become_a_table_in_lookup_and_back_leads_to_the_view() {
    let mut harness = browsing(120, 36, "cc:NL", 41_198);
    harness.keys("I");
    assert_eq!(
        harness.notice(),
        "nothing is marked: space, V or A marks records"
    );
    let cmds = harness.keys("   I");
    assert_eq!(harness.app.tab, TabId::Lookup);
    let is_paid = |question: &Question| matches!(question, Question::Lookup(_));
    assert!(!questions(&cmds).iter().any(is_paid), "{cmds:?}");
    let screen = harness.screen();
    assert!(
        screen.contains("198.51.100.0") && screen.contains("198.51.100.2"),
        "{screen}"
    );
    harness.keys("<back>");
    assert_eq!(harness.app.tab, TabId::Feeds);
    assert!(harness.screen().contains("3 marked"));
}

#[test]
fn marked_records_are_exported_by_their_operators() {
    let mut harness = browsing(120, 36, "cc:NL", 41_198);
    harness.keys("  E");
    assert_eq!(harness.app.tab, TabId::Export);
    let screen = harness.screen();
    assert!(
        screen.contains("ACME_VPN") && screen.contains("BRAVO_PROXY"),
        "{screen}"
    );
    let said: Vec<&str> = harness
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
    let mut harness = browsing(120, 36, "", 6);
    harness.keys("  A");
    answer_names(&mut harness);
    harness.keys("<esc>");
    assert!(
        !harness.screen().contains(" marked"),
        "{}",
        harness.screen()
    );
    for count in ["6 marked", "2 marked", "1 marked"] {
        harness.keys("u");
        assert!(
            harness.screen().contains(count),
            "{count}:
{}",
            harness.screen()
        );
    }
    harness.keys("<ctrl-r><ctrl-r>");
    assert!(harness.screen().contains("6 marked"));
    harness.keys("/cc:NL<enter>uu");
    let screen = harness.screen();
    assert!(
        screen.contains("2 marked") && !screen.contains("cc:NL"),
        "{screen}"
    );
}

#[test]
fn forward_leads_to_the_form_from_which_one_went_back() {
    let mut harness = browsing(120, 36, "cc:NL", 41_198);
    harness.keys("E");
    assert_eq!(harness.app.tab, TabId::Export);
    harness.keys("<esc><back>");
    assert_eq!(harness.app.tab, TabId::Feeds);
    harness.keys("L");
    assert_eq!(harness.app.tab, TabId::Export);
    harness.keys("<back>");
    assert_eq!(harness.app.tab, TabId::Feeds, "and back from there");
}

#[test]
fn what_records_share_is_listed_and_opened() {
    let mut harness = browsing(120, 36, "type:VPN", 41_198);
    let filter: Filter = "type:VPN".parse().expect("a filter");
    harness.keys("C");
    let is_common = |question: &Question| matches!(question, Question::Common(_));
    let asked = harness
        .asked
        .iter()
        .rfind(|(_, question)| is_common(question));
    let day = "20261120".parse().ok();
    let question = Question::Common(CommonQuery::Matching(Feed::Anonymous, day, filter));
    assert_eq!(asked.map(|(_, question)| question), Some(&question));
    let common = || harness::common(release(Feed::Anonymous, "20261120"));
    harness.answer_any(is_common, Ok(Answer::Common(Box::new(common()))));
    insta::assert_snapshot!("in_common", harness.screen());
    assert!(
        harness
            .notice()
            .starts_with("40 records beside all 41,198 of anonymous 2026-11-20"),
        "{}",
        harness.notice()
    );
    harness.keys("<enter>");
    let screen = harness.screen();
    assert!(screen.contains("type:VPN entry:198.51.100.70"), "{screen}");
    // Of marks, where there are some; why there is nothing is said.
    harness.keys("<esc>");
    let mut marked = browsing(120, 36, "", 41_198);
    marked.keys(" C");
    let addresses = CommonQuery::Addresses(
        ["198.51.100.0".parse().expect("an address")].into(),
        Some(Feed::Anonymous),
        day,
    );
    let asked = marked
        .asked
        .iter()
        .rfind(|(_, question)| is_common(question));
    assert_eq!(
        asked.map(|(_, question)| question),
        Some(&Question::Common(addresses))
    );
    let nothing = Common {
        among: 1,
        values: Vec::new(),
        ..common()
    };
    marked.answer_any(is_common, Ok(Answer::Common(Box::new(nothing))));
    assert!(
        marked
            .notice()
            .starts_with("mark two or more records: 1 record"),
        "{}",
        marked.notice()
    );
    marked.keys("C");
    marked.answer_any(is_common, Err(Error::new(Kind::Integrity, "damaged")));
    assert_eq!(marked.notice(), "damaged");
}
