//! One question about one address: what was answered, and where one was on its page.

use std::net::IpAddr;

use super::at_hand::{AtHand, Shown};
use crate::{
    contract::{Geolocation, LookupQuery},
    engine::{Answer, answers::Record},
    model::{Anonymization, Day},
    tui::ctx::{remote::Remote, sheet::SheetState},
};

/// One question and its answer.
#[derive(Debug)]
pub struct Case {
    /// What was asked.
    pub query: LookupQuery,
    /// What the service said.
    pub live: Remote<Answer>,
    /// What answers without a query.
    pub at_hand: Remote<Option<AtHand>>,
    /// What follows where that is not as good as a query.
    pub then: Then,
    /// Whether the answer comes from an earlier run.
    pub recalled: bool,
    /// Whether there was an answer that was too large to be kept: asking again is for the person to decide.
    pub unkept: bool,
    /// Where one is on the page.
    pub page: SheetState,
}

/// What follows reading what is at hand, where that is not as good as a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Then {
    /// Nothing: coming back to a stop spends no query.
    #[default]
    Stop,
    /// The service is asked.
    Ask,
}

/// A sign for a case in lists, with a word; colour is never alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Anonymization was observed.
    Observed,
    /// It is possible.
    Possible,
    /// Nothing of the kind was observed.
    NotObserved,
    /// The service knows nothing.
    Nothing,
    /// It is being asked.
    Pending,
    /// It could not be answered.
    Failed,
    /// It was not asked.
    NotAsked,
}

impl Mark {
    /// The sign.
    #[must_use]
    pub fn sign(self) -> char {
        match self {
            Self::Observed => '!',
            Self::Possible | Self::Nothing => '?',
            Self::NotObserved => '.',
            Self::Pending => '~',
            Self::Failed => 'x',
            Self::NotAsked => ' ',
        }
    }

    /// What the sign means.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Observed => "anonymising",
            Self::Possible => "possibly anonymising",
            Self::NotObserved => "no anonymisation observed",
            Self::Nothing => "nothing known",
            Self::Pending => "asking",
            Self::Failed => "no answer",
            Self::NotAsked => "not asked",
        }
    }
}

impl Case {
    /// A question that was not asked yet.
    #[must_use]
    pub fn new(query: LookupQuery) -> Self {
        Self {
            query,
            live: Remote::default(),
            at_hand: Remote::default(),
            then: Then::default(),
            recalled: false,
            unkept: false,
            page: SheetState::default(),
        }
    }

    /// Bytes of the record that is kept; nothing of one that is being asked for again.
    #[must_use]
    pub fn size(&self) -> usize {
        let shown = self.shown().filter(|_| !self.is_pending());
        let record = shown.and_then(|shown| shown.record);
        record.map_or(0, |record| record.document.text().len())
    }

    /// The answer that is shown: the service's, else the one at hand.
    #[must_use]
    pub fn shown(&self) -> Option<Shown<'_>> {
        let live = self.live.value().map(Shown::from);
        live.or_else(|| self.at_hand()?.shown().into())
    }

    /// Whether an answer is known that is as good as a query.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.live.value().is_some() || self.at_hand().is_some_and(AtHand::is_fresh)
    }

    /// Whether nothing was asked about it.
    #[must_use]
    pub fn is_untouched(&self) -> bool {
        self.live.is_untouched() && self.at_hand.is_untouched()
    }

    /// Whether an answer is waited for.
    #[must_use]
    pub fn is_pending(&self) -> bool {
        self.live.pending().is_some() || self.at_hand.pending().is_some()
    }

    fn at_hand(&self) -> Option<&AtHand> {
        self.at_hand.value()?.as_ref()
    }

    /// How the case stands.
    #[must_use]
    pub fn mark(&self) -> Mark {
        if self.is_pending() {
            return Mark::Pending;
        }
        match (self.shown(), self.live.error()) {
            (Some(shown), _) => mark_of(shown.record),
            (None, Some(_)) => Mark::Failed,
            (None, None) => Mark::NotAsked,
        }
    }
}

/// The day asked for and the geolocation, in words.
#[must_use]
pub fn aspect(query: &LookupQuery) -> String {
    let date = query.date.map(|day| day.to_string());
    let geolocation = (query.geolocation == Geolocation::Mmgeo).then(|| "mmgeo".to_owned());
    let parts: Vec<String> = date.into_iter().chain(geolocation).collect();
    parts.join(" ")
}

/// The sign of a record, or of there being none.
#[must_use]
pub fn mark_of(record: Option<&Record>) -> Mark {
    match record.map(|record| record.context.anonymizing()) {
        None => Mark::Nothing,
        Some(Anonymization::Observed) => Mark::Observed,
        Some(Anonymization::Possible | Anonymization::Unknown) => Mark::Possible,
        Some(Anonymization::NotObserved) => Mark::NotObserved,
    }
}

/// Every question that was opened, each once.
#[derive(Debug, Default)]
pub struct Cases(Vec<Case>);

impl Cases {
    /// Bytes of records that are kept of cases that are not in view. Most records take two thousand.
    const MOST_HIDDEN: usize = 8 << 20;

    /// The case of a question.
    #[must_use]
    pub fn of(&self, query: LookupQuery) -> Option<&Case> {
        self.0.iter().find(|case| case.query == query)
    }

    /// The case of a question, a new one if there was none.
    pub fn of_mut(&mut self, query: LookupQuery) -> &mut Case {
        let known = self.0.iter().position(|case| case.query == query);
        let index = known.unwrap_or_else(|| {
            self.0.push(Case::new(query));
            self.0.len() - 1
        });
        &mut self.0[index]
    }

    /// The days for which the record of an address is known; `None` is today.
    pub fn known_days(&self, address: IpAddr) -> impl Iterator<Item = Option<Day>> {
        let same = self
            .0
            .iter()
            .filter(move |case| case.query.address == address);
        same.filter(|case| case.is_known())
            .map(|case| case.query.date)
    }

    /// Lets the largest records go when those that are not shown take too much memory; their stops stay.
    pub fn let_go(&mut self, shown: &[LookupQuery]) {
        let mut hidden: Vec<(usize, usize)> = (0..self.0.len())
            .filter(|index| !shown.contains(&self.0[*index].query))
            .map(|index| (self.0[index].size(), index))
            .collect();
        hidden.sort_unstable();
        let mut total: usize = hidden.iter().map(|(size, _)| size).sum();
        while total > Self::MOST_HIDDEN {
            let Some((size, index)) = hidden.pop() else {
                break;
            };
            total -= size;
            let case = &mut self.0[index];
            // What was at hand is free to read again.
            case.unkept = case.live.value().is_some();
            (case.live, case.at_hand) = Default::default();
        }
    }
}
