//! Where the parts of the Export tab are drawn.

use ratatui::layout::{Constraint, Layout, Rect, Size};

use crate::tui::ui::areas;

/// The parts of the tab. On a small screen one area below the form holds what is most worth seeing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parts {
    /// Everything beside each other.
    Wide {
        form: Rect,
        checks: Rect,
        preview: Rect,
        request: Rect,
    },
    /// The form above, one other below.
    Narrow { form: Rect, below: Rect },
}

impl Parts {
    const CHECKS: u16 = 9;
    const REQUEST: u16 = 8;
    const BELOW: u16 = 8;

    /// The parts of an area.
    pub(super) fn of(body: Rect) -> Self {
        if !areas::is_wide(Size::new(body.width, body.height.saturating_add(3))) {
            let below = Self::BELOW.min(body.height / 2);
            let [form, below] =
                Layout::vertical([Constraint::Min(0), Constraint::Length(below)]).areas(body);
            return Self::Narrow { form, below };
        }
        let [left, right] =
            Layout::horizontal([Constraint::Length(60), Constraint::Min(0)]).areas(body);
        let split = |area, below| {
            Layout::vertical([Constraint::Min(0), Constraint::Length(below)]).areas(area)
        };
        let [form, checks] = split(left, Self::CHECKS);
        let [preview, request] = split(right, Self::REQUEST);
        Self::Wide {
            form,
            checks,
            preview,
            request,
        }
    }
}
