use proptest::{prelude::*, sample::select};
use ratatui::layout::Size;

use super::*;
use crate::tui::{
    test_terminal,
    ui::{
        cursor::Motion::{self, Down, First, HalfDown, Last, Left, PageDown, PageUp, Right, Up},
        widgets::columns::{Column, Width},
    },
};

/// An invented record, with rows for the cursor.
fn record() -> Page<'static> {
    let cells = |texts: [&'static str; 4]| PageRow::cells(texts.map(Line::from).to_vec());
    Page::new()
        .with(Section::new("", SectionSide::Both).row(PageRow::text(
            "! anonymising  VPN exit of ACME_VPN; callback proxy WIDGET_PROXY present",
        )))
        .with(
            Section::new("Network", SectionSide::Left)
                .row(PageRow::field("AS", "64500  Example Hosting BV").anchor(1))
                .row(PageRow::field("org", "Example Hosting customer 12"))
                .row(PageRow::field(
                    "services",
                    "OPENVPN IPSEC WIREGUARD SOFTETHER SSTP",
                ))
                .row(PageRow::field("location", "Amsterdam, NH, NL").anchor(2)),
        )
        .with(
            Section::new("Clients", SectionSide::Right)
                .row(PageRow::field("count", "14 a day"))
                .row(PageRow::field("proxies", "WIDGET_PROXY").anchor(3))
                .row(PageRow::field("", "GADGET_PROXY").anchor(4)),
        )
        .with(Section::new("Risks", SectionSide::Both).row(PageRow::text("TUNNEL  CALLBACK_PROXY")))
        .with(
            Section::new("Tunnels", SectionSide::Both)
                .columns(vec![
                    Column::new("TYPE", Width::Fixed(5)),
                    Column::new("OPERATOR", Width::Min(8)),
                    Column::new("ENTRIES", Width::Fill(12)).rank(1),
                    Column::new("EXITS", Width::Fill(12)).rank(2),
                ])
                .row(
                    cells([
                        "VPN",
                        "ACME_VPN",
                        "198.51.100.70 (+2)",
                        "198.51.100.77 (+14)",
                    ])
                    .anchor(5),
                )
                .row(cells(["PROXY", "(unattributed)", "-", "-"]).anchor(6)),
        )
        .with(Section::new("Nothing here", SectionSide::Both))
}

fn standing_on(anchor: u16) -> PageState {
    let state = PageState::default();
    state.focus_on(anchor);
    state
}

fn shown(state: &PageState, width: u16, height: u16) -> String {
    test_terminal::shown(width, height, |frame| {
        let theme = Theme::colourless();
        record().draw(frame, frame.area(), state, &theme, Focus::Here);
    })
}

#[test]
fn two_columns_where_there_is_room() {
    insta::assert_snapshot!(shown(&standing_on(5), 86, 17), @r"
      ! anonymising  VPN exit of ACME_VPN; callback proxy WIDGET_PROXY present

    Network ──────────────────────────────────  Clients ──────────────────────────────────
      AS        64500  Example Hosting BV         count     14 a day
      org       Example Hosting customer 12       proxies   WIDGET_PROXY
      services  OPENVPN IPSEC WIREGUARD                     GADGET_PROXY
                SOFTETHER SSTP
      location  Amsterdam, NH, NL

    Risks ────────────────────────────────────────────────────────────────────────────────
      TUNNEL  CALLBACK_PROXY

    Tunnels ──────────────────────────────────────────────────────────────────────────────
      TYPE   OPERATOR        ENTRIES                        EXITS
    > VPN    ACME_VPN        198.51.100.70 (+2)             198.51.100.77 (+14)
      PROXY  (unattributed)  -                              -
    ");
}

#[test]
fn one_column_where_there_is_none() {
    insta::assert_snapshot!(shown(&standing_on(3), 44, 24), @r"
      ! anonymising  VPN exit of ACME_VPN;
      callback proxy WIDGET_PROXY present

    Network ────────────────────────────────────
      AS        64500  Example Hosting BV
      org       Example Hosting customer 12
      services  OPENVPN IPSEC WIREGUARD
                SOFTETHER SSTP
      location  Amsterdam, NH, NL

    Clients ────────────────────────────────────
      count     14 a day
    > proxies   WIDGET_PROXY
                GADGET_PROXY

    Risks ──────────────────────────────────────
      TUNNEL  CALLBACK_PROXY

    Tunnels ────────────────────────────────────
      TYPE   OPERATOR        ENTRIES
      VPN    ACME_VPN        198.51.100.70 (+2)
      PROXY  (unattributed)  -
    ");
}

#[test]
fn a_short_window_keeps_the_focus_in_view() {
    insta::assert_snapshot!(shown(&standing_on(6), 44, 5), @r"
    Tunnels ────────────────────────────────────
      TYPE   OPERATOR        ENTRIES
      VPN    ACME_VPN        198.51.100.70 (+2)
    > PROXY  (unattributed)  -
    ");
}

const WIDE: Size = Size::new(86, 30);
const SHORT: Size = Size::new(60, 6);

/// A move on the record as it was drawn at this size.
fn step(state: &mut PageState, motion: Motion, size: Size) -> bool {
    lines(state, size);
    state.step(motion)
}

/// The lines of the record that are in view at this size.
fn lines(state: &PageState, size: Size) -> Range<usize> {
    let theme = Theme::colourless();
    let layout = PageLayout::of(record(), size.width, &theme);
    state.see(layout.spots, layout.height, size.height)
}

/// The anchors that the cursor visits, move by move.
fn walk(state: &mut PageState, size: Size, motions: &[Motion]) -> Vec<Option<u16>> {
    motions
        .iter()
        .map(|&motion| {
            step(state, motion, size);
            state.focus()
        })
        .collect()
}

#[test]
fn moves_go_where_the_eye_does() {
    let mut state = PageState::default();
    let downwards = walk(&mut state, WIDE, &[Down, Down, Down, Down, Down]);
    assert_eq!(downwards, [1, 2, 5, 6, 6].map(Some));
    let upwards = walk(
        &mut state,
        WIDE,
        &[Up, Up, Right, Right, Up, Left, Left, Up],
    );
    assert_eq!(upwards, [5, 2, 4, 4, 3, 1, 1, 1].map(Some));
}

#[test]
fn what_lies_between_is_scrolled_not_skipped() {
    let mut state = PageState::default();
    let focus = walk(&mut state, SHORT, &[Down; 9]);
    assert_eq!(focus[..4], [1, 2, 3, 4].map(Some));
    assert_eq!(focus[4..], [Some(4), Some(4), Some(4), None, None]);
    let mut state = PageState::default();
    let mut seen = 0;
    for _ in 0..40 {
        let lines = lines(&state, SHORT);
        assert!(lines.start <= seen, "line {seen} was skipped");
        seen = lines.end;
        step(&mut state, Down, SHORT);
    }
    assert_eq!(seen, usize::from(record().lines(SHORT.width)));
    assert_eq!(state.focus(), Some(6));
}

#[test]
fn leaps_take_the_focus_along() {
    let mut state = PageState::default();
    assert!(step(&mut state, PageDown, SHORT));
    assert_eq!(state.focus(), None, "scrolling alone chooses nothing");
    assert_eq!(
        walk(&mut state, SHORT, &[Last, First, HalfDown]),
        [6, 1, 2].map(Some)
    );
    let paged = walk(&mut state, SHORT, &[PageDown; 5]);
    assert_eq!(paged, [Some(4), None, None, Some(6), Some(6)]);
    assert_eq!(walk(&mut state, SHORT, &[PageUp, PageUp]), [4, 2].map(Some));
    assert!(step(&mut state, First, SHORT));
    assert!(
        !step(&mut state, First, SHORT),
        "nothing changes at the beginning"
    );
}

#[test]
fn an_anchor_that_is_gone_lets_the_focus_go() {
    let mut state = standing_on(5);
    step(&mut state, Right, WIDE);
    assert_eq!(state.focus(), Some(5));
    let _ = Page::new().first_line(WIDE, &state);
    state.step(Right);
    assert_eq!(state.focus(), None);
}

#[test]
fn any_area_will_do() {
    for focus in [Focus::Here, Focus::Elsewhere] {
        test_terminal::fits_any_area(|frame, area| {
            let theme = Theme::colourless();
            record().draw(frame, area, &standing_on(5), &theme, focus);
        });
    }
}

proptest! {
    #[test]
    fn the_focus_is_always_in_view(
        steps in prop::collection::vec(
            (
                select(vec![Up, Down, PageUp, PageDown, HalfDown, First, Last, Left, Right]),
                (20_u16..100, 0_u16..12),
            ),
            0..30,
        )
    ) {
        let mut state = PageState::default();
        for (motion, (width, height)) in steps {
            let size = Size::new(width, height);
            step(&mut state, motion, size);
            let view = lines(&state, size);
            prop_assert_eq!(&view, &lines(&state, size), "a step settles");
            let theme = Theme::colourless();
            let layout = PageLayout::of(record(), width, &theme);
            let focus = state.focus();
            if let Some(spot) = layout.spots.iter().find(|spot| Some(spot.anchor) == focus)
                && height > 0
            {
                prop_assert!(view.contains(&spot.y.start), "{:?} of {:?}", spot, view);
            }
        }
    }
}
