//! The best answer at hand about each of many addresses: a local record or a cached answer. Sends nothing.
//!
//! A feed that is local and cannot be read keeps nothing from the others, and is named with the reason: an address of which
//! the others have no record must not be taken for one that no local feed has.

use std::{net::IpAddr, sync::Arc};

use super::{
    Answers, Limits, LookupAnswer, Place, Source,
    enrich::WantedLines,
    policy::{replaces_a_query, without_a_query},
};
use crate::{
    contract::{Feed, LookupQuery, catalog::RecordKind},
    engine::{
        error::{Kind, Result},
        releases::{LocalRecord, OpenRelease},
        threads::off_thread,
        views::UnusableFeed,
    },
    model::{Day, Document, document::Malformed},
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BestAnswers<R> {
    /// The answers, in the order of the addresses; `None` where nothing that was read has one.
    pub answers: Vec<Option<R>>,
    /// The feeds that are local and could not be read.
    pub unusable: Vec<UnusableFeed>,
}

impl Answers {
    /// The best answer at hand about each of these addresses: of the releases of a day, else of the newest ones, and of the cached
    /// answers about that day.
    ///
    /// Which of a context and a cached answer is given is decided as for a single address. A netblock or the partial record of
    /// realtime gives way to a cached answer.
    ///
    /// # Errors
    /// [`Kind::Interrupted`]; as [`Answers::answer_locally`].
    pub async fn best_answers(
        &self,
        addresses: Arc<[IpAddr]>,
        day: Option<Day>,
    ) -> Result<BestAnswers<BestAnswer>> {
        let feeds = Feed::all().filter(|feed| feed.row().records != RecordKind::Tags);
        let (opened, unusable) = self.open_usable(feeds, day).await?;
        let records = self.best_records(&opened, addresses.clone()).await?;
        let own = self.clone();
        let answers = off_thread(move || {
            let found = addresses.iter().zip(records);
            Ok(found
                .map(|(address, local)| own.better(*address, day, local.and_then(Result::ok)))
                .collect())
        })
        .await?;
        Ok(BestAnswers { answers, unusable })
    }

    /// The releases of a day, else the newest ones, of these feeds, as far as they are local, and the feeds whose release cannot be
    /// read.
    ///
    /// # Errors
    /// [`Kind::Interrupted`].
    pub(super) async fn open_usable(
        &self,
        feeds: impl IntoIterator<Item = Feed>,
        day: Option<Day>,
    ) -> Result<(Vec<OpenRelease>, Vec<UnusableFeed>)> {
        let (mut opened, mut unusable) = (Vec::new(), Vec::new());
        if self.place == Place::Warehouse {
            let feeds: Vec<Feed> = feeds.into_iter().collect();
            return self.warehouse.open_day(&feeds, day).await;
        }
        let mut missing = Vec::new();
        for feed in feeds {
            match self.releases.open_local(feed, day).await {
                Ok(release) => opened.push(release),
                Err(error) if error.kind == Kind::NotFound => missing.push(feed),
                Err(error) if error.kind == Kind::Interrupted => return Err(error),
                Err(why) => unusable.push(UnusableFeed { feed, why }),
            }
        }
        match self.open_beyond(&missing, day).await {
            Ok((beyond, unread)) => {
                opened.extend(beyond);
                unusable.extend(unread);
            }
            // The others answer all the same.
            Err(why) => {
                let first = missing.first().copied();
                unusable.extend(first.map(|feed| UnusableFeed { feed, why }));
            }
        }
        Ok((opened, unusable))
    }

    /// The best record of each of these addresses in these releases, if they have one that can be read.
    ///
    /// # Errors
    /// As [`Answers::answer_locally`].
    pub(super) async fn best_records(
        &self,
        opened: &[OpenRelease],
        addresses: Arc<[IpAddr]>,
    ) -> Result<Vec<Option<Result<LocalRecord, Malformed>>>> {
        let mut records = Vec::with_capacity(addresses.len());
        let mut rest = addresses;
        while !rest.is_empty() {
            let answers = self.answer_locally(opened, rest, WantedLines::Best).await?;
            answers.each(|known| {
                let best = known.lines.first().map(|best| {
                    let release = opened[best.release].release.clone();
                    let document = Document::read(best.line)?;
                    Ok(LocalRecord { release, document })
                });
                records.push(best);
            });
            rest = answers.rest();
        }
        Ok(records)
    }

    /// The local record or the cached answer about an address.
    pub(super) fn better(
        &self,
        address: IpAddr,
        date: Option<Day>,
        local: Option<LocalRecord>,
    ) -> Option<BestAnswer> {
        let query = LookupQuery {
            date,
            ..LookupQuery::now(address)
        };
        let cached = self.cached(&query);
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
