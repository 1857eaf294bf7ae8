//! Where the parts of the Feeds tab are drawn.

use ratatui::layout::{Constraint, Layout, Rect};

use crate::contract::Feed;

/// The parts of the tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FeedsAreas {
    pub(super) table: Rect,
    /// What is known of the selected one, or its days.
    pub(super) details: Rect,
    /// Its days on a tall and wide screen, or its local releases; empty on others.
    pub(super) beside: Rect,
}

impl FeedsAreas {
    /// Lines that the details keep, where the table does not fit as a whole.
    const LEAST: u16 = 5;
    /// The size from which there is room for the days beside the details.
    const LARGE: (u16, u16) = (180, 45);
    /// Cells of the days.
    const BESIDE: u16 = 80;

    pub(super) fn of(body: Rect) -> Self {
        let feeds = u16::try_from(Feed::all().count()).unwrap_or(u16::MAX);
        let whole = feeds + 3;
        let height = whole.min(body.height.saturating_sub(Self::LEAST));
        let [table, details] =
            Layout::vertical([Constraint::Length(height), Constraint::Min(0)]).areas(body);
        let (width, tall) = Self::LARGE;
        let beside = if body.width >= width && body.height >= tall {
            Self::BESIDE
        } else {
            0
        };
        let [details, beside] =
            Layout::horizontal([Constraint::Min(0), Constraint::Length(beside)]).areas(details);
        Self {
            table,
            details,
            beside,
        }
    }
}
