//! The table of an export's rows: the outcome, the filter, and the visible rows.

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    text::{Line, Span},
};

use crate::{
    model::{Day, visible},
    tui::{
        ctx::{ViewCtx, failure},
        tabs::export::{
            ExportFocus, ExportTab,
            results::{ExportProvenance, ResultsTable},
        },
        ui::{Focus, Pane, PaneId, areas, cells, widgets::page, words},
    },
};

pub(super) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    results: &ResultsTable,
    tab: &ExportTab,
    ctx: &ViewCtx<'_>,
) {
    ctx.spots.pane(area, ExportFocus::Preview as PaneId);
    let theme = ctx.theme;
    let name = results.run.file.file_name();
    let name = name.map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let title = format!("Rows of {}", visible(&name));
    let inner = Pane::new(title, Focus::Here)
        .source(source(results, ctx))
        .hint(hint(results, tab, ctx))
        .draw(frame, area, theme);
    let words = tab.compared(&results.run);
    let [outcome, compared, filter, table] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(words.is_some().into()),
        Constraint::Length(1),
        Constraint::Min(0),
    ])
    .areas(inner);
    let mut line = Line::default();
    line.push_span(Span::raw(outcome_in(outcome.width, results)));
    if results.head().is_some_and(|(head, _)| head.is_torn) {
        line.push_span(Span::styled("  ! it ends within a row", theme.warn));
    }
    frame.render_widget(cells::cut_line(line, outcome.width), outcome);
    let line = Line::styled(words.unwrap_or_default(), theme.text);
    frame.render_widget(cells::cut_line(line, compared.width), compared);
    head(frame, filter, results, ctx);
    body(frame, table, results, ctx);
}

/// What came of the export in so many cells: a long path loses its beginning.
fn outcome_in(room: u16, results: &ResultsTable) -> String {
    let file = results.run.file.display().to_string();
    let file = visible(&file);
    match results.outcome.strip_suffix(&*file) {
        Some(words) => {
            let room = room.saturating_sub(cells::width(words));
            format!("{words}{}", cells::cut_start(&file, room))
        }
        None => results.outcome.clone(),
    }
}

/// Who answered the export, of which day, and its age. The service names no day: there it is the one on which it was asked.
fn source(results: &ResultsTable, ctx: &ViewCtx<'_>) -> Line<'static> {
    let feed = results.run.query.feed;
    let words = match results.answered {
        None => format!("{feed}, release not known"),
        Some(ExportProvenance {
            release: Some((release, generation)),
            ..
        }) => format!(
            "LOCAL {feed} {}, {} old",
            release.dashed(),
            ctx.age(generation)
        ),
        Some(ExportProvenance { is_local, at, .. }) => {
            let who = if is_local { "LOCAL" } else { "LIVE" };
            let (day, age) = (Day::of(at).dashed(), ctx.age(at));
            format!("{who} {feed}, asked {day}, {age}")
        }
    };
    Line::styled(words, ctx.theme.badge)
}

/// Which row the cursor is on, and what Enter costs there.
fn hint(results: &ResultsTable, tab: &ExportTab, ctx: &ViewCtx<'_>) -> Line<'static> {
    let theme = ctx.theme;
    let mut line = Line::default();
    line.push_span(Span::styled(results.list.standing(""), theme.dim));
    if results.list.position().is_some() {
        line.push_span(Span::styled("  enter", theme.key));
        let price = tab.price.words(ctx.facts, ctx.now);
        line.push_span(Span::styled(format!(" look up: {price}"), theme.hint));
    }
    line.push_span(Span::styled("  bksp", theme.key));
    line.push_span(Span::styled(" form", theme.hint));
    line
}

/// The filter and the order, or how far they are.
fn head(frame: &mut Frame<'_>, area: Rect, results: &ResultsTable, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    if let Some((field, _)) = &results.typing {
        let [typed, _] = areas::split_at(area, area.width / 2 + 1);
        field.draw_behind("/", frame, typed, theme);
        let line = state(results, ctx).right_aligned();
        return frame.render_widget(line, area);
    }
    let mut line = Line::default();
    let filter = &results.list.query().filter;
    if !filter.is_empty() {
        line.push_span(Span::styled("/ ", theme.accent));
        line.push_span(Span::raw(format!("{}   ", visible(filter))));
    }
    line.extend(state(results, ctx).spans);
    if let (Some(sort), Some((head, _))) = (results.list.query().sort, results.head())
        && let Some(name) = head.columns.get(sort.column)
    {
        let way = if sort.descending { ", last first" } else { "" };
        let words = format!("   sorted by {}{way}", visible(name));
        line.push_span(Span::styled(words, theme.dim));
    }
    frame.render_widget(cells::cut_line(line, area.width), area);
}

/// How many rows there are, or how far the file was read.
fn state(results: &ResultsTable, ctx: &ViewCtx<'_>) -> Line<'static> {
    let theme = ctx.theme;
    if let Some(job) = results.list.rows().pending()
        && results.head().is_none_or(|(_, is_old)| is_old)
    {
        let doing = match results.head() {
            None => "finding the rows",
            Some(_) if results.list.query().sort.is_some() => "sorting",
            Some(_) => "filtering",
        };
        let share = ctx.jobs.share_of(job);
        let share = share.map_or_else(String::new, |share| format!(" {share}%"));
        return Line::styled(format!("~ {doing}{share}  (x stops)"), theme.warn);
    }
    match results.head() {
        Some((head, false)) if head.count < head.records => Line::raw(format!(
            "{} of {} rows",
            words::number(head.count),
            words::number(head.records)
        )),
        Some((head, false)) => Line::styled(
            format!("all {} rows", words::number(head.records)),
            theme.dim,
        ),
        _ => Line::default(),
    }
}

fn body(frame: &mut Frame<'_>, area: Rect, results: &ResultsTable, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    if let Some(error) = results.list.rows().error() {
        let lines = failure::lines(
            "",
            error,
            "  ",
            "R tries again   bksp back to the form",
            theme,
        );
        return page::draw_lines(frame, area, lines, theme);
    }
    let Some((head, is_old)) = results.head() else {
        return;
    };
    if head.count == 0 && !is_old {
        let words = if head.records == 0 {
            "the export has no rows"
        } else {
            "no row has these words; esc clears the filter"
        };
        return page::draw_lines(frame, area, [Line::styled(words, theme.dim)], theme);
    }
    let list = &results.list;
    list.draw_rows(frame, area, Focus::Here, is_old, ctx);
}
