use proptest::{prelude::*, sample::select};
use serde_json::json;

use super::*;
use crate::tui::{test_terminal, ui::Theme};

const HEIGHT: usize = 8;

fn document() -> Value {
    serde_json::from_str(
        r#"{
            "ip": "198.51.100.77",
            "tunnels": [
                {"operator": "ACME_VPN", "anonymous": true, "entry": null},
                {"operator": "BRAVO_PROXY", "anonymous": false}
            ],
            "client": {"count": 14, "spread": 1.50, "types": []},
            "a.b c": "\u001b[2J"
        }"#,
    )
    .expect("a document")
}

/// More values than are unfolded at first, three levels of them.
fn large() -> Value {
    let rows: Vec<_> = (0..40)
        .map(|count| json!({"count": count, "at": [count]}))
        .collect();
    json!({"first": rows, "last": {"one": {"two": 3}}})
}

fn tree() -> JsonTree {
    let tree = JsonTree::new(document());
    let _ = tree.cursor.window(tree.rows.len(), HEIGHT);
    tree
}

fn at(path: &str) -> JsonTree {
    let mut tree = tree();
    while tree.selected_path() != path {
        let before = tree.cursor.clone();
        tree.step(Motion::Down);
        assert_ne!(tree.cursor, before, "{path} is in the document");
    }
    tree
}

fn shown(tree: &JsonTree, width: u16, height: u16) -> String {
    test_terminal::shown(width, height, |frame| {
        tree.draw(frame, frame.area(), &Theme::colourless(), Focus::Here);
    })
}

#[test]
fn a_small_document_is_unfolded() {
    insta::assert_snapshot!(shown(&tree(), 40, 16), @r#"
    >   ip: "198.51.100.77"
      ▾ tunnels
        ▾ 0
            operator: "ACME_VPN"
            anonymous: true
            entry: null
        ▾ 1
            operator: "BRAVO_PROXY"
            anonymous: false
      ▾ client
          count: 14
          spread: 1.50
          types: []
        a.b c: "\u001b[2J"
    "#);
}

#[test]
fn a_large_document_is_unfolded_for_two_levels() {
    let mut tree = JsonTree::new(large());
    tree.step(Motion::Last);
    insta::assert_snapshot!(shown(&tree, 24, 6), @r"
        ▸ 36: {2}
        ▸ 37: {2}
        ▸ 38: {2}
        ▸ 39: {2}
      ▾ last
    >   ▸ one: {1}
    ");
}

#[test]
fn long_values_are_cut_and_long_lists_scroll() {
    insta::assert_snapshot!(shown(&at("client.spread"), 20, 5), @r#"
      ▾ client
          count: 14
    >     spread: 1.50
          types: []
        a.b c: "\u001b[…
    "#);
}

#[test]
fn a_document_without_members_is_one_row() {
    for (document, row) in [
        (json!({}), "> {}"),
        (json!([]), "> []"),
        (json!("one\ntwo"), r#"> "one\ntwo""#),
        (Value::Null, "> null"),
    ] {
        let mut tree = JsonTree::new(document.clone());
        for motion in [Motion::Left, Motion::Right, Motion::Down] {
            tree.step(motion);
            tree.toggle();
        }
        assert_eq!(shown(&tree, 20, 1).replace(">   ", "> "), row);
        assert_eq!(tree.selected_value(), &document);
        assert_eq!(tree.selected_path(), "");
    }
}

#[test]
fn paths_lead_to_values() {
    for (path, value) in [
        ("ip", json!("198.51.100.77")),
        (
            "tunnels[1]",
            json!({"operator": "BRAVO_PROXY", "anonymous": false}),
        ),
        ("tunnels[0].operator", json!("ACME_VPN")),
        ("client.types", json!([])),
        (r#"["a.b c"]"#, json!("\u{1b}[2J")),
    ] {
        assert_eq!(at(path).selected_value(), &value, "{path}");
    }
    assert_eq!(
        at("client.spread").selected_value().to_string(),
        "1.50",
        "numbers are as they were spelt"
    );
}

#[test]
fn left_and_right_fold_and_unfold() {
    use Motion::{Left, Right};
    for (start, motions, end, rows) in [
        ("tunnels[0].operator", &[Left][..], "tunnels[0]", 14),
        ("tunnels[0].operator", &[Left, Left], "tunnels[0]", 11),
        ("tunnels[0].operator", &[Left, Left, Left], "tunnels", 11),
        ("tunnels", &[Left], "tunnels", 7),
        ("tunnels", &[Left, Left], "tunnels", 7),
        ("tunnels", &[Left, Right], "tunnels", 14),
        ("tunnels", &[Right], "tunnels[0]", 14),
        ("ip", &[Left], "ip", 14),
        ("ip", &[Right], "ip", 14),
    ] {
        let mut tree = at(start);
        for &motion in motions {
            tree.step(motion);
        }
        let state = (tree.selected_path(), tree.rows.len());
        assert_eq!(state, (end.to_owned(), rows), "{motions:?} from {start}");
    }
}

#[test]
fn what_is_folded_shows_how_much_is_in_it() {
    let mut tree = at("tunnels[0].operator");
    tree.fold_all();
    assert_eq!(tree.selected_path(), "tunnels");
    insta::assert_snapshot!(shown(&tree, 24, 4), @r#"
        ip: "198.51.100.77"
    > ▸ tunnels: [2]
      ▸ client: {3}
        a.b c: "\u001b[2J"
    "#);
    tree.toggle();
    assert_eq!(tree.rows.len(), 6, "what is in it stays folded");
    tree.unfold_all();
    assert_eq!(tree.rows.len(), 14);
}

#[test]
fn a_search_unfolds_what_is_around_its_matches() {
    let mut tree = tree();
    tree.fold_all();
    for (text, matches, path) in [
        ("oper", Some("1 of 2"), "tunnels[0].operator"),
        ("PROXY", Some("1 of 1"), "tunnels[1].operator"),
        ("operator", Some("2 of 2"), "tunnels[1].operator"),
        ("1.5", Some("1 of 1"), "client.spread"),
        ("ip", Some("1 of 1"), "ip"),
        ("null", Some("1 of 1"), "tunnels[0].entry"),
        ("[0]", Some("no match"), "tunnels[0].entry"),
        ("", None, "tunnels[0].entry"),
    ] {
        tree.search(text);
        assert_eq!(tree.matches().as_deref(), matches, "{text}");
        assert_eq!(tree.selected_path(), path, "{text}");
    }
}

#[test]
fn matches_are_walked_in_a_circle() {
    let mut tree = tree();
    tree.next_match();
    assert_eq!(tree.selected_path(), "ip", "nothing is searched for");
    tree.search("operator");
    assert_eq!(tree.matches().as_deref(), Some("1 of 2"));
    tree.next_match();
    assert_eq!(tree.selected_path(), "tunnels[1].operator");
    tree.next_match();
    assert_eq!(tree.selected_path(), "tunnels[0].operator");
    tree.previous_match();
    assert_eq!(tree.matches().as_deref(), Some("2 of 2"));
    tree.fold_all();
    assert_eq!(tree.matches().as_deref(), Some("2 matches"));
    tree.next_match();
    assert_eq!(
        tree.selected_path(),
        "tunnels[0].operator",
        "what was folded away is unfolded again"
    );
}

#[test]
fn a_match_is_found_whatever_its_case() {
    for (text, needle, found) in [
        ("ACME_VPN", "vpn", Some(5..8)),
        ("Zürich", "ü", Some(1..3)),
        ("ZÜRICH", "üri", Some(1..5)),
        ("İstanbul", "stan", Some(2..6)),
        ("aab", "ab", Some(1..3)),
        ("ab", "abc", None),
        ("", "a", None),
    ] {
        assert_eq!(find(text, needle), found, "{needle} in {text}");
    }
}

#[test]
fn what_was_searched_for_is_underlined() {
    let mut tree = tree();
    tree.search("vpn");
    let theme = Theme::colourless();
    let buffer = test_terminal::buffer(40, 12, |frame| {
        tree.draw(frame, frame.area(), &theme, Focus::Elsewhere);
    });
    let underlined: String = buffer
        .content
        .iter()
        .filter(|cell| cell.modifier.intersects(theme.matched.add_modifier))
        .map(ratatui::buffer::Cell::symbol)
        .collect();
    assert_eq!(underlined, "VPN");
}

#[test]
fn it_takes_any_area() {
    let mut tree = JsonTree::new(large());
    tree.search("count");
    test_terminal::fits_any_area(|frame, area| {
        tree.draw(frame, area, &Theme::terminal(), Focus::Here);
    });
}

proptest! {
    #[test]
    fn rows_follow_from_what_is_unfolded(
        steps in prop::collection::vec((0_usize..9, 0_usize..12), 0..40),
        needle in select(vec!["", "count", "o", "3", "zzz"]),
    ) {
        let mut tree = JsonTree::new(large());
        for (action, height) in steps {
            let _ = tree.cursor.window(tree.rows.len(), height);
            match action {
                0 => tree.fold_all(),
                1 => tree.unfold_all(),
                2 => tree.search(needle),
                3 => tree.next_match(),
                4 => tree.previous_match(),
                5 => tree.toggle(),
                6 => tree.step(Motion::Left),
                7 => tree.step(Motion::Right),
                _ => tree.step(Motion::PageDown),
            }
            prop_assert_eq!(&tree.rows, &tree.unfolded());
            prop_assert!(tree.cursor.index() < tree.rows.len());
        }
    }
}
