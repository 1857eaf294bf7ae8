//! How the Quota tab looks: one page.

use ratatui::{Frame, layout::Rect};

use super::QuotaTab;
use crate::tui::{
    ctx::ViewCtx,
    ui::{theme::Focus, widgets::pane::Pane},
};

pub fn draw(frame: &mut Frame<'_>, area: Rect, tab: &QuotaTab, ctx: &ViewCtx<'_>) {
    let pane = Pane::new("Quota", Focus::Here);
    ctx.spots.pane(area, 0);
    tab.page
        .draw(frame, area, pane, tab.sheet(area.as_size(), ctx), ctx);
    if let Some(open) = &tab.guards {
        open.draw(frame, area, ctx.into());
    }
}
