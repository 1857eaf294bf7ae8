use crossterm::event::KeyCode;

use super::*;
use crate::tui::test_terminal;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Id {
    Output,
    Header,
    Fields,
    Tags,
    Callback,
    Limit,
}

fn form() -> Form<Id> {
    let switches = [
        "ip",
        "tag",
        "infrastructure",
        "clientCount",
        "country",
        "city",
    ];
    let switches: Vec<Switch> = switches
        .iter()
        .enumerate()
        .map(|(at, label)| Switch {
            label: (*label).to_owned(),
            on: at < 3,
        })
        .collect();
    let mut tags = TextField::new("all");
    tags.set("ACME_VPN, CARGO");
    let mut form = Form::new()
        .field(
            Id::Output,
            "output",
            Control::choice(["csv", "json", "mmdb"]),
        )
        .field(Id::Header, "header", Control::Toggle(true))
        .field(Id::Fields, "fields", Control::Set { switches, at: 0 })
        .field(Id::Tags, "tags", Control::Text(tags))
        .field(Id::Callback, "callback", Control::Toggle(false))
        .field(Id::Limit, "limit", Control::Text(TextField::new("2000000")));
    form.remark(
        Id::Tags,
        Some(FieldNote::new(Tone::Warn, "CARGO is unknown: CARGO_VPN?")),
    );
    form.off(
        Id::Callback,
        Some("the feed is not anonymous-residential".to_owned()),
    );
    form
}

#[test]
fn the_wheel_moves_what_is_in_view_until_the_focus_moves() {
    let theme = Theme::colourless();
    let area = Rect::new(0, 0, 40, 4);
    let mut form = form();
    let first = |form: &Form<Id>| {
        let shown =
            test_terminal::shown(40, 4, |frame| form.draw(frame, area, &theme, Focus::Here));
        shown
            .lines()
            .next()
            .unwrap_or_default()
            .trim_end()
            .to_owned()
    };
    let top = first(&form);
    form.scroll(Motion::Up);
    assert_eq!(first(&form), top, "there is nothing above");
    for _ in 0..2 {
        form.scroll(Motion::Down);
        first(&form);
    }
    assert!(first(&form).starts_with("  fields"), "{}", first(&form));
    assert_eq!(form.focus(), Some(Id::Output), "keys go where they went");
    for _ in 0..50 {
        form.scroll(Motion::Down);
        first(&form);
    }
    let end = first(&form);
    form.scroll(Motion::Up);
    assert_ne!(first(&form), end, "the wheel does not go beyond the end");
    form.step(Motion::To(0));
    assert_ne!(first(&form), top, "a click moves nothing");
    form.focus_on(Id::Limit);
    form.next();
    assert_eq!(first(&form), top, "the field with the focus is in view");
}

fn press(form: &mut Form<Id>, code: KeyCode) -> bool {
    match code {
        KeyCode::Left => form.step(Motion::Left),
        KeyCode::Right => form.step(Motion::Right),
        _ => form.toggle(),
    }
}

fn draw(form: &Form<Id>, frame: &mut Frame<'_>, area: Rect) {
    form.draw(frame, area, &Theme::colourless(), Focus::Here);
}

fn shown(form: &Form<Id>, width: u16, height: u16) -> String {
    test_terminal::shown(width, height, |frame| draw(form, frame, frame.area()))
}

#[test]
fn names_and_values_are_aligned_and_remarks_stand_below() {
    insta::assert_snapshot!(shown(&form(), 58, 10), @r"
    > output    < csv >  json    mmdb
      header    [x]
      fields    [x] ip              [x] tag
                [x] infrastructure  [ ] clientCount
                [ ] country         [ ] city
      tags      ACME_VPN, CARGO
                ! CARGO is unknown: CARGO_VPN?
      callback  [ ]
                i the feed is not anonymous-residential
      limit     (2000000)
    ");
}

#[test]
fn a_narrow_form_shows_the_choice_and_wraps_the_set() {
    insta::assert_snapshot!(shown(&form(), 32, 13), @r"
    > output    < csv >
      header    [x]
      fields    [x] ip
                [x] tag
                [x] infrastructure
                [ ] clientCount
                [ ] country
                [ ] city
      tags      ACME_VPN, CARGO
                ! CARGO is unknown:
                  CARGO_VPN?
      callback  [ ]
                i the feed is not
    ");
}

#[test]
fn the_field_with_the_focus_is_in_view() {
    let mut form = form();
    form.focus_on(Id::Callback);
    insta::assert_snapshot!(shown(&form, 58, 4), @r"
                ! CARGO is unknown: CARGO_VPN?
    > callback  [ ]
                i the feed is not anonymous-residential
      limit     (2000000)
    ");
    form.step(Motion::First);
    insta::assert_snapshot!(shown(&form, 58, 2), @r"
    > output    < csv >  json    mmdb
      header    [x]
    ");
}

#[test]
fn of_a_field_that_is_too_large_the_line_that_is_worked_on_is_in_view() {
    let mut form = form();
    form.focus_on(Id::Fields);
    for _ in 0..4 {
        form.step(Motion::Right);
    }
    insta::assert_snapshot!(shown(&form, 32, 3), @r"
    [x] infrastructure
    [ ] clientCount
    [ ] country
    ");
}

#[test]
fn the_focus_moves_from_field_to_field() {
    let mut form = form();
    form.previous();
    assert_eq!(form.focus(), Some(Id::Limit));
    assert!(form.is_typing());
    form.next();
    assert_eq!(form.focus(), Some(Id::Output));
    form.step(Motion::Up);
    assert_eq!(form.focus(), Some(Id::Output), "arrows stop at the ends");
    form.step(Motion::Down);
    assert_eq!(form.focus(), Some(Id::Header));
    form.step(Motion::Last);
    assert_eq!(form.focus(), Some(Id::Limit));
}

#[test]
fn each_control_has_its_keys() {
    let mut form = form();
    assert!(press(&mut form, KeyCode::Right));
    assert_eq!(form.value(Id::Output), "json");
    assert!(press(&mut form, KeyCode::Right));
    assert!(
        !press(&mut form, KeyCode::Right),
        "it stops at the last option"
    );
    assert!(press(&mut form, KeyCode::Char(' ')), "and Space goes round");
    assert_eq!(form.value(Id::Output), "csv");

    form.focus_on(Id::Header);
    assert!(press(&mut form, KeyCode::Char(' ')));
    assert_eq!(form.value(Id::Header), "");

    form.focus_on(Id::Fields);
    assert!(!press(&mut form, KeyCode::Right), "moving changes nothing");
    assert!(press(&mut form, KeyCode::Char(' ')));
    assert_eq!(form.value(Id::Fields), "ip, infrastructure");

    form.focus_on(Id::Tags);
    assert!(!press(&mut form, KeyCode::Char(' ')), "a text is typed");
}

#[test]
fn values_can_be_set_and_asked_for() {
    let mut form = form();
    for (id, value) in [
        (Id::Output, "json"),
        (Id::Header, ""),
        (Id::Header, "true"),
        (Id::Fields, "tag, city"),
        (Id::Tags, "ACME_VPN"),
    ] {
        form.set(id, value);
        assert_eq!(form.value(id), value);
    }
    form.set(Id::Output, "of another form");
    assert_eq!(form.value(Id::Output), "csv");
    form.focus_on(Id::Fields);
    press(&mut form, KeyCode::Right);
    form.offer(Id::Fields, ["network", "tag"].into_iter());
    press(&mut form, KeyCode::Char(' '));
    assert_eq!(form.value(Id::Fields), "tag", "the same one is switched");
}

#[test]
fn any_area_will_do() {
    for id in [Id::Output, Id::Fields, Id::Limit] {
        let mut form = form();
        form.focus_on(id);
        test_terminal::fits_any_area(|frame, area| draw(&form, frame, area));
    }
    let empty = Form::<Id>::new();
    test_terminal::fits_any_area(|frame, area| draw(&empty, frame, area));
}
