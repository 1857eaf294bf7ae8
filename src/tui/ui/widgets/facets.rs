//! Values of fields, each with its count and a bar relative to the largest count of its field, to filter by.

use ratatui::{
    Frame,
    layout::Rect,
    style::Style,
    text::{Line, Span},
};

use super::page::ruled;
use crate::{
    model::visible,
    report::{count, each},
    tui::ui::{Cursor, Focus, Motion, Pen, Theme, cells, glyphs},
};

/// The width of a bar in cells: beside long names, and at most.
const BAR: [u16; 2] = [3, 8];
/// The cells of a value beside its name, its count and its bar.
const GAPS: u16 = 4;

/// How a filter treats a value of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueChoice {
    /// The filter does not name it.
    Open,
    Chosen,
    Excluded,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FacetLine<F> {
    /// A field, and the number of its values that are not shown. If the filter has a clause about the field, its values are
    /// counted without that clause; then also the number of records among which they are counted.
    Field(F, usize, Option<u64>),
    Value(FacetValue<F>),
    /// The number of records without a value of the field.
    None(u64),
}

impl<F> FacetLine<F> {
    #[must_use]
    pub fn value(&self) -> Option<&FacetValue<F>> {
        match self {
            Self::Value(value) => Some(value),
            Self::Field(..) | Self::None(_) => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FacetValue<F> {
    pub field: F,
    pub name: String,
    /// The number of records that have it, if known.
    pub count: Option<u64>,
    /// The largest count of the field, which is a full bar.
    pub largest: u64,
    pub standing: ValueChoice,
}

/// A cursor on values. It stays on its value when counts change, and skips the heads of fields.
#[derive(Clone, Debug)]
pub struct FacetCursor<F> {
    cursor: Cursor,
    here: Option<(F, String)>,
}

impl<F> Default for FacetCursor<F> {
    fn default() -> Self {
        Self {
            cursor: Cursor::default(),
            here: None,
        }
    }
}

impl<F: Clone + PartialEq> FacetCursor<F> {
    /// The cursor on these lines, restored to its value.
    pub fn on(&self, lines: &[FacetLine<F>]) -> &Cursor {
        let is_here = |line: &FacetLine<F>| {
            let key = line.value().map(|value| (&value.field, &value.name));
            key.is_some() && key == self.here.as_ref().map(|(field, name)| (field, name))
        };
        let at = lines.iter().position(is_here);
        let at = at.unwrap_or_else(|| self.cursor.index().max(1));
        self.cursor.select(at, lines.len());
        &self.cursor
    }

    /// The selected value.
    #[must_use]
    pub fn selected<'l>(&self, lines: &'l [FacetLine<F>]) -> Option<&'l FacetValue<F>> {
        let at = self.on(lines).selected(lines.len())?;
        lines.get(at..)?.iter().find_map(FacetLine::value)
    }

    /// Keeps the cursor on a value when counts change.
    pub fn hold(&mut self, field: F, value: &str) {
        self.here = Some((field, value.to_owned()));
    }

    /// Moves the cursor over values, skipping the heads of fields.
    pub fn step(&mut self, motion: Motion, lines: &[FacetLine<F>]) {
        self.on(lines);
        self.cursor.step(motion, lines.len());
        let at = self.cursor.index();
        let value = |at: usize| lines.get(at).and_then(FacetLine::value);
        let is_value = |at: &usize| value(*at).is_some();
        if !is_value(&at) {
            let is_up = matches!(motion, Motion::Up | Motion::PageUp | Motion::HalfUp);
            let above = (0..at).rev().find(is_value);
            let below = (at..lines.len()).find(is_value);
            let next = if is_up {
                above.or(below)
            } else {
                below.or(above)
            };
            self.cursor.select(next.unwrap_or(at), lines.len());
        }
        if let Some(value) = value(self.cursor.index()) {
            self.here = Some((value.field.clone(), value.name.clone()));
        }
    }
}

/// Draws the lines in view. `heading` names a field; old lines are marked as such.
pub fn draw<'p, F: Clone + PartialEq>(
    frame: &mut Frame<'_>,
    area: Rect,
    (lines, cursor): (&[FacetLine<F>], &FacetCursor<F>),
    heading: fn(&F) -> &str,
    is_old: bool,
    pen: impl Into<Pen<'p>>,
    focus: Focus,
) {
    let pen = pen.into();
    let theme = pen.theme;
    let height = usize::from(area.height);
    let cursor = cursor.on(lines);
    let window = cursor.window(lines.len(), height);
    let selected = cursor.selected(lines.len());
    let bar_cells = bar_width(lines, area.width);
    for (at, place) in window.zip(area.rows()) {
        let line = match &lines[at] {
            FacetLine::Field(field, more, among) => {
                head(heading(field), *more, *among, place.width, theme)
            }
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
        if lines[at].value().is_some() {
            pen.row(place, at, is_selected);
        }
        if is_selected {
            pen.select(frame, place, focus);
        }
    }
}

/// A value, how many records have it, and its bar.
fn value_line<F>(
    value: &FacetValue<F>,
    bar_cells: u16,
    width: u16,
    theme: &Theme,
) -> Line<'static> {
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

/// The head of a field. `among` is the number of records among which its values are counted, if the filter has a clause about the
/// field.
fn head(name: &str, more: usize, among: Option<u64>, width: u16, theme: &Theme) -> Line<'static> {
    let more = (more > 0).then(|| format!("{} more", count(more as u64)));
    let among = among.map(|among| format!("among {}", count(among)));
    let both = each(among.iter().chain(&more), " ");
    let is_room = cells::width(name) + cells::width(&both) + 4 < width;
    let note = if is_room {
        both
    } else {
        more.unwrap_or_default()
    };
    ruled(name.to_owned(), note, width, theme)
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
fn bar_width<F>(lines: &[FacetLine<F>], width: u16) -> u16 {
    let [least, most] = BAR;
    let values = lines.iter().filter_map(FacetLine::value);
    let values =
        values.map(|value| cells::width(&visible(&value.name)) + cells::width(&number(value)));
    let longest = values.max().unwrap_or_default();
    width.saturating_sub(longest + GAPS).clamp(least, most)
}

/// The number of records that have a value.
fn number<F>(value: &FacetValue<F>) -> String {
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
