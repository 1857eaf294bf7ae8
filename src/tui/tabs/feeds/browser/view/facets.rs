//! Draws the values of fields, each with its count and a bar relative to the largest count of its field.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::prose::{below, lines};
use crate::{
    engine::Error,
    model::{Keyword, visible},
    report::count,
    tui::{
        ctx::{ViewCtx, failure},
        tabs::feeds::browser::{
            Browser,
            choice::ValueChoice,
            facets::{FacetLine, FacetValue},
        },
        ui::{Focus, Pane, Pen, Theme, cells, glyphs},
    },
};

/// The width of a bar in cells: beside long names, and at most.
const BAR: [u16; 2] = [3, 8];
/// The cells of a value beside its name, its count and its bar.
const GAPS: u16 = 4;
/// The maximum height of an error above older counts.
const FAILURE: usize = 3;

pub(super) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    browser: &Browser,
    ctx: &ViewCtx<'_>,
    focus: Focus,
) {
    let theme = ctx.theme;
    let facets = &browser.facets;
    let query = browser.query();
    let inner = Pane::new("Facets", focus).draw(frame, area, theme);
    let all = facets.lines_in(inner.height, query);
    if all.is_empty() {
        let text = match facets.error() {
            Some(error) => failure::lines("", error, "  ", "R tries again", theme),
            None if facets.has_counts() => vec![Line::styled("no value", theme.dim)],
            None => vec![Line::styled("counting", theme.dim)],
        };
        return lines(frame, inner, text);
    }
    let inner = match facets.error() {
        Some(error) => below_failure(frame, inner, error, theme),
        None => inner,
    };
    let is_old = facets.is_old(query, ctx.now);
    let height = usize::from(inner.height);
    let cursor = facets.cursor(&all);
    let window = cursor.window(all.len(), height);
    let selected = cursor.selected(all.len());
    let bar_cells = bar_width(&all, inner.width);
    for (at, place) in window.zip(inner.rows()) {
        let line = match &all[at] {
            FacetLine::Field(field, more, among) => head(*field, *more, *among, place.width, theme),
            FacetLine::Value(value) => line(value, bar_cells, place.width, theme),
            FacetLine::None(records) => none(*records, bar_cells, place.width, theme),
        };
        frame.render_widget(line, place);
        if is_old {
            frame.buffer_mut().set_style(place, theme.stale);
        }
        let is_selected = selected == Some(at) && focus.is_here();
        if matches!(all[at], FacetLine::Value(_)) {
            Pen::from(ctx).row(place, at, is_selected);
        }
        if is_selected {
            frame.buffer_mut().set_style(place, theme.row(focus));
            frame.buffer_mut()[(place.x, place.y)].set_symbol(">");
        }
    }
}

/// Draws the error above the counts; returns the area below it.
fn below_failure(frame: &mut Frame<'_>, area: Rect, error: &Error, theme: &Theme) -> Rect {
    let text = format!("x {}; R tries again", visible(&error.message));
    let lines = cells::wrap(Line::styled(text, theme.bad), area.width);
    let [text, rest] = below(area, lines.len().min(FAILURE));
    for (line, place) in lines.into_iter().zip(text.rows()) {
        frame.render_widget(line, place);
    }
    rest
}

/// The head of a field. `among` is the number of records among which its values are counted, if the filter has a clause about the
/// field.
fn head(
    field: Keyword,
    more: usize,
    among: Option<u64>,
    width: u16,
    theme: &Theme,
) -> Line<'static> {
    let name = field.heading();
    let more = if more > 0 {
        format!(" {} more", count(more as u64))
    } else {
        String::new()
    };
    let of = among.map_or_else(String::new, |among| format!(" among {}", count(among)));
    let is_room = cells::width(name) + cells::width(&of) + cells::width(&more) < width;
    let more = if is_room { of + &more } else { more };
    let taken = cells::width(name) + cells::width(&more) + 1;
    let rule = glyphs::RULE.repeat(usize::from(width.saturating_sub(taken)));
    Line::from(vec![
        Span::styled(name, theme.title),
        Span::styled(format!(" {rule}"), theme.border),
        Span::styled(more, theme.dim),
    ])
}

fn line(value: &FacetValue, bar_cells: u16, width: u16, theme: &Theme) -> Line<'static> {
    let (sign, style) = match value.standing {
        ValueChoice::Open => (' ', theme.text),
        ValueChoice::Chosen => ('+', theme.accent),
        ValueChoice::Excluded => ('-', theme.warn),
    };
    let count = number(value);
    let room = width.saturating_sub(cells::width(&count) + bar_cells + GAPS);
    let name = visible(&value.name).into_owned();
    let name = cells::cut(&name, room).into_owned();
    let gap = room.saturating_sub(cells::width(&name));
    Line::from(vec![
        Span::styled(format!(" {sign}"), style),
        Span::styled(name, style),
        Span::raw(" ".repeat(usize::from(gap) + 1)),
        Span::raw(count),
        Span::styled(
            format!(
                " {}",
                bar(value.count.unwrap_or_default(), value.largest, bar_cells)
            ),
            theme.accent,
        ),
    ])
}

/// The line for records without a value, which cannot be filtered by.
fn none(records: u64, bar_cells: u16, width: u16, theme: &Theme) -> Line<'static> {
    let count = count(records);
    let room = width.saturating_sub(cells::width(&count) + bar_cells + GAPS);
    let name = cells::cut("(none)", room).into_owned();
    let gap = room.saturating_sub(cells::width(&name));
    let gap = " ".repeat(usize::from(gap) + 1);
    Line::styled(format!("  {name}{gap}{count}"), theme.dim)
}

/// The cells that all names and counts leave to bars.
fn bar_width(lines: &[FacetLine], width: u16) -> u16 {
    let [least, most] = BAR;
    let values = lines.iter().filter_map(|line| match line {
        FacetLine::Value(value) => {
            Some(cells::width(&visible(&value.name)) + cells::width(&number(value)))
        }
        FacetLine::Field(..) | FacetLine::None(_) => None,
    });
    let longest = values.max().unwrap_or_default();
    width.saturating_sub(longest + GAPS).clamp(least, most)
}

/// The number of records that have a value.
fn number(value: &FacetValue) -> String {
    value.count.map_or_else(|| "?".to_owned(), count)
}

/// A share as a bar.
fn bar(part: u64, whole: u64, width: u16) -> String {
    let all = u64::from(width) * 8;
    let mut left = part
        .saturating_mul(all)
        .checked_div(whole)
        .unwrap_or(0)
        .min(all);
    if part > 0 {
        left = left.max(1);
    }
    let mut text = String::new();
    for _ in 0..width {
        let own = left.min(8);
        left -= own;
        let eighths = usize::try_from(own).unwrap_or(0);
        text.push_str(glyphs::EIGHTHS[eighths]);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_long_as_its_share() {
        for (part, whole, expected) in [
            (0, 10, "   "),
            (1, 1_000_000, "▏  "),
            (5, 10, "█▌ "),
            (10, 10, "███"),
            // A value that the filter excludes can have a larger count.
            (20, 10, "███"),
            (0, 0, "   "),
        ] {
            assert_eq!(bar(part, whole, 3), expected, "{part} of {whole}");
        }
    }
}
