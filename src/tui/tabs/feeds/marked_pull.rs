//! The downloads of marked feeds, while a question about them waits for an answer.

use crate::contract::Feed;

/// Downloads that wait for an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MarkedPull {
    pub(super) feeds: Vec<Feed>,
    /// How many, of what size, and what is free.
    pub(super) question: String,
}
