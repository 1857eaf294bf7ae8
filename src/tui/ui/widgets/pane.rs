//! A bordered part of the screen: title at the left, hint at the bottom right, and a border that shows the focus.

use ratatui::{
    Frame,
    layout::Rect,
    style::{Color, Style},
    text::{Line, Span},
    widgets::{Block, Padding},
};

use crate::tui::ui::{Focus, Theme, cells};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pane<'a> {
    title: Line<'a>,
    source: Line<'a>,
    hint: Line<'a>,
    pub focus: Focus,
}

impl<'a> Pane<'a> {
    /// A pane with a title, which takes the style of titles where it has none of its own.
    pub fn new(title: impl Into<Line<'a>>, focus: Focus) -> Self {
        Self {
            title: title.into(),
            source: Line::default(),
            hint: Line::default(),
            focus,
        }
    }

    /// Sets what is at the top right: where the content comes from. The title gives way to it.
    #[must_use]
    pub fn source(mut self, source: impl Into<Line<'a>>) -> Self {
        self.source = source.into();
        self
    }

    /// Sets what is at the bottom right: a position, or the keys that matter here.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<Line<'a>>) -> Self {
        self.hint = hint.into();
        self
    }

    /// Where the content goes. An area too small for a border and a row is all content.
    #[must_use]
    pub fn inner(area: Rect) -> Rect {
        if has_border(area) {
            Block::bordered()
                .padding(Padding::horizontal(1))
                .inner(area)
        } else {
            area
        }
    }

    /// Draws the border and returns where the content goes.
    pub fn draw(self, frame: &mut Frame<'_>, area: Rect, theme: &Theme) -> Rect {
        if has_border(area) {
            let (border, title) = if self.focus.is_here() {
                (theme.border_focus, theme.title_focus)
            } else {
                (theme.border, theme.title)
            };
            let room = area.width - 4;
            let taken = match cells::line_width(&self.source) {
                0 => 0,
                width => (width + 3).min(room / 2 + room / 4),
            };
            // Not in the colour of the border: dimmed, that is hard to read on a light ground.
            let plain = Style::new().fg(Color::Reset).patch(theme.text);
            let source = self.source.patch_style_under(plain);
            let hint = self.hint.patch_style_under(plain.patch(theme.hint));
            let block = Block::bordered()
                .border_style(border)
                .title_top(spaced(self.title.patch_style_under(title), room - taken))
                .title_top(spaced(source, taken.saturating_sub(3)).right_aligned())
                .title_bottom(spaced(hint, room).right_aligned());
            frame.render_widget(block, area);
        }
        Self::inner(area)
    }
}

fn has_border(area: Rect) -> bool {
    area.width >= 6 && area.height >= 3
}

/// A title with a blank at each end, cut where it would not fit; nothing at all when it is empty.
fn spaced(line: Line<'_>, room: u16) -> Line<'_> {
    if line.width() == 0 {
        return line;
    }
    let mut line = cells::cut_line(line, room);
    line.spans.insert(0, Span::raw(" "));
    line.spans.push(Span::raw(" "));
    line
}

/// Styles that give way to what is already there.
pub trait PatchUnder {
    /// Sets `style` where there is none yet.
    #[must_use]
    fn patch_style_under(self, style: ratatui::style::Style) -> Self;
}

impl PatchUnder for Line<'_> {
    fn patch_style_under(mut self, style: ratatui::style::Style) -> Self {
        self.style = style.patch(self.style);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::test_terminal;

    fn draw(frame: &mut Frame<'_>, area: Rect) {
        let inner = Pane::new("Tags  1,204", Focus::Here).hint("s sort").draw(
            frame,
            area,
            &Theme::colourless(),
        );
        frame.render_widget(Line::from("content"), inner);
    }

    #[test]
    fn title_left_and_hint_right() {
        insta::assert_snapshot!(test_terminal::shown(24, 3, |frame| draw(frame, frame.area())), @r"
        ┌ Tags  1,204 ─────────┐
        │ content              │
        └────────────── s sort ┘
        ");
    }

    #[test]
    fn a_title_is_cut_before_the_corner() {
        insta::assert_snapshot!(test_terminal::shown(10, 3, |frame| draw(frame, frame.area())), @r"
        ┌ Tags … ┐
        │ conten │
        └ s sort ┘
        ");
    }

    /// Dimmed text in the colour of the border is hard to read on a light ground.
    #[test]
    fn what_stands_in_the_border_does_not_have_its_colour() {
        let theme = Theme::terminal();
        let buffer = test_terminal::buffer(24, 3, |frame| {
            let pane = Pane::new("Tags", Focus::Here).source("live");
            pane.hint("s sort").draw(frame, frame.area(), &theme);
        });
        for (x, y, symbol) in [(18, 0, "l"), (16, 2, "s")] {
            let cell = &buffer[(x, y)];
            assert_eq!(cell.symbol(), symbol);
            assert_ne!(cell.fg, Color::Cyan);
        }
        assert_eq!(buffer[(0, 0)].fg, Color::Cyan);
    }

    #[test]
    fn without_room_for_a_border_the_content_stays() {
        assert_eq!(
            test_terminal::shown(9, 2, |frame| draw(frame, frame.area())),
            "content\n"
        );
        test_terminal::fits_any_area(draw);
    }
}
