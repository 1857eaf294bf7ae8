//! Draws the comparison of two days: the records added, removed and changed, with their numbers beside them.

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
        diff::{ChangeCounts, Tallied},
    },
    tui::{
        ctx::{ViewCtx, failure, list::Rows},
        tabs::feeds::browser::{
            BrowserFocus,
            diff::{Comparison, KINDS},
            diff_rows::{DiffRow, style_of, words_of},
        },
        ui::{
            areas::WIDE,
            cells,
            glyphs::ARROW,
            spots::PaneId,
            theme::{Focus, Theme},
            widgets::{
                bar::{BarLine, BarPart},
                pane::Pane,
            },
        },
    },
};

/// The minimum number of operators and countries in the lists.
const LEAST: usize = 5;
/// The meaning of the signs before numbers.
const LEGEND: &str = "+ added   - removed   ~ changed";
/// The width of the numbers in cells.
const NUMBERS: u16 = 42;
/// The maximum width for aligning labels, in cells.
const LABELS: u16 = 16;
/// The height of the details on a small screen.
const DETAILS: u16 = 6;

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, days: &Comparison, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let [head, body] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(area);
    let query = days.query();
    let newer = Moment::Day(query.to);
    let generated = days.generated.unwrap_or_else(|| newer.generation());
    ctx.ages.note(generated.at, ctx.now);
    let label = Line::from(vec![
        Span::styled(format!(" {}", query.feed), theme.title),
        Span::raw(format!(
            " {} {ARROW} {}",
            query.from.dashed(),
            query.to.dashed()
        )),
        age(newer, generated, ctx.now, theme),
    ]);
    let mut bar = BarLine::new().left(BarPart::new(label, 0));
    if days.summary.is_pending() {
        bar = bar.right(BarPart::new(Span::styled("counting ", theme.dim), 1));
    }
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
    ctx.spots.pane(list, BrowserFocus::Records as PaneId);
    records(frame, list, days, ctx);
    if is_wide {
        in_numbers(frame, numbers, days, theme);
    }
    if let Some(row) = days.list.row() {
        in_full(frame, details, row, theme);
    }
}

/// Draws the whole content of a row.
fn in_full(frame: &mut Frame<'_>, area: Rect, row: &DiffRow, theme: &Theme) {
    let inner = Pane::new(row.name.clone(), Focus::Elsewhere).draw(frame, area, theme);
    let names = row.what.iter().map(|(name, _)| cells::width(name));
    let widest = usize::from(names.max().unwrap_or_default().min(LABELS));
    let line = |(name, value): &(String, String)| {
        let name = format!("{:<widest$}  ", visible(name));
        let value = Line::raw(visible(value).into_owned());
        cells::hang(Line::styled(name, theme.label), value, inner.width)
    };
    lines(frame, inner, row.what.iter().flat_map(line).collect());
}

fn records(frame: &mut Frame<'_>, area: Rect, days: &Comparison, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let rows = days.list.rows();
    let len = rows.len();
    let mut pane = Pane::new(chips(days, theme), Focus::Here);
    if let Some(at) = days.list.position() {
        let all = match days.number(rows.query.kind) {
            Some(number) => count(number),
            None if rows.is_whole() => count(len as u64),
            None => format!("{}+", count(len as u64)),
        };
        let cut = if rows.is_cut() {
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
        let text = if rows.is_pending() {
            "comparing"
        } else if rows.is_whole() && rows.query.kind.is_some() {
            "no record of this kind"
        } else if rows.is_whole() {
            "no difference"
        } else {
            "stopped"
        };
        return lines(frame, inner, vec![Line::styled(text, theme.dim)]);
    }
    days.list.draw_rows(frame, inner, Focus::Here, false, ctx);
    if let Some(error) = days.error() {
        let why = format!("x {}", visible(&error.message));
        failure::over_last_lines(frame, inner, &why, theme);
    }
}

/// The kinds with their numbers; the current one is in brackets.
fn chips(days: &Comparison, theme: &Theme) -> Line<'static> {
    let mut line = Line::default();
    for kind in KINDS {
        let (sign, name) = kind.map_or((None, "all"), |kind| {
            let (sign, name) = words_of(kind);
            (Some(sign), name)
        });
        let number = days
            .number(kind)
            .map(|number| format!(" {}", count(number)));
        let sign = sign.map(String::from).unwrap_or_default();
        let words = format!("{sign}{name}{}", number.unwrap_or_default());
        let is_listed = kind == days.query().kind;
        let style = match kind {
            _ if is_listed => theme.title,
            Some(kind) => style_of(kind, theme),
            None => theme.dim,
        };
        let words = if is_listed {
            format!("[{words}]")
        } else {
            format!(" {words} ")
        };
        line.push_span(Span::styled(words, style));
    }
    line
}

fn in_numbers(frame: &mut Frame<'_>, area: Rect, days: &Comparison, theme: &Theme) {
    let inner = Pane::new("In numbers", Focus::Elsewhere).draw(frame, area, theme);
    let Some(summary) = days.summary.value() else {
        return;
    };
    let width = inner.width;
    // The legend, and three lists with a head each.
    let most = usize::from(inner.height.saturating_sub(4) / 3).max(LEAST);
    let mut text = vec![Line::styled(LEGEND, theme.dim)];
    let mut list = |title: &'static str, tallied: &[Tallied]| {
        if tallied.is_empty() {
            return;
        }
        text.push(head_of(
            title,
            tallied.len().saturating_sub(most),
            width,
            theme,
        ));
        text.extend(
            tallied
                .iter()
                .take(most)
                .map(|own| tally(&own.value, own.counts, width)),
        );
    };
    list("operators", &summary.operators);
    list("countries", &summary.countries);
    if !summary.moves.is_empty() {
        let more = summary.moves.len().saturating_sub(most);
        text.push(head_of("changed operator", more, width, theme));
        for own in summary.moves.iter().take(most) {
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

/// The head of a list, with the number of its rows that are not shown.
fn head_of(title: &'static str, more: usize, width: u16, theme: &Theme) -> Line<'static> {
    let more = if more > 0 {
        format!("{} more", count(more as u64))
    } else {
        String::new()
    };
    let gap = width.saturating_sub(cells::width(title) + cells::width(&more));
    Line::from(vec![
        Span::styled(title, theme.title),
        Span::raw(" ".repeat(gap.into())),
        Span::styled(more, theme.dim),
    ])
}

fn tally(value: &str, counts: ChangeCounts, width: u16) -> Line<'static> {
    let numbers = format!(
        "+{} -{} ~{}",
        count(counts.added),
        count(counts.removed),
        count(counts.changed)
    );
    spread(&format!("  {}", visible(value)), &numbers, width)
}

/// A line with one text at the left and one at the right.
fn spread(left: &str, right: &str, width: u16) -> Line<'static> {
    let room = width.saturating_sub(cells::width(right) + 1);
    let left = cells::cut(left, room).into_owned();
    let gap = width.saturating_sub(cells::width(&left) + cells::width(right));
    Line::raw(format!("{left}{}{right}", " ".repeat(gap.into())))
}
