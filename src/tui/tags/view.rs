//! How the Tags tab looks.

use ratatui::{Frame, layout::Rect};

use super::TagsTab;
use crate::tui::app::Look;

/// Draws the tab.
pub fn draw(_frame: &mut Frame<'_>, _area: Rect, _tab: &TagsTab, _look: &Look<'_>) {}
