//! The screen of the Export tab: the form, its checks, the request, and the rows.

mod checks;
mod matches;
pub(super) mod preview;
pub(super) mod request;
mod rows;

use ratatui::{Frame, layout::Rect, text::Span};

use super::{ExportFocus, ExportTab, areas::ExportAreas};
use crate::{
    report::counted,
    tui::{
        ctx::{Job, ViewCtx},
        ui::{BarLine, BarPart, Focus, Pane, PaneId, Tone},
    },
};

use matches::Matches;

pub fn draw(frame: &mut Frame<'_>, area: Rect, tab: &ExportTab, ctx: &ViewCtx<'_>) -> Rect {
    match (ctx.zoomed, tab.part) {
        _ if let Some(results) = tab.open_rows() => rows::draw(frame, area, results, tab, ctx),
        (true, ExportFocus::Form) => form(frame, area, false, tab, ctx),
        (true, ExportFocus::Preview) => preview::draw(frame, area, tab, ctx),
        (true, ExportFocus::Checks) => checks::draw(frame, area, tab, ctx),
        (true, ExportFocus::Request) => request::draw(frame, area, tab, ctx),
        (false, _) => parts(frame, area, tab, ctx),
    }
    area
}

fn parts(frame: &mut Frame<'_>, area: Rect, tab: &ExportTab, ctx: &ViewCtx<'_>) {
    let matches = Matches::new(tab, ctx);
    match ExportAreas::of(area, |width| matches.height(width)) {
        ExportAreas::Wide {
            form: place,
            checks: said,
            matches: numbers,
            preview: rows,
            request: asked,
        } => {
            form(frame, place, false, tab, ctx);
            checks::draw(frame, said, tab, ctx);
            matches.draw(frame, numbers);
            preview::draw(frame, rows, tab, ctx);
            request::draw(frame, asked, tab, ctx);
        }
        ExportAreas::Narrow {
            counts,
            form: place,
            below,
        } => {
            matches.draw_line(frame, counts);
            form(frame, place, true, tab, ctx);
            match tab.part {
                ExportFocus::Preview => preview::draw(frame, below, tab, ctx),
                ExportFocus::Checks => checks::draw(frame, below, tab, ctx),
                ExportFocus::Request => request::draw(frame, below, tab, ctx),
                ExportFocus::Form if shows_rows(tab, ctx) => preview::draw(frame, below, tab, ctx),
                ExportFocus::Form => checks::draw_with_request(frame, below, tab, ctx),
            }
        }
    }
}

/// Whether, where there is room for one, rows are more worth seeing than checks: while nothing was changed since.
fn shows_rows(tab: &ExportTab, ctx: &ViewCtx<'_>) -> bool {
    let query = tab.build.query();
    let current = tab
        .shown()
        .is_some_and(|shown| shown.query.feed == query.feed);
    let run = tab
        .run
        .as_ref()
        .is_some_and(|export| export.run.query == query);
    let moves = tab.job(ctx.jobs).is_some_and(Job::is_open);
    let checked = tab.build.count(Tone::Warn) + tab.build.count(Tone::Error) > 0;
    let asked = tab.preview.is_pending() || tab.preview.error().is_some();
    !checked && (current || run || moves || asked)
}

fn form(frame: &mut Frame<'_>, area: Rect, narrow: bool, tab: &ExportTab, ctx: &ViewCtx<'_>) {
    ctx.spots.pane(area, ExportFocus::Form as PaneId);
    let focus = Focus::when(tab.part == ExportFocus::Form && !ctx.is_covered);
    let theme = ctx.theme;
    let mut bar = BarLine::new();
    if narrow {
        bar = bar.left(BarPart::new(
            "K checks, request  tab past the last field: preview",
            2,
        ));
    }
    for (tone, noun) in [
        (Tone::Error, "error"),
        (Tone::Warn, "warning"),
        (Tone::Info, "note"),
    ] {
        let count = tab.build.count(tone);
        if count > 0 {
            let words = Span::styled(counted(count as u64, noun), theme.tone(tone));
            bar = bar.left(BarPart::new(words, 1));
        }
    }
    let mut pane = Pane::new("Build", focus);
    if !ctx.is_covered {
        pane = pane.hint(bar.line(area.width.saturating_sub(4)));
    }
    let inner = pane.draw(frame, area, theme);
    tab.build.draw(frame, inner, ctx.into(), focus);
}
