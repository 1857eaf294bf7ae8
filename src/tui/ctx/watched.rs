//! What is watched, and what changed there.

use crate::{engine::watches::Watch, investigation::watch::WatchChange};

/// The most changes that are listed: more are told on the command line.
const MOST: usize = 1000;

/// What is watched, with what changed since a person last looked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WatchNews {
    pub watches: Vec<Watch>,
    /// The newest last.
    pub changes: Vec<WatchChange>,
}

impl WatchNews {
    /// Takes what is known now; what was new before stays new.
    pub fn take(&mut self, now: Self) {
        self.watches = now.watches;
        self.changes.extend(now.changes);
        let more = self.changes.len().saturating_sub(MOST);
        self.changes.drain(..more);
    }
}
