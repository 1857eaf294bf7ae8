//! What the addresses of a table were on the first and the last day of their events: read in the background, so that the head can say how
//! many of them had another verdict then.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, HashMap, VecDeque},
    net::IpAddr,
};

use super::address::BoardAddress;
use crate::{
    model::{Day, context::VerdictBasis},
    report::EventVerdicts,
    tui::ctx::{Asked, Question, TabReply, UpdateCtx},
};

/// The most rows whose days of events are read unasked.
const MOST: usize = 20_000;
/// How many addresses are asked about at a time.
const AT_A_TIME: usize = 4096;

#[derive(Debug, Default)]
pub(super) struct BoardEvents {
    /// What is still to be asked, the newest day first.
    waiting: VecDeque<(Day, IpAddr)>,
    reading: Asked<Question, ()>,
    /// What the verdicts on those days rest on, where that is known.
    verdicts: HashMap<IpAddr, Vec<VerdictBasis>>,
    is_asked: bool,
}

impl BoardEvents {
    /// Asks once, when the rows themselves are read.
    pub(super) fn ask<'r>(
        &mut self,
        rows: impl Iterator<Item = &'r BoardAddress>,
        today: Day,
        ctx: &mut UpdateCtx<'_>,
    ) {
        if self.is_asked {
            return;
        }
        self.is_asked = true;
        let rows: Vec<&BoardAddress> = rows.take(MOST + 1).collect();
        if rows.len() > MOST {
            return;
        }
        let asked = rows.into_iter().flat_map(|row| {
            let times = row.seen.times.into_iter();
            let days = times.flat_map(|(first, last)| [first, last].map(Day::of));
            let days: BTreeSet<Day> = days.filter(|day| *day < today).collect();
            days.into_iter().map(|day| (day, row.key.address))
        });
        let mut asked: Vec<(Day, IpAddr)> = asked.collect();
        asked.sort_by_key(|(day, _)| Reverse(*day));
        self.waiting = asked.into();
        self.read(ctx);
    }

    /// Lets them be asked about again.
    pub(super) fn expire(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.reading.stop(ctx);
        *self = Self::default();
    }

    pub(super) fn stop(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.reading.stop(ctx);
    }

    fn next(&self) -> Option<(Day, usize)> {
        let (day, _) = *self.waiting.front()?;
        let of_day = self.waiting.iter().take_while(|(other, _)| *other == day);
        Some((day, of_day.take(AT_A_TIME).count()))
    }

    fn read(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some((day, number)) = self.next() {
            let addresses = self
                .waiting
                .iter()
                .take(number)
                .map(|(_, address)| *address);
            let question = Question::EventVerdicts(addresses.collect(), day);
            self.reading.ask(question, ctx);
        }
    }

    /// Takes an answer, and reads on; hands back any other reply.
    pub(super) fn settle<'q>(
        &mut self,
        reply: TabReply<'q>,
        ctx: &mut UpdateCtx<'_>,
    ) -> Option<TabReply<'q>> {
        let number = self.next().map_or(0, |(_, number)| number);
        let (waiting, verdicts) = (&mut self.waiting, &mut self.verdicts);
        let take = |EventVerdicts(found): EventVerdicts| {
            let asked = waiting.drain(..number);
            for ((_, address), basis) in asked.zip(found) {
                verdicts.entry(address).or_default().extend(basis);
            }
        };
        let rest = self.reading.settle_with(reply, take);
        if rest.is_none() && self.reading.error().is_none() {
            self.read(ctx);
        }
        rest
    }

    /// Whether nothing is known of any day of events.
    pub(super) fn is_empty(&self) -> bool {
        self.verdicts.is_empty()
    }

    /// Whether the verdict on a row was another one on a day of its events.
    pub(super) fn differ(&self, row: &BoardAddress) -> bool {
        let Some(then) = self.verdicts.get(&row.key.address) else {
            return false;
        };
        let now = row.state.basis();
        now.is_some_and(|now| then.iter().any(|basis| *basis != *now))
    }
}
