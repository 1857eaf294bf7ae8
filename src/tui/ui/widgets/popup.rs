//! A popup: a menu, a question, a calendar.

use std::borrow::Cow;

use ratatui::{
    Frame,
    layout::{Constraint, Rect, Size},
    text::Line,
    widgets::Clear,
};

use super::{
    bar::{BarLine, BarPart},
    pane::Pane,
};
use crate::tui::ui::{Focus, Pen, Theme};

/// An overlay in the middle of an area, never larger than it.
#[derive(Clone, Debug)]
pub struct Popup<'a> {
    title: Line<'a>,
    content: Size,
    keys: BarLine<'a>,
}

impl<'a> Popup<'a> {
    /// Cells that the border and the blanks inside of it take, in width and in height.
    const FRAME: Size = Size::new(4, 2);

    /// An overlay with room for `content`, where the area has it.
    pub fn new(title: impl Into<Line<'a>>, content: Size) -> Self {
        Self {
            title: title.into(),
            content,
            keys: BarLine::new(),
        }
    }

    /// Adds a key that the overlay prints in its border. Overlays own their keys and name them all.
    #[must_use]
    pub fn key(
        mut self,
        theme: &Theme,
        key: impl Into<Cow<'a, str>>,
        does: &'a str,
        rank: u8,
    ) -> Self {
        self.keys = self.keys.left(BarPart::hint(theme, key, does, rank));
        self
    }

    /// Where the overlay is drawn, border included.
    #[must_use]
    pub fn place(&self, area: Rect) -> Rect {
        let width = self.content.width.saturating_add(Self::FRAME.width);
        let height = self.content.height.saturating_add(Self::FRAME.height);
        area.centered(
            Constraint::Length(width.min(area.width)),
            Constraint::Length(height.min(area.height)),
        )
    }

    /// Clears its place, draws the border, and returns where the content goes.
    pub fn draw<'p>(self, frame: &mut Frame<'_>, area: Rect, pen: impl Into<Pen<'p>>) -> Rect {
        let pen = pen.into();
        let theme = pen.theme;
        let place = self.place(area);
        // A line is read aloud as one: nothing of what lies below may be beside it.
        let covered = if theme.spoken { area } else { place };
        pen.cover(covered);
        frame.render_widget(Clear, covered);
        frame.buffer_mut().set_style(covered, theme.base);
        let keys = self.keys.line(place.width.saturating_sub(4));
        Pane::new(self.title, Focus::Here)
            .hint(keys)
            .draw(frame, place, theme)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::test_terminal;

    fn draw(frame: &mut Frame<'_>, area: Rect) {
        let theme = Theme::colourless();
        let inner = Popup::new("Delete the local file?", Size::new(30, 1))
            .key(&theme, "enter", "delete", 0)
            .key(&theme, "esc", "keep", 0)
            .draw(frame, area, &theme);
        frame.render_widget(Line::from("anonymous 20261120, 1.6 GB"), inner);
    }

    #[test]
    fn it_is_centred_over_what_was_there() {
        let shown = test_terminal::shown(42, 5, |frame| {
            for row in frame.area().rows() {
                frame.render_widget("#".repeat(42), row);
            }
            draw(frame, frame.area());
        });
        insta::assert_snapshot!(shown, @r"
        ##########################################
        ####┌ Delete the local file? ────────┐####
        ####│ anonymous 20261120, 1.6 GB     │####
        ####└──────── enter delete  esc keep ┘####
        ##########################################
        ");
    }

    #[test]
    fn it_is_never_larger_than_the_screen() {
        let popup = Popup::new("", Size::new(u16::MAX, u16::MAX));
        let area = Rect::new(3, 2, 20, 5);
        assert_eq!(popup.place(area), area);
        test_terminal::fits_any_area(draw);
    }
}
