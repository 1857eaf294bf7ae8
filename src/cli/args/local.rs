//! Which feeds on this disk to ask: the same words for every command that asks them.

use clap::Args as Group;

use super::value::{day, feed};
use crate::{
    contract::{Feed, catalog::Records},
    engine::{Error, Kind, Pick, Result},
};

/// Which feeds on this disk to ask
#[derive(Clone, Debug, Default, Group)]
pub struct PickArgs {
    /// Ask this feed on this disk; else all that hold addresses or networks
    #[arg(long, value_name = "NAME")]
    pub feed: Option<String>,
    /// Ask the release of this day on this disk, YYYYMMDD or YYYY-MM-DD; else the newest one of each feed
    #[arg(long, value_name = "DAY")]
    pub day: Option<String>,
}

impl PickArgs {
    /// The pick.
    ///
    /// # Errors
    /// [`Kind::Usage`] for what is no feed or day, and for a feed without addresses.
    pub fn pick(&self) -> Result<Pick> {
        let feed = self.feed.as_deref().map(feed).transpose()?;
        if let Some(feed) = feed.filter(|feed| feed.row().records == Records::Tags) {
            return Err(tags_only(feed));
        }
        let day = self.day.as_deref().map(day).transpose()?;
        Ok(Pick { feed, day })
    }

    /// Whether nothing is picked.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.feed.is_none() && self.day.is_none()
    }
}

fn tags_only(feed: Feed) -> Error {
    Error::new(
        Kind::Usage,
        format!("the feed {feed} holds tags, no addresses"),
    )
    .hint("`ipspect tags` lists them, `ipspect tag TAG --source local` shows one")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Day;

    #[test]
    fn a_pick_is_a_feed_with_addresses_and_a_day() {
        let args = |feed: &str, day: &str| PickArgs {
            feed: Some(feed.to_owned()),
            day: Some(day.to_owned()),
        };
        let expected = Pick {
            feed: Some(Feed::Dch),
            day: Day::new(2026, 11, 19),
        };
        assert_eq!(args("dch", "2026-11-19").pick(), Ok(expected));
        for (feed, day, says) in [
            ("dhc", "20261119", "no feed"),
            ("service-metrics", "20261119", "holds tags"),
            ("dch", "20261131", "not a day"),
        ] {
            let error = args(feed, day).pick().expect_err(says);
            assert!(
                error.kind == Kind::Usage && error.message.contains(says),
                "{error}"
            );
        }
    }
}
