//! What a tab works with, and what a view looks at.

use jiff::Timestamp;
use ratatui::layout::Rect;

use super::Facts;
use crate::tui::{evidence::Evidence, jobs::Jobs, outbox::Outbox, theme::Theme, trail::Trail};

/// What a tab has at hand while its state changes.
#[derive(Debug)]
pub struct Desk<'a> {
    /// What is known of the world outside.
    pub facts: &'a Facts,
    /// Where the tab is drawn: how far a page scrolls depends on it.
    pub body: Rect,
    /// Where one has been.
    pub trail: &'a mut Trail,
    /// On which addresses each tag was seen.
    pub evidence: &'a Evidence,
    /// What takes long.
    pub jobs: &'a mut Jobs,
    /// What is wanted.
    pub out: &'a mut Outbox,
}

/// What a view has at hand.
#[derive(Clone, Copy, Debug)]
pub struct Look<'a> {
    /// What is known of the world outside.
    pub facts: &'a Facts,
    /// Where one has been.
    pub trail: &'a Trail,
    /// On which addresses each tag was seen.
    pub evidence: &'a Evidence,
    /// What takes long.
    pub jobs: &'a Jobs,
    /// The colours.
    pub theme: &'a Theme,
    /// The time.
    pub now: Timestamp,
    /// Whether the pane with the focus has the whole screen.
    pub zoomed: bool,
    /// Whether profile and balance are hidden.
    pub private: bool,
}
