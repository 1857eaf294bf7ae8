//! Draws the values of fields, each with its count and a bar relative to the largest count of its field.

use ratatui::{
    Frame,
    layout::Rect,
    style::Style,
    text::{Line, Span},
};

use crate::{
    engine::Error,
    model::{Keyword, visible},
    report::{count, each},
    tui::{
        ctx::{ViewCtx, failure},
        tabs::feeds::browser::{
            Browser,
            areas::{below, lines},
            choice::ValueChoice,
            facets::{FacetLine, FacetValue},
        },
        ui::{Focus, Pane, Pen, Theme, cells, glyphs, widgets::page::ruled},
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
            FacetLine::Value(value) => value_line(value, bar_cells, place.width, theme),
            // They cannot be filtered by.
            FacetLine::None(records) => {
                let share = Span::raw(" ".repeat(bar_cells.into()));
                line(" (none)", theme.dim, &count(*records), share, place.width).style(theme.dim)
            }
        };
        frame.render_widget(line, place);
        if is_old {
            frame.buffer_mut().set_style(place, theme.stale);
        }
        let is_selected = selected == Some(at) && focus.is_here();
        if all[at].value().is_some() {
            Pen::from(ctx).row(place, at, is_selected);
        }
        if is_selected {
            Pen::from(ctx).select(frame, place, focus);
        }
    }
}

/// A value, how many records have it, and its bar.
fn value_line(value: &FacetValue, bar_cells: u16, width: u16, theme: &Theme) -> Line<'static> {
    let (sign, style) = match value.standing {
        ValueChoice::Open => (' ', theme.text),
        ValueChoice::Chosen => ('+', theme.accent),
        ValueChoice::Excluded => ('-', theme.warn),
    };
    let name = format!("{sign}{}", visible(&value.name));
    let share = bar(value.count.unwrap_or_default(), value.largest, bar_cells);
    let share = Span::styled(share, theme.accent);
    line(&name, style, &number(value), share, width)
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
    let more = (more > 0).then(|| format!("{} more", count(more as u64)));
    let among = among.map(|among| format!("among {}", count(among)));
    let both = each(among.iter().chain(&more), " ");
    let is_room = cells::width(name) + cells::width(&both) + 4 < width;
    let note = if is_room {
        both
    } else {
        more.unwrap_or_default()
    };
    ruled(name, note, width, theme)
}

/// A name with its sign, its count, and its share as a bar.
fn line(name: &str, style: Style, count: &str, share: Span<'static>, width: u16) -> Line<'static> {
    let beside = cells::width(count) + cells::width(&share.content);
    // The sign is one of the gaps.
    let room = width.saturating_sub(beside + GAPS - 1);
    let name = cells::cut(name, room).into_owned();
    let gap = usize::from(room.saturating_sub(cells::width(&name))) + 1;
    let count = format!("{}{count} ", " ".repeat(gap));
    Line::from(vec![
        Span::raw(" "),
        Span::styled(name, style),
        Span::raw(count),
        share,
    ])
}

/// The cells that all names and counts leave to bars.
fn bar_width(lines: &[FacetLine], width: u16) -> u16 {
    let [least, most] = BAR;
    let values = lines.iter().filter_map(FacetLine::value);
    let values = values.map(|own| cells::width(&visible(&own.name)) + cells::width(&number(own)));
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
