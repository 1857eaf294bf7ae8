//! How the Feeds tab looks: the table of feeds over what is known of the selected one.

mod days;
mod details;
mod service;
mod transfer;

use jiff::Timestamp;
use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    FeedsTab, Part,
    known::{Known, Size, missing},
    parts::Parts,
    standing::{Standing, span},
};
use crate::{
    contract::Freshness,
    model::Day,
    store::Moment,
    tui::{
        ctx::ViewCtx,
        ui::{
            theme::{Focus, Theme},
            widgets::{
                columns::{Column, Width},
                pane::Pane,
                table::Table,
            },
            words,
        },
    },
};

/// Draws the tab.
pub fn draw(frame: &mut Frame<'_>, area: Rect, tab: &FeedsTab, ctx: &ViewCtx<'_>) {
    let mut parts = Parts::of(area);
    if ctx.zoomed {
        let whole = Rect { ..area };
        let none = Rect::default();
        (parts.table, parts.details) = match tab.part {
            Part::Table => (whole, none),
            Part::Details => (none, whole),
        };
    }
    feeds(frame, parts.table, tab, ctx);
    let focus = Focus::when(tab.part == Part::Details);
    match &tab.browse {
        Some(browse) => days::draw(frame, parts.details, browse, tab, ctx, focus),
        None => details::draw(frame, parts.details, tab, ctx, focus),
    }
}

/// The columns of the table of feeds.
fn columns() -> [Column<'static>; 7] {
    [
        Column::new("FEED", Width::Min(15)),
        Column::new("", Width::Fixed(5)).rank(4),
        Column::new("RELEASE", Width::Fixed(8)),
        Column::new("GENERATED", Width::Fixed(9)).rank(3),
        Column::new("LOCAL", Width::Fixed(13)).rank(1),
        Column::new("SIZE", Width::Fixed(13)).right().rank(2),
        Column::new("STATE", Width::Fill(12)),
    ]
}

fn feeds(frame: &mut Frame<'_>, area: Rect, tab: &FeedsTab, ctx: &ViewCtx<'_>) {
    if area.is_empty() {
        return;
    }
    let focus = Focus::when(tab.part == Part::Table);
    let theme = ctx.theme;
    let hint = match missing(ctx.facts) {
        Some(why) => Line::styled(format!("! {why}"), theme.warn),
        None => Line::raw(free(tab)),
    };
    let inner = Pane::new("Feeds", focus)
        .hint(hint)
        .draw(frame, area, theme);
    let row = |index: usize| row(&tab.known(tab.metadata[index].0, ctx.jobs), theme, ctx.now);
    Table::new(&columns(), &tab.cursor, tab.metadata.len()).draw(frame, inner, row, theme, focus);
}

/// How much is free on this disk.
fn free(tab: &FeedsTab) -> String {
    let free = tab.releases.value().and_then(|disk| disk.free);
    free.map_or_else(String::new, |free| {
        format!("{} free on this disk", words::bytes(free))
    })
}

/// A row of the table.
pub(super) fn row(known: &Known<'_>, theme: &Theme, now: Timestamp) -> Vec<Line<'static>> {
    let standing = Standing::of(known, now);
    vec![
        Line::raw(known.feed.name()),
        Line::styled(known.feed.row().maturity.word(), theme.dim),
        release(known, theme, now),
        generated(known, theme, now),
        local(known, theme, now),
        size(known, theme),
        Line::styled(
            standing.words,
            standing.tone.map_or(theme.dim, |tone| theme.tone(tone)),
        ),
    ]
}

fn nothing(theme: &Theme) -> Line<'static> {
    Line::styled("-", theme.dim)
}

fn release(known: &Known<'_>, theme: &Theme, now: Timestamp) -> Line<'static> {
    match known.offered_moment() {
        None => nothing(theme),
        Some(Moment::Day(day)) => Line::raw(day.to_string()),
        Some(Moment::Window(window)) if window.day == Day::of(now) => {
            Line::raw(clock(window.begins()))
        }
        Some(Moment::Window(window)) => Line::raw(window.day.to_string()),
    }
}

fn generated(known: &Known<'_>, theme: &Theme, now: Timestamp) -> Line<'static> {
    let at = known
        .offered()
        .and_then(|release| release.generated_at.is());
    match at {
        None => nothing(theme),
        Some(at) if now.duration_since(*at).as_hours() < 24 => Line::raw(clock(*at)),
        Some(at) => Line::raw(Day::of(*at).to_string()),
    }
}

/// The time of day, in UTC.
pub(super) fn clock(at: Timestamp) -> String {
    at.strftime("%H:%MZ").to_string()
}

fn local(known: &Known<'_>, theme: &Theme, now: Timestamp) -> Line<'static> {
    let Some(newest) = known.newest() else {
        return nothing(theme);
    };
    let moment = match newest.manifest.moment {
        Moment::Day(day) => day.to_string(),
        Moment::Window(window) if window.day == Day::of(now) => clock(window.begins()),
        Moment::Window(window) => window.day.to_string(),
    };
    let behind = match known.freshness(newest, now) {
        Freshness::Current => return Line::raw(moment),
        Freshness::DaysBehind(days) => format!(" ({days}d)"),
        Freshness::MinutesBehind(minutes) => format!(" ({})", span(minutes).replace(" min", "m")),
    };
    Line::from(vec![Span::raw(moment), Span::styled(behind, theme.warn)])
}

/// Bytes where they are known to be bytes; else the number as it was sent, dim.
fn size(known: &Known<'_>, theme: &Theme) -> Line<'static> {
    match known.size() {
        Size::Unknown => nothing(theme),
        Size::Said(number) => Line::styled(words::number(number), theme.dim),
        Size::Bytes(bytes) => Line::raw(words::bytes(bytes)),
    }
}
