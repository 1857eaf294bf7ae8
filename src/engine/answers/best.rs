//! The best answer at hand about each of many addresses: a local record or a cached answer. Sends nothing.
//!
//! A feed that is local and cannot be read keeps nothing from the others, and is named with the reason: an address of which
//! the others have no record must not be taken for one that no local feed has.

use std::{net::IpAddr, sync::Arc};

use super::{
    Answers, Limits, LookupAnswer, Source,
    enrich::WantedLines,
    policy::{replaces_a_query, without_a_query},
};
use crate::{
    contract::{Feed, LookupQuery},
    engine::{
        error::Result,
        releases::LocalRecord,
        storage::{OpenDay, Opened, UnusableFeed},
        threads::off_thread,
    },
    model::{Day, Document},
    store::layout::Release,
};

/// The best answer at hand about an address.
#[derive(Clone, Debug, PartialEq)]
pub enum BestAnswer {
    /// A record of a local release.
    Local(Box<LocalRecord>),
    /// What the service answered before.
    Cached(Box<LookupAnswer>),
}

/// The best answer at hand about each of many addresses.
#[derive(Clone, Debug, PartialEq)]
pub struct BestAnswers {
    /// The answers, in the order of the addresses; `None` where nothing that was read has one.
    pub answers: Vec<Option<BestAnswer>>,
    /// The feeds that are local and could not be read.
    pub unusable: Vec<UnusableFeed>,
}

impl Answers {
    /// The best answer at hand about each of these addresses: of the newest releases, and of the cached answers.
    ///
    /// Which of a context and a cached answer is given is decided as for a single address. A netblock or the partial record of
    /// realtime gives way to a cached answer.
    ///
    /// # Errors
    /// [`Kind::Interrupted`](crate::engine::Kind::Interrupted); as [`Answers::answer_locally`].
    pub async fn best_answers(&self, addresses: Arc<[IpAddr]>) -> Result<BestAnswers> {
        let opened = self.storage.open(Feed::of_subjects(), None).await?;
        let answers = self.best_of(&opened, None, addresses).await?;
        Ok(BestAnswers {
            answers: answers.into_iter().map(|(best, _)| best).collect(),
            unusable: opened.unusable,
        })
    }

    /// The best answer about each of these addresses in these releases and the cache, or the feed whose record cannot be read.
    pub(super) async fn best_of(
        &self,
        opened: &Opened,
        day: Option<Day>,
        addresses: Arc<[IpAddr]>,
    ) -> Result<Vec<(Option<BestAnswer>, Option<Feed>)>> {
        let records = self.best_records(&opened.days, addresses.clone()).await?;
        let own = self.clone();
        off_thread(move || {
            let mut cache = own.cache.listing();
            let found = addresses.iter().zip(records);
            let answers = found.map(|(address, local)| {
                let (local, unread) = match local {
                    Some(Err(feed)) => (None, Some(feed)),
                    local => (local.and_then(Result::ok), None),
                };
                let query = LookupQuery {
                    date: day,
                    ..LookupQuery::now(*address)
                };
                let cached = own.cached_among(&mut cache, &query);
                (own.better(day, local, cached), unread)
            });
            Ok(answers.collect())
        })
        .await
    }

    /// The best record of each of these addresses in these releases, if they have one; the feed of one that cannot be read.
    ///
    /// # Errors
    /// As [`Answers::answer_locally`].
    pub(super) async fn best_records(
        &self,
        opened: &[OpenDay],
        addresses: Arc<[IpAddr]>,
    ) -> Result<Vec<Option<Result<LocalRecord, Feed>>>> {
        let mut records = Vec::with_capacity(addresses.len());
        let mut rest = addresses;
        while !rest.is_empty() {
            let answers = self.answer_locally(opened, rest, WantedLines::Best).await?;
            let releases = opened.iter().map(|open| open.release.clone());
            let releases: Vec<Release> = releases.collect();
            let read = off_thread(move || {
                let mut read = Vec::new();
                answers.each(|known| {
                    let best = known.lines.first().map(|best| {
                        let release = releases[best.release].clone();
                        let feed = release.manifest.feed;
                        let document = Document::read(best.line).map_err(|_| feed)?;
                        Ok(LocalRecord { release, document })
                    });
                    read.push(best);
                });
                Ok((read, answers.rest()))
            });
            let (read, open) = read.await?;
            records.extend(read);
            rest = open;
        }
        Ok(records)
    }

    /// The local record or the cached answer about an address.
    fn better(
        &self,
        date: Option<Day>,
        local: Option<LocalRecord>,
        cached: Option<LookupAnswer>,
    ) -> Option<BestAnswer> {
        let manifest = local.as_ref().map(|record| &record.release.manifest);
        let context = manifest.filter(|manifest| replaces_a_query(manifest.feed));
        let shown = without_a_query(
            date,
            context.map(|manifest| manifest.moment),
            cached.as_ref().map(|answer| answer.provenance.asked_at),
            Limits::of(&self.settings),
            self.settings.now(),
        );
        match (shown, cached) {
            (Some(Source::Cached), Some(answer)) => Some(BestAnswer::Cached(Box::new(answer))),
            _ => local.map(Box::new).map(BestAnswer::Local),
        }
    }
}
