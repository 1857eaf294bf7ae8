//! Snapshots of every place without Unicode and for a screen reader.

use ratatui::layout::Position;

use super::{
    msg::Msg,
    prices::{
        LARGE, SMALL,
        places::{self, PLACES, PricedPlace},
    },
    registry::TabId,
    view,
};
use crate::tui::{
    ctx::Cmd,
    harness::Harness,
    test_terminal,
    ui::{Look, Shade, SymbolSet, Theme},
};

/// Runs a check on every place on a small and a large screen with this look, each size on a thread.
fn each_place(look: Look, check: impl Fn(&PricedPlace, &Harness) + Sync) {
    let (look, check) = (&look, &check);
    std::thread::scope(|threads| {
        for size in [SMALL, LARGE] {
            threads.spawn(move || {
                for place in PLACES {
                    let mut harness = places::at(place, size);
                    put_on(&mut harness, *look);
                    check(place, &harness);
                }
            });
        }
    });
}

fn put_on(harness: &mut Harness, look: Look) {
    harness.app.look = look;
    harness.app.theme = look.colours();
    harness.shown = harness.screen();
}

fn read_aloud() -> Look {
    Look {
        screen_reader: true,
        ..Look::default()
    }
}

fn cursor_of(harness: &Harness) -> Option<Position> {
    let size = harness.app.size;
    test_terminal::cursor(size.width, size.height, |frame| {
        view::draw(frame, &harness.app, harness.now);
    })
}

/// All invented data is ASCII, so any other symbol is drawn by the program.
#[test]
fn no_place_draws_a_symbol_beyond_ascii_where_there_are_none() {
    let spelling = SymbolSet::Ascii;
    let look = Look {
        spelling,
        ..Look::default()
    };
    each_place(look, |(name, ..), harness| {
        let beyond = harness.shown.lines().find(|line| !line.is_ascii());
        assert_eq!(beyond, None, "{name}:\n{}", harness.shown);
    });
}

#[test]
fn no_place_that_is_read_aloud_draws_lines_or_marks() {
    each_place(read_aloud(), |(name, ..), harness| {
        let drawing = |letter: char| ('\u{2500}'..='\u{259f}').contains(&letter);
        assert!(
            !harness.shown.contains(drawing),
            "{name}:\n{}",
            harness.shown
        );
        let size = harness.app.size;
        let buffer = test_terminal::buffer(size.width, size.height, |frame| {
            view::draw(frame, &harness.app, harness.now);
        });
        let marks = Theme::MARK | Theme::TYPED;
        let marked = |cell: &ratatui::buffer::Cell| cell.modifier.intersects(marks);
        assert!(!buffer.content.iter().any(marked), "{name}: a mark is left");
    });
}

#[test]
fn the_selected_row_is_named_in_a_line_and_has_the_cursor() {
    for name in [
        "a local record",
        "local feeds",
        "the browser",
        "a counted form",
        "a table",
        "the order of feeds",
        "the trail",
    ] {
        let place = PLACES.iter().find(|(text, ..)| *text == name).expect(name);
        let mut harness = places::at(place, LARGE);
        put_on(&mut harness, read_aloud());
        let screen = &harness.shown;
        let named = screen.lines().find_map(|line| {
            let (_, text) = line.split_once("selected: ")?;
            text.split([',', ' ']).next()
        });
        let first = named.unwrap_or_else(|| panic!("{name}: nothing is named\n{screen}"));
        assert!(!first.is_empty(), "{name}:\n{screen}");
        let cursor = cursor_of(&harness).unwrap_or_else(|| panic!("{name}: no cursor\n{screen}"));
        let row = screen.lines().nth(cursor.y.into()).unwrap_or_default();
        assert!(
            row.contains(first),
            "{name}: {cursor} is not at {first}\n{screen}"
        );
    }
}

#[test]
fn what_lies_over_something_is_read_alone_and_a_day_by_its_name() {
    let place = PLACES.iter().find(|(name, ..)| *name == "the calendar");
    let mut harness = places::at(place.expect("a place"), LARGE);
    put_on(&mut harness, read_aloud());
    let screen = &harness.shown;
    assert!(
        screen.contains("selected: Thursday, 19 November 2026"),
        "{screen}"
    );
    assert!(!screen.contains("Pivot"), "{screen}");
    harness.keys("<esc>?");
    let screen = harness.screen();
    let named = screen.lines().find(|line| line.contains("selected: "));
    let named = named.unwrap_or_else(|| panic!("{screen}"));
    assert!(!named.contains("close"), "{screen}");
}

#[test]
fn a_text_keeps_the_cursor_and_the_line_below_names_the_row() {
    let place = PLACES.iter().find(|(name, ..)| *name == "the commands");
    let mut harness = places::at(place.expect("a place"), LARGE);
    put_on(&mut harness, read_aloud());
    let screen = &harness.shown;
    assert!(screen.contains("selected: "), "{screen}");
    let cursor = cursor_of(&harness).expect("a cursor");
    let row = screen.lines().nth(cursor.y.into()).unwrap_or_default();
    assert!(row.contains("type to search"), "{cursor}\n{screen}");
}

#[test]
fn menus_are_numbered_and_a_number_chooses() {
    let place = PLACES
        .iter()
        .find(|(name, ..)| *name == "the order of feeds");
    let mut harness = places::at(place.expect("a place"), LARGE);
    put_on(&mut harness, read_aloud());
    assert!(harness.shown.contains("2 "), "{}", harness.shown);
    harness.keys("9");
    assert!(harness.app.overlay.is_some(), "there are fewer rows");
    harness.keys("2");
    assert!(harness.app.overlay.is_none(), "{}", harness.screen());
    // In a list with search, a digit is a choice as long as no text is typed.
    harness.keys("?");
    harness.types("j1");
    assert!(harness.app.overlay.is_some());
    harness.keys("<esc>:1");
    assert!(
        harness.screen().contains("/ lookup"),
        "{}",
        harness.screen()
    );
}

#[test]
fn what_is_read_aloud_changes_with_what_happens_alone() {
    let place = PLACES.iter().find(|(name, ..)| *name == "the trail");
    let mut harness = places::at(place.expect("a place"), LARGE);
    harness.pass(60);
    harness.shown = harness.screen();
    assert!(
        harness.app.wakes_at(harness.now).is_some(),
        "an age is in view"
    );
    put_on(&mut harness, read_aloud());
    assert_eq!(harness.app.wakes_at(harness.now), None);
}

#[test]
fn the_terminal_says_what_ground_it_has() {
    let mut harness = Harness::on(TabId::Quota).0;
    assert_eq!(harness.keys(":"), []);
    harness.types("theme auto");
    assert_eq!(harness.keys("<enter>"), [Cmd::AskGround]);
    assert_eq!(harness.app.theme, Theme::terminal());
    harness.tell(Msg::Ground(Shade::Light));
    let light = Theme::named("light", None, false).expect("a theme");
    assert_eq!(harness.app.theme, light);
    harness.keys(":");
    harness.types("theme dark");
    assert_eq!(harness.keys("<enter>"), []);
    harness.keys(":");
    harness.types("theme auto");
    assert_eq!(harness.keys("<enter>"), [], "it is known");
    assert_eq!(harness.app.theme, light);
}
