//! Removes releases: those of the keep rule after a publication, and those that the user names.
//!
//! A feed is changed only under its lock. The keep rule skips a feed that another process writes; the next download applies
//! it again.

use std::io;

use super::{Releases, lock::lock_of};
use crate::{
    contract::{Feed, Format},
    engine::{
        error::{Error, ErrorContext, Kind, Result},
        threads::off_thread,
    },
    model::Day,
    store::{
        Moment,
        layout::Release,
        retention::{KeepRule, KeptRelease, Reason},
    },
};

/// Bytes of a gigabyte, as disks are sold.
const GIGABYTE: u64 = 1_000_000_000;

/// A release in one form that is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Removed {
    pub feed: Feed,
    pub moment: Moment,
    /// In which form.
    pub form: Format,
    /// Bytes freed.
    pub bytes: u64,
    /// Why the keep rule removed it; `None` for a user's request.
    pub reason: Option<Reason>,
}

/// What [`Releases::remove`] removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RemovedReleases {
    /// The releases, the newest first.
    pub releases: Vec<Removed>,
    /// Bytes of partial downloads.
    pub partial: u64,
}

impl Releases {
    fn rule(&self) -> KeepRule {
        let cache = &self.settings.cache;
        KeepRule {
            releases: cache.keep_releases,
            windows: cache.keep_windows,
            bytes: cache.max_gb.saturating_mul(GIGABYTE),
        }
    }

    /// Applies the keep rule after a publication. The caller holds the lock of the feed. What cannot be removed is left for the
    /// next time, with a warning.
    pub(super) fn keep_rule(
        &self,
        published: &Release,
        warnings: &mut Vec<String>,
    ) -> Vec<Removed> {
        let cache = self.cache();
        let manifest = &published.manifest;
        let own = (manifest.feed, manifest.form(), manifest.moment);
        let (mut held, mut releases) = (Vec::new(), Vec::new());
        for feed in Feed::all() {
            for form in [Format::Json, Format::Mmdb] {
                match cache.releases(feed, form) {
                    Ok((here, _)) => {
                        let newest_first = here.iter().enumerate();
                        held.extend(
                            newest_first.map(|(at, release)| KeptRelease::of(release, form, at)),
                        );
                        releases.extend(here);
                    }
                    // Releases that are not counted make the rule remove fewer, never more.
                    Err(error) => warnings.push(format!(
                        "{} could not be read, so its releases were not counted: {error}",
                        cache.feed_dir(feed).display()
                    )),
                }
            }
        }
        let is_own = |other: &KeptRelease| (other.feed, other.form, other.moment) == own;
        let Some(published) = held.iter().position(is_own) else {
            return Vec::new();
        };
        let mut removed = Vec::new();
        for (at, reason) in self.rule().surplus(&held, published) {
            let KeptRelease { feed, form, .. } = held[at];
            let lock = (feed != own.0).then(|| lock_of(&cache, feed)).transpose();
            let _lock = match lock {
                Ok(lock) => lock,
                // Another process writes there, and applies the rule itself.
                Err(error) if error.kind == Kind::Locked => continue,
                Err(error) => {
                    warnings.push(error.message);
                    continue;
                }
            };
            match cache.remove(&releases[at], form) {
                Ok(bytes) => removed.push(Removed {
                    feed,
                    moment: held[at].moment,
                    form,
                    bytes,
                    reason: Some(reason),
                }),
                Err(error) => warnings.push(format!(
                    "the release of {feed} for {} could not be removed: {error}",
                    held[at].moment.dashed()
                )),
            }
        }
        removed
    }

    /// Removes the releases of a day in all forms, usable or not. Without a day it removes every local release and partial download
    /// of the feed.
    ///
    /// # Errors
    /// [`Kind::NotFound`] when there is nothing to remove, [`Kind::Locked`]
    /// when another process writes the feed.
    pub async fn remove(
        &self,
        feed: Feed,
        day: Option<Day>,
        wait: bool,
    ) -> Result<RemovedReleases> {
        let cache = self.cache();
        let dir = cache.feed_dir(feed);
        if cache.open(&dir).at("use", &dir)?.is_none() {
            return Err(not_local(feed, day));
        }
        let lock = self.take_lock(feed, wait).await?;
        let engine = self.clone();
        off_thread(move || {
            let _lock = lock;
            engine.sweep(&cache, feed);
            let mut cleared = RemovedReleases::default();
            let mut remove = || -> io::Result<()> {
                let moments = cache.moments(feed)?.into_iter();
                for moment in moments.filter(|moment| day.is_none_or(|day| day == moment.day())) {
                    let forms = cache.remove_moment(feed, moment)?.into_iter();
                    cleared.releases.extend(forms.map(|(form, bytes)| Removed {
                        feed,
                        moment,
                        form,
                        bytes,
                        reason: None,
                    }));
                }
                if day.is_none() {
                    cleared.partial = cache.remove_partial(feed)?;
                }
                Ok(())
            };
            remove().at("remove from", &dir)?;
            if cleared == RemovedReleases::default() {
                return Err(not_local(feed, day));
            }
            Ok(cleared)
        })
        .await
    }
}

fn not_local(feed: Feed, day: Option<Day>) -> Error {
    let message = match day {
        Some(day) => format!("{feed} has no local release for {}", day.dashed()),
        None => format!("{feed} has no local release"),
    };
    Error::new(Kind::NotFound, message).hint(format!(
        "`ipspect feeds info {feed} --offline` lists the local releases"
    ))
}
