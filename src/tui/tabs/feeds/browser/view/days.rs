//! Two days, compared: what was added, removed and changed, with the numbers beside it.

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    text::{Line, Span},
};

use super::{head::age, prose::lines};
use crate::{
    model::visible,
    report::count,
    store::{
        Moment,
        diff::{Counts, Kind, Tallied},
    },
    tui::{
        ctx::{ViewCtx, failure},
        tabs::feeds::browser::{
            Part,
            diff::{Comparison, DiffRow, totals},
        },
        ui::{
            areas::WIDE,
            cells,
            glyphs::ARROW,
            spots::PaneId,
            theme::{Focus, Theme},
            widgets::{
                bar::{Bar, Part as BarPart},
                columns::{Column, Width},
                pane::Pane,
                table::Table,
            },
        },
    },
};

/// Operators and countries that are listed.
const MOST: usize = 5;
/// Cells of the numbers.
const NUMBERS: u16 = 42;
/// Lines of the details on a small screen.
const DETAILS: u16 = 6;

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, days: &Comparison, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let [head, body] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(area);
    let query = &days.query;
    let newer = Moment::Day(query.to);
    ctx.ages.note(newer.begins(), ctx.now);
    let label = Line::from(vec![
        Span::styled(format!(" {}", query.feed), theme.title),
        Span::raw(format!(
            " {} {ARROW} {}",
            query.from.dashed(),
            query.to.dashed()
        )),
        age(newer, ctx.now, theme),
    ]);
    let numbers = days
        .summary
        .value()
        .map_or_else(|| "counting".to_owned(), totals);
    let mut bar = Bar::new()
        .left(BarPart::new(label, 0))
        .right(BarPart::new(Span::styled(numbers + " ", theme.dim), 1));
    if !query.filter.is_empty() {
        let text = visible(&query.filter.to_string()).into_owned();
        let filter = Line::from(vec![Span::styled("/ ", theme.accent), Span::raw(text)]);
        bar = bar.left(BarPart::new(filter, 2));
    }
    bar.draw(frame, head);
    let is_wide = area.width >= WIDE;
    let [list, numbers, details] = if is_wide {
        let [list, beside] =
            Layout::horizontal([Constraint::Min(0), Constraint::Length(NUMBERS)]).areas(body);
        let [numbers, details] =
            Layout::vertical([Constraint::Fill(1), Constraint::Fill(1)]).areas(beside);
        [list, numbers, details]
    } else {
        let [list, details] =
            Layout::vertical([Constraint::Min(0), Constraint::Length(DETAILS)]).areas(body);
        [list, Rect::default(), details]
    };
    ctx.spots.pane(list, Part::Records as PaneId);
    records(frame, list, days, ctx);
    if is_wide {
        in_numbers(frame, numbers, days, theme);
    }
    if let Some(row) = days.selected() {
        in_full(frame, details, row, theme);
    }
}

/// All of what a row says.
fn in_full(frame: &mut Frame<'_>, area: Rect, row: &DiffRow, theme: &Theme) {
    let inner = Pane::new(row.name.clone(), Focus::Elsewhere).draw(frame, area, theme);
    let line = |(name, value): &(String, String)| {
        Line::from(vec![
            Span::styled(format!("{} ", visible(name)), theme.label),
            Span::raw(visible(value).into_owned()),
        ])
    };
    lines(frame, inner, row.what.iter().map(line).collect());
}

fn records(frame: &mut Frame<'_>, area: Rect, days: &Comparison, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let len = days.rows.len();
    let mut pane = Pane::new("Added, removed, changed", Focus::Here);
    if let Some(at) = days.cursor.selected(len) {
        let all = match days.summary.value() {
            Some(summary) => count(summary.totals.sum()),
            None if days.is_whole() => count(len as u64),
            None => format!("{}+", count(len as u64)),
        };
        let cut = if days.is_cut() {
            "; a filter shows others"
        } else {
            ""
        };
        pane = pane.hint(format!("{} of {}{cut}", count(at as u64 + 1), all));
    }
    let inner = pane.draw(frame, area, theme);
    if let (Some(error), 0) = (days.error(), len) {
        return lines(
            frame,
            inner,
            failure::lines("", error, "  ", "esc back to the records", theme),
        );
    }
    if len == 0 {
        let text = if days.is_pending() {
            "comparing"
        } else if days.is_whole() {
            "no difference"
        } else {
            "stopped"
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
    table.draw(frame, inner, row, ctx, Focus::Here);
    if let Some(error) = days.error() {
        let why = format!("x {}", visible(&error.message));
        failure::over_last_line(frame, inner, &why, theme);
    }
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
        Line::raw(visible(&row.brief()).into_owned()),
    ]
}

fn in_numbers(frame: &mut Frame<'_>, area: Rect, days: &Comparison, theme: &Theme) {
    let inner = Pane::new("In numbers", Focus::Elsewhere).draw(frame, area, theme);
    let Some(summary) = days.summary.value() else {
        return;
    };
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
        text.push(Line::styled("changed operator", theme.title));
        for own in summary.moves.iter().take(MOST) {
            let words = format!("  {} {ARROW} {}", visible(&own.from), visible(&own.to));
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
