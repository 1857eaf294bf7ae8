//! One check of `doctor`, with its level.

use crate::engine::{Error, Kind};

/// One check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DoctorCheck {
    pub(super) level: CheckLevel,
    pub(super) about: &'static str,
    pub(super) finding: String,
    pub(super) advice: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CheckLevel {
    Fine,
    Warning,
    /// A command that needs it would end with this kind.
    Failed(Kind),
}

impl CheckLevel {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Fine => "ok",
            Self::Warning => "warn",
            Self::Failed(_) => "fail",
        }
    }

    pub(super) fn failure(self) -> Option<Kind> {
        match self {
            Self::Failed(kind) => Some(kind),
            Self::Fine | Self::Warning => None,
        }
    }
}

impl DoctorCheck {
    pub(super) fn fine(about: &'static str, finding: impl Into<String>) -> Self {
        Self {
            level: CheckLevel::Fine,
            about,
            finding: finding.into(),
            advice: None,
        }
    }

    pub(super) fn warning(
        about: &'static str,
        finding: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        Self {
            level: CheckLevel::Warning,
            advice: Some(advice.into()),
            ..Self::fine(about, finding)
        }
    }

    pub(super) fn failed(about: &'static str, error: &Error) -> Self {
        Self {
            level: CheckLevel::Failed(error.kind),
            advice: error.hint.clone(),
            ..Self::fine(about, &error.message)
        }
    }
}
