//! The layout of the browser, and text in place of its rows.

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    text::Line,
};

use crate::tui::ui::{
    Pane,
    areas::{WIDE, has_room_for_record},
    cells,
};

/// The inputs of the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BrowserShape {
    /// Whether facets are shown; `None` shows them if there is room.
    pub(super) facets: Option<bool>,
    /// The width in cells of the message about the typed filter; 0 for none.
    pub(super) mistake: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BrowserAreas {
    /// Feed, release and number of records.
    pub(super) head: Rect,
    /// The filter; part of the head if the area is wide.
    pub(super) filter: Rect,
    /// The message about a mistake in the filter.
    pub(super) mistake: Rect,
    pub(super) table: Rect,
    /// The record of the row under the cursor; empty without room for it.
    pub(super) record: Rect,
    /// The values of fields: beside the table, or over its right end if the area is narrow.
    pub(super) facets: Rect,
    pub(super) is_wide: bool,
}

/// The width of the facets in cells.
const FACETS: u16 = 30;
/// The width of the facets if all columns fit beside them.
const WIDER: u16 = 44;
/// The width of the body for that.
const HUGE: u16 = 170;
/// The most cells of a record beside the table: its facts are short.
const RECORD: u16 = 60;

impl BrowserAreas {
    pub(super) fn of(body: Rect, shape: BrowserShape) -> Self {
        let is_wide = body.width >= WIDE;
        let lines = if is_wide { 1 } else { 2 };
        // A line of marks under the mistake, and one or two lines of text.
        let mistake = match shape.mistake {
            0 => 0,
            cells if cells <= body.width => 2,
            _ => 3,
        };
        let [top, mistake, rest] = Layout::vertical([
            Constraint::Length(lines),
            Constraint::Length(mistake),
            Constraint::Min(0),
        ])
        .areas(body);
        let [head, filter] = if is_wide {
            [top, top]
        } else {
            Layout::vertical([Constraint::Length(1), Constraint::Length(1)]).areas(top)
        };
        let width = if shape.facets.unwrap_or(is_wide) {
            let wide = if body.width >= HUGE { WIDER } else { FACETS };
            wide.min(rest.width)
        } else {
            0
        };
        let facets = Rect {
            x: rest.right() - width,
            width,
            ..rest
        };
        let table = Rect {
            width: if is_wide {
                rest.width - width
            } else {
                rest.width
            },
            ..rest
        };
        Self {
            head,
            filter,
            mistake,
            table,
            record: Rect::default(),
            facets,
            is_wide,
        }
    }

    /// The same with the record of the row at the right end of the table, where there is room for both.
    pub(super) fn with_record(self) -> Self {
        let (has_values, all) = (!self.facets.is_empty(), self.table.union(self.facets).width);
        if !has_room_for_record(all, has_values) {
            return self;
        }
        let width = (self.table.width / 20 * 9).min(RECORD);
        let (table, record) = (self.table.width - width, self.table.right() - width);
        Self {
            table: Rect {
                width: table,
                ..self.table
            },
            record: Rect {
                x: record,
                width,
                ..self.table
            },
            ..self
        }
    }

    /// The area of the column heads and the rows. A narrow screen has no border, which leaves room for one more column.
    pub(super) fn inside(&self) -> Rect {
        if self.is_wide {
            Pane::inner(self.table)
        } else {
            Rect {
                y: self.table.y + 1.min(self.table.height),
                height: self.table.height.saturating_sub(1),
                ..self.table
            }
        }
    }

    /// The number of visible rows, without the column heads.
    pub(super) fn rows(&self) -> usize {
        usize::from(self.inside().height.saturating_sub(1)).max(1)
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facets_stand_beside_the_table_or_over_it() {
        let shape = |facets| BrowserShape { facets, mistake: 0 };
        let wide = Rect::new(0, 1, 120, 32);
        let parts = BrowserAreas::of(wide, shape(None));
        assert_eq!((parts.table.width, parts.facets.width), (90, 30));
        assert_eq!(parts.rows(), 28);
        let parts = BrowserAreas::of(wide, shape(Some(false)));
        assert_eq!((parts.table.width, parts.facets.width), (120, 0));
        let small = Rect::new(0, 1, 80, 21);
        let parts = BrowserAreas::of(small, shape(None));
        assert_eq!((parts.table.width, parts.facets.width), (80, 0));
        assert_eq!(parts.rows(), 17);
        let parts = BrowserAreas::of(small, shape(Some(true)));
        assert_eq!((parts.table.width, parts.facets.width), (80, 30));
    }

    #[test]
    fn the_record_of_a_row_takes_a_part_of_the_table_where_there_is_room() {
        for (width, facets, table, record) in [
            (119, false, 119, 0),
            (120, false, 66, 54),
            (159, true, 129, 0),
            (160, true, 76, 54),
            (200, true, 96, 60),
        ] {
            let shape = BrowserShape {
                facets: Some(facets),
                mistake: 0,
            };
            let body = Rect::new(0, 1, width, 32);
            let parts = BrowserAreas::of(body, shape).with_record();
            let widths = (parts.table.width, parts.record.width);
            assert_eq!(widths, (table, record), "{width}");
            let all = parts.table.width + parts.record.width + parts.facets.width;
            assert_eq!(all, width);
        }
    }

    #[test]
    fn a_long_complaint_has_two_lines() {
        for (cells, lines) in [(0, 0), (80, 2), (81, 3), (200, 3)] {
            let shape = BrowserShape {
                facets: None,
                mistake: cells,
            };
            let parts = BrowserAreas::of(Rect::new(0, 1, 80, 21), shape);
            assert_eq!(parts.mistake.height, lines, "{cells}");
        }
    }
}
