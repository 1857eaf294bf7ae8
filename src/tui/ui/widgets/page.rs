//! A page of sections that scrolls, with anchors: rows that one can stand on and open.
//!
//! This is how a record is shown. The view says what there is, as a list of sections in reading order; the page decides
//! where it goes. In a wide area sections that prefer a side stand beside each other, in a narrow one everything stands in
//! one column, in the order in which it was given. Labels are aligned over the whole page, long values are wrapped under
//! themselves, and a selected row is marked in a gutter that is always there.
//!
//! [`PageState`] holds the anchor that has the focus and the scroll position. A focus is always in view: scrolling it out
//! of view lets it go. So Enter never opens something that is not on the screen.

mod content;
mod layout;
mod state;

use ratatui::{Frame, layout::Rect, text::Line};

use crate::tui::ui::{
    cells,
    theme::{Focus, Theme},
};
pub use content::{Page, Row, Section, Side};
use layout::{Kind, Layout, Strip};
pub use state::{PageState, View};

impl<A: Copy + PartialEq> Page<'_, A> {
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

#[cfg(test)]
mod tests;
