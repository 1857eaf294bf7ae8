//! What the page of the Quota tab is written from, beside the tab's own state.

use crate::tui::ctx::facts::Facts;

/// What the page is written from.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// What is known of the world outside.
    pub facts: &'a Facts,
    /// The time.
    pub now: jiff::Timestamp,
    /// Whether the balance is hidden.
    pub private: bool,
}
