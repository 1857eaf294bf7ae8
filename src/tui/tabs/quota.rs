//! The Quota tab: the balance, the queries spent, and the rights of the token.

mod actions;
mod chart;
mod guards;
pub mod page;
mod tab;
pub mod tally;
#[cfg(test)]
mod tests;
pub mod view;

use jiff::{SignedDuration, Timestamp};

use crate::{
    engine::{Fetched, Probed},
    model::Status,
    tui::{
        ctx::{UpdateCtx, facts::Facts, remote::Remote, request::Question, sheet::SheetState},
        ui::theme::Tone,
    },
};
use guards::GuardsForm;
use tally::LedgerTally;

#[derive(Debug, Default)]
pub struct QuotaTab {
    status: Remote<Fetched<Status>>,
    /// When the status was asked for last.
    asked_at: Option<Timestamp>,
    probe: Remote<Vec<Probed>>,
    /// Whether the probe under way is that of a token that was just entered: the status follows it.
    new_token: bool,
    ledger: Remote<Box<LedgerTally>>,
    /// The highest balance that the status named in this run.
    highest: u64,
    page: SheetState,
    /// Whether the chart shows days.
    by_day: bool,
    /// The guards while they are being set.
    guards: Option<GuardsForm>,
}

impl QuotaTab {
    /// How long an answered status is not asked for again by itself.
    const FRESH: SignedDuration = SignedDuration::from_mins(1);

    /// The tab is opened: the ledger is read again, the status asked for where that was not done lately.
    fn on_arrival(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.read_ledger(ctx);
        let now = ctx.out.now;
        let fresh = self
            .asked_at
            .is_some_and(|at| now.duration_since(at) < Self::FRESH);
        if !fresh && !self.new_token && ctx.facts.lack().is_none() {
            self.ask_status(ctx);
        }
    }

    fn read_ledger(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.ledger.pending().is_none() {
            self.ledger.begin(ctx.ask(Question::Ledger));
        }
    }

    fn ask_status(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.status.pending().is_none() {
            self.asked_at = Some(ctx.out.now);
            self.status.begin(ctx.ask(Question::Status));
        }
    }

    fn test_access(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.probe.pending().is_none() {
            self.probe.begin(ctx.ask(Question::Probe));
            ctx.out.say(
                Tone::Info,
                "asking each host what it allows: free, no query",
            );
        }
    }

    /// Writes the guards that are typed.
    fn save_guards(&mut self, ctx: &mut UpdateCtx<'_>) {
        let Some(open) = &mut self.guards else {
            return;
        };
        if open.saved.pending().is_none()
            && let Some(guards) = open.read()
        {
            open.saved.begin(ctx.ask(Question::ChangeGuards(guards)));
        }
    }

    /// The highest balance seen in this run or in the ledger.
    fn highest(&self, facts: &Facts) -> u64 {
        let now = facts.balance.map(|balance| balance.remaining);
        let ledger = self.ledger.value().and_then(|tally| tally.highest);
        let all = [Some(self.highest), now, facts.balance_before, ledger];
        all.into_iter().flatten().max().unwrap_or_default()
    }

    /// Stops waiting for the hosts; returns whether they were being waited for.
    fn cancel(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        let waited = ctx.stop(&mut self.status) | ctx.stop(&mut self.probe);
        self.new_token = false;
        if waited {
            ctx.out.say(Tone::Info, "no longer waiting");
        }
        waited
    }
}
