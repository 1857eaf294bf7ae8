//! Where the fields of a form go, for a width.

use ratatui::text::Line;

use super::field::{FormField, said};
use crate::tui::ui::cells;

/// Cells that a name takes besides itself: the mark before it and the gap after it.
pub(super) const AROUND_LABEL: u16 = 4;

/// Cells that the sign of a remark takes, the blank after it included.
pub(super) const SIGN: u16 = 2;

/// The lines of one field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FieldLayout {
    pub(super) index: usize,
    pub(super) y: usize,
    pub(super) end: usize,
    /// Lines of the control; suggestions are below them, then a remark.
    pub(super) lines: usize,
    pub(super) per_line: usize,
    /// The line of the control that Space works on.
    pub(super) active: usize,
    /// Cells for the name, one width for the whole form.
    pub(super) label: u16,
}

#[derive(Clone, Debug)]
pub(super) struct FormLayout {
    pub(super) fields: Vec<FieldLayout>,
}

impl FormLayout {
    pub(super) fn of<I>(fields: &[FormField<I>], width: u16) -> Self {
        let widest = fields.iter().map(|field| cells::width(&field.label)).max();
        let label = widest.unwrap_or_default().min(width / 3) + AROUND_LABEL;
        let room = width.saturating_sub(label);
        let mut y = 0;
        let laid_out = fields.iter().enumerate().map(|(index, field)| {
            let per_line = usize::from(room / field.control.switch_width().max(1)).max(1);
            let lines = field.control.switches().div_ceil(per_line).max(1);
            let begins = y;
            y += lines + field.suggestions.len() + remark(field, room).len();
            FieldLayout {
                index,
                y: begins,
                end: y,
                lines,
                per_line,
                active: field.control.active() / per_line,
                label,
            }
        });
        Self {
            fields: laid_out.collect(),
        }
    }

    /// The first line in view, of those furthest down.
    pub(super) fn last_offset(&self, height: u16) -> usize {
        let total = self.fields.last().map_or(0, |last| last.end);
        total.saturating_sub(usize::from(height))
    }

    /// The first line in view, such that all of the field with the focus is, or of a large one the line that is worked
    /// on.
    pub(super) fn offset(&self, focus: usize, height: u16) -> usize {
        let height = usize::from(height);
        let Some(field) = self.fields.get(focus) else {
            return 0;
        };
        let total = self.fields.last().map_or(0, |last| last.end);
        // The next field is in view too where there is room, so that one sees that there is one.
        let below = (field.end + 1).min(total);
        let whole = below.saturating_sub(height).min(field.y);
        let active = field.y + field.active + 1;
        whole.max(active.saturating_sub(height))
    }
}

/// The remark on a field as lines of at most `room` cells, its sign before the first one.
pub(super) fn remark<I>(field: &FormField<I>, room: u16) -> Vec<Line<'_>> {
    said(field).map_or_else(Vec::new, |(_, text)| {
        cells::wrap(Line::from(text), room.saturating_sub(SIGN))
    })
}
