//! Draws the table of records. The first column is fixed, the others scroll sideways; only the rows in view are built.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::{over, prose::lines, widths::VisibleColumns};
use crate::{
    report::{TextCell, count, unknown_value},
    tui::{
        ctx::{ViewCtx, failure},
        tabs::feeds::browser::{
            Browser, BrowserOverlay, areas::BrowserAreas, loaded_rows::ViewRows, row::BrowserRow,
            sorting,
        },
        ui::{
            cells, glyphs,
            spots::Pen,
            theme::{Focus, Theme},
            widgets::{
                columns::{SizedColumns, settle},
                pane::Pane,
            },
        },
    },
};

/// Cells at the left for the cursor sign and the mark.
const GUTTER: u16 = 2;

pub(super) fn draw(
    frame: &mut Frame<'_>,
    parts: &BrowserAreas,
    browser: &Browser,
    ctx: &ViewCtx<'_>,
    focus: Focus,
) {
    let theme = ctx.theme;
    let (title, hint) = (title(browser, theme), position(browser, theme));
    let inside = parts.inside();
    if parts.is_wide {
        Pane::new(title, focus)
            .hint(hint)
            .draw(frame, parts.table, theme);
    } else {
        let rule = Rect {
            height: parts.table.height.min(1),
            ..parts.table
        };
        rule_line(frame, rule, title, hint, theme);
    }
    if inside.is_empty() {
        return;
    }
    let Some(shown) = browser.held.shown() else {
        let text = match browser.held.error(browser.query()) {
            Some(error) => failure::lines(
                "",
                error,
                "  ",
                "R tries again   esc back to the feeds",
                theme,
            ),
            None => vec![Line::styled(
                format!("opening {}", browser.query().feed),
                theme.dim,
            )],
        };
        return lines(frame, inside, text);
    };
    let body = match browser.held.error(browser.query()) {
        // The rows of the last answer stay, marked as outdated.
        Some(error) => {
            let text = failure::lines(
                "",
                error,
                "  ",
                "R tries again; the rows below are older",
                theme,
            );
            let height = u16::try_from(text.len())
                .unwrap_or(inside.height)
                .min(inside.height);
            lines(frame, Rect { height, ..inside }, text);
            Rect {
                y: inside.y + height,
                height: inside.height - height,
                ..inside
            }
        }
        None => inside,
    };
    if shown.view.count == 0 && shown.query == *browser.query() {
        return nothing(frame, body, browser, ctx, focus);
    }
    rows(frame, body, shown, browser, ctx, focus);
}

/// The title of the table: its order, and a newer release.
fn title(browser: &Browser, theme: &Theme) -> Line<'static> {
    let order = sorting::words(browser.query().feed, browser.query().order);
    let mut spans = vec![
        Span::raw("Records"),
        Span::styled(format!(" {order}"), theme.dim),
    ];
    let newer = browser.held.shown().and_then(|shown| shown.view.newer);
    if let Some(newer) = newer {
        let text = format!("   newer release {}: R opens it", newer.dashed());
        spans.push(Span::styled(text, theme.warn));
    }
    Line::from(spans)
}

/// The position of the cursor, and the number of marked records.
fn position(browser: &Browser, theme: &Theme) -> Line<'static> {
    let len = browser.len();
    let Some(at) = browser.cursor.selected(len) else {
        return Line::default();
    };
    let mut text = String::new();
    if let Some(range) = browser.range() {
        text = format!("{} in the range   ", count(range.len() as u64));
    }
    if browser.marks.is_pending() {
        text += "marking   ";
    } else if !browser.marks.is_empty() {
        text += &format!("{} marked   ", count(browser.marks.len() as u64));
    }
    let hidden = browser.columns.iter().filter(|shown| !**shown).count();
    if hidden > 0 {
        text += &format!("{hidden} hidden columns: |   ");
    }
    Line::styled(
        format!("{text}{} of {}", count(at as u64 + 1), count(len as u64)),
        theme.dim,
    )
}

fn rule_line(
    frame: &mut Frame<'_>,
    area: Rect,
    title: Line<'static>,
    hint: Line<'static>,
    theme: &Theme,
) {
    if area.is_empty() {
        return;
    }
    let (before, behind) = (cells::line_width(&title), cells::line_width(&hint));
    let rest = area
        .width
        .saturating_sub(before.saturating_add(behind).saturating_add(5));
    let mut spans = vec![Span::styled(format!("{} ", glyphs::RULE), theme.border)];
    spans.extend(title.spans);
    spans.push(Span::styled(
        format!(" {} ", glyphs::RULE.repeat(rest.into())),
        theme.border,
    ));
    let hint_style = hint.style;
    spans.extend(
        hint.spans
            .into_iter()
            .map(|span| span.patch_style(hint_style)),
    );
    frame.render_widget(cells::cut_line(Line::from(spans), area.width), area);
}

/// Draws the view without records: the counts of the clauses, to drop one.
fn nothing(frame: &mut Frame<'_>, area: Rect, browser: &Browser, ctx: &ViewCtx<'_>, focus: Focus) {
    let theme = ctx.theme;
    if browser.query().filter.is_empty() {
        return lines(
            frame,
            area,
            vec![Line::styled("this release holds no record", theme.dim)],
        );
    }
    let feed = [browser.query().feed];
    let mut text = vec![Line::raw("no record matches the whole filter")];
    let unknown = browser.clauses.unknown();
    text.extend(unknown.map(|value| Line::raw(unknown_value(value, &feed))));
    text.push(Line::raw(""));
    let Some(menu) = browser.dropping() else {
        match browser.clauses.error() {
            Some(error) => text.extend(failure::lines("", error, "  ", "R tries again", theme)),
            None => text.push(Line::styled("counting its clauses", theme.dim)),
        }
        return lines(frame, area, text);
    };
    let hint = if matches!(browser.over, Some(BrowserOverlay::Filter(_))) {
        "enter applies the filter; enter again drops the selected clause"
    } else {
        "enter drops the selected clause; u brings it back"
    };
    text.push(Line::styled(hint, theme.dim));
    text.push(Line::raw(""));
    let height = u16::try_from(text.len())
        .unwrap_or(u16::MAX)
        .min(area.height);
    lines(frame, Rect { height, ..area }, text);
    let list = Rect {
        y: area.y + height,
        height: area.height - height,
        ..area
    };
    over::rows(frame, list, &menu, ctx.into(), focus);
}

fn rows(
    frame: &mut Frame<'_>,
    area: Rect,
    shown: &ViewRows,
    browser: &Browser,
    ctx: &ViewCtx<'_>,
    focus: Focus,
) {
    let theme = ctx.theme;
    let height = usize::from(area.height.saturating_sub(1));
    let window = browser.cursor.window(browser.len(), height);
    let drawn = browser.held.drawn(browser.query(), window.clone());
    let is_current = drawn == window && shown.query == *browser.query();
    let rows: Vec<(usize, &BrowserRow)> = drawn
        .filter_map(|position| Some((position, shown.row(position)?)))
        .take(height)
        .collect();
    let room = area.width.saturating_sub(GUTTER);
    let texts = VisibleColumns::of(browser, &rows);
    let (kinds, columns) = texts.in_view(room);
    let settled = settle(&columns, room, |at| texts.widest(kinds[at]));
    let mut places = area.rows();
    if let Some(place) = places.next() {
        let mut line = settled.header();
        line.style = theme.header;
        put(frame, place, line);
        settled.note_heads(beside_gutter(place), ctx.into());
    }
    let is_old = browser.held.error(browser.query()).is_some() || browser.held.is_late(ctx.now);
    let base = if is_old { theme.stale } else { theme.text };
    let selected = browser
        .cursor
        .selected(browser.len())
        .filter(|_| is_current);
    let range = browser.range().filter(|_| is_current);
    for ((position, row), place) in rows.into_iter().zip(places) {
        let cells = kinds
            .iter()
            .map(|kind| cell(&row.cells[*kind], is_old, theme));
        let mut line = settled.line(cells.collect());
        line.style = base;
        put(frame, place, line);
        let is_in_range = range
            .as_ref()
            .is_some_and(|range| range.contains(&position));
        if is_current {
            let is_selected = focus.is_here() && selected == Some(position);
            Pen::from(ctx).row(place, position, is_selected);
        }
        let is_marked = is_in_range || browser.marks.contains(row.name());
        if is_marked && place.width > 1 {
            frame.buffer_mut()[(place.x + 1, place.y)]
                .set_symbol("*")
                .set_style(theme.accent);
        }
        if selected == Some(position) {
            frame.buffer_mut().set_style(place, theme.row(focus));
            frame.buffer_mut()[(place.x, place.y)].set_symbol(">");
            if focus.is_here() && browser.column > 0 {
                point_at_cell(frame, place, browser, &kinds, &settled, theme);
            }
        }
    }
}

fn cell(cell: &TextCell, is_old: bool, theme: &Theme) -> Line<'static> {
    if cell.known || is_old {
        Line::raw(cell.text.clone())
    } else {
        Line::styled(cell.text.clone(), theme.dim)
    }
}

fn beside_gutter(place: Rect) -> Rect {
    let gutter = GUTTER.min(place.width);
    Rect {
        x: place.x + gutter,
        width: place.width - gutter,
        ..place
    }
}

fn put(frame: &mut Frame<'_>, place: Rect, line: Line<'_>) {
    let text = beside_gutter(place);
    frame.render_widget(cells::cut_line(line, text.width), text);
}

/// Underlines the cell under the cursor.
fn point_at_cell(
    frame: &mut Frame<'_>,
    place: Rect,
    browser: &Browser,
    kinds: &[usize],
    settled: &SizedColumns<'_, '_>,
    theme: &Theme,
) {
    let Some(at) = kinds.iter().position(|kind| *kind == browser.column) else {
        return;
    };
    let Some((start, width)) = settled.place(at) else {
        return;
    };
    let x = place.x.saturating_add(GUTTER).saturating_add(start);
    let cell = Rect { x, width, ..place };
    frame
        .buffer_mut()
        .set_style(cell.intersection(place), theme.matched);
}
