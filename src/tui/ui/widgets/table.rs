//! A table of which only the rows in view are built: a million rows are drawn as fast as fifty.

use std::ops::Range;

use ratatui::{Frame, layout::Rect, style::Style, text::Line};

use super::columns::{self, Column};
use crate::tui::ui::{cells, cursor::Cursor, spots::Pen, theme::Focus};

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
    pub const GUTTER: u16 = 2;

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
        let mut place = Rect { height: 1, ..area };
        let mut line = |line: Line<'_>, base| {
            let text = Rect {
                x: place.x + Self::GUTTER.min(place.width),
                width: room,
                ..place
            };
            let mut line = line;
            line.style = theme.text.patch(base).patch(line.style);
            frame.render_widget(cells::cut_line(line, text.width), text);
            place.y += 1;
        };
        if has_heads {
            line(settled.header(), theme.header);
            let heads = Rect {
                x: area.x + Self::GUTTER.min(area.width),
                width: room,
                height: 1,
                ..area
            };
            settled.note_heads(heads, pen);
        }
        let selected = self.cursor.selected(self.len).filter(|_| is_current);
        let below_heads = area.rows().skip(usize::from(has_heads));
        for (at, place) in window.clone().zip(below_heads).filter(|_| is_current) {
            pen.row(place, at, focus.is_here() && selected == Some(at));
        }
        for cells in rows {
            line(settled.line(cells), self.base);
        }
        let Some(selected) = selected.filter(|index| window.contains(index)) else {
            return;
        };
        let below = u16::try_from(selected - window.start).unwrap_or(u16::MAX);
        let y = area.y + u16::from(has_heads) + below;
        if y < area.bottom() {
            let place = Rect {
                y,
                height: 1,
                ..area
            };
            frame.buffer_mut().set_style(place, theme.row(focus));
            frame.buffer_mut()[(place.x, place.y)].set_symbol(">");
            let cell = self.cell.filter(|_| focus.is_here());
            if let Some((start, width)) = cell.and_then(|cell| settled.place(cell)) {
                let x = place.x.saturating_add(Self::GUTTER).saturating_add(start);
                let cell = Rect { x, width, ..place };
                let cell = cell.intersection(place);
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
        ui::{cursor::Motion, theme::Theme, widgets::columns::Width},
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
