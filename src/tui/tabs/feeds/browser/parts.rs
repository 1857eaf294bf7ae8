//! Where the parts of the browser are drawn.

use ratatui::layout::{Constraint, Layout, Rect};

use crate::tui::ui::{areas::WIDE, widgets::pane::Pane};

/// What decides where the parts are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// Whether facets are shown; unless it was chosen, where there is room.
    pub(super) facets: Option<bool>,
    /// Whether something is said about the filter that is typed.
    pub(super) mistake: bool,
}

/// The parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parts {
    /// Feed, release and how many records.
    pub(super) head: Rect,
    /// The filter; in a wide area it stands in the head.
    pub(super) filter: Rect,
    /// What is wrong with the filter.
    pub(super) mistake: Rect,
    /// The records.
    pub(super) table: Rect,
    /// The values of fields; beside the table, or over its right end where there is no room.
    pub(super) facets: Rect,
    /// Whether the area is wide.
    pub(super) is_wide: bool,
}

/// Cells of the facets.
const FACETS: u16 = 30;
/// The same where there is room for all columns, too.
const WIDER: u16 = 44;
/// Width from which there is.
const HUGE: u16 = 170;

impl Parts {
    /// The parts of an area.
    pub(super) fn of(body: Rect, shape: Shape) -> Self {
        let is_wide = body.width >= WIDE;
        let lines = if is_wide { 1 } else { 2 };
        let mistake = if shape.mistake { 2 } else { 0 };
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
        let shape = |facets| Shape {
            facets,
            mistake: false,
        };
        let wide = Rect::new(0, 1, 120, 32);
        let parts = Parts::of(wide, shape(None));
        assert_eq!((parts.table.width, parts.facets.width), (90, 30));
        assert_eq!(parts.rows(), 28);
        let parts = Parts::of(wide, shape(Some(false)));
        assert_eq!((parts.table.width, parts.facets.width), (120, 0));
        let small = Rect::new(0, 1, 80, 21);
        let parts = Parts::of(small, shape(None));
        assert_eq!((parts.table.width, parts.facets.width), (80, 0));
        assert_eq!(parts.rows(), 17);
        let parts = Parts::of(small, shape(Some(true)));
        assert_eq!((parts.table.width, parts.facets.width), (80, 30));
    }
}
