use std::borrow::Cow;

use ratatui::{layout::Rect, text::Line};

use super::*;
use crate::tui::{
    ctx::{
        ViewCtx,
        list::columns::{RowPlace, Value},
    },
    harness::{self, Harness},
    test_terminal,
    ui::{Focus, Pane, Spots, Width},
};

#[derive(Debug)]
struct Host {
    name: String,
    owner: &'static str,
    queries: Option<u64>,
    is_last: bool,
}

impl ListRow for Host {
    type Key = String;

    const NOUN: &'static str = "host";

    const FILTER: &'static str = "letters of a host";

    fn key(&self) -> &String {
        &self.name
    }
}

impl HeldRow for Host {
    const SORTED_BY: usize = 2;

    const COLUMNS: &'static [ColumnSpec<Self>] = &[
        ColumnSpec::text("host", "HOST", Width::Fill(6), |row: &Self| {
            row.name.as_str().into()
        })
        .up_to(12),
        ColumnSpec::text("owner", "OWNER", Width::Min(5), |row: &Self| {
            row.owner.into()
        })
        .rank(1),
        ColumnSpec::number("queries", "N", Width::Min(3), |row: &Self| {
            Value::from(row.queries)
        })
        .shown(|row: &Self| format!("{}!", row.queries.unwrap_or_default())),
    ];

    fn text(&self) -> Cow<'_, str> {
        format!("{} {}", self.name, self.owner).into()
    }

    fn group(&self) -> u8 {
        self.is_last.into()
    }
}

fn host(name: &str, owner: &'static str, queries: Option<u64>) -> Host {
    Host {
        name: name.to_owned(),
        owner,
        queries,
        is_last: false,
    }
}

fn out() -> Outbox {
    Outbox::new(harness::now())
}

/// By queries: `c`, `a`, `b`, `z`.
fn hosts() -> List<HeldRows<Host>> {
    let mut list = List::default();
    list.fill(vec![
        host("b", "Delta", None),
        host("a", "Carl", Some(7)),
        host("c", "", Some(1200)),
        Host {
            is_last: true,
            ..host("z", "Bert", Some(9000))
        },
        host("a", "a second one of this name", Some(1)),
    ]);
    list
}

fn names(list: &List<HeldRows<Host>>) -> String {
    list.rows().keys(0..list.rows().len()).concat()
}

fn filter(list: &mut List<HeldRows<Host>>, text: &str) {
    list.on(Gesture::Find, &mut out());
    list.field().expect("the filter").set(text);
    list.typed();
}

fn shown(list: &List<HeldRows<Host>>) -> String {
    let harness = Harness::new(40, 12);
    test_terminal::shown(36, 9, |frame| {
        let spots = Spots::default();
        let ctx = ViewCtx {
            spots: &spots,
            ..harness.app.view(harness.now)
        };
        let pane = Pane::new("Hosts", Focus::Here).hint(list.hints(BarLine::new()).line(32));
        let area = Rect::new(0, 0, 36, 9);
        list.draw_in(frame, area, pane, Line::raw("below"), &ctx);
    })
}

#[test]
fn order_menu_and_message_follow_from_the_columns() {
    let mut list = hosts();
    assert_eq!(names(&list), "cabz");
    for (order, is_reversed, expected, said) in [
        (2, true, "acbz", "sorted by queries, fewest first"),
        (1, false, "abcz", "sorted by owner, ascending"),
        (1, true, "bacz", "sorted by owner, descending"),
        (0, true, "cbaz", "sorted by host, descending"),
    ] {
        let mut out = out();
        list.sort(order, is_reversed, &mut out);
        assert_eq!(names(&list), expected, "{said}");
        assert_eq!(out.notices, [(Tone::Info, said.to_owned())]);
    }
    let orders = list.orders();
    assert_eq!(orders.present, Some((0, true)));
    let titles: Vec<&str> = orders.rows.iter().map(|row| row.title.as_str()).collect();
    assert_eq!(titles, ["host", "owner", "queries"]);
    list.hide("owner", true);
    assert!(!list.orders().rows[1].is_shown);
}

#[test]
fn the_selection_stays_on_its_row_and_a_filter_selects_one_that_is_left() {
    let mut list = hosts();
    let mut out = out();
    assert_eq!(list.selected().map(String::as_str), Some("c"));
    list.on(Gesture::Go(Motion::Down), &mut out);
    list.sort(0, false, &mut out);
    assert_eq!(
        (list.selected().map(String::as_str), list.position()),
        (Some("a"), Some(0))
    );
    filter(&mut list, "bert");
    assert_eq!(
        (names(&list).as_str(), list.selected().map(String::as_str)),
        ("z", Some("z"))
    );
    list.on(Gesture::Escape, &mut out);
    assert!(!list.is_typing() && !list.is_filtered());
    assert_eq!(names(&list), "abcz");
    list.select("gone".to_owned());
    assert_eq!((list.position(), list.range()), (None, None));
    list.keep_in_view();
    assert_eq!(list.position(), Some(0));
}

#[test]
fn rows_with_the_filter_in_their_key_come_first() {
    let mut list = hosts();
    filter(&mut list, "b");
    assert_eq!(names(&list), "bz");
    filter(&mut list, "nothing");
    assert_eq!(names(&list), "");
    assert!(shown(&list).contains("no match; esc shows all"));
}

#[test]
fn marks_outlive_a_filter_and_are_copied_from_the_columns() {
    let mut list = hosts();
    let mut out = out();
    list.on(Gesture::Mark, &mut out);
    list.on(Gesture::Go(Motion::Down), &mut out);
    list.on(Gesture::MarkRange, &mut out);
    list.on(Gesture::Go(Motion::Down), &mut out);
    assert_eq!(list.range(), Some(1..3));
    list.on(Gesture::Mark, &mut out);
    assert_eq!(
        (list.chosen().concat().as_str(), list.range()),
        ("abc", None)
    );
    filter(&mut list, "bert");
    list.on(Gesture::Open, &mut out);
    list.on(Gesture::InvertMarks, &mut out);
    assert_eq!(list.chosen().concat(), "abcz");
    list.on(Gesture::Undo, &mut out);
    assert!(list.copy(Yank::Row, |_| None, &mut out));
    assert!(!list.copy(Yank::Json, |_| None, &mut out), "no document");
    let rows = "host,owner,queries\na,Carl,7\nb,Delta,\nc,,1200";
    let copied = crate::tui::ctx::cmd::Cmd::Copy("3 marked hosts".to_owned(), rows.to_owned());
    let cmds: Vec<_> = out
        .cmds
        .iter()
        .map(|cmd| format!("{cmd:?}").replace("\\r", ""))
        .collect();
    assert_eq!(cmds, [format!("{copied:?}")]);
}

#[test]
fn without_rows_a_gesture_that_needs_one_is_known() {
    let mut list: List<HeldRows<Host>> = List::default();
    for gesture in [Gesture::Mark, Gesture::Open, Gesture::Sort, Gesture::Find] {
        assert!(list.lacks_row_for(gesture), "{gesture:?}");
    }
    assert!(!list.lacks_row_for(Gesture::Escape));
    list.on(Gesture::Mark, &mut out());
    list.on(Gesture::Go(Motion::Down), &mut out());
    assert_eq!((list.selected(), list.chosen().len()), (None, 0));
    list.select("x".to_owned());
    assert!(!list.lacks_row_for(Gesture::Open));
}

/// Ten million rows, of which a few are in memory.
#[derive(Debug, Default)]
struct WindowedHosts {
    first: usize,
    window: Vec<Host>,
}

impl WindowedHosts {
    const LEN: usize = 10_000_000;

    fn load(&mut self, first: usize) {
        let rows = first..Self::LEN.min(first + 9);
        let rows = rows.map(|at| host(&format!("{at:07}"), "Carl", Some(at as u64)));
        (self.first, self.window) = (first, rows.collect());
    }
}

impl Rows for WindowedHosts {
    type Row = Host;

    fn columns(&self) -> &[ColumnSpec<Host>] {
        Host::COLUMNS
    }

    fn len(&self) -> usize {
        Self::LEN
    }

    fn row(&self, at: usize) -> Option<&Host> {
        self.window.get(at.checked_sub(self.first)?)
    }

    fn position(&self, key: &String) -> Option<usize> {
        key.parse().ok()
    }
}

#[test]
fn a_jump_to_a_row_that_is_not_in_memory_is_a_jump() {
    let mut list: List<WindowedHosts> = List::default();
    let mut out = out();
    list.on(Gesture::Go(Motion::Last), &mut out);
    assert_eq!(list.position(), Some(WindowedHosts::LEN - 1));
    list.on(Gesture::Go(Motion::Up), &mut out);
    assert_eq!(list.position(), Some(WindowedHosts::LEN - 2));
    assert_eq!(list.selected(), None, "it is still to come");
    assert!(list.rows.row(0).is_none() && list.chosen().is_empty());
    list.rows.load(WindowedHosts::LEN - 9);
    assert_eq!(list.selected().map(String::as_str), Some("9999998"));
    list.on(Gesture::Mark, &mut out);
    list.rows.load(0);
    assert_eq!(list.marks().iter().collect::<Vec<_>>(), ["9999998"]);
    assert_eq!(list.position(), Some(WindowedHosts::LEN - 2));
}

#[test]
fn screen() {
    let mut list = hosts();
    list.on(Gesture::Mark, &mut out());
    list.on(Gesture::Go(Motion::Down), &mut out());
    insta::assert_snapshot!(shown(&list), @r"
    ┌ Hosts ───────────────────────────┐
    │     HOST            OWNER    N v │
    │   * c               -      1200! │
    │ >   a               Carl      7! │
    │     b               Delta      - │
    │     z               Bert   9000! │
    │                                  │
    │ below                            │
    └────────────────────── s < > sort ┘
    ");
}

#[test]
fn places_compare_as_the_values_of_a_column_do() {
    let mut dice = fastrand::Rng::with_seed(38);
    let any = |dice: &mut fastrand::Rng, kind: usize| match kind {
        _ if dice.u8(..6) == 0 => Value::Unknown,
        0 => Value::Count(dice.u64(..) >> dice.u32(..64)),
        1 => Value::Number(f64::from_bits(dice.u64(..))),
        2 => Value::Number(f64::from(dice.i8(..))),
        3 => Value::Place(dice.u128(..) >> dice.u32(..128)),
        _ => {
            let at = jiff::Timestamp::from_second(dice.i64(-9_999..9_999)).expect("a time");
            if kind == 4 {
                Value::Time(at)
            } else {
                Value::Since(at.into())
            }
        }
    };
    for round in 0..20_000 {
        let (kind, is_reversed) = (round % 6, dice.bool());
        let [(one, group), (other, other_group)] =
            [(); 2].map(|()| (any(&mut dice, kind), dice.u8(..2)));
        let place = |group, value| RowPlace::of(group, value, is_reversed).expect("no text");
        let by_value = group
            .cmp(&other_group)
            .then_with(|| one.order(&other, is_reversed));
        let by_place = place(group, &one).cmp(&place(other_group, &other));
        assert_eq!(by_place, by_value, "{one:?} {other:?} {is_reversed}");
    }
    assert_eq!(RowPlace::of(0, &Value::Text("a".into()), false), None);
}

#[test]
fn rows_that_change_are_where_they_would_be_in_a_new_list() {
    const OWNERS: [&str; 4] = ["", "Bert", "Carl", "Delta"];
    let mut dice = fastrand::Rng::with_seed(37);
    let any = |dice: &mut fastrand::Rng, at: u32| Host {
        is_last: dice.u8(..5) == 0,
        ..host(
            &format!("h{at:03}"),
            OWNERS[dice.usize(..4)],
            dice.bool().then(|| dice.u64(..9)),
        )
    };
    for round in 0..200 {
        let number = dice.u32(1..60);
        let mut list = List::default();
        let orders = ["host", "owner", "queries"];
        list.sort_by(orders[round % 3], dice.bool());
        list.fill((0..number).map(|at| any(&mut dice, at)).collect());
        for _ in 0..4 {
            let changes: Vec<(String, Host)> = (0..dice.u32(..20))
                .map(|_| {
                    let at = dice.u32(..number);
                    let host = any(&mut dice, at);
                    (host.name.clone(), host)
                })
                .collect();
            list.edit(changes, |row, host| *row = host);
            let moved = names(&list);
            list.arrange();
            assert_eq!(moved, names(&list), "{round}");
        }
    }
}
