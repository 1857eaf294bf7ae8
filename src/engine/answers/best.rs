//! The best local record of each of many addresses. Sends nothing.

use std::{net::IpAddr, sync::Arc};

use super::{Answers, enrich::Wanted};
use crate::{
    engine::{
        error::{Kind, Result},
        releases::{LocalRecord, Pick, Picked},
    },
    model::{Day, Document},
};

impl Answers {
    /// The best local record of each of these addresses, from the releases of a day, else from the newest ones. `None` where no
    /// release has one that can be read.
    ///
    /// # Errors
    /// As [`Releases::open_picked`](crate::engine::releases::Releases::open_picked), but for a day that is not local.
    pub async fn best_local(
        &self,
        addresses: Arc<[IpAddr]>,
        day: Option<Day>,
    ) -> Result<Vec<Option<LocalRecord>>> {
        let pick = Pick { feed: None, day };
        let Picked { opened, .. } = match self.releases.open_picked(&pick).await {
            Err(error) if error.kind == Kind::NotFound => Picked::default(),
            picked => picked?,
        };
        let mut all = Vec::with_capacity(addresses.len());
        let mut rest = addresses;
        while !rest.is_empty() {
            let answers = self.answer_locally(&opened, rest, Wanted::Best).await?;
            answers.each(|known| {
                let best = known.lines.first().and_then(|best| {
                    let document = Document::read(best.line).ok()?;
                    let release = opened.get(best.release)?.release.clone();
                    Some(LocalRecord { release, document })
                });
                all.push(best);
            });
            rest = answers.rest();
        }
        Ok(all)
    }
}
