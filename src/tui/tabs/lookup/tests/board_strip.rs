//! The events of the rows by time above the table: a span of it is a filter.

use super::*;

/// Three hours of a night: most of the events come from an exit of a VPN, between three and four.
fn night() -> String {
    let at = |hour: u32, minute: u32, address: &str| {
        format!("2026-11-20T{hour:02}:{minute:02}:00Z user=u{minute} src={address}\n")
    };
    let quiet = (0..60).step_by(20).flat_map(|minute| {
        [2, 4].map(|hour| at(hour, minute, &format!("198.51.100.{}", hour + 7)))
    });
    let loud = (0..30).map(|minute| at(3, minute, "198.51.100.77"));
    let mut lines: Vec<String> = quiet.chain(loud).collect();
    lines.sort();
    lines.concat()
}

fn table(width: u16, height: u16) -> Harness {
    let mut harness = explorer(width, height);
    harness.sources.local = local("20261120");
    harness.tell(Msg::Paste(night()));
    harness
}

fn filter(harness: &Harness) -> &str {
    let board = harness.app.tabs.lookup.open_table();
    board.expect("the table").list.filter()
}

#[test]
fn events_are_above_the_table_and_the_times_with_most_of_them_stand_out() {
    let mut harness = table(119, 36);
    let screen = harness.screen();
    for told in [
        "2026-11-20T02:00..04:44Z",
        "36 events",
        "36 by VPN, proxy, Tor",
        "03:00",
        "a bar: 5 minutes",
    ] {
        assert!(screen.contains(told), "{told}\n{screen}");
    }
    insta::assert_snapshot!("board_strip_wide", screen);
    insta::assert_snapshot!("board_strip_narrow", harness.screen_at(80, 24));
    assert_eq!(harness.asked, [], "nothing is asked of the service");
    harness.draws_at_any_size();
    // The whole screen is for the rows.
    harness.keys("Z");
    assert!(!harness.screen_at(119, 36).contains("a bar:"));
}

#[test]
fn a_span_of_it_is_a_filter_and_has_all_of_the_strip_then() {
    let mut harness = table(119, 36);
    harness.keys("<tab>");
    assert!(
        harness.screen().contains("2026-11-20T03:00..03:04Z"),
        "{}",
        harness.screen()
    );
    harness.keys(" <right><enter>");
    assert_eq!(filter(&harness), "time:2026-11-20T03:00..03:09");
    let screen = harness.screen();
    assert!(screen.contains("1 of 3 addresses"), "{screen}");
    // Each bar has a minute now.
    assert!(screen.contains("a bar: 1 minute"), "{screen}");
    insta::assert_snapshot!("board_strip_span", screen);
    harness.keys("<enter>");
    assert_eq!(filter(&harness), "time:2026-11-20T03:00");
    harness.keys("<esc>");
    assert_eq!(filter(&harness), "");
    harness.keys("<esc>");
    let screen = harness.screen();
    assert!(
        screen.contains("02:00..04:44Z"),
        "back to the rows\n{screen}"
    );
    harness.keys("<enter>");
    assert!(harness.screen().contains("198.51.100.77"));
}

/// What is typed is the same filter, beside others.
#[test]
fn a_time_is_typed_and_goes_with_other_terms() {
    let mut harness = table(119, 36);
    harness.keys("/user:u0 time:2026-11-20T02..03<enter>");
    let screen = harness.screen();
    assert!(screen.contains("2 of 3 addresses"), "{screen}");
    assert!(screen.contains("a bar:"), "{screen}");
    harness.keys("<tab>G<enter>");
    assert_eq!(filter(&harness), "user:u0 time:2026-11-20T03:28..03:29");
    harness.keys("/<ctrl-u>time:2026-11-21<enter><tab>");
    let screen = harness.screen();
    assert!(
        screen.contains("no event of these rows is in this time"),
        "{screen}"
    );
    harness.keys("<enter>");
    assert_eq!(
        filter(&harness),
        "time:2026-11-21",
        "there is no time to choose"
    );
    harness.keys("<esc>");
    assert_eq!(filter(&harness), "");
}

#[test]
fn a_text_without_times_has_no_strip_and_tab_stays_in_the_table() {
    let mut harness = explorer(119, 36);
    harness.tell(Msg::Paste("198.51.100.77 and 198.51.100.9\n".to_owned()));
    assert!(!harness.screen().contains("a bar:"));
    harness.keys("<tab><enter>");
    assert!(!harness.app.tabs.lookup.is_in_times());
    assert!(harness.screen().contains("198.51.100.77"));
}

#[test]
fn the_mouse_moves_the_focus_to_the_times() {
    let mut harness = table(119, 36);
    harness.click("a bar:");
    assert!(harness.app.tabs.lookup.is_in_times());
    harness.keys("<down>");
    assert!(!harness.app.tabs.lookup.is_in_times());
}

#[test]
fn the_cursor_is_where_events_are_whatever_the_filter() {
    let mut harness = table(119, 36);
    harness.keys("<tab><left><left><esc>/-time:2026-11-20T03<enter><tab>");
    let screen = harness.screen();
    assert!(screen.contains("2026-11-20T02:00..02:0"), "{screen}");
    harness.keys("<enter>");
    assert!(!harness.screen().contains("no event of these rows"));
    // Without the span the cursor is where it was.
    harness.keys("<esc>");
    assert!(
        harness.screen().contains("2026-11-20T02:00..02:0"),
        "{}",
        harness.screen()
    );
}

/// While a filter is typed the strip is of the rows that are shown.
#[test]
fn the_strip_follows_what_is_typed() {
    let mut harness = table(119, 36);
    harness.keys("/time:2026-11-20T03");
    let screen = harness.screen();
    assert!(screen.contains("30 events"), "{screen}");
}

/// Months without a year would be taken for those of one.
#[test]
fn years_are_named_below_a_strip_of_several() {
    let mut harness = explorer(119, 36);
    harness.sources.local = local("20261120");
    let line = |month: i64| {
        let at = harness::now() - jiff::SignedDuration::from_hours(24 * 37 * month);
        format!("{at} deny 198.51.100.77 198.51.100.9\n")
    };
    let text: String = (0..60).map(line).collect();
    harness.tell(Msg::Paste(text));
    let screen = harness.screen();
    let axis = screen.lines().find(|line| line.contains("2022-"));
    assert!(axis.is_some_and(|line| line.contains("2024-")), "{screen}");
    harness.draws_at_any_size();
}
