//! What is at hand about an address or a network on each day of a range: local releases, cached answers, loaded days. Sends nothing.

use std::net::IpAddr;

use super::{DayFinding, DaySource, History, UnknownDay};
use crate::{
    contract::{Feed, LookupQuery},
    engine::{
        Answers, DayPlace, Engine, Error, Family, Kind, LocalRecord, LookupAnswer, Missing,
        MissingWhy, Opened, Result, UnusableFeed,
        answers::{BestAnswer, DayAnswer, DayReleases, replaces_a_query},
        together,
    },
    model::{Day, Subject},
};

/// The longest history, in days.
pub const MOST_DAYS: i32 = 400;

/// Of what a history is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryQuery {
    pub subject: Subject,
    /// The feeds that are asked; none for those of IP contexts at hand.
    pub feeds: Vec<Feed>,
    /// The first day; else the oldest at hand.
    pub from: Option<Day>,
    pub to: Day,
    /// Where releases are: local, or local and in the warehouse.
    pub place: DayPlace,
}

impl HistoryQuery {
    /// The feed that is named where nothing is at hand.
    #[must_use]
    pub fn feed(&self) -> Feed {
        let usual = match Family::of(self.subject) {
            Family::V4 => Feed::Anonymous,
            Family::V6 => Feed::AnonymousIpv6,
        };
        self.feeds.first().copied().unwrap_or(usual)
    }

    /// The engine that reads local days alone, since the warehouse does not answer.
    ///
    /// # Errors
    /// This reason where it is none of the warehouse, or nothing may be asked.
    fn local_alone(&self, engine: &Engine, why: Error) -> Result<Engine> {
        match (self.place, why.kind) {
            (DayPlace::Disk, _) | (_, Kind::Usage | Kind::Interrupted) => Err(why),
            _ => Ok(engine.without_warehouse(why)),
        }
    }

    /// That no day is known.
    fn nothing_at_hand(&self) -> Error {
        let (subject, feed, to) = (self.subject, self.feed(), self.to.dashed());
        let message = format!("no day of {subject} up to {to} is local or cached");
        Error::new(Kind::NotFound, message).hint(format!(
            "`ipspect feeds pull {feed} --date {to}` downloads a day"
        ))
    }
}

/// What is at hand.
#[derive(Clone, Debug)]
pub struct LocalHistory {
    pub history: History,
    /// Releases and loads that cannot be read, each once.
    pub unusable: Vec<Error>,
}

/// What is at hand about an address or a network on each day, [`MOST_DAYS`] at most.
///
/// # Errors
/// [`Kind::NotFound`] where no day is at hand; [`Kind::Usage`] for a range that is too long; as [`Answers::answer_on`].
pub async fn read_history(engine: &Engine, query: &HistoryQuery) -> Result<LocalHistory> {
    let (engine, query) = (engine.at(query.place), query.clone());
    if query.place == DayPlace::Disk {
        return together(move || async move { read_all(engine, &query).await }).await;
    }
    Box::pin(read_all(engine, &query)).await
}

async fn read_all(mut engine: Engine, query: &HistoryQuery) -> Result<LocalHistory> {
    let oldest = query.to.plus(1 - MOST_DAYS);
    if query.from.is_some_and(|from| from < oldest) {
        let message = format!("a history has {MOST_DAYS} days at most");
        let hint = format!("--from {} is the earliest", oldest.dashed());
        return Err(Error::new(Kind::Usage, message).hint(hint));
    }
    let (feeds, at_hand, refused) = at_hand(&engine, query).await?;
    let cached = cached_days(&engine.answers, query, query.from.unwrap_or(oldest)).await?;
    let all = at_hand.iter().chain(cached.iter().map(|(day, _)| day));
    let first = all.filter(|day| **day <= query.to).min();
    let first = first.map(|day| oldest.max(*day));
    let Some(from) = query.from.or(first) else {
        return Err(refused.unwrap_or_else(|| query.nothing_at_hand()));
    };
    if let Some(why) = refused {
        engine = engine.without_warehouse(why);
    } else if let Subject::Address(address) = query.subject {
        let ahead = engine.storage.read_ahead(&feeds, from..=query.to, address);
        match ahead.await {
            // Which day is damaged shows when each is read.
            Err(why) if why.kind == Kind::Integrity => {}
            Err(why) => engine = query.local_alone(&engine, why)?,
            Ok(()) => {}
        }
    }
    let (mut findings, mut unusable) = (Vec::new(), Vec::new());
    for day in days(from, query.to) {
        let (finding, more) = match on_day(&engine, &feeds, day, query).await {
            Ok(found) => found,
            Err(why) => {
                let is_of_day = why.kind == Kind::Integrity;
                let local = query.local_alone(&engine, why)?;
                let found = on_day(&local, &feeds, day, query).await?;
                if !is_of_day {
                    engine = local;
                }
                found
            }
        };
        findings.push(finding);
        for feed in more {
            if !unusable.contains(&feed.why) {
                unusable.push(feed.why);
            }
        }
    }
    let mut history = History { from, findings };
    for (day, finding) in cached {
        history.learn(day, finding);
    }
    if unusable.is_empty() && !history.findings.iter().any(DayFinding::is_known) {
        return Err(query.nothing_at_hand());
    }
    Ok(LocalHistory { history, unusable })
}

/// The days from one to another.
pub(super) fn days(from: Day, to: Day) -> impl Iterator<Item = Day> {
    std::iter::successors(Some(from), |day| Some(day.plus(1))).take_while(move |day| *day <= to)
}

/// The feeds to ask, the days of which they are local or loaded, and why it is not known which are loaded.
async fn at_hand(
    engine: &Engine,
    query: &HistoryQuery,
) -> Result<(Vec<Feed>, Vec<Day>, Option<Error>)> {
    let (family, mut feeds) = (Family::of(query.subject), query.feeds.clone());
    if feeds.is_empty() {
        feeds.extend(Feed::all().filter(|feed| replaces_a_query(*feed) && family.is_of(*feed)));
    }
    let (days, refused) = engine.storage.days_of(&feeds).await?;
    if let Some(why) = refused.clone() {
        query.local_alone(engine, why)?;
    }
    if query.feeds.is_empty() {
        // A feed of which nothing is at hand is not missed.
        let is_usual = |feed| refused.is_some() && feed == query.feed();
        feeds.retain(|feed| is_usual(*feed) || days.iter().any(|(other, _)| other == feed));
    }
    let days = days.into_iter().map(|(_, day)| day);
    Ok((feeds, days.collect(), refused))
}

/// What the service answered before: about past days, and about the day on which it was asked.
async fn cached_days(
    answers: &Answers,
    query: &HistoryQuery,
    from: Day,
) -> Result<Vec<(Day, DayFinding)>> {
    let Subject::Address(address) = query.subject else {
        return Ok(Vec::new());
    };
    let asked = days(from, query.to).map(|day| query_of(address, day));
    let cached = answers.cached_answers(asked.collect()).await?.into_iter();
    let now = LookupQuery::now(address);
    let now = answers.sources_among(&now, &Opened::default()).await?;
    let now = now.cached.map(|answer| (now.query, answer));
    let found = cached.chain(now).map(|(query, answer)| {
        let asked = &answer.provenance;
        let day = query.date.or(asked.data_date);
        let day = day.unwrap_or_else(|| Day::of(asked.asked_at));
        (day, of_answer(&answer, DaySource::Cached))
    });
    Ok(found.filter(|(day, _)| *day >= from).collect())
}

/// The question about an address on a day.
pub(super) fn query_of(address: IpAddr, day: Day) -> LookupQuery {
    LookupQuery {
        date: Some(day),
        ..LookupQuery::now(address)
    }
}

/// What the service answered about a day.
#[must_use]
pub fn of_answer(answer: &LookupAnswer, source: DaySource) -> DayFinding {
    match &answer.record {
        Some(record) => DayFinding::of(&record.document, source),
        None => DayFinding::Absent(source),
    }
}

/// What there is on a day, and the feeds whose day cannot answer.
async fn on_day(
    engine: &Engine,
    feeds: &[Feed],
    day: Day,
    query: &HistoryQuery,
) -> Result<(DayFinding, Vec<UnusableFeed>)> {
    let releases = engine.answers.open_day(feeds, Some(day)).await?;
    let finding = match query.subject {
        Subject::Address(address) => {
            let answers = engine.answers.answer_on(&releases, [address].into());
            let answer = answers.await?.into_iter().next();
            let found = answer.map(|answer| finding_of(answer, &releases, query.place));
            found.unwrap_or(DayFinding::Unreadable)
        }
        Subject::Network(_) => of_network(engine, &releases, query).await?,
    };
    Ok((finding, releases.opened.unusable))
}

/// What an answer says of its day.
pub(super) fn finding_of(answer: DayAnswer, releases: &DayReleases, place: DayPlace) -> DayFinding {
    match answer {
        DayAnswer::Known(best) => match best.filter(BestAnswer::is_whole) {
            Some(BestAnswer::Local(record)) => of_record(&record),
            Some(BestAnswer::Cached(answer)) => of_answer(&answer, DaySource::Cached),
            None => absent(releases),
        },
        DayAnswer::Unknown(missing) => unknown(missing, place),
    }
}

/// That of a network: its own record, else that of the most specific network that covers it.
async fn of_network(
    engine: &Engine,
    releases: &DayReleases,
    query: &HistoryQuery,
) -> Result<DayFinding> {
    let subject = query.subject;
    let opened = engine.storage.all_about(&releases.opened.days, [subject]);
    let opened = opened.await?;
    let found = engine.releases.lookup_local(subject, &opened).await?;
    Ok(match (found.records.first(), found.unread.as_slice()) {
        (Some(record), _) => of_record(record),
        (None, [_, ..]) => DayFinding::Unreadable,
        (None, []) => match releases.gap(subject.network().addr()) {
            Some(missing) => unknown(missing, query.place),
            None => absent(releases),
        },
    })
}

/// That no release of a day has a record.
fn absent(releases: &DayReleases) -> DayFinding {
    let days = releases.opened.days.iter();
    let places = days.map(|day| day.release.manifest.place());
    DayFinding::Absent(DaySource::Feeds(places.max().unwrap_or_default()))
}

fn of_record(record: &LocalRecord) -> DayFinding {
    DayFinding::of(
        &record.document,
        DaySource::Feeds(record.release.manifest.place()),
    )
}

fn unknown(missing: Missing, place: DayPlace) -> DayFinding {
    let feed = missing.feed;
    DayFinding::Unknown(match missing.why {
        MissingWhy::Unreadable => return DayFinding::Unreadable,
        MissingWhy::Unread => UnknownDay::Unread(feed),
        MissingWhy::NotAt(_) => UnknownDay::NotAt(place.last(), feed),
    })
}
