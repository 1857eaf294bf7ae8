//! Routes intents.

use super::{
    action::ShellAction,
    app::App,
    copy::copy,
    overlay::Overlay,
    palette::First,
    raw::{NOT_SEARCHED, RawView, TreeGesture},
    registry::{Action, TabId},
    setup::Setup,
};
use jiff::Timestamp;

use crate::{
    engine::{DownloadPlan, PullQuery},
    model::visible,
    tui::{
        ctx::{
            cmd::Cmd,
            destination::Destination,
            intent::{
                Gesture,
                Intent::{self, Shared},
                Scope, Yank,
            },
            jobs::{Job, JobState, Owner},
            outbox::{Confirm, Outbox},
            request::{Entered, Question},
            surface::Flow,
            tab::TabEvent,
        },
        ui::{
            cursor::{Cursor, Motion},
            theme::Tone,
        },
    },
};

/// The message if there is no JSON.
const NO_JSON: &str = "there is no JSON here yet";

impl App {
    /// Performs an intent: an overlay first, then the tab in front, then the shell.
    pub(super) fn act(&mut self, intent: Intent<Action>, out: &mut Outbox) {
        match intent {
            Intent::Action(Action::Shell(ShellAction::Leave)) => out.cmd(Cmd::Quit),
            intent if self.overlay.is_some() => self.act_on_overlay(intent, out),
            Shared(gesture) => self.gesture(gesture, out),
            Intent::Action(Action::Shell(action)) => {
                if !self.is_held(action) {
                    self.act_everywhere(action, out);
                }
            }
            Intent::Action(Action::Front(tab)) => {
                let is_in_front = tab == self.tab;
                self.bring(tab, out);
                if is_in_front {
                    self.go_home(out);
                }
                self.tell(TabEvent::Arrived, out);
            }
            Intent::Action(action) => {
                let tab = self.tab;
                if !self.refuses(intent, out) {
                    let flow = self.at(tab, out, |tabs, ctx| tabs.run(action, ctx));
                    if matches!(flow, Flow::Close) {
                        self.surfaces.get_mut(&tab).and_then(Vec::pop);
                    }
                    self.follow(tab, flow);
                }
            }
        }
    }

    /// Whether an intent has no effect in the tab in front now; if so, says why. This is the only place that refuses.
    fn refuses(&self, intent: Intent<Action>, out: &mut Outbox) -> bool {
        let reaches_tab = self.reaches_tab(intent);
        let why = reaches_tab.then(|| self.idle(intent, out.now)).flatten();
        let refuses = why.is_some();
        if let Some(why) = why {
            out.say(Tone::Info, why);
        }
        refuses
    }

    /// Whether the tab in front waits for the answer to a question to the user.
    pub(super) fn is_asked(&self) -> bool {
        let scope = match self.surface() {
            Some(surface) => Some(surface.scope()),
            None => self.tabs.of(self.tab).scopes(&self.facts).first().copied(),
        };
        matches!(scope, Some(Scope::Confirm | Scope::Erasing))
    }

    /// Goes to the first page of the tab in front; a question there stays open.
    pub(super) fn go_home(&mut self, out: &mut Outbox) {
        if !self.is_asked() {
            self.raw.remove(&self.tab);
            self.surfaces.remove(&self.tab);
            self.tell(TabEvent::Home, out);
        }
    }

    /// Whether a question of the tab in front must be answered before this action.
    fn is_held(&self, action: ShellAction) -> bool {
        let always = matches!(
            action,
            ShellAction::Help | ShellAction::Palette | ShellAction::Messages | ShellAction::Jobs
        );
        self.is_asked() && !always
    }

    /// Handles a gesture: by the raw JSON if it is open, else by what is open over the tab in front, else by the tab.
    pub(super) fn gesture(&mut self, gesture: Gesture, out: &mut Outbox) {
        let acted = if let Some(raw) = self.raw.get_mut(&self.tab) {
            raw.gesture(gesture)
        } else if self.refuses(Shared(gesture), out) || self.on_front(gesture, out) {
            TreeGesture::Done
        } else {
            TreeGesture::Ignored
        };
        match acted {
            TreeGesture::Done => return,
            TreeGesture::Closed => {
                self.raw.remove(&self.tab);
                return;
            }
            TreeGesture::Ignored => {}
        }
        match gesture {
            Gesture::Back if let Some(tab) = self.filled_from => {
                self.form_ahead = Some((self.tab, tab));
                self.bring(tab, out);
                self.tell(TabEvent::Arrived, out);
            }
            Gesture::Back => self.back(out),
            Gesture::Raw | Gesture::Find => self.open_raw(gesture, out),
            Gesture::Input => {
                self.bring(TabId::Lookup, out);
                self.raw.remove(&self.tab);
                self.on_front(gesture, out);
            }
            Gesture::Cancel | Gesture::Pause => self.act_on_job(gesture, out),
            Gesture::Sort | Gesture::SortLeft | Gesture::SortRight => self.sort(gesture, out),
            Gesture::Escape => {
                self.notices.dismiss();
                self.zoomed = false;
            }
            Gesture::Quit => self.quit(out),
            _ => {}
        }
    }

    /// The current stop of the trail, if the tab in front does not show it.
    pub(super) fn left(&self) -> Option<Destination> {
        let here = Destination::from(self.trail.here()?.clone());
        let is_here = TabId::of(&here) == self.tab && self.tabs.of(self.tab).shows(&here);
        (!is_here).then_some(here)
    }

    /// Goes back: to the current stop of the trail if the tab in front does not show it, else to the one before.
    fn back(&mut self, out: &mut Outbox) {
        let left = self.left();
        if let Some(place) = left.or_else(|| Some(self.trail.back()?.clone().into())) {
            return self.show(&place, out);
        }
        let closes = self.tabs.of(self.tab).hint(Gesture::Escape);
        let closes = closes.map_or_else(String::new, |what| format!("; esc: {what}"));
        let text = format!("this is where the trail begins{closes}");
        out.say(Tone::Info, text);
    }

    /// Whether the text of the tab in front is hidden while sharing the screen; if so, shows a notice.
    fn hides_document(&self, out: &mut Outbox) -> bool {
        let hides = self.private && self.tab == TabId::Quota;
        if hides {
            out.say(Tone::Info, "the account is hidden; ctrl-g shows it");
        }
        hides
    }

    fn open_raw(&mut self, gesture: Gesture, out: &mut Outbox) {
        if self.hides_document(out) {
            return;
        }
        self.tell(TabEvent::RawOpens, out);
        let subject = self.tabs.of(self.tab).subject();
        let Some(document) = subject.document else {
            let why = subject.without_document;
            return out.say(Tone::Info, why.unwrap_or_else(|| NO_JSON.to_owned()));
        };
        let title = subject.raw_title.clone().or_else(|| subject.name());
        let title = title.unwrap_or_default();
        let mut raw = RawView::of(title, document);
        if gesture == Gesture::Find {
            raw.find();
        }
        self.raw.insert(self.tab, raw);
    }

    fn act_everywhere(&mut self, action: ShellAction, out: &mut Outbox) {
        match action {
            ShellAction::Forward
                if let Some((form, from)) = self.form_ahead
                    && from == self.tab =>
            {
                self.form_ahead = None;
                self.bring(form, out);
                self.filled_from = Some(from);
                self.tell(TabEvent::Arrived, out);
            }
            ShellAction::Forward => match self.trail.forward().cloned() {
                Some(stop) => self.show(&stop.into(), out),
                None => out.say(Tone::Info, "this is where the trail ends"),
            },
            ShellAction::Help => {
                self.overlay = Some(Overlay::Help(self.choices(First::Keys, out.now)))
            }
            ShellAction::Palette => {
                self.overlay = Some(Overlay::Palette(self.choices(First::Commands, out.now)));
            }
            ShellAction::Jobs => self.overlay = Some(Overlay::Jobs(Cursor::default())),
            ShellAction::Messages => self.overlay = Some(Overlay::Messages(Cursor::default())),
            ShellAction::Yank => self.overlay = Some(Overlay::Yank),
            ShellAction::Raw(action) => match self.raw.get_mut(&self.tab) {
                Some(raw) if !action.is_to_match() || raw.is_searched() => raw.act(action),
                _ => out.say(Tone::Info, NOT_SEARCHED),
            },
            ShellAction::Zoom => self.zoomed = !self.zoomed,
            ShellAction::Privacy => {
                self.private = !self.private;
                self.raw.remove(&TabId::Quota);
            }
            ShellAction::Mouse => {
                self.mouse_taken = !self.mouse_taken;
                out.cmd(Cmd::CaptureMouse(self.mouse_taken));
                let who = if self.mouse_taken {
                    "ipspect has the mouse: shift-drag selects text in most terminals, M gives it back"
                } else {
                    "the terminal has the mouse"
                };
                out.say(Tone::Info, who);
            }
            ShellAction::Repaint => out.cmd(Cmd::Repaint),
            ShellAction::Suspend => out.cmd(Cmd::Suspend),
            ShellAction::OpenDemo if !self.facts.invented => {
                self.leave_with(Cmd::OpenDemo, out);
            }
            ShellAction::EnterToken => {
                self.overlay = Some(Overlay::Setup(Box::new(Setup::of(&self.facts))));
            }
            ShellAction::Edit | ShellAction::Page if self.hides_document(out) => {}
            ShellAction::Edit | ShellAction::Page => {
                let document = self.tabs.of(self.tab).subject().document;
                match document.map(|document| document.pretty() + "\n") {
                    Some(text) if action == ShellAction::Edit => out.cmd(Cmd::Edit(text)),
                    Some(text) => out.cmd(Cmd::Page(text)),
                    None => out.say(Tone::Info, NO_JSON),
                }
            }
            ShellAction::YankAs(what) => self.yank(what, out),
            ShellAction::Tour => self.begin_tour(out),
            ShellAction::ChooseDate => out.go = Some(Destination::DayOfLookups),
            ShellAction::PrintMarked => self.print_marked(out),
            ShellAction::OpenDemo
            | ShellAction::StopDownload(_)
            | ShellAction::SwitchKeep
            | ShellAction::Leave => {}
        }
    }

    /// Exits and prints the marked rows, or the selected one, to standard output.
    fn print_marked(&mut self, out: &mut Outbox) {
        let tab = self.tabs.of(self.tab);
        let lines = match tab.marked() {
            none if none.is_empty() => tab.subject().name().into_iter().collect(),
            marked => marked,
        };
        let lines: Vec<String> = lines
            .iter()
            .map(|line| visible(line).into_owned())
            .collect();
        if lines.is_empty() {
            return out.say(Tone::Info, "nothing is marked or selected here");
        }
        self.leave_with(Cmd::Print(lines), out);
    }

    fn quit(&mut self, out: &mut Outbox) {
        self.leave_with(Cmd::Quit, out);
    }

    /// Exits with this effect; asks first if there are jobs in progress.
    pub(super) fn leave_with(&mut self, leave: Cmd, out: &mut Outbox) {
        match self.confirm_leaving(leave.clone()) {
            Some(confirm) => self.overlay = Some(Overlay::Confirm(confirm)),
            None => out.cmd(leave),
        }
    }

    /// The question before exiting with this effect, if there are jobs in progress.
    fn confirm_leaving(&self, leave: Cmd) -> Option<Confirm> {
        let running = self.jobs.running().count();
        let paused = self.jobs.open().count() - running;
        if running + paused == 0 {
            return None;
        }
        let are = |count: usize| match count {
            1 => "1 job is".to_owned(),
            count => format!("{count} jobs are"),
        };
        let noun = match (running, paused) {
            (0, paused) => format!("{} paused", are(paused)),
            (running, 0) => format!("{} under way", are(running)),
            (running, paused) => format!("{} under way, {paused} paused", are(running)),
        };
        let download = |job: &Job| match job.question {
            Question::Pull(query) => Some((query, job.state == JobState::Running)),
            _ => None,
        };
        let (going_on, paused_ones): (Vec<_>, Vec<_>) = self
            .jobs
            .open()
            .filter_map(download)
            .partition(|(_, is_running)| *is_running);
        let queries = |all: Vec<(PullQuery, bool)>| all.into_iter().map(|own| own.0).collect();
        let downloads = DownloadPlan {
            going_on: queries(going_on),
            paused: queries(paused_ones),
        };
        let later = match (running, paused) {
            (0, 1) => "It is kept for the next start.",
            (0, _) => "They are kept for the next start.",
            _ if !downloads.going_on.is_empty() => {
                "Downloads go on at the next start; ctrl-c leaves them paused."
            }
            (_, 0) => "It ends here.",
            _ => "Running jobs end here; paused downloads are kept for the next start.",
        };
        Some(Confirm {
            question: format!("{noun}. Leave? {later}"),
            then: vec![Cmd::SaveDownloadPlan(downloads), leave],
            erases: false,
        })
    }

    fn act_on_job(&mut self, gesture: Gesture, out: &mut Outbox) {
        let own = Owner(self.tab as usize);
        let mut open = self.jobs.all().iter().rev().filter(|job| job.is_open());
        let newest = open.find(|job| job.is_of(own)).map(|job| job.id);
        let elsewhere = self.jobs.open().next().is_some();
        match (newest, gesture) {
            (Some(id), Gesture::Cancel) => self.jobs.cancel(id, out),
            (Some(id), _) => self.jobs.pause(id, out),
            (None, _) if elsewhere => {
                out.say(Tone::Info, "nothing is under way here; J lists the jobs");
            }
            (None, _) => out.say(Tone::Info, "nothing is under way"),
        }
    }

    fn act_on_overlay(&mut self, intent: Intent<Action>, out: &mut Outbox) {
        let Some(overlay) = self.overlay.as_mut() else {
            return;
        };
        match (overlay, intent) {
            (Overlay::Yank, Intent::Action(Action::Shell(ShellAction::YankAs(what)))) => {
                self.overlay = None;
                self.yank(what, out);
            }
            // Enter is a habit, so it must not confirm a deletion.
            (Overlay::Confirm(confirm), Shared(Gesture::Open))
                if confirm.then.contains(&Cmd::Forget) =>
            {
                out.say(Tone::Info, "y erases, n cancels");
            }
            (Overlay::Confirm(confirm), Shared(Gesture::Yes | Gesture::Open)) => {
                let then = std::mem::take(&mut confirm.then);
                self.overlay = None;
                if then.contains(&Cmd::Forget) {
                    self.trail.clear();
                    self.raw.clear();
                    self.surfaces.clear();
                    self.tell_all(|| TabEvent::Forgotten, out);
                }
                out.cmds.extend(then);
            }
            (
                Overlay::Stopping(id),
                Intent::Action(Action::Shell(ShellAction::StopDownload(fate))),
            ) => {
                let id = *id;
                self.overlay = None;
                self.jobs.stop_download(id, fate, out);
            }
            (Overlay::Yank, Shared(Gesture::Go(Motion::To(row)))) => {
                let copies = self.keys.all().filter(|own| own.scope == Scope::Yank);
                let intent = copies.map(|own| own.intent).nth(row);
                if let Some(intent) = intent {
                    self.act_on_overlay(intent, out);
                }
            }
            (Overlay::Help(picker) | Overlay::Palette(picker), Shared(Gesture::Go(motion))) => {
                picker.step(motion)
            }
            (Overlay::Help(_) | Overlay::Palette(_), Shared(Gesture::Open)) => self.choose(out),
            (Overlay::Jobs(cursor), Shared(Gesture::Go(motion))) => {
                cursor.step(motion, self.jobs.all().len());
            }
            (Overlay::Jobs(cursor), Shared(Gesture::Cancel | Gesture::Pause)) => {
                let index = cursor.index();
                let Some(id) = self.jobs.all().iter().rev().nth(index).map(|job| job.id) else {
                    return;
                };
                if intent == Shared(Gesture::Cancel) {
                    self.jobs.cancel(id, out);
                } else {
                    self.jobs.pause(id, out);
                }
            }
            (
                Overlay::Sort(_),
                Shared(
                    gesture @ (Gesture::Go(_)
                    | Gesture::Open
                    | Gesture::Sort
                    | Gesture::SortLeft
                    | Gesture::SortRight),
                ),
            ) => self.act_on_orders(gesture, out),
            (Overlay::Messages(cursor), Shared(Gesture::Go(motion))) => {
                cursor.step(motion, self.notices.log().len());
            }
            (Overlay::Setup(setup), Shared(Gesture::NextPane)) => setup.next(),
            (Overlay::Setup(setup), Shared(Gesture::PreviousPane)) => setup.previous(),
            (Overlay::Setup(setup), Shared(Gesture::Go(Motion::To(row)))) => setup.go_to(row),
            (Overlay::Setup(setup), Intent::Action(Action::Shell(ShellAction::SwitchKeep))) => {
                setup.switch_keep();
            }
            (Overlay::Setup(_), Shared(Gesture::Open)) => self.take_setup(out),
            (_, Shared(Gesture::Escape | Gesture::No | Gesture::Quit)) => self.overlay = None,
            _ => {}
        }
    }

    /// Applies the entered values. Other hosts restart the explorer; a token alone is tested in place.
    fn take_setup(&mut self, out: &mut Outbox) {
        let Some(Overlay::Setup(setup)) = self.overlay.as_mut() else {
            return;
        };
        let entered = match setup.entered() {
            Ok(entered) => entered,
            Err(why) => return out.say(Tone::Error, why),
        };
        let begins_anew = setup.begins_anew();
        let recipients = setup.new_recipients(&entered);
        self.overlay = None;
        if !begins_anew {
            out.go = Some(Destination::Access(entered));
            return;
        }
        let leave = Cmd::OpenService(entered);
        if recipients.is_empty() {
            return self.leave_with(leave, out);
        }
        let leaving = self.confirm_leaving(leave.clone());
        let (leaving, then) = leaving.map_or((String::new(), vec![leave]), |confirm| {
            (format!(" {}", confirm.question), confirm.then)
        });
        let to = recipients.join(" and ");
        self.overlay = Some(Overlay::Confirm(Confirm {
            question: format!("No token was entered. Send the stored token to {to}?{leaving}"),
            then,
            erases: true,
        }));
    }

    /// Starts with the values that were entered before a restart, and asks each host.
    pub fn test_entered(&mut self, entered: Entered, now: Timestamp) -> Vec<Cmd> {
        let mut out = Outbox::new(now);
        out.go = Some(Destination::Access(entered));
        self.settle(out)
    }

    /// Handles a change of typed text.
    pub(super) fn typed(&mut self, out: &mut Outbox) {
        match &mut self.overlay {
            Some(Overlay::Help(_) | Overlay::Palette(_)) => self.search_choices(out.now),
            Some(_) => {}
            None => {
                let surface = self
                    .surfaces
                    .get_mut(&self.tab)
                    .and_then(|own| own.last_mut());
                match (self.raw.get_mut(&self.tab), surface) {
                    (Some(raw), _) => raw.typed(),
                    (None, Some(surface)) => surface.typed(),
                    (None, None) => {
                        if let Some(list) = self.tabs.of_mut(self.tab).list_mut() {
                            list.typed();
                        }
                        self.tell(TabEvent::Typed, out);
                    }
                }
            }
        }
    }

    pub(super) fn yank(&mut self, what: Yank, out: &mut Outbox) {
        let raw = self.raw.get(&self.tab);
        let done = raw.is_some_and(|raw| raw.yank(what, out))
            || self.in_front(out, |tab, ctx| copy(tab, what, ctx));
        if !done {
            out.say(Tone::Info, "there is nothing of that kind to copy here");
        }
    }
}
