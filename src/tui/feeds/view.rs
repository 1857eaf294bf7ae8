//! How the Feeds tab looks.

use ratatui::{Frame, layout::Rect};

use super::FeedsTab;
use crate::tui::app::Look;

/// Draws the tab.
pub fn draw(_frame: &mut Frame<'_>, _area: Rect, _tab: &FeedsTab, _look: &Look<'_>) {}
