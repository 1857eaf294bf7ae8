//! Where the parts of the Export tab are drawn.

use ratatui::layout::{Constraint, Layout, Rect, Size};

use crate::tui::ui::areas;

/// The parts of the tab. On a small screen one area below the form holds one of the others, and a line above it the counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExportAreas {
    /// Everything beside each other.
    Wide {
        form: Rect,
        checks: Rect,
        matches: Rect,
        preview: Rect,
        request: Rect,
    },
    /// Counts in a line, the form, one other part.
    Narrow {
        counts: Rect,
        form: Rect,
        below: Rect,
    },
}

impl ExportAreas {
    /// Width from which the form has room for its longest remarks.
    const BROAD: u16 = 160;
    const CHECKS: u16 = 9;
    const MATCHES: u16 = 9;
    const PREVIEW: u16 = 6;
    const REQUEST: u16 = 6;
    const BELOW: u16 = 8;

    /// The parts of an area; what is counted is as high as it needs, as far as some rows of the preview are left.
    pub(super) fn of(body: Rect, matches: impl FnOnce(u16) -> u16) -> Self {
        if !areas::is_wide(Size::new(body.width, body.height.saturating_add(3))) {
            let below = Self::BELOW.min(body.height / 2);
            let [counts, form, below] = Layout::vertical([
                Constraint::Length(1),
                Constraint::Min(0),
                Constraint::Length(below),
            ])
            .areas(body);
            return Self::Narrow {
                counts,
                form,
                below,
            };
        }
        let form = if body.width < Self::BROAD { 60 } else { 76 };
        let [left, right] =
            Layout::horizontal([Constraint::Length(form), Constraint::Min(0)]).areas(body);
        let split = |area, below| {
            Layout::vertical([Constraint::Min(0), Constraint::Length(below)]).areas(area)
        };
        let [form, checks] = split(left, Self::CHECKS);
        let [right, request] = split(right, Self::REQUEST);
        let most = right
            .height
            .saturating_sub(Self::PREVIEW)
            .max(Self::MATCHES);
        let wanted = matches(right.width).max(Self::MATCHES).min(most);
        let [matches, preview] =
            Layout::vertical([Constraint::Length(wanted), Constraint::Min(0)]).areas(right);
        Self::Wide {
            form,
            checks,
            matches,
            preview,
            request,
        }
    }

    /// Whether the parts are one below the other.
    pub(super) fn is_narrow(body: Rect) -> bool {
        matches!(Self::of(body, |_| 0), Self::Narrow { .. })
    }
}
