//! The names of the files behind the feeds.

use std::fmt;

use jiff::Timestamp;

use super::release;
use crate::{
    contract::{Feed, Format},
    model::{Day, Window},
};

/// A file that the storage can serve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum FileId {
    /// A day's file of a feed.
    Release(Feed, Day, Format),
    Window(Window),
}

impl FileId {
    /// Reads the path under which the storage has the file.
    pub(crate) fn parse(path: &str) -> Option<Self> {
        let mut parts = path.splitn(3, '/');
        let (feed, day, file) = (
            parts.next()?.parse().ok()?,
            Day::from_compact(parts.next()?)?,
            parts.next()?,
        );
        Some(match (feed, file) {
            (Feed::Realtime, _) => Self::Window(Window::new(day, file.strip_suffix(".json.gz")?)?),
            (_, "feed.json.gz") => Self::Release(feed, day, Format::Json),
            (_, "feed.mmdb") => Self::Release(feed, day, Format::Mmdb),
            _ => return None,
        })
    }

    /// The file's path below the feed, as its metadata names it (contract, part 2.8).
    pub(crate) fn location(self) -> String {
        match self {
            Self::Release(_, day, Format::Json) => format!("{day}/feed.json.gz"),
            Self::Release(_, day, Format::Mmdb) => format!("{day}/feed.mmdb"),
            Self::Window(window) => format!("realtime/{window}.json.gz"),
        }
    }

    /// When its data was put together.
    pub(crate) fn generated_at(self) -> Timestamp {
        match self {
            Self::Release(feed, day, _) => release::generated_at(feed, day),
            Self::Window(window) => window.begins(),
        }
    }

    /// The day that its data is of.
    pub(crate) fn day(self) -> Day {
        match self {
            Self::Release(_, day, _) => day,
            Self::Window(window) => window.day,
        }
    }
}

impl fmt::Display for FileId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Release(feed, ..) => write!(f, "{feed}/{}", self.location()),
            Self::Window(_) => f.write_str(&self.location()),
        }
    }
}
