use super::*;
use crate::{
    investigation::gather::GatheredText,
    tui::{
        ctx::{Answer, GatherQuery, Question, TextFrom},
        harness::{Harness, questions},
        shell::prices::places::{self, PricedWorld},
        ui::{Motion, Theme},
    },
};

#[test]
fn every_synonym_is_of_an_action() {
    let names: Vec<String> = super::super::keys::BINDINGS
        .iter()
        .map(|binding| name(binding.intent))
        .collect();
    for (action, words) in SYNONYMS {
        assert!(names.iter().any(|text| text == action), "{action}");
        assert!(!words.is_empty());
    }
}

#[test]
fn help_and_palette_find_the_same_things_by_other_words_too() {
    for open in ["?", ":"] {
        for (typed, label) in [
            ("ticket", "copy a note for a ticket"),
            ("revert", "undo the last change"),
            ("history", "look addresses up as of a day"),
            ("reload", "fetch"),
            ("clipboard", "copy: then a letter"),
            ("timeline", "the page of the day before"),
            ("since", "show the record as of it"),
            ("csv", "an export with"),
            ("save", "an export with"),
            ("block", "an export with"),
            ("zone", "the zone of times"),
            ("forecast", "group the chart by days"),
            ("vpn", "filter or search"),
        ] {
            let mut harness = Harness::new(120, 36);
            harness.keys(open);
            harness.types(typed);
            let screen = harness.screen();
            assert!(screen.contains(label), "{open}{typed}:\n{screen}");
        }
    }
}

#[test]
fn what_is_done_elsewhere_is_listed_and_says_where() {
    let mut harness = Harness::new(120, 36);
    harness.keys("?");
    harness.types("guards");
    let screen = harness.screen();
    assert!(screen.contains("Quota: set the guards"), "{screen}");
    assert!(screen.contains("not now: enter goes to Quota"), "{screen}");
    harness.keys("<enter>");
    assert_eq!(harness.app.tab, TabId::Quota);
    assert!(
        harness.notice().starts_with("a: set the guards"),
        "{}",
        harness.notice()
    );
    assert!(
        !harness.screen().contains("warn below  5"),
        "nothing is done there yet"
    );
}

/// The rows that are listed: whether each can be chosen now, and its words.
fn listed(keys: &str, typed: &str) -> Vec<(bool, String)> {
    let place = ("a record", PricedWorld::Live, "<look>");
    let mut harness = places::at(&place, (120, 36));
    harness.keys(keys);
    harness.types(typed);
    let list = harness.app.cover_as_mut::<Choices>().expect("a list");
    let picker = &mut list.picker;
    let mut rows = Vec::new();
    for _ in 0..picker.found() {
        let item = picker.chosen().expect("a row");
        let words = format!("{} {} {}", item.label, item.detail, item.key);
        rows.push((item.enabled.is_ok(), words));
        picker.step(Motion::Down);
    }
    rows
}

#[test]
fn what_can_be_done_now_comes_first_then_what_is_nearest() {
    for open in ["?", ":"] {
        let rows = listed(open, "compare");
        let first = "choose a day and compare with it: a local one is free";
        assert!(rows[0].0 && rows[0].1.starts_with(first), "{rows:#?}");
        for typed in ["da", "compare", "sort", "fee"] {
            let rows = listed(open, typed);
            let possible: Vec<bool> = rows.iter().map(|row| row.0).collect();
            assert!(
                possible.is_sorted_by(|one, other| one >= other),
                "{rows:#?}"
            );
        }
    }
}

#[test]
fn letters_that_are_apart_are_not_listed_beside_words() {
    for open in ["?", ":"] {
        let rows = listed(open, "da");
        let has_word = |(_, row): &(bool, String)| {
            let mut words = row.split(|letter: char| !letter.is_alphanumeric());
            words.any(|word| word.to_lowercase().starts_with("da"))
        };
        // Some are found by another word.
        let others = rows.iter().filter(|row| !has_word(row)).count();
        assert!(rows.len() < 40 && others < 3, "{rows:#?}");
        let rows = listed(open, "xylophone");
        assert!(rows.is_empty(), "{rows:#?}");
        let rows = listed(open, "watch");
        assert!(rows.len() == 1 && rows[0].1.contains("follow"), "{rows:#?}");
    }
}

#[test]
fn help_is_in_sections_and_commands_begin_with_names() {
    let place = ("a record", PricedWorld::Live, "<look>");
    for (size, name) in [((120, 36), "wide"), ((80, 24), "small")] {
        let mut harness = places::at(&place, size);
        harness.keys("?");
        insta::assert_snapshot!(format!("help_{name}"), harness.screen());
        harness.keys("<esc>:");
        insta::assert_snapshot!(format!("commands_{name}"), harness.screen());
    }
}

#[test]
fn the_themes_are_one_row_whose_names_are_completed() {
    let mut harness = Harness::new(120, 36);
    harness.keys(":");
    harness.types("theme");
    let screen = harness.screen();
    assert_eq!(screen.matches(":theme").count(), 1, "{screen}");
    harness.keys("<enter>");
    let screen = harness.screen();
    for name in Theme::NAMES {
        assert!(screen.contains(&format!(":theme {name}")), "{screen}");
    }
    harness.types("hi");
    harness.keys("<enter>");
    assert_eq!(harness.app.look.theme, "high-contrast");
    assert_eq!(harness.app.recent, ["theme high-contrast"]);
}

#[test]
fn a_command_says_what_it_does_and_costs_before_enter() {
    let mut harness = Harness::new(120, 36);
    harness.keys(":");
    harness.types("lookup 198.51.100.77");
    let screen = harness.screen();
    assert!(screen.contains("not sent"), "{screen}");
    assert!(questions(&harness.keys("<enter>")).is_empty());

    let mut harness = Harness::new(120, 36);
    harness.keys(":");
    harness.types("lookup 2a00::1");
    let screen = harness.screen();
    assert!(screen.contains("local or cached, else 1 query"), "{screen}");
    let asked = questions(&harness.keys("<enter>"));
    assert!(matches!(asked[..], [Question::Lookup(_)]), "{asked:?}");
}

#[test]
fn a_command_that_was_run_can_be_run_again_and_a_refused_one_is_not_kept() {
    let mut harness = Harness::new(120, 36);
    for line in ["date -30", "date soon", "theme dark", "theme none"] {
        harness.keys(":");
        harness.types(line);
        harness.keys("<enter><esc>");
    }
    assert_eq!(harness.app.recent, ["date -30", "theme dark", "theme none"]);
    harness.keys(":");
    let screen = harness.screen();
    assert!(screen.contains("theme none"), "{screen}");
    assert!(screen.contains("again"), "{screen}");
    harness.keys("<enter>");
    assert_eq!(
        harness.app.recent.last().map(String::as_str),
        Some("theme none")
    );
}

#[test]
fn a_profile_is_left_for_another_one_and_an_unknown_one_is_refused() {
    let mut harness = Harness::new(120, 36);
    harness.app.facts.profiles = vec!["work".to_owned(), "home".to_owned()];
    harness.keys(":");
    harness.types("profile hmoe");
    let screen = harness.screen();
    assert!(screen.contains("did you mean home?"), "{screen}");
    harness.keys("<ctrl-u>");
    harness.types("profile h");
    let cmds = harness.keys("<enter>");
    assert_eq!(cmds, [Cmd::OpenProfile("home".to_owned())]);
}

#[test]
fn a_case_is_opened_by_its_name_and_left() {
    let mut harness = Harness::new(120, 36);
    harness.app.facts.cases = vec!["INC-1".to_owned(), "phishing wave".to_owned()];
    harness.keys(":");
    harness.types("case INC-2");
    let screen = harness.screen();
    assert!(screen.contains("begin the case INC-2"), "{screen}");
    let opened = |name: &str| [Cmd::OpenCase(Some(name.to_owned()))];
    assert_eq!(harness.keys("<enter>"), opened("INC-2"));
    harness.keys(":");
    harness.types("case ph");
    assert_eq!(harness.keys("<enter>"), opened("phishing wave"));
    harness.app.facts.case = Some("INC-1".to_owned());
    let screen = harness.screen();
    assert!(screen.contains("case INC-1"), "{screen}");
    assert!(harness.screen_at(80, 24).contains("case INC-1"));
    harness.keys(":");
    harness.types("case INC-1");
    assert!(harness.screen().contains("is the case that is open"));
    harness.keys("<ctrl-u>");
    harness.types("case -");
    assert_eq!(harness.keys("<enter>"), [Cmd::OpenCase(None)]);
    harness.draws_at_any_size();
}

#[test]
fn the_addresses_of_a_file_become_a_table() {
    let mut harness = Harness::new(120, 36);
    harness.keys(":");
    harness.types("open /var/log/auth.log");
    harness.keys("<enter>");
    let query = GatherQuery {
        from: TextFrom::File("/var/log/auth.log".to_owned()),
        by_day: false,
        zone: String::new(),
    };
    let text = "from 198.51.100.7\nand 198.51.100.8\n";
    let text = GatheredText::of(text, harness.now);
    let answer = Answer::Gathered(Box::new(text));
    harness.answer(&Question::Gather(query), Ok(answer));
    let screen = harness.screen();
    assert!(screen.contains("198.51.100.8"), "{screen}");
}

#[test]
fn a_key_that_means_nothing_here_says_where_it_does() {
    let mut harness = Harness::new(120, 36);
    harness.keys("3");
    harness.keys("w");
    assert!(
        harness.notice().contains("w does nothing here; in Lookup"),
        "{}",
        harness.notice()
    );
    harness.keys("~");
    assert!(
        harness.notice().contains("? lists the keys"),
        "{}",
        harness.notice()
    );
}

#[test]
fn help_begins_with_what_a_newcomer_needs() {
    let mut harness = Harness::new(120, 36);
    harness.keys("?");
    let list = harness.app.cover_as::<Choices>().expect("help");
    let items = list.picker.items().iter();
    let keys: Vec<&str> = items.map(|item| item.key.as_str()).collect();
    assert_eq!(keys[0], "i");
    let of_all = ["?", "1", "2", "3", "4", "5", "J"];
    assert!(keys.windows(7).any(|texts| texts == of_all), "{keys:?}");
}

#[test]
fn a_footer_that_is_too_narrow_goes_on_below_whatever_is_said() {
    let mut harness = Harness::new(80, 24);
    harness.keys("i2a00::1<enter>");
    harness.pass(60);
    let screen = harness.screen();
    let last: Vec<&str> = screen.lines().rev().take(2).collect();
    for hint in ["ctrl-t trail", "y copy, ticket", "J jobs"] {
        assert!(last[0].contains(hint), "{hint}\n{screen}");
    }
    assert!(last[1].contains("i new"), "{screen}");
    harness.keys("w");
    let screen = harness.screen();
    let last: Vec<&str> = screen.lines().rev().take(3).collect();
    assert!(last[2].contains("pinned"), "{screen}");
    assert!(last[0].contains("ctrl-t trail"), "{screen}");
}
