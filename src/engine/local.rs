//! Answers from this disk: the indexes of downloaded feeds, opened once and mended when they are damaged (API first).

use crate::{
    contract::Feed,
    engine::{Engine, Result},
    model::{Day, Document, Subject},
    store::{Index, Stop, index::NoAnswer, layout::Release},
};

/// Which feeds on this disk to ask, and of which day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pick {
    /// One feed only; else all that hold addresses or networks.
    pub feed: Option<Feed>,
    /// The release of this day; else the newest one of each feed.
    pub day: Option<Day>,
}

/// A release on this disk with its index open. Cheap to clone; keeps the release readable while it is replaced.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The release.
    pub release: Release,
    /// Its index.
    pub index: Index,
}

/// One record from this disk.
#[derive(Clone, Debug)]
pub struct LocalRecord {
    /// The release that holds it.
    pub release: Release,
    /// The record.
    pub document: Document,
}

impl Engine {
    /// Opens the release of a day, else the newest, of a feed; builds its index anew where there is none that is fit.
    ///
    /// # Errors
    /// [`Kind::NotFound`](crate::engine::Kind::NotFound) when it is not on this disk, with how to download it;
    /// [`Kind::Locked`](crate::engine::Kind::Locked) when another process is building the index.
    pub async fn open_local(&self, _feed: Feed, _day: Option<Day>) -> Result<Opened> {
        unimplemented!()
    }

    /// All releases of a pick, in the catalogue's order. None is an error only where a feed or day was named.
    ///
    /// # Errors
    /// As [`Engine::open_local`].
    pub async fn open_picked(&self, _pick: &Pick) -> Result<Vec<Opened>> {
        unimplemented!()
    }

    /// Works on an open release where it holds nothing else up. When its index turns out to be damaged it is built anew
    /// from the feed file, and the work done once more from its beginning; dropping the future stops the work.
    ///
    /// # Errors
    /// What the work fails with, and what opening fails with.
    pub async fn with_local<T: Send + 'static>(
        &self,
        _opened: Opened,
        _work: impl Fn(&Opened, &Stop) -> Result<T, NoAnswer> + Send + Sync + 'static,
    ) -> Result<T> {
        unimplemented!()
    }

    /// What the feeds on this disk say of an address or network: for each release of the pick the records of exactly
    /// that subject, then of networks that cover it, most specific first.
    ///
    /// # Errors
    /// As [`Engine::open_local`].
    pub async fn lookup_local(&self, _subject: Subject, _pick: &Pick) -> Result<Vec<LocalRecord>> {
        unimplemented!()
    }
}
