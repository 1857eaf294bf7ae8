//! What a tab works with, and what a view looks at. Nothing here knows a tab or the shell.

pub mod cmd;
pub mod evidence;
pub mod facts;
pub mod intent;
pub mod jobs;
pub mod meter;
pub mod outbox;
pub mod place;
pub mod raw;
pub mod remote;
pub mod request;
pub mod sheet;
pub mod trail;

use jiff::Timestamp;
use ratatui::layout::Rect;

use crate::tui::ui::theme::Theme;
use evidence::Evidence;
use facts::Facts;
use jobs::Jobs;
use outbox::Outbox;
use trail::Trail;

/// What a tab has at hand while its state changes.
#[derive(Debug)]
pub struct UpdateCtx<'a> {
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
pub struct ViewCtx<'a> {
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
