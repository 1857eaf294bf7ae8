//! The notes on the form.

use ratatui::{Frame, layout::Rect, text::Line};

use super::request;
use crate::tui::{
    ctx::ViewCtx,
    tabs::export::{ExportFocus, ExportTab, checks::DraftCheck},
    ui::{Focus, Pane, PaneId, Theme, Tone, cells, widgets::page},
};

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, tab: &ExportTab, ctx: &ViewCtx<'_>) {
    let focus = Focus::when(tab.part == ExportFocus::Checks);
    let lines = lines(tab, area, ctx.theme);
    put(frame, area, "Checks", focus, lines, ctx);
}

/// With the request below, where there is no room for a pane of its own.
pub(super) fn draw_with_request(
    frame: &mut Frame<'_>,
    area: Rect,
    tab: &ExportTab,
    ctx: &ViewCtx<'_>,
) {
    let width = Pane::inner(area).width;
    let request = request::lines(tab, ctx, width.saturating_sub(4));
    let lines = lines(tab, area, ctx.theme).chain(request);
    put(
        frame,
        area,
        "Checks and request",
        Focus::Elsewhere,
        lines,
        ctx,
    );
}

fn put(
    frame: &mut Frame<'_>,
    area: Rect,
    title: &'static str,
    focus: Focus,
    lines: impl Iterator<Item = Line<'static>>,
    ctx: &ViewCtx<'_>,
) {
    ctx.spots.pane(area, ExportFocus::Checks as PaneId);
    let inner = Pane::new(title, focus).draw(frame, area, ctx.theme);
    page::draw_lines(frame, inner, lines, ctx.theme);
}

fn lines(tab: &ExportTab, area: Rect, theme: &Theme) -> impl Iterator<Item = Line<'static>> {
    let width = page::text_width(Pane::inner(area));
    let checks = tab.build.checks().iter();
    checks.flat_map(move |check| line(check, width, theme))
}

fn line(check: &DraftCheck, width: u16, theme: &Theme) -> Vec<Line<'static>> {
    let style = if check.tone >= Tone::Warn {
        theme.text
    } else {
        theme.dim
    };
    let sign = format!("{:<3}", check.tone.sign());
    let head = Line::styled(sign, theme.tone(check.tone));
    cells::hang(head, Line::styled(check.words.clone(), style), width)
}
