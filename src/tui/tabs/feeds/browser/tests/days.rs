//! Two days, compared.

use super::*;
use crate::{engine::config::AnswerOrder, store::ReleasePlace};

fn compared(harness: &mut Harness) -> (Question, Question) {
    let disk = OnDisk {
        releases: vec![
            release(Feed::Anonymous, "20261120"),
            release(Feed::Anonymous, "20261119"),
        ],
        ..OnDisk::default()
    };
    let is_releases = |question: &Question| matches!(question, Question::Releases);
    harness.answer_any(is_releases, Ok(Answer::Releases(disk)));
    answer_pages(harness, 41_198);
    let cmds = harness.keys("c");
    let asked = questions(&cmds);
    let [records, summary] = asked.as_slice() else {
        panic!("{asked:?}")
    };
    (records.clone(), summary.clone())
}

fn numbers(added: u64, removed: u64, changed: u64) -> diff::ChangeCounts {
    diff::ChangeCounts {
        added,
        removed,
        changed,
    }
}

/// Some records, with the numbers of all.
fn page(records: Vec<DiffRecord>, main: diff::ChangeCounts, others: u64) -> Answer {
    let counts = diff::RankedCounts { main, others };
    Answer::Diff(DiffPage {
        records,
        counts,
        place: ReleasePlace::Local,
    })
}

/// One record of each kind, without others.
fn one_each() -> Answer {
    page(differing(), numbers(1, 1, 1), 0)
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
            differences: differences
                .filter(|difference| difference.a != difference.b)
                .collect(),
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
    let mut harness = browsing(120, 36, "tag:ACME_VPN", 41_198);
    let (records, summary) = compared(&mut harness);
    assert!(harness.screen().contains("comparing"));
    harness.keys("<enter>");
    assert_eq!(harness.notice(), "still comparing: there is no record yet");
    harness.answer(&records, Ok(one_each()));
    let counts = numbers(1, 1, 1);
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
    harness.answer(&summary, Ok(Answer::DiffSummary(found)));
    harness.keys("<down>");
    insta::assert_snapshot!(harness.screen());
    insta::assert_snapshot!(harness.screen_at(80, 24));
    harness.draws_at_any_size();
    harness.keys("<down><enter>");
    assert_eq!(
        harness.app.tab,
        TabId::Feeds,
        "a removed record costs a query"
    );
    assert!(harness.notice().contains("1 query"), "{}", harness.notice());
    harness.keys("<up><enter>");
    assert_eq!(harness.app.tab, TabId::Lookup);
    harness.keys("<esc><back>");
    assert!(harness.screen().contains("ADDRESS"));
}

#[test]
fn compared_days_of_the_warehouse_say_so() {
    let mut harness = browsing(120, 36, "", 41_198);
    let (records, _) = compared(&mut harness);
    let Answer::Diff(mut page) = one_each() else {
        panic!("records")
    };
    page.place = ReleasePlace::Warehouse;
    harness.answer(&records, Ok(Answer::Diff(page)));
    for size in [(120, 36), (80, 24)] {
        let screen = harness.screen_at(size.0, size.1);
        assert!(screen.contains(" old  WAREHOUSE"), "{screen}");
    }
    harness.keys("<tab>");
    assert!(
        harness.screen().contains("WAREHOUSE"),
        "of one kind as well"
    );
}

#[test]
fn days_that_cannot_be_compared_say_why() {
    let mut harness = browsing(80, 24, "", 41_198);
    let (records, _) = compared(&mut harness);
    let error = Error::new(Kind::NotFound, "no release of 2026-11-19 is local");
    harness.answer(&records, Err(error));
    let screen = harness.screen();
    assert!(
        screen.contains("x no release of 2026-11-19 is local"),
        "{screen}"
    );
    harness.keys("<esc>");
    assert!(harness.screen().contains("1 of 41,198"));
}

#[test]
fn a_compared_record_costs_what_the_settings_say_and_says_so_each_time() {
    let live = Facts {
        answers: AnswerOrder::Live,
        ..facts()
    };
    let mut harness = browsing_with(live, 120, 36, "", 41_198);
    let (records, _) = compared(&mut harness);
    harness.answer(&records, Ok(one_each()));
    let screen = harness.screen();
    assert!(
        screen.contains("look up (1 query unless local)"),
        "{screen}"
    );
    let price = "198.51.100.7: 1 query; enter again looks it up";
    harness.keys("<enter>");
    assert_eq!(harness.notice(), price);
    harness.keys("<down><up><enter>");
    assert_eq!(harness.app.tab, TabId::Feeds, "the cursor was elsewhere");
    harness.keys("<enter>");
    assert_eq!(harness.app.tab, TabId::Lookup);
}

#[test]
fn compared_records_come_in_pieces() {
    let mut harness = browsing(120, 36, "", 41_198);
    let (records, _) = compared(&mut harness);
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
    let first = (0..500).map(added).collect();
    harness.answer(&records, Ok(page(first, numbers(502, 0, 0), 0)));
    let screen = harness.screen();
    assert!(screen.contains("1 of 502"), "{screen}");
    let cmds = harness.keys("G");
    let asked = questions(&cmds);
    let [Question::Diff(_, positions)] = asked.as_slice() else {
        panic!("{cmds:?}")
    };
    assert_eq!(*positions, 500..1000);
    let last = vec![added(500), added(501)];
    harness.answer(&asked[0], Ok(page(last, numbers(502, 0, 0), 0)));
    let screen = harness.screen();
    assert!(screen.contains("500 of 502"), "{screen}");
    assert!(questions(&harness.keys("G")).is_empty());
}

#[test]
fn a_failure_leaves_the_compared_records_that_were_there() {
    let mut harness = browsing(120, 36, "", 41_198);
    let (records, summary) = compared(&mut harness);
    harness.answer(&records, Ok(one_each()));
    let error = Error::new(Kind::Integrity, "the index is\u{1b}[31m damaged");
    harness.answer(&summary, Err(error));
    let screen = harness.screen();
    assert!(
        screen.contains("damaged") && screen.contains("198.51.100.7"),
        "{screen}"
    );
}

/// What was added is in the newest local release: it is free however the days were reached, and says so.
#[test]
fn an_added_record_is_free_and_a_removed_one_is_not() {
    let mut harness = browsing(120, 36, "", 41_198);
    let (records, _) = compared(&mut harness);
    harness.answer(&records, Ok(one_each()));
    assert!(
        harness.screen().contains("enter look up (free)"),
        "{}",
        harness.screen()
    );
    harness.keys("<down><down>");
    let screen = harness.screen();
    assert!(
        screen.contains("enter look up (1 query unless local)"),
        "{screen}"
    );
    harness.keys("<enter>");
    assert_eq!(harness.app.tab, TabId::Feeds);
    harness.keys("g<enter>");
    assert_eq!(harness.app.tab, TabId::Lookup);
    // From the older day, too.
    let mut harness = browsing(120, 36, "", 41_198);
    go(&mut harness, view("", Some("20261119")));
    let (records, _) = compared(&mut harness);
    harness.answer(&records, Ok(one_each()));
    assert!(
        harness.screen().contains("enter look up (free)"),
        "{}",
        harness.screen()
    );
    // A day later than the settings allow it is no longer.
    harness.pass(60 * 60 * 24 * 4);
    harness.keys("<enter>");
    assert_eq!(harness.app.tab, TabId::Feeds);
    assert!(
        harness.notice().contains("1 query unless"),
        "{}",
        harness.notice()
    );
}

#[test]
fn one_kind_of_compared_records_is_listed_alone() {
    let mut harness = browsing(80, 24, "", 41_198);
    let (records, summary) = compared(&mut harness);
    let totals = numbers(87, 99, 691);
    harness.answer(&records, Ok(page(differing(), totals, 0)));
    let tallied = |at: u64| diff::Tallied {
        value: format!("TAG_{at}"),
        counts: totals,
    };
    let found = diff::Summary {
        totals,
        operators: (0..40).map(tallied).collect(),
        ..diff::Summary::default()
    };
    harness.answer(&summary, Ok(Answer::DiffSummary(found)));
    let chips = "[all 877] +added 87  -removed 99  ~changed 691";
    assert!(harness.screen().contains(chips), "{}", harness.screen());
    let listed = |harness: &mut Harness, keys: &str| {
        let asked = questions(&harness.keys(keys));
        let [question @ Question::Diff(query, positions)] = asked.as_slice() else {
            panic!("{asked:?}")
        };
        assert_eq!(*positions, 0..500);
        let kind = query.listed.kind;
        let mut rows = differing();
        rows.retain(|record| kind.is_none_or(|kind| record.kind == kind));
        harness.answer(question, Ok(page(rows, totals, 0)));
        kind
    };
    let (added, removed) = (diff::ChangeKind::Added, diff::ChangeKind::Removed);
    assert_eq!(listed(&mut harness, "<tab>"), Some(added));
    let screen = harness.screen();
    assert!(
        screen.contains("[+added 87]") && screen.contains("1 of 87"),
        "{screen}"
    );
    assert!(
        screen.contains("198.51.100.7") && !screen.contains("198.51.100.9"),
        "{screen}"
    );
    assert_eq!(listed(&mut harness, "<tab>"), Some(removed));
    let changed = diff::ChangeKind::Changed;
    assert_eq!(listed(&mut harness, "<tab>"), Some(changed));
    assert_eq!(listed(&mut harness, "<tab>"), None);
    assert_eq!(listed(&mut harness, "<s-tab>"), Some(changed));
    harness.keys("s");
    assert!(
        harness.notice().contains("sorted by what they are worth"),
        "{}",
        harness.notice()
    );
    let screen = harness.screen_at(120, 36);
    assert!(
        screen.contains("+ added   - removed   ~ changed"),
        "{screen}"
    );
    assert!(
        screen.contains("more"),
        "operators that are not shown: {screen}"
    );
    harness.keys("/");
    assert!(
        harness.notice().contains("c compares again"),
        "{}",
        harness.notice()
    );
    harness.types("cc:NL");
    assert!(harness.screen().contains("/ cc:NL"), "{}", harness.screen());
}

#[test]
fn records_with_the_same_verdict_are_hidden_until_a_key_shows_them() {
    let mut harness = browsing(80, 24, "", 41_198);
    let (records, _) = compared(&mut harness);
    let Question::Diff(query, _) = &records else {
        panic!("{records:?}")
    };
    assert_eq!(query.listed, diff::ListedChanges::default());
    harness.keys(".");
    assert_eq!(harness.notice(), "still comparing");
    let main = numbers(60, 77, 3);
    harness.answer(&records, Ok(page(differing(), main, 694)));
    insta::assert_snapshot!(harness.screen());
    let asked = questions(&harness.keys("."));
    let [question @ Question::Diff(query, _)] = asked.as_slice() else {
        panic!("{asked:?}")
    };
    assert!(query.listed.others);
    // The numbers are known before the rows are there.
    let chips = "[all 834] +added 60  -removed 77  ~changed 697";
    assert!(harness.screen().contains(chips), "{}", harness.screen());
    harness.answer(question, Ok(page(differing(), main, 694)));
    let screen = harness.screen();
    assert!(screen.contains("694 others: . hides"), "{screen}");
    // Of one kind alone, it stays so.
    let asked = questions(&harness.keys("<s-tab>"));
    let [Question::Diff(query, _)] = asked.as_slice() else {
        panic!("{asked:?}")
    };
    assert!(query.listed.others && query.listed.kind == Some(diff::ChangeKind::Changed));
    harness.keys("<tab><tab>.");
    assert_eq!(harness.notice(), "there are no others here");
}

#[test]
fn days_of_which_no_verdict_differs_say_how_many_others_there_are() {
    let mut harness = browsing(80, 24, "", 41_198);
    let (records, _) = compared(&mut harness);
    harness.answer(&records, Ok(page(Vec::new(), numbers(0, 0, 0), 694)));
    let screen = harness.screen();
    let words = "nothing added, nothing removed, no verdict changed";
    assert!(screen.contains(words), "{screen}");
    assert!(screen.contains("694 others: . shows"), "{screen}");
}

#[test]
fn d_lists_the_days_of_the_feed_and_leads_back() {
    let mut harness = browsing(120, 36, "tag:ACME_VPN", 41_198);
    let disk = OnDisk {
        releases: vec![release(Feed::Anonymous, "20261120")],
        ..OnDisk::default()
    };
    let is_releases = |question: &Question| matches!(question, Question::Releases);
    harness.answer_any(is_releases, Ok(Answer::Releases(disk)));
    answer_pages(&mut harness, 41_198);
    harness.keys("d");
    let screen = harness.screen();
    assert!(screen.contains("anonymous  days"), "{screen}");
    harness.keys("<back>");
    let screen = harness.screen();
    assert!(screen.contains("tag:ACME_VPN"), "{screen}");
}
