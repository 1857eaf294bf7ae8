//! A page of sections that scrolls, with anchors: rows that one can stand on and open.
//!
//! This is how a record is shown. The view says what there is, as a list of sections in reading order; the page decides
//! where it goes. In a wide area sections that prefer a side stand beside each other, in a narrow one everything stands in
//! one column, in the order in which it was given. Labels are aligned over the whole page, long values are wrapped under
//! themselves, and a selected row is marked in a gutter that is always there.
//!
//! [`PageState`] holds the anchor that has the focus and the scroll position. A focus is always in view: scrolling it out
//! of view lets it go. So Enter never opens something that is not on the screen.

mod layout;
mod state;

use std::borrow::Cow;

use ratatui::{Frame, layout::Rect, text::Line};

use super::columns::Column;
use crate::tui::ui::{
    cells,
    theme::{Focus, Theme},
};
use layout::{Kind, Layout, Strip};
pub use state::{PageState, View};

/// Where a section goes when there is room for two columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// Over both columns.
    #[default]
    Both,
    /// Into the left one.
    Left,
    /// Into the right one.
    Right,
}

/// What a page shows, in reading order. `A` tells its anchors apart.
#[derive(Clone, Debug)]
pub struct Page<'a, A> {
    sections: Vec<Section<'a, A>>,
}

impl<A> Default for Page<'_, A> {
    fn default() -> Self {
        Self {
            sections: Vec::new(),
        }
    }
}

impl<'a, A: Copy + PartialEq> Page<'a, A> {
    /// Width from which sections stand beside each other.
    pub const TWO_COLUMNS: u16 = 82;

    /// A page without sections.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a section at the end. One without rows is left out.
    pub fn push(&mut self, section: Section<'a, A>) {
        if !section.rows.is_empty() {
            self.sections.push(section);
        }
    }

    /// Adds a section at the end, as [`Page::push`] does.
    #[must_use]
    pub fn with(mut self, section: Section<'a, A>) -> Self {
        self.push(section);
        self
    }

    /// Draws the part of the page that is in view.
    pub fn draw(
        &self,
        frame: &mut Frame<'_>,
        area: Rect,
        state: &PageState<A>,
        theme: &Theme,
        focus: Focus,
    ) {
        let layout = Layout::of(self, area.width);
        let offset = state.offset_in(&layout, area.height);
        let end = offset + usize::from(area.height);
        for strip in &layout.strips {
            if (offset..end).contains(&strip.y) {
                let y = u16::try_from(strip.y - offset).unwrap_or(u16::MAX);
                let place = Rect {
                    x: area.x + strip.x,
                    y: area.y + y,
                    width: strip.width,
                    height: 1,
                };
                let chosen = strip.anchor.is_some() && strip.anchor == state.focus();
                draw_strip(frame, place, strip, chosen.then_some(focus), theme);
            }
        }
    }
}

fn draw_strip<A>(
    frame: &mut Frame<'_>,
    place: Rect,
    strip: &Strip<'_, A>,
    chosen: Option<Focus>,
    theme: &Theme,
) {
    let base = match strip.kind {
        Kind::Title => theme.title,
        Kind::Header => theme.header,
        Kind::Text | Kind::Continued => theme.text,
    };
    let text = Rect {
        x: place.x + strip.indent.min(place.width),
        width: place.width.saturating_sub(strip.indent),
        ..place
    };
    let mut line = strip.line.clone();
    line.style = base.patch(line.style);
    frame.render_widget(cells::cut_line(line, text.width), text);
    if let Some(label) = strip.label {
        let room = strip.indent.saturating_sub(layout::GUTTER + 1);
        let label = Line::styled(cells::cut(label, room), theme.label);
        let left = Rect {
            x: place.x + layout::GUTTER.min(place.width),
            width: room.min(place.width.saturating_sub(layout::GUTTER)),
            ..place
        };
        frame.render_widget(label, left);
    }
    if strip.kind == Kind::Title {
        let used = cells::line_width(&strip.line).saturating_add(1);
        let rule = Rect {
            x: place.x + used.min(place.width),
            width: place.width.saturating_sub(used),
            ..place
        };
        frame.render_widget(
            Line::styled("─".repeat(rule.width.into()), theme.border),
            rule,
        );
    }
    if let Some(focus) = chosen {
        frame.buffer_mut().set_style(place, theme.row(focus));
        if strip.kind == Kind::Text && place.width > 0 {
            frame.buffer_mut()[(place.x, place.y)].set_symbol(">");
        }
    }
}

/// Rows that belong together, under a title with a rule.
#[derive(Clone, Debug)]
pub struct Section<'a, A> {
    title: Line<'a>,
    side: Side,
    columns: Vec<Column<'a>>,
    rows: Vec<Row<'a, A>>,
}

impl<'a, A> Section<'a, A> {
    /// A section under this title; with an empty one, it has no rule either.
    pub fn new(title: impl Into<Line<'a>>, side: Side) -> Self {
        Self {
            title: title.into(),
            side,
            columns: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// Sets the columns into which [`Row::cells`] go.
    #[must_use]
    pub fn columns(mut self, columns: Vec<Column<'a>>) -> Self {
        self.columns = columns;
        self
    }

    /// Adds a row at the end.
    pub fn push(&mut self, row: Row<'a, A>) {
        self.rows.push(row);
    }

    /// Adds a row at the end, as [`Section::push`] does.
    #[must_use]
    pub fn row(mut self, row: Row<'a, A>) -> Self {
        self.push(row);
        self
    }
}

/// One row of a section.
#[derive(Clone, Debug)]
pub struct Row<'a, A> {
    body: Body<'a>,
    anchor: Option<A>,
}

#[derive(Clone, Debug)]
enum Body<'a> {
    Text(Line<'a>),
    Field(Cow<'a, str>, Line<'a>),
    Cells(Vec<Line<'a>>),
}

impl<'a, A> Row<'a, A> {
    /// Text over the whole width, wrapped where it is too long.
    pub fn text(line: impl Into<Line<'a>>) -> Self {
        Self::of(Body::Text(line.into()))
    }

    /// A value beside its name. With an empty name it stands under the value before it.
    pub fn field(label: impl Into<Cow<'a, str>>, value: impl Into<Line<'a>>) -> Self {
        Self::of(Body::Field(label.into(), value.into()))
    }

    /// Values in the columns of the section, which show their heads above the first such row.
    #[must_use]
    pub fn cells(cells: Vec<Line<'a>>) -> Self {
        Self::of(Body::Cells(cells))
    }

    /// Makes it a row to stand on.
    #[must_use]
    pub fn anchor(mut self, anchor: A) -> Self {
        self.anchor = Some(anchor);
        self
    }

    fn of(body: Body<'a>) -> Self {
        Self { body, anchor: None }
    }
}

#[cfg(test)]
mod tests;
