//! How the Export tab looks.

use ratatui::{Frame, layout::Rect};

use super::ExportTab;
use crate::tui::app::Look;

/// Draws the tab.
pub fn draw(_frame: &mut Frame<'_>, _area: Rect, _tab: &ExportTab, _look: &Look<'_>) {}
