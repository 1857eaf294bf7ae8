//! Keeping a release until a person removes it: the keep rule passes over what is pinned.

use super::{
    Releases,
    directory::write_manifest,
    unusable::{cannot_be_used, not_here},
};
use crate::{
    contract::{Feed, Format},
    engine::{error::Result, threads::off_thread},
    store::Moment,
};

/// A release that is pinned, or no longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pinned {
    pub feed: Feed,
    pub moment: Moment,
    pub is_pinned: bool,
}

impl Releases {
    /// Pins a local release in all its forms, or leaves it to the keep rule again.
    ///
    /// # Errors
    /// [`Kind::NotFound`](crate::engine::Kind::NotFound) when it is not local, [`Kind::Locked`](crate::engine::Kind::Locked) when
    /// the feed is being written; a failure of this machine.
    pub async fn pin(&self, feed: Feed, moment: Moment, is_pinned: bool) -> Result<Pinned> {
        let lock = self.take_lock_soon(feed).await?;
        let cache = self.cache();
        off_thread(move || {
            let _lock = lock;
            let mut is_here = false;
            for form in [Format::Json, Format::Mmdb] {
                let found = cache.release(feed, form, moment);
                let found = found.map_err(|unusable| cannot_be_used(&unusable))?;
                let Some(mut release) = found else {
                    continue;
                };
                is_here = true;
                let manifest = &mut release.manifest;
                if (manifest.pinned, manifest.pinned_by_hand) != (is_pinned, is_pinned) {
                    (manifest.pinned, manifest.pinned_by_hand) = (is_pinned, is_pinned);
                    write_manifest(&cache, &release.manifest)?;
                }
            }
            if !is_here {
                return Err(not_here(feed, Some(moment.day())));
            }
            Ok(Pinned {
                feed,
                moment,
                is_pinned,
            })
        })
        .await
    }
}
