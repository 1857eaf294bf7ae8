//! One tag: what was fetched of it, and the cursor's place on its page.

use crate::{
    engine::{
        Fetched, Kind,
        views::{OfFeeds, TagUse},
    },
    model::{Field, Tag},
    tui::ctx::{remote::Remote, sheet::SheetState},
};

/// A tag that was asked for.
#[derive(Debug, Default)]
pub struct TagCase {
    /// What the service said.
    pub live: Remote<Fetched<Tag>>,
    /// How the local feeds use it.
    pub uses: Remote<OfFeeds<TagUse>>,
    /// Where one is on the page.
    pub page: SheetState,
}

/// The status of a tag; each has a sign and a word, so that colour is never alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagStatus {
    /// Its metadata was received.
    Known,
    /// It is being asked for.
    Pending,
    /// The service knows no such tag.
    Missing,
    /// It could not be asked for.
    Failed,
    NotAsked,
}

impl TagStatus {
    #[must_use]
    pub fn sign(self) -> char {
        match self {
            Self::Known | Self::NotAsked => ' ',
            Self::Pending => '~',
            Self::Missing => '?',
            Self::Failed => 'x',
        }
    }

    /// What stands for the kind of a tag whose metadata is not here.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Known | Self::NotAsked => "",
            Self::Pending => "fetching",
            Self::Missing => "not found",
            Self::Failed => "failed",
        }
    }
}

impl TagCase {
    #[must_use]
    pub fn standing(&self) -> TagStatus {
        if self.live.pending().is_some() {
            return TagStatus::Pending;
        }
        match (self.live.value(), self.live.error()) {
            (Some(_), None) => TagStatus::Known,
            (_, Some(error)) if error.kind == Kind::NotFound => TagStatus::Missing,
            (_, Some(_)) => TagStatus::Failed,
            (None, None) => TagStatus::NotAsked,
        }
    }

    /// What was read, however old.
    #[must_use]
    pub fn tag(&self) -> Option<&Tag> {
        self.live.value().map(|fetched| &fetched.value)
    }
}

/// What a tag is, in a word; for an inactive one nothing else matters.
#[must_use]
pub fn kind_of(tag: &Tag) -> String {
    if tag.is_inactive == Field::Is(true) {
        return "inactive".to_owned();
    }
    tag.kind_word().unwrap_or("-").to_owned()
}
