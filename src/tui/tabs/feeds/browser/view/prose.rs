//! Lines of text instead of a table: loading, failed, empty.

use ratatui::{Frame, layout::Rect, text::Line};

use crate::tui::ui::cells;

/// Draws wrapped lines from the top of an area.
pub(super) fn lines(frame: &mut Frame<'_>, area: Rect, lines: Vec<Line<'_>>) {
    let wrapped = lines
        .into_iter()
        .flat_map(|line| cells::wrap(line, area.width));
    for (line, row) in wrapped.zip(area.rows()) {
        frame.render_widget(line, row);
    }
}
