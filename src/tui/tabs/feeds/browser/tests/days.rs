//! Two days, compared.

use super::*;

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
            kind: diff::Kind::Added,
            before: None,
            after: Some(record(7)),
            differences: Vec::new(),
        },
        DiffRecord {
            kind: diff::Kind::Changed,
            differences: differences.filter(|own| own.a != own.b).collect(),
            before: Some(before),
            after: Some(after),
        },
        DiffRecord {
            kind: diff::Kind::Deleted,
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
    stage.answer(&records, Ok(Answer::Diff(differing())));
    let counts = diff::Counts {
        appeared: 1,
        left: 1,
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
