//! The cursor and the scroll position of a page.

use std::{
    cell::{Cell, RefCell},
    ops::Range,
};

use ratatui::layout::Rect;

use super::layout::{AnchorSpot, Measure};
use crate::tui::ui::{cursor::Motion, spots::Pen, theme::Focus};

/// Lines kept in view above and below the focused row, where there is room.
const MARGIN: usize = 2;

/// The anchor that has the focus, the first line in view, and the page as it was drawn last.
#[derive(Debug)]
pub struct PageState<A: Copy> {
    focus: Cell<Option<A>>,
    offset: usize,
    measure: RefCell<Measure<A>>,
}

impl<A: Copy> Default for PageState<A> {
    fn default() -> Self {
        let measure = Measure {
            spots: Vec::new(),
            lines: 0,
            height: 0,
        };
        Self {
            focus: Cell::new(None),
            offset: 0,
            measure: RefCell::new(measure),
        }
    }
}

impl<A: Copy + PartialEq> PageState<A> {
    /// The anchor under the cursor. It is in view, if the page was drawn since it changed.
    #[must_use]
    pub fn focus(&self) -> Option<A> {
        self.focus.get()
    }

    /// Stands on this anchor; the next drawing brings it into view.
    pub fn focus_on(&self, anchor: A) {
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
    pub(super) fn see(&self, measure: Measure<A>) -> Range<usize> {
        let (_, offset) = FocusWalk::settled(&measure, self.focus.get(), self.offset).place();
        let end = (offset + measure.height).min(measure.lines);
        self.measure.replace(measure);
        offset..end
    }

    /// Notes the rows for the cursor among these lines, which are drawn in this area.
    pub(super) fn note(&self, area: Rect, lines: &Range<usize>, pen: Pen<'_>, focus: Focus) {
        let cells = |lines: usize| u16::try_from(lines).unwrap_or(u16::MAX);
        for (at, spot) in self.measure.borrow().spots.iter().enumerate() {
            let (first, end) = (spot.y.max(lines.start), spot.end().min(lines.end));
            if first < end {
                let place = Rect {
                    x: area.x.saturating_add(spot.x),
                    y: area.y.saturating_add(cells(first - lines.start)),
                    width: spot.width,
                    height: cells(end - first),
                };
                let is_selected = focus.is_here() && self.focus() == Some(spot.anchor);
                pen.row(place.intersection(area), at, is_selected);
            }
        }
    }
}

struct FocusWalk<'l, A> {
    page: &'l Measure<A>,
    focus: Option<&'l AnchorSpot<A>>,
    offset: usize,
}

impl<'l, A: Copy + PartialEq> FocusWalk<'l, A> {
    /// Settles after the page or its size changed: an anchor that is gone lets the focus go, one that is there comes
    /// into view.
    fn settled(page: &'l Measure<A>, focus: Option<A>, offset: usize) -> Self {
        let focus = focus.and_then(|anchor| page.spot(anchor));
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

    fn place(&self) -> (Option<A>, usize) {
        (self.focus.map(|spot| spot.anchor), self.offset)
    }

    fn go(&mut self, motion: Motion) {
        match motion {
            Motion::Up => self.up(),
            Motion::Down => self.down(),
            Motion::Left => self.aside(|spot, from| spot.x + spot.width <= from.x),
            Motion::Right => self.aside(|spot, from| from.x + from.width <= spot.x),
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
        let from = self.focus.map_or(self.offset, AnchorSpot::end);
        let begins = self.focus.map_or(self.offset, |spot| spot.y);
        let below = || self.page.spots.iter().filter(|spot| spot.y >= from);
        match self.in_column(below()).or_else(|| below().next()) {
            Some(spot) if spot.end() <= begins + self.page.height => self.stand_on(spot),
            _ => self.scroll(1),
        }
    }

    fn up(&mut self) {
        let bottom = self.offset + self.page.height;
        let from = self.focus.map_or(bottom, |spot| spot.y);
        let ends = self.focus.map_or(bottom, AnchorSpot::end);
        let above = || {
            self.page
                .spots
                .iter()
                .rev()
                .filter(|spot| spot.end() <= from)
        };
        match self.in_column(above()).or_else(|| above().next()) {
            Some(spot) if spot.y + self.page.height >= ends => self.stand_on(spot),
            _ => self.scroll(-1),
        }
    }

    fn in_column(
        &self,
        mut spots: impl Iterator<Item = &'l AnchorSpot<A>>,
    ) -> Option<&'l AnchorSpot<A>> {
        spots.find(|spot| self.focus.is_none_or(|from| spot.shares_column(from)))
    }

    fn aside(&mut self, beside: impl Fn(&AnchorSpot<A>, &AnchorSpot<A>) -> bool) {
        if let Some(from) = self.focus {
            let spots = self.page.spots.iter();
            let nearest = spots
                .filter(|spot| beside(spot, from) && self.sees(spot))
                .min_by_key(|spot| spot.y.abs_diff(from.y));
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
        let beside = |spot: &&AnchorSpot<A>| self.focus.is_none_or(|from| spot.shares_column(from));
        let aim = match self.focus {
            _ if at_end && lines > 0 => usize::MAX,
            _ if at_end => 0,
            Some(from) => (from.y + self.offset).saturating_sub(before),
            None => return,
        };
        let far = |spot: &&AnchorSpot<A>| spot.y.abs_diff(aim);
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

    fn sees(&self, spot: &AnchorSpot<A>) -> bool {
        let first_line_only = spot.height.min(self.page.height.max(1));
        spot.y >= self.offset && spot.y + first_line_only <= self.offset + self.page.height
    }

    fn stand_on(&mut self, spot: &'l AnchorSpot<A>) {
        self.focus = Some(spot);
        self.reveal(spot);
    }

    /// Scrolls as little as brings a row into view, with a little around it.
    fn reveal(&mut self, spot: &AnchorSpot<A>) {
        let around = MARGIN.min(self.page.height.saturating_sub(spot.height) / 2);
        let highest = spot.y.saturating_sub(around);
        let lowest = (spot.end() + around).saturating_sub(self.page.height);
        self.scroll_to(self.offset.clamp(lowest.min(highest), highest));
    }
}
