//! Draws the overlays of the table: menus and completions.

use ratatui::{
    Frame,
    layout::{Rect, Size},
    text::{Line, Span},
    widgets::Clear,
};

use super::head;
use crate::{
    model::visible,
    report::count,
    tui::{
        ctx::ViewCtx,
        tabs::feeds::browser::{
            Browser, BrowserOverlay, areas::BrowserAreas, completion::FilterCandidate, menu::Menu,
        },
        ui::{Focus, Pane, Pen, Popup, Theme, cells},
    },
};

/// The maximum number of visible completions.
const MOST: u16 = 9;

pub(super) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    parts: &BrowserAreas,
    browser: &Browser,
    ctx: &ViewCtx<'_>,
) {
    let theme = ctx.theme;
    match &browser.over {
        Some(BrowserOverlay::Menu(menu)) => popup(frame, area, menu, ctx.into()),
        Some(BrowserOverlay::Clauses) => {
            let counting = Menu::new("Counting the clauses", Vec::new());
            let menu = browser.clauses.menu(browser.query());
            popup(frame, area, menu.unwrap_or(&counting), ctx.into());
        }
        Some(BrowserOverlay::Filter(line)) => {
            let (all, taken) = line.candidates();
            let field = head::filter_area(parts, browser, ctx);
            candidates(frame, parts.table, field.x, (all, taken), theme);
        }
        _ => {}
    }
}

fn popup(frame: &mut Frame<'_>, area: Rect, menu: &Menu, pen: Pen<'_>) {
    let theme = pen.theme;
    let width = |text: &str| cells::width(&visible(text));
    let widest = menu
        .rows
        .iter()
        .map(|row| width(&row.label) + width(&row.detail) + 6);
    let widest = widest
        .max()
        .unwrap_or(24)
        .max(width(&menu.title) + 2)
        .max(24);
    let height = u16::try_from(menu.rows.len().max(1)).unwrap_or(u16::MAX);
    let inner = Popup::new(visible(&menu.title).into_owned(), Size::new(widest, height))
        .key(theme, "enter", "choose", 0)
        .key(theme, "esc", "close", 0)
        .draw(frame, area, pen);
    rows(frame, inner, menu, pen, Focus::Here);
}

pub(super) fn rows(frame: &mut Frame<'_>, area: Rect, menu: &Menu, pen: Pen<'_>, focus: Focus) {
    let theme = pen.theme;
    let selected = menu.cursor.selected(menu.rows.len());
    let window = menu.cursor.window(menu.rows.len(), area.height.into());
    for (at, place) in window.zip(area.rows()) {
        let row = &menu.rows[at];
        let label = visible(&row.label).into_owned();
        let detail = visible(&row.detail).into_owned();
        let taken = cells::width(&label) + cells::width(&detail) + 3;
        let gap = " ".repeat(usize::from(
            place.width.min(70).saturating_sub(taken).max(2),
        ));
        let line = Line::from(vec![
            Span::raw("  "),
            Span::raw(label),
            Span::raw(gap),
            Span::styled(detail, theme.dim),
        ]);
        frame.render_widget(cells::cut_line(line, place.width), place);
        pen.row(place, at, focus.is_here() && selected == Some(at));
        if selected == Some(at) {
            frame.buffer_mut().set_style(place, theme.row(Focus::Here));
            frame.buffer_mut()[(place.x, place.y)].set_symbol(">");
        }
    }
}

/// Draws the completions below the filter, and highlights the inserted one.
fn candidates(
    frame: &mut Frame<'_>,
    area: Rect,
    left: u16,
    (all, taken): (&[FilterCandidate], Option<usize>),
    theme: &Theme,
) {
    let len = u16::try_from(all.len()).unwrap_or(MOST).min(MOST);
    let height = len.min(area.height.saturating_sub(2));
    if height == 0 {
        return;
    }
    let first = taken.map_or(0, |at| (at + 1).saturating_sub(height.into()));
    let shown = &all[first..(first + usize::from(height)).min(all.len())];
    let width = |text: &str| cells::width(&visible(text));
    let label = shown
        .iter()
        .map(|own| width(&own.text))
        .max()
        .unwrap_or_default();
    let detail = shown
        .iter()
        .map(|own| width(&own.detail))
        .max()
        .unwrap_or_default();
    let more = all.len().saturating_sub(shown.len());
    let hint = if more > 0 {
        format!("tab completes, {} more", count(more as u64))
    } else {
        "tab completes".to_owned()
    };
    let wanted = (label + detail + 4).max(cells::width(&hint) + 2) + 4;
    let width = wanted.min(area.width);
    let place = Rect {
        x: left.min(area.right() - width),
        y: area.y,
        width,
        height: height + 2,
    };
    frame.render_widget(Clear, place);
    frame.buffer_mut().set_style(place, theme.base);
    let inner = Pane::new("", Focus::Here)
        .hint(hint)
        .draw(frame, place, theme);
    for ((at, own), row) in (first..).zip(shown).zip(inner.rows()) {
        let text = visible(&own.text).into_owned();
        let detail = visible(&own.detail).into_owned();
        let is_number = detail.starts_with(|first: char| first.is_ascii_digit());
        let gap = if is_number {
            row.width
                .saturating_sub(2 + cells::width(&text) + cells::width(&detail))
        } else {
            label.saturating_sub(cells::width(&text)) + 2
        };
        let line = Line::from(vec![
            Span::raw("  "),
            Span::styled(text, theme.accent),
            Span::raw(" ".repeat(gap.into())),
            Span::styled(detail, theme.dim),
        ]);
        frame.render_widget(cells::cut_line(line, row.width), row);
        if taken == Some(at) {
            frame.buffer_mut().set_style(row, theme.row(Focus::Here));
            frame.buffer_mut()[(row.x, row.y)].set_symbol(">");
        }
    }
}
