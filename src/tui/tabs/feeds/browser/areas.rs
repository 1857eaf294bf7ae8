//! Where the parts of the browser are drawn.

use ratatui::layout::{Constraint, Layout, Rect};

use crate::tui::ui::{areas::WIDE, widgets::pane::Pane};

/// What decides where the parts are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BrowserShape {
    /// Whether facets are shown; unless it was chosen, where there is room.
    pub(super) facets: Option<bool>,
    /// Cells of what is said about the filter that is typed; none where nothing is.
    pub(super) mistake: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BrowserAreas {
    /// Feed, release and how many records.
    pub(super) head: Rect,
    /// The filter; in a wide area it is in the head.
    pub(super) filter: Rect,
    /// What is wrong with the filter.
    pub(super) mistake: Rect,
    pub(super) table: Rect,
    /// The values of fields; beside the table, or over its right end where there is no room.
    pub(super) facets: Rect,
    pub(super) is_wide: bool,
}

/// Cells of the facets.
const FACETS: u16 = 30;
/// The same where there is room for all columns, too.
const WIDER: u16 = 44;
/// Width from which there is.
const HUGE: u16 = 170;

impl BrowserAreas {
    pub(super) fn of(body: Rect, shape: BrowserShape) -> Self {
        let is_wide = body.width >= WIDE;
        let lines = if is_wide { 1 } else { 2 };
        // Marks under the place of a mistake, and the words, in two lines where one is too short.
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
            facets,
            is_wide,
        }
    }

    /// Where the rows of the table and their heads go: on a small screen there is no border, which leaves room for a column more.
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

    /// Rows that can be seen, their heads left out.
    pub(super) fn rows(&self) -> usize {
        usize::from(self.inside().height.saturating_sub(1)).max(1)
    }
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
