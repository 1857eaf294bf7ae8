//! Where a value stands in the local feeds: the fields that have it, how many records, and since which local day.

use super::Views;
use crate::{
    contract::Feed,
    engine::{
        error::{Kind, Result},
        releases::OpenRelease,
        storage::UnusableFeed,
        threads::together,
    },
    model::{Day, Keyword},
    store::{Filter, Moment, StopFlag, filter::Test, index::QueryError},
};

/// A field of a local feed that has a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueUse {
    pub field: Keyword,
    pub feed: Feed,
    /// Its newest local release.
    pub moment: Moment,
    /// The records of the release that have the value.
    pub count: u64,
    /// The records of the release.
    pub records: u64,
    /// The oldest local day that has it, of those without a day between that lacks it.
    pub since: Day,
    /// Whether it may have come before: the day before is not known.
    pub or_earlier: bool,
}

/// Where a value stands in the local feeds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValueUses {
    pub found: Vec<ValueUse>,
    /// The feeds that were read.
    pub feeds: usize,
    /// The feeds that are local and could not be read.
    pub unusable: Vec<UnusableFeed>,
}

impl Views {
    /// The fields of the newest local releases that have a value, in any case. Sends nothing.
    ///
    /// # Errors
    /// [`Kind::Interrupted`].
    pub async fn value_uses(&self, value: &str) -> Result<ValueUses> {
        let (views, value) = (self.clone(), value.to_owned());
        together(move || async move { views.uses_of(&value).await }).await
    }

    async fn uses_of(&self, value: &str) -> Result<ValueUses> {
        let own = value.to_owned();
        let work = move |opened: &OpenRelease, stop: &StopFlag| uses(opened, &own, stop);
        let found = self.of_feeds(Feed::all(), work).await?;
        let feeds = found.found.len();
        let mut uses: Vec<ValueUse> = found.found.into_iter().flatten().collect();
        for value_use in &mut uses {
            (value_use.since, value_use.or_earlier) = self.since(value_use, value).await?;
        }
        Ok(ValueUses {
            found: uses,
            feeds,
            unusable: found.unusable,
        })
    }

    /// The oldest local day that has the value, with all local days after it, and whether it may have come before. A day that cannot be
    /// read ends the search.
    async fn since(&self, newest: &ValueUse, value: &str) -> Result<(Day, bool)> {
        let mut days = self.releases.moments(newest.feed)?;
        days.retain(|moment| moment.day() < newest.moment.day());
        let (field, mut since) = (newest.field, newest.moment.day());
        for moment in days {
            let value = value.to_owned();
            let has = move |opened: &OpenRelease, stop: &StopFlag| {
                Ok(count(opened, field, &value, stop)? > 0)
            };
            let found = async {
                let day = Some(moment.day());
                let opened = self.releases.open_local(newest.feed, day).await?;
                self.releases.with_local(opened, has).await
            };
            match found.await {
                Ok(true) => since = moment.day(),
                Err(error) if error.kind == Kind::Interrupted => return Err(error),
                Ok(false) => return Ok((since, moment.day() != since.plus(-1))),
                Err(_) => break,
            }
        }
        Ok((since, true))
    }
}

fn uses(opened: &OpenRelease, value: &str, stop: &StopFlag) -> Result<Vec<ValueUse>, QueryError> {
    let manifest = &opened.release.manifest;
    let mut found = Vec::new();
    for field in Keyword::ALL {
        let count = count(opened, field, value, stop)?;
        if count > 0 {
            found.push(ValueUse {
                field,
                feed: manifest.feed,
                moment: manifest.moment,
                count,
                records: opened.index.records(),
                since: manifest.moment.day(),
                or_earlier: true,
            });
        }
    }
    Ok(found)
}

/// How many records have a value of a field.
fn count(
    opened: &OpenRelease,
    field: Keyword,
    value: &str,
    stop: &StopFlag,
) -> Result<u64, QueryError> {
    let filter: Filter = [Test::Is(field, vec![value.to_owned()])]
        .into_iter()
        .collect();
    Ok(opened.index.select(&filter, stop)?.count())
}
