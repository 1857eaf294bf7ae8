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
            Browser, BrowserOverlay,
            areas::BrowserAreas,
            completion::FilterCandidate,
            menu::{Menu, MenuItem},
        },
        ui::{Column, Focus, Pane, Pen, Popup, Table, Theme, Width, cells},
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
    let width = |text: &str| cells::width(&visible(text));
    let widths = menu
        .rows
        .iter()
        .map(|row| width(&row.label) + width(&row.detail) + 5);
    let widest = widths.max().unwrap_or(24);
    let widest = widest.max(width(&menu.title) + 2).max(24);
    let height = u16::try_from(menu.rows.len().max(1)).unwrap_or(u16::MAX);
    let inner = Popup::new(visible(&menu.title).into_owned(), Size::new(widest, height))
        .key(pen.theme, "enter", "choose", 0)
        .key(pen.theme, "esc", "close", 0)
        .draw(frame, area, pen);
    rows(frame, inner, menu, pen, Focus::Here);
}

pub(super) fn rows(frame: &mut Frame<'_>, area: Rect, menu: &Menu, pen: Pen<'_>, focus: Focus) {
    let columns = [
        Column::new("", Width::Fill(8)),
        Column::new("", Width::Min(0)).right(),
    ];
    // A detail far from its label would be hard to find.
    let area = Rect {
        width: area.width.min(70),
        ..area
    };
    let row = |at: usize| {
        let MenuItem { label, detail, .. } = &menu.rows[at];
        let detail = Line::styled(visible(detail), pen.theme.dim);
        vec![Line::raw(visible(label)), detail]
    };
    Table::new(&columns, &menu.cursor, menu.rows.len()).draw(frame, area, row, pen, focus);
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
    let widest = |text: fn(&FilterCandidate) -> &str| {
        let widths = shown.iter().map(|candidate| width(text(candidate)));
        widths.max().unwrap_or_default()
    };
    let (label, detail) = (
        widest(|candidate| &candidate.text),
        widest(|candidate| &candidate.detail),
    );
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
    for ((at, candidate), row) in (first..).zip(shown).zip(inner.rows()) {
        let text = visible(&candidate.text).into_owned();
        let detail = visible(&candidate.detail).into_owned();
        let is_number = detail.starts_with(|first: char| first.is_ascii_digit());
        let gap = if is_number {
            let room = row.width.saturating_sub(Pen::GUTTER);
            room.saturating_sub(cells::width(&text) + cells::width(&detail))
        } else {
            label.saturating_sub(cells::width(&text)) + 2
        };
        let line = Line::from(vec![
            Span::styled(text, theme.accent),
            Span::raw(" ".repeat(gap.into())),
            Span::styled(detail, theme.dim),
        ]);
        let focus = (taken == Some(at)).then_some(Focus::Here);
        Pen::from(theme).list_row(frame, row, at, line, focus);
    }
}
