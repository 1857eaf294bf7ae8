//! One question to the newest local release of each feed, else to that of a day; of contexts or of all feeds.
//!
//! A feed that is not local is not among the answers, and must never be counted as 0. One that is local and cannot be read keeps
//! nothing from the others, and is named with the reason.

use super::Views;
use crate::{
    contract::Feed,
    engine::{
        error::{Kind, Result},
        releases::OpenRelease,
        storage::UnusableFeed,
    },
    model::Day,
    store::{StopFlag, index::QueryError},
};

/// What each local feed answers.
#[derive(Clone, Debug, PartialEq)]
pub struct OfFeeds<T> {
    /// The answers, in the catalogue's order.
    pub found: Vec<T>,
    /// The feeds that are local and could not be read.
    pub unusable: Vec<UnusableFeed>,
}

impl<T> Default for OfFeeds<T> {
    fn default() -> Self {
        Self {
            found: Vec::new(),
            unusable: Vec::new(),
        }
    }
}

impl Views {
    /// Works on the newest local release of each of these feeds that holds contexts.
    ///
    /// # Errors
    /// [`Kind::Interrupted`]; any other error concerns one feed only.
    pub(super) async fn of_contexts<T: Send + 'static>(
        &self,
        feeds: impl IntoIterator<Item = Feed>,
        work: impl Fn(&OpenRelease, &StopFlag) -> std::result::Result<T, QueryError>
        + Clone
        + Send
        + Sync
        + 'static,
    ) -> Result<OfFeeds<T>> {
        self.of_contexts_on(None, feeds, work).await
    }

    /// The same of a day.
    ///
    /// # Errors
    /// [`Kind::Interrupted`]; any other error concerns one feed only.
    pub(super) async fn of_contexts_on<T: Send + 'static>(
        &self,
        day: Option<Day>,
        feeds: impl IntoIterator<Item = Feed>,
        work: impl Fn(&OpenRelease, &StopFlag) -> std::result::Result<T, QueryError>
        + Clone
        + Send
        + Sync
        + 'static,
    ) -> Result<OfFeeds<T>> {
        let feeds = feeds.into_iter().filter(|feed| feed.holds_contexts());
        self.of_feeds_on(day, feeds, work).await
    }

    /// Works on the newest local release of each of these feeds, of any kind.
    ///
    /// # Errors
    /// [`Kind::Interrupted`]; any other error concerns one feed only.
    pub(super) async fn of_feeds<T: Send + 'static>(
        &self,
        feeds: impl Iterator<Item = Feed>,
        work: impl Fn(&OpenRelease, &StopFlag) -> std::result::Result<T, QueryError>
        + Clone
        + Send
        + Sync
        + 'static,
    ) -> Result<OfFeeds<T>> {
        self.of_feeds_on(None, feeds, work).await
    }

    async fn of_feeds_on<T: Send + 'static>(
        &self,
        day: Option<Day>,
        feeds: impl Iterator<Item = Feed>,
        work: impl Fn(&OpenRelease, &StopFlag) -> std::result::Result<T, QueryError>
        + Clone
        + Send
        + Sync
        + 'static,
    ) -> Result<OfFeeds<T>> {
        let mut answers = OfFeeds::default();
        for feed in feeds {
            let answer = async {
                let opened = self.releases.open_local(feed, day).await?;
                self.releases.with_local(opened, work.clone()).await
            };
            match answer.await {
                Ok(answer) => answers.found.push(answer),
                Err(error) if error.kind == Kind::NotFound => {}
                Err(error) if error.kind == Kind::Interrupted => return Err(error),
                Err(why) => answers.unusable.push(UnusableFeed { feed, why }),
            }
        }
        Ok(answers)
    }
}
