//! Where one is on a page, and how one moves.

use std::ops::Range;

use ratatui::layout::Size;

use super::{
    content::Page,
    layout::{Layout, Spot},
};
use crate::tui::ui::cursor::Motion;

/// Lines kept in view above and below the focused row, where there is room.
const MARGIN: usize = 2;

/// The anchor that has the focus, and the first line in view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageState<A> {
    focus: Option<A>,
    offset: usize,
}

impl<A> Default for PageState<A> {
    fn default() -> Self {
        Self {
            focus: None,
            offset: 0,
        }
    }
}

/// Which lines of a page are in view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The lines in view.
    pub lines: Range<usize>,
    /// How many there are.
    pub total: usize,
}

impl<A: Copy + PartialEq> PageState<A> {
    /// The anchor that one stands on. It is in view, if the page was drawn or fitted since it changed.
    #[must_use]
    pub fn focus(&self) -> Option<A> {
        self.focus
    }

    /// Stands on this anchor, and brings it into view at the next [`PageState::fit`].
    pub fn focus_on(&mut self, anchor: A) {
        self.focus = Some(anchor);
    }

    /// Which lines are in view, for a scroll position such as `12-30 of 57`.
    #[must_use]
    pub fn view(&self, page: &Page<'_, A>, size: Size) -> View {
        let layout = Layout::of(page, size.width);
        let offset = self.offset_in(&layout, size.height);
        View {
            lines: offset..(offset + usize::from(size.height)).min(layout.height),
            total: layout.height,
        }
    }

    /// Settles after the page or its size changed: an anchor that is gone lets the focus go, one that is there comes
    /// into view.
    pub fn fit(&mut self, page: &Page<'_, A>, size: Size) {
        self.settle(&Layout::of(page, size.width), size.height);
    }

    /// Moves; says whether anything changed.
    ///
    /// Up and down go to the next anchor in the same column when both fit into one view, so that nothing is skipped
    /// unseen; otherwise the page scrolls by a line. Left and right go to the other column.
    pub fn step(&mut self, motion: Motion, page: &Page<'_, A>, size: Size) -> bool {
        let layout = Layout::of(page, size.width);
        self.settle(&layout, size.height);
        let before = *self;
        let mut walk = Walk {
            focus: before.focus.and_then(|anchor| layout.spot(anchor)),
            offset: before.offset,
            height: size.height.into(),
            layout: &layout,
        };
        walk.go(motion);
        self.offset = walk.offset;
        self.focus = walk.focus.map(|spot| spot.anchor);
        *self != before
    }

    /// The first line in view when the page is drawn like this.
    pub(super) fn offset_in(&self, layout: &Layout<'_, A>, height: u16) -> usize {
        let mut settled = *self;
        settled.settle(layout, height);
        settled.offset
    }

    fn settle(&mut self, layout: &Layout<'_, A>, height: u16) {
        let spot = self.focus.and_then(|anchor| layout.spot(anchor));
        self.focus = spot.map(|spot| spot.anchor);
        let mut walk = Walk {
            focus: spot,
            offset: self.offset,
            height: height.into(),
            layout,
        };
        walk.scroll_to(self.offset);
        if let Some(spot) = spot
            && !walk.sees(spot)
        {
            walk.reveal(spot);
        }
        self.offset = walk.offset;
    }
}

/// One move over a page that is laid out.
struct Walk<'l, 'p, A> {
    layout: &'l Layout<'p, A>,
    focus: Option<&'l Spot<A>>,
    offset: usize,
    height: usize,
}

impl<'l, A: Copy + PartialEq> Walk<'l, '_, A> {
    fn go(&mut self, motion: Motion) {
        match motion {
            Motion::Up => self.up(),
            Motion::Down => self.down(),
            Motion::Left => self.aside(|spot, from| spot.x + spot.width <= from.x),
            Motion::Right => self.aside(|spot, from| from.x + from.width <= spot.x),
            Motion::First => self.leap(isize::MIN),
            Motion::Last => self.leap(isize::MAX),
            Motion::PageUp | Motion::PageDown | Motion::HalfUp | Motion::HalfDown => {
                self.leap(motion.rows(self.height).unwrap_or_default());
            }
        }
    }

    fn down(&mut self) {
        let from = self.focus.map_or(self.offset, Spot::end);
        let begins = self.focus.map_or(self.offset, |spot| spot.y);
        let below = || self.layout.spots.iter().filter(|spot| spot.y >= from);
        match self.in_column(below()).or_else(|| below().next()) {
            Some(spot) if spot.end() <= begins + self.height => self.stand_on(spot),
            _ => self.scroll(1),
        }
    }

    fn up(&mut self) {
        let bottom = self.offset + self.height;
        let from = self.focus.map_or(bottom, |spot| spot.y);
        let ends = self.focus.map_or(bottom, Spot::end);
        let above = || {
            self.layout
                .spots
                .iter()
                .rev()
                .filter(|spot| spot.end() <= from)
        };
        match self.in_column(above()).or_else(|| above().next()) {
            Some(spot) if spot.y + self.height >= ends => self.stand_on(spot),
            _ => self.scroll(-1),
        }
    }

    fn in_column(&self, mut spots: impl Iterator<Item = &'l Spot<A>>) -> Option<&'l Spot<A>> {
        spots.find(|spot| self.focus.is_none_or(|from| spot.shares_column(from)))
    }

    fn aside(&mut self, beside: impl Fn(&Spot<A>, &Spot<A>) -> bool) {
        if let Some(from) = self.focus {
            let spots = self.layout.spots.iter();
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
        let seen = || self.layout.spots.iter().filter(|spot| self.sees(spot));
        let beside = |spot: &&Spot<A>| self.focus.is_none_or(|from| spot.shares_column(from));
        let aim = match self.focus {
            _ if at_end && lines > 0 => usize::MAX,
            _ if at_end => 0,
            Some(from) => (from.y + self.offset).saturating_sub(before),
            None => return,
        };
        let far = |spot: &&Spot<A>| spot.y.abs_diff(aim);
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
        self.offset = offset.min(self.layout.height.saturating_sub(self.height));
    }

    fn sees(&self, spot: &Spot<A>) -> bool {
        let first_line_only = spot.height.min(self.height.max(1));
        spot.y >= self.offset && spot.y + first_line_only <= self.offset + self.height
    }

    fn stand_on(&mut self, spot: &'l Spot<A>) {
        self.focus = Some(spot);
        self.reveal(spot);
    }

    /// Scrolls as little as brings a row into view, with a little around it.
    fn reveal(&mut self, spot: &Spot<A>) {
        let around = MARGIN.min(self.height.saturating_sub(spot.height) / 2);
        let highest = spot.y.saturating_sub(around);
        let lowest = (spot.end() + around).saturating_sub(self.height);
        self.scroll_to(self.offset.clamp(lowest.min(highest), highest));
    }
}
