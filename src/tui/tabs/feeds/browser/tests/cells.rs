//! Cells and columns.

use super::*;
use crate::tui::harness;

#[test]
fn cells_filter_and_copy() {
    let mut harness = browsing(120, 36, "", 41_198);
    harness.keys("<right>=");
    answer_pages(&mut harness, 900);
    harness.keys("<right>-");
    answer_pages(&mut harness, 900);
    let here = TrailStop::View(view("tag:BRAVO_PROXY -infra:DATACENTER", Some("20261120")));
    assert_eq!(harness.app.trail.here(), Some(&here));
    assert_eq!(copied(&harness.keys("yv")), Some("DATACENTER"));
    assert_eq!(copied(&harness.keys("yi")), Some("198.51.100.0"));
    let row = harness.keys("yr");
    let row = copied(&row).expect("a row");
    assert!(
        row.starts_with("198.51.100.0\tVPN BRAVO_PROXY; PROXY\tDATACENTER\tNL"),
        "{row}"
    );
    harness.keys("<right><right>=");
    assert_eq!(
        harness.notice(),
        "the filter has no term for this cell of CITY"
    );
    harness.keys("<enter>");
    insta::assert_snapshot!(harness.screen_at(80, 24));
    harness.keys("<esc><left><left><left><left>  ");
    let marked = harness.keys("yi");
    assert_eq!(copied(&marked), Some("198.51.100.0\n198.51.100.1"));
}

/// Beside the facets there is room for names of usual length as soon as the other columns have no more than they need.
#[test]
fn an_operator_is_whole_where_other_columns_can_give_way() {
    let mut harness = browsing(120, 36, "", 41_198);
    harness.keys("/tag:NIMBUS_RELAY_PROXY<enter>");
    let is_page = |question: &Question| matches!(question, Question::Page(..));
    while let Some((_, question)) = harness
        .asked
        .iter()
        .rfind(|(_, question)| is_page(question))
        .cloned()
    {
        let Answer::Page(mut found) = page(&question, 40, None) else {
            panic!("{question:?}")
        };
        for (at, row) in found.rows.iter_mut().enumerate() {
            let text = format!(
                r#"{{"ip":"198.19.249.{}","as":{{"number":64500}},"client":{{"count":{}}},
                "infrastructure":"DATACENTER","location":{{"city":"Amsterdam","country":"NL"}},
                "tunnels":[{{"type":"PROXY","operator":"NIMBUS_RELAY_PROXY"}}]}}"#,
                200 + at,
                4379 - at
            );
            *row = Ok(Document::read(text.as_bytes()).expect("a record"));
        }
        harness.answer_any(is_page, Ok(Answer::Page(found)));
    }
    let screen = harness.screen();
    let row = "198.19.249.200  PROXY NIMBUS_RELAY_PROXY  DATACENTER  NL  Amster";
    assert!(screen.contains(row), "{screen}");
    assert!(screen.contains("64500      4,379 "), "{screen}");
}

#[test]
fn enter_looks_up_and_back_returns_to_the_row_the_scroll_and_the_filter() {
    let mut harness = browsing(120, 36, "tag:ACME_VPN", 41_198);
    harness.keys("#5,000<enter>");
    answer_pages(&mut harness, 41_198);
    let before = harness.screen();
    harness.keys("<enter>");
    assert_eq!(harness.app.tab, TabId::Lookup);
    harness.keys("<esc><back>");
    assert_eq!(harness.app.tab, TabId::Feeds);
    assert_eq!(
        harness
            .screen()
            .lines()
            .skip(1)
            .take(30)
            .collect::<Vec<_>>(),
        before.lines().skip(1).take(30).collect::<Vec<_>>()
    );
}

#[test]
fn a_stale_record_says_the_price_before_it_is_looked_up() {
    let mut harness = browsing(120, 36, "", 41_198);
    harness.pass(60 * 60 * 24 * 4);
    harness.keys("<enter>");
    assert_eq!(harness.app.tab, TabId::Feeds);
    let screen = harness.screen();
    assert!(
        screen.contains("look up 198.51.100.0") && screen.contains("1 query unless"),
        "{screen}"
    );
    harness.keys("<enter>");
    assert_eq!(harness.app.tab, TabId::Lookup);
}

#[test]
fn columns_are_chosen_and_scrolled_sideways() {
    let mut harness = browsing(80, 24, "", 41_198);
    assert!(!harness.screen().contains("PROXIES"));
    harness.keys("<right><right><right><right><right><right><right><right>");
    let screen = harness.screen();
    assert!(
        screen.contains("PROXIES") && screen.contains("198.51.100.0"),
        "{screen}"
    );
    harness.keys("|<enter>");
    assert!(harness.screen().contains("[ ] OPERATORS"));
    harness.keys("<esc><left><left><left><left><left><left><left><left>");
    let screen = harness.screen();
    assert!(
        screen.contains("ADDRESS") && !screen.contains("OPERATORS"),
        "{screen}"
    );
}

#[test]
fn the_note_on_a_filter_has_its_counts_and_says_what_is_invented() {
    let invented = Facts {
        invented: true,
        ..facts()
    };
    let mut harness = browsing_with(
        invented,
        160,
        50,
        "tag:ACME_VPN clients>=10 net:198.51.100.0/24",
        41_198,
    );
    let note = harness.keys("ym");
    insta::assert_snapshot!("note", copied(&note).expect("a note"));
    let mut narrow = browsing(80, 24, "tag:NONE", 0);
    let note = narrow.keys("ym");
    let note = copied(&note).expect("a note");
    assert!(
        note.contains(
            "No record of the feed anonymous of 2026-11-20 matches tag:NONE, which does not mean"
        ),
        "{note}"
    );
}

#[test]
fn the_note_on_a_search_counts_no_other_records() {
    // The values were counted among 50,000 records.
    for (filter, count, is_counted) in [("", 50_000, true), ("cc:NL", 41_198, false)] {
        let note = browsing(160, 50, filter, count).keys("ym");
        let note = copied(&note).expect("a note");
        assert_eq!(note.contains("**cc:** NL 41,198"), is_counted, "{note}");
        assert!(!note.contains("50,000") || is_counted, "{note}");
    }
}

#[test]
fn what_a_value_means_is_explained_in_its_place() {
    let mut harness = browsing(120, 36, "", 41_198);
    harness.keys("<right>K");
    let asked = |harness: &Harness| match harness.asked.last() {
        Some((_, Question::Explain(word))) => word.clone(),
        other => panic!("{other:?}"),
    };
    let answer = |harness: &mut Harness, is_used| {
        let word = asked(harness);
        let found = harness::explanation(&word, is_used);
        let answer = Answer::Explained(Box::new(found));
        harness.answer(&Question::Explain(word), Ok(answer));
    };
    assert_eq!(asked(&harness), "BRAVO_PROXY");
    let screen = harness.screen();
    assert!(screen.contains("reading the local feeds"), "{screen}");
    // Where neither the contract nor a feed has it, the field is explained.
    answer(&mut harness, false);
    assert_eq!(asked(&harness), "tag");
    answer(&mut harness, false);
    insta::assert_snapshot!("explained_field", harness.screen());
    harness.keys("<esc>f");
    answer_facets(&mut harness);
    harness.keys("K");
    let word = asked(&harness);
    answer(&mut harness, true);
    let screen = harness.screen();
    for told in [
        &*word,
        "local anonymous 2026-11-20: tag",
        "330 of 41,198 records, since 2026-11-17",
    ] {
        assert!(screen.contains(told), "{told}\n{screen}");
    }
    harness.keys("<enter>");
    assert!(!harness.screen().contains("since 2026-11-17"));
}
