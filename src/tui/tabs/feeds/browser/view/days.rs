//! Two days, compared: what was added, removed and changed, with the numbers beside it.

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    text::{Line, Span},
};

use super::prose::lines;
use crate::{
    model::visible,
    report::count,
    store::diff::{Counts, Kind, Summary, Tallied},
    tui::{
        ctx::{ViewCtx, failure},
        tabs::feeds::browser::diff::{Comparison, DiffRow, totals},
        ui::{
            areas::WIDE,
            cells,
            theme::{Focus, Theme},
            widgets::{
                columns::{Column, Width},
                pane::Pane,
                table::Table,
            },
        },
    },
};

/// Operators and countries that are listed.
const MOST: usize = 8;

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, days: &Comparison, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let [head, body] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(area);
    let query = &days.query;
    let mut line = Line::from(vec![
        Span::styled(format!(" {}", query.feed), theme.title),
        Span::raw(format!(" {} > {}", query.from.dashed(), query.to.dashed())),
    ]);
    if !query.filter.is_empty() {
        line.push_span(Span::styled("  / ", theme.accent));
        line.push_span(Span::raw(visible(&query.filter.to_string()).into_owned()));
    }
    let summary = days
        .summary
        .value()
        .map_or_else(|| "counting".to_owned(), totals);
    line.push_span(Span::styled(format!("   {summary}"), theme.dim));
    frame.render_widget(cells::cut_line(line, head.width), head);
    let is_wide = area.width >= WIDE;
    let beside = if is_wide { 38 } else { 0 };
    let [list, numbers] =
        Layout::horizontal([Constraint::Min(0), Constraint::Length(beside)]).areas(body);
    records(frame, list, days, theme);
    if let Some(summary) = days.summary.value().filter(|_| is_wide) {
        in_numbers(frame, numbers, summary, theme);
    }
}

fn records(frame: &mut Frame<'_>, area: Rect, days: &Comparison, theme: &Theme) {
    let len = days.rows.len();
    let mut pane = Pane::new("Added, removed, changed", Focus::Here);
    if let Some(at) = days.cursor.selected(len) {
        let all = days
            .summary
            .value()
            .map_or(len as u64, |summary| summary.totals.sum());
        let cut = if days.is_cut() {
            "; a filter shows others"
        } else {
            ""
        };
        pane = pane.hint(format!("{} of {}{cut}", count(at as u64 + 1), count(all)));
    }
    let inner = pane.draw(frame, area, theme);
    if let Some(error) = days.error() {
        return lines(
            frame,
            inner,
            failure::lines("", error, "  ", "esc back to the records", theme),
        );
    }
    if len == 0 {
        let text = if days.is_pending() {
            "comparing"
        } else {
            "no difference"
        };
        return lines(frame, inner, vec![Line::styled(text, theme.dim)]);
    }
    let columns = [
        Column::new("", Width::Fixed(1)),
        Column::new("ADDRESS", Width::Min(13)),
        Column::new("WHAT", Width::Fill(20)),
    ];
    let row = |at: usize| cells_of(&days.rows[at], theme);
    let table = Table::new(&columns, &days.cursor, len);
    table.draw(frame, inner, row, theme, Focus::Here);
}

fn cells_of(row: &DiffRow, theme: &Theme) -> Vec<Line<'static>> {
    let (sign, style) = match row.kind {
        Kind::Added => ("+", theme.good),
        Kind::Deleted => ("-", theme.bad),
        Kind::Changed => ("~", theme.accent),
    };
    vec![
        Line::styled(sign, style),
        Line::raw(row.name.clone()),
        Line::raw(visible(&row.what).into_owned()),
    ]
}

fn in_numbers(frame: &mut Frame<'_>, area: Rect, summary: &Summary, theme: &Theme) {
    let inner = Pane::new("In numbers", Focus::Elsewhere).draw(frame, area, theme);
    let width = inner.width;
    let mut text = Vec::new();
    let mut list = |title: &'static str, tallied: &[Tallied]| {
        if tallied.is_empty() {
            return;
        }
        text.push(Line::styled(title, theme.title));
        text.extend(
            tallied
                .iter()
                .take(MOST)
                .map(|own| tally(&own.value, own.counts, width)),
        );
    };
    list("operators", &summary.operators);
    list("countries", &summary.countries);
    if !summary.moves.is_empty() {
        text.push(Line::styled("took over", theme.title));
        for own in summary.moves.iter().take(MOST) {
            let words = format!("  {} > {}", visible(&own.from), visible(&own.to));
            text.push(spread(&words, &count(own.count), width));
        }
    }
    if summary.cut {
        text.push(Line::styled("more than can be listed", theme.dim));
    }
    for (line, row) in text.into_iter().zip(inner.rows()) {
        frame.render_widget(line, row);
    }
}

fn tally(value: &str, counts: Counts, width: u16) -> Line<'static> {
    let numbers = format!(
        "+{} -{} ~{}",
        count(counts.appeared),
        count(counts.left),
        count(counts.changed)
    );
    spread(&format!("  {}", visible(value)), &numbers, width)
}

/// A text at the left and one at the right.
fn spread(left: &str, right: &str, width: u16) -> Line<'static> {
    let room = width.saturating_sub(cells::width(right) + 1);
    let left = cells::cut(left, room).into_owned();
    let gap = width.saturating_sub(cells::width(&left) + cells::width(right));
    Line::raw(format!("{left}{}{right}", " ".repeat(gap.into())))
}
