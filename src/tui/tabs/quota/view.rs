//! How the Quota tab looks: one page.

use ratatui::{Frame, layout::Rect};

use super::{QuotaTab, known::Known};
use crate::tui::{
    ctx::ViewCtx,
    ui::{theme::Focus, widgets::pane::Pane},
};

/// Draws the tab.
pub fn draw(frame: &mut Frame<'_>, area: Rect, tab: &QuotaTab, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let known = Known {
        facts: ctx.facts,
        now: ctx.now,
        private: ctx.private,
    };
    let sheet = tab.sheet(known, theme);
    let view = tab.page.view(&sheet.page, Pane::inner(area).as_size());
    let mut pane = Pane::new("Quota", Focus::Here);
    if view.lines.len() < view.total {
        let (first, last) = (view.lines.start + 1, view.lines.end);
        pane = pane.hint(format!("{first}-{last} of {} lines", view.total));
    }
    let inner = pane.draw(frame, area, theme);
    sheet.page.draw(frame, inner, &tab.page, theme, Focus::Here);
}
