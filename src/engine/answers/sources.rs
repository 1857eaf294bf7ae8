//! The local and cached answers to a question. Nothing is sent from here.

use super::{
    Answers, Place,
    answer::LookupAnswer,
    policy::{Limits, Sources},
};
use crate::{
    contract::{Feed, Geolocation, LookupQuery, catalog::RecordKind},
    engine::{
        error::{Kind, Result},
        releases::{Pick, Picked},
    },
    model::Subject,
};

impl Answers {
    /// The local and cached answers to a question. Sends nothing, and costs nothing.
    ///
    /// # Errors
    /// What keeps the local releases from being read. One that cannot be used is in [`Sources::unusable`].
    pub async fn sources(&self, query: &LookupQuery) -> Result<Sources> {
        let picked = self.open_in_place_of(query).await?;
        self.sources_among(query, &picked).await
    }

    /// The local releases that may answer a question in place of a query: the newest, or for a past day those of that day.
    /// None for a geolocation that only the service has.
    ///
    /// # Errors
    /// As [`Releases::open_picked`](crate::engine::releases::Releases::open_picked), except for a day that is not local.
    async fn open_in_place_of(&self, query: &LookupQuery) -> Result<Picked> {
        if query.geolocation == Geolocation::Mmgeo {
            return Ok(Picked::default());
        }
        let pick = Pick {
            feed: None,
            day: query.date,
        };
        let mut picked = match self.releases.open_picked(&pick).await {
            Err(error) if error.kind == Kind::NotFound => Picked::default(),
            picked => picked?,
        };
        let missing = Feed::all().filter(|feed| feed.row().records != RecordKind::Tags);
        let missing: Vec<Feed> = missing.filter(|own| !picked.feeds.contains(own)).collect();
        match self.open_beyond(&missing, query.date).await {
            Ok((beyond, unread)) => {
                picked
                    .unusable
                    .extend(unread.into_iter().map(|own| own.why));
                for opened in beyond {
                    picked.feeds.push(opened.release.manifest.feed);
                    picked.opened.push(opened);
                }
            }
            // What is local, cached or live answers all the same.
            Err(error) => picked.unusable.push(error),
        }
        Ok(picked)
    }

    /// As [`Answers::sources`], from local releases that are open.
    ///
    /// # Errors
    /// As [`Releases::with_local`](crate::engine::Releases::with_local).
    pub async fn sources_among(&self, query: &LookupQuery, picked: &Picked) -> Result<Sources> {
        let subject = Subject::Address(query.address);
        let mut unusable = picked.unusable.clone();
        let opened = match self.opened_about(&picked.opened, [subject]).await {
            Err(error) if self.place == Place::LocalThenWarehouse => {
                unusable.push(error);
                let own = picked.opened.iter();
                own.filter(|own| own.release.manifest.loaded.is_none())
                    .cloned()
                    .collect()
            }
            opened => opened?,
        };
        let local = self.releases.lookup_local(subject, &opened).await?;
        let is_service_only = query.geolocation == Geolocation::Mmgeo;
        Ok(Sources {
            query: *query,
            local,
            cached: (!is_service_only).then(|| self.cached(query)).flatten(),
            live: None,
            unusable,
            may_send: true,
            limits: Limits::of(&self.settings),
        })
    }

    /// What the service answered to this question, of any age: whether it is too old is decided by [`next`](super::next).
    pub(super) fn cached(&self, query: &LookupQuery) -> Option<LookupAnswer> {
        let found = self.cache.find(query, self.settings.now());
        found.unwrap_or_else(|error| {
            self.notices.trouble(error);
            None
        })
    }
}
