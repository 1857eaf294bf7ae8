//! How a field looks: the first line has its name, the last ones have the remark on it.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    control::Drawing,
    field::{Field, said},
    layout::{self, Placed},
};
use crate::tui::ui::{
    cells,
    theme::{Focus, Theme},
};

/// A field in its place.
pub(super) struct Drawn<'f, I> {
    pub(super) field: &'f Field<I>,
    pub(super) placed: &'f Placed,
    pub(super) theme: &'f Theme,
    /// The focus of the form, where the field has it.
    pub(super) focus: Option<Focus>,
}

impl<I> Drawn<'_, I> {
    /// Draws one of its lines.
    pub(super) fn line(&self, frame: &mut Frame<'_>, row: Rect, line: usize) {
        let width = row.width.min(self.placed.label);
        let name = Rect { width, ..row };
        let value = Rect {
            x: row.x + width,
            width: row.width - width,
            ..row
        };
        if line == 0 {
            frame.render_widget(self.name(width), name);
        }
        if let Some(line) = line.checked_sub(self.placed.lines) {
            frame.render_widget(self.remark(value.width, line), value);
        } else {
            let how = Drawing {
                line,
                per_line: self.placed.per_line,
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
