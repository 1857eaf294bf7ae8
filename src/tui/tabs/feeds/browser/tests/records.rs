//! Rows: asked for, shown, gone to, and where they cannot be.

use super::*;

#[test]
fn records_with_facets_beside_them() {
    let mut harness = browsing(120, 36, "tag:ACME_VPN cc:NL -infra:MOBILE", 41_198);
    insta::assert_snapshot!(harness.screen());
    insta::assert_snapshot!(harness.screen_at(80, 24));
    harness.draws_at_any_size();
}

#[test]
fn before_rows_are_there_and_where_they_cannot_be_read() {
    let mut harness = Harness::new(80, 24);
    go(&mut harness, view("", None));
    let screen = harness.screen();
    assert!(screen.contains("opening anonymous"), "{screen}");
    harness.draws_at_any_size();
    harness.screen_at(80, 24);
    let error = Error::new(Kind::NotFound, "the feed anonymous is not downloaded");
    let error = error.hint("p downloads it");
    harness.answer_any(
        |question| matches!(question, Question::Page(..)),
        Err(error),
    );
    insta::assert_snapshot!(harness.screen());
    harness.draws_at_any_size();
}

#[test]
fn a_failure_leaves_the_rows_that_were_there() {
    let mut harness = browsing(80, 24, "", 41_198);
    harness.keys("/cc:NL<enter>");
    let error = Error::new(Kind::Integrity, "the index is damaged");
    harness.answer_any(
        |question| matches!(question, Question::Page(..)),
        Err(error),
    );
    let screen = harness.screen();
    assert!(
        screen.contains("the index is damaged") && screen.contains("198.51.100.0"),
        "{screen}"
    );
}

#[test]
fn a_view_keeps_to_its_release_and_names_a_newer_one() {
    let mut harness = browsing(120, 36, "", 41_198);
    assert_eq!(
        harness.app.trail.here(),
        Some(&TrailStop::View(view("", Some("20261120"))))
    );
    harness.keys("G");
    answer_pages_beside(&mut harness, 41_198, Some("20261121"));
    let screen = harness.screen();
    assert!(
        screen.contains("newer release 2026-11-21: R opens it"),
        "{screen}"
    );
    let cmds = harness.keys("R");
    let asked = questions(&cmds);
    let [Question::Page(query, _)] = asked.as_slice() else {
        panic!("{cmds:?}")
    };
    assert_eq!(query.day, None);
    harness.pass(1);
    assert!(harness.screen().contains("2026-11-20"), "the old rows stay");
}

#[test]
fn a_stale_release_is_marked() {
    let mut harness = browsing(120, 36, "", 41_198);
    assert!(!harness.screen().contains("stale"));
    harness.pass(60 * 60 * 24 * 4);
    let screen = harness.screen();
    assert!(screen.contains("! stale, 4d old"), "{screen}");
}

#[test]
fn scrolling_asks_for_ranges_and_jumps_show_old_rows_until_the_new_ones_come() {
    let mut harness = browsing(120, 36, "", 41_198);
    assert!(
        questions(&harness.keys("<down><down><down>")).is_empty(),
        "they are at hand"
    );
    let cmds = harness.keys("G");
    let asked = questions(&cmds);
    let [Question::Page(_, positions)] = asked.as_slice() else {
        panic!("{cmds:?}")
    };
    assert!(
        positions.start > 41_000 && positions.end > 41_198,
        "{positions:?}"
    );
    assert!(
        harness.screen().contains("198.51.100.0"),
        "the old rows stay"
    );
    answer_pages(&mut harness, 41_198);
    let screen = harness.screen();
    assert!(screen.contains("41,198 of 41,198"), "{screen}");
    let cmds = harness.keys("g");
    assert_eq!(questions(&cmds).len(), 1);
    let cmds = harness.keys("#20,000<enter>");
    let asked = questions(&cmds);
    let Some(Question::Page(_, positions)) = asked.last() else {
        panic!("{asked:?}")
    };
    assert!(positions.contains(&19_999), "{positions:?}");
    assert_eq!(
        harness
            .asked
            .iter()
            .filter(|(_, question)| matches!(question, Question::Page(..)))
            .count(),
        1,
        "the older question is dropped"
    );
}

#[test]
fn an_address_is_gone_to() {
    let mut harness = browsing(120, 36, "", 41_198);
    let cmds = harness.keys("#198.51.100.77<enter>");
    let asked = questions(&cmds);
    let [Question::Position(_, network)] = asked.as_slice() else {
        panic!("{cmds:?}")
    };
    assert_eq!(network.to_string(), "198.51.100.77/32");
    harness.answer_any(
        |question| matches!(question, Question::Position(..)),
        Ok(Answer::Position(Some(7000))),
    );
    answer_pages(&mut harness, 41_198);
    assert!(harness.screen().contains("7,001 of 41,198"));
    harness.keys("#192.0.2.1<enter>");
    harness.answer_any(
        |question| matches!(question, Question::Position(..)),
        Ok(Answer::Position(None)),
    );
    assert_eq!(
        harness.notice(),
        "no record of this view covers 192.0.2.1 or lies in it"
    );
    harness.keys("#nonsense<enter>");
    assert_eq!(
        harness.notice(),
        "\"nonsense\" is neither a row number nor an address"
    );
}

#[test]
fn the_order_changes_and_the_cursor_stays_on_its_record() {
    let mut harness = browsing(120, 36, "", 41_198);
    harness.keys("<down><down>s");
    let cmds = harness.keys("g<enter>");
    let asked = questions(&cmds);
    assert!(
        asked.iter().any(
            |question| matches!(question, Question::Page(query, _) if query.order == Order::Address)
        ),
        "{asked:?}"
    );
    assert!(asked.iter().any(|question| matches!(question, Question::Position(_, network) if network.to_string() == "198.51.100.2/32")), "{asked:?}");
    answer_pages(&mut harness, 41_198);
    harness.answer_any(
        |question| matches!(question, Question::Position(..)),
        Ok(Answer::Position(Some(9))),
    );
    assert!(harness.screen().contains("10 of 41,198"));
}

#[test]
fn a_place_that_comes_before_its_rows_is_gone_to_with_them() {
    let mut harness = browsing(120, 36, "", 41_198);
    harness.keys("<down><down>sg<enter>");
    let is_position = |question: &Question| matches!(question, Question::Position(..));
    harness.answer_any(is_position, Ok(Answer::Position(Some(9000))));
    answer_pages(&mut harness, 41_198);
    assert!(harness.screen().contains("9,001 of 41,198"));
    // Once more before the rows of that order are here: the record is sought in this one.
    harness.keys("sG<enter>");
    let cmds = harness.keys("s<up><up><up>g<enter>");
    let asked = questions(&cmds);
    assert!(
        asked.iter().any(
            |question| matches!(question, Question::Position(query, _) if query.order == Order::Address)
        ),
        "{asked:?}"
    );
}

#[test]
fn a_place_is_not_sought_in_another_view() {
    let mut harness = browsing(120, 36, "", 41_198);
    harness.keys("#198.51.100.77<enter>/cc:NL<enter>");
    let is_position = |(_, question): &(_, Question)| matches!(question, Question::Position(..));
    assert!(!harness.asked.iter().any(is_position));
}

#[test]
fn the_table_of_feeds_opens_what_is_local_and_comes_back() {
    let (mut harness, _) = Harness::on_with(facts(), TabId::Feeds);
    let disk = OnDisk {
        releases: vec![release(Feed::Anonymous, "20261120")],
        ..OnDisk::default()
    };
    harness.answer(&Question::Releases, Ok(Answer::Releases(disk)));
    let cmds = harness.keys("<enter>");
    assert!(
        matches!(questions(&cmds)[..], [Question::Page(..)]),
        "{cmds:?}"
    );
    answer_pages(&mut harness, 41_198);
    harness.keys("<back>");
    assert!(harness.screen().contains("GENERATED"), "the table");
    harness.keys("<enter>");
    answer_pages(&mut harness, 41_198);
    harness.keys("q");
    let cmds = harness.keys("<down><enter>");
    assert!(
        matches!(questions(&cmds)[..], [Question::Pull(_)]),
        "{cmds:?}"
    );
}

#[test]
fn enter_waits_until_it_is_known_what_is_local() {
    let local = OnDisk {
        releases: vec![release(Feed::Anonymous, "20261120")],
        ..OnDisk::default()
    };
    let is_page = |question: &Question| matches!(question, Question::Page(..));
    let is_pull = |question: &Question| matches!(question, Question::Pull(..));
    for (keys, disk, is_expected) in [
        (
            "<enter>",
            local.clone(),
            Some(&is_page as &dyn Fn(&Question) -> bool),
        ),
        ("<enter>", OnDisk::default(), Some(&is_pull)),
        ("<enter><down>", local.clone(), None),
        ("<enter><esc>", local.clone(), None),
        ("<enter>1", local, None),
    ] {
        let (mut harness, _) = Harness::on_with(facts(), TabId::Feeds);
        let cmds = harness.keys(keys);
        let early = questions(&cmds);
        assert!(
            !early
                .iter()
                .any(|question| is_page(question) || is_pull(question)),
            "{cmds:?}"
        );
        let cmds = harness.answer(&Question::Releases, Ok(Answer::Releases(disk)));
        let asked = questions(&cmds);
        match is_expected {
            Some(is) => assert!(asked.len() == 1 && is(&asked[0]), "{keys}: {asked:?}"),
            None => assert!(
                !asked
                    .iter()
                    .any(|question| is_page(question) || is_pull(question)),
                "{keys}: {asked:?}"
            ),
        }
    }
    // Without that list nothing is downloaded.
    let (mut harness, _) = Harness::on_with(facts(), TabId::Feeds);
    harness.keys("<enter>");
    let error = Error::new(Kind::Machine, "the cache cannot be read");
    let cmds = harness.answer(&Question::Releases, Err(error));
    assert!(!questions(&cmds).iter().any(is_pull), "{cmds:?}");
    assert_eq!(harness.notice(), "the cache cannot be read");
    let (mut harness, _) = Harness::on_with(facts(), TabId::Feeds);
    for keys in ["w", "c", "t", "X", "Pa"] {
        harness.keys(keys);
        assert_eq!(
            harness.notice(),
            "local releases are still being read",
            "{keys}"
        );
    }
}

#[test]
fn a_newer_release_that_does_not_open_leaves_the_one_that_was_there() {
    let mut harness = browsing(120, 36, "", 41_198);
    harness.keys("<down>R");
    let is_position = |question: &Question| matches!(question, Question::Position(..));
    assert_eq!(waiting(&harness, is_position).len(), 1);
    let error = Error::new(Kind::Integrity, "the index is damaged");
    harness.answer_any(
        |question| matches!(question, Question::Page(..)),
        Err(error),
    );
    assert_eq!(waiting(&harness, is_position), [], "it is of the newer one");
    let screen = harness.screen();
    assert!(
        screen.contains("the index is damaged") && screen.contains("2 of 41,198"),
        "{screen}"
    );
    harness.keys(">");
    let is_page = |question: &Question| matches!(question, Question::Page(..));
    let [Question::Page(query, _)] = &waiting(&harness, is_page)[..] else {
        panic!("{:?}", harness.asked)
    };
    assert_eq!(query.day, Some("20261120".parse().expect("a day")));
    assert_eq!(
        harness.app.trail.here(),
        Some(&TrailStop::View(query.clone()))
    );
}

#[test]
fn after_a_refresh_the_cursor_is_on_the_same_record() {
    let mut harness = browsing(120, 36, "", 41_198);
    harness.keys("<down><down> R");
    let is_position = |question: &Question| matches!(question, Question::Position(..));
    harness.answer_any(is_position, Ok(Answer::Position(Some(9000))));
    answer_pages(&mut harness, 41_198);
    let screen = harness.screen();
    assert!(
        screen.contains("1 marked") && screen.contains("9,001 of 41,198"),
        "{screen}"
    );
}

#[test]
fn a_record_that_cannot_be_read_is_not_marked() {
    let mut harness = Harness::new(120, 36);
    harness.app.tab = TabId::Feeds;
    go(&mut harness, view("", None));
    let is_page = |question: &Question| matches!(question, Question::Page(..));
    let asked = waiting(&harness, is_page);
    let Answer::Page(mut first) = page(&asked[0], 3, None) else {
        panic!("{asked:?}")
    };
    first.rows[0] = Err("not JSON".to_owned());
    harness.answer_any(is_page, Ok(Answer::Page(first)));
    harness.keys(" ");
    assert_eq!(harness.notice(), "this record cannot be read");
    assert!(!harness.screen().contains("marked"));
}

/// Operators are what people look for: at 120 columns none is cut while a city has blanks beside it, or a list that the facets count.
#[test]
fn operators_are_whole_before_anything_else_has_room() {
    let harness = browsing(120, 36, "", 41_198);
    let screen = harness.screen();
    assert!(screen.contains("VPN BRAVO_PROXY; PROXY "), "{screen}");
    assert!(screen.contains("CLIENTS v"), "{screen}");
    let mut small = browsing(80, 24, "", 41_198);
    assert!(small.screen().contains("CLIENTS v"), "{}", small.screen());
    // The column under the cursor is in view.
    small.screen_at(120, 36);
    small.keys("<right><right><right><right><right><right><right>");
    assert!(small.screen().contains("RISK"), "{}", small.screen());
}

#[test]
fn no_text_is_cut_beside_a_column_without_a_value() {
    let text = r#"{"ip":"198.51.100.7","as":{"number":64500},"client":{"count":7},"infrastructure":"DATACENTER",
        "location":{"city":"San Pedro de Macoris","country":"VE"},"risks":[],"tunnels":[{"type":"VPN","operator":"ACME_VPN"}]}"#;
    let row = Document::read(text.as_bytes()).expect("a record");
    let mut harness = Harness::new(120, 36);
    harness.app.tab = TabId::Feeds;
    go(&mut harness, view("", None));
    let is_page = |question: &Question| matches!(question, Question::Page(..));
    let Answer::Page(mut first) = page(&waiting(&harness, is_page)[0], 3, None) else {
        panic!("{:?}", harness.asked)
    };
    first.rows = vec![Ok(row.clone()), Ok(row.clone()), Ok(row)];
    harness.answer_any(is_page, Ok(Answer::Page(first)));
    let screen = harness.screen();
    assert!(screen.contains("San Pedro de Macoris"), "{screen}");
    assert!(!screen.contains("RISK"), "{screen}");
}

/// Of a day in the warehouse the first records are looked through, and how many there are in all is said.
#[test]
fn a_day_of_the_warehouse_says_where_it_is_and_how_much_of_it_is_shown() {
    let mut harness = Harness::new(120, 36);
    go(&mut harness, view("type:VPN", Some("20261020")));
    let is_page = |question: &Question| matches!(question, Question::Page(..));
    while let Some((_, question)) = harness
        .asked
        .iter()
        .rfind(|(_, question)| is_page(question))
        .cloned()
    {
        let Answer::Page(mut page) = page(&question, 100_000, Some("20261120")) else {
            panic!("a page")
        };
        let manifest = &mut page.view.release.manifest;
        *manifest = manifest.clone().in_load("20261021T101500.000000Z-0a0b0c0d");
        page.view.beyond = Some(4_102_377);
        harness.answer_any(is_page, Ok(Answer::Page(page)));
    }
    answer_facets(&mut harness);
    let screen = harness.screen();
    for told in [
        "WAREHOUSE",
        "first 100,000 of 4,102,377: / narrows",
        "4,102,377 of 20,104,877 records",
    ] {
        assert!(screen.contains(told), "{told}\n{screen}");
    }
    insta::assert_snapshot!(screen);
    insta::assert_snapshot!(harness.screen_at(80, 24));
    let note = harness.keys("ym");
    let note = copied(&note).expect("a ticket");
    assert!(note.contains("4,102,377 records"), "{note}");
    harness.draws_at_any_size();
}

#[test]
fn the_record_of_the_row_stands_beside_the_table_and_asks_nothing() {
    let mut harness = browsing(170, 36, "tag:ACME_VPN", 41_198);
    let screen = harness.screen();
    assert!(screen.contains("AS64500"), "{screen}");
    insta::assert_snapshot!(screen);
    harness.asked.clear();
    let second = "198.51.100.1 ──";
    assert!(!screen.contains(second), "{screen}");
    harness.keys("j");
    let screen = harness.screen();
    assert!(screen.contains(second), "{screen}");
    assert_eq!(harness.asked, Vec::new());
    // Without the values of fields there is room at 120.
    let screen = harness.screen_at(120, 36);
    assert!(!screen.contains("AS64500"), "{screen}");
    harness.keys("f");
    if !harness.screen_at(120, 36).contains("AS64500") {
        harness.keys("f");
    }
    assert!(harness.screen_at(120, 36).contains("AS64500"));
    // Z gives the table all the room.
    harness.keys("Z");
    let screen = harness.screen_at(120, 36);
    assert!(!screen.contains("AS64500"), "{screen}");
    harness.draws_at_any_size();
}
