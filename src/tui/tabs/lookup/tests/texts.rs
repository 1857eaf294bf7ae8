//! A file or a long pasted text, which the worker gathers.

use std::sync::Arc;

use super::*;
use crate::{
    engine::{Progress, Stage},
    investigation::gather::GatheredText,
    tui::ctx::{GatherQuery, JobState, TextFrom},
};

/// Pastes a text that is longer than what is read at once, and returns what the worker is asked.
fn paste_long(harness: &mut Harness, line: &str) -> GatherQuery {
    let text = line.repeat((1 << 20) / line.len() + 1);
    harness.tell(Msg::Paste(text));
    match harness.asked.as_slice() {
        [(_, Question::Gather(query))] => query.clone(),
        other => panic!("{other:?}"),
    }
}

fn text_of(query: &GatherQuery) -> Arc<str> {
    match &query.from {
        TextFrom::Paste(text) => text.text(),
        TextFrom::File(path) => panic!("{path}"),
    }
}

fn gathered(harness: &mut Harness, query: GatherQuery) {
    let text = GatheredText::of(&text_of(&query), harness::now());
    let question = Question::Gather(query);
    harness.asked.clear();
    harness.answer(&question, Ok(Answer::Gathered(Box::new(text))));
}

#[test]
fn a_long_text_is_gathered_as_a_job_and_becomes_the_table() {
    let mut harness = explorer(120, 36);
    let pasted = paste_long(&mut harness, "deny 198.51.100.77\ndeny 198.51.100.9\n");
    assert!(harness.app.tabs.lookup.board.is_none(), "not read yet");
    let screen = harness.screen();
    assert!(screen.contains("reading the text; x stops it"), "{screen}");
    let length = text_of(&pasted).len() as u64;
    let progress = Progress {
        stage: Stage::Reading,
        done: length / 4,
        total: Some(length),
    };
    harness.progress(&Question::Gather(pasted.clone()), progress);
    let screen = harness.screen();
    assert!(screen.contains("25%"), "{screen}");
    // Meanwhile other keys have their effect.
    harness.keys("4");
    gathered(&mut harness, pasted);
    harness.keys("1");
    let screen = harness.screen();
    assert!(screen.contains("2 addresses"), "{screen}");
    harness.draws_at_any_size();
}

#[test]
fn a_long_text_is_no_longer_read_where_it_is_stopped() {
    let mut harness = explorer(120, 36);
    let pasted = paste_long(&mut harness, "deny 198.51.100.77\ndeny 198.51.100.9\n");
    let job = harness.job(&Question::Gather(pasted.clone()));
    let cmds = harness.keys("x");
    assert!(cmds.contains(&Cmd::Cancel(job)), "{cmds:?}");
    let jobs = harness.app.jobs.all();
    assert_eq!(
        jobs.last().map(|own| &own.state),
        Some(&JobState::Cancelled)
    );
    assert!(
        harness.notice().contains("cancelled"),
        "{}",
        harness.notice()
    );
}

#[test]
fn a_long_text_with_one_address_or_none_opens_no_table() {
    let mut harness = explorer(120, 36);
    let pasted = paste_long(&mut harness, "deny 198.51.100.77\n");
    gathered(&mut harness, pasted);
    assert_eq!(harness.asked, [], "nothing is sent before enter");
    harness.keys("<enter>");
    assert_eq!(harness.asked[0].1, Question::Lookup(query("198.51.100.77")));
    let mut harness = explorer(120, 36);
    let pasted = paste_long(&mut harness, "connection refused\n");
    gathered(&mut harness, pasted);
    assert_eq!(harness.notice(), "the text has no address");
}

/// The question about a file, as of today.
fn of_file(path: &str, zone: &str) -> Question {
    Question::Gather(GatherQuery {
        from: TextFrom::File(path.to_owned()),
        by_day: false,
        zone: zone.to_owned(),
    })
}

#[test]
fn a_file_is_gathered_as_a_job_and_becomes_the_table() {
    let mut harness = explorer(120, 36);
    harness.keys(":zone +02:00<enter>4:open /var/log/auth.log<enter>");
    let question = of_file("/var/log/auth.log", "+02:00");
    let screen = harness.screen();
    assert!(screen.contains("reading the text; x stops it"), "{screen}");
    let progress = Progress {
        stage: Stage::Reading,
        done: 1 << 20,
        total: Some(4 << 20),
    };
    harness.progress(&question, progress);
    let screen = harness.screen();
    assert!(
        screen.contains("25%") && screen.contains("auth.log"),
        "{screen}"
    );
    let text = "2026-11-20 10:15:30 deny 198.51.100.77\n2026-11-20 11:00:00 deny 198.51.100.9\n";
    let text = GatheredText {
        file: Some("/var/log/auth.log".into()),
        ..GatheredText::read(text, false, "+02:00", harness::now())
    };
    harness.answer(&question, Ok(Answer::Gathered(Box::new(text))));
    assert_eq!(harness.notice(), "auth.log: 2 addresses");
    let screen = harness.screen();
    assert!(
        screen.contains("2 lines without a zone: +02:00"),
        "{screen}"
    );
    harness.draws_at_any_size();
}

/// Two lines of a long text.
const LINES: &str = "deny 198.51.100.77\ndeny 198.51.100.9\n";

/// These lines of the file.
fn text(lines: &str) -> GatheredText {
    GatheredText {
        file: Some("/auth.log".into()),
        ..GatheredText::of(lines, harness::now())
    }
}

/// Opens the file, whose first rows are there.
fn begun(harness: &mut Harness) -> JobId {
    harness.keys(":open /auth.log<enter>");
    let job = harness.job(&of_file("/auth.log", ""));
    harness.tell(Msg::Beginning(job, Box::new(text(LINES))));
    job
}

#[test]
fn the_first_rows_of_a_long_text_are_shown_while_it_is_read_and_nothing_is_made_of_them() {
    let mut harness = explorer(120, 36);
    let job = begun(&mut harness);
    insta::assert_snapshot!("beginning", harness.screen());
    harness.keys("<down>");
    let screen = harness.screen();
    assert!(
        screen.contains("> + 198.51.100.77") || screen.contains("2 of 2"),
        "{screen}"
    );
    for keys in ["<enter>", "$", " ", "W", "r", "B", "C", "E", "y"] {
        let asked = harness.asked.len();
        let cmds = harness.keys(keys);
        assert!(
            !cmds.iter().any(|cmd| matches!(cmd, Cmd::Copy(..))),
            "{keys}"
        );
        assert_eq!(harness.asked.len(), asked, "{keys}");
        let screen = harness.screen();
        assert!(screen.contains("the first 2 addresses"), "{keys}: {screen}");
    }
    harness.draws_at_any_size();
    // What is typed is a filter, whatever its letters are keys of, and goes on in the whole that takes its place, as the cursor does.
    harness.keys("<esc>/100.7x");
    assert!(harness.app.jobs.running().any(|running| running.id == job));
    harness.keys("<back>");
    let whole = text("deny 198.51.100.77\ndeny 198.51.100.9\ndeny 198.51.100.10\n");
    harness.answer_to(job, Ok(Answer::Gathered(Box::new(whole))));
    let screen = harness.screen();
    assert!(screen.contains("1 of 3 addresses"), "{screen}");
    assert!(!screen.contains("being read"), "{screen}");
    harness.keys("7<enter>");
    let board = harness.app.tabs.lookup.board.as_ref().expect("a table");
    assert_eq!(board.list.filter(), "100.77");
    assert_eq!(board.len(), 1);
    // It is left for what was there before: by its key, and where the text is not read to its end.
    for keys in ["<esc>", "x"] {
        let mut harness = explorer(120, 36);
        let before = look_up(&mut harness, "198.51.100.9");
        answer(&mut harness, before, RECORD);
        let job = begun(&mut harness);
        harness.keys(keys);
        let screen = harness.screen();
        assert!(!screen.contains("being read"), "{screen}");
        assert!(screen.contains("198.51.100.9"), "{screen}");
        let is_stopped = harness.app.jobs.running().all(|running| running.id != job);
        assert_eq!(is_stopped, keys == "x");
    }
}

#[test]
fn what_is_done_meanwhile_outlasts_the_first_rows_of_a_text() {
    // The cursor stays on its address, and who types elsewhere keeps what is typed.
    let mut harness = explorer(120, 36);
    let job = begun(&mut harness);
    harness.keys("<down>");
    let here = |harness: &Harness| {
        let page = &harness.app.tabs.lookup.page;
        let crate::tui::tabs::lookup::LookupPage::Beginning(own) = page else {
            panic!("{page:?}")
        };
        own.board.list.selected().copied()
    };
    let selected = here(&harness);
    let whole = text("deny 198.51.100.1\ndeny 198.51.100.77\ndeny 198.51.100.9\n");
    harness.answer_to(job, Ok(Answer::Gathered(Box::new(whole))));
    let board = harness.app.tabs.lookup.board.as_ref().expect("a table");
    assert_eq!(board.list.selected().copied(), selected);
    let mut harness = explorer(120, 36);
    let job = begun(&mut harness);
    harness.keys("<esc>i198.51.100.8");
    harness.answer_to(job, Ok(Answer::Gathered(Box::new(text(LINES)))));
    assert_eq!(harness.app.tabs.lookup.field.0.value(), "198.51.100.8");
    assert_eq!(harness.notice(), "the table is read: I shows it");
    harness.keys("<esc>I");
    assert!(harness.screen().contains("2 addresses"));
    let mut harness = explorer(120, 36);
    let job = begun(&mut harness);
    let error = Error::new(Kind::Machine, "/auth.log: it is too long");
    harness.answer_to(job, Err(error));
    assert!(!harness.screen().contains("being read"));
    // A table of the same text is not replaced by its beginning.
    harness.tell(Msg::Paste(LINES.to_owned()));
    let path = harness
        .app
        .tabs
        .lookup
        .board
        .as_ref()
        .and_then(|board| board.path())
        .map(str::to_owned);
    harness.keys(":zone +02:00<enter>");
    let path = path.expect("a kept text");
    let own = harness.job(&of_file(&path, "+02:00"));
    let same = GatheredText {
        file: Some(path.into()),
        ..GatheredText::of("198.51.100.77 198.51.100.9", harness::now())
    };
    harness.tell(Msg::Beginning(own, Box::new(same)));
    assert!(!harness.screen().contains("being read"));
}

#[test]
fn a_file_is_no_longer_read_where_it_is_stopped() {
    let mut harness = explorer(120, 36);
    harness.keys(":open auth.log<enter>");
    let job = harness.job(&of_file("auth.log", ""));
    let cmds = harness.keys("x");
    assert!(cmds.contains(&Cmd::Cancel(job)), "{cmds:?}");
    assert_eq!(harness.notice(), "auth.log: cancelled");
    assert!(harness.app.tabs.lookup.board.is_none());
}

#[test]
fn a_file_that_cannot_be_read_leaves_the_table_as_it_is() {
    let mut harness = explorer(120, 36);
    harness.tell(Msg::Paste("198.51.100.77 198.51.100.9".to_owned()));
    harness.keys(":open auth.log<enter>");
    let error = Error::new(Kind::Usage, "/auth.log: there is no such file");
    harness.answer(&of_file("auth.log", ""), Err(error));
    assert!(harness.notice().contains("there is no such file"));
    let screen = harness.screen();
    assert!(screen.contains("2 addresses"), "{screen}");
}
