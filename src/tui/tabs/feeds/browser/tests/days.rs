//! Two days, compared.

use super::*;
use crate::engine::config::AnswerOrder;

fn compared(stage: &mut Harness) -> (Question, Question) {
    let disk = OnDisk {
        releases: vec![
            release(Feed::Anonymous, "20261120"),
            release(Feed::Anonymous, "20261119"),
        ],
        ..OnDisk::default()
    };
    let is_releases = |question: &Question| matches!(question, Question::Releases);
    stage.answer_any(is_releases, Ok(Answer::Releases(disk)));
    answer_pages(stage, 41_198);
    let cmds = stage.keys("c");
    let asked = questions(&cmds);
    let [records, summary] = asked.as_slice() else {
        panic!("{asked:?}")
    };
    (records.clone(), summary.clone())
}

fn differing() -> Vec<DiffRecord> {
    let read = |text: &str| Document::read(text.as_bytes()).expect(text);
    let before = read(
        r#"{"ip":"198.51.100.8","client":{"count":3},"tunnels":[{"operator":"BRAVO_PROXY"}]}"#,
    );
    let after =
        read(r#"{"ip":"198.51.100.8","client":{"count":14},"tunnels":[{"operator":"ACME_VPN"}]}"#);
    let differences = compare(before.value(), after.value()).into_iter();
    vec![
        DiffRecord {
            kind: diff::ChangeKind::Added,
            before: None,
            after: Some(record(7)),
            differences: Vec::new(),
        },
        DiffRecord {
            kind: diff::ChangeKind::Changed,
            differences: differences.filter(|own| own.a != own.b).collect(),
            before: Some(before),
            after: Some(after),
        },
        DiffRecord {
            kind: diff::ChangeKind::Removed,
            before: Some(record(9)),
            after: None,
            differences: Vec::new(),
        },
    ]
}

#[test]
fn two_days_are_compared() {
    let mut stage = browsing(120, 36, "tag:ACME_VPN", 41_198);
    let (records, summary) = compared(&mut stage);
    assert!(stage.screen().contains("comparing"));
    stage.keys("<enter>");
    assert_eq!(stage.notice(), "still comparing: there is no record yet");
    stage.answer(&records, Ok(Answer::Diff(differing())));
    let counts = diff::ChangeCounts {
        added: 1,
        removed: 1,
        changed: 1,
    };
    let tallied = |value: &str| diff::Tallied {
        value: value.to_owned(),
        counts,
    };
    let found = diff::Summary {
        totals: counts,
        operators: vec![tallied("ACME_VPN")],
        countries: vec![tallied("NL")],
        moves: vec![diff::Move {
            from: "BRAVO_PROXY".to_owned(),
            to: "ACME_VPN".to_owned(),
            count: 1,
        }],
        cut: false,
    };
    stage.answer(&summary, Ok(Answer::DiffSummary(found)));
    stage.keys("<down>");
    insta::assert_snapshot!(stage.screen());
    insta::assert_snapshot!(stage.screen_at(80, 24));
    stage.draws_at_any_size();
    stage.keys("<down><enter>");
    assert_eq!(
        stage.app.tab,
        TabId::Feeds,
        "a removed record costs a query"
    );
    assert!(stage.notice().contains("1 query"), "{}", stage.notice());
    stage.keys("<up><enter>");
    assert_eq!(stage.app.tab, TabId::Lookup);
    stage.keys("<esc><back>");
    assert!(stage.screen().contains("ADDRESS"));
}

#[test]
fn days_that_cannot_be_compared_say_why() {
    let mut stage = browsing(80, 24, "", 41_198);
    let (records, _) = compared(&mut stage);
    let error = Error::new(Kind::NotFound, "no release of 2026-11-19 is local");
    stage.answer(&records, Err(error));
    let screen = stage.screen();
    assert!(
        screen.contains("x no release of 2026-11-19 is local"),
        "{screen}"
    );
    stage.keys("<esc>");
    assert!(stage.screen().contains("1 of 41,198"));
}

#[test]
fn a_compared_record_costs_what_the_settings_say_and_says_so_each_time() {
    let live = Facts {
        answers: AnswerOrder::Live,
        ..facts()
    };
    let mut stage = browsing_with(live, 120, 36, "", 41_198);
    let (records, _) = compared(&mut stage);
    stage.answer(&records, Ok(Answer::Diff(differing())));
    let screen = stage.screen();
    assert!(
        screen.contains("look up (1 query unless local)"),
        "{screen}"
    );
    let price = "198.51.100.7: 1 query; enter again looks it up";
    stage.keys("<enter>");
    assert_eq!(stage.notice(), price);
    stage.keys("<down><up><enter>");
    assert_eq!(stage.app.tab, TabId::Feeds, "the cursor was elsewhere");
    stage.keys("<enter>");
    assert_eq!(stage.app.tab, TabId::Lookup);
}

#[test]
fn compared_records_come_in_pieces_and_their_number_is_open_until_all_are_there() {
    let mut stage = browsing(120, 36, "", 41_198);
    let (records, _) = compared(&mut stage);
    let added = |position: u64| DiffRecord {
        kind: diff::ChangeKind::Added,
        before: None,
        after: Some(record(position)),
        differences: Vec::new(),
    };
    let Question::Diff(_, positions) = &records else {
        panic!("{records:?}")
    };
    assert_eq!(*positions, 0..500);
    stage.answer(&records, Ok(Answer::Diff((0..500).map(added).collect())));
    assert!(stage.screen().contains("1 of 500+"), "{}", stage.screen());
    let cmds = stage.keys("G");
    let asked = questions(&cmds);
    let [Question::Diff(_, positions)] = asked.as_slice() else {
        panic!("{cmds:?}")
    };
    assert_eq!(*positions, 500..1000);
    stage.answer(&asked[0], Ok(Answer::Diff(vec![added(500), added(501)])));
    let screen = stage.screen();
    assert!(screen.contains("500 of 502"), "{screen}");
    assert!(!screen.contains("502+"), "all are there: {screen}");
    assert!(questions(&stage.keys("G")).is_empty());
}

#[test]
fn a_failure_leaves_the_compared_records_that_were_there() {
    let mut stage = browsing(120, 36, "", 41_198);
    let (records, summary) = compared(&mut stage);
    stage.answer(&records, Ok(Answer::Diff(differing())));
    let error = Error::new(Kind::Integrity, "the index is\u{1b}[31m damaged");
    stage.answer(&summary, Err(error));
    let screen = stage.screen();
    assert!(
        screen.contains("damaged") && screen.contains("198.51.100.7"),
        "{screen}"
    );
}

/// What was added is in the newest local release: it is free however the days were reached, and says so.
#[test]
fn an_added_record_is_free_and_a_removed_one_is_not() {
    let mut stage = browsing(120, 36, "", 41_198);
    let (records, _) = compared(&mut stage);
    stage.answer(&records, Ok(Answer::Diff(differing())));
    assert!(
        stage.screen().contains("enter look up (free)"),
        "{}",
        stage.screen()
    );
    stage.keys("<down><down>");
    let screen = stage.screen();
    assert!(
        screen.contains("enter look up (1 query unless local)"),
        "{screen}"
    );
    stage.keys("<enter>");
    assert_eq!(stage.app.tab, TabId::Feeds);
    stage.keys("g<enter>");
    assert_eq!(stage.app.tab, TabId::Lookup);
    // From the older day, too.
    let mut stage = browsing(120, 36, "", 41_198);
    go(&mut stage, view("", Some("20261119")));
    let (records, _) = compared(&mut stage);
    stage.answer(&records, Ok(Answer::Diff(differing())));
    assert!(
        stage.screen().contains("enter look up (free)"),
        "{}",
        stage.screen()
    );
    // A day later than the settings allow it is no longer.
    stage.pass(60 * 60 * 24 * 4);
    stage.keys("<enter>");
    assert_eq!(stage.app.tab, TabId::Feeds);
    assert!(
        stage.notice().contains("1 query unless"),
        "{}",
        stage.notice()
    );
}

#[test]
fn one_kind_of_compared_records_is_listed_alone() {
    let mut stage = browsing(80, 24, "", 41_198);
    let (records, summary) = compared(&mut stage);
    stage.answer(&records, Ok(Answer::Diff(differing())));
    let totals = diff::ChangeCounts {
        added: 87,
        removed: 99,
        changed: 691,
    };
    let tallied = |at: u64| diff::Tallied {
        value: format!("TAG_{at}"),
        counts: totals,
    };
    let found = diff::Summary {
        totals,
        operators: (0..40).map(tallied).collect(),
        ..diff::Summary::default()
    };
    stage.answer(&summary, Ok(Answer::DiffSummary(found)));
    let chips = "[all 877] +added 87  -removed 99  ~changed 691";
    assert!(stage.screen().contains(chips), "{}", stage.screen());
    let listed = |stage: &mut Harness, keys: &str| {
        let asked = questions(&stage.keys(keys));
        let [question @ Question::Diff(query, positions)] = asked.as_slice() else {
            panic!("{asked:?}")
        };
        assert_eq!(*positions, 0..500);
        let kind = query.kind;
        let mut rows = differing();
        rows.retain(|own| kind.is_none_or(|kind| own.kind == kind));
        stage.answer(question, Ok(Answer::Diff(rows)));
        kind
    };
    let (added, removed) = (diff::ChangeKind::Added, diff::ChangeKind::Removed);
    assert_eq!(listed(&mut stage, "<tab>"), Some(added));
    let screen = stage.screen();
    assert!(
        screen.contains("[+added 87]") && screen.contains("1 of 87"),
        "{screen}"
    );
    assert!(
        screen.contains("198.51.100.7") && !screen.contains("198.51.100.9"),
        "{screen}"
    );
    assert_eq!(listed(&mut stage, "<tab>"), Some(removed));
    assert_eq!(listed(&mut stage, "~"), Some(diff::ChangeKind::Changed));
    assert_eq!(listed(&mut stage, "~"), None);
    assert_eq!(listed(&mut stage, "-"), Some(removed));
    assert_eq!(listed(&mut stage, "<s-tab>"), Some(added));
    stage.keys("s");
    assert!(
        stage.notice().contains("cannot be sorted"),
        "{}",
        stage.notice()
    );
    let screen = stage.screen_at(120, 36);
    assert!(
        screen.contains("+ added   - removed   ~ changed"),
        "{screen}"
    );
    assert!(
        screen.contains("more"),
        "operators that are not shown: {screen}"
    );
    stage.keys("/");
    assert!(
        stage.notice().contains("c compares again"),
        "{}",
        stage.notice()
    );
    stage.types("cc:NL");
    assert!(stage.screen().contains("/ cc:NL"), "{}", stage.screen());
}
