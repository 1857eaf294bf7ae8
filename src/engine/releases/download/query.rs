//! A download to make, and what became of it.

use crate::{
    contract::{Feed, Format},
    engine::releases::keep::Removed,
    model::{Day, Window},
    store::layout::Release,
};

/// Which release to download.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wanted {
    /// The latest, by the `latest` path, which needs no history access.
    Latest,
    /// That of a day.
    Day(Day),
    /// A realtime window.
    Window(Window),
}

/// A download to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PullQuery {
    /// The feed.
    pub feed: Feed,
    /// Which release.
    pub wanted: Wanted,
    /// Which form.
    pub form: Format,
    /// Whether a release far smaller than the last is accepted.
    pub allow_shrink: bool,
    /// Whether to wait for another process that writes here.
    pub wait: bool,
}

impl PullQuery {
    /// The latest JSON release of a feed.
    #[must_use]
    pub fn latest(feed: Feed) -> Self {
        Self {
            feed,
            wanted: Wanted::Latest,
            form: Format::Json,
            allow_shrink: false,
            wait: false,
        }
    }
}

/// What became of a download.
#[derive(Clone, Debug)]
pub struct Pulled {
    /// The release, which is on this disk now.
    pub release: Release,
    /// Whether it was here before, unchanged.
    pub was_here: bool,
    /// The byte from which it went on.
    pub resumed_from: u64,
    /// What the keep rule removed for it.
    pub removed: Vec<Removed>,
    /// What went otherwise than it should, and kept nothing from being published.
    pub warnings: Vec<String>,
}
