//! The Quota tab: what is left, what was spent, and what the token may do.

pub mod page;
pub mod tally;
#[cfg(test)]
mod tests;
pub mod view;

use jiff::{SignedDuration, Timestamp};

use crate::{
    contract::Endpoint,
    engine::{Error, Fetched, Probed},
    model::{Document, Status},
    store::lines::SetAside,
    tui::{
        ctx::{
            UpdateCtx,
            cmd::Cmd,
            facts::Facts,
            intent::{Intent, Scope, Yank},
            raw::{Acted, Raw},
            remote::Remote,
            request::{Answer, JobId, Question},
            sheet::{Meaning, RowId, Sheet},
        },
        ui::{
            theme::{Theme, Tone},
            widgets::{page::PageState, pane::Pane, text_field::TextField},
        },
    },
};
use page::Known;
use tally::Tally;

/// The state of the tab.
#[derive(Debug, Default)]
pub struct QuotaTab {
    status: Remote<Fetched<Status>>,
    /// When the status was asked for last.
    asked_at: Option<Timestamp>,
    probe: Remote<Vec<Probed>>,
    /// Whether the probe under way is that of a token that was just entered: the status follows it.
    new_token: bool,
    ledger: Remote<Tally>,
    /// Lines of the ledger that were not believed, as far as that was said.
    set_aside: SetAside,
    /// The highest balance that the status named in this run.
    highest: u64,
    page: PageState<RowId>,
    raw: Option<Raw>,
}

impl QuotaTab {
    /// How long an answered status is not asked for again by itself.
    const FRESH: SignedDuration = SignedDuration::from_mins(1);

    /// Where keys are looked up.
    #[must_use]
    pub fn scopes(&self) -> Vec<Scope> {
        vec![self.raw.as_ref().map_or(Scope::Quota, Raw::scope)]
    }

    /// The field that takes what is typed.
    pub fn field(&mut self) -> Option<&mut TextField> {
        self.raw.as_mut().and_then(Raw::field)
    }

    /// What was typed has changed.
    pub fn typed(&mut self, _desk: &mut UpdateCtx<'_>) {
        if let Some(raw) = &mut self.raw {
            raw.typed();
        }
    }

    /// The tab is opened: the ledger is read again, the status asked for where that was not done lately.
    pub fn arrive(&mut self, ctx: &mut UpdateCtx<'_>) {
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
            self.ledger.begin(ctx.out.ask(Question::Ledger));
        }
    }

    fn ask_status(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.status.pending().is_none() {
            self.asked_at = Some(ctx.out.now);
            self.status.begin(ctx.out.ask(Question::Status));
        }
    }

    fn test_access(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.probe.pending().is_none() {
            self.probe.begin(ctx.out.ask(Question::Probe));
            ctx.out.say(
                Tone::Info,
                "asking each host what it allows: costs no query",
            );
        }
    }

    /// A job will answer with what each host allows, for a token that was just entered.
    pub fn expect_probe(&mut self, job: JobId) {
        self.probe.begin(job);
        self.new_token = true;
    }

    /// An answer came.
    pub fn answered(&mut self, job: JobId, result: Result<Answer, Error>, ctx: &mut UpdateCtx<'_>) {
        match result {
            Ok(Answer::Status(fetched)) => self.hear_status(job, fetched, ctx),
            Ok(Answer::Probed(probed)) => {
                if self.probe.finish(job, Ok(probed)) && std::mem::take(&mut self.new_token) {
                    self.ask_status(ctx);
                }
            }
            Ok(Answer::Ledger(account)) => {
                let tally = Tally::of(&account.spent, ctx.out.now);
                let news = account.set_aside.count() > 0 && account.set_aside != self.set_aside;
                if self.ledger.finish(job, Ok(tally)) && news {
                    self.set_aside = account.set_aside;
                    ctx.out
                        .say(Tone::Warn, format!("ledger: {}", account.set_aside));
                }
            }
            Ok(_) => {}
            Err(error) => self.hear_failure(job, &error, ctx),
        }
    }

    fn hear_status(&mut self, job: JobId, fetched: Fetched<Status>, ctx: &mut UpdateCtx<'_>) {
        let again = self.status.value().is_some();
        let named = fetched.value.queries_remaining.into_option();
        if self.status.finish(job, Ok(fetched)) {
            self.highest = self.highest.max(named.unwrap_or_default());
            if again {
                ctx.out.say(Tone::Ok, "status refreshed");
            }
        }
    }

    fn hear_failure(&mut self, job: JobId, error: &Error, ctx: &mut UpdateCtx<'_>) {
        let what = if self.status.finish(job, Err(error.clone())) {
            "status"
        } else if self.probe.finish(job, Err(error.clone())) {
            self.new_token = false;
            "test of access"
        } else if self.ledger.finish(job, Err(error.clone())) {
            "ledger"
        } else {
            return;
        };
        ctx.out
            .say(Tone::Error, format!("{what}: {}", error.message));
    }

    /// The highest balance seen in this run or in the ledger.
    fn highest(&self, facts: &Facts) -> u64 {
        let now = facts.balance.map(|balance| balance.remaining);
        let ledger = self.ledger.value().and_then(|tally| tally.highest);
        let all = [Some(self.highest), now, facts.balance_before, ledger];
        all.into_iter().flatten().max().unwrap_or_default()
    }

    /// Does what a person wants; says whether it is this tab's business.
    pub fn act(&mut self, intent: Intent, ctx: &mut UpdateCtx<'_>) -> bool {
        let size = Pane::inner(ctx.body).as_size();
        if let Some(raw) = &mut self.raw {
            let acted = raw.act(intent, usize::from(size.height));
            if acted == Acted::Closed {
                self.raw = None;
            }
            return acted != Acted::Ignored;
        }
        match intent {
            Intent::Go(motion) => {
                let sheet = self.sheet_at(ctx);
                self.page.step(motion, &sheet.page, size);
            }
            Intent::Refresh => {
                self.read_ledger(ctx);
                self.ask_status(ctx);
            }
            Intent::TestAccess => self.test_access(ctx),
            Intent::Raw | Intent::Find => self.open_raw(intent, ctx),
            Intent::Cancel | Intent::Escape => return self.cancel(ctx),
            _ => return false,
        }
        true
    }

    fn open_raw(&mut self, intent: Intent, ctx: &mut UpdateCtx<'_>) {
        self.raw = self.document().map(Raw::of);
        match &mut self.raw {
            Some(raw) if intent == Intent::Find => {
                raw.act(Intent::Find, 0);
            }
            Some(_) => {}
            None => ctx.out.say(
                Tone::Info,
                "there is no JSON here yet: R asks for the status",
            ),
        }
    }

    /// Stops waiting for the hosts; says whether they were being waited for.
    fn cancel(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        let jobs = [self.status.cancel(), self.probe.cancel()];
        self.new_token = false;
        for job in jobs.into_iter().flatten() {
            ctx.out.cmd(Cmd::Cancel(job));
        }
        let waited = jobs.iter().any(Option::is_some);
        if waited {
            ctx.out.say(Tone::Info, "no longer waiting");
        }
        waited
    }

    /// Copies something; says whether there was something of that kind.
    pub fn yank(&mut self, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
        if let Some(raw) = &self.raw
            && raw.yank(what, ctx.out)
        {
            return true;
        }
        let sheet = self.sheet_at(ctx);
        let row = self.page.focus().and_then(|row| sheet.meaning(row));
        match (what, row) {
            (Yank::Json, _) => match self.document() {
                Some(document) => ctx.out.copy_json("the JSON", document.text()),
                None => return false,
            },
            (Yank::Curl, _) => {
                let curl = ctx.facts.curl(&Endpoint::Status);
                ctx.out.copy("the request as curl", curl);
            }
            (Yank::Value, Some(Meaning { label, value, .. })) => ctx.out.copy(label, value),
            (Yank::Row, Some(Meaning { label, value, .. })) => {
                ctx.out.copy(label, format!("{label}: {value}"));
            }
            (Yank::Ticket | Yank::Row | Yank::Value, _) => {
                ctx.out.copy_lines("the quota as text", sheet.text());
            }
            (Yank::Address | Yank::Defanged, _) => return false,
        }
        true
    }

    fn sheet_at(&self, ctx: &UpdateCtx<'_>) -> Sheet {
        let known = Known {
            facts: ctx.facts,
            now: ctx.out.now,
            private: false,
        };
        self.sheet(known, &Theme::terminal())
    }

    /// The service's own text of what is shown.
    #[must_use]
    pub fn document(&self) -> Option<&Document> {
        self.status.value().map(|fetched| &fetched.document)
    }
}
