use super::*;
use crate::{
    contract::Feed,
    engine::views::ViewQuery,
    model::Admission,
    store::{Filter, index::Order},
    tui::{
        ctx::{Answer, Cmd, Destination, Facts, ListContent, ListFile, Question},
        harness::{self, Harness, questions},
        shell::msg::Msg,
    },
};

const LOG: &str = "deny 198.51.100.77 =1+1\ndeny 198.51.100.9\ndeny 198.51.100.9\n";

/// An explorer with the table of the log.
fn with_table() -> Harness {
    let facts = Facts {
        admission: Admission::with(vec!["198.51.100.0/24".parse().expect("block")]),
        ..harness::facts()
    };
    let mut harness = Harness::with(facts, 120, 36);
    harness.tell(Msg::Paste(LOG.to_owned()));
    harness
}

/// What the worker is asked to write.
fn written(cmds: &[Cmd]) -> ListFile {
    let all = questions(cmds);
    match all.as_slice() {
        [Question::WriteList(file)] => ListFile::clone(file),
        other => panic!("{other:?}"),
    }
}

/// The text that is written once there is no file with this name.
fn text_of(harness: &mut Harness, name: &str) -> (ListFile, String) {
    let path = harness.app.facts.working_dir.join(name);
    let there = Question::IsThere(path.clone());
    let file = written(&harness.answer(&there, Ok(Answer::IsThere(false))));
    assert_eq!((file.path.as_path(), file.force), (path.as_path(), false));
    let ListContent::Text(text, rows) = &file.list else {
        panic!("{file:?}")
    };
    assert!(*rows > 0);
    let text = text.to_string();
    (file, text)
}

#[test]
fn the_list_in_front_is_written_as_it_is_shown() {
    let mut harness = with_table();
    harness.keys("W");
    let screen = harness.screen();
    for told in [
        "Write rows to a file in",
        "pasted-text-2026-11-20.csv",
        "shown 2",
        "as text",
    ] {
        assert!(screen.contains(told), "{told}\n{screen}");
    }
    insta::assert_snapshot!("write_wide", screen);
    insta::assert_snapshot!("write_narrow", harness.screen_at(80, 24));
    harness.screen_at(120, 36);
    harness.keys("a.csv<enter>");
    let (file, text) = text_of(&mut harness, "a.csv");
    let head = text.lines().next().expect("a head");
    assert!(head.starts_with("address,verdict,lines"), "{head}");
    assert!(!head.contains("operator"), "hidden: {head}");
    assert_eq!(text.matches("\r\n").count(), 3, "{text}");
    let question = Question::WriteList(Box::new(file.clone()));
    harness.answer(&question, Ok(harness::written(2, &file.path)));
    assert_eq!(
        harness.notice(),
        format!("a.csv: 2 rows to {}", file.path.display())
    );
    harness.draws_at_any_size();
}

#[test]
fn what_is_marked_is_written_and_all_that_a_filter_leaves_out_if_wanted() {
    let mut harness = with_table();
    harness.keys("/.9<enter> W");
    let screen = harness.screen();
    for told in ["marked 1", "shown 1", "all 2"] {
        assert!(screen.contains(told), "{told}\n{screen}");
    }
    harness.keys("m.txt<enter>");
    let (_, text) = text_of(&mut harness, "m.txt");
    assert_eq!(text, "198.51.100.9\n", "the marked ones come first");
    // All rows, all columns, defanged.
    harness.keys("Wall.md<tab><right><right><tab><right><enter>");
    let (_, text) = text_of(&mut harness, "all.md");
    assert_eq!(text.lines().count(), 4, "{text}");
    assert!(text.contains("198[.]51[.]100[.]77"), "{text}");
    assert!(
        text.lines()
            .next()
            .is_some_and(|head| head.contains("ROLE")),
        "{text}"
    );
    harness.keys("Wall.jsonl<tab><right><right><enter>");
    let (_, text) = text_of(&mut harness, "all.jsonl");
    for line in text.lines() {
        let object: serde_json::Value = serde_json::from_str(line).expect(line);
        assert!(object["lines"].is_u64(), "{line}");
    }
}

#[test]
fn a_file_that_is_there_is_replaced_only_after_a_question() {
    let mut harness = with_table();
    harness.keys("Wa.csv<enter>");
    let path = harness.app.facts.working_dir.join("a.csv");
    let there = Question::IsThere(path);
    assert_eq!(
        questions(&harness.answer(&there, Ok(Answer::IsThere(true)))),
        []
    );
    let screen = harness.screen();
    assert!(screen.contains("Replace this file?"), "{screen}");
    harness.keys("n<enter>");
    harness.answer(&there, Ok(Answer::IsThere(true)));
    let file = written(&harness.keys("y"));
    assert!(file.force);
    // A name that says no form is none.
    harness.keys("Wa.xlsx<enter>");
    assert_eq!(harness.notice(), "name it .csv, .jsonl, .md or .txt first");
    assert!(harness.screen().contains("the ending says the form"));
    harness.keys("<esc>");
    assert!(!harness.screen().contains("Write rows"));
}

#[test]
fn records_of_a_feed_are_written_by_the_worker() {
    let mut harness = with_table();
    let query = ViewQuery {
        feed: Feed::Anonymous,
        day: None,
        filter: Filter::default(),
        order: Order::Clients,
    };
    harness.go(Destination::Browse(query.clone()));
    harness.keys("W");
    // How many they are is not known yet.
    let screen = harness.screen();
    assert!(screen.contains("rows       < shown >"), "{screen}");
    harness.keys("a.csv<enter>");
    let path = harness.app.facts.working_dir.join("a.csv");
    let file = written(&harness.answer(&Question::IsThere(path), Ok(Answer::IsThere(false))));
    let ListContent::Records(view_query, marked, _) = file.list else {
        panic!("{file:?}")
    };
    assert_eq!((view_query, marked.len()), (query, 0));
}

#[test]
fn every_list_has_a_name_that_a_file_can_have() {
    for (name, file) in [
        ("incident.log", "incident.log"),
        ("../a b/c:d", "c-d"),
        ("anonymous cc:NL tag:A", "anonymous-cc-NL-tag-A"),
        ("..", "list"),
        ("", "list"),
        ("\u{202e}x", "x"),
    ] {
        assert_eq!(file_name(name), file, "{name}");
    }
    let mut harness = with_table();
    for (place, name) in [("", "pasted-text"), ("b", "group"), ("4", "feed")] {
        harness.keys(place);
        harness.keys("W");
        let screen = harness.screen();
        assert!(
            screen.contains(&format!("{name}-2026-11-20.csv")),
            "{place}\n{screen}"
        );
        harness.keys("<esc>");
    }
    harness.keys("3W");
    assert_eq!(
        harness.notice(),
        "there is no list to write here, or not yet"
    );
}

#[test]
fn the_names_of_rows_are_those_of_the_screen_and_times_are_whole() {
    let mut harness = with_table();
    harness.keys("<ctrl-t>Wt.txt<enter>");
    let (_, text) = text_of(&mut harness, "t.txt");
    assert_eq!(text, "pasted text\n");
    harness.keys("<esc>i");
    let log = "2025-11-26T10:00:05Z deny 198.51.100.77\n2026-11-19T10:00:00Z deny 198.51.100.9\n";
    harness.tell(Msg::Paste(log.to_owned()));
    harness.keys("Wt.jsonl<enter>");
    let (_, text) = text_of(&mut harness, "t.jsonl");
    assert!(text.contains(r#""first":"2025-11-26T10:00:05Z""#), "{text}");
    assert!(!text.contains("as in the text"), "{text}");
    harness.keys("4dW");
    assert_eq!(
        harness.notice(),
        "there is nothing to write",
        "no day is listed"
    );
    harness.keys("<esc>W");
    harness.types("~/x.csv");
    harness.keys("<enter>");
    let home = crate::engine::at_home("~/x.csv");
    harness.job(&Question::IsThere(harness.app.facts.working_dir.join(home)));
}

/// What is on the screen beside a list, or in place of one.
#[test]
fn values_of_fields_and_two_records_are_written_too() {
    let mut harness = with_table();
    harness.keys("fWvalues.csv<enter>");
    let (_, text) = text_of(&mut harness, "values.csv");
    assert!(text.starts_with("field,value,rows\r\n"), "{text}");
    assert!(text.contains("is,unknown,2\r\n"), "{text}");
    let board = harness.app.written_list();
    let numbers = board.and_then(|front| front.numbers()).expect("numbers");
    assert_eq!(numbers.noun, "value");
    harness.keys("<esc>f<esc>AcW");
    assert_eq!(
        harness.notice(),
        "there is no list to write here, or not yet"
    );
}
