//! The price of looking up the address under the cursor, shown before it is spent; computed from local and cached answers, sending nothing.

use std::{borrow::Cow, net::IpAddr};

use jiff::Timestamp;

use crate::{
    contract::LookupQuery,
    engine::{
        Sources,
        answers::{PolicyStep, Source, next},
        config::AnswerOrder,
    },
    tui::ctx::{Asked, Destination, Facts, Question, TabReply, UpdateCtx},
};

#[derive(Debug, Default)]
pub(super) struct Price {
    address: Option<IpAddr>,
    sources: Asked<Question, Box<Sources>>,
}

impl Price {
    /// The cursor is on this address now, or on none.
    pub(super) fn follow(&mut self, address: Option<IpAddr>, ctx: &mut UpdateCtx<'_>) {
        if self.address == address {
            return;
        }
        self.sources.stop(ctx);
        (self.address, self.sources) = (address, Asked::default());
        if let Some(address) = address
            && ctx.facts.admission.refuses(address).is_none()
            && ctx.facts.answers != AnswerOrder::Live
        {
            let question = Question::Sources(LookupQuery::now(address));
            self.sources.ask(question, ctx);
        }
    }

    /// Takes the local and cached answers.
    pub(super) fn settle(&mut self, reply: TabReply<'_>) {
        self.sources.settle(reply);
    }

    /// What the local and cached answers lead to, once they are read.
    fn step(&self, now: Timestamp) -> Option<PolicyStep> {
        self.sources.value().map(|sources| next(sources, now))
    }

    /// Where a look at this address leads: to what is local or cached alone where that was said to be free.
    pub(super) fn lead(&self, address: IpAddr, now: Timestamp) -> Destination {
        let query = LookupQuery::now(address);
        match self.step(now).filter(|_| self.address == Some(address)) {
            Some(PolicyStep::Show(..)) => Destination::AtHand(query),
            _ => Destination::Address(query),
        }
    }

    pub(super) fn words(&self, facts: &Facts, now: Timestamp) -> Cow<'static, str> {
        let Some(address) = self.address else {
            return "no single address".into();
        };
        if let Some(reserved) = facts.admission.refuses(address) {
            return format!("not sent, {}", reserved.word()).into();
        }
        match self.step(now) {
            _ if facts.answers == AnswerOrder::Live => "live, 1 query",
            Some(PolicyStep::Show(Source::Local, _)) => "local, free",
            Some(PolicyStep::Show(..)) => "cached, free",
            Some(PolicyStep::Ask(_)) => "1 query",
            None => "local or cached, else 1 query",
        }
        .into()
    }
}
