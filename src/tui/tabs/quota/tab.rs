//! The Quota tab, as the shell knows it: its keys, when they have an effect, and what they do.

use ratatui::{Frame, layout::Rect};

use super::{QuotaTab, guards::GuardsForm};
use crate::{
    contract::Endpoint,
    model::Document,
    tui::{
        ctx::{
            UpdateCtx, ViewCtx,
            binding::{
                Binding, char,
                rank::{FIRST, LATER, SOON},
                shown,
            },
            destination::Destination,
            facts::Facts,
            intent::{
                Gesture,
                Intent::{Action, Shared},
                Scope, Yank,
            },
            request::Question,
            surface::Flow,
            tab::{Actions, Price, Subject, Tab, TabEvent, TabReply, Why},
        },
        ui::{
            theme::{Focus, Tone},
            widgets::pane::Pane,
        },
    },
};

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
                return Flow::Push(Box::new(GuardsForm::of(&ctx.facts.guards)));
            }
            QuotaAction::Days => self.by_day = !self.by_day,
        }
        Flow::Done
    }
}

impl QuotaTab {
    fn arrive(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.ledger.ask(Question::Ledger, ctx);
        if !self.is_fresh(ctx.out.now) && !self.new_token && ctx.facts.lack().is_none() {
            self.ask_status(ctx);
        }
    }

    fn open(&mut self, place: Destination, ctx: &mut UpdateCtx<'_>) {
        if let Destination::Access(entered) = place {
            self.probe.ask_anew(Question::Login(entered), ctx);
            self.new_token = true;
            ctx.out
                .say(Tone::Info, "asking each host what the token may do");
            self.arrive(ctx);
        }
    }

    fn document(&self) -> Option<&Document> {
        self.status.value().map(|fetched| &fetched.document)
    }
}

impl Tab for QuotaTab {
    fn scopes(&self, _facts: &Facts) -> Vec<Scope> {
        vec![QUOTA]
    }

    fn when(&self, gesture: Gesture, ctx: &ViewCtx<'_>) -> Result<Price, Why> {
        let why = match gesture {
            Gesture::Raw | Gesture::Find if ctx.private => "the account is hidden; ctrl-g shows it",
            Gesture::Raw | Gesture::Find if self.document().is_none() => {
                "there is no JSON here yet"
            }
            Gesture::Open => "there is nothing to open here",
            Gesture::NextPane => "there is no other pane",
            Gesture::Refresh if self.status.is_pending() => "the status is being fetched",
            _ => return Ok(None),
        };
        Err(why.into())
    }

    fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        match gesture {
            Gesture::Go(motion) => {
                self.page.step(motion);
            }
            Gesture::Refresh => {
                self.ledger.ask(Question::Ledger, ctx);
                self.ask_status(ctx);
            }
            Gesture::Cancel | Gesture::Escape => return self.cancel(ctx).into(),
            _ => return Flow::Ignored,
        }
        Flow::Done
    }

    fn answered(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) {
        match reply.question {
            Question::Status => self.fetched(reply, ctx),
            Question::Ledger => self.read(reply, ctx),
            _ => self.probed(reply, ctx),
        }
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
            TabEvent::Began => {
                if ctx.facts.lack().is_none() {
                    self.ask_status(ctx);
                }
            }
            TabEvent::Arrived => self.arrive(ctx),
            TabEvent::Opened(place) => self.open(place, ctx),
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

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        let pane = Pane::new("Quota", Focus::Here);
        ctx.spots.pane(area, 0);
        self.page
            .draw(frame, area, pane, self.sheet(area.as_size(), ctx), ctx);
    }
}
