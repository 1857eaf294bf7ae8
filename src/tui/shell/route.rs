//! Where an intent goes, and where an answer goes.

use super::{
    app::App,
    keys,
    overlay::{Choice, Overlay, TokenEntry},
};
use crate::{
    engine::{Access, Balance, Error},
    model::parse_address,
    tui::{
        ctx::{
            UpdateCtx,
            cmd::Cmd,
            facts::TokenState,
            intent::{Intent, Tab, Yank},
            outbox::{Confirm, Outbox},
            place::Place,
            request::{Answer, JobId, Keep, Question},
        },
        ui::{
            cursor::Cursor,
            theme::{Theme, Tone},
            widgets::picker::{Item, Picker},
        },
    },
};

/// Runs a method of the tab in front with a ctx to work on.
macro_rules! in_front {
    ($app:ident, $out:ident, |$tab:ident, $ctx:ident| $do:expr) => {{
        let body = $app.areas().body;
        let $ctx = &mut UpdateCtx {
            facts: &$app.facts,
            body,
            trail: &mut $app.trail,
            evidence: &$app.evidence,
            jobs: &mut $app.jobs,
            out: $out,
        };
        match $app.tab {
            Tab::Lookup => {
                let $tab = &mut $app.lookup;
                $do
            }
            Tab::Tags => {
                let $tab = &mut $app.tags;
                $do
            }
            Tab::Quota => {
                let $tab = &mut $app.quota;
                $do
            }
            Tab::Feeds => {
                let $tab = &mut $app.feeds;
                $do
            }
            Tab::Export => {
                let $tab = &mut $app.export;
                $do
            }
        }
    }};
}

impl App {
    /// Does what a person wants: an overlay first, then the tab in front, then what holds everywhere.
    pub(super) fn act(&mut self, intent: Intent, out: &mut Outbox) {
        if intent == Intent::Leave {
            return out.cmd(Cmd::Quit);
        }
        if self.overlay.is_some() {
            return self.act_on_overlay(intent, out);
        }
        if in_front!(self, out, |tab, ctx| tab.act(intent, ctx)) {
            return;
        }
        self.act_everywhere(intent, out);
    }

    fn act_everywhere(&mut self, intent: Intent, out: &mut Outbox) {
        match intent {
            Intent::Tab(tab) => out.go = Some(Place::Tab(tab)),
            Intent::Back => match self.trail.back().cloned() {
                Some(stop) => self.show(&stop),
                None => out.say(Tone::Info, "this is where the trail begins"),
            },
            Intent::Forward => match self.trail.forward().cloned() {
                Some(stop) => self.show(&stop),
                None => out.say(Tone::Info, "this is where the trail ends"),
            },
            Intent::Help => self.overlay = Some(Overlay::Help(self.choices_here())),
            Intent::Palette => self.overlay = Some(Overlay::Palette(self.choices_anywhere())),
            Intent::Jobs => self.overlay = Some(Overlay::Jobs(Cursor::default())),
            Intent::Messages => self.overlay = Some(Overlay::Messages(Cursor::default())),
            Intent::Yank => self.overlay = Some(Overlay::Yank),
            Intent::Zoom => self.zoomed = !self.zoomed,
            Intent::Privacy => self.private = !self.private,
            Intent::Mouse => {
                self.mouse_taken = !self.mouse_taken;
                out.cmd(Cmd::CaptureMouse(self.mouse_taken));
                let who = if self.mouse_taken {
                    "ipspect has the mouse (M gives it back)"
                } else {
                    "the terminal has the mouse"
                };
                out.say(Tone::Info, who);
            }
            Intent::Repaint => out.cmd(Cmd::Repaint),
            Intent::Suspend => out.cmd(Cmd::Suspend),
            Intent::OpenDemo if !self.facts.invented => out.cmd(Cmd::OpenDemo),
            Intent::EnterToken => self.overlay = Some(Overlay::Token(TokenEntry::default())),
            Intent::Edit | Intent::Page => match in_front_document(self) {
                Some(text) if intent == Intent::Edit => out.cmd(Cmd::Edit(text)),
                Some(text) => out.cmd(Cmd::Page(text)),
                None => out.say(Tone::Info, "there is no JSON here yet"),
            },
            Intent::Input => {
                self.tab = Tab::Lookup;
                self.lookup.type_address();
            }
            Intent::Cancel | Intent::Pause => self.act_on_job(intent, out),
            Intent::Escape => {
                self.notices.dismiss();
                self.zoomed = false;
            }
            Intent::Quit => self.quit(out),
            _ => {}
        }
    }

    fn quit(&mut self, out: &mut Outbox) {
        let running = self.jobs.running().count();
        if running == 0 {
            return out.cmd(Cmd::Quit);
        }
        let noun = if running == 1 {
            "1 job is".to_owned()
        } else {
            format!("{running} jobs are")
        };
        let question = format!("{noun} under way. Leave? Downloads go on at the next start.");
        self.overlay = Some(Overlay::Confirm(Confirm {
            question,
            then: vec![Cmd::Quit],
        }));
    }

    fn act_on_job(&mut self, intent: Intent, out: &mut Outbox) {
        let newest = self
            .jobs
            .all()
            .iter()
            .rev()
            .find(|job| job.is_open())
            .map(|job| job.id);
        match (newest, intent) {
            (Some(id), Intent::Cancel) => self.jobs.cancel(id, out),
            (Some(id), _) => self.jobs.pause(id, out),
            (None, _) => out.say(Tone::Info, "nothing is under way"),
        }
    }

    fn act_on_overlay(&mut self, intent: Intent, out: &mut Outbox) {
        let Some(overlay) = self.overlay.as_mut() else {
            return;
        };
        match (overlay, intent) {
            (Overlay::Yank, Intent::YankAs(what)) => {
                self.overlay = None;
                self.yank(what, out);
            }
            (Overlay::Confirm(confirm), Intent::Yes) => {
                let then = std::mem::take(&mut confirm.then);
                self.overlay = None;
                if then.contains(&Cmd::Forget) {
                    self.trail.clear();
                    self.lookup.forget();
                }
                out.cmds.extend(then);
            }
            (Overlay::Help(picker) | Overlay::Palette(picker), Intent::Go(motion)) => {
                picker.step(motion, 10)
            }
            (Overlay::Help(_) | Overlay::Palette(_), Intent::Open) => self.choose(out),
            (Overlay::Jobs(cursor), Intent::Go(motion)) => {
                cursor.step(motion, self.jobs.all().len(), 10);
            }
            (Overlay::Jobs(cursor), Intent::Cancel | Intent::Pause) => {
                let index = cursor.index();
                let Some(id) = self.jobs.all().iter().rev().nth(index).map(|job| job.id) else {
                    return;
                };
                if intent == Intent::Cancel {
                    self.jobs.cancel(id, out);
                } else {
                    self.jobs.pause(id, out);
                }
            }
            (Overlay::Messages(cursor), Intent::Go(motion)) => {
                cursor.step(motion, self.notices.log().len(), 10);
            }
            (Overlay::Token(entry), Intent::NextPane | Intent::PreviousPane) => {
                entry.keep = if entry.keep == Keep::ForNow {
                    Keep::InFile
                } else {
                    Keep::ForNow
                };
            }
            (Overlay::Token(_), Intent::Open) => self.take_token(out),
            (_, Intent::Escape | Intent::No | Intent::Quit) => self.overlay = None,
            _ => {}
        }
    }

    fn take_token(&mut self, out: &mut Outbox) {
        let Some(Overlay::Token(entry)) = self.overlay.as_ref() else {
            return;
        };
        match crate::contract::Token::new(entry.field.value()) {
            Ok(token) => {
                let job = out.ask(Question::Login(token, entry.keep));
                self.quota.expect_probe(job);
                self.facts.token = TokenState::There;
                self.overlay = None;
                out.go = Some(Place::Tab(Tab::Quota));
                out.say(Tone::Info, "asking each host what the token may do");
            }
            Err(why) => out.say(Tone::Error, why.to_string()),
        }
    }

    /// What was typed has changed.
    pub(super) fn typed(&mut self, out: &mut Outbox) {
        match &mut self.overlay {
            Some(Overlay::Help(picker) | Overlay::Palette(picker)) => picker.refilter(),
            Some(_) => {}
            None => in_front!(self, out, |tab, ctx| tab.typed(ctx)),
        }
    }

    fn yank(&mut self, what: Yank, out: &mut Outbox) {
        if !in_front!(self, out, |tab, ctx| tab.yank(what, ctx)) {
            out.say(Tone::Info, "there is nothing of that kind to copy here");
        }
    }

    /// The keys of this place.
    fn choices_here(&self) -> Picker<Choice> {
        let scopes = self.scopes();
        let bindings = keys::reachable(&scopes).filter(|binding| !binding.help.is_empty());
        let items = bindings.map(|binding| Item {
            label: binding.help.to_owned(),
            key: binding.chord.to_string(),
            detail: binding.scope.title().to_owned(),
            enabled: self.possible(binding.intent),
            value: Choice::Do(binding.intent),
        });
        Picker::new(items.collect())
    }

    /// Everything that can be done, here and elsewhere.
    fn choices_anywhere(&self) -> Picker<Choice> {
        let item = |label: &str, detail: &str, value: Choice| Item {
            label: label.to_owned(),
            key: String::new(),
            detail: detail.to_owned(),
            enabled: Ok(()),
            value,
        };
        let mut items = vec![
            item(
                "lookup ADDRESS",
                "look an address up",
                Choice::Begin("lookup "),
            ),
            item(
                "tag NAME",
                "open the metadata of a tag",
                Choice::Begin("tag "),
            ),
            item("token", "enter a token", Choice::Do(Intent::EnterToken)),
            item(
                "forget",
                "erase the trail, here and on disk",
                Choice::Forget,
            ),
        ];
        if !self.facts.invented {
            items.push(item(
                "demo",
                "open the embedded service with invented data",
                Choice::Do(Intent::OpenDemo),
            ));
        }
        let themes = Theme::NAMES.into_iter().map(|name| {
            item(
                &format!("theme {name}"),
                "change the colours",
                Choice::Theme(name),
            )
        });
        items.extend(themes);
        items.extend(self.choices_here().items().iter().cloned());
        Picker::new(items)
    }

    /// Whether something can be done now; if not, why.
    fn possible(&self, intent: Intent) -> Result<(), &'static str> {
        match intent {
            Intent::Back if self.trail.behind().is_none() => Err("the trail begins here"),
            Intent::Pause | Intent::Cancel if self.jobs.running().next().is_none() => {
                Err("nothing is under way")
            }
            Intent::Refresh | Intent::TestAccess if self.facts.offline => {
                Err("--offline: nothing is sent")
            }
            Intent::Refresh | Intent::TestAccess if !self.facts.is_ready() => {
                Err("no service or no token is configured")
            }
            _ => Ok(()),
        }
    }

    fn choose(&mut self, out: &mut Outbox) {
        let Some(Overlay::Help(picker) | Overlay::Palette(picker)) = self.overlay.as_mut() else {
            return;
        };
        let typed = picker
            .field()
            .value()
            .trim()
            .trim_start_matches(':')
            .to_owned();
        if let Some((command, word)) = typed.split_once(' ')
            && !word.trim().is_empty()
            && self.command(command, word.trim(), out)
        {
            return;
        }
        let Some(Overlay::Help(picker) | Overlay::Palette(picker)) = self.overlay.as_mut() else {
            return;
        };
        let Some(item) = picker.chosen().cloned() else {
            return;
        };
        if let Err(why) = item.enabled {
            return out.say(Tone::Warn, format!("not now: {why}"));
        }
        match item.value {
            Choice::Begin(start) => {
                picker.field().set(start);
                picker.refilter();
            }
            Choice::Do(intent) => {
                self.overlay = None;
                self.act(intent, out);
            }
            Choice::Theme(name) => {
                self.overlay = None;
                self.use_theme(name, out);
            }
            Choice::Forget => {
                let question =
                    "Erase the trail, here and on disk? What was downloaded stays.".to_owned();
                self.overlay = Some(Overlay::Confirm(Confirm {
                    question,
                    then: vec![Cmd::Forget],
                }));
            }
        }
    }

    /// A command with a word behind it; says whether it was one.
    fn command(&mut self, command: &str, word: &str, out: &mut Outbox) -> bool {
        match command {
            "lookup" => match parse_address(word) {
                Ok(address) => {
                    self.overlay = None;
                    out.go = Some(Place::Address(self.lookup.query_for(address)));
                }
                Err(why) => out.say(Tone::Error, why.to_string()),
            },
            "tag" => match word.parse() {
                Ok(tag) => {
                    self.overlay = None;
                    out.go = Some(Place::Tag(tag));
                }
                Err(why) => out.say(Tone::Error, format!("{why}")),
            },
            "theme" => {
                self.overlay = None;
                self.use_theme(word, out);
            }
            _ => return false,
        }
        true
    }

    fn use_theme(&mut self, name: &str, out: &mut Outbox) {
        match Theme::named(
            name,
            std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()),
        ) {
            Some(theme) => self.theme = theme,
            None => out.say(
                Tone::Error,
                format!(
                    "there is no theme {name}; there are {}",
                    Theme::NAMES.join(", ")
                ),
            ),
        }
    }

    /// Takes an answer to where it was asked.
    pub(super) fn answered(&mut self, id: JobId, result: Result<Answer, Error>, out: &mut Outbox) {
        self.jobs.finish(id, result.as_ref(), out);
        let Some(question) = self.asked.remove(&id) else {
            return;
        };
        if let Ok(answer) = &result {
            self.evidence.learn(&question, answer);
        }
        let body = self.areas().body;
        let ctx = &mut UpdateCtx {
            facts: &self.facts,
            body,
            trail: &mut self.trail,
            evidence: &self.evidence,
            jobs: &mut self.jobs,
            out,
        };
        match question {
            Question::Lookup(query) => self.lookup.answered(id, query, result, ctx),
            Question::Trail => self.lookup.recall(result, ctx),
            Question::Tag(tag) => self.tags.answered(id, &tag, result, ctx),
            Question::Status | Question::Probe | Question::Ledger | Question::Login(..) => {
                self.quota.answered(id, result, ctx)
            }
            Question::Metadata(_)
            | Question::Runs(_)
            | Question::Files(..)
            | Question::Releases
            | Question::Pull(_)
            | Question::Readme(..) => {
                self.feeds.answered(id, &question, result, ctx);
            }
            Question::Export(_)
            | Question::Sample(_)
            | Question::Preview(_)
            | Question::IsThere(_) => self.export.answered(id, &question, result, ctx),
        }
    }

    /// What the hosts said; a balance that fell below the guard is worth a word.
    pub(super) fn heard(&mut self, balance: Option<Balance>, access: Access, out: &mut Outbox) {
        self.facts.access = access;
        let before = self.facts.balance.map(|balance| balance.remaining);
        let now = balance.map(|balance| balance.remaining);
        if let (Some(before), Some(now)) = (before, now) {
            let guard = self.facts.guards.warn_below;
            if now < guard && before >= guard {
                out.say(
                    Tone::Warn,
                    format!("{now} queries are left: fewer than warn_below ({guard})"),
                );
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

fn in_front_document(app: &App) -> Option<String> {
    let document = match app.tab {
        Tab::Lookup => app.lookup.document(),
        Tab::Tags => app.tags.document(),
        Tab::Quota => app.quota.document(),
        Tab::Feeds => app.feeds.document(),
        Tab::Export => None,
    };
    document.map(|document| document.pretty() + "\n")
}
