//! How the browser looks: a line about the view, the table of records, facets beside it, and what lies over them.

mod days;
mod facets;
mod head;
mod over;
mod prose;
mod table;

use ratatui::{Frame, layout::Rect, widgets::Clear};

use super::{Browser, Over, Part, parts::Parts};
use crate::tui::{
    ctx::ViewCtx,
    ui::{spots::PaneId, theme::Focus},
};

/// Draws the browser.
pub(in crate::tui::tabs::feeds) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    browser: &Browser,
    ctx: &ViewCtx<'_>,
) {
    let parts = Parts::of(area, browser.shape());
    if let Some(Over::Days(days)) = &browser.over {
        return days::draw(frame, area, days, ctx);
    }
    head::draw(frame, &parts, browser, ctx);
    let focus = |part| Focus::when(browser.part == part && browser.over.is_none());
    ctx.spots.pane(parts.table, Part::Records as PaneId);
    table::draw(frame, &parts, browser, ctx, focus(Part::Records));
    if !parts.facets.is_empty() {
        if !parts.is_wide {
            frame.render_widget(Clear, parts.facets);
            frame.buffer_mut().set_style(parts.facets, ctx.theme.base);
        }
        ctx.spots.pane(parts.facets, Part::Facets as PaneId);
        facets::draw(frame, parts.facets, browser, ctx, focus(Part::Facets));
    }
    over::draw(frame, area, &parts, browser, ctx);
}

/// Where the records are: the raw text of one takes their place.
pub(in crate::tui::tabs::feeds) fn records(area: Rect, browser: &Browser) -> Rect {
    Parts::of(area, browser.shape()).table
}
