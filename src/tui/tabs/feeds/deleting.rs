//! The question before a deletion, and its undo.

use crate::{contract::Feed, engine::Deleted, store::Deletable, tui::ui::widgets::picker::Picker};

/// What can be deleted of a feed, to choose from.
#[derive(Debug)]
pub(super) struct Deleting {
    pub(super) feed: Feed,
    pub(super) picker: Picker<Vec<Deletable>>,
}

/// What was deleted, and what of that was put back.
#[derive(Debug, Default)]
pub(super) struct Deletions {
    pub(super) done: Vec<Deleted>,
    pub(super) undone: Vec<Deleted>,
}
