//! The way from the records to the list of feeds and back, and what names it.

use super::*;

fn footer(stage: &Harness) -> String {
    let screen = stage.screen();
    let lines: Vec<&str> = screen.lines().collect();
    lines[lines.len() - 2].to_owned()
}

/// Records that a trail leads to: what was looked up before is a step back, the list of feeds is not.
fn reached_by_the_trail() -> Harness {
    let mut stage = browsing(120, 36, "cc:NL", 41_198);
    stage.keys("<down><down>");
    stage
}

#[test]
fn the_number_of_the_tab_leads_to_the_list_and_backspace_to_the_records_as_they_were() {
    let mut stage = reached_by_the_trail();
    let before = stage.screen();
    stage.keys("4");
    assert!(
        stage.screen().contains("FEED "),
        "the list of feeds:\n{}",
        stage.screen()
    );
    assert!(
        stage.notice().contains("backspace leads back"),
        "{}",
        stage.notice()
    );
    stage.keys("<back>");
    answer_pages(&mut stage, 41_198);
    answer_facets(&mut stage);
    let table = |screen: &str| screen.lines().take(30).collect::<Vec<_>>().join("\n");
    assert_eq!(table(&stage.screen()), table(&before));
    // From another tab it leads to what was left, as ever.
    stage.keys("3");
    stage.keys("4");
    assert_eq!(table(&stage.screen()), table(&before));
}

#[test]
fn the_list_of_feeds_is_at_the_feed_whose_records_were_left() {
    for key in ["4", "<esc>"] {
        let mut stage = Harness::with(facts(), 120, 36);
        stage.app.tab = TabId::Feeds;
        let query = ViewQuery {
            feed: Feed::Dch,
            ..view("", None)
        };
        go(&mut stage, query);
        stage.keys(key);
        let screen = stage.screen();
        assert!(screen.contains("> dch"), "{key}:\n{screen}");
    }
}

#[test]
fn the_footer_names_what_esc_does_next() {
    for (width, height) in [(120, 36), (80, 24)] {
        let mut stage = browsing(width, height, "", 41_198);
        let of = |stage: &Harness, words: &str| {
            let line = footer(stage);
            assert!(line.contains(words), "{words} in {line}");
        };
        of(&stage, "esc feeds");
        stage.keys("/cc:NL<enter>");
        answer_pages(&mut stage, 41_198);
        of(&stage, "esc clear filter");
        stage.keys(" ");
        of(&stage, "esc unmark");
        stage.keys("<esc>");
        of(&stage, "esc clear filter");
        stage.keys("<esc>");
        answer_pages(&mut stage, 41_198);
        of(&stage, "esc feeds");
        stage.keys("<back>");
        assert_eq!(stage.notice(), "this is where the trail begins; esc: feeds");
        stage.keys("<esc>d");
        of(&stage, "esc feeds");
    }
}

#[test]
fn a_key_of_the_list_is_explained_by_the_list_first() {
    let mut stage = browsing(120, 36, "", 41_198);
    stage.keys("d");
    let notice = stage.notice();
    assert!(
        notice.starts_with("d means nothing here; in List of feeds (4): the days"),
        "{notice}"
    );
}

#[test]
fn help_leads_to_the_list_where_what_was_chosen_is_done() {
    let mut stage = browsing(120, 36, "", 41_198);
    stage.keys("?");
    stage.types("download the latest release");
    let screen = stage.screen();
    assert!(
        screen.contains("List of feeds: download the latest release"),
        "{screen}"
    );
    assert!(screen.contains("not now: enter goes to List"), "{screen}");
    let cmds = stage.keys("<enter>");
    let is_pull = |own: &Question| matches!(own, Question::Pull(_));
    assert!(!questions(&cmds).iter().any(is_pull), "{cmds:?}");
    assert!(stage.screen().contains("FEED "), "{}", stage.screen());
    assert!(stage.notice().starts_with("p: download the latest release"));
}

#[test]
fn the_palette_finds_the_way_back_by_other_words() {
    for words in ["list of feeds", "back", "close"] {
        let mut stage = browsing(120, 36, "", 41_198);
        stage.keys(":");
        stage.types(words);
        let screen = stage.screen();
        assert!(
            screen.contains("back to the list of feeds"),
            "{words}:\n{screen}"
        );
    }
    let mut stage = browsing(120, 36, "", 41_198);
    stage.keys(":");
    stage.types("list of feeds");
    stage.keys("<enter>");
    assert!(stage.screen().contains("FEED "), "{}", stage.screen());
}
