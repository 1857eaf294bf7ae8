use super::*;
use crate::tui::test_terminal;

fn picker() -> Picker<char> {
    let item = |label: &str, detail: &str, key: &str, value| PickerItem {
        label: label.to_owned(),
        detail: detail.to_owned(),
        key: key.to_owned(),
        enabled: Ok(()),
        value,
    };
    let mut refresh = item("refresh", "Lookup", "R", 'r');
    refresh.enabled = Err("nothing is sent".into());
    Picker::new(vec![
        item("pin the address", "Trail", "p", 'p'),
        refresh,
        item("compare two dates", "Lookup", "c", 'c'),
        item("copy", "everywhere", "y", 'y'),
        item("theme Zürich", "change the colours", "", 't'),
    ])
}

fn searched(query: &str) -> Picker<char> {
    let mut picker = picker();
    picker.field().set(query);
    picker.refilter();
    picker
}

fn found(picker: &Picker<char>) -> String {
    let value = |hit: &PickerMatch| picker.items[hit.item].value;
    picker.hits.iter().map(value).collect()
}

fn shown(picker: &Picker<char>, width: u16, height: u16) -> String {
    test_terminal::shown(width, height, |frame| {
        picker.draw(frame, frame.area(), "Commands", &Theme::colourless());
    })
}

#[test]
fn a_few_letters_find_a_row() {
    for (query, values) in [
        ("", "prcyt"),
        ("   ", "prcyt"),
        ("copy", "y"),
        ("COPY", "y"),
        ("cdates", "c"),
        ("dates compare", "c"),
        ("lookup", "cr"),
        ("everywhere", "y"),
        ("o", "cytr"),
        ("zurich", "t"),
        ("zzz", ""),
    ] {
        assert_eq!(found(&searched(query)), values, "{query:?}");
    }
}

#[test]
fn the_best_row_is_selected_and_keys_move_on() {
    let chosen = |picker: &Picker<char>| picker.chosen().map(|item| item.value);
    let mut picker = picker();
    for (motion, value) in [
        (Motion::Up, 'p'),
        (Motion::Down, 'r'),
        (Motion::Last, 't'),
        (Motion::Down, 't'),
        (Motion::Up, 'y'),
    ] {
        picker.step(motion);
        assert_eq!(chosen(&picker), Some(value), "{motion:?}");
    }
    picker.field().set("lookup");
    picker.refilter();
    assert_eq!(chosen(&picker), Some('c'), "typing goes back to the best");
    picker.field().set("zzz");
    picker.refilter();
    picker.step(Motion::Down);
    assert_eq!(chosen(&picker), None);
    assert_eq!(picker.items().len(), 5);
}

#[test]
fn rows_show_key_label_and_detail_or_why_not() {
    let mut picker = picker();
    picker.step(Motion::Down);
    insta::assert_snapshot!(shown(&picker, 64, 9), @r"
    ┌ Commands ────────────────────────────────────────────────────┐
    │ / (type to search)                                    5 of 5 │
    │                                                              │
    │   p  pin the address                                   Trail │
    │ > R  refresh                        not now: nothing is sent │
    │   c  compare two dates                                Lookup │
    │   y  copy                                         everywhere │
    │      theme Zürich                         change the colours │
    └─────────────────────── enter choose  up/down move  esc close ┘
    ");
}

#[test]
fn without_room_details_give_way() {
    insta::assert_snapshot!(shown(&searched("o"), 30, 7), @r"
    ┌ Commands ──────────────────┐
    │ / o                 4 of 5 │
    │                            │
    │ > c  compare two dates     │
    │   y  copy                  │
    │      theme Zürich          │
    └─── enter choose  esc close ┘
    ");
}

#[test]
fn an_empty_result_says_so() {
    insta::assert_snapshot!(shown(&searched("zzz"), 48, 5), @r"
    ┌ Commands ────────────────────────────────────┐
    │ / zzz                                 0 of 5 │
    │                                              │
    │ nothing here matches what was typed          │
    └─────── enter choose  up/down move  esc close ┘
    ");
    let nothing: Picker<char> = Picker::new(Vec::new());
    insta::assert_snapshot!(shown(&nothing, 48, 5), @r"
    ┌ Commands ────────────────────────────────────┐
    │ / (type to search)                    0 of 0 │
    │                                              │
    │ there is nothing to choose from              │
    └─────── enter choose  up/down move  esc close ┘
    ");
}

#[test]
fn what_matched_is_underlined() {
    let theme = Theme::colourless();
    for (query, expected) in [("copy", "copy"), ("zurich", "Zrich"), ("Trail", "")] {
        let picker = searched(query);
        let spans = marked(
            &picker.items[picker.hits[0].item].label,
            &picker.hits[0].marks,
            &theme,
        );
        let matched: String = spans
            .iter()
            .filter(|span| span.style == theme.matched)
            .map(|span| span.content.as_ref())
            .collect();
        assert_eq!(matched, expected, "{query}");
    }
}

#[test]
fn labels_are_made_safe() {
    let mut picker = picker();
    picker.items[0].label = "\u{1b}[2J\u{202e}".to_owned();
    picker.refilter();
    let shown = shown(&picker, 60, 10);
    assert!(shown.contains(r"\x1b[2J\u{202e}"), "{shown}");
}

#[test]
fn it_takes_any_area() {
    let picker = searched("o");
    test_terminal::fits_any_area(|frame, area| {
        picker.draw(frame, area, "Commands", &Theme::terminal())
    });
}

#[test]
fn it_takes_the_room_that_its_rows_need_and_says_the_selected_one_whole() {
    let long = "the other geolocation, one query unless it is cached: that of the service or that of a third party";
    let item = |value: char| PickerItem {
        label: long.to_owned(),
        detail: "Lookup".to_owned(),
        key: value.to_string(),
        enabled: Ok(()),
        value,
    };
    let picker = Picker::new(('a'..='z').map(item).collect());
    let wide = shown(&picker, 200, 60);
    let last = wide.lines().find(|line| line.contains("  z "));
    let is_whole = last.is_some_and(|line| line.contains(long) && line.contains("Lookup"));
    assert!(is_whole, "{wide}");
    let narrow = shown(&picker, 80, 24);
    let flat = narrow.replace(['\u{2502}', '\n'], " ");
    let flat = flat.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains(long), "{narrow}");
}

#[test]
fn a_long_name_of_a_key_moves_its_own_row_alone() {
    let item = |key: &str, value| PickerItem {
        label: "change the colours".to_owned(),
        detail: String::new(),
        key: key.to_owned(),
        enabled: Ok(()),
        value,
    };
    let items = vec![item("R", 'r'), item(":theme high-contrast", 't')];
    let screen = shown(&Picker::new(items).with_key_room(9), 80, 24);
    assert!(screen.contains("> R  change the colours"), "{screen}");
    assert!(
        screen.contains("  :theme high-contrast  change the colours"),
        "{screen}"
    );
}
