//! Where the parts of the Feeds tab are drawn.

use ratatui::layout::{Constraint, Layout, Rect};

use crate::contract::Feed;

/// The parts of the tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parts {
    /// The table of feeds.
    pub(super) table: Rect,
    /// What is known of the selected one, or its days.
    pub(super) details: Rect,
}

impl Parts {
    /// Lines that the details keep, where the table does not fit as a whole.
    const LEAST: u16 = 5;

    /// The parts of an area.
    pub(super) fn of(body: Rect) -> Self {
        let feeds = u16::try_from(Feed::all().count()).unwrap_or(u16::MAX);
        let whole = feeds + 3;
        let height = whole.min(body.height.saturating_sub(Self::LEAST));
        let [table, details] =
            Layout::vertical([Constraint::Length(height), Constraint::Min(0)]).areas(body);
        Self { table, details }
    }
}
