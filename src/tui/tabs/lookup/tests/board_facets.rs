//! The values of fields beside the table.

use super::*;
use crate::{investigation::board::BoardField, tui::ui::widgets::facets::FacetLine};

/// Three addresses of an operator, one that is not public, and the users who signed in from them.
const SIGN_INS: &str = "time,user,result,address\n\
    2026-11-20T03:58:07Z,alice,ok,198.51.100.77\n\
    2026-11-20T04:10:00Z,alice,ok,198.51.100.77\n\
    2026-11-20T04:11:00Z,carol,denied,198.51.100.77\n\
    2026-11-20T05:00:00Z,bob,ok,198.51.100.9\n\
    2026-11-20T05:30:00Z,bob,ok,198.51.100.10\n\
    2026-11-21T05:00:00Z,bob,denied,10.0.0.5\n";

/// The table of the text with its values beside it.
fn facets(width: u16, height: u16) -> Harness {
    let mut harness = explorer(width, height);
    harness.sources.local = local("20261120");
    harness.tell(Msg::Paste(SIGN_INS.to_owned()));
    harness.keys("f");
    harness
}

/// The values of a field with their counts, as they are listed.
fn values(harness: &Harness, field: &BoardField) -> Vec<(String, Option<u64>)> {
    let board = harness.app.tabs.lookup.open_table().expect("the table");
    let lines = board.facet_lines().iter().filter_map(FacetLine::value);
    let own = lines.filter(|value| value.field == *field);
    own.map(|value| (value.name.clone(), value.count)).collect()
}

fn filter(harness: &Harness) -> &str {
    let board = harness.app.tabs.lookup.open_table();
    board.expect("the table").list.filter()
}

/// The values of the column `user` by hand, among rows of which the test holds.
fn users(holds: impl Fn(&[&str]) -> bool) -> Vec<(String, Option<u64>)> {
    let mut counts: std::collections::BTreeMap<&str, std::collections::BTreeSet<&str>> =
        std::collections::BTreeMap::new();
    for line in SIGN_INS.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        if holds(&cells) {
            counts.entry(cells[1]).or_default().insert(cells[3]);
        }
    }
    let mut counts: Vec<_> = counts
        .into_iter()
        .map(|(name, of)| (name.to_owned(), Some(of.len() as u64)))
        .collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

fn column(name: &str) -> BoardField {
    BoardField::Column(name.to_owned())
}

#[test]
fn values_are_counted_over_the_rows_of_the_rest_of_the_filter() {
    let mut harness = facets(120, 36);
    assert_eq!(values(&harness, &column("user")), users(|_| true));
    let of_rows = |number| Some(number);
    let is = [("hosting", 3), ("proxy", 3), ("vpn", 3), ("not-public", 1)];
    let is = is.map(|(name, number)| (name.to_owned(), of_rows(number)));
    let mut found = values(&harness, &BoardField::Is);
    found.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), name.clone()));
    assert_eq!(found, is);
    harness.keys("/is:vpn<enter>");
    assert_eq!(
        values(&harness, &column("user")),
        users(|cells| cells[3] != "10.0.0.5")
    );
    assert_eq!(values(&harness, &BoardField::Is).len(), 4, "{found:?}");
    harness.keys("<esc>/-user:bob<enter>");
    assert_eq!(
        values(&harness, &column("user")),
        users(|cells| cells[1] != "bob")
    );
    harness.keys("<esc>/user:bob result:denied<enter>");
    let denied = ["198.51.100.77", "10.0.0.5"];
    let expected = users(|cells| denied.contains(&cells[3]));
    let mut found = values(&harness, &column("user"));
    found.sort();
    let mut expected: Vec<_> = expected.into_iter().collect();
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn values_are_chosen_collected_and_removed() {
    let mut harness = facets(120, 36);
    insta::assert_snapshot!("facets_wide", harness.screen());
    insta::assert_snapshot!("facets_narrow", harness.screen_at(80, 24));
    harness.screen_at(120, 36);
    harness.keys("G");
    assert_eq!(filter(&harness), "");
    // The results are the last column.
    harness.keys("<enter>");
    assert_eq!(filter(&harness), "result:denied");
    assert_eq!(shown(&harness), 2);
    harness.keys("<up> ");
    assert_eq!(filter(&harness), "result:denied,ok");
    insta::assert_snapshot!("facets_chosen", harness.screen());
    harness.keys("<enter>");
    assert_eq!(filter(&harness), "result:ok", "it alone");
    harness.keys("<enter>");
    assert_eq!(filter(&harness), "", "once more removes it");
    // Words that were typed stay.
    harness.keys("/is:vpn \"al\" <enter>f ");
    assert_eq!(filter(&harness), "is:vpn \"al\" result:ok");
    harness.keys(" ");
    assert_eq!(filter(&harness), "is:vpn \"al\"");
    assert_eq!(harness.asked, [], "all of it is free");
    harness.draws_at_any_size();
}

fn shown(harness: &Harness) -> usize {
    let board = harness.app.tabs.lookup.open_table();
    board.expect("the table").len()
}

#[test]
fn the_focus_is_in_the_values_or_in_the_rows() {
    let mut harness = facets(120, 36);
    let is_in = |harness: &mut Harness| harness.screen().contains("enter only this");
    assert!(is_in(&mut harness), "{}", harness.screen());
    harness.keys("V");
    assert_eq!(
        harness.notice(),
        "a value is selected: esc leads back to the rows"
    );
    let copied = harness.keys("yv");
    assert_eq!(harness::copied(&copied), Some("hosting"));
    harness.keys("<esc>");
    assert!(!is_in(&mut harness));
    assert!(harness.screen().contains("Facets"), "they stay");
    harness.keys("<tab>");
    assert!(is_in(&mut harness));
    harness.keys("<left>");
    assert!(!is_in(&mut harness));
    harness.keys("ff");
    assert!(!harness.screen().contains("Facets"));
    harness.keys("f/is:vnp<enter>f<enter>");
    assert_eq!(harness.notice(), "there is no value to filter by");
    assert_eq!(filter(&harness), "is:vnp");
}
