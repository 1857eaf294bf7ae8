//! One thing that was looked at, and what to do about it.

use crate::engine::{Error, Kind};

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Check {
    pub(super) level: Level,
    pub(super) about: &'static str,
    pub(super) said: String,
    pub(super) advice: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    Fine,
    Warning,
    /// A command that needs it would end with this.
    Failed(Kind),
}

impl Level {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Fine => "ok",
            Self::Warning => "warn",
            Self::Failed(_) => "fail",
        }
    }

    /// The kind of a failure.
    pub(super) fn failure(self) -> Option<Kind> {
        match self {
            Self::Failed(kind) => Some(kind),
            Self::Fine | Self::Warning => None,
        }
    }
}

impl Check {
    pub(super) fn fine(about: &'static str, said: impl Into<String>) -> Self {
        Self {
            level: Level::Fine,
            about,
            said: said.into(),
            advice: None,
        }
    }

    pub(super) fn warning(
        about: &'static str,
        said: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        Self {
            level: Level::Warning,
            about,
            said: said.into(),
            advice: Some(advice.into()),
        }
    }

    pub(super) fn failed(about: &'static str, error: &Error) -> Self {
        Self {
            level: Level::Failed(error.kind),
            about,
            said: error.message.clone(),
            advice: error.hint.clone(),
        }
    }
}
