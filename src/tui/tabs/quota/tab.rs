//! The Quota tab, as the shell knows it.

use std::borrow::Cow;

use ratatui::{Frame, layout::Rect};

use super::{QuotaTab, actions::QUOTA, tally::LedgerTally, view};
use crate::{
    contract::Endpoint,
    engine::{Fetched, Kind, Probed, Statement},
    model::{Document, Status},
    tui::{
        ctx::{
            UpdateCtx, ViewCtx,
            destination::Destination,
            facts::Facts,
            intent::{Gesture, Scope, Yank},
            request::{FromAnswer, Question},
            sheet::Meaning,
            tab::{Tab, TabReply},
        },
        ui::{theme::Tone, widgets::text_field::TextField},
    },
};

impl Tab for QuotaTab {
    fn title(&self) -> &'static str {
        "Quota"
    }

    fn scopes(&self, _facts: &Facts) -> Vec<Scope> {
        vec![self.guards.as_ref().map_or(QUOTA, |_| Scope::Input)]
    }

    fn field(&mut self) -> Option<&mut TextField> {
        self.guards.as_mut()?.field()
    }

    /// Asks for the balance, which is free, where nothing is missing for it.
    fn begin(&mut self, ctx: &mut UpdateCtx<'_>) {
        if ctx.facts.lack().is_none() {
            self.ask_status(ctx);
        }
    }

    fn arrive(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.on_arrival(ctx);
    }

    fn has(&self, place: &Destination) -> bool {
        matches!(place, Destination::Access(..))
    }

    fn open(&mut self, place: Destination, ctx: &mut UpdateCtx<'_>) {
        if let Destination::Access(entered) = place {
            self.probe.begin(ctx.ask(Question::Login(entered)));
            self.new_token = true;
            ctx.out
                .say(Tone::Info, "asking each host what the token may do");
            self.on_arrival(ctx);
        }
    }

    fn gesture(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        if let Some(open) = &mut self.guards {
            match gesture {
                Gesture::Open => self.save_guards(ctx),
                Gesture::NextPane => open.form.next(),
                Gesture::PreviousPane => open.form.previous(),
                Gesture::Go(motion) => drop(open.form.step(motion)),
                Gesture::Escape => self.guards = None,
                _ => return false,
            }
            return true;
        }
        match gesture {
            Gesture::Go(motion) => {
                self.page.step(motion);
            }
            Gesture::Refresh => {
                self.read_ledger(ctx);
                self.ask_status(ctx);
            }
            Gesture::Cancel | Gesture::Escape => return self.cancel(ctx),
            _ => return false,
        }
        true
    }

    fn idle(&self, gesture: Gesture, ctx: &ViewCtx<'_>) -> Option<Cow<'static, str>> {
        if self.guards.is_some() {
            return None;
        }
        match gesture {
            Gesture::Raw | Gesture::Find => {}
            Gesture::Open => return Some("there is nothing to open here".into()),
            Gesture::NextPane => return Some("there is no other pane".into()),
            Gesture::Refresh if self.status.pending().is_some() => {
                return Some("the status is being fetched".into());
            }
            _ => return None,
        }
        if ctx.private {
            return Some("the account is hidden; ctrl-g shows it".into());
        }
        let none = self.status.value().is_none();
        none.then(|| "there is no JSON here yet".into())
    }

    fn answered(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) {
        let failure = reply.failure();
        let (what, accepted) = match reply.question {
            // The page shows its failure.
            Question::Status => return self.hear_status(reply, ctx),
            Question::Ledger => ("ledger", self.hear_ledger(reply, ctx)),
            Question::ChangeGuards(_) => ("guards", self.hear_guards(reply, ctx)),
            _ => ("test of access", self.hear_access(reply, ctx)),
        };
        if let Some(message) = failure.filter(|_| accepted) {
            ctx.out.say(Tone::Error, format!("{what}: {message}"));
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

    fn endpoint(&self, _ctx: &UpdateCtx<'_>) -> Option<Endpoint> {
        Some(Endpoint::Status)
    }

    fn meaning(&self, _ctx: &UpdateCtx<'_>) -> Option<Meaning> {
        self.page.meaning()
    }

    fn document(&self) -> Option<&Document> {
        self.status.value().map(|fetched| &fetched.document)
    }

    fn before_raw(&mut self, _ctx: &UpdateCtx<'_>) -> Option<String> {
        Some("/status".to_owned())
    }

    fn without_document(&self) -> String {
        "there is no JSON here yet: R fetches the status".to_owned()
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        view::draw(frame, area, self, ctx);
    }
}

impl QuotaTab {
    fn hear_guards(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) -> bool {
        let Some(open) = &mut self.guards else {
            return false;
        };
        let accepted = open.saved.settle(reply.job, reply.result);
        if accepted && open.error().is_none() {
            self.guards = None;
            let text = if ctx.facts.invented {
                "guards set for this run: the demo keeps none".to_owned()
            } else {
                format!("guards kept in {}", ctx.facts.config_file.display())
            };
            ctx.out.say(Tone::Ok, text);
        }
        accepted
    }

    fn hear_status(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) {
        let again = self.status.value().is_some() && reply.result.is_ok();
        let result = <Fetched<Status>>::of_result(reply.result);
        let named = result.as_ref().ok();
        let named = named.and_then(|fetched| fetched.value.queries_remaining.into_option());
        let accepted = self.status.finish(reply.job, result);
        if accepted {
            self.highest = self.highest.max(named.unwrap_or_default());
            // The balance that it named is in the ledger now, and a reading under way may have passed that line.
            ctx.stop(&mut self.ledger);
            self.read_ledger(ctx);
            if again {
                ctx.out.say(Tone::Ok, "status refreshed");
            }
        }
    }

    fn hear_access(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) -> bool {
        let accepted = self.probe.settle(reply.job, reply.result);
        if accepted && self.probe.error().is_none() {
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
        }
        if accepted && std::mem::take(&mut self.new_token) && self.probe.error().is_none() {
            self.ask_status(ctx);
        }
        accepted
    }

    fn hear_ledger(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) -> bool {
        let account = Statement::of_result(reply.result);
        let tally = account.map(|account| Box::new(LedgerTally::of(&account, ctx.out.now)));
        self.ledger.finish(reply.job, tally)
    }
}
