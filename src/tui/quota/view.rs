//! How the Quota tab looks.

use ratatui::{Frame, layout::Rect};

use super::QuotaTab;
use crate::tui::app::Look;

/// Draws the tab.
pub fn draw(_frame: &mut Frame<'_>, _area: Rect, _tab: &QuotaTab, _look: &Look<'_>) {}
