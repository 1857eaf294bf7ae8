//! The local releases of the feeds: downloaded, verified, mended, kept and read.
//!
//! A release appears whole or not at all. Nothing here answers from what it could not check.

mod deletion;
mod diff;
mod directory;
mod download;
mod file;
mod health;
mod health_over_time;
mod index_cache;
mod index_rebuild;
mod indexing;
mod inventory;
mod local;
mod lock;
mod manifest_recovery;
mod pin;
mod ranked_diff;
mod records;
mod rejected_text;
mod retention;
mod tags;
mod trash;
mod unfinished;
mod unknown_values;
mod unusable;
mod verify;

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, Ordering},
};

pub(super) use self::unusable::not_here;
pub use self::{
    deletion::Deleted,
    diff::{DiffDays, DiffPage, DiffRecord},
    download::{PartialDownload, PullQuery, Pulled, WantedRelease},
    health::Health,
    health_over_time::DayHealth,
    inventory::{Inventory, OnDisk},
    local::OpenRelease,
    pin::Pinned,
    records::{Family, LocalLookup, LocalRecord, Unread},
    retention::{Removed, RemovedReleases},
    tags::{LocalTag, LocalTags},
    unfinished::{DownloadPlan, Unfinished},
    unknown_values::UnknownValue,
    verify::VerifiedRelease,
};
use self::{index_cache::IndexCache, ranked_diff::RankedDiff};
use super::{http::Requests, live::Live, notices::Notices, settings::Settings};
use crate::{contract::Feed, store::Trashed};

/// The local releases of the service of this run.
#[derive(Clone, Debug)]
pub struct Releases {
    settings: Arc<Settings>,
    notices: Arc<Notices>,
    requests: Requests,
    live: Live,
    indexes: Arc<IndexCache>,
    ranked: Arc<RankedDiff>,
    /// What was deleted in this run and can be brought back.
    deleted: Arc<Mutex<Vec<(Feed, Trashed)>>>,
    /// Whether what takes long gives way to other work.
    gives_way: Arc<AtomicBool>,
}

impl Releases {
    pub(super) fn new(
        settings: Arc<Settings>,
        notices: Arc<Notices>,
        requests: Requests,
        live: Live,
    ) -> Self {
        Self {
            settings,
            notices,
            requests,
            live,
            indexes: Arc::default(),
            ranked: Arc::default(),
            deleted: Arc::default(),
            gives_way: Arc::default(),
        }
    }

    /// From now on downloads are checked and indexed with what other work leaves of the processors: for a front that draws meanwhile.
    pub fn give_way(&self) {
        self.gives_way.store(true, Ordering::Relaxed);
    }

    fn gives_way(&self) -> bool {
        self.gives_way.load(Ordering::Relaxed)
    }
}
