//! The targets of the mouse: panes, rows and column headings, recorded while drawing.
//!
//! Drawing stays a function of the state: nothing that is drawn depends on what is noted here.

use std::cell::{Cell, RefCell};

use ratatui::{
    Frame,
    layout::{Position, Rect},
    text::Line,
};

use super::{Focus, Theme, areas, cells};

/// The number of a pane among those of its tab.
pub type PaneId = u8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClickTarget {
    /// A row, by its number, and whether it is selected in a pane that has the focus.
    Row { at: usize, is_selected: bool },
    /// The head of a column, by the number of the order that it stands for.
    Head(usize),
    /// A key that the footer names, by its number.
    Hint(usize),
}

/// What part of the screen a position is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// None.
    Bare,
    Pane(PaneId),
    /// What lies over everything.
    Over,
    /// The part beside what lies over everything.
    Beside,
}

#[derive(Clone, Copy, Debug)]
enum ScreenSpot {
    Pane(PaneId),
    Target(ClickTarget),
}

/// What was drawn last and can be clicked, in the order of drawing.
#[derive(Debug, Default)]
pub struct Spots {
    all: RefCell<Vec<(Rect, ScreenSpot)>>,
    over: Cell<Option<Rect>>,
}

impl Spots {
    /// Everything is redrawn.
    pub fn begin(&self) {
        self.all.borrow_mut().clear();
        self.over.set(None);
    }

    /// Something lies over everything that was drawn so far.
    pub fn cover(&self, place: Rect) {
        self.begin();
        self.over.set(Some(place));
    }

    /// A pane, over what was drawn in its place so far.
    pub fn pane(&self, place: Rect, pane: PaneId) {
        self.all.borrow_mut().push((place, ScreenSpot::Pane(pane)));
    }

    fn target(&self, place: Rect, target: ClickTarget) {
        self.all
            .borrow_mut()
            .push((place, ScreenSpot::Target(target)));
    }

    #[cfg(test)]
    pub(crate) fn places(&self) -> Vec<Rect> {
        self.all.borrow().iter().map(|spot| spot.0).collect()
    }

    #[must_use]
    pub fn at(&self, position: Position) -> (Ground, Option<ClickTarget>) {
        let all = self.all.borrow();
        let here = all.iter().rev().filter(|spot| spot.0.contains(position));
        let mut target = None;
        for (_, spot) in here {
            match spot {
                ScreenSpot::Pane(pane) => return (Ground::Pane(*pane), target),
                ScreenSpot::Target(click_target) => target = target.or(Some(*click_target)),
            }
        }
        let ground = match self.over.get() {
            None => Ground::Bare,
            Some(place) if place.contains(position) => Ground::Over,
            Some(_) => Ground::Beside,
        };
        (ground, target)
    }
}

/// What widgets draw with: the colours, and where they note what can be clicked.
#[derive(Clone, Copy, Debug)]
pub struct Pen<'a> {
    pub theme: &'a Theme,
    spots: Option<&'a Spots>,
}

impl<'a> Pen<'a> {
    /// Cells before each row of a list, always there, for the sign of the selected one.
    pub const GUTTER: u16 = 2;

    /// A pen that notes what it draws.
    #[must_use]
    pub fn new(theme: &'a Theme, spots: &'a Spots) -> Self {
        Self {
            theme,
            spots: Some(spots),
        }
    }

    pub fn row(self, place: Rect, at: usize, is_selected: bool) {
        if let Some(spots) = self.spots {
            spots.target(place, ClickTarget::Row { at, is_selected });
        }
    }

    /// Draws a row of a list behind the gutter, as the selected one where it has a focus, and notes it.
    pub fn list_row(
        self,
        frame: &mut Frame<'_>,
        row: Rect,
        at: usize,
        line: Line<'_>,
        selected: Option<Focus>,
    ) {
        self.row(row, at, selected.is_some_and(Focus::is_here));
        let [_, text] = areas::split_at(row, Self::GUTTER);
        frame.render_widget(cells::cut_line(line, text.width), text);
        if let Some(focus) = selected {
            self.select(frame, row, focus);
        }
    }

    /// Draws a row, which is noted already, as the selected one.
    pub fn select(self, frame: &mut Frame<'_>, row: Rect, focus: Focus) {
        let buffer = frame.buffer_mut();
        buffer.set_style(row, self.theme.row(focus));
        if !row.is_empty() {
            buffer[(row.x, row.y)].set_symbol(">");
        }
    }

    /// Notes the head of a column.
    pub fn head(self, place: Rect, order: usize) {
        if let Some(spots) = self.spots {
            spots.target(place, ClickTarget::Head(order));
        }
    }

    /// Notes a key that the footer names, by its number.
    pub fn hint(self, place: Rect, at: usize) {
        if let Some(spots) = self.spots {
            spots.target(place, ClickTarget::Hint(at));
        }
    }

    /// Notes that something lies over everything that was drawn so far.
    pub fn cover(self, place: Rect) {
        if let Some(spots) = self.spots {
            spots.cover(place);
        }
    }
}

/// A pen that notes nothing.
impl<'a> From<&'a Theme> for Pen<'a> {
    fn from(theme: &'a Theme) -> Self {
        Self { theme, spots: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_drawn_last_is_what_is_pointed_at() {
        let theme = Theme::colourless();
        let spots = Spots::default();
        let pen = Pen::new(&theme, &spots);
        let row = |at, is_selected| ClickTarget::Row { at, is_selected };
        let at = |x, y| spots.at(Position::new(x, y));
        assert_eq!(at(3, 3), (Ground::Bare, None));
        spots.pane(Rect::new(0, 1, 20, 10), 0);
        pen.head(Rect::new(2, 2, 6, 1), 4);
        pen.row(Rect::new(1, 3, 18, 1), 7, true);
        pen.hint(Rect::new(4, 20, 6, 1), 2);
        assert_eq!(at(5, 20), (Ground::Bare, Some(ClickTarget::Hint(2))));
        assert_eq!(at(3, 2), (Ground::Pane(0), Some(ClickTarget::Head(4))));
        assert_eq!(at(3, 3), (Ground::Pane(0), Some(row(7, true))));
        assert_eq!(at(3, 4), (Ground::Pane(0), None));
        assert_eq!(at(30, 3), (Ground::Bare, None));
        spots.pane(Rect::new(10, 1, 10, 10), 1);
        assert_eq!(at(12, 3), (Ground::Pane(1), None), "it lies over the row");
        pen.cover(Rect::new(5, 5, 4, 4));
        pen.row(Rect::new(6, 6, 2, 1), 0, false);
        assert_eq!(at(3, 3), (Ground::Beside, None));
        assert_eq!(at(6, 6), (Ground::Over, Some(row(0, false))));
        assert_eq!(at(5, 5), (Ground::Over, None));
        assert_eq!(at(u16::MAX, u16::MAX), (Ground::Beside, None));
        spots.begin();
        assert_eq!(at(6, 6), (Ground::Bare, None));
    }
}
