//! Which local feeds to ask: the same words for every command that asks them.

use clap::Args as Group;

use super::value::{feed, picked_day};
use crate::{
    contract::{Feed, catalog::RecordKind},
    engine::{Error, Kind, Pick, Result},
    model::Day,
};

/// Which local feeds to ask
#[derive(Clone, Debug, Default, Group)]
pub struct PickArgs {
    /// Ask only this local feed; default: all that hold addresses or networks
    #[arg(long, value_name = "NAME")]
    pub feed: Option<String>,
    /// Ask the local release of this day: 2026-11-01, -7d, yesterday; else the latest one of each feed
    #[arg(long, value_name = "DAY", allow_hyphen_values = true)]
    pub day: Option<String>,
}

impl PickArgs {
    /// The pick.
    ///
    /// # Errors
    /// [`Kind::Usage`] for an invalid feed or day, and for a feed without addresses.
    pub fn pick(&self, today: Day) -> Result<Pick> {
        let feed = self.feed.as_deref().map(feed).transpose()?;
        if let Some(feed) = feed.filter(|feed| feed.row().records == RecordKind::Tags) {
            return Err(tags_only(feed));
        }
        let day = picked_day(self.day.as_deref(), today)?;
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

    #[test]
    fn a_pick_is_a_feed_with_addresses_and_a_day() {
        let today = Day::new(2026, 11, 20).expect("a day");
        let pick = |feed: &str, day: &str| {
            let args = PickArgs {
                feed: Some(feed.to_owned()),
                day: Some(day.to_owned()),
            };
            args.pick(today)
        };
        let feed = Some(Feed::Dch);
        for (text, day) in [
            ("2026-11-19", Day::new(2026, 11, 19)),
            ("yesterday", Day::new(2026, 11, 19)),
            ("-7d", Day::new(2026, 11, 13)),
            ("latest", None),
        ] {
            assert_eq!(pick("dch", text), Ok(Pick { feed, day }), "{text}");
        }
        for (feed, day, says) in [
            ("dhc", "20261119", "no feed"),
            ("service-metrics", "20261119", "holds tags"),
            ("dch", "20261131", "not a day"),
        ] {
            let error = pick(feed, day).expect_err(says);
            assert!(
                error.kind == Kind::Usage && error.message.contains(says),
                "{error}"
            );
        }
    }
}
