//! The Lookup tab: an address, its record, the trail, and two records side by side.

pub mod actions;
pub mod at_hand;
pub mod case;
mod compare;
mod parts;
pub mod record;
mod tab;
#[cfg(test)]
mod tests;
pub mod view;
mod welcome;

use std::net::IpAddr;

use crate::{
    contract::{Geolocation, LookupQuery},
    engine::{self, Error, Sources, config::Answers, trail::Entry},
    model::Day,
    tui::{
        ctx::{
            UpdateCtx,
            cmd::Cmd,
            remote::Remote,
            request::{Answered, Question},
            sheet::{Meaning, Start},
            tab::Reply,
            trail::Stop,
        },
        ui::{
            cursor::Cursor,
            theme::Tone,
            widgets::{calendar::Calendar, text_field::TextField},
        },
    },
};
use at_hand::AtHand;
use case::{Case, Cases, Then};
use compare::Compare;

/// The part of the tab that has the focus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// The field for an address.
    Field,
    /// The record.
    #[default]
    Page,
    /// The trail.
    Trail,
}

/// For what a day is being chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choosing {
    /// For lookups from now on.
    Date,
    /// To compare with.
    Comparison,
}

/// The state of the tab.
#[derive(Debug)]
pub struct LookupTab {
    field: TextField,
    part: Part,
    /// The day that new lookups ask for.
    date: Option<Day>,
    /// The geolocation that new lookups ask for.
    geolocation: Geolocation,
    cases: Cases,
    here: Option<LookupQuery>,
    trail: Cursor,
    examples: Cursor,
    compare: Option<Compare>,
    calendar: Option<(Choosing, Calendar)>,
}

impl Default for LookupTab {
    fn default() -> Self {
        Self {
            field: TextField::new("an IPv4 or IPv6 address"),
            part: Part::default(),
            date: None,
            geolocation: Geolocation::default(),
            cases: Cases::default(),
            here: None,
            trail: Cursor::default(),
            examples: Cursor::default(),
            compare: None,
            calendar: None,
        }
    }
}

impl LookupTab {
    /// What a lookup of this address asks, with the day and the geolocation that are set.
    #[must_use]
    pub fn query_for(&self, address: IpAddr) -> LookupQuery {
        LookupQuery {
            address,
            date: self.date,
            geolocation: self.geolocation,
        }
    }

    /// The case that is shown.
    #[must_use]
    pub fn case(&self) -> Option<&Case> {
        self.cases.of(self.here?)
    }

    /// Shows the record of a question and puts it on the trail, fetching it if it is not known.
    fn visit(&mut self, query: LookupQuery, ctx: &mut UpdateCtx<'_>) {
        ctx.trail.visit(Stop::Address(query), ctx.out.now);
        self.show_case(query);
        let case = self.cases.of_mut(query);
        if case.live.value().is_some() {
            return;
        }
        if case.unkept {
            let text = format!(
                "{}: its record was too large to keep; R fetches it again (1 query)",
                query.address
            );
            return ctx.out.say(Tone::Info, text);
        }
        self.find(query, ctx);
    }

    /// Shows the record of a question as it was left.
    fn show_case(&mut self, query: LookupQuery) {
        self.cases.of_mut(query);
        self.here = Some(query);
        self.part = Part::Page;
        self.compare = None;
        self.field.set(&query.address.to_string());
    }

    /// Asks for what is at hand before the service, unless the configuration says `live`.
    fn find(&mut self, query: LookupQuery, ctx: &mut UpdateCtx<'_>) {
        if ctx.facts.answers == Answers::Live {
            return self.ask(query, ctx);
        }
        if !Self::refuses(query, ctx) {
            self.read_at_hand(query, Then::Ask, ctx);
        }
    }

    /// Reads what is at hand, which is free, unless an answer is under way.
    fn read_at_hand(&mut self, query: LookupQuery, then: Then, ctx: &mut UpdateCtx<'_>) {
        let case = self.cases.of_mut(query);
        if !case.is_pending() {
            case.at_hand.begin(ctx.ask(Question::Sources(query)));
            case.then = then;
        } else if then == Then::Ask {
            case.then = then;
        }
    }

    /// The answers at hand: one that is fresh replaces a query, else the service is asked.
    fn found_at_hand(&mut self, query: LookupQuery, reply: Reply<'_>, ctx: &mut UpdateCtx<'_>) {
        let result = <Box<Sources>>::of_result(reply.result);
        let troubles = match &result {
            Ok(sources) => sources.unusable.clone(),
            Err(error) => vec![error.clone()],
        };
        let now = ctx.out.now;
        let found = result.map(|sources| AtHand::of(*sources, now));
        let case = self.cases.of_mut(query);
        if !case.at_hand.finish(reply.job, found.or(Ok(None))) {
            return;
        }
        case.page.start(Start::Lead);
        let asks = !case.is_known() && case.then == Then::Ask;
        for trouble in troubles {
            ctx.out.say(Tone::Warn, trouble.message);
        }
        self.let_go();
        if asks {
            self.ask(query, ctx);
        }
    }

    /// Whether a question must not be sent; says so.
    fn refuses(query: LookupQuery, ctx: &mut UpdateCtx<'_>) -> bool {
        let refused = ctx.facts.admission.refuses(query.address);
        if let Some(reserved) = refused {
            let why = format!(
                "{} is not a public address ({}): nothing was sent",
                query.address,
                reserved.word()
            );
            ctx.out.say(Tone::Warn, why);
        }
        refused.is_some()
    }

    /// Asks the service, if the question may be sent and is not under way.
    fn ask(&mut self, query: LookupQuery, ctx: &mut UpdateCtx<'_>) {
        if Self::refuses(query, ctx) {
            return;
        }
        let case = self.cases.of_mut(query);
        if case.live.pending().is_none() {
            case.live.begin(ctx.ask(Question::Lookup(query)));
        }
    }

    /// An answer to a lookup.
    fn looked_up(&mut self, query: LookupQuery, reply: Reply<'_>, ctx: &mut UpdateCtx<'_>) {
        let failure = reply.failure();
        let result = engine::Answer::of_result(reply.result);
        let found = result.as_ref().ok();
        let entry = found.map(|answer| Entry::from((&query, answer)));
        let case = self.cases.of_mut(query);
        if !case.live.finish(reply.job, result) {
            return;
        }
        (case.recalled, case.unkept) = (false, case.unkept && failure.is_some());
        case.page.start(Start::Lead);
        ctx.out.cmds.extend(entry.map(Cmd::Remember));
        if let Some(message) = failure {
            ctx.out
                .say(Tone::Error, format!("{}: {message}", query.address));
        }
        self.let_go();
    }

    /// Lets large records go that are out of view.
    fn let_go(&mut self) {
        let compared = self.compare.as_ref().map(|compare| [compare.a, compare.b]);
        let shown = compared.into_iter().flatten().chain(self.here);
        self.cases.let_go(&shown.collect::<Vec<_>>());
    }

    /// The trail of earlier runs: its answers are shown again without a query.
    fn recall(&mut self, result: Result<engine::Trail, Error>, ctx: &mut UpdateCtx<'_>) {
        let trail = match result {
            Ok(trail) => trail,
            Err(error) => {
                return ctx.out.say(
                    Tone::Warn,
                    format!("the trail of earlier runs: {}", error.message),
                );
            }
        };
        let mut unkept = 0;
        for entry in trail.entries {
            match entry {
                Entry::Looked(query, answer) => {
                    ctx.trail
                        .recall(Stop::Address(query), answer.provenance.asked_at);
                    let case = self.cases.of_mut(query);
                    if case.is_untouched() || case.recalled {
                        case.live = Remote::known(*answer);
                        (case.recalled, case.unkept) = (true, false);
                    }
                }
                Entry::Unkept(query, at, _) => {
                    unkept += 1;
                    ctx.trail.recall(Stop::Address(query), at);
                    let case = self.cases.of_mut(query);
                    case.unkept = case.is_untouched();
                }
                Entry::Tagged(tag, at) => ctx.trail.recall(Stop::Tag(tag), at),
                Entry::Pinned(address, on) => ctx.trail.pin(address, on),
            }
        }
        if unkept > 0 {
            let text = format!("trail: records too large to keep: {unkept} (R fetches one again)");
            ctx.out.say(Tone::Info, text);
        }
        if trail.left_out > 0 {
            let text = format!("trail: older entries not loaded: {}", trail.left_out);
            ctx.out.say(Tone::Info, text);
        }
        if trail.set_aside.count() > 0 {
            ctx.out.say(Tone::Warn, format!("log: {}", trail.set_aside));
        }
    }

    /// What a row under the cursor is.
    fn row(&self) -> Option<Meaning> {
        let case = self.case()?;
        case.shown().and_then(|_| case.page.meaning())
    }
}
