//! Lines in place of a table, and the room below them.

use ratatui::{Frame, layout::Rect, text::Line};

use crate::tui::ui::cells;

/// Draws wrapped lines in place of a table: loading, failed, empty.
pub(super) fn lines(frame: &mut Frame<'_>, area: Rect, lines: Vec<Line<'_>>) {
    let wrapped = lines
        .into_iter()
        .flat_map(|line| cells::wrap(line, area.width));
    for (line, row) in wrapped.zip(area.rows()) {
        frame.render_widget(line, row);
    }
}

/// The area below so many lines.
pub(super) fn below(area: Rect, lines: usize) -> [Rect; 2] {
    let height = u16::try_from(lines).unwrap_or(u16::MAX).min(area.height);
    let rest = Rect {
        y: area.y + height,
        height: area.height - height,
        ..area
    };
    [Rect { height, ..area }, rest]
}
