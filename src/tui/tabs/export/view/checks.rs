//! What is to be said of the form.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::request;
use crate::tui::{
    ctx::ViewCtx,
    tabs::export::{ExportTab, checks::Check},
    ui::{
        theme::{Focus, Theme, Tone},
        widgets::{
            page::{Page, PageState, Row, Section, Side},
            pane::Pane,
        },
    },
};

/// Draws the checks.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, tab: &ExportTab, ctx: &ViewCtx<'_>) {
    let page = Page::new().with(section("", tab, ctx.theme));
    put(frame, area, "Checks", &page, ctx);
}

/// Draws the checks and the request below them.
pub(super) fn draw_with_request(
    frame: &mut Frame<'_>,
    area: Rect,
    tab: &ExportTab,
    ctx: &ViewCtx<'_>,
) {
    let width = Pane::inner(area).width;
    let mut section = section("", tab, ctx.theme);
    for line in request::lines(tab, ctx, width.saturating_sub(4)) {
        section.push(Row::text(line));
    }
    put(
        frame,
        area,
        "Checks and request",
        &Page::new().with(section),
        ctx,
    );
}

fn put(
    frame: &mut Frame<'_>,
    area: Rect,
    title: &'static str,
    page: &Page<'_, ()>,
    ctx: &ViewCtx<'_>,
) {
    let inner = Pane::new(title, Focus::Elsewhere).draw(frame, area, ctx.theme);
    let state = PageState::default();
    page.draw(frame, inner, &state, ctx.theme, Focus::Elsewhere);
}

fn section(title: &'static str, tab: &ExportTab, theme: &Theme) -> Section<'static, ()> {
    let mut section = Section::new(title, Side::Both);
    for check in tab.build.checks() {
        section.push(Row::text(line(check, theme)));
    }
    section
}

fn line(check: &Check, theme: &Theme) -> Line<'static> {
    let style = if check.tone == Tone::Error {
        theme.text
    } else {
        theme.dim
    };
    Line::from(vec![
        Span::styled(format!("{:<3}", check.tone.sign()), theme.tone(check.tone)),
        Span::styled(check.words.clone(), style),
    ])
}
