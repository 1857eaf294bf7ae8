//! Draws the browser: a line about the view, the table of records with the record under the cursor and the facets beside it, and overlays.

mod days;
mod facets;
mod head;
mod over;
mod record;
mod table;

use ratatui::{Frame, layout::Rect, widgets::Clear};

use super::{Browser, BrowserFocus, BrowserOverlay, areas::BrowserAreas};
use crate::tui::{
    ctx::ViewCtx,
    ui::{Focus, PaneId},
};

pub(super) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    browser: &Browser,
    ctx: &ViewCtx<'_>,
) -> Rect {
    let mut parts = BrowserAreas::of(area, browser.shape());
    if let Some(BrowserOverlay::Days(days)) = &browser.over {
        days::draw(frame, area, days, ctx);
        return parts.table;
    }
    if !ctx.zoomed && browser.list.row().is_some() {
        parts = parts.with_record();
        record::draw(frame, parts.record, browser, ctx);
    }
    head::draw(frame, &parts, browser, ctx);
    let focus = |part| Focus::when(browser.part == part && browser.over.is_none());
    ctx.spots.pane(parts.table, BrowserFocus::Records as PaneId);
    table::draw(frame, &parts, browser, ctx, focus(BrowserFocus::Records));
    if !parts.facets.is_empty() {
        if !parts.is_wide {
            frame.render_widget(Clear, parts.facets);
            frame.buffer_mut().set_style(parts.facets, ctx.theme.base);
        }
        ctx.spots.pane(parts.facets, BrowserFocus::Facets as PaneId);
        facets::draw(
            frame,
            parts.facets,
            browser,
            ctx,
            focus(BrowserFocus::Facets),
        );
    }
    over::draw(frame, area, &parts, browser, ctx);
    parts.table
}
