//! The layout as a pure function of the size, for drawing and navigation.

use ratatui::layout::{Constraint, Layout, Rect, Size};

/// The smallest terminal in which the program can be used.
pub const SMALLEST: Size = Size::new(60, 16);
/// Width from which there is room for panes beside each other.
pub const WIDE: u16 = 100;

/// Whether there is room in so many cells for a table and the record of its row, maybe with the values of fields beside them.
#[must_use]
pub fn has_room_for_record(width: u16, has_values: bool) -> bool {
    width >= if has_values { 160 } else { 120 }
}

/// The parts of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Areas {
    /// Tabs and balance.
    pub header: Rect,
    /// The tab in front.
    pub body: Rect,
    /// What is under way; empty while nothing is.
    pub jobs: Rect,
    /// The selected row in words, on a screen that is read aloud; else empty.
    pub selected: Rect,
    /// The latest message; empty while there is none.
    pub notice: Rect,
    /// The keys of this place.
    pub hints: Rect,
    /// The keys for which the line above has no room, and the profile.
    pub status: Rect,
}

impl Areas {
    /// The parts of a screen of this size, with so many jobs running, and with a line for a message where there is one. On a small
    /// screen a cell of the header stands for the jobs.
    #[must_use]
    pub fn of(size: Size, running: usize, has_notice: bool) -> Self {
        let strip = if is_wide(size) {
            u16::try_from(running.min(3)).unwrap_or(3)
        } else {
            0
        };
        let [header, body, jobs, selected, notice, hints, status] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Min(0),
            Constraint::Length(strip),
            Constraint::Length(0),
            Constraint::Length(u16::from(has_notice)),
            Constraint::Length(1),
            Constraint::Length(1),
        ])
        .areas(Rect::from((ratatui::layout::Position::ORIGIN, size)));
        Self {
            header,
            body,
            jobs,
            selected,
            notice,
            hints,
            status,
        }
    }

    /// The same with a line for the selected row, taken from the body.
    #[must_use]
    pub fn spoken(self) -> Self {
        let height = u16::from(self.body.height > 0);
        Self {
            body: Rect {
                height: self.body.height - height,
                ..self.body
            },
            jobs: Rect {
                y: self.jobs.y - height,
                ..self.jobs
            },
            selected: Rect {
                y: self.notice.y - height,
                height,
                ..self.notice
            },
            ..self
        }
    }
}

/// A pane at the left and one at the right; both in the same place if there is no room for two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    pub left: Rect,
    pub right: Rect,
}

impl Split {
    /// The lines of a screen around the body of a tab.
    const AROUND: u16 = 3;

    /// The panes in the body of a tab. `left` gives the width of the left one for that of the body.
    #[must_use]
    pub fn of(body: Rect, left: impl FnOnce(u16) -> u16) -> Self {
        Self::below(body, body, left)
    }

    /// The same in a part of the body.
    #[must_use]
    pub fn below(body: Rect, rest: Rect, left: impl FnOnce(u16) -> u16) -> Self {
        let height = body.height.saturating_add(Self::AROUND);
        if !is_wide(Size::new(body.width, height)) {
            return Self {
                left: rest,
                right: rest,
            };
        }
        let [left, right] =
            Layout::horizontal([Constraint::Length(left(body.width)), Constraint::Min(0)])
                .areas(rest);
        Self { left, right }
    }

    /// The same, where one pane may have the whole body.
    #[must_use]
    pub fn zoomed(self, is_zoomed: bool) -> Self {
        let whole = self.whole();
        if is_zoomed {
            return Self {
                left: whole,
                right: whole,
            };
        }
        self
    }

    #[must_use]
    pub fn whole(self) -> Rect {
        self.left.union(self.right)
    }

    /// Whether the panes are side by side.
    #[must_use]
    pub fn is_beside(self) -> bool {
        self.left != self.right
    }
}

/// The first cells of an area, and the rest of it.
#[must_use]
pub fn split_at(area: Rect, cells: u16) -> [Rect; 2] {
    let width = cells.min(area.width);
    let rest = Rect {
        x: area.x + width,
        width: area.width - width,
        ..area
    };
    [Rect { width, ..area }, rest]
}

/// Whether panes are side by side.
#[must_use]
pub fn is_wide(size: Size) -> bool {
    size.width >= WIDE && size.height >= 28
}

/// Whether the terminal is too small to be used.
#[must_use]
pub fn is_too_small(size: Size) -> bool {
    size.width < SMALLEST.width || size.height < SMALLEST.height
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_body_has_what_the_lines_leave() {
        let areas = Areas::of(Size::new(120, 36), 0, false);
        assert_eq!(
            (areas.header.height, areas.body.height, areas.jobs.height),
            (1, 33, 0)
        );
        assert_eq!(Areas::of(Size::new(120, 36), 5, false).jobs.height, 3);
        assert_eq!(Areas::of(Size::new(80, 24), 5, false).jobs.height, 0);
        let spoken = Areas::of(Size::new(120, 36), 1, false).spoken();
        assert_eq!((spoken.body.height, spoken.selected.y), (31, 33));
        assert_eq!(spoken.jobs.bottom(), spoken.selected.y);
        assert_eq!(spoken.selected.bottom(), spoken.hints.y);
        let noticed = Areas::of(Size::new(120, 36), 1, true);
        assert_eq!((noticed.body.height, noticed.notice.y), (31, 33));
        let both = noticed.spoken();
        assert_eq!(
            (both.body.height, both.selected.y, both.notice.y),
            (30, 32, 33)
        );
        for (width, height) in [(0, 0), (1, 1), (200, 2)] {
            let areas = Areas::of(Size::new(width, height), 2, true);
            assert!(areas.body.width <= width && areas.body.height <= height);
        }
    }
}
