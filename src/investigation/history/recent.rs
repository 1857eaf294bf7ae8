//! What the last local days say of addresses, beside an answer about one day. Sends nothing.

use std::{collections::BTreeSet, net::IpAddr, sync::Arc};

use super::{
    DayFinding, History, RECENT_DAYS, UnknownDay,
    local::{days, finding_of},
};
use crate::{
    contract::Feed,
    engine::{
        DayPlace, Engine, Result,
        answers::{DayReleases, replaces_a_query},
        together,
    },
    model::Day,
};

/// The last local days, [`RECENT_DAYS`] at most, open to be asked.
#[derive(Clone, Debug)]
pub struct RecentDays {
    to: Day,
    /// The oldest first.
    days: Vec<(Day, DayReleases)>,
}

impl RecentDays {
    /// Opens the last days up to one of which a feed of IP contexts is local; `None` where that is one day or none.
    ///
    /// # Errors
    /// As [`Answers::open_day`](crate::engine::Answers::open_day).
    pub async fn open(engine: &Engine, to: Day) -> Result<Option<Self>> {
        let engine = engine.at(DayPlace::Disk);
        together(move || async move { Self::open_here(&engine, to).await }).await
    }

    async fn open_here(engine: &Engine, to: Day) -> Result<Option<Self>> {
        let feeds: Vec<Feed> = Feed::all().filter(|feed| replaces_a_query(*feed)).collect();
        let (mut days, _) = engine.storage.days_of(&feeds).await?;
        days.retain(|(_, day)| *day <= to);
        let (feeds, last): (BTreeSet<Feed>, BTreeSet<Day>) = days.into_iter().unzip();
        let feeds: Vec<Feed> = feeds.into_iter().collect();
        if last.len() < 2 {
            return Ok(None);
        }
        let mut days = Vec::with_capacity(RECENT_DAYS);
        let mut usable = 0;
        for day in last.into_iter().rev() {
            let releases = engine.answers.open_day(&feeds, Some(day)).await?;
            // A damaged day is none of the ten.
            usable += usize::from(!releases.opened.days.is_empty());
            days.push((day, releases));
            if usable == RECENT_DAYS {
                break;
            }
        }
        days.reverse();
        Ok(Some(Self { to, days }))
    }

    /// What there was about each of these addresses on these days; the days between them are unknown. A day that cannot be read is
    /// unreadable, and says nothing.
    ///
    /// # Errors
    /// As [`Answers::answer_on`](crate::engine::Answers::answer_on).
    pub async fn of(&self, engine: &Engine, addresses: &[IpAddr]) -> Result<Vec<History>> {
        let (days, engine, asked) = (self.clone(), engine.clone(), addresses.into());
        together(move || async move { days.of_here(&engine, asked).await }).await
    }

    async fn of_here(&self, engine: &Engine, addresses: Arc<[IpAddr]>) -> Result<Vec<History>> {
        let from = self.days.first().map_or(self.to, |(day, _)| *day);
        let length = days(from, self.to).count();
        let blank = History {
            from,
            // Of the others no feed of IP contexts is local.
            findings: vec![
                DayFinding::Unknown(UnknownDay::NotAt(
                    DayPlace::Disk.last(),
                    Feed::Anonymous
                ));
                length
            ],
        };
        let mut histories = vec![blank; addresses.len()];
        for (day, releases) in &self.days {
            let answers = engine.answers.local_answer_on(releases, addresses.clone());
            for (history, answer) in histories.iter_mut().zip(answers.await?) {
                history.learn(*day, finding_of(answer, releases, DayPlace::Disk));
            }
        }
        Ok(histories)
    }
}
