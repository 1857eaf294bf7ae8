//! The way from the records to the list of feeds and back, and what names it.

use super::*;

fn footer(harness: &Harness) -> String {
    let screen = harness.screen();
    let lines: Vec<&str> = screen.lines().collect();
    lines[lines.len() - 2].to_owned()
}

/// Records that a trail leads to: what was looked up before is a step back, the list of feeds is not.
fn reached_by_the_trail() -> Harness {
    let mut harness = browsing(120, 36, "cc:NL", 41_198);
    harness.keys("<down><down>");
    harness
}

#[test]
fn the_number_of_the_tab_leads_to_the_list_and_backspace_to_the_records_as_they_were() {
    let mut harness = reached_by_the_trail();
    let before = harness.screen();
    harness.keys("4");
    assert!(
        harness.screen().contains("FEED "),
        "the list of feeds:\n{}",
        harness.screen()
    );
    assert!(
        harness.notice().contains("backspace leads back"),
        "{}",
        harness.notice()
    );
    harness.keys("<back>");
    answer_pages(&mut harness, 41_198);
    answer_facets(&mut harness);
    let table = |screen: &str| screen.lines().take(30).collect::<Vec<_>>().join("\n");
    assert_eq!(table(&harness.screen()), table(&before));
    // From another tab it leads to what was left, as ever.
    harness.keys("3");
    harness.keys("4");
    assert_eq!(table(&harness.screen()), table(&before));
}

#[test]
fn the_list_of_feeds_is_at_the_feed_whose_records_were_left() {
    for key in ["4", "<esc>"] {
        let mut harness = Harness::with(facts(), 120, 36);
        harness.app.tab = TabId::Feeds;
        let query = ViewQuery {
            feed: Feed::Dch,
            ..view("", None)
        };
        go(&mut harness, query);
        harness.keys(key);
        let screen = harness.screen();
        assert!(screen.contains("> dch"), "{key}:\n{screen}");
    }
}

#[test]
fn the_footer_names_what_esc_does_next() {
    for (width, height) in [(120, 36), (80, 24)] {
        let mut harness = browsing(width, height, "", 41_198);
        let of = |harness: &Harness, words: &str| {
            let line = footer(harness);
            assert!(line.contains(words), "{words} in {line}");
        };
        of(&harness, "esc feeds");
        harness.keys("/cc:NL<enter>");
        answer_pages(&mut harness, 41_198);
        of(&harness, "esc clear filter");
        harness.keys(" ");
        of(&harness, "esc unmark");
        harness.keys("<esc>");
        of(&harness, "esc clear filter");
        harness.keys("<esc>");
        answer_pages(&mut harness, 41_198);
        of(&harness, "esc feeds");
        harness.keys("<back>");
        assert_eq!(
            harness.notice(),
            "this is where the trail begins; esc: feeds"
        );
        harness.keys("<esc>d");
        of(&harness, "esc feeds");
    }
}

#[test]
fn a_key_of_the_list_is_explained_by_the_list_first() {
    let mut harness = browsing(120, 36, "", 41_198);
    harness.keys("w");
    let notice = harness.notice();
    assert!(
        notice.starts_with("w does nothing here; in List of feeds (4): pin"),
        "{notice}"
    );
}

#[test]
fn help_leads_to_the_list_where_what_was_chosen_is_done() {
    let mut harness = browsing(120, 36, "", 41_198);
    harness.keys("?");
    harness.types("download the latest release");
    let screen = harness.screen();
    assert!(
        screen.contains("List of feeds: download the latest release"),
        "{screen}"
    );
    assert!(screen.contains("not now: enter goes to List"), "{screen}");
    let cmds = harness.keys("<enter>");
    let is_pull = |question: &Question| matches!(question, Question::Pull(_));
    assert!(!questions(&cmds).iter().any(is_pull), "{cmds:?}");
    assert!(harness.screen().contains("FEED "), "{}", harness.screen());
    assert!(
        harness
            .notice()
            .starts_with("p: download the latest release")
    );
}

#[test]
fn the_palette_finds_the_way_back_by_other_words() {
    for words in ["list of feeds", "back", "close"] {
        let mut harness = browsing(120, 36, "", 41_198);
        harness.keys(":");
        harness.types(words);
        let screen = harness.screen();
        assert!(
            screen.contains("back to the list of feeds"),
            "{words}:\n{screen}"
        );
    }
    let mut harness = browsing(120, 36, "", 41_198);
    harness.keys(":");
    harness.types("list of feeds");
    harness.keys("<enter>");
    assert!(harness.screen().contains("FEED "), "{}", harness.screen());
}
