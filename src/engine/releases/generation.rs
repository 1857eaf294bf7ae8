//! When a release was generated, asked for after it was downloaded. Nothing but its age depends on that, so it must never keep a release
//! from being used.

use std::time::Duration;

use tokio::time::timeout;

use super::{Releases, directory::write_manifest, unusable::cannot_be_used};
use crate::{
    engine::{error::Result, threads::off_thread},
    store::layout::Release,
};

/// How long the metadata is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

impl Releases {
    /// Keeps in the manifest of a local release when it was generated, where that is unknown and the metadata of its feed has it.
    ///
    /// # Errors
    /// What the service said; [`Kind::Locked`](crate::engine::Kind::Locked) when the feed is being written; a failure of this machine.
    pub async fn keep_generation(&self, release: &mut Release) -> Result<()> {
        let manifest = &release.manifest;
        let (feed, form, moment) = (manifest.feed, manifest.form(), manifest.moment);
        if manifest.generated_at.is_some() {
            return Ok(());
        }
        if let Ok(asked) = timeout(PATIENCE, self.live.feed_metadata(feed)).await {
            asked?;
        }
        let Some(generated) = self.live.generated_at(feed, form, moment) else {
            return Ok(());
        };
        let lock = self.take_lock_soon(feed).await?;
        let cache = self.cache();
        let kept = off_thread(move || {
            let _lock = lock;
            let found = cache.release(feed, form, moment);
            let Some(mut release) = found.map_err(|unusable| cannot_be_used(&unusable))? else {
                return Ok(None);
            };
            release.manifest.generated_at = Some(generated);
            write_manifest(&cache, &release.manifest)?;
            Ok(Some(release))
        });
        if let Some(kept) = kept.await? {
            *release = kept;
        }
        Ok(())
    }
}
