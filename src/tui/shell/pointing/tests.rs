//! Clicks and the wheel in tables, pages, forms and overlays.

use super::*;
use crate::{
    contract::{Feed, LookupQuery},
    tui::{
        ctx::{cmd::Cmd, destination::Destination},
        harness::{Harness, copied, questions},
        shell::{
            prices::{
                LARGE, SMALL, is_paid,
                places::{self, PLACES},
            },
            registry::TabId,
        },
    },
};

/// The explorer in one of the places.
fn at(name: &str) -> Harness {
    let place = PLACES.iter().find(|place| place.0 == name);
    places::at(place.unwrap_or_else(|| panic!("no place {name}")), LARGE)
}

/// The screen line with this text.
fn line(stage: &Harness, text: &str) -> String {
    let screen = stage.screen();
    let line = screen.lines().find(|line| line.contains(text));
    line.unwrap_or_else(|| panic!("no {text:?} on\n{screen}"))
        .to_owned()
}

fn is_in(stage: &Harness, scope: &str) -> bool {
    stage.app.scopes().iter().any(|own| own.title() == scope)
}

fn spends(cmds: &[Cmd]) -> bool {
    questions(cmds).iter().any(is_paid)
}

#[test]
fn a_click_selects_a_row_and_a_second_one_opens_it() {
    let mut stage = at("the browser");
    assert_eq!(stage.click("198.51.100.5 "), []);
    assert!(line(&stage, "198.51.100.5 ").contains("> 198.51.100.5 "));
    assert_eq!(stage.app.tab, TabId::Feeds);
    stage.click("198.51.100.7 ");
    assert!(line(&stage, "198.51.100.7 ").contains("> 198.51.100.7 "));
    let cmds = stage.click("198.51.100.7 ");
    assert_eq!(stage.app.tab, TabId::Lookup);
    assert!(!spends(&cmds), "{cmds:?}");
    assert_eq!(stage.app.clicked, None, "one more click opens nothing");
}

#[test]
fn a_row_that_is_selected_takes_two_clicks_all_the_same() {
    let mut stage = at("the browser");
    stage.click("198.51.100.0 ");
    assert_eq!(stage.app.tab, TabId::Feeds, "the first click opens nothing");
    stage.keys("<down><up>");
    stage.click("198.51.100.0 ");
    assert_eq!(stage.app.tab, TabId::Feeds, "a key came in between");
    stage.click("198.51.100.0 ");
    assert_eq!(stage.app.tab, TabId::Lookup);
}

#[test]
fn what_costs_a_query_says_so_before_the_second_click() {
    let mut stage = at("an exit of a local record");
    stage.keys("<up><up>");
    assert!(!spends(&stage.click("198.51.100.78")));
    let screen = stage.screen();
    assert!(screen.contains("1 query"), "{screen}");
    let mut stage = at("the browser of a stale feed");
    stage.click("198.51.100.7 ");
    assert!(
        !spends(&stage.click("198.51.100.7 ")),
        "the price comes first"
    );
    assert!(stage.screen().contains("1 query"), "{}", stage.screen());
}

#[test]
fn a_row_at_the_edge_stays_below_the_pointer() {
    let mut stage = at("the browser");
    let rows: Vec<String> = (0..100).map(|row| format!("198.51.100.{row} ")).collect();
    let screen = stage.screen();
    let last = rows.iter().rposition(|row| screen.contains(row.as_str()));
    let last = &rows[last.expect("a row")];
    stage.click(last);
    assert!(
        stage.screen().contains(rows[0].as_str()),
        "{}",
        stage.screen()
    );
    stage.click(last);
    assert_eq!(stage.app.tab, TabId::Lookup);
}

#[test]
fn a_click_on_the_head_of_a_column_sorts_by_it_and_again_turns_it_round() {
    let mut stage = at("the browser");
    stage.click("ADDRESS");
    places::answer_all(&mut stage, places::PricedWorld::Local);
    assert!(
        line(&stage, "Records").contains("by address"),
        "{}",
        stage.screen()
    );
    stage.click("ADDRESS");
    places::answer_all(&mut stage, places::PricedWorld::Local);
    let title = line(&stage, "Records");
    assert!(title.contains("by address, descending"), "{title}");
    let mut stage = at("local feeds");
    stage.click("FEED ");
    assert!(stage.screen().contains("FEED ^"), "{}", stage.screen());
    stage.click("FEED ^");
    assert!(stage.screen().contains("FEED v"), "{}", stage.screen());
    let mut stage = at("a table of local records");
    stage.click("CLIENTS");
    assert!(stage.screen().contains("by clients"), "{}", stage.screen());
    stage.click("CLIENTS");
    assert!(stage.screen().contains("by clients, reversed"));
    let mut stage = at("the rows of a file");
    stage.click("tag ");
    let asked = stage.screen();
    assert!(
        asked.contains("sorting") || asked.contains("tag ^"),
        "{asked}"
    );
}

#[test]
fn a_click_brings_the_focus_to_a_pane_and_the_wheel_does_not() {
    let mut stage = at("a record");
    for address in ["198.51.100.1", "198.51.100.2", "198.51.100.3"] {
        let address = address.parse().expect("an address");
        stage.go(Destination::AtHand(LookupQuery::now(address)));
    }
    assert!(!is_in(&stage, "Trail"));
    stage.wheel_over("Trail");
    assert!(!is_in(&stage, "Trail"), "the focus stays");
    stage.keys("t");
    stage.keys("<enter>");
    let title = line(&stage, "Trail");
    assert!(
        title.contains("198.51.100.77"),
        "the trail has moved: {title}"
    );
    stage.click("Trail");
    assert!(is_in(&stage, "Trail"));
    stage.mouse(MouseEventKind::Down(MouseButton::Left), 5, 1);
    assert!(is_in(&stage, "Typing an address"));
}

#[test]
fn the_wheel_over_a_table_moves_it_beside_other_panes() {
    let mut stage = at("local feeds");
    stage.keys("<tab>");
    stage.wheel_over("RELEASE");
    let fourth = Feed::all().nth(3).expect("a feed").name();
    assert!(line(&stage, &format!("> {fourth}")).contains(fourth));
    let before = stage.screen();
    stage.mouse(MouseEventKind::ScrollDown, 3, 35);
    stage.mouse(MouseEventKind::ScrollUp, 900, 900);
    assert_eq!(stage.screen(), before, "there is no pane");
}

#[test]
fn the_wheel_leaves_what_is_typed_as_it_is() {
    let mut stage = at("a record");
    stage.keys("i203.0.113.9");
    stage.wheel_over("Trail");
    stage.wheel_over("203.0.113.9");
    assert!(stage.screen().contains("203.0.113.9"), "{}", stage.screen());
    assert!(is_in(&stage, "Typing an address"));
    let mut stage = at("the browser");
    stage.keys("/cc:NL<enter>/cc:DE");
    stage.wheel_over("ADDRESS");
    assert!(stage.screen().contains("cc:DE"), "{}", stage.screen());
}

#[test]
fn what_lies_over_everything_is_clicked_and_a_click_beside_closes_what_holds_no_text() {
    let mut stage = at("the commands");
    stage.click(":lookup");
    assert!(stage.app.overlay.is_some(), "one click runs nothing");
    stage.mouse(MouseEventKind::Down(MouseButton::Left), 0, 34);
    assert!(stage.app.overlay.is_none());
    let mut stage = at("a command");
    stage.mouse(MouseEventKind::Down(MouseButton::Left), 0, 34);
    assert!(
        stage.screen().contains("198.51.100.9"),
        "{}",
        stage.screen()
    );
    let mut stage = at("the order of feeds");
    stage.click("largest first");
    stage.click("largest first");
    assert!(stage.app.overlay.is_none());
    let mut stage = at("what to copy");
    let cmds = stage.click("copy the address or");
    assert_eq!(copied(&cmds), Some("198.51.100.77"));
    let mut stage = at("the keys");
    stage.wheel_over("type to search");
    assert!(stage.app.overlay.is_some());
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
        let mut stage = at(name);
        let scopes = stage.app.scopes();
        for row in (1..36).step_by(2) {
            for column in (0..120).step_by(11) {
                // A heading in the first row brings its tab to the front, unless there is an overlay.
                for _ in 0..2 {
                    let down = MouseEventKind::Down(MouseButton::Left);
                    assert_eq!(stage.mouse(down, column, row), [], "{name}");
                }
            }
        }
        assert_eq!(stage.app.scopes(), scopes, "{name}:\n{}", stage.screen());
    }
}

#[test]
fn days_fields_and_values_are_clicked() {
    let mut stage = at("the calendar");
    stage.click(" 12 ");
    assert!(stage.screen().contains("[12]"), "{}", stage.screen());
    assert!(stage.screen().contains("1 query"));
    let mut stage = at("Export");
    stage.click("attributed");
    let before = line(&stage, "attributed");
    stage.click("attributed");
    assert_ne!(line(&stage, "attributed"), before, "it is switched");
    stage.click(" json ");
    assert!(line(&stage, "output").contains("< json >"), "it is chosen");
    stage.click("[ ] tag ");
    let is_on = |stage: &Harness| stage.screen().contains("[x] tag ");
    assert!(!is_on(&stage));
    stage.click("[ ] tag ");
    assert!(is_on(&stage), "{}", stage.screen());
    stage.click("limit");
    stage.keys("77");
    assert!(line(&stage, "limit").contains("77"), "{}", stage.screen());
    let mut stage = at("raw JSON");
    stage.click("▾ tunnels");
    let unfolded = stage.screen();
    stage.click("▾ tunnels");
    assert_ne!(stage.screen(), unfolded, "it is folded");
}

#[test]
fn nothing_is_clicked_where_nothing_is_seen_and_on_the_tour() {
    let mut stage = at("the browser");
    stage.screen_at(59, 15);
    assert_eq!(
        stage.mouse(MouseEventKind::Down(MouseButton::Left), 3, 3),
        []
    );
    let mut stage = places::at(&PLACES[0], SMALL);
    stage.keys(":tour<enter>");
    let before = stage.screen();
    for row in 0..24 {
        stage.mouse(MouseEventKind::Down(MouseButton::Left), 12, row);
    }
    assert_eq!(stage.screen(), before);
}

#[test]
fn a_key_that_the_footer_names_is_clicked() {
    let mut stage = at("a record");
    assert_eq!(stage.click("y copy"), []);
    assert_eq!(stage.app.scopes().first(), Some(&Scope::Yank));
    let mut stage = at("a record");
    assert!(spends(&stage.click("(1 query)")), "{}", stage.screen());
    let mut stage = at("a field");
    stage.click("esc leave");
    assert!(!is_in(&stage, "Typing an address"));
    // An overlay has its own keys, so the footer below is outside it.
    let mut stage = at("a question");
    let scopes = stage.app.scopes();
    for column in 0..120 {
        let down = MouseEventKind::Down(MouseButton::Left);
        assert_eq!(stage.mouse(down, column, 34), []);
    }
    assert_eq!(stage.app.scopes(), scopes);
}

#[test]
fn the_wheel_moves_the_form_of_an_export_where_it_has_no_room() {
    let place = PLACES.iter().find(|place| place.0 == "Export");
    let mut stage = places::at(place.expect("the form"), SMALL);
    assert!(!stage.screen().contains("diffDate"), "{}", stage.screen());
    for _ in 0..4 {
        stage.wheel_over("Build");
    }
    let screen = stage.screen();
    assert!(
        screen.contains("diffDate") && !screen.contains("< anonymous >"),
        "{screen}"
    );
    stage.keys("<down>");
    assert!(
        line(&stage, "> output").contains("csv"),
        "keys go where they went"
    );
}
