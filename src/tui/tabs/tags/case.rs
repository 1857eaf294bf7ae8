//! One tag: what was fetched of it, and where one was on its page.

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
pub struct Case {
    /// What the service said.
    pub live: Remote<Fetched<Tag>>,
    /// How the local feeds use it.
    pub uses: Remote<OfFeeds<TagUse>>,
    /// Where one is on the page.
    pub page: SheetState,
}

/// How a tag stands; each has a sign and a word, so that colour is never alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Its metadata is here.
    Known,
    /// It is being asked for.
    Pending,
    /// The service knows no such tag.
    Missing,
    /// It could not be asked for.
    Failed,
    /// It was not asked for.
    NotAsked,
}

impl Standing {
    /// The sign.
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

impl Case {
    /// How the tag stands.
    #[must_use]
    pub fn standing(&self) -> Standing {
        if self.live.pending().is_some() {
            return Standing::Pending;
        }
        match (self.live.value(), self.live.error()) {
            (Some(_), None) => Standing::Known,
            (_, Some(error)) if error.kind == Kind::NotFound => Standing::Missing,
            (_, Some(_)) => Standing::Failed,
            (None, None) => Standing::NotAsked,
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
