//! The rows of an export, and the progress of a running one.

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    text::{Line, Span},
};

use crate::{
    contract::Output,
    engine::Area,
    report::export_outcome,
    tui::{
        ctx::{JobState, Question, ViewCtx, failure, meter},
        tabs::export::{
            ExportFocus, ExportTab,
            preview::{PreviewOrigin, PreviewRows},
            results::LONGEST,
        },
        ui::{Focus, Pane, PaneId, Table, Theme, Tone, cells, widgets::page, words},
    },
};

/// Draws the rows and the status of the export.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, tab: &ExportTab, ctx: &ViewCtx<'_>) {
    ctx.spots.pane(area, ExportFocus::Preview as PaneId);
    let focus = Focus::when(tab.part == ExportFocus::Preview);
    let theme = ctx.theme;
    let mut pane = Pane::new(title(tab, theme), focus);
    if focus.is_here() {
        let price = tab.price.words(ctx.facts, ctx.now);
        pane = pane.hint(format!("enter look up: {price}  esc form"));
    } else if tab.rows() > 0 && ctx.facts.lack_of_exports().is_none() {
        pane = pane.hint("S asks the service for 12 rows: free");
    }
    let inner = pane.draw(frame, area, theme);
    let standing = standing(tab, ctx).into_iter();
    let standing: Vec<Line<'_>> = standing
        .flat_map(|line| cells::wrap(line, inner.width))
        .collect();
    let lines = u16::try_from(standing.len()).unwrap_or(u16::MAX);
    let lines = lines.min(inner.height);
    let [top, rest] =
        Layout::vertical([Constraint::Length(lines), Constraint::Min(0)]).areas(inner);
    for (line, place) in standing.into_iter().zip(top.rows()) {
        frame.render_widget(line, place);
    }
    match tab.shown() {
        Some(shown) if !shown.sample.rows.is_empty() => {
            rows(frame, rest, tab, shown, ctx, focus);
            if tab.preview.is_pending() || !shown.answers(&tab.build.query()) {
                frame.buffer_mut().set_style(rest, theme.stale);
            }
        }
        shown => draw_without_rows(frame, rest, tab, shown, ctx),
    }
}

/// Where the rows come from, and whether they answer what the form says now.
fn title(tab: &ExportTab, theme: &Theme) -> Line<'static> {
    let mut title = Line::raw("Preview");
    if let Some(shown) = tab.shown() {
        let rows = shown.sample.rows.len();
        let (badge, count) = match shown.origin {
            PreviewOrigin::Local(_) => ("[local]", local_rows(tab, rows)),
            PreviewOrigin::Server => ("[server]", format!("{rows} rows")),
        };
        title.push_span(Span::styled(format!("  {badge}"), theme.badge));
        if shown.answers(&tab.build.query()) {
            title.push_span(Span::raw(format!(" {count} of {}", shown.query.feed)));
        } else {
            let words = format!(" ~ older form, {rows} rows of {}", shown.query.feed);
            title.push_span(Span::styled(words, theme.stale));
        }
    }
    if tab.preview.is_pending() {
        title.push_span(Span::styled("  ~ asking", theme.warn));
    }
    title
}

/// How many rows of the local release are shown, and of how many.
fn local_rows(tab: &ExportTab, rows: usize) -> String {
    let expected = tab.local.expected(&tab.build.query());
    match expected.filter(|(expected, _)| expected.kept > rows as u64) {
        Some((expected, _)) => format!("first {rows} of {} rows", words::number(expected.kept)),
        None => format!("{rows} rows"),
    }
}

/// The status of the export that was started last.
fn standing(tab: &ExportTab, ctx: &ViewCtx<'_>) -> Vec<Line<'static>> {
    let theme = ctx.theme;
    let line = |tone: Tone, words: String| {
        Line::from(vec![
            Span::styled(format!("{} ", tone.sign()), theme.tone(tone)),
            Span::raw(words),
        ])
    };
    if let Some(error) = tab.preview.error().filter(|_| tab.rows() > 0) {
        return vec![failure::line("", error, theme)];
    }
    if let Some(export) = &tab.run
        && let Some(exported) = &export.exported
    {
        let run = &export.run;
        let mut lines = Vec::new();
        if run.query != tab.build.query() {
            let former = format!("~ the last run, of an older form: {}", run.query.feed);
            lines.push(Line::styled(former, theme.stale));
        }
        lines.push(line(Tone::Ok, export_outcome(exported)));
        lines.extend(tab.compared(run).map(|words| line(Tone::Info, words)));
        lines.extend(rows_words(tab, ctx).map(|words| Line::styled(words, theme.dim)));
        return lines;
    }
    let Some(job) = tab.job(ctx.jobs) else {
        return Vec::new();
    };
    vec![match &job.state {
        JobState::Failed(error) => failure::line("", error, theme),
        JobState::Cancelled => line(Tone::Info, "the export was stopped".to_owned()),
        JobState::Done(words) => line(Tone::Ok, words.clone()),
        JobState::Running | JobState::Paused => {
            let is_local = matches!(job.question, Question::ExportLocal(_));
            let waits = if is_local {
                "reading the local release"
            } else {
                "asking"
            };
            let stage = job.progress.map_or(waits, |progress| progress.stage.word());
            let share = ctx.jobs.share_of(job.id);
            let far = share.map_or_else(|| meter::words(job), |share| format!("{share}%"));
            let parts = [stage, &far, "(x stops)"].into_iter();
            let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
            line(Tone::Info, format!("exporting: {}", parts.join("  ")))
        }
    }]
}

/// How the rows of the export are seen, or how far they are.
fn rows_words(tab: &ExportTab, ctx: &ViewCtx<'_>) -> Option<String> {
    let results = tab.results.as_ref()?;
    let Some(job) = results.list.rows().pending() else {
        return Some("I shows all its rows".to_owned());
    };
    let share = ctx.jobs.share_of(job);
    let share = share.map_or_else(String::new, |share| format!(" {share}%"));
    Some(format!("~ finding its rows{share}"))
}

fn rows(
    frame: &mut Frame<'_>,
    area: Rect,
    tab: &ExportTab,
    shown: &PreviewRows,
    ctx: &ViewCtx<'_>,
    focus: Focus,
) {
    let sample = &shown.sample;
    let row = |index: usize| {
        let row = shown.shown(index);
        row.map(|cell| Line::raw(cells::cut(&cell, LONGEST).into_owned()))
            .collect::<Vec<_>>()
    };
    let columns = shown.columns();
    Table::new(&columns, &tab.cursor, sample.rows.len()).draw(frame, area, row, ctx, focus);
}

/// Shown where there are no rows: why, and how to get some.
fn draw_without_rows(
    frame: &mut Frame<'_>,
    area: Rect,
    tab: &ExportTab,
    shown: Option<&PreviewRows>,
    ctx: &ViewCtx<'_>,
) {
    let theme = ctx.theme;
    let exported = tab.run.as_ref().filter(|export| export.exported.is_some());
    let mmdb = exported.is_some_and(|export| export.run.query.output == Output::Mmdb);
    let lack = ctx.facts.lack_of_exports();
    let run = match &lack {
        Some(lack) => lack.as_str(),
        None => "ctrl-s runs the export to a file and shows its rows",
    };
    let local = tab.local.rows.error().filter(|_| !tab.local.is_missing());
    let mut lines = if let Some(error) = tab.preview.error().or(local) {
        let mut lines = failure::lines("", error, "", run, theme);
        lines.extend(failure::across(error, Area::Exports, "", ctx.facts, theme));
        lines
    } else {
        let why = if tab.preview.is_pending() {
            Some(Line::styled("~ asking for rows; x stops", theme.warn))
        } else if shown.is_some() {
            Some(Line::raw("no record matches"))
        } else if mmdb {
            Some(Line::raw("an MMDB file has no rows to show"))
        } else {
            None
        };
        why.into_iter()
            .chain([Line::styled(run.to_owned(), theme.dim)])
            .collect()
    };
    if lack.is_none() {
        let few = "S asks the service for 12 rows, which are not saved";
        lines.push(Line::styled(few, theme.dim));
    }
    page::draw_lines(frame, area, lines, theme);
}
