//! Clicks and the wheel in tables, pages, forms and overlays.

use super::*;
use crate::{
    contract::{Feed, LookupQuery},
    tui::{
        harness::{Harness, copied, questions},
        shell::prices::{
            LARGE, SMALL, is_paid,
            places::{self, PLACES},
        },
    },
};

/// The explorer in one of the places.
fn at(name: &str) -> Harness {
    let place = PLACES.iter().find(|place| place.0 == name);
    places::at(place.unwrap_or_else(|| panic!("no place {name}")), LARGE)
}

/// The screen line with this text.
fn line(harness: &Harness, text: &str) -> String {
    let screen = harness.screen();
    let line = screen.lines().find(|line| line.contains(text));
    line.unwrap_or_else(|| panic!("no {text:?} on\n{screen}"))
        .to_owned()
}

fn is_in(harness: &Harness, scope: &str) -> bool {
    harness
        .app
        .scopes()
        .iter()
        .any(|other| other.title() == scope)
}

fn spends(cmds: &[Cmd]) -> bool {
    questions(cmds).iter().any(is_paid)
}

#[test]
fn a_click_selects_a_row_and_a_second_one_opens_it() {
    let mut harness = at("the browser");
    assert_eq!(harness.click("198.51.100.5 "), []);
    assert!(line(&harness, "198.51.100.5 ").contains("> 198.51.100.5 "));
    assert_eq!(harness.app.tab, TabId::Feeds);
    harness.click("198.51.100.7 ");
    assert!(line(&harness, "198.51.100.7 ").contains("> 198.51.100.7 "));
    let cmds = harness.click("198.51.100.7 ");
    assert_eq!(harness.app.tab, TabId::Lookup);
    assert!(!spends(&cmds), "{cmds:?}");
    assert_eq!(harness.app.clicked, None, "one more click opens nothing");
}

#[test]
fn a_row_that_is_selected_takes_two_clicks_all_the_same() {
    let mut harness = at("the browser");
    harness.click("198.51.100.0 ");
    assert_eq!(
        harness.app.tab,
        TabId::Feeds,
        "the first click opens nothing"
    );
    harness.keys("<down><up>");
    harness.click("198.51.100.0 ");
    assert_eq!(harness.app.tab, TabId::Feeds, "a key came in between");
    harness.click("198.51.100.0 ");
    assert_eq!(harness.app.tab, TabId::Lookup);
}

#[test]
fn what_costs_a_query_says_so_before_the_second_click() {
    let mut harness = at("an exit of a local record");
    harness.keys("<up><up>");
    assert!(!spends(&harness.click("198.51.100.78")));
    let screen = harness.screen();
    assert!(screen.contains("1 query"), "{screen}");
    let mut harness = at("the browser of a stale feed");
    harness.click("198.51.100.7 ");
    assert!(
        !spends(&harness.click("198.51.100.7 ")),
        "the price comes first"
    );
    assert!(harness.screen().contains("1 query"), "{}", harness.screen());
}

#[test]
fn a_row_at_the_edge_stays_below_the_pointer() {
    let mut harness = at("the browser");
    let rows: Vec<String> = (0..100).map(|row| format!("198.51.100.{row} ")).collect();
    let screen = harness.screen();
    let last = rows.iter().rposition(|row| screen.contains(row.as_str()));
    let last = &rows[last.expect("a row")];
    harness.click(last);
    assert!(
        harness.screen().contains(rows[0].as_str()),
        "{}",
        harness.screen()
    );
    harness.click(last);
    assert_eq!(harness.app.tab, TabId::Lookup);
}

#[test]
fn a_click_on_the_head_of_a_column_sorts_by_it_and_again_turns_it_round() {
    let mut harness = at("the browser");
    harness.click("ADDRESS");
    places::answer_all(&mut harness, places::PricedWorld::Local);
    assert!(
        line(&harness, "Records").contains("by address"),
        "{}",
        harness.screen()
    );
    harness.click("ADDRESS");
    places::answer_all(&mut harness, places::PricedWorld::Local);
    let title = line(&harness, "Records");
    assert!(title.contains("by address, descending"), "{title}");
    let mut harness = at("local feeds");
    harness.click("FEED ");
    assert!(harness.screen().contains("FEED ^"), "{}", harness.screen());
    harness.click("FEED ^");
    assert!(harness.screen().contains("FEED v"), "{}", harness.screen());
    let mut harness = at("a table of local records");
    harness.click("CLIENTS");
    assert!(
        harness.screen().contains("by clients"),
        "{}",
        harness.screen()
    );
    harness.click("CLIENTS");
    assert!(harness.screen().contains("by clients, reversed"));
    let mut harness = at("the rows of a file");
    harness.click("tag ");
    let asked = harness.screen();
    assert!(
        asked.contains("sorting") || asked.contains("tag ^"),
        "{asked}"
    );
}

#[test]
fn a_click_brings_the_focus_to_a_pane_and_the_wheel_does_not() {
    let mut harness = at("a record");
    for address in ["198.51.100.1", "198.51.100.2", "198.51.100.3"] {
        let address = address.parse().expect("an address");
        harness.go(Destination::AtHand(LookupQuery::now(address)));
    }
    assert!(!is_in(&harness, "Trail"));
    harness.wheel_over("Trail");
    assert!(!is_in(&harness, "Trail"), "the focus stays");
    harness.keys("<ctrl-t>");
    harness.keys("<enter>");
    let title = line(&harness, "Trail");
    assert!(
        title.contains("198.51.100.77"),
        "the trail has moved: {title}"
    );
    harness.click("Trail");
    assert!(is_in(&harness, "Trail"));
    harness.mouse(MouseEventKind::Down(MouseButton::Left), 5, 1);
    assert!(is_in(&harness, "Typing an address"));
}

#[test]
fn the_wheel_over_a_table_moves_it_beside_other_panes() {
    let mut harness = at("local feeds");
    harness.keys("<tab>");
    harness.wheel_over("RELEASE");
    let fourth = Feed::all().nth(3).expect("a feed").name();
    assert!(line(&harness, &format!("> {fourth}")).contains(fourth));
    let before = harness.screen();
    harness.mouse(MouseEventKind::ScrollDown, 3, 35);
    harness.mouse(MouseEventKind::ScrollUp, 900, 900);
    assert_eq!(harness.screen(), before, "there is no pane");
}

#[test]
fn the_wheel_leaves_what_is_typed_as_it_is() {
    let mut harness = at("a record");
    harness.keys("i203.0.113.9");
    harness.wheel_over("Trail");
    harness.wheel_over("203.0.113.9");
    assert!(
        harness.screen().contains("203.0.113.9"),
        "{}",
        harness.screen()
    );
    assert!(is_in(&harness, "Typing an address"));
    let mut harness = at("the browser");
    harness.keys("/cc:NL<enter>/cc:DE");
    harness.wheel_over("ADDRESS");
    assert!(harness.screen().contains("cc:DE"), "{}", harness.screen());
}

#[test]
fn what_lies_over_everything_is_clicked_and_a_click_beside_closes_what_holds_no_text() {
    let mut harness = at("the commands");
    harness.click(":lookup");
    assert!(harness.app.overlay.is_some(), "one click runs nothing");
    harness.mouse(MouseEventKind::Down(MouseButton::Left), 0, 34);
    assert!(harness.app.overlay.is_none());
    let mut harness = at("a command");
    harness.mouse(MouseEventKind::Down(MouseButton::Left), 0, 34);
    assert!(
        harness.screen().contains("198.51.100.9"),
        "{}",
        harness.screen()
    );
    let mut harness = at("the order of feeds");
    harness.click("largest first");
    harness.click("largest first");
    assert!(harness.app.overlay.is_none());
    let mut harness = at("what to copy");
    let cmds = harness.click("copy the address or");
    assert_eq!(copied(&cmds), Some("198.51.100.77"));
    let mut harness = at("the keys");
    harness.wheel_over("type to search");
    assert!(harness.app.overlay.is_some());
}

#[test]
fn questions_are_answered_by_keys_alone() {
    for name in [
        "a question",
        "leaving while a download runs",
        "a download that is stopped",
        "token and hosts",
        "a file that is there",
    ] {
        let mut harness = at(name);
        let scopes = harness.app.scopes();
        for row in (1..36).step_by(2) {
            for column in (0..120).step_by(11) {
                // A heading in the first row brings its tab to the front, unless there is an overlay.
                for _ in 0..2 {
                    let down = MouseEventKind::Down(MouseButton::Left);
                    assert_eq!(harness.mouse(down, column, row), [], "{name}");
                }
            }
        }
        assert_eq!(
            harness.app.scopes(),
            scopes,
            "{name}:\n{}",
            harness.screen()
        );
    }
}

#[test]
fn days_fields_and_values_are_clicked() {
    let mut harness = at("the calendar");
    harness.click(" 12 ");
    assert!(harness.screen().contains("[12]"), "{}", harness.screen());
    assert!(harness.screen().contains("1 query"));
    let mut harness = at("Export");
    harness.click("attributed");
    let before = line(&harness, "attributed");
    harness.click("attributed");
    assert_ne!(line(&harness, "attributed"), before, "it is switched");
    harness.click(" json ");
    assert!(
        line(&harness, "output").contains("< json >"),
        "it is chosen"
    );
    harness.click("[ ] tag ");
    let is_on = |harness: &Harness| harness.screen().contains("[x] tag ");
    assert!(!is_on(&harness));
    harness.click("[ ] tag ");
    assert!(is_on(&harness), "{}", harness.screen());
    harness.click("limit");
    harness.keys("77");
    assert!(
        line(&harness, "limit").contains("77"),
        "{}",
        harness.screen()
    );
    let mut harness = at("raw JSON");
    harness.click("▾ tunnels");
    let unfolded = harness.screen();
    harness.click("▾ tunnels");
    assert_ne!(harness.screen(), unfolded, "it is folded");
}

#[test]
fn nothing_is_clicked_where_nothing_is_seen_and_on_the_tour() {
    let mut harness = at("the browser");
    harness.screen_at(59, 15);
    assert_eq!(
        harness.mouse(MouseEventKind::Down(MouseButton::Left), 3, 3),
        []
    );
    let mut harness = places::at(&PLACES[0], SMALL);
    harness.keys(":tour<enter>");
    let before = harness.screen();
    for row in 0..24 {
        harness.mouse(MouseEventKind::Down(MouseButton::Left), 12, row);
    }
    assert_eq!(harness.screen(), before);
}

#[test]
fn a_key_that_the_footer_names_is_clicked() {
    let mut harness = at("a record");
    assert_eq!(harness.click("y copy"), []);
    assert_eq!(harness.app.scopes().first(), Some(&Scope::Yank));
    let mut harness = at("a record");
    assert!(spends(&harness.click("(1 query)")), "{}", harness.screen());
    let mut harness = at("a field");
    harness.click("esc leave");
    assert!(!is_in(&harness, "Typing an address"));
    // An overlay has its own keys, so the footer below is outside it.
    let mut harness = at("a question");
    let scopes = harness.app.scopes();
    for column in 0..120 {
        let down = MouseEventKind::Down(MouseButton::Left);
        assert_eq!(harness.mouse(down, column, 34), []);
    }
    assert_eq!(harness.app.scopes(), scopes);
}

#[test]
fn the_wheel_moves_the_form_of_an_export_where_it_has_no_room() {
    let place = PLACES.iter().find(|place| place.0 == "Export");
    let mut harness = places::at(place.expect("the form"), SMALL);
    assert!(
        !harness.screen().contains("diffDate"),
        "{}",
        harness.screen()
    );
    for _ in 0..4 {
        harness.wheel_over("Build");
    }
    let screen = harness.screen();
    assert!(
        screen.contains("diffDate") && !screen.contains("< anonymous >"),
        "{screen}"
    );
    harness.keys("<down>");
    assert!(
        line(&harness, "> output").contains("csv"),
        "keys go where they went"
    );
}
