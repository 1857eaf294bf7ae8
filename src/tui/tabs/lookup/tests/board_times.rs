//! The times in a text: rows as of the days of their events, and the zone of times that name none.

use std::{net::IpAddr, path::Path};

use super::{board::LOG, *};
use crate::{
    engine::{
        Missing, MissingWhy,
        answers::{BestAnswer, PossiblySpent},
    },
    investigation::gather::GatheredText,
    report::{BoardFinding, BoardFindings, BoardRow, EventVerdicts},
    store::ReleasePlace,
    tui::ctx::{GatherQuery, TextFrom},
};

/// What a local release of a day has of an address.
fn row(address: IpAddr, day: &str) -> BoardFinding {
    let best = BestAnswer::Local(Box::new(local(day).records[0].clone()));
    BoardFinding::Row(Box::new(BoardRow::of(address, &best)))
}

/// That this day is not local.
fn missing(day: &str) -> BoardFinding {
    BoardFinding::Missing(Missing {
        feed: Feed::Anonymous,
        day: day.parse().ok(),
        why: MissingWhy::NotAt(ReleasePlace::Local),
    })
}

/// Answers the question about these addresses on a day.
fn tell(
    harness: &mut Harness,
    addresses: &[IpAddr],
    day: Option<&str>,
    answers: Vec<Option<BoardFinding>>,
) {
    let day = day.map(|day| day.parse().expect("a day"));
    let job = harness.job(&Question::BestAnswers(addresses.into(), day));
    let answers = BoardFindings {
        answers,
        ..BoardFindings::default()
    };
    harness.answer_to(job, Ok(Answer::BestAnswers(answers)));
}

/// The question about the text of the table.
fn again(file: &Path, by_day: bool, zone: &str) -> Question {
    Question::Gather(GatherQuery {
        from: TextFrom::File(file.to_str().expect("a path").to_owned()),
        by_day,
        zone: zone.to_owned(),
    })
}

#[test]
fn events_are_answered_as_of_their_days_with_what_is_known_today_where_it_differs() {
    const EVENTS: &str = "2026-11-18T10:00:00Z deny 198.51.100.77\n2026-11-19T10:00:00Z deny 198.51.100.77\nno time 198.51.100.9\n";
    let mut harness = explorer(119, 36);
    harness.tell(Msg::Paste(LOG.to_owned()));
    harness.keys("@");
    assert_eq!(harness.notice(), "no line of the text has a time");
    let cmds = harness.tell(Msg::Paste(EVENTS.to_owned()));
    assert!(
        cmds.iter()
            .any(|cmd| matches!(cmd, Cmd::KeepPaste(text) if text == EVENTS)),
        "{cmds:?}"
    );
    harness.keys("/net:198.51.100.0/24<enter>");
    let file = harness.app.facts.pastes.path_of(EVENTS);
    harness.keys("@");
    let read = |by_day| again(&file, by_day, "");
    let text = || GatheredText {
        file: Some(file.clone()),
        ..GatheredText::by_day(EVENTS, harness::now())
    };
    harness.is_slow = true;
    harness.answer(&read(true), Ok(Answer::Gathered(Box::new(text()))));
    let address = |text: &str| -> IpAddr { text.parse().expect("an address") };
    let [first, second] = ["198.51.100.77", "198.51.100.9"].map(address);
    let today = "20261120";
    let mut answer = |addresses: &[IpAddr], day: Option<&str>, known: Option<&str>| {
        let finding = |address: &IpAddr| match (day, known) {
            (Some(_), None) => Some(missing("20261118")),
            _ => known.map(|known| row(*address, known)),
        };
        let answers = addresses.iter().map(finding).collect();
        tell(&mut harness, addresses, day, answers);
    };
    answer(&[second], None, None);
    answer(&[first], Some("20261118"), None);
    answer(&[first], Some("20261119"), Some(today));
    answer(&[first], None, Some(today));
    let screen = harness.screen();
    for told in [
        "3 addresses and days",
        "TODAY",
        "2026-11-18",
        "/ net:198.51.100.0/24",
        "VPN 1",
        "unknown 2",
    ] {
        assert!(screen.contains(told), "{told}\n{screen}");
    }
    let of_day = |day: &str| {
        let mut rows = screen.lines();
        let is_row = |line: &&str| line.contains(day) && line.contains("198.51.100.77");
        rows.find(is_row).expect(day).to_owned()
    };
    assert!(of_day("2026-11-18").contains("day not local"));
    assert!(
        of_day("2026-11-18").matches("VPN exit").count() == 1,
        "{screen}"
    );
    assert!(
        of_day("2026-11-19").matches("VPN exit").count() == 1,
        "{screen}"
    );
    let words = "text of the table: 3 addresses and days";
    assert_eq!(harness.notice(), words);
    insta::assert_snapshot!("at_time_wide", screen);
    insta::assert_snapshot!("at_time_narrow", harness.screen_at(80, 24));
    harness.screen_at(119, 36);
    let note = harness.keys("ym");
    let note = harness::copied(&note).expect("a ticket");
    // The text was pasted: no file of it is elsewhere.
    let command = "`ipspect enrich - --at-time --filter 'net:198.51.100.0/24' --group is";
    assert!(note.contains(command), "{note}");
    // A query is about the address and the day.
    harness.keys("$");
    let screen = harness.screen();
    assert!(screen.contains("enter sends 2 queries"), "{screen}");
    harness.keys("<enter>");
    let dated = LookupQuery {
        date: "20261118".parse().ok(),
        ..query("198.51.100.77")
    };
    let queries = [dated, query("198.51.100.9")].into();
    harness.job(&Question::LookUpAll(queries, PossiblySpent::LeftOut));
    harness.keys("x");
    // And back to today.
    harness.keys("@");
    harness.job(&read(false));
}

/// What was assumed of the times is said, and can be set right.
#[test]
fn times_without_a_zone_are_of_the_zone_that_is_typed() {
    let mut harness = explorer(119, 36);
    let text = "2026-11-20 10:15:30 deny 198.51.100.77\n2026-11-20 11:00:00 deny 198.51.100.9\n";
    harness.tell(Msg::Paste(text.to_owned()));
    let screen = harness.screen();
    assert!(screen.contains("2 lines without a zone: UTC"), "{screen}");
    harness.keys(":zone Nowhere/Land<enter>");
    assert!(harness.screen().contains("no time zone Nowhere/Land"));
    harness.keys("<esc>");
    let file = harness.app.facts.pastes.path_of(text);
    harness.keys(":zone +02:00<enter>");
    assert_eq!(harness.notice(), "times without a zone are of +02:00");
    let read = again(&file, false, "+02:00");
    let text = GatheredText {
        file: Some(file),
        ..GatheredText::read(text, false, "+02:00", harness::now())
    };
    harness.answer(&read, Ok(Answer::Gathered(Box::new(text))));
    let screen = harness.screen();
    assert!(
        screen.contains("2 lines without a zone: +02:00"),
        "{screen}"
    );
    assert!(screen.contains("11-20 08:15"), "{screen}");
}

#[test]
fn a_row_without_a_tunnel_has_the_days_on_which_there_was_one_and_comes_before_the_others() {
    let mut harness = explorer(119, 36);
    harness.days = Some(days("20261115", "pp--p-"));
    harness.tell(Msg::Paste("198.51.100.8\n198.51.100.9\n".to_owned()));
    let screen = harness.screen();
    let words = "unknown: no local record; PROXY on 3 of the last 6 local days, la";
    assert!(screen.contains(words), "{screen}");
    let note = harness.keys("ym");
    let note = harness::copied(&note).expect("a note");
    assert!(
        note.contains("PROXY on 3 of the last 6 local days"),
        "{note}"
    );
    harness.keys(" ");
    let object = harness.keys("yr");
    let object = harness::copied(&object).expect("an object");
    assert!(
        object.contains("PROXY on 3 of the last 6 local days"),
        "{object}"
    );
}

#[test]
fn how_many_rows_differ_on_a_day_of_their_events_is_said_in_the_head() {
    const EVENTS: &str = "2026-11-18T10:00:00Z deny 198.51.100.77\n2026-11-19T10:00:00Z deny 198.51.100.77\n2026-11-20T01:00:00Z deny 198.51.100.9\n";
    let mut harness = explorer(119, 36);
    harness.is_slow = true;
    harness.tell(Msg::Paste(EVENTS.to_owned()));
    let address = |text: &str| -> IpAddr { text.parse().expect("an address") };
    let [first, second] = ["198.51.100.77", "198.51.100.9"].map(address);
    let mut answer = |asked: &[IpAddr], day: Option<&str>, answers: Vec<Option<BoardFinding>>| {
        let Some(day) = day else {
            tell(&mut harness, asked, day, answers);
            return harness.screen();
        };
        let question = Question::EventVerdicts(asked.into(), day.parse().expect("a day"));
        let job = harness.job(&question);
        let basis = |finding: Option<BoardFinding>| match finding {
            Some(BoardFinding::Row(row)) => row.basis,
            _ => None,
        };
        let verdicts = EventVerdicts(answers.into_iter().map(basis).collect());
        harness.answer_to(job, Ok(Answer::EventVerdicts(verdicts)));
        harness.screen()
    };
    let screen = answer(&[first, second], None, vec![None, None]);
    assert!(!screen.contains("first or last day"), "{screen}");
    // The newest day first; today is what is shown.
    let screen = answer(&[first], Some("20261119"), vec![Some(missing("20261119"))]);
    assert!(
        !screen.contains("first or last day"),
        "what is unknown differs from nothing\n{screen}"
    );
    let screen = answer(
        &[first],
        Some("20261118"),
        vec![Some(row(first, "20261118"))],
    );
    assert!(
        screen.contains("1 row differs on its first or last day: @"),
        "{screen}"
    );
    // The row itself is as of today.
    assert!(!screen.contains("VPN 1"), "{screen}");
    let read = harness
        .asked
        .iter()
        .filter(|(_, question)| matches!(question, Question::EventVerdicts(..)));
    assert_eq!(read.count(), 2, "each day once");
}
