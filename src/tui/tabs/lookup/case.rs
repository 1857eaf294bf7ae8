//! A case: one query about one address, its answers, related data, and the cursor on its page; and all cases, with a bound on the
//! records in memory.

use ratatui::style::Style;

use super::sources::{FreeAnswers, OtherSource, SourceAnswer};
use crate::{
    contract::{Geolocation, LookupQuery},
    engine::views::{EntryOf, FacetCounts, PivotKind, Pivots, Since, ViewQuery},
    model::{Anonymization, Day},
    report::Verdict,
    store::index::Facet,
    tui::{
        ctx::{
            UpdateCtx,
            asked::Asked,
            remote::Remote,
            request::Question,
            sheet::{SheetState, Start},
            tab::TabReply,
        },
        ui::theme::Theme,
    },
};

/// One question and its answer.
#[derive(Debug)]
pub struct LookupCase {
    /// What was asked.
    pub query: LookupQuery,
    /// What the service said.
    pub live: Remote<SourceAnswer>,
    /// What answers without a query.
    pub at_hand: Remote<FreeAnswers>,
    /// What follows where that is not as good as a query: what the request that is under way was made for.
    pub then: EnterEffect,
    /// What else in the local feeds shares something with the record that is shown.
    pub pivots: Asked<Question, Pivots>,
    /// The operators of the records in the network around it.
    pub neighbours: Asked<Question, Vec<FacetCounts>>,
    /// Since when the local record reads as it does.
    pub since: Asked<Question, Option<Since>>,
    /// How the other sources compare with the record that is shown.
    pub beside: Vec<OtherSource>,
    /// Whether the answer comes from an earlier run.
    pub recalled: bool,
    /// Whether there was an answer that was too large to be kept: asking again is for the person to decide.
    pub unkept: bool,
    /// Where one is on the page.
    pub page: SheetState,
}

/// What follows reading what is local or cached, where that is not as good as a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EnterEffect {
    /// Nothing: coming back to a stop spends no query.
    #[default]
    Stop,
    /// Nothing either, but an answer was wanted: that a query is for the person to decide.
    Leave,
    /// The engine asks the service, on the same request.
    Ask,
}

/// A sign for a case in lists, with a word; colour is never alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaseMark {
    /// A tunnel that anonymises was seen.
    Anonymising,
    /// The same at an address that many share.
    Shared,
    /// It is possible, or not known.
    Possible,
    /// Nothing of the kind was seen.
    NotSeen,
    NoRecord,
    /// It is being asked.
    Pending,
    /// It could not be answered.
    Failed,
    NotAsked,
}

impl CaseMark {
    #[must_use]
    pub fn sign(self) -> char {
        match self {
            Self::Anonymising => '!',
            Self::Shared => '&',
            Self::Possible | Self::NoRecord => '?',
            Self::NotSeen => '.',
            Self::Pending => '~',
            Self::Failed => 'x',
            Self::NotAsked => ' ',
        }
    }

    #[must_use]
    pub fn style(self, theme: &Theme) -> Style {
        match self {
            Self::Anonymising | Self::Failed => theme.bad,
            Self::Shared | Self::Possible | Self::NoRecord | Self::Pending => theme.warn,
            Self::NotSeen | Self::NotAsked => theme.dim,
        }
    }

    /// What the sign means.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Anonymising => "anonymising",
            Self::Shared => "anonymising, shared",
            Self::Possible => "possibly anonymising",
            Self::NotSeen => "nothing anonymising seen",
            Self::NoRecord => "no record",
            Self::Pending => "asking",
            Self::Failed => "no answer",
            Self::NotAsked => "not asked",
        }
    }
}

impl From<&Verdict> for CaseMark {
    fn from(verdict: &Verdict) -> Self {
        match verdict.seen {
            Anonymization::Observed if verdict.shared => Self::Shared,
            Anonymization::Observed => Self::Anonymising,
            Anonymization::Possible | Anonymization::Unknown => Self::Possible,
            Anonymization::NotObserved => Self::NotSeen,
        }
    }
}

impl LookupCase {
    /// A question that was not asked yet.
    #[must_use]
    pub fn new(query: LookupQuery) -> Self {
        Self {
            query,
            live: Remote::default(),
            at_hand: Remote::default(),
            then: EnterEffect::default(),
            pivots: Asked::default(),
            neighbours: Asked::default(),
            since: Asked::default(),
            beside: Vec::new(),
            recalled: false,
            unkept: false,
            page: SheetState::default(),
        }
    }

    /// Bytes of the record that is kept; nothing of one that is being asked for again.
    fn size(&self) -> usize {
        let shown = self.shown().filter(|_| !self.is_pending());
        let document = shown.and_then(|shown| shown.document.as_ref());
        document.map_or(0, |document| document.text().len())
    }

    /// The answer that is shown: the service's, else the one at hand. One of an earlier run gives way to what is fresh.
    #[must_use]
    pub fn shown(&self) -> Option<&SourceAnswer> {
        let is_fresh = self.at_hand.value().is_some_and(FreeAnswers::is_fresh);
        let live = self.live.value().filter(|_| !(self.recalled && is_fresh));
        live.or_else(|| self.at_hand.value()?.answer.as_ref())
    }

    /// What the local feeds have around the record may have changed.
    pub fn forget_around(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.pivots.expire(ctx);
        self.since.expire(ctx);
    }

    /// Takes what the local feeds have around the record; hands back any other reply. The operators of the network around it are asked
    /// for as soon as its records are counted.
    pub fn settle<'q>(
        &mut self,
        reply: TabReply<'q>,
        ctx: &mut UpdateCtx<'_>,
    ) -> Option<TabReply<'q>> {
        let reply = self.neighbours.settle(self.since.settle(reply)?)?;
        let rest = self.pivots.settle(reply);
        if rest.is_none() {
            self.page.start(Start::Lead);
            if let Some(view) = self.around() {
                self.neighbours.ask_anew(Question::Operators(view), ctx);
            }
        }
        rest
    }

    /// The records in the network around it, in the local feed that holds most of them.
    #[must_use]
    pub fn around(&self) -> Option<ViewQuery> {
        let mut pivots = self.pivots.value()?.pivots.iter();
        let network = pivots.find(|pivot| pivot.kind == PivotKind::Network)?;
        network.view()
    }

    /// Where other records name the address as an entry, if its own has no tunnel.
    #[must_use]
    pub fn entry_of(&self) -> &[EntryOf] {
        let pivots = self.pivots.value();
        pivots.map_or(&[], |pivots| &pivots.entry_of)
    }

    /// An operator in the network around it with the number of its records there: that of the record, else the most frequent one.
    #[must_use]
    pub fn neighbour(&self) -> Option<&Facet> {
        let found = &self.neighbours.value()?.first()?.values;
        let record = self.shown().and_then(|shown| shown.context.as_ref());
        let tunnels = record.map_or(&[][..], |record| record.tunnels.items());
        let own = tunnels.iter().find_map(|tunnel| {
            let operator = tunnel.operator.text()?;
            found.iter().find(|facet| facet.value == operator)
        });
        own.or_else(|| found.first())
    }

    /// Compares the other sources again: something arrived.
    pub fn compare_sources(&mut self) {
        let found = self.at_hand.value();
        self.beside = found.map_or_else(Vec::new, |found| found.compared_with(self.shown()));
    }

    /// Whether an answer is known that is as good as a query.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.live.value().is_some() || self.at_hand.value().is_some_and(FreeAnswers::is_fresh)
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

    #[must_use]
    pub fn mark(&self) -> CaseMark {
        if self.is_pending() {
            return CaseMark::Pending;
        }
        let Some(shown) = self.shown() else {
            let has_failed = self.live.error().is_some() || self.live.was_stopped();
            return if has_failed {
                CaseMark::Failed
            } else {
                CaseMark::NotAsked
            };
        };
        shown.context.as_ref().map_or(CaseMark::NoRecord, |record| {
            let address = Some(self.query.address);
            CaseMark::from(&Verdict::beside(record, address, self.entry_of()))
        })
    }
}

/// The day asked for and the geolocation, in words: `2026-10-01 mmgeo`, or nothing for today's own.
#[must_use]
pub(super) fn aspect(query: &LookupQuery) -> String {
    let date = query.date.map(Day::dashed);
    let geolocation = (query.geolocation == Geolocation::Mmgeo).then(|| "mmgeo".to_owned());
    let parts: Vec<String> = date.into_iter().chain(geolocation).collect();
    parts.join(" ")
}

/// Every question that was opened, each once.
#[derive(Debug, Default)]
pub(super) struct Cases(Vec<LookupCase>);

impl Cases {
    /// Bytes of records that are kept of cases that are not in view. Most records take two thousand.
    const MOST_HIDDEN: usize = 8 << 20;

    #[must_use]
    pub(super) fn of(&self, query: LookupQuery) -> Option<&LookupCase> {
        self.0.iter().find(|case| case.query == query)
    }

    /// The answer to a question, as far as it is shown.
    #[must_use]
    pub(super) fn shown(&self, query: LookupQuery) -> Option<&SourceAnswer> {
        self.of(query)?.shown()
    }

    /// The case of a question, a new one if there was none.
    pub(super) fn of_mut(&mut self, query: LookupQuery) -> &mut LookupCase {
        let known = self.0.iter().position(|case| case.query == query);
        let index = known.unwrap_or_else(|| {
            self.0.push(LookupCase::new(query));
            self.0.len() - 1
        });
        &mut self.0[index]
    }

    /// How many there are.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The first case that is so.
    pub(super) fn find(&mut self, is_it: impl Fn(&LookupCase) -> bool) -> Option<&mut LookupCase> {
        self.0.iter_mut().find(|case| is_it(case))
    }

    /// The days for which the same question is answered; `None` is today.
    pub(super) fn known_days(&self, of: LookupQuery) -> impl Iterator<Item = Option<Day>> {
        let known = self.0.iter().filter(|case| case.is_known());
        let dates = known.map(|case| (case.query, case.query.date));
        dates.filter_map(move |(own, date)| (own == LookupQuery { date, ..of }).then_some(date))
    }

    /// Every case, in the order of opening.
    pub(super) fn all(&mut self) -> impl Iterator<Item = &mut LookupCase> {
        self.0.iter_mut()
    }

    /// Drops the largest records when those that are not shown take too much memory; their stops stay.
    pub(super) fn drop_large(&mut self, shown: &[LookupQuery]) {
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
            *case = LookupCase {
                unkept: case.live.value().is_some(),
                page: std::mem::take(&mut case.page),
                ..LookupCase::new(case.query)
            };
        }
    }
}
