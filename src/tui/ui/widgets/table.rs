//! A table of which only the rows in view are built: a million rows are drawn as fast as fifty.

use std::ops::Range;

use ratatui::{Frame, layout::Rect, style::Style, text::Line};

use super::columns::{self, Column};
use crate::tui::ui::{Cursor, Focus, Pen, areas, cells};

/// What a table has: its columns, so many rows, and one of them selected.
#[derive(Clone, Debug)]
pub struct Table<'t> {
    columns: &'t [Column<'t>],
    cursor: &'t Cursor,
    len: usize,
    instead: Option<Range<usize>>,
    base: Style,
    cell: Option<usize>,
}

impl<'t> Table<'t> {
    /// Cells at the left for the mark of the selected row.
    pub const GUTTER: u16 = Pen::GUTTER;

    /// A table of `len` rows.
    #[must_use]
    pub fn new(columns: &'t [Column<'t>], cursor: &'t Cursor, len: usize) -> Self {
        Self {
            columns,
            cursor,
            len,
            instead: None,
            base: Style::new(),
            cell: None,
        }
    }

    /// Draws these rows in place of those at the cursor, and none as selected.
    #[must_use]
    pub fn instead(self, rows: Range<usize>) -> Self {
        Self {
            instead: Some(rows),
            ..self
        }
    }

    /// Sets the style of the rows.
    #[must_use]
    pub fn base(self, base: Style) -> Self {
        Self { base, ..self }
    }

    /// Underlines the cell of the selected row in this column.
    #[must_use]
    pub fn cell(self, cell: Option<usize>) -> Self {
        Self { cell, ..self }
    }

    /// Draws the rows in view. `row` is asked for no others; it gives a cell for each column.
    pub fn draw<'a, 'p>(
        self,
        frame: &mut Frame<'_>,
        area: Rect,
        row: impl Fn(usize) -> Vec<Line<'a>>,
        pen: impl Into<Pen<'p>>,
        focus: Focus,
    ) {
        let pen = pen.into();
        let theme = pen.theme;
        if area.is_empty() {
            return;
        }
        let mut columns = self.columns.iter();
        let has_heads = columns.any(|column| !column.title().is_empty());
        let height = area.height.saturating_sub(u16::from(has_heads));
        let window = self.cursor.window(self.len, height.into());
        let is_current = self.instead.is_none();
        let window = self.instead.unwrap_or(window);
        let window = window.start..window.end.min(window.start + usize::from(height));
        let rows: Vec<Vec<Line<'a>>> = window.clone().map(row).collect();
        let room = area.width.saturating_sub(Self::GUTTER);
        let widest = |column: usize| {
            rows.iter()
                .filter_map(|cells| cells.get(column))
                .map(cells::line_width)
                .max()
                .unwrap_or(0)
        };
        let settled = columns::settle(self.columns, room, widest);
        if has_heads {
            let heads = Rect { height: 1, ..area };
            let [_, heads] = areas::split_at(heads, Self::GUTTER);
            let header = settled.header().style(theme.header);
            frame.render_widget(cells::cut_line(header, room), heads);
            settled.note_heads(heads, pen);
        }
        let selected = self.cursor.selected(self.len).filter(|_| is_current);
        // What is drawn in place of the rows at the cursor cannot be clicked.
        let pen = if is_current { pen } else { theme.into() };
        let places = area.rows().skip(usize::from(has_heads));
        for ((at, cells), place) in window.zip(rows).zip(places) {
            let mut line = settled.line(cells);
            line.style = theme.text.patch(self.base).patch(line.style);
            let focus = (selected == Some(at)).then_some(focus);
            pen.list_row(frame, place, at, line, focus);
            let cell = self.cell.filter(|_| focus.is_some_and(Focus::is_here));
            if let Some((start, width)) = cell.and_then(|cell| settled.place(cell)) {
                let x = place.x.saturating_add(Self::GUTTER).saturating_add(start);
                let cell = Rect { x, width, ..place }.intersection(place);
                frame.buffer_mut().set_style(cell, theme.matched);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::tui::{
        test_terminal,
        ui::{Motion, Theme, widgets::columns::Width},
    };

    fn columns() -> [Column<'static>; 3] {
        [
            Column::new("ADDRESS", Width::Min(8)),
            Column::new("COUNT", Width::Fixed(5)).right(),
            Column::new("NOTE", Width::Fill(6)).rank(1),
        ]
    }

    fn row(index: usize) -> Vec<Line<'static>> {
        vec![
            Line::raw(format!("198.51.100.{index}")),
            Line::raw((index * 7).to_string()),
            Line::raw("a longer note"),
        ]
    }

    #[test]
    fn the_selected_row_is_marked_and_numbers_stand_right() {
        let mut cursor = Cursor::default();
        cursor.step(Motion::Down, 9);
        let shown = test_terminal::shown(34, 4, |frame| {
            Table::new(&columns(), &cursor, 9).draw(
                frame,
                frame.area(),
                row,
                &Theme::terminal(),
                Focus::Here,
            );
        });
        assert_eq!(
            shown,
            "  ADDRESS       COUNT  NOTE\n  198.51.100.0      0  a longer n…\n> 198.51.100.1      7  a longer n…\n  198.51.100.2     14  a longer n…"
        );
    }

    #[test]
    fn only_rows_in_view_are_built() {
        let built = Cell::new(0);
        let count = |index| {
            built.set(built.get() + 1);
            row(index)
        };
        let mut cursor = Cursor::default();
        cursor.step(Motion::Last, 1_000_000);
        test_terminal::shown(60, 20, |frame| {
            Table::new(&columns(), &cursor, 1_000_000).draw(
                frame,
                frame.area(),
                count,
                &Theme::terminal(),
                Focus::Here,
            );
        });
        assert_eq!(built.get(), 19);
    }

    #[test]
    fn addresses_are_never_cut() {
        let shown = test_terminal::shown(20, 2, |frame| {
            let cursor = Cursor::default();
            Table::new(&columns(), &cursor, 1).draw(
                frame,
                frame.area(),
                |_| row(100),
                &Theme::terminal(),
                Focus::Here,
            );
        });
        assert!(shown.contains("198.51.100.100"), "{shown}");
    }

    #[test]
    fn any_area_will_do() {
        test_terminal::fits_any_area(|frame, area| {
            Table::new(&columns(), &Cursor::default(), 40).draw(
                frame,
                area,
                row,
                &Theme::terminal(),
                Focus::Here,
            );
        });
    }
}
