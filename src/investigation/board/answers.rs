//! What is at hand about each address of a board, today or on a past day. Sends nothing.

use std::{collections::HashMap, net::IpAddr, sync::Arc};

use crate::{
    contract::LookupQuery,
    engine::{
        Engine, Missing, Result, UnusableFeed,
        answers::{BestAnswer, DayAnswer},
        off_thread,
        views::EntryOf,
    },
    investigation::history::{Recent, RecentDays},
    model::{Context, Day},
};

/// What is at hand about an address.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoardAnswer {
    /// The best answer about the address itself.
    pub best: Option<BestAnswer>,
    /// Whether that has a tunnel: others may name an address all the same that has none.
    pub has_tunnel: bool,
    /// Where no record of its own has a tunnel: the tunnels of which others name it as an entry.
    pub entry_of: Vec<EntryOf>,
    /// Why nothing is known of it on the day that was asked.
    pub missing: Option<Missing>,
    /// Whether nothing is at hand, and a query about it is possibly spent.
    pub is_possibly_spent: bool,
    /// Where no record of its own has a tunnel: on which of the last local days one was seen.
    pub recent: Option<Recent>,
}

/// What is at hand about the addresses of a board, in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoardAnswers {
    pub answers: Vec<BoardAnswer>,
    /// The feeds that are there and could not be read.
    pub unusable: Vec<UnusableFeed>,
}

/// What is at hand about these addresses, with what the last local days add to it: on a past day, else today, where the newest local releases are also asked who names them.
///
/// # Errors
/// As [`Answers::best_answers`](crate::engine::Answers::best_answers).
pub async fn board_answers(
    engine: &Engine,
    addresses: &Arc<[IpAddr]>,
    day: Option<Day>,
) -> Result<BoardAnswers> {
    let mut found = match day {
        Some(day) => on_day(engine, addresses, day).await?,
        None => today(engine, addresses).await?,
    };
    let query = |address: &IpAddr| LookupQuery {
        date: day,
        ..LookupQuery::now(*address)
    };
    add_recent(engine, addresses, day, &mut found.answers).await?;
    let is_open = |answer: &BoardAnswer| answer.best.is_none() && answer.entry_of.is_empty();
    let answers = addresses.iter().zip(&found.answers);
    let open = answers.filter(|(_, answer)| is_open(answer));
    let open = open.map(|(address, _)| query(address)).collect();
    let lost = engine.answers.possibly_spent(open).await?;
    for (address, answer) in addresses.iter().zip(&mut found.answers) {
        answer.is_possibly_spent = lost.contains(&query(address));
    }
    Ok(found)
}

async fn today(engine: &Engine, addresses: &Arc<[IpAddr]>) -> Result<BoardAnswers> {
    let best = engine.answers.best_answers(addresses.clone()).await?;
    let mut unusable = best.unusable;
    let mut answers = known(best.answers).await?;
    let asked = addresses.iter().zip(&answers);
    let asked = asked.filter(|(_, answer)| !answer.has_tunnel);
    let asked: Arc<[IpAddr]> = asked.map(|(address, _)| *address).collect();
    let named = engine.views.entries_of(asked).await?;
    for feed in named.unusable {
        if !unusable.contains(&feed) {
            unusable.push(feed);
        }
    }
    let mut entries: HashMap<IpAddr, Vec<EntryOf>> = HashMap::new();
    for (address, of) in named.found {
        entries.entry(address).or_default().push(of);
    }
    for (address, answer) in addresses.iter().zip(&mut answers) {
        answer.entry_of = entries.get(address).cloned().unwrap_or_default();
    }
    Ok(BoardAnswers { answers, unusable })
}

/// These answers, with whether they have a tunnel.
async fn known(best: Vec<Option<BestAnswer>>) -> Result<Vec<BoardAnswer>> {
    off_thread(move || {
        let answers = best.into_iter().map(|best| BoardAnswer {
            has_tunnel: best.as_ref().is_some_and(has_tunnel),
            best,
            ..BoardAnswer::default()
        });
        Ok(answers.collect())
    })
    .await
}

/// The same on a day of events, without the days before it.
///
/// # Errors
/// As [`board_answers`].
pub async fn event_answers(
    engine: &Engine,
    addresses: &Arc<[IpAddr]>,
    day: Day,
) -> Result<BoardAnswers> {
    on_day(engine, addresses, day).await
}

async fn on_day(engine: &Engine, addresses: &Arc<[IpAddr]>, day: Day) -> Result<BoardAnswers> {
    // A feed of which nothing is at hand is not missed.
    let feeds = engine.storage.feeds_about(day).await?;
    let releases = engine.answers.open_day(&feeds, Some(day)).await?;
    let answers = engine.answers.answer_on(&releases, addresses.clone());
    let (best, missing): (Vec<_>, Vec<_>) = answers
        .await?
        .into_iter()
        .map(|answer| match answer {
            DayAnswer::Known(best) => (best, None),
            DayAnswer::Unknown(missing) => (None, Some(missing)),
        })
        .unzip();
    let mut answers = known(best).await?;
    for (answer, missing) in answers.iter_mut().zip(missing) {
        answer.missing = missing;
    }
    Ok(BoardAnswers {
        answers,
        unusable: releases.opened.unusable,
    })
}

/// Adds on which of the last local days up to that one a tunnel or proxy was seen, where the answer has none.
async fn add_recent(
    engine: &Engine,
    addresses: &[IpAddr],
    day: Option<Day>,
    answers: &mut [BoardAnswer],
) -> Result<()> {
    let to = day.unwrap_or(engine.settings.today());
    let mut open: Vec<(IpAddr, &mut BoardAnswer)> =
        addresses.iter().copied().zip(answers).collect();
    open.retain(|(_, answer)| !answer.has_tunnel);
    if open.is_empty() {
        return Ok(());
    }
    let Some(days) = RecentDays::open(engine, to).await? else {
        return Ok(());
    };
    let asked: Vec<IpAddr> = open.iter().map(|(address, _)| *address).collect();
    for ((_, answer), history) in open.iter_mut().zip(days.of(engine, &asked).await?) {
        answer.recent = Some(history.recent()).filter(|recent| recent.seen > 0);
    }
    Ok(())
}

/// Whether the record of an answer has a tunnel.
fn has_tunnel(best: &BestAnswer) -> bool {
    match best {
        BestAnswer::Local(record) => {
            let context = Context::decode(record.document.value());
            context.is_ok_and(|context| !context.tunnels.items().is_empty())
        }
        BestAnswer::Cached(answer) => {
            let mut record = answer.record.iter();
            record.any(|record| !record.context.tunnels.items().is_empty())
        }
    }
}
