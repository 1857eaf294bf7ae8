//! Where the parts of the Lookup tab are drawn.

use ratatui::layout::{Constraint, Layout, Rect, Size};

use crate::tui::ui::areas;

/// The parts of the tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LookupAreas {
    pub(super) line: Rect,
    /// The trail; empty where there is no room for it.
    pub(super) trail: Rect,
    pub(super) page: Rect,
}

impl LookupAreas {
    /// Width of the trail beside the record.
    const TRAIL: u16 = 34;

    pub(super) fn of(body: Rect) -> Self {
        let [line, rest] =
            Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(body);
        let is_wide = areas::is_wide(Size::new(body.width, body.height + 3));
        let width = if is_wide { Self::TRAIL } else { 0 };
        let [trail, page] =
            Layout::horizontal([Constraint::Length(width), Constraint::Min(0)]).areas(rest);
        Self { line, trail, page }
    }

    /// The same, where the record may have the whole screen.
    pub(super) fn zoomed(self, zoomed: bool) -> Self {
        if !zoomed {
            return self;
        }
        let page = self.page.union(self.trail);
        let trail = Rect {
            width: 0,
            ..self.trail
        };
        Self {
            trail,
            page,
            ..self
        }
    }
}
