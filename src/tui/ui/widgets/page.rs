//! A page of sections that scrolls, with anchors: rows that the cursor stops at and that open.
//!
//! This is how a record is shown. The view says what there is, as a list of sections in reading order; the page decides
//! where it goes. In a wide area sections that prefer a side are side by side, in a narrow one everything is in
//! one column, in the order in which it was given. Labels are aligned over the whole page, long values are wrapped under
//! themselves, and a selected row is marked in a gutter that is always there.
//!
//! [`PageState`] holds the anchor that has the focus and the scroll position. A focus is always in view: scrolling it out
//! of view lets it go. So Enter never opens something that is not on the screen.

mod content;
mod layout;
mod state;

use std::ops::Range;

use ratatui::{
    Frame,
    layout::{Rect, Size},
    text::Line,
};

use crate::tui::ui::{
    cells, glyphs,
    spots::Pen,
    theme::{Focus, Theme},
    widgets::pane::Pane,
};
pub use content::{Page, PageRow, Section, SectionSide};
use layout::{PageLayout, PageLineKind, Strip};
pub use state::PageState;

impl<A: Copy + PartialEq> Page<'_, A> {
    /// Draws what is in view. The focused anchor is looked for again each time, so a page that changed or an area that
    /// shrank does no harm; what is drawn is measured, and the next move goes by that.
    pub fn draw<'p>(
        &self,
        frame: &mut Frame<'_>,
        area: Rect,
        state: &PageState<A>,
        pen: impl Into<Pen<'p>>,
        focus: Focus,
    ) {
        let pen = pen.into();
        let mut layout = PageLayout::of(self, area.width);
        let lines = state.see(layout.measure(area.height));
        state.note(area, &lines, pen, focus);
        layout.draw(frame, area, lines, state.focus(), pen.theme, focus);
    }

    /// Draws the page in a pane, whose hint says which lines are in view where there are more; returns the part inside.
    pub fn draw_in<'p>(
        &self,
        frame: &mut Frame<'_>,
        area: Rect,
        mut pane: Pane<'_>,
        state: &PageState<A>,
        pen: impl Into<Pen<'p>>,
    ) -> Rect {
        let pen = pen.into();
        let (inner, focus) = (Pane::inner(area), pane.focus);
        let mut layout = PageLayout::of(self, inner.width);
        let (lines, total) = (state.see(layout.measure(inner.height)), layout.height);
        if lines.len() < total {
            let (first, last) = (lines.start + 1, lines.end);
            pane = pane.hint(format!("{first}-{last} of {total} lines"));
        }
        pane.draw(frame, area, pen.theme);
        state.note(inner, &lines, pen, focus);
        layout.draw(frame, inner, lines, state.focus(), pen.theme, focus);
        inner
    }

    /// Lines that it takes in an area of this width.
    #[must_use]
    pub fn lines(&self, width: u16) -> u16 {
        u16::try_from(PageLayout::of(self, width).height).unwrap_or(u16::MAX)
    }

    /// The first line that would be in view in an area of this size.
    #[must_use]
    pub fn first_line(&self, size: Size, state: &PageState<A>) -> usize {
        let mut layout = PageLayout::of(self, size.width);
        state.see(layout.measure(size.height)).start
    }
}

impl<A: Copy + PartialEq> PageLayout<'_, A> {
    /// Draws these lines, the rows of the chosen anchor as such.
    fn draw(
        &self,
        frame: &mut Frame<'_>,
        area: Rect,
        lines: Range<usize>,
        chosen: Option<A>,
        theme: &Theme,
        focus: Focus,
    ) {
        for strip in &self.strips {
            if lines.contains(&strip.y) {
                let y = u16::try_from(strip.y - lines.start).unwrap_or(u16::MAX);
                let place = Rect {
                    x: area.x + strip.x,
                    y: area.y + y,
                    width: strip.width,
                    height: 1,
                };
                let is_chosen = strip.anchor.is_some() && strip.anchor == chosen;
                draw_strip(frame, place, strip, is_chosen.then_some(focus), theme);
            }
        }
    }
}

/// Cells that a text of [`draw_lines`] has in this area.
#[must_use]
pub fn text_width(area: Rect) -> u16 {
    area.width.saturating_sub(layout::GUTTER)
}

/// Draws lines as a page without a cursor.
pub fn draw_lines<'a>(
    frame: &mut Frame<'_>,
    area: Rect,
    lines: impl IntoIterator<Item = Line<'a>>,
    theme: &Theme,
) {
    let mut section: Section<'a, ()> = Section::new("", SectionSide::Both);
    section.extend(lines);
    let page = Page::new().with(section);
    page.draw(frame, area, &PageState::default(), theme, Focus::Elsewhere);
}

fn draw_strip<A>(
    frame: &mut Frame<'_>,
    place: Rect,
    strip: &Strip<'_, A>,
    chosen: Option<Focus>,
    theme: &Theme,
) {
    let base = match strip.kind {
        PageLineKind::Title => theme.title,
        PageLineKind::Header => theme.header,
        PageLineKind::Text | PageLineKind::Continued => theme.text,
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
    if strip.kind == PageLineKind::Title {
        let used = cells::line_width(&strip.line).saturating_add(1);
        let rule = Rect {
            x: place.x + used.min(place.width),
            width: place.width.saturating_sub(used),
            ..place
        };
        frame.render_widget(
            Line::styled(glyphs::RULE.repeat(rule.width.into()), theme.border),
            rule,
        );
        if let Some(note) = &strip.note {
            let width = cells::line_width(note).saturating_add(2);
            if width + 2 <= rule.width {
                let mut note = note.clone();
                note.style = theme.dim.patch(note.style);
                note.spans.insert(0, " ".into());
                note.spans.push(" ".into());
                let end = Rect {
                    x: rule.right() - width,
                    width,
                    ..rule
                };
                frame.render_widget(note, end);
            }
        }
    }
    if let Some(focus) = chosen {
        frame.buffer_mut().set_style(place, theme.row(focus));
        if strip.kind == PageLineKind::Text && place.width > 0 {
            frame.buffer_mut()[(place.x, place.y)].set_symbol(">");
        }
    }
}

#[cfg(test)]
mod tests;
