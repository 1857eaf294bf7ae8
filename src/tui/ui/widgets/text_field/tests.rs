use proptest::prelude::*;

use super::*;
use crate::tui::test_terminal;

fn key(code: KeyCode, modifiers: KeyModifiers) -> KeyEvent {
    KeyEvent::new(code, modifiers)
}

fn typed(text: &str) -> TextField {
    let mut field = TextField::new("ip, CIDR or paste a log");
    for character in text.chars() {
        field.on_key(key(KeyCode::Char(character), KeyModifiers::NONE));
    }
    field
}

fn shown(field: &TextField, width: u16) -> String {
    test_terminal::shown(width, 1, |frame| draw(field, frame, frame.area()))
}

fn draw(field: &TextField, frame: &mut Frame<'_>, area: Rect) {
    field.draw(frame, area, &Theme::colourless(), Focus::Here);
}

#[test]
fn typing_inserts_at_the_cursor() {
    let mut field = typed("198.51.100.7");
    assert!(
        !field.on_key(key(KeyCode::Home, KeyModifiers::NONE)),
        "only the cursor moved"
    );
    assert!(field.on_key(key(KeyCode::Char('>'), KeyModifiers::SHIFT)));
    assert_eq!(field.value(), ">198.51.100.7");
    assert!(!field.on_key(key(KeyCode::Enter, KeyModifiers::NONE)));
    assert!(!field.on_key(key(KeyCode::Char('p'), KeyModifiers::CONTROL)));
    field.clear();
    assert!(field.is_empty());
}

#[test]
fn the_keys_of_a_shell_edit() {
    let ctrl = KeyModifiers::CONTROL;
    let alt = KeyModifiers::ALT;
    for (keys, expected) in [
        (vec![(KeyCode::Char('w'), ctrl)], "one two "),
        (vec![(KeyCode::Backspace, alt)], "one two "),
        (
            vec![(KeyCode::Char('a'), ctrl), (KeyCode::Char('k'), ctrl)],
            "",
        ),
        (
            vec![(KeyCode::Char('b'), alt), (KeyCode::Char('u'), ctrl)],
            "three",
        ),
        (
            vec![(KeyCode::Char('a'), ctrl), (KeyCode::Char('d'), alt)],
            "two three",
        ),
        (
            vec![(KeyCode::Char('a'), ctrl), (KeyCode::Char('d'), ctrl)],
            "ne two three",
        ),
        (
            vec![
                (KeyCode::Char('w'), ctrl),
                (KeyCode::Char('y'), ctrl),
                (KeyCode::Char('y'), ctrl),
            ],
            "one two threethree",
        ),
    ] {
        let mut field = typed("one two three");
        for (code, modifiers) in &keys {
            field.on_key(key(*code, *modifiers));
        }
        assert_eq!(field.value(), expected, "{keys:?}");
    }
}

#[test]
fn what_was_cut_replaces_a_selected_text() {
    let cut = key(KeyCode::Char('w'), KeyModifiers::CONTROL);
    let put_back = key(KeyCode::Char('y'), KeyModifiers::CONTROL);
    let mut field = typed("one two");
    field.select_all();
    assert!(!field.on_key(put_back), "nothing was cut");
    assert_eq!(field.value(), "one two");
    field.on_key(cut);
    field.select_all();
    assert!(field.on_key(put_back));
    assert_eq!((field.value(), field.is_selected()), ("two", false));
    assert!(field.on_key(put_back));
    assert_eq!(field.value(), "twotwo");
}

#[test]
fn a_paste_becomes_one_line() {
    let mut field = typed("<>");
    field.on_key(key(KeyCode::Left, KeyModifiers::NONE));
    assert!(field.paste("198.51.100.7\r\n203.0.113.9\t\u{1b}[2Jx\u{202e}\n\n"));
    assert_eq!(field.value(), "<198.51.100.7 203.0.113.9 [2Jx>");
    assert!(!field.paste("\n"), "nothing is left of it");
    field.on_key(key(KeyCode::Char('!'), KeyModifiers::NONE));
    assert_eq!(field.value(), "<198.51.100.7 203.0.113.9 [2Jx!>");
}

#[test]
fn a_pasted_log_is_cut_at_the_limit() {
    let mut field = TextField::default();
    assert!(field.paste(&"é".repeat(TextField::LONGEST)));
    assert_eq!(field.value().len(), TextField::LONGEST);
    assert!(!field.on_key(key(KeyCode::Char('a'), KeyModifiers::NONE)));
    assert!(!field.paste("a"));
}

#[test]
fn an_empty_field_shows_what_belongs_there() {
    let field = typed("");
    assert_eq!(shown(&field, 40), "(ip, CIDR or paste a log)");
    assert_eq!(shown(&field, 10), "(ip, CIDR…");
    let column = test_terminal::cursor(40, 1, |frame| draw(&field, frame, frame.area()));
    assert_eq!(column, Some(Position::new(0, 0)));
}

#[test]
fn the_cursor_shows_only_with_the_focus() {
    let field = typed("abc");
    let cursor = |focus| {
        test_terminal::cursor(9, 1, |frame| {
            field.draw(frame, frame.area(), &Theme::colourless(), focus);
        })
    };
    assert_eq!(cursor(Focus::Here), Some(Position::new(3, 0)));
    assert_eq!(cursor(Focus::Elsewhere), None);
}

#[test]
fn a_long_text_moves_in_steps_under_the_cursor() {
    let mut field = typed("0123456789abcdefghij");
    assert_eq!(shown(&field, 10), "…ghij");
    field.on_key(key(KeyCode::Home, KeyModifiers::NONE));
    assert_eq!(shown(&field, 10), "012345678…");
    for _ in 0..12 {
        field.on_key(key(KeyCode::Right, KeyModifiers::NONE));
    }
    assert_eq!(shown(&field, 10), "…6789abcd…");
}

#[test]
fn wide_letters_take_two_cells() {
    let field = typed("東京a");
    let column = test_terminal::cursor(9, 1, |frame| draw(&field, frame, frame.area()));
    assert_eq!(column, Some(Position::new(5, 0)));
}

#[test]
fn a_secret_is_never_shown() {
    let mut field = TextField::masked("token");
    field.paste("invented-token");
    assert_eq!(shown(&field, 20), "••••••••••••••");
    assert!(!format!("{field:?}").contains("invented"));
    assert_eq!(field.value(), "invented-token");
}

#[test]
fn any_area_will_do() {
    let field = typed("0123456789 東京東京 e\u{301}e\u{301} abcdefghijklmnopqrstuvwxyz");
    test_terminal::fits_any_area(|frame, area| draw(&field, frame, area));
}

proptest! {
    #[test]
    fn the_cursor_is_always_in_view(text in "[a-z東é]{0,40}", back in 0_usize..40, width in 1_u16..20) {
        let mut field = typed(&text);
        for _ in 0..back {
            field.on_key(key(KeyCode::Left, KeyModifiers::NONE));
        }
        let (line, column) = field.view(width, &Theme::colourless());
        prop_assert!(column < width);
        prop_assert!(cells::line_width(&line) <= width);
    }
}
