//! The cursor and the scroll position of a page.

use std::{
    cell::{Cell, RefCell},
    ops::Range,
};

use crate::tui::ui::Motion;

/// Lines kept in view above and below the focused row, where there is room.
const MARGIN: usize = 2;

/// What tells the rows apart where the cursor can stop.
pub(super) type Anchor = u16;

/// A row for the cursor: its cells and its lines on the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AnchorSpot {
    pub(super) anchor: Anchor,
    pub(super) x: Range<u16>,
    pub(super) y: Range<usize>,
}

impl AnchorSpot {
    /// Whether both are in one column, so that one is above the other.
    fn shares_column(&self, other: &Self) -> bool {
        self.x.start < other.x.end && other.x.start < self.x.end
    }
}

/// A page as it was drawn last: where the cursor can stop, how many lines it has, and how many of them are in view.
#[derive(Clone, Debug, Default)]
struct Measure {
    spots: Vec<AnchorSpot>,
    lines: usize,
    height: usize,
}

/// The anchor that has the focus, the first line in view, and the page as it was drawn last.
#[derive(Debug, Default)]
pub struct PageState {
    focus: Cell<Option<Anchor>>,
    offset: usize,
    measure: RefCell<Measure>,
}

impl PageState {
    /// The anchor under the cursor. It is in view, if the page was drawn since it changed.
    #[must_use]
    pub fn focus(&self) -> Option<Anchor> {
        self.focus.get()
    }

    /// Stands on this anchor; the next drawing brings it into view.
    pub fn focus_on(&self, anchor: Anchor) {
        self.focus.set(Some(anchor));
    }

    /// Moves on the page as it was drawn last; returns whether anything changed.
    ///
    /// Up and down go to the next anchor in the same column when both fit into one view, so that nothing is skipped
    /// unseen; otherwise the page scrolls by a line. Left and right go to the other column.
    pub fn step(&mut self, motion: Motion) -> bool {
        let mut walk = FocusWalk::settled(self.measure.get_mut(), self.focus.get(), self.offset);
        let before = walk.place();
        walk.go(motion);
        let after = walk.place();
        (self.focus, self.offset) = (Cell::new(after.0), after.1);
        after != before
    }

    /// Keeps the measure of the page for the next move; returns the lines in view.
    pub(super) fn see(&self, spots: Vec<AnchorSpot>, lines: usize, height: u16) -> Range<usize> {
        let height = usize::from(height);
        let measure = Measure {
            spots,
            lines,
            height,
        };
        let (_, offset) = FocusWalk::settled(&measure, self.focus.get(), self.offset).place();
        self.measure.replace(measure);
        offset..(offset + height).min(lines)
    }

    /// The rows for the cursor as far as they are among these lines, by number.
    pub(super) fn spots_in(&self, lines: &Range<usize>) -> Vec<(usize, AnchorSpot)> {
        let measure = self.measure.borrow();
        let spots = measure.spots.iter().enumerate().map(|(at, spot)| {
            let y = spot.y.start.max(lines.start)..spot.y.end.min(lines.end);
            (at, AnchorSpot { y, ..spot.clone() })
        });
        spots.filter(|(_, spot)| !spot.y.is_empty()).collect()
    }
}

struct FocusWalk<'l> {
    page: &'l Measure,
    focus: Option<&'l AnchorSpot>,
    offset: usize,
}

impl<'l> FocusWalk<'l> {
    /// Settles after the page or its size changed: an anchor that is gone lets the focus go, one that is there comes
    /// into view.
    fn settled(page: &'l Measure, focus: Option<Anchor>, offset: usize) -> Self {
        let focus = focus.and_then(|anchor| page.spots.iter().find(|spot| spot.anchor == anchor));
        let mut walk = Self {
            page,
            focus,
            offset: 0,
        };
        walk.scroll_to(offset);
        if let Some(spot) = focus
            && !walk.sees(spot)
        {
            walk.reveal(spot);
        }
        walk
    }

    fn place(&self) -> (Option<Anchor>, usize) {
        (self.focus.map(|spot| spot.anchor), self.offset)
    }

    fn go(&mut self, motion: Motion) {
        match motion {
            Motion::Up => self.up(),
            Motion::Down => self.down(),
            Motion::Left => self.aside(|spot, from| spot.x.end <= from.x.start),
            Motion::Right => self.aside(|spot, from| from.x.end <= spot.x.start),
            Motion::First => self.leap(isize::MIN),
            Motion::Last => self.leap(isize::MAX),
            Motion::To(row) => {
                // What is pointed at stays where it is.
                if let Some(spot) = self.page.spots.get(row) {
                    self.focus = Some(spot);
                    if !self.sees(spot) {
                        self.reveal(spot);
                    }
                }
            }
            Motion::PageUp | Motion::PageDown | Motion::HalfUp | Motion::HalfDown => {
                self.leap(motion.rows(self.page.height).unwrap_or_default());
            }
        }
    }

    fn down(&mut self) {
        let from = self.focus.map_or(self.offset, |spot| spot.y.end);
        let begins = self.focus.map_or(self.offset, |spot| spot.y.start);
        let below = || self.page.spots.iter().filter(|spot| spot.y.start >= from);
        match self.in_column(below()).or_else(|| below().next()) {
            Some(spot) if spot.y.end <= begins + self.page.height => self.stand_on(spot),
            _ => self.scroll(1),
        }
    }

    fn up(&mut self) {
        let bottom = self.offset + self.page.height;
        let from = self.focus.map_or(bottom, |spot| spot.y.start);
        let ends = self.focus.map_or(bottom, |spot| spot.y.end);
        let above = || {
            self.page
                .spots
                .iter()
                .rev()
                .filter(|spot| spot.y.end <= from)
        };
        match self.in_column(above()).or_else(|| above().next()) {
            Some(spot) if spot.y.start + self.page.height >= ends => self.stand_on(spot),
            _ => self.scroll(-1),
        }
    }

    fn in_column(&self, mut spots: impl Iterator<Item = &'l AnchorSpot>) -> Option<&'l AnchorSpot> {
        spots.find(|spot| self.focus.is_none_or(|from| spot.shares_column(from)))
    }

    fn aside(&mut self, beside: impl Fn(&AnchorSpot, &AnchorSpot) -> bool) {
        if let Some(from) = self.focus {
            let spots = self.page.spots.iter();
            let nearest = spots
                .filter(|spot| beside(spot, from) && self.sees(spot))
                .min_by_key(|spot| spot.y.start.abs_diff(from.y.start));
            if let Some(spot) = nearest {
                self.stand_on(spot);
            }
        }
    }

    /// Scrolls by more than a line; the focus goes along to the anchor that is nearest to where it would be then.
    ///
    /// Where the page cannot scroll any further, the focus goes to the outermost anchor.
    fn leap(&mut self, lines: isize) {
        let before = self.offset;
        self.scroll_to(self.offset.saturating_add_signed(lines));
        let at_end = self.offset == before || lines == isize::MIN || lines == isize::MAX;
        let seen = || self.page.spots.iter().filter(|spot| self.sees(spot));
        let beside = |spot: &&AnchorSpot| self.focus.is_none_or(|from| spot.shares_column(from));
        let aim = match self.focus {
            _ if at_end && lines > 0 => usize::MAX,
            _ if at_end => 0,
            Some(from) => (from.y.start + self.offset).saturating_sub(before),
            None => return,
        };
        let far = |spot: &&AnchorSpot| spot.y.start.abs_diff(aim);
        self.focus = seen()
            .filter(beside)
            .min_by_key(far)
            .or_else(|| seen().min_by_key(far));
    }

    fn scroll(&mut self, lines: isize) {
        self.scroll_to(self.offset.saturating_add_signed(lines));
        self.focus = self.focus.filter(|spot| self.sees(spot));
    }

    fn scroll_to(&mut self, offset: usize) {
        self.offset = offset.min(self.page.lines.saturating_sub(self.page.height));
    }

    fn sees(&self, spot: &AnchorSpot) -> bool {
        let first_line_only = spot.y.len().min(self.page.height.max(1));
        spot.y.start >= self.offset
            && spot.y.start + first_line_only <= self.offset + self.page.height
    }

    fn stand_on(&mut self, spot: &'l AnchorSpot) {
        self.focus = Some(spot);
        self.reveal(spot);
    }

    /// Scrolls as little as brings a row into view, with a little around it.
    fn reveal(&mut self, spot: &AnchorSpot) {
        let around = MARGIN.min(self.page.height.saturating_sub(spot.y.len()) / 2);
        let highest = spot.y.start.saturating_sub(around);
        let lowest = (spot.y.end + around).saturating_sub(self.page.height);
        self.scroll_to(self.offset.clamp(lowest.min(highest), highest));
    }
}
