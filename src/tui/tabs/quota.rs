//! The Quota tab: the balance, the queries spent, and the rights of the token.

mod chart;
mod guards;
pub mod page;
mod tab;
pub mod tally;
#[cfg(test)]
mod tests;

use jiff::{SignedDuration, Timestamp};

use crate::{
    engine::{Fetched, Kind, Probed, Statement},
    model::Status,
    tui::{
        ctx::{UpdateCtx, asked::Asked, request::Question, sheet::SheetState, tab::TabReply},
        ui::theme::Tone,
    },
};
use tally::LedgerTally;

#[derive(Debug, Default)]
pub struct QuotaTab {
    status: Asked<Question, Fetched<Status>>,
    /// When the status was asked for last.
    asked_at: Option<Timestamp>,
    probe: Asked<Question, Vec<Probed>>,
    /// Whether the probe under way is that of a token that was just entered: the status follows it.
    new_token: bool,
    ledger: Asked<Question, Box<LedgerTally>>,
    page: SheetState,
    /// Whether the chart shows days.
    by_day: bool,
}

impl QuotaTab {
    /// How long an answered status is not asked for again by itself.
    const FRESH: SignedDuration = SignedDuration::from_mins(1);

    fn ask_status(&mut self, ctx: &mut UpdateCtx<'_>) {
        if !self.status.is_pending() {
            self.asked_at = Some(ctx.out.now);
            self.status.ask(Question::Status, ctx);
        }
    }

    /// Whether the status was asked for lately.
    fn is_fresh(&self, now: Timestamp) -> bool {
        let at = self.asked_at;
        at.is_some_and(|at| now.duration_since(at) < Self::FRESH)
    }

    /// Stops waiting for the hosts; returns whether they were being waited for.
    fn cancel(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        let waited = self.status.stop(ctx) | self.probe.stop(ctx);
        self.new_token = false;
        if waited {
            ctx.out.say(Tone::Info, "no longer waiting");
        }
        waited
    }

    /// Takes the status. The page shows its failure.
    fn fetched(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) {
        let is_second = self.status.value().is_some() && reply.result.is_ok();
        if self.status.settle(reply).is_some() {
            return;
        }
        // The balance is in the ledger now, and a reading under way may have passed that line.
        self.ledger.ask_anew(Question::Ledger, ctx);
        if is_second {
            ctx.out.say(Tone::Ok, "status refreshed");
        }
    }

    fn read(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) {
        let (failure, now) = (reply.failure(), ctx.out.now);
        let tally = |statement: Statement| Box::new(LedgerTally::of(&statement, now));
        let is_own = self.ledger.settle_with(reply, tally).is_none();
        if let Some(message) = failure.filter(|_| is_own) {
            ctx.out.say(Tone::Error, format!("ledger: {message}"));
        }
    }

    /// Takes what each host allows.
    fn probed(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) {
        let failure = reply.failure();
        if self.probe.settle(reply).is_some() {
            return;
        }
        let is_new = std::mem::take(&mut self.new_token);
        if let Some(message) = failure {
            let text = format!("test of access: {message}");
            return ctx.out.say(Tone::Error, text);
        }
        let probed = self.probe.value().map_or(&[][..], Vec::as_slice);
        let failed = |is_refusal: bool| -> Vec<&str> {
            let is_it = |probed: &&Probed| {
                let error = probed.outcome.as_ref().err();
                error.is_some_and(|error| (error.kind == Kind::Credentials) == is_refusal)
            };
            let failed = probed.iter().filter(is_it);
            failed.map(|probed| probed.area.word()).collect()
        };
        let mut text = String::new();
        for (is_refusal, what) in [(true, "not allowed"), (false, "no answer")] {
            let areas = failed(is_refusal);
            if !areas.is_empty() {
                text += &format!("; {what}: {}", areas.join(", "));
            }
        }
        if text.is_empty() {
            ctx.out.say(Tone::Ok, "access tested, no query was spent");
        } else {
            ctx.out
                .say(Tone::Warn, format!("access tested, free{text}"));
        }
        if is_new {
            self.ask_status(ctx);
        }
    }
}
