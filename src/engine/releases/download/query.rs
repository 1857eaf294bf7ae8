//! A download to make, and what became of it.

use crate::{
    contract::{Feed, Format},
    engine::releases::retention::Removed,
    model::{Day, Window},
    store::{Moment, layout::Release},
};

/// What is in names for the latest release.
const LATEST: &str = "latest";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WantedRelease {
    /// The latest, by the `latest` path, which needs no history access.
    Latest,
    Day(Day),
    Window(Window),
}

impl From<Moment> for WantedRelease {
    fn from(moment: Moment) -> Self {
        match moment {
            Moment::Day(day) => Self::Day(day),
            Moment::Window(window) => Self::Window(window),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PullQuery {
    pub feed: Feed,
    pub wanted: WantedRelease,
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
            wanted: WantedRelease::Latest,
            form: Format::Json,
            allow_shrink: false,
            wait: false,
        }
    }
}

/// The endings of files in both forms.
const ENDINGS: [(Format, &str); 2] = [(Format::Json, ".json.gz"), (Format::Mmdb, ".mmdb")];

impl PullQuery {
    /// Whether two downloads are of the same file, however they are made.
    #[must_use]
    pub fn is_same_file(&self, other: &Self) -> bool {
        (self.feed, self.wanted, self.form) == (other.feed, other.wanted, other.form)
    }

    /// The name of its file while that comes; the same for every run, so that the next one finds it.
    pub(in crate::engine::releases) fn file_name(&self) -> String {
        let stem = match self.wanted {
            WantedRelease::Latest => LATEST.to_owned(),
            WantedRelease::Day(day) => day.to_string(),
            WantedRelease::Window(window) => Moment::Window(window).to_string(),
        };
        let [json, mmdb] = ENDINGS.map(|(_, ending)| ending);
        stem + match self.form {
            Format::Json => json,
            Format::Mmdb => mmdb,
        }
    }

    pub(in crate::engine::releases) fn of_file_name(feed: Feed, name: &str) -> Option<Self> {
        let ending = |(form, ending): (Format, &str)| Some((form, name.strip_suffix(ending)?));
        let (form, stem) = ENDINGS.into_iter().find_map(ending)?;
        let wanted = match Moment::parse(stem) {
            Some(moment) => moment.into(),
            None if stem == LATEST => WantedRelease::Latest,
            None => return None,
        };
        Some(Self {
            wanted,
            form,
            ..Self::latest(feed)
        })
    }
}

#[derive(Clone, Debug)]
pub struct Pulled {
    /// The release, which is local now.
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
