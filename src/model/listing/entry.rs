//! One name of a listing.

use serde_json::Value;

use crate::model::Day;

/// Names that a listing may hold: a feed has a run a day, and a day 288 windows. More would only take memory.
pub(super) const MOST: usize = 100_000;

/// A name in a listing, with its attributes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListingEntry {
    /// A name or a path, without slashes at its end; text from outside, safe neither for a screen nor for a request.
    pub name: String,
    /// Its size, presumably in bytes.
    pub size: Option<u64>,
    /// When it was made or changed, as it is spelled.
    pub modified: Option<String>,
    /// What else is said, by the keys of the wire.
    pub extra: Vec<(String, Value)>,
}

impl ListingEntry {
    pub(super) fn named(name: &str) -> Self {
        Self {
            name: name.trim().trim_end_matches('/').to_owned(),
            ..Self::default()
        }
    }

    /// The day that is one of the segments of its name.
    pub(super) fn day(&self) -> Option<Day> {
        self.name
            .split('/')
            .find_map(|segment| segment.parse().ok())
    }
}

pub(super) fn last_segment(name: &str) -> &str {
    let name = name.trim_end_matches('/');
    name.rsplit('/').next().unwrap_or(name)
}

/// Whether it ends like the files of the service.
pub(super) fn is_file(name: &str) -> bool {
    let file = last_segment(name).to_ascii_lowercase();
    [".json.gz", ".mmdb", "readme.pdf"]
        .iter()
        .any(|ending| file.ends_with(ending))
}
