//! Cells and columns.

use super::*;

#[test]
fn cells_filter_and_copy() {
    let mut stage = browsing(120, 36, "", 41_198);
    stage.keys("<right>=");
    answer_pages(&mut stage, 900);
    stage.keys("<right>-");
    answer_pages(&mut stage, 900);
    let here = TrailStop::View(view("tag:BRAVO_PROXY -infra:DATACENTER", Some("20261120")));
    assert_eq!(stage.app.trail.here(), Some(&here));
    assert_eq!(copied(&stage.keys("yv")), Some("DATACENTER"));
    assert_eq!(copied(&stage.keys("yi")), Some("198.51.100.0"));
    let row = stage.keys("yr");
    let row = copied(&row).expect("a row");
    assert!(
        row.starts_with("198.51.100.0\tVPN BRAVO_PROXY; PROXY\tDATACENTER\tNL"),
        "{row}"
    );
    stage.keys("<right><right>=");
    assert_eq!(stage.notice(), "no filter by this cell of CITY");
    stage.keys("<enter>");
    insta::assert_snapshot!(stage.screen_at(80, 24));
    stage.keys("<esc><left><left><left><left>  ");
    let marked = stage.keys("yi");
    assert_eq!(copied(&marked), Some("198.51.100.0\n198.51.100.1"));
}

/// Beside the facets there is room for names of usual length as soon as the other columns have no more than they need.
#[test]
fn an_operator_is_whole_where_other_columns_can_give_way() {
    let mut stage = browsing(120, 36, "", 41_198);
    stage.keys("/tag:NIMBUS_RELAY_PROXY<enter>");
    let is_page = |question: &Question| matches!(question, Question::Page(..));
    while let Some((_, question)) = stage.asked.iter().rfind(|(_, own)| is_page(own)).cloned() {
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
        stage.answer_any(is_page, Ok(Answer::Page(found)));
    }
    let screen = stage.screen();
    let row = "198.19.249.200  PROXY NIMBUS_RELAY_PROXY  DATACENTER  NL  Amster";
    assert!(screen.contains(row), "{screen}");
    assert!(screen.contains("64500      4,379 "), "{screen}");
}

#[test]
fn enter_looks_up_and_back_returns_to_the_row_the_scroll_and_the_filter() {
    let mut stage = browsing(120, 36, "tag:ACME_VPN", 41_198);
    stage.keys("#5,000<enter>");
    answer_pages(&mut stage, 41_198);
    let before = stage.screen();
    stage.keys("<enter>");
    assert_eq!(stage.app.tab, TabId::Lookup);
    stage.keys("<esc><back>");
    assert_eq!(stage.app.tab, TabId::Feeds);
    assert_eq!(
        stage.screen().lines().skip(1).take(30).collect::<Vec<_>>(),
        before.lines().skip(1).take(30).collect::<Vec<_>>()
    );
}

#[test]
fn a_stale_record_says_the_price_before_it_is_looked_up() {
    let mut stage = browsing(120, 36, "", 41_198);
    stage.pass(60 * 60 * 24 * 4);
    stage.keys("<enter>");
    assert_eq!(stage.app.tab, TabId::Feeds);
    let screen = stage.screen();
    assert!(
        screen.contains("look up 198.51.100.0") && screen.contains("1 query unless"),
        "{screen}"
    );
    stage.keys("<enter>");
    assert_eq!(stage.app.tab, TabId::Lookup);
}

#[test]
fn columns_are_chosen_and_scrolled_sideways() {
    let mut stage = browsing(80, 24, "", 41_198);
    assert!(!stage.screen().contains("PROXIES"));
    stage.keys("<right><right><right><right><right><right><right><right>");
    let screen = stage.screen();
    assert!(
        screen.contains("PROXIES") && screen.contains("198.51.100.0"),
        "{screen}"
    );
    stage.keys("C<enter>");
    assert!(stage.screen().contains("[ ] OPERATORS"));
    stage.keys("<esc><left><left><left><left><left><left><left><left>");
    let screen = stage.screen();
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
    let mut stage = browsing_with(
        invented,
        160,
        50,
        "tag:ACME_VPN clients>=10 net:198.51.100.0/24",
        41_198,
    );
    let note = stage.keys("ym");
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
