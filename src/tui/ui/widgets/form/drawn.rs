//! How a field looks: the first line has its name, the last ones have the remark on it.

use ratatui::{
    Frame,
    layout::Rect,
    style::Style,
    text::{Line, Span},
};

use super::{
    control::Drawing,
    field::{FormField, Suggestion, said},
    layout::{self, FieldLayout},
};
use crate::tui::ui::{
    cells,
    theme::{Focus, Theme},
};

/// A field in its place.
pub(super) struct Drawn<'f, I> {
    pub(super) field: &'f FormField<I>,
    pub(super) layout: &'f FieldLayout,
    pub(super) theme: &'f Theme,
    /// The focus of the form, where the field has it.
    pub(super) focus: Option<Focus>,
}

impl<I> Drawn<'_, I> {
    pub(super) fn line(&self, frame: &mut Frame<'_>, row: Rect, line: usize) {
        let width = row.width.min(self.layout.label);
        let name = Rect { width, ..row };
        let value = Rect {
            x: row.x + width,
            width: row.width - width,
            ..row
        };
        if line == 0 {
            frame.render_widget(self.name(width), name);
            if self.theme.spoken && self.focus.is_some_and(Focus::is_here) {
                let mark = Style::new().add_modifier(Theme::MARK);
                frame.buffer_mut().set_style(row, mark);
            }
        }
        if let Some(below) = line.checked_sub(self.layout.lines) {
            let line = match self.field.suggestions.get(below) {
                Some(suggestion) => self.suggestion(value.width, suggestion),
                None => self.remark(value.width, below - self.field.suggestions.len()),
            };
            frame.render_widget(line, value);
        } else {
            let how = Drawing {
                line,
                per_line: self.layout.per_line,
                off: self.field.off.is_some(),
                focus: self.focus,
            };
            self.field.control.draw(frame, value, self.theme, &how);
        }
    }

    fn name(&self, room: u16) -> Line<'_> {
        let here = self.focus.is_some_and(Focus::is_here);
        let style = if here {
            self.theme.accent
        } else {
            self.theme.label
        };
        let mark = if self.focus.is_some() { "> " } else { "  " };
        let name = cells::cut(&self.field.label, room.saturating_sub(layout::AROUND_LABEL));
        cells::cut_line(
            Line::from(vec![mark.into(), name.into()]).style(style),
            room,
        )
    }

    fn suggestion<'s>(&self, room: u16, suggestion: &'s Suggestion) -> Line<'s> {
        // Details are one below the other, where texts are not too long for that.
        const COLUMN: u16 = 22;
        let (mark, style) = if suggestion.is_chosen {
            ("> ", self.theme.accent)
        } else {
            ("  ", self.theme.text)
        };
        let room_of_text = room.saturating_sub(cells::width(&suggestion.detail) + 4);
        let text = cells::cut(&suggestion.text, room_of_text);
        let gap = COLUMN.min(room_of_text).saturating_sub(cells::width(&text)) + 2;
        let line = Line::from(vec![
            Span::styled(mark, style),
            Span::styled(text, style),
            Span::raw(" ".repeat(gap.into())),
            Span::styled(suggestion.detail.as_str(), self.theme.dim),
        ]);
        cells::cut_line(line, room)
    }

    fn remark(&self, room: u16, line: usize) -> Line<'_> {
        let sign = match said(self.field) {
            Some((tone, _)) if line == 0 => Span::styled(tone.sign(), self.theme.tone(tone)),
            _ => Span::raw(""),
        };
        let gap = usize::from(layout::SIGN).saturating_sub(sign.width());
        let mut shown = Line::from(vec![sign, Span::raw(" ".repeat(gap))]).style(self.theme.dim);
        let text = layout::remark(self.field, room).into_iter().nth(line);
        shown.spans.extend(text.unwrap_or_default().spans);
        cells::cut_line(shown, room)
    }
}
