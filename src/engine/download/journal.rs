//! The journal of a part: to which file its bytes belong.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::{
    contract::Endpoint,
    engine::{error::Result, http::Resume, paths},
    store::{DaySource, Moment},
};

/// What was known at the first byte.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Journal {
    /// The request target.
    pub(super) target: String,
    /// Which release it is.
    pub(super) moment: String,
    /// Who said so.
    pub(super) day_source: DaySource,
    /// What tells whether the file is still the same.
    pub(super) validator: Option<String>,
    /// The file's length.
    pub(super) total: Option<u64>,
}

impl Journal {
    /// The journal of an earlier run, if it can be read and was about the same request.
    pub(super) fn load(path: &Path, endpoint: &Endpoint) -> Option<Self> {
        let text = paths::read_if_there(path).ok()??;
        let journal: Self = serde_json::from_str(&text).ok()?;
        let sound = journal.target == endpoint.target() && Moment::parse(&journal.moment).is_some();
        sound.then_some(journal)
    }

    pub(super) fn save(&self, path: &Path) -> Result<()> {
        paths::write_whole(
            path,
            serde_json::to_string_pretty(self)
                .unwrap_or_default()
                .as_bytes(),
        )
    }

    /// How to go on behind the first `here` bytes; impossible when nothing tells two files apart.
    pub(super) fn resume(&self, here: u64) -> Option<Resume> {
        Some(Resume {
            from: here,
            validator: self.validator.clone()?,
        })
    }
}
