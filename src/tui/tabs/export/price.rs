//! What a look at the address under the cursor costs, told before it is spent: read from what is local and cached, nothing sent.

use std::net::IpAddr;

use jiff::Timestamp;

use crate::{
    contract::LookupQuery,
    engine::{
        Error, Sources,
        answers::{Next, Source, next},
        config::Answers,
    },
    tui::ctx::{
        UpdateCtx,
        facts::Facts,
        place::Place,
        remote::Remote,
        request::{Answer, JobId, Question},
    },
};

/// The price of an address.
#[derive(Debug, Default)]
pub(super) struct Price {
    address: Option<IpAddr>,
    sources: Remote<Box<Sources>>,
}

impl Price {
    /// The cursor is on this address now, or on none.
    pub(super) fn follow(&mut self, address: Option<IpAddr>, ctx: &mut UpdateCtx<'_>) {
        if self.address == address {
            return;
        }
        ctx.stop(&mut self.sources);
        (self.address, self.sources) = (address, Remote::default());
        let Some(address) = address else {
            return;
        };
        if ctx.facts.admission.refuses(address).is_none() && ctx.facts.answers != Answers::Live {
            let query = LookupQuery::now(address);
            self.sources.begin(ctx.ask(Question::Sources(query)));
        }
    }

    /// What is at hand came.
    pub(super) fn settle(&mut self, job: JobId, result: Result<Answer, Error>) {
        self.sources.settle(job, result);
    }

    /// Where a look at this address leads: to what is at hand alone where that was said to be free.
    pub(super) fn lead(&self, address: IpAddr, facts: &Facts, now: Timestamp) -> Place {
        let query = LookupQuery::now(address);
        let is_own = self.address == Some(address) && facts.answers != Answers::Live;
        let found = self.sources.value().filter(|_| is_own);
        match found.map(|sources| next(sources, now)) {
            Some(Next::Show(..)) => Place::AtHand(query),
            _ => Place::Address(query),
        }
    }

    /// The price in words.
    pub(super) fn words(&self, facts: &Facts, now: Timestamp) -> String {
        let Some(address) = self.address else {
            return "no single address".to_owned();
        };
        if let Some(reserved) = facts.admission.refuses(address) {
            return format!("not sent, {}", reserved.word());
        }
        if facts.answers == Answers::Live {
            return "live, 1 query".to_owned();
        }
        match self.sources.value().map(|sources| next(sources, now)) {
            Some(Next::Show(Source::Local, _)) => "local, free".to_owned(),
            Some(Next::Show(..)) => "cached, free".to_owned(),
            Some(Next::Ask(_)) => "1 query".to_owned(),
            None => "local or cached, else 1 query".to_owned(),
        }
    }
}
