//! What was deleted and can be brought back until the program ends.

use crate::{
    contract::Feed,
    store::{Deletable, Moment},
};

/// What was deleted of a feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deleted {
    pub feed: Feed,
    pub what: Vec<Deletable>,
    /// The names that it has until it is removed.
    pub(super) names: Vec<String>,
}

impl Deleted {
    /// What was deleted, as a test has it.
    #[cfg(test)]
    pub(crate) fn of(feed: Feed, what: Vec<Deletable>) -> Self {
        let names = Vec::new();
        Self { feed, what, names }
    }

    pub fn releases(&self) -> impl Iterator<Item = Moment> {
        self.what.iter().filter_map(|what| match what {
            Deletable::Release(moment) => Some(*moment),
            Deletable::Partial => None,
        })
    }
}
