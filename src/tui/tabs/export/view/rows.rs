//! The table of an export's rows: the outcome, the filter, and the visible rows.

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    text::{Line, Span},
};

use crate::{
    engine::{ColumnOrder, TablePage},
    model::{Day, visible},
    tui::{
        ctx::{ViewCtx, failure},
        tabs::export::{
            ExportFocus, ExportTab, preview,
            results::{Above, ExportProvenance, ResultsTable},
        },
        ui::{
            cells,
            spots::{PaneId, Pen},
            theme::Focus,
            widgets::{
                columns::{Column, settle},
                page,
                pane::Pane,
            },
            words,
        },
    },
};

/// Cells at the left for the sign of the row under the cursor.
const GUTTER: u16 = 2;
/// The longest network in CIDR notation: what is longer is no address, and must not push the others out.
const LONGEST: u16 = 43;

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
    if results.at_hand().is_some_and(|(page, _)| page.is_torn) {
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
    let len = results.len();
    let mut line = Line::default();
    let number = |count: usize| words::number(count as u64);
    let chosen = match (results.range(), results.marks.len()) {
        (Some(range), _) => format!("{} in the range   ", number(range.len())),
        _ if results.is_marking() => "marking   ".to_owned(),
        (None, 0) => String::new(),
        (None, marked) => format!("{} marked   ", number(marked)),
    };
    line.push_span(Span::styled(chosen, theme.dim));
    if let Some(at) = results.cursor.selected(len) {
        let of = format!(
            "{} of {}",
            words::number(at as u64 + 1),
            words::number(len as u64)
        );
        line.push_span(Span::styled(of, theme.dim));
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
    if let Some(Above::Filter(field, _)) = &results.above {
        frame.render_widget(Line::styled("/", theme.accent), area);
        let place = Rect {
            x: area.x + area.width.min(2),
            width: area.width.saturating_sub(2) / 2,
            ..area
        };
        field.draw(frame, place, theme, Focus::Here);
        let line = state(results, ctx).right_aligned();
        return frame.render_widget(line, area);
    }
    let mut line = Line::default();
    let filter = &results.query().filter;
    if !filter.is_empty() {
        line.push_span(Span::styled("/ ", theme.accent));
        line.push_span(Span::raw(format!("{}   ", visible(filter))));
    }
    line.extend(state(results, ctx).spans);
    if let (Some(sort), Some((page, _))) = (results.query().sort, results.at_hand())
        && let Some(name) = page.columns.get(sort.column)
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
    if let Some(job) = results.page.pending()
        && results.at_hand().is_none_or(|(_, is_old)| is_old)
    {
        let doing = match results.at_hand() {
            None => "finding the rows",
            Some(_) if results.query().sort.is_some() => "sorting",
            Some(_) => "filtering",
        };
        let share = ctx.jobs.share_of(job);
        let share = share.map_or_else(String::new, |share| format!(" {share}%"));
        return Line::styled(format!("~ {doing}{share}  (x stops)"), theme.warn);
    }
    match results.at_hand() {
        Some((page, false)) if page.count < page.records => Line::raw(format!(
            "{} of {} rows",
            words::number(page.count),
            words::number(page.records)
        )),
        Some((page, false)) => Line::styled(
            format!("all {} rows", words::number(page.records)),
            theme.dim,
        ),
        _ => Line::default(),
    }
}

fn body(frame: &mut Frame<'_>, area: Rect, results: &ResultsTable, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    if let Some(error) = results.page.error() {
        let lines = failure::lines(
            "",
            error,
            "  ",
            "R tries again   bksp back to the form",
            theme,
        );
        return page::draw_lines(frame, area, lines, theme);
    }
    let Some((page, is_old)) = results.at_hand() else {
        return;
    };
    if page.count == 0 && !is_old {
        let words = if page.records == 0 {
            "the export has no rows"
        } else {
            "no row has these words; esc clears the filter"
        };
        return page::draw_lines(frame, area, [Line::styled(words, theme.dim)], theme);
    }
    table(frame, area, results, (page, is_old), ctx);
}

fn table(
    frame: &mut Frame<'_>,
    area: Rect,
    results: &ResultsTable,
    (page, is_old): (&TablePage, bool),
    ctx: &ViewCtx<'_>,
) {
    let (theme, pen) = (ctx.theme, Pen::from(ctx));
    let height = usize::from(area.height.saturating_sub(1));
    let first = usize::try_from(page.first).unwrap_or(usize::MAX);
    let window = if is_old {
        first..first + height
    } else {
        results.cursor.window(results.len(), height)
    };
    let order = results.columns();
    let cell = |row: &[String], at: usize| {
        let text = row.get(at).map_or("", String::as_str);
        let text = preview::cell_text(&page.columns[at], text);
        cells::cut(&text, LONGEST).into_owned()
    };
    let rows: Vec<(usize, Vec<String>)> = window
        .filter_map(|position| {
            let row = page.rows.get(position.checked_sub(first)?)?;
            let cells = order.iter().map(|at| cell(row, *at));
            Some((position, cells.collect()))
        })
        .collect();
    let columns: Vec<Column<'_>> = order
        .iter()
        .enumerate()
        .map(|(place, at)| {
            let column = preview::column(&page.columns[*at], sign(results.query().sort, *at));
            let column = column.sorts(Some(place));
            // The column under the cursor stays.
            if *at == results.column {
                column.rank(0)
            } else {
                column
            }
        })
        .collect();
    let room = area.width.saturating_sub(GUTTER);
    let settled = settle(&columns, room, |at| {
        let widths = rows.iter().map(|(_, cells)| cells::width(&cells[at]));
        widths.max().unwrap_or_default()
    });
    let beside_gutter = |place: Rect| Rect {
        x: place.x + GUTTER.min(place.width),
        width: room,
        ..place
    };
    let put = |frame: &mut Frame<'_>, place: Rect, line: Line<'_>| {
        let text = beside_gutter(place);
        frame.render_widget(cells::cut_line(line, text.width), text);
    };
    let mut places = area.rows();
    if let Some(place) = places.next() {
        let mut line = settled.header();
        line.style = theme.header;
        put(frame, place, line);
        settled.note_heads(beside_gutter(place), pen);
    }
    let at = order.iter().position(|own| *own == results.column);
    let under = at.and_then(|at| settled.place(at));
    let selected = results.cursor.selected(results.len()).filter(|_| !is_old);
    let range = results.range().filter(|_| !is_old);
    for ((position, cells), place) in rows.into_iter().zip(places) {
        let is_in_range = range
            .as_ref()
            .is_some_and(|range| range.contains(&position));
        let row = position.checked_sub(first).and_then(|at| page.rows.get(at));
        let is_marked = is_in_range || row.is_some_and(|row| results.marks.contains(row));
        let mut line = settled.line(cells.into_iter().map(Line::raw).collect());
        line.style = if is_old { theme.stale } else { theme.text };
        put(frame, place, line);
        if is_marked && place.width > 1 {
            frame.buffer_mut()[(place.x + 1, place.y)]
                .set_symbol("*")
                .set_style(theme.accent);
        }
        if !is_old {
            let is_typing = results.above.is_some();
            pen.row(place, position, !is_typing && selected == Some(position));
        }
        if selected == Some(position) {
            frame.buffer_mut().set_style(place, theme.row(Focus::Here));
            frame.buffer_mut()[(place.x, place.y)].set_symbol(">");
            if let Some((start, width)) = under {
                let x = place.x.saturating_add(GUTTER).saturating_add(start);
                let cell = Rect { x, width, ..place };
                let cell = cell.intersection(place);
                frame.buffer_mut().set_style(cell, theme.matched);
            }
        }
    }
}

/// The sign at the head of the column by which the rows are sorted.
fn sign(sort: Option<ColumnOrder>, column: usize) -> &'static str {
    match sort {
        Some(own) if own.column == column && own.descending => " v",
        Some(own) if own.column == column => " ^",
        _ => "",
    }
}
