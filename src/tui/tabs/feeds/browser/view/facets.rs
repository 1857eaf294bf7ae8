//! Draws the values of fields, or why there are none.

use ratatui::{Frame, layout::Rect, text::Line};

use crate::{
    engine::Error,
    model::{Keyword, visible},
    tui::{
        ctx::{ViewCtx, failure},
        tabs::feeds::browser::{
            Browser,
            areas::{below, lines},
        },
        ui::{Focus, Pane, Theme, cells, widgets::facets},
    },
};

/// The maximum height of an error above older counts.
const FAILURE: usize = 3;

pub(super) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    browser: &Browser,
    ctx: &ViewCtx<'_>,
    focus: Focus,
) {
    let theme = ctx.theme;
    let pane = &browser.facets;
    let query = browser.query();
    let inner = Pane::new("Facets", focus).draw(frame, area, theme);
    let all = pane.lines_in(inner.height, query);
    if all.is_empty() {
        let text = match pane.error() {
            Some(error) => failure::lines("", error, "  ", "R tries again", theme),
            None if pane.has_counts() => vec![Line::styled("no value", theme.dim)],
            None => vec![Line::styled("counting", theme.dim)],
        };
        return lines(frame, inner, text);
    }
    let inner = match pane.error() {
        Some(error) => below_failure(frame, inner, error, theme),
        None => inner,
    };
    let is_old = pane.is_old(query, ctx.now);
    let (lines, heading) = ((&all[..], &pane.cursor), |keyword: &Keyword| {
        keyword.heading()
    });
    facets::draw(frame, inner, lines, heading, is_old, ctx, focus);
}

/// Draws the error above the counts; returns the area below it.
fn below_failure(frame: &mut Frame<'_>, area: Rect, error: &Error, theme: &Theme) -> Rect {
    let text = format!("x {}; R tries again", visible(&error.message));
    let lines = cells::wrap(Line::styled(text, theme.bad), area.width);
    let [text, rest] = below(area, lines.len().min(FAILURE));
    for (line, place) in lines.into_iter().zip(text.rows()) {
        frame.render_widget(line, place);
    }
    rest
}
