//! Routes an answer to the tab that asked, unless the request was cancelled.

use super::{app::App, registry::TabId};
use crate::{
    engine::{Access, Balance, Error, Sources, answers::PolicyStep},
    tui::{
        ctx::{
            cmd::Cmd,
            jobs::PendingQuestion,
            outbox::Outbox,
            request::{Answer, JobId, Question, mismatch},
            tab::TabEvent,
            tab::TabReply,
        },
        ui::theme::Tone,
    },
};

impl App {
    /// Passes the first part of an answer to the tab that asked.
    pub(super) fn at_hand(
        &mut self,
        id: JobId,
        sources: Box<Sources>,
        next: PolicyStep,
        out: &mut Outbox,
    ) {
        let owner = self.jobs.owner(id);
        if let Some(tab) = owner.and_then(|owner| TabId::ALL.get(owner.0).copied()) {
            let event = TabEvent::AtHand(id, sources, next);
            self.at(tab, out, |tabs, ctx| tabs.of_mut(tab).handle(event, ctx));
        }
    }

    /// Passes an answer to the part of the program that asked; a wrong type of answer becomes an error there.
    pub(super) fn answered(&mut self, id: JobId, result: Result<Answer, Error>, out: &mut Outbox) {
        let Some(PendingQuestion {
            question, owner, ..
        }) = self.jobs.take(id)
        else {
            return;
        };
        let result = result.and_then(|answer| {
            let fits = question.is_answered_by(&answer);
            fits.then_some(answer).ok_or_else(mismatch)
        });
        self.jobs.finish(id, result.as_ref(), out);
        let is_made_up = |failed: &mut Question| question.makes_up_for(failed);
        if result.is_ok() && self.failed.take_if(is_made_up).is_some() {
            self.notices.dismiss();
        }
        let has_failed = result.is_err();
        let has_changed = matches!(
            &result,
            Ok(Answer::Pulled(_) | Answer::Deleted(_) | Answer::Reindexed(_))
        );
        if let Ok(answer) = &result {
            self.evidence.learn(&question, answer);
            if let Answer::GuardsChanged(guards) = answer {
                self.facts.guards = guards.clone();
            }
        }
        if let Some(tab) = TabId::ALL.get(owner.0).copied() {
            let reply = TabReply {
                job: id,
                question: &question,
                result,
            };
            if let Some(reply) = self.answer_surfaces(tab, reply, out) {
                self.at(tab, out, |tabs, ctx| tabs.of_mut(tab).answered(reply, ctx));
            }
            if has_failed {
                out.failed = Some(question);
            }
            if has_changed {
                self.tell_all(|| TabEvent::LocalChanged, out);
            }
            // An answer never navigates for a user who has moved on.
            if tab != self.tab || self.overlay.is_some() {
                out.go = None;
            }
            out.on_page &= tab == self.tab;
        }
    }

    /// Notes the balance and the access at each host, and warns if the balance fell below the guard.
    pub(super) fn heard(&mut self, balance: Option<Balance>, access: Access, out: &mut Outbox) {
        self.facts.access = access;
        let before = self.facts.balance.map(|balance| balance.remaining);
        let now = balance.map(|balance| balance.remaining);
        if let (Some(before), Some(now)) = (before, now) {
            let guard = self.facts.guards.warn_below;
            if now < guard && before >= guard {
                let words = if self.private {
                    "fewer queries are left than warn_below".to_owned()
                } else {
                    format!("{now} queries are left: fewer than warn_below ({guard})")
                };
                out.say(Tone::Warn, words);
                out.cmd(Cmd::Bell);
            }
            if before != now {
                self.facts.balance_before = Some(before);
            }
        }
        if balance.is_some() {
            self.facts.balance = balance;
        }
    }
}
