//! The screen of the Export tab: the form, its checks, the request, and the rows.

mod checks;
mod matches;
pub(super) mod preview;
pub(super) mod request;
mod rows;

use ratatui::{
    Frame,
    layout::{Rect, Size},
    text::{Line, Span},
};

use super::{ExportFocus, ExportTab, areas::ExportAreas, overlay::FormOverlay, prompt::Prompt};
use crate::tui::{
    ctx::ViewCtx,
    ui::{
        cells,
        spots::PaneId,
        theme::{Focus, Tone},
        widgets::{
            bar::{BarLine, BarPart},
            pane::Pane,
            popup::Popup,
            text_field::TextField,
        },
    },
};

pub fn draw(frame: &mut Frame<'_>, area: Rect, tab: &ExportTab, ctx: &ViewCtx<'_>) {
    match (ctx.zoomed, tab.part) {
        _ if let Some(results) = tab.open_rows() => rows::draw(frame, area, results, tab, ctx),
        (true, ExportFocus::Form) => form(frame, area, false, tab, ctx),
        (true, ExportFocus::Preview) => preview::draw(frame, area, tab, ctx),
        (true, ExportFocus::Checks) => checks::draw(frame, area, tab, ctx),
        (true, ExportFocus::Request) => request::draw(frame, area, tab, ctx),
        (false, _) => parts(frame, area, tab, ctx),
    }
    if let Some(prompt) = &tab.prompt {
        ask(frame, area, prompt, tab, ctx);
    }
    match &tab.over {
        Some(FormOverlay::Name(field)) => name(frame, area, field, ctx),
        Some(FormOverlay::Choice(picker)) => picker.draw(frame, area, "Presets and runs", ctx),
        None => {}
    }
}

/// Asks under which name the form is kept.
fn name(frame: &mut Frame<'_>, area: Rect, field: &TextField, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let inner = Popup::new("Save this form as", Size::new(40, 1))
        .key(theme, "enter", "save", 0)
        .key(theme, "esc", "back to the form", 0)
        .draw(frame, area, ctx);
    field.draw(frame, inner, theme, Focus::Here);
}

fn parts(frame: &mut Frame<'_>, area: Rect, tab: &ExportTab, ctx: &ViewCtx<'_>) {
    match ExportAreas::of(area, |width| matches::height(width, tab, ctx)) {
        ExportAreas::Wide {
            form: place,
            checks: said,
            matches,
            preview: rows,
            request: asked,
        } => {
            form(frame, place, false, tab, ctx);
            checks::draw(frame, said, tab, ctx);
            matches::draw(frame, matches, tab, ctx);
            preview::draw(frame, rows, tab, ctx);
            request::draw(frame, asked, tab, ctx);
        }
        ExportAreas::Narrow {
            counts,
            form: place,
            below,
        } => {
            matches::draw_line(frame, counts, tab, ctx);
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
    let run = tab.run.as_ref().is_some_and(|run| run.query == query);
    let moves = preview::job(tab, ctx).is_some_and(crate::tui::ctx::jobs::Job::is_open);
    let checked = tab
        .build
        .checks()
        .iter()
        .any(|check| check.tone >= Tone::Warn);
    let asked = tab.preview.pending().is_some() || tab.preview.error().is_some();
    !checked && (current || run || moves || asked)
}

fn form(frame: &mut Frame<'_>, area: Rect, narrow: bool, tab: &ExportTab, ctx: &ViewCtx<'_>) {
    ctx.spots.pane(area, ExportFocus::Form as PaneId);
    let focus = Focus::when(tab.part == ExportFocus::Form && tab.prompt.is_none());
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
        let count = tab
            .build
            .checks()
            .iter()
            .filter(|check| check.tone == tone)
            .count();
        if count > 0 {
            let plural = if count == 1 { "" } else { "s" };
            let words = Span::styled(format!("{count} {noun}{plural}"), theme.tone(tone));
            bar = bar.left(BarPart::new(words, 1));
        }
    }
    let mut pane = Pane::new("Build", focus);
    if tab.prompt.is_none() {
        pane = pane.hint(bar.line(area.width.saturating_sub(4)));
    }
    let inner = pane.draw(frame, area, theme);
    tab.build.draw(frame, inner, ctx.into(), focus);
}

/// Asks where an export is to go.
fn ask(frame: &mut Frame<'_>, area: Rect, prompt: &Prompt, tab: &ExportTab, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let width = area.width.saturating_sub(8).min(70);
    if prompt.asks_to_replace() {
        let inner = Popup::new("Replace this file?", Size::new(width, 1))
            .key(theme, "y", "replace", 0)
            .key(theme, "n", "another name", 0)
            .draw(frame, area, ctx);
        let file = prompt.file().display().to_string();
        let file = crate::model::visible(&file).into_owned();
        let file = cells::cut_start(&file, inner.width).into_owned();
        frame.render_widget(Line::raw(file), inner);
        return;
    }
    let folder = ctx.facts.working_dir.display().to_string();
    let by = if prompt.is_local {
        "Export of the local release"
    } else {
        "Export"
    };
    let title = format!("{by} to a file in {}", crate::model::visible(&folder));
    let width = width.saturating_sub(2).max(1);
    let price = if prompt.is_local {
        "free: nothing is sent"
    } else {
        "free: an export costs no query"
    };
    let mut below = vec![Line::styled(price, theme.dim)];
    let omitted = tab.build.omitted().into_iter().flat_map(|own| &own.words);
    for words in tab.shortage().iter().chain(omitted) {
        let line = Line::styled(format!("! {words}"), theme.warn);
        below.extend(cells::wrap(line, width));
    }
    let height = u16::try_from(below.len() + 1).unwrap_or(u16::MAX);
    let inner = Popup::new(title, Size::new(width + 2, height))
        .key(theme, "enter", "run", 0)
        .key(theme, "esc", "back to the form", 0)
        .draw(frame, area, ctx);
    let mut rows = inner.rows();
    if let Some(row) = rows.next() {
        prompt.field.draw(frame, row, theme, Focus::Here);
    }
    for (line, row) in below.into_iter().zip(rows) {
        frame.render_widget(line, row);
    }
}
