//! One tag: its metadata from the service, its use in the local feeds, and the cursor on its page.

use crate::{
    engine::{
        Fetched, Kind,
        views::{OfFeeds, TagUse},
    },
    model::Tag,
    tui::ctx::{asked::Asked, request::Question, sheet::SheetState},
};

/// A tag that was selected or asked for.
#[derive(Debug, Default)]
pub struct TagCase {
    /// Its metadata from the service.
    pub live: Asked<Question, Fetched<Tag>>,
    /// How the local feeds use it.
    pub uses: Asked<Question, OfFeeds<TagUse>>,
    pub page: SheetState,
}

/// The status of a tag; each has a sign and a word, so that colour is never alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TagStatus {
    /// Its metadata was received.
    Known,
    Pending,
    /// The service has no such tag.
    Missing,
    /// It could not be asked for.
    Failed,
    #[default]
    NotAsked,
}

impl TagStatus {
    /// What stands for the kind of a tag without metadata.
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
    pub fn status(&self) -> TagStatus {
        if self.live.is_pending() {
            return TagStatus::Pending;
        }
        match (self.live.value(), self.live.error()) {
            (Some(_), None) => TagStatus::Known,
            (_, Some(error)) if error.kind == Kind::NotFound => TagStatus::Missing,
            (_, Some(_)) => TagStatus::Failed,
            (None, None) => TagStatus::NotAsked,
        }
    }

    /// The metadata from the service, however old.
    #[must_use]
    pub fn tag(&self) -> Option<&Tag> {
        self.live.value().map(|fetched| &fetched.value)
    }
}
