//! The values of fields, each with its count and its share.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::prose::lines;
use crate::{
    engine::Error,
    model::{Keyword, visible},
    report::count,
    tui::{
        ctx::{ViewCtx, failure},
        tabs::feeds::browser::{
            Browser,
            choice::Standing,
            facets::{Line as FacetLine, Value},
        },
        ui::{
            cells, glyphs,
            spots::Pen,
            theme::{Focus, Theme},
            widgets::pane::Pane,
        },
    },
};

/// Cells of a bar.
const BAR: u16 = 3;
/// Lines of a failure over counts that were there before.
const FAILURE: u16 = 3;

pub(super) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    browser: &Browser,
    ctx: &ViewCtx<'_>,
    focus: Focus,
) {
    let theme = ctx.theme;
    let inner = Pane::new("Facets", focus).draw(frame, area, theme);
    let facets = &browser.facets;
    let query = browser.query();
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
    for (at, place) in window.zip(inner.rows()) {
        let line = match &all[at] {
            FacetLine::Field(field, more) => head(*field, *more, place.width, theme),
            FacetLine::Value(value) => line(value, place.width, theme),
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

/// Says on top why there are no newer counts; gives the place below.
fn below_failure(frame: &mut Frame<'_>, area: Rect, error: &Error, theme: &Theme) -> Rect {
    let text = format!("x {}; R tries again", visible(&error.message));
    let lines = cells::wrap(Line::styled(text, theme.bad), area.width);
    let height = u16::try_from(lines.len()).unwrap_or(FAILURE).min(FAILURE);
    let height = height.min(area.height);
    for (line, place) in lines.into_iter().zip(area.rows().take(height.into())) {
        frame.render_widget(line, place);
    }
    Rect {
        y: area.y + height,
        height: area.height - height,
        ..area
    }
}

fn head(field: Keyword, more: usize, width: u16, theme: &Theme) -> Line<'static> {
    let name = match field {
        Keyword::Tag => "operator",
        Keyword::Cc => "country",
        Keyword::Asn => "AS",
        Keyword::Org => "organization",
        other => other.name(),
    };
    let more = if more > 0 {
        format!(" +{}", count(more as u64))
    } else {
        String::new()
    };
    let taken = cells::width(name) + cells::width(&more) + 1;
    let rule = glyphs::RULE.repeat(usize::from(width.saturating_sub(taken)));
    Line::from(vec![
        Span::styled(name, theme.title),
        Span::styled(format!(" {rule}"), theme.border),
        Span::styled(more, theme.dim),
    ])
}

fn line(value: &Value, width: u16, theme: &Theme) -> Line<'static> {
    let (sign, style) = match value.standing {
        Standing::Open => (' ', theme.text),
        Standing::Chosen => ('+', theme.accent),
        Standing::Excluded => ('-', theme.warn),
    };
    let count = value.count.map_or_else(|| "?".to_owned(), count);
    let room = width.saturating_sub(cells::width(&count) + BAR + 4);
    let name = visible(&value.name).into_owned();
    let name = cells::cut(&name, room).into_owned();
    let gap = room.saturating_sub(cells::width(&name));
    Line::from(vec![
        Span::styled(format!(" {sign}"), style),
        Span::styled(name, style),
        Span::raw(" ".repeat(usize::from(gap) + 1)),
        Span::raw(count),
        Span::styled(
            format!(" {}", bar(value.count.unwrap_or_default(), value.among)),
            theme.accent,
        ),
    ])
}

/// A share as a bar.
fn bar(part: u64, whole: u64) -> String {
    let all = u64::from(BAR) * 8;
    let mut left = part
        .saturating_mul(all)
        .checked_div(whole)
        .unwrap_or(0)
        .min(all);
    if part > 0 {
        left = left.max(1);
    }
    let mut text = String::new();
    for _ in 0..BAR {
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
            (0, 0, "   "),
        ] {
            assert_eq!(bar(part, whole), expected, "{part} of {whole}");
        }
    }
}
