//! The cursor of a list, and its visible rows.

use std::{cell::Cell, ops::Range};

/// A move, as keys mean it everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Motion {
    Up,
    Down,
    /// One screenful up, less one row to keep the thread.
    PageUp,
    /// One screenful down, less one row to keep the thread.
    PageDown,
    HalfUp,
    HalfDown,
    First,
    Last,
    /// To the left, where there is a left.
    Left,
    /// To the right, where there is a right.
    Right,
    /// To a row, by its number: what a click does.
    To(usize),
}

impl Motion {
    /// How many rows of a window of `height` this moves by, downwards positive; `None` for moves that are not by rows.
    #[must_use]
    pub fn rows(self, height: usize) -> Option<isize> {
        let page = height.saturating_sub(1).max(1).cast_signed();
        let half = (height / 2).max(1).cast_signed();
        Some(match self {
            Self::Up => -1,
            Self::Down => 1,
            Self::PageUp => -page,
            Self::PageDown => page,
            Self::HalfUp => -half,
            Self::HalfDown => half,
            Self::First | Self::Last | Self::Left | Self::Right | Self::To(_) => return None,
        })
    }
}

/// A selected row and a scroll position, over a list whose length is passed each time and whose height was measured when
/// it was drawn last.
///
/// The list may shrink and the window may change at any moment: [`Cursor::window`] is right in any case, and the methods
/// that change something settle both numbers again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    index: Cell<usize>,
    offset: Cell<usize>,
    height: Cell<usize>,
    /// Whether the row was pointed at: it stays where it is then, also at the edge of the window.
    is_pointed: Cell<bool>,
}

impl Cursor {
    /// Rows kept in view beyond the selected one, where there is room.
    pub const MARGIN: usize = 2;

    /// The selected row; below the length after [`Cursor::select`] unless the list is empty.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index.get()
    }

    /// The selected row of a list of `len`, or none when the list is empty.
    #[must_use]
    pub fn selected(&self, len: usize) -> Option<usize> {
        len.checked_sub(1).map(|last| self.index().min(last))
    }

    /// Moves; returns whether another row is selected now.
    pub fn step(&mut self, motion: Motion, len: usize) -> bool {
        let before = self.selected(len);
        let index = before.unwrap_or_default();
        let target = match (motion, motion.rows(self.height.get())) {
            (_, Some(rows)) => index.saturating_add_signed(rows),
            (Motion::First, None) => 0,
            (Motion::Last, None) => usize::MAX,
            (Motion::To(row), None) => row,
            (_, None) => index,
        };
        self.is_pointed.set(matches!(motion, Motion::To(_)));
        self.settle(target, len);
        self.selected(len) != before
    }

    /// Selects a row, the last one when there are fewer, and scrolls as far as the height is known.
    pub fn select(&self, index: usize, len: usize) {
        if index != self.index() {
            self.is_pointed.set(false);
        }
        self.settle(index, len);
    }

    fn settle(&self, index: usize, len: usize) {
        self.index.set(index);
        self.index.set(self.selected(len).unwrap_or_default());
        let height = self.height.get();
        if height > 0 {
            self.offset.set(self.window(len, height).start);
        }
    }

    /// The rows in view: as near to the last scroll position as keeps the selected row in view. Drawing asks for them, and
    /// the height is kept for the next move.
    #[must_use]
    pub fn window(&self, len: usize, height: usize) -> Range<usize> {
        self.height.set(height);
        let Some(index) = self.selected(len) else {
            return 0..0;
        };
        let margin = if self.is_pointed.get() {
            0
        } else {
            Self::MARGIN.min(height.saturating_sub(1) / 2)
        };
        let highest = index.saturating_sub(margin);
        let lowest = (index + margin + 1).saturating_sub(height);
        let end = len.saturating_sub(height);
        let offset = self
            .offset
            .get()
            .clamp(lowest, highest.max(lowest))
            .min(end);
        offset..(offset + height).min(len)
    }
}

#[cfg(test)]
mod tests {
    use proptest::{prelude::*, sample::select};

    use super::*;

    const MOTIONS: [Motion; 11] = [
        Motion::To(7),
        Motion::Up,
        Motion::Down,
        Motion::PageUp,
        Motion::PageDown,
        Motion::HalfUp,
        Motion::HalfDown,
        Motion::First,
        Motion::Last,
        Motion::Left,
        Motion::Right,
    ];

    /// A cursor of a list that was drawn in a window of this height.
    fn drawn(height: usize) -> Cursor {
        let cursor = Cursor::default();
        let _ = cursor.window(1, height);
        cursor
    }

    #[test]
    fn each_motion_moves_as_far_as_it_says() {
        for (start, motion, index, offset) in [
            (0, Motion::Up, 0, 0),
            (0, Motion::Down, 1, 0),
            (7, Motion::Down, 8, 1),
            (0, Motion::PageDown, 9, 2),
            (0, Motion::HalfDown, 5, 0),
            (50, Motion::PageUp, 41, 39),
            (50, Motion::HalfUp, 45, 43),
            (50, Motion::First, 0, 0),
            (50, Motion::Last, 99, 90),
            (99, Motion::Down, 99, 90),
            (50, Motion::Left, 50, 43),
            (50, Motion::To(47), 47, 43),
            (50, Motion::To(52), 52, 43),
            (50, Motion::To(500), 99, 90),
        ] {
            let mut cursor = drawn(10);
            cursor.select(start, 100);
            let moved = cursor.step(motion, 100);
            assert_eq!(cursor.index(), index, "{motion:?} from {start}");
            assert_eq!(
                cursor.window(100, 10).start,
                offset,
                "{motion:?} from {start}"
            );
            assert_eq!(moved, start != index, "{motion:?} from {start}");
        }
    }

    #[test]
    fn an_empty_list_and_a_window_without_rows_are_fine() {
        let mut cursor = drawn(10);
        assert!(!cursor.step(Motion::Down, 0));
        assert_eq!(cursor.selected(0), None);
        assert_eq!(cursor.window(0, 0), 0..0);
        assert!(cursor.step(Motion::Down, 5));
        assert!(cursor.window(5, 0).is_empty());
    }

    #[test]
    fn a_list_that_shrinks_keeps_its_last_row_selected() {
        let cursor = drawn(10);
        cursor.select(80, 100);
        assert_eq!(cursor.window(5, 10), 0..5);
        cursor.select(cursor.index(), 5);
        assert_eq!(cursor.index(), 4);
    }

    #[test]
    fn a_row_is_pointed_at_without_scrolling_as_long_as_it_is_in_view() {
        for (index, selected, window) in [
            (52, 52, 45..55),
            (60, 60, 53..63),
            (10, 10, 8..18),
            (500, 99, 90..100),
        ] {
            let cursor = drawn(10);
            cursor.select(50, 100);
            cursor.select(47, 100);
            cursor.select(index, 100);
            assert_eq!(cursor.index(), selected, "{index}");
            assert_eq!(cursor.window(100, 10), window, "{index}");
        }
    }

    proptest! {
        #[test]
        fn the_selected_row_is_always_in_view(
            steps in prop::collection::vec((select(MOTIONS.to_vec()), 0_usize..60, 0_usize..20), 0..40),
        ) {
            let mut cursor = Cursor::default();
            for (motion, len, height) in steps {
                let _ = cursor.window(len, height);
                cursor.step(motion, len);
                let window = cursor.window(len, height);
                prop_assert!(window.len() <= height && window.end <= len);
                prop_assert_eq!(window.len(), height.min(len), "no blank rows while there are others");
                if len > 0 && height > 0 {
                    prop_assert!(window.contains(&cursor.index()));
                }
                let settled = cursor.clone();
                cursor.select(cursor.index(), len);
                prop_assert_eq!(cursor.clone(), settled, "a step settles");
            }
        }
    }
}
