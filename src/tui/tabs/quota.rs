//! The Quota tab: the balance, the queries spent, and the rights of the token.

mod guards;
pub mod page;
pub mod tally;
#[cfg(test)]
mod tests;

use jiff::SignedDuration;
use ratatui::{Frame, layout::Rect};

use crate::{
    contract::Endpoint,
    engine::{Fetched, Kind, Probed, Statement},
    model::{Document, Status},
    tui::{
        ctx::{
            Actions, Asked, Binding, Destination, Facts, Flow, Gesture, Price, Question, Scope,
            SheetState, Subject, Tab, TabEvent, TabReply, UpdateCtx, ViewCtx, Why, Yank,
            binding::{
                char,
                rank::{FIRST, LATER, SOON},
                shown,
            },
            intent::Intent::{Action, Shared},
        },
        ui::{Focus, Pane, Tone},
    },
};
use guards::GuardsForm;
use tally::LedgerTally;

const QUOTA: Scope = Scope::Tab("Quota");

/// What this tab alone can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QuotaAction {
    /// Ask each host what it allows.
    TestAccess,
    Guards,
    /// Days in place of hours in the chart, and back.
    Days,
}

#[derive(Debug, Default)]
pub struct QuotaTab {
    status: Asked<Question, Fetched<Status>>,
    probe: Asked<Question, Vec<Probed>>,
    ledger: Asked<Question, Box<LedgerTally>>,
    page: SheetState,
    /// Whether the chart shows days.
    by_day: bool,
}

impl QuotaTab {
    /// Handles the answer to a question.
    fn answered(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) {
        match reply.question {
            Question::Status => self.fetched(reply, ctx),
            Question::Ledger => self.read(reply, ctx),
            _ => self.probed(reply, ctx),
        }
    }

    /// How long an answered status is not asked for again by itself.
    const FRESH: SignedDuration = SignedDuration::from_mins(1);

    /// Reads the ledger, and asks for the status unless it was asked for lately or follows the test of a new token.
    fn arrive(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.ledger.ask(Question::Ledger, ctx);
        let since = self
            .status
            .asked_at()
            .map(|at| ctx.out.now.duration_since(at));
        let is_fresh = since.is_some_and(|since| since < Self::FRESH);
        let is_new_token = matches!(self.probe.question(), Some(Question::Login(_)));
        let follows = is_new_token && self.probe.is_pending();
        if !is_fresh && !follows && ctx.facts.lack().is_none() {
            self.status.ask(Question::Status, ctx);
        }
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
        let tally = |statement: Statement| Box::new(LedgerTally::of(statement, now));
        let is_own = self.ledger.settle_with(reply, tally).is_none();
        if let Some(message) = failure.filter(|_| is_own) {
            ctx.out.say(Tone::Error, format!("ledger: {message}"));
        }
    }

    /// Takes what each host allows. The status follows the test of a new token.
    fn probed(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) {
        let failure = reply.failure();
        let is_new = matches!(reply.question, Question::Login(_));
        if self.probe.settle(reply).is_some() {
            return;
        }
        if let Some(message) = failure {
            let text = format!("test of access: {message}");
            return ctx.out.say(Tone::Error, text);
        }
        let (mut refused, mut silent) = (Vec::new(), Vec::new());
        for probed in self.probe.value().into_iter().flatten() {
            match &probed.outcome {
                Err(error) if error.kind == Kind::Credentials => refused.push(probed.area.word()),
                Err(_) => silent.push(probed.area.word()),
                Ok(()) => {}
            }
        }
        let mut text = String::new();
        for (what, areas) in [("not allowed", refused), ("no answer", silent)] {
            if !areas.is_empty() {
                text += &format!("; {what}: {}", areas.join(", "));
            }
        }
        if text.is_empty() {
            ctx.out.say(Tone::Ok, "access tested, no query was spent");
        } else {
            let text = format!("access tested, free{text}");
            ctx.out.say(Tone::Warn, text);
        }
        if is_new {
            self.status.ask(Question::Status, ctx);
        }
    }

    fn document(&self) -> Option<&Document> {
        self.status.value().map(|fetched| &fetched.document)
    }
}

impl Actions for QuotaTab {
    type Action = QuotaAction;

    #[rustfmt::skip]
    const KEYS: &'static [Binding<QuotaAction>] = &[
        shown(QUOTA, char('R'), Shared(Gesture::Refresh), FIRST, "refresh (free)", "fetch the status again: costs no query").sends(),
        shown(QUOTA, char('t'), Action(QuotaAction::TestAccess), FIRST, "test access (free)", "ask each host what it allows: costs no query").sends(),
        shown(QUOTA, char('a'), Action(QuotaAction::Guards), FIRST, "guards", "set the guards: warn below, stop below, confirm over"),
        shown(QUOTA, char('b'), Action(QuotaAction::Days), SOON, "days/hours", "group the chart by days in place of hours, and back"),
        shown(QUOTA, char('r'), Shared(Gesture::Raw), LATER, "raw", "the service's own JSON, and back"),
    ];

    fn when_acting(&self, action: QuotaAction, _ctx: &ViewCtx<'_>) -> Result<Price, Why> {
        match action {
            QuotaAction::TestAccess if self.probe.is_pending() => {
                Err("each host is being asked".into())
            }
            _ => Ok(None),
        }
    }

    fn run(&mut self, action: QuotaAction, ctx: &mut UpdateCtx<'_>) -> Flow {
        match action {
            QuotaAction::TestAccess => {
                self.probe.ask(Question::Probe, ctx);
                let text = "asking each host what it allows: free, no query";
                ctx.out.say(Tone::Info, text);
            }
            QuotaAction::Guards => {
                return Flow::Push(Box::new(GuardsForm::new(ctx.facts.guards.clone())));
            }
            QuotaAction::Days => self.by_day = !self.by_day,
        }
        Flow::Done
    }
}

impl Tab for QuotaTab {
    fn scopes(&self, _facts: &Facts) -> Vec<Scope> {
        vec![QUOTA]
    }

    fn when(&self, gesture: Gesture, ctx: &ViewCtx<'_>) -> Result<Price, Why> {
        let is_json = matches!(gesture, Gesture::Raw | Gesture::Find);
        let why = match gesture {
            _ if is_json && ctx.private => "the account is hidden; ctrl-g shows it",
            _ if is_json && self.document().is_none() => "there is no JSON here yet",
            Gesture::Open => "there is nothing to open here",
            Gesture::NextPane => "there is no other pane",
            Gesture::Refresh if self.status.is_pending() => "the status is being fetched",
            _ => return Ok(None),
        };
        Err(why.into())
    }

    fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        match gesture {
            Gesture::Go(motion) => drop(self.page.step(motion)),
            Gesture::Refresh => {
                self.ledger.ask(Question::Ledger, ctx);
                self.status.ask(Question::Status, ctx);
            }
            Gesture::Cancel | Gesture::Escape => {
                if !(self.status.stop(ctx) | self.probe.stop(ctx)) {
                    return Flow::Ignored;
                }
                ctx.out.say(Tone::Info, "no longer waiting");
            }
            _ => return Flow::Ignored,
        }
        Flow::Done
    }

    fn copy(&mut self, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
        let is_text = match what {
            Yank::Ticket => true,
            Yank::Row | Yank::Value => self.page.meaning().is_none(),
            _ => false,
        };
        if is_text {
            ctx.out.copy_lines("the quota as text", self.page.text());
        }
        is_text
    }

    fn handle(&mut self, event: TabEvent<'_>, ctx: &mut UpdateCtx<'_>) -> Flow {
        match event {
            TabEvent::Answered(reply) => self.answered(*reply, ctx),
            TabEvent::Began if ctx.facts.lack().is_none() => {
                self.status.ask(Question::Status, ctx);
            }
            TabEvent::Arrived => self.arrive(ctx),
            TabEvent::Opened(Destination::Access(entered)) => {
                self.probe.ask_anew(Question::Login(entered), ctx);
                let text = "asking each host what the token may do";
                ctx.out.say(Tone::Info, text);
                self.arrive(ctx);
            }
            _ => return Flow::Ignored,
        }
        Flow::Done
    }

    fn subject(&self) -> Subject<'_> {
        Subject {
            endpoint: Some(Endpoint::Status),
            meaning: self.page.meaning(),
            document: self.document(),
            raw_title: Some("/status".to_owned()),
            without_document: Some("there is no JSON here yet: R fetches the status".to_owned()),
            ..Subject::default()
        }
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) -> Rect {
        let pane = Pane::new("Quota", Focus::Here);
        ctx.spots.pane(area, 0);
        let sheet = self.sheet(area.as_size(), ctx);
        self.page.draw(frame, area, pane, sheet, ctx);
        area
    }
}
