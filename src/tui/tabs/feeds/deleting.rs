//! The question before a deletion, and its undo.

use crate::{
    contract::Feed,
    engine::{Deleted, Kind},
    store::Deletable,
    tui::ui::widgets::picker::Picker,
};

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

impl Deletions {
    /// Keeps what could not be put back, for another undo. Behind the other deletions where a release is in its place, which
    /// stays so; what was removed for good is dropped.
    pub(super) fn not_undone(&mut self, deleted: Deleted, why: Kind) {
        match why {
            Kind::NotFound => {}
            Kind::Usage => self.done.insert(0, deleted),
            _ => self.done.push(deleted),
        }
    }
}
