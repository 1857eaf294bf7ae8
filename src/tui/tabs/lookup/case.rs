//! A case: one query about one address, its answers, related data, and the cursor on its page; and all cases, with a bound on the
//! records in memory.

use ratatui::style::Style;

use super::{
    days::CaseDays,
    sources::{FreeAnswers, OtherSource, SourceAnswer},
};
use crate::{
    contract::{Feed, Geolocation, LookupQuery},
    engine::{
        Error, LookupAnswer, SavedBy, Sources,
        config::AnswerOrder,
        trail::TrailEntry,
        views::{EntryOf, FacetCounts, PivotKind, Pivots, ViewQuery},
    },
    model::{Anonymization, Day, Document, Subject},
    report::Verdict,
    store::index::Facet,
    tui::{
        ctx::{Asked, Cmd, JobId, Question, SheetState, Start, TabReply, UpdateCtx},
        ui::{Theme, Tone},
    },
};

/// One question and its answers.
#[derive(Debug)]
pub struct LookupCase {
    /// What was asked.
    pub query: LookupQuery,
    /// What the service said.
    pub live: Asked<Question, SourceAnswer>,
    /// What answers without a query. [`Question::Resolve`] goes on to send one where that does not replace it.
    pub at_hand: Asked<Question, FreeAnswers>,
    /// Whether what is being read is to be an answer, not only shown: coming back to a stop wants none.
    is_wanted: bool,
    /// What else in the local feeds shares something with the record that is shown.
    pub pivots: Asked<Question, Pivots>,
    /// The operators of the records in the network around it.
    pub neighbours: Asked<Question, Vec<FacetCounts>>,
    /// What is at hand of each day of the address.
    pub(super) days: CaseDays,
    /// How the other sources compare with the record that is shown.
    pub beside: Vec<OtherSource>,
    /// Whether the answer comes from an earlier run.
    pub recalled: bool,
    /// Whether there was an answer that was too large to be kept: asking again is for the person to decide.
    pub unkept: bool,
    /// Where one is on the page.
    pub page: SheetState,
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
            live: Asked::default(),
            at_hand: Asked::default(),
            is_wanted: false,
            pivots: Asked::default(),
            neighbours: Asked::default(),
            days: CaseDays::default(),
            beside: Vec::new(),
            recalled: false,
            unkept: false,
            page: SheetState::default(),
        }
    }

    /// Asks by the policy: what is local or cached comes first, and the engine sends a query where that does not replace one. Both at
    /// once where the configuration says `live`; what is local or cached alone where a query is for the person to decide.
    pub fn find(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.is_not_public(ctx) {
            return;
        }
        let is_asked = self.live.value().is_some() || self.live.is_pending() || self.unkept;
        // Where nothing can be sent the screen says so, and that holds also where a token is entered before the answer.
        if is_asked || ctx.facts.lack().is_some() {
            self.find_at_hand(ctx);
        } else if ctx.facts.answers == AnswerOrder::Live {
            self.read(ctx);
            self.fetch(ctx);
        } else {
            self.at_hand.ask(Question::Resolve(self.query), ctx);
            self.is_wanted = true;
        }
    }

    /// Answers with what is local or cached: sends nothing, also where there is none.
    pub fn find_at_hand(&mut self, ctx: &mut UpdateCtx<'_>) {
        if !self.is_not_public(ctx) {
            self.read(ctx);
            self.is_wanted = true;
        }
    }

    /// Reads what is local or cached, which is free; about an address that is not public there is nothing.
    pub fn read(&mut self, ctx: &mut UpdateCtx<'_>) {
        if !self.is_resolving() && ctx.facts.admission.refuses(self.query.address).is_none() {
            self.at_hand.ask(Question::Sources(self.query), ctx);
        }
    }

    /// What is local or cached, where nothing is shown; what the local feeds have around it.
    pub fn attend(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.shown().is_none() {
            self.read(ctx);
        }
        self.ask_around(ctx);
    }

    /// The same as an answer that is wanted.
    pub fn show_at_hand(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.shown().is_none() {
            self.find_at_hand(ctx);
        } else {
            self.ask_around(ctx);
        }
    }

    /// Asks the service, if the question may be sent and is not under way.
    pub fn fetch(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.live.is_pending() || self.is_not_public(ctx) {
            return;
        }
        self.live.ask(Question::Lookup(self.query), ctx);
        // What is local or cached is read all the same, but asks no second time.
        if self.is_resolving() {
            self.at_hand.ask(Question::Sources(self.query), ctx);
        }
        self.is_wanted = false;
    }

    /// Whether the engine sends a query where what it reads does not replace one.
    fn is_resolving(&self) -> bool {
        let question = self.at_hand.question();
        self.at_hand.is_pending() && matches!(question, Some(Question::Resolve(_)))
    }

    /// Whether the address is not public, so that nothing is sent; says so.
    fn is_not_public(&self, ctx: &mut UpdateCtx<'_>) -> bool {
        let address = self.query.address;
        let refused = ctx.facts.admission.refuses(address);
        if let Some(reserved) = refused {
            let why = format!("{address} is {}: nothing was sent", reserved.why());
            ctx.out.say(Tone::Warn, why);
        }
        refused.is_some()
    }

    /// Stops waiting; returns whether an answer was pending.
    pub fn cancel(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        self.is_wanted = false;
        let (was_reading, was_asking) = (self.at_hand.stop(ctx), self.live.stop(ctx));
        if was_asking {
            let address = self.query.address;
            let text = format!("{address}: no longer waiting; the query may have been counted");
            ctx.out.say(Tone::Warn, text);
        }
        was_reading || was_asking
    }

    /// Takes what is local or cached: a fresh answer replaces a query. Where the engine has gone on to send one, its answer comes under
    /// the same job.
    pub fn take_at_hand(
        &mut self,
        job: JobId,
        result: Result<Sources, Error>,
        query_follows: bool,
        ctx: &mut UpdateCtx<'_>,
    ) {
        let now = ctx.out.now;
        let is_first = self.at_hand.value().is_none();
        let found = result.map(|sources| FreeAnswers::of(sources, now));
        if !self.at_hand.finish(job, found) {
            return;
        }
        if query_follows {
            self.live.join(Question::Lookup(self.query), job, ctx);
        }
        self.show_found(is_first, ctx);
    }

    /// Takes what was read for its price as an answer that is wanted.
    pub fn take_ahead(&mut self, found: Asked<Question, FreeAnswers>, ctx: &mut UpdateCtx<'_>) {
        let is_first = self.at_hand.value().is_none();
        self.at_hand.stop(ctx);
        (self.at_hand, self.is_wanted) = (found, true);
        self.show_found(is_first, ctx);
    }

    fn show_found(&mut self, is_first: bool, ctx: &mut UpdateCtx<'_>) {
        let found = self
            .at_hand
            .value()
            .filter(|_| self.at_hand.error().is_none());
        let unusable = found.map_or(&[][..], |answers| &answers.unusable);
        for trouble in unusable.iter().chain(self.at_hand.error()) {
            ctx.out.say(Tone::Warn, trouble.message.clone());
        }
        self.compare_sources();
        self.recount(ctx);
        if std::mem::take(&mut self.is_wanted) {
            self.answer(is_first, ctx);
        }
    }

    /// Takes the end of a query: the answer of the service, or why there is none. Returns whether that was awaited.
    pub fn take_live(
        &mut self,
        job: JobId,
        result: Result<LookupAnswer, Error>,
        ctx: &mut UpdateCtx<'_>,
    ) -> bool {
        if !self.live.finish(job, result.map(SourceAnswer::from)) {
            return false;
        }
        self.recalled = false;
        self.compare_sources();
        if self.live.error().is_none() {
            self.unkept = false;
            self.ask_around(ctx);
        }
        true
    }

    /// Remembers an answer that was free, or says that there is none.
    fn answer(&self, is_first: bool, ctx: &mut UpdateCtx<'_>) {
        let free = self.free_answer().filter(|answer| answer.is_fresh());
        if let Some(answer) = free.filter(|_| is_first) {
            ctx.out.cmd(Cmd::Saved(match answer.asked() {
                Some(_) => SavedBy::Cache,
                None => SavedBy::Local,
            }));
            let visited = TrailEntry::Visited(self.query, ctx.out.now);
            ctx.out.cmd(Cmd::Remember(visited));
        }
        if self.is_known() || self.live.is_pending() {
            return;
        }
        let was_large = self.unkept && self.at_hand.error().is_none();
        let why = match (was_large, ctx.facts.lack_in_short()) {
            (true, None) => "its record was too large to keep; R fetches it again (1 query)",
            (false, None) => "not asked; R fetches it (1 query)",
            (_, Some(lack)) => lack,
        };
        ctx.out
            .say(Tone::Info, format!("{}: {why}", self.query.address));
    }

    /// The answer at hand that is shown where no query is sent.
    fn free_answer(&self) -> Option<&SourceAnswer> {
        self.at_hand.value()?.answer.as_ref()
    }

    /// Asks what the local feeds have around the record that is shown: free.
    pub fn ask_around(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.shown().is_none() && self.live.is_pending() {
            return;
        }
        // Where there is no record, others may name the address all the same.
        let document = self.shown().and_then(SourceAnswer::document).cloned();
        let Ok(document) = document.map_or_else(|| Document::read(b"{}"), Ok) else {
            return;
        };
        let subject = Subject::Address(self.query.address);
        let question = Question::Pivots(subject, document, self.query.date);
        self.pivots.ask_once(question, ctx);
        self.days.ask(self.query, ctx);
    }

    /// What the days at hand add to the answer that is shown, in words.
    pub fn days_in_words(&self) -> Option<&str> {
        self.days.shown()?.words.as_deref()
    }

    /// The same in a note, which says where they are not known.
    pub fn days_in_note(&self) -> Option<&str> {
        let unread = "the days before were not read";
        let is_unread = self.days.shown().is_none() && self.days.is_unread();
        self.days_in_words().or(is_unread.then_some(unread))
    }

    /// Lets what the local feeds have be asked for again.
    pub fn expire(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.pivots.expire(ctx);
        self.days.expire(ctx);
    }

    /// The same where the local feeds may have changed.
    pub fn recount(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.expire(ctx);
        self.ask_around(ctx);
    }

    /// Bytes of the record that is kept; nothing of one that is being asked for again.
    fn size(&self) -> usize {
        let shown = self.shown().filter(|_| !self.is_pending());
        let document = shown.and_then(SourceAnswer::document);
        document.map_or(0, |document| document.text().len())
    }

    /// The answer that is shown: the service's, else the one at hand. One of an earlier run gives way to what is fresh.
    #[must_use]
    pub fn shown(&self) -> Option<&SourceAnswer> {
        let is_fresh = self.at_hand.value().is_some_and(FreeAnswers::is_fresh);
        let live = self.live.value().filter(|_| !(self.recalled && is_fresh));
        live.or_else(|| self.free_answer())
    }

    /// Takes what the local feeds have around the record; hands back any other reply. The operators of the network around it are asked
    /// for as soon as its records are counted.
    pub fn settle<'q>(
        &mut self,
        reply: TabReply<'q>,
        ctx: &mut UpdateCtx<'_>,
    ) -> Option<TabReply<'q>> {
        let reply = self.neighbours.settle(reply)?;
        let Some(reply) = self.days.settle(reply) else {
            self.show_days();
            return None;
        };
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
        let found = self.pivots.value()?;
        let mut pivots = found.pivots.iter();
        let network = pivots.find(|pivot| pivot.kind == PivotKind::Network)?;
        found.view(network)
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
        let record = self.shown().and_then(SourceAnswer::context);
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
        self.show_days();
    }

    /// Takes the answer that is shown among the days again: something arrived.
    pub(super) fn show_days(&mut self) {
        let answer = self.shown().cloned();
        self.days.show(self.query, answer.as_ref(), self.recalled);
    }

    /// The feed of the local record, and how large its release is.
    pub(super) fn local_size(&self) -> Option<(Feed, u64)> {
        let manifest = &self.free_answer()?.local()?.release.manifest;
        Some((manifest.feed, manifest.bytes))
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
        self.live.is_pending() || self.at_hand.is_pending()
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
        shown.context().map_or(CaseMark::NoRecord, |record| {
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

    /// The case of a question that was opened.
    pub(super) fn opened(&mut self, query: LookupQuery) -> Option<&mut LookupCase> {
        self.0.iter_mut().find(|case| case.query == query)
    }

    /// The days for which the same question is answered; `None` is today.
    pub(super) fn known_days(&self, of: LookupQuery) -> impl Iterator<Item = Option<Day>> {
        let known = self.0.iter().filter(|case| case.is_known());
        let dates = known.map(|case| (case.query, case.query.date));
        dates.filter_map(move |(query, date)| (query == LookupQuery { date, ..of }).then_some(date))
    }

    pub(super) fn each(&self) -> impl Iterator<Item = &LookupCase> {
        self.0.iter()
    }

    /// Every case, in the order of opening.
    pub(super) fn all(&mut self) -> impl Iterator<Item = &mut LookupCase> {
        self.0.iter_mut()
    }

    /// Forgets a question; what was asked about it is not waited for.
    pub(super) fn close(&mut self, query: LookupQuery, ctx: &mut UpdateCtx<'_>) {
        for mut case in self.0.extract_if(.., |case| case.query == query) {
            case.cancel(ctx);
            case.pivots.stop(ctx);
            case.neighbours.stop(ctx);
            case.days.stop(ctx);
        }
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
