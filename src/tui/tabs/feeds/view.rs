//! How the Feeds tab looks: the table of feeds over what is known of the selected one.

mod details;
mod health;
mod service;

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::{FeedsAreas, FeedsFocus, FeedsTab};
use crate::tui::{
    ctx::ViewCtx,
    ui::{Focus, Pane, PaneId, words},
};

/// Draws the tab; the raw text of a feed replaces all of it.
pub fn draw(frame: &mut Frame<'_>, area: Rect, tab: &FeedsTab, ctx: &ViewCtx<'_>) -> Rect {
    let mut parts = FeedsAreas::of(area);
    if ctx.zoomed {
        let none = Rect::default();
        (parts.table, parts.details) = match tab.part {
            FeedsFocus::Table => (area, none),
            FeedsFocus::Details => (none, area),
        };
        parts.beside = none;
    }
    let focus = |part| Focus::when(tab.part == part);
    table(frame, parts.table, tab, ctx, focus(FeedsFocus::Table));
    let is_tall = !parts.beside.is_empty();
    let page = |frame: &mut Frame<'_>, focus| {
        details::draw(frame, parts.details, tab, is_tall, ctx, focus);
    };
    let focus = focus(FeedsFocus::Details);
    let in_focus = match &tab.days {
        Some(days) if is_tall => {
            page(frame, Focus::Elsewhere);
            days.draw(frame, parts.beside, ctx, focus);
            parts.beside
        }
        Some(days) => {
            days.draw(frame, parts.details, ctx, focus);
            parts.details
        }
        None => {
            page(frame, focus);
            let known = tab.known.of(tab.selected(), ctx.jobs);
            details::draw_releases(frame, parts.beside, &known, ctx);
            parts.details
        }
    };
    ctx.spots.pane(in_focus, FeedsFocus::Details as PaneId);
    area
}

fn table(frame: &mut Frame<'_>, area: Rect, tab: &FeedsTab, ctx: &ViewCtx<'_>, focus: Focus) {
    if area.is_empty() {
        return;
    }
    ctx.spots.pane(area, FeedsFocus::Table as PaneId);
    let theme = ctx.theme;
    let marked = tab.list.marks().len();
    let disk = tab.known.disk();
    let free = disk.and_then(|disk| disk.free);
    let free = free.map_or_else(String::new, |free| format!("{} free", words::bytes(free)));
    // Where nothing is local, nor under way or marked, what to do next is plain.
    let is_empty = disk.is_some_and(|disk| disk.releases.is_empty() && disk.parts.is_empty());
    let hint = match ctx.facts.lack_of_feeds() {
        Some(why) => Line::styled(format!("! {why}"), theme.warn),
        None if is_empty && marked == 0 => Line::from(vec![
            Span::styled("A", theme.key),
            Span::raw(", then "),
            Span::styled("p", theme.key),
            Span::raw(" downloads all   "),
            Span::raw(free),
        ]),
        None => Line::raw(free),
    };
    let title = match marked {
        0 => "Feeds".to_owned(),
        marked => format!("Feeds  {marked} marked"),
    };
    let inner = Pane::new(title, focus).hint(hint).draw(frame, area, theme);
    // The rows have the words of the ages.
    for row in tab.list.rows().all() {
        if let Some(since) = row.since {
            ctx.ages.note(since.at, ctx.now);
        }
    }
    tab.list.draw_rows(frame, inner, focus, false, ctx);
}
