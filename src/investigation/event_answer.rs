//! What is at hand about an address on the UTC day of its event, beside what is at hand today.
//!
//! An event may be later than the release of its day was generated. So the next day stands beside it where it has another verdict.

use std::{collections::BTreeMap, net::IpAddr, sync::Arc};

use super::gather::FoundAddress;
use crate::{
    contract::Feed,
    engine::{
        Answers, LookupAnswer, Missing, Result, UnusableFeed,
        answers::{BestAnswer, DayAnswer, Source},
    },
    model::{Context, Day, Document, context::VerdictBasis},
};

/// What is at hand about an address on a day.
#[derive(Clone, Debug, PartialEq)]
pub struct AddressOnDay {
    pub day: Day,
    pub answer: DayAnswer,
    /// Whether the service answered just now.
    pub is_live: bool,
    /// What the verdict rests on; `None` where that is unknown.
    verdict: Option<VerdictBasis>,
}

/// What is at hand about an address on the day of its event.
#[derive(Clone, Debug, PartialEq)]
pub struct EventAnswer {
    pub then: AddressOnDay,
    /// The day after it, as far as it is local.
    next_day: Option<AddressOnDay>,
}

/// The answers about some addresses on the days of their events.
#[derive(Debug, Default)]
pub struct EventAnswers {
    /// In the order of the addresses; `None` for an address without a day.
    pub answers: Vec<Option<EventAnswer>>,
    /// Feeds whose release of a day cannot be read.
    unusable: Vec<UnusableFeed>,
}

/// What keeps addresses from being answered on the days of their events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventGaps {
    /// The days on which some address is unknown since a release is not here, each with one of these.
    pub not_here: BTreeMap<Day, Missing>,
    /// Feeds whose release of a day cannot be read.
    pub unusable: Vec<UnusableFeed>,
}

impl AddressOnDay {
    fn of(day: Day, answer: DayAnswer) -> Self {
        let verdict = match &answer {
            DayAnswer::Known(best) => verdict(best.as_ref()),
            DayAnswer::Unknown(_) => None,
        };
        Self {
            day,
            answer,
            is_live: false,
            verdict,
        }
    }

    /// Whether it is known what there is, a record or none.
    #[must_use]
    pub fn is_known(&self) -> bool {
        matches!(self.answer, DayAnswer::Known(_))
    }

    /// Whether there is an answer that replaces a query.
    #[must_use]
    pub fn is_answered(&self) -> bool {
        self.best().is_some_and(BestAnswer::is_whole)
    }

    /// The best answer, if there is one.
    #[must_use]
    pub fn best(&self) -> Option<&BestAnswer> {
        match &self.answer {
            DayAnswer::Known(best) => best.as_ref(),
            DayAnswer::Unknown(_) => None,
        }
    }

    /// Whether two verdicts differ; `None` where one is unknown.
    fn differs(&self, other: Option<&VerdictBasis>) -> Option<bool> {
        Some(self.verdict.as_ref()? != other?)
    }
}

impl EventAnswer {
    fn of(then: AddressOnDay, next_day: Option<AddressOnDay>) -> Self {
        Self { then, next_day }
    }

    /// The day after it, where the verdicts of both are known and differ.
    #[must_use]
    pub fn next(&self) -> Option<&AddressOnDay> {
        let next = self.next_day.as_ref()?;
        let differs = next.differs(self.then.verdict.as_ref());
        (differs == Some(true)).then_some(next)
    }

    /// Takes what the service answered about the day.
    pub fn answer(&mut self, source: Source, answer: LookupAnswer) {
        let answer = DayAnswer::Known(Some(BestAnswer::Cached(Box::new(answer))));
        self.then = AddressOnDay {
            is_live: source == Source::Live,
            ..AddressOnDay::of(self.then.day, answer)
        };
    }

    /// Whether the verdict of then differs from that of today; `None` where one is unknown.
    #[must_use]
    pub fn changed(&self, today: Option<&VerdictBasis>) -> Option<bool> {
        self.then.differs(today)
    }
}

/// What the verdict on a record of a feed rests on: a netblock says nothing about anonymization, as no record does. `None` for a record
/// that cannot be read.
#[must_use]
pub fn verdict_basis(record: Option<(Feed, &Document)>) -> Option<VerdictBasis> {
    let context = match record {
        Some((feed, document)) if feed.row().records.has_verdict() => {
            Context::decode(document.value()).ok()?
        }
        Some(_) | None => Context::default(),
    };
    Some(context.verdict_basis())
}

/// What the verdict on an answer of the service rests on.
#[must_use]
pub fn verdict_of_answer(answer: &LookupAnswer) -> VerdictBasis {
    let context = answer.record.as_ref().map(|record| &record.context);
    context.map_or_else(
        || Context::default().verdict_basis(),
        Context::verdict_basis,
    )
}

fn verdict(best: Option<&BestAnswer>) -> Option<VerdictBasis> {
    match best {
        Some(BestAnswer::Local(record)) => {
            verdict_basis(Some((record.release.manifest.feed, &record.document)))
        }
        Some(BestAnswer::Cached(answer)) => Some(verdict_of_answer(answer)),
        None => verdict_basis(None),
    }
}

/// Answers about each of these addresses on its day from the local releases of these feeds and from the cache. One day is open at a time,
/// with the day after it. Sends nothing.
///
/// # Errors
/// As [`Answers::answer_on`].
pub async fn answer_events(
    answers: &Answers,
    feeds: &[Feed],
    found: &[FoundAddress],
) -> Result<EventAnswers> {
    let mut events = EventAnswers {
        answers: vec![None; found.len()],
        unusable: Vec::new(),
    };
    let mut days: BTreeMap<Day, Vec<usize>> = BTreeMap::new();
    for (number, address) in found.iter().enumerate() {
        if let Some(day) = address.day {
            days.entry(day).or_default().push(number);
        }
    }
    for (day, numbers) in days {
        let addresses: Arc<[IpAddr]> = numbers.iter().map(|at| found[*at].address).collect();
        let releases = answers.open_day(feeds, Some(day)).await?;
        let then = answers.answer_on(&releases, addresses.clone()).await?;
        add_new(&mut events.unusable, releases.opened.unusable);
        let next_day = day.plus(1);
        let releases = answers.open_day(feeds, Some(next_day)).await?;
        let next = if releases.opened.days.is_empty() {
            Vec::new()
        } else {
            answers.answer_on(&releases, addresses).await?
        };
        add_new(&mut events.unusable, releases.opened.unusable);
        let mut next = next.into_iter();
        for (number, then) in numbers.into_iter().zip(then) {
            let next = next.next().map(|next| AddressOnDay::of(next_day, next));
            let then = AddressOnDay::of(day, then);
            events.answers[number] = Some(EventAnswer::of(then, next));
        }
    }
    Ok(events)
}

fn add_new(feeds: &mut Vec<UnusableFeed>, others: Vec<UnusableFeed>) {
    for other in others {
        if !feeds.contains(&other) {
            feeds.push(other);
        }
    }
}

impl EventGaps {
    /// Adds those of some answers.
    pub fn add(&mut self, events: EventAnswers) {
        for event in events.answers.into_iter().flatten() {
            match event.then.answer {
                DayAnswer::Unknown(missing) if missing.is_elsewhere() => {
                    self.not_here.entry(event.then.day).or_insert(missing);
                }
                DayAnswer::Unknown(_) | DayAnswer::Known(_) => {}
            }
        }
        add_new(&mut self.unusable, events.unusable);
    }

    /// Adds those of others.
    pub fn merge(&mut self, other: Self) {
        for (day, missing) in other.not_here {
            self.not_here.entry(day).or_insert(missing);
        }
        add_new(&mut self.unusable, other.unusable);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{engine::MissingWhy, store::ReleasePlace};

    fn day(text: &str) -> Day {
        text.parse().expect(text)
    }

    fn record(text: &str) -> Document {
        Document::read(text.as_bytes()).expect(text)
    }

    const VPN: &str = r#"{"client":{"count":1},"tunnels":[{"type":"VPN","operator":"ACME_VPN","anonymous":true}]}"#;
    const MORE_CLIENTS: &str = r#"{"client":{"count":9},"tunnels":[{"type":"VPN","operator":"ACME_VPN","anonymous":true}]}"#;
    const NAMED: &str = r#"{"tunnels":[{"type":"VPN","operator":"ACME_VPN","anonymous":false}]}"#;

    fn basis(text: &str) -> Option<VerdictBasis> {
        verdict_basis(Some((Feed::Anonymous, &record(text))))
    }

    /// The verdict of this record, on a day.
    fn on(day: Day, verdict: Option<VerdictBasis>) -> AddressOnDay {
        AddressOnDay {
            day,
            answer: DayAnswer::Known(None),
            is_live: false,
            verdict,
        }
    }

    #[test]
    fn only_a_verdict_that_differs_is_a_change() {
        let netblock = || verdict_basis(Some((Feed::Dch, &record(r#"{"asn":64500}"#))));
        for (then, today, changed) in [
            (basis(VPN), basis(VPN), Some(false)),
            (basis(VPN), basis(MORE_CLIENTS), Some(false)),
            (basis(VPN), basis(NAMED), Some(true)),
            (basis(VPN), verdict_basis(None), Some(true)),
            (netblock(), verdict_basis(None), Some(false)),
            (basis("{}"), netblock(), Some(false)),
            (basis("7"), basis(VPN), None),
            (basis(VPN), None, None),
        ] {
            let event = EventAnswer::of(on(day("20261120"), then.clone()), None);
            assert_eq!(event.changed(today.as_ref()), changed, "{then:?} {today:?}");
        }
    }

    #[test]
    fn the_next_day_stands_beside_only_where_both_are_known_and_differ() {
        for (then, next, stands) in [
            (basis(VPN), basis(MORE_CLIENTS), false),
            (basis(VPN), basis(NAMED), true),
            (verdict_basis(None), basis(VPN), true),
            (None, basis(VPN), false),
            (basis(VPN), None, false),
        ] {
            let [then, next] = [("20261120", then), ("20261121", next)]
                .map(|(text, verdict)| on(day(text), verdict));
            let event = EventAnswer::of(then, Some(next));
            assert_eq!(event.next().is_some(), stands, "{event:?}");
        }
    }

    #[test]
    fn what_is_not_local_is_no_answer() {
        for why in [
            MissingWhy::NotAt(ReleasePlace::Local),
            MissingWhy::Unreadable,
        ] {
            let (feed, own) = (Feed::Anonymous, day("20261120"));
            let missing = Missing {
                feed,
                day: Some(own),
                why,
            };
            let then = AddressOnDay::of(own, DayAnswer::Unknown(missing));
            let event = EventAnswer::of(then, None);
            assert_eq!(event.changed(basis(VPN).as_ref()), None);
        }
    }
}
