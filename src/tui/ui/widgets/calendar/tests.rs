use proptest::prelude::*;

use super::*;
use crate::tui::test_terminal;

fn date(text: &str) -> Day {
    text.parse().expect(text)
}

/// At this day, on 20 November 2026, a Friday.
fn calendar(start: &str) -> Calendar {
    let known = vec![date("20261120"), date("20261109"), date("20261001")];
    let mut calendar = Calendar::new(date(start), date("20261120"), known);
    calendar.mark_local(vec![date("20261109"), date("20261118")]);
    calendar
}

fn shown(calendar: &Calendar, width: u16, height: u16) -> String {
    test_terminal::shown(width, height, |frame| {
        let theme = Theme::colourless();
        calendar.draw(frame, frame.area(), &theme, "Day of lookups", price());
    })
}

fn price() -> Line<'static> {
    Line::raw("enter live: 1 query")
}

#[test]
fn a_month_with_its_signs_and_the_day_in_words() {
    insta::assert_snapshot!(shown(&calendar("20261110"), 68, 15), @r"
    ┌ Day of lookups ────────────────────────────────────────────────┐
    │ (type -7d, yesterday or 2026-10-01)                            │
    │                                                                │
    │                          November 2026                         │
    │                   Mo  Tu  We  Th  Fr  Sa  Su                   │
    │                                            1                   │
    │                    2   3   4   5   6   7   8                   │
    │                    9+[10] 11  12  13  14  15                   │
    │                   16  17  18+ 19  20*  ·   ·                   │
    │                    ·   ·   ·   ·   ·   ·   ·                   │
    │                    ·                                           │
    │ * shown before   + local                                       │
    │ Tuesday, 10 November 2026, 10 days ago                         │
    │ enter live: 1 query                                            │
    └ enter choose  arrows move  pgup/pgdn month  t today  esc close ┘
    ");
}

#[test]
fn a_month_of_six_weeks_fits() {
    insta::assert_snapshot!(shown(&calendar("20260831"), 68, 15), @r"
    ┌ Day of lookups ────────────────────────────────────────────────┐
    │ (type -7d, yesterday or 2026-10-01)                            │
    │                                                                │
    │                           August 2026                          │
    │                   Mo  Tu  We  Th  Fr  Sa  Su                   │
    │                                        1   2                   │
    │                    3   4   5   6   7   8   9                   │
    │                   10  11  12  13  14  15  16                   │
    │                   17  18  19  20  21  22  23                   │
    │                   24  25  26  27  28  29  30                   │
    │                  [31]                                          │
    │ * shown before   + local                                       │
    │ Monday, 31 August 2026, 81 days ago                            │
    │ enter live: 1 query                                            │
    └ enter choose  arrows move  pgup/pgdn month  t today  esc close ┘
    ");
}

#[test]
fn a_saturday_has_both_brackets() {
    let shown = shown(&calendar("20261114"), 68, 15);
    assert!(shown.contains("13 [14]"), "{shown}");
}

#[test]
fn brackets_hide_no_sign() {
    for (selected, expected) in [
        ("20261118", "17 [18+]19"),
        ("20261119", "18+[19] 20*"),
        ("20261120", "19 [20*]"),
    ] {
        let shown = shown(&calendar(selected), 68, 15);
        assert!(shown.contains(expected), "{expected}\n{shown}");
    }
}

#[test]
fn without_room_for_a_month_the_words_stay() {
    insta::assert_snapshot!(shown(&calendar("20261119"), 44, 5), @r"
    ┌ Day of lookups ──────────────────────────┐
    │ (type -7d, yesterday or 2026-10-01)      │
    │ Thursday, 19 November 2026, yesterday    │
    │ enter live: 1 query                      │
    └──── enter choose  arrows move  esc close ┘
    ");
}

#[test]
fn each_motion_moves_as_far_as_it_says() {
    for (start, motion, end) in [
        ("20261101", Motion::Left, "20261031"),
        ("20261031", Motion::Right, "20261101"),
        ("20261103", Motion::Up, "20261027"),
        ("20261027", Motion::Down, "20261103"),
        ("20261031", Motion::PageUp, "20260930"),
        ("20240331", Motion::PageUp, "20240229"),
        ("20260930", Motion::PageDown, "20261030"),
        ("20261001", Motion::Last, "20261031"),
        ("20261031", Motion::First, "20261001"),
        ("20261001", Motion::HalfUp, "20261001"),
        ("20261120", Motion::Right, "20261120"),
        ("20261118", Motion::Down, "20261120"),
        ("20261030", Motion::PageDown, "20261120"),
        ("20261105", Motion::Last, "20261120"),
        ("20270101", Motion::HalfUp, "20261120"),
    ] {
        let mut calendar = calendar(start);
        calendar.step(motion);
        assert_eq!(calendar.chosen(), Ok(date(end)), "{motion:?} from {start}");
    }
}

#[test]
fn typing_selects_a_day() {
    let no_day = || Err("not a day: write 2026-10-01, -7d, yesterday or today".to_owned());
    for (typed, chosen, selected) in [
        ("", Ok("20261110"), "20261110"),
        ("-30", Ok("20261021"), "20261021"),
        (" -1 ", Ok("20261119"), "20261119"),
        ("-0", Ok("20261120"), "20261120"),
        ("-7d", Ok("20261113"), "20261113"),
        ("yesterday", Ok("20261119"), "20261119"),
        ("t", Ok("20261120"), "20261120"),
        ("20261001", Ok("20261001"), "20261001"),
        ("2026-10-01", Ok("20261001"), "20261001"),
        ("-", no_day(), "20261110"),
        ("--3", no_day(), "20261110"),
        ("-99999", no_day(), "20261110"),
        ("2026-1", no_day(), "20261110"),
        ("20261131", no_day(), "20261110"),
        (
            "20261121",
            Err("2026-11-21 is in the future".to_owned()),
            "20261110",
        ),
    ] {
        let mut calendar = calendar("20261110");
        calendar.field().set(typed);
        calendar.typed();
        assert_eq!(calendar.chosen(), chosen.map(date), "{typed}");
        assert_eq!(calendar.selected, date(selected), "{typed}");
    }
}

#[test]
fn a_move_takes_the_place_of_what_was_typed() {
    let mut calendar = calendar("20261110");
    calendar.field().set("-30");
    calendar.typed();
    calendar.step(Motion::Left);
    assert!(calendar.field().is_empty());
    assert_eq!(calendar.chosen(), Ok(date("20261020")));
    calendar.field().set("never");
    calendar.select(date("20991231"));
    assert_eq!(calendar.chosen(), Ok(date("20261120")));
}

#[test]
fn what_is_no_day_says_so() {
    let mut calendar = calendar("20261110");
    calendar.field().set("20261");
    calendar.typed();
    let shown = shown(&calendar, 68, 15);
    assert!(shown.contains("not a day: write 2026-10-01"), "{shown}");
}

#[test]
fn it_takes_any_area() {
    let calendar = calendar("20261110");
    test_terminal::fits_any_area(|frame, area| {
        calendar.draw(frame, area, &Theme::terminal(), "Day of lookups", price());
    });
}

proptest! {
    #[test]
    fn any_month_can_be_drawn(year in -9999_i16..=9999, month in 1_i8..=12, number in 1_i8..=28) {
        let start = Day::new(year, month, number).expect("a day");
        let last = Day::new(9999, 12, 31).expect("a day");
        let calendar = Calendar::new(start, last, vec![start]);
        let shown = shown(&calendar, 68, 15);
        let selected = format!("[{number:2}*]");
        prop_assert!(shown.contains(&selected), "{shown}");
    }
}
