//! The application: all state, changed in one synchronous [`App::update`]. Messages from outside come in as [`Msg`], effects go
//! out as [`Cmd`]. This module never waits, and touches neither the terminal nor the engine.

use std::{any::Any, collections::HashMap};

use crossterm::event::KeyEvent;
use jiff::Timestamp;
use ratatui::layout::Size;

use super::{
    keys::KeyBindings,
    msg::Msg,
    raw::is_raw,
    registry::{Action, ShellAction, TabId, Tabs},
    screen::ProgressShare,
    tour::Tour,
};
use crate::{
    contract::LookupQuery,
    engine::{Access, Balance, Error, PullQuery},
    tui::{
        ctx::{
            AgeClock, Answer, AnyList, Chord, Cmd, Destination, Entered, Evidence, Facts, Flow,
            Gesture, Intent, Job, JobId, Jobs, ListInFront, Orders, Outbox, Owner, PendingQuestion,
            Question, Scope, Subject, Surface, Tab, TabEvent, TabReply, TokenState, Trail,
            TrailStop, UpdateCtx, ViewCtx, request::mismatch,
        },
        ui::{Areas, Ground, Look, NoticeLog, Spots, Theme, Tone, areas::is_too_small},
    },
};

use super::overlays::Stopping;

/// The maximum size of a copied text that is kept for display, in bytes.
const LARGEST_NOTE: usize = 16 << 10;

/// The state of the application.
#[derive(Debug)]
pub struct App {
    /// Facts about the outside world.
    pub facts: Facts,
    pub tab: TabId,
    pub tabs: Tabs,
    /// What is open over each tab, the topmost last.
    pub(super) surfaces: HashMap<TabId, Vec<Box<dyn Surface>>>,
    /// What was open over a tab, and where it led.
    pub(super) opened_from: Option<(Destination, Box<dyn Surface>)>,
    /// What is open over everything. It gets all keys.
    pub overlay: Option<Box<dyn Surface>>,
    /// The visited addresses and tags.
    pub trail: Trail,
    /// The tab that filled in the export form in front; going back leads there.
    pub(super) filled_from: Option<TabId>,
    /// After going back from the form: its tab, and the tab that this led to. Going forward leads to the form again.
    pub(super) form_ahead: Option<(TabId, TabId)>,
    /// For each tag, the lookups that named it.
    pub evidence: Evidence,
    /// Questions and jobs.
    pub jobs: Jobs,
    /// The downloads that were saved as begun.
    begun: Vec<PullQuery>,
    pub notices: NoticeLog,
    /// The question of the error on the status line; its answer clears the line.
    failed: Option<Question>,
    /// The tour, while it runs.
    pub(super) tour: Option<Tour>,
    pub(super) ages: AgeClock,
    /// The clickable areas of the last drawing.
    pub(super) spots: Spots,
    /// The row of the last click, with its tab and area, until a key is pressed.
    pub(super) clicked: Option<(TabId, Ground, usize)>,
    pub look: Look,
    pub theme: Theme,
    pub keys: KeyBindings,
    pub size: Size,
    /// Whether one pane fills the screen.
    pub zoomed: bool,
    /// Whether profile and balance are hidden.
    pub private: bool,
    /// Whether the program captures the mouse.
    pub(super) mouse_taken: bool,
    /// The number of texts copied in this run.
    copies: usize,
    /// The note to copy, and its name.
    copied_note: Option<(String, String)>,
    /// Commands that were run, the newest last.
    pub(super) recent: Vec<String>,
}

impl App {
    /// The initial state. Asks nothing yet: see [`App::begin`].
    #[must_use]
    pub fn new(facts: Facts, theme: Theme, size: Size) -> Self {
        Self {
            facts,
            tab: TabId::Lookup,
            tabs: Tabs::default(),
            surfaces: HashMap::new(),
            opened_from: None,
            overlay: None,
            trail: Trail::default(),
            filled_from: None,
            form_ahead: None,
            evidence: Evidence::default(),
            jobs: Jobs::default(),
            begun: Vec::new(),
            notices: NoticeLog::default(),
            failed: None,
            tour: None,
            ages: AgeClock::default(),
            spots: Spots::default(),
            clicked: None,
            look: Look::default(),
            theme,
            keys: KeyBindings::default(),
            size,
            zoomed: false,
            private: false,
            mouse_taken: false,
            copies: 0,
            copied_note: None,
            recent: Vec::new(),
        }
    }

    /// Asks the first questions: the trail of earlier runs, and the address on the command line, if any.
    pub fn begin(&mut self, address: Option<LookupQuery>, now: Timestamp) -> Vec<Cmd> {
        let mut out = Outbox::new(now);
        self.at(TabId::Lookup, &mut out, |_, ctx| ctx.ask(Question::Trail));
        self.tell_all(|| TabEvent::Began, &mut out);
        out.go = address.map(Destination::Address);
        self.finish(out)
    }

    /// Opens a destination as if a tab requested it.
    pub(crate) fn open(&mut self, place: Destination, now: Timestamp) -> Vec<Cmd> {
        let mut out = Outbox::new(now);
        out.go = Some(place);
        self.finish(out)
    }

    /// Starts with the values that were entered before a restart, and asks each host.
    pub fn test_entered(&mut self, entered: Entered, now: Timestamp) -> Vec<Cmd> {
        self.open(Destination::Access(entered), now)
    }

    /// Handles a message; returns the effects.
    pub fn update(&mut self, msg: Msg, now: Timestamp) -> Vec<Cmd> {
        let mut out = Outbox::new(now);
        if matches!(msg, Msg::Key(_) | Msg::Paste(_) | Msg::Resize(_)) {
            self.clicked = None;
        }
        let place = self.place();
        let about = match &msg {
            Msg::Key(_) | Msg::Paste(_) | Msg::Mouse(_) | Msg::Copied(..) => None,
            Msg::Answered(id, _)
            | Msg::AtHand(id, ..)
            | Msg::LookedUp(id, ..)
            | Msg::Beginning(id, _) => Some(self.jobs.owner(*id)),
            _ => Some(None),
        };
        let is_unseen = is_too_small(self.size);
        match msg {
            Msg::Key(key) if is_unseen => self.key_unseen(key, &mut out),
            Msg::Paste(_) | Msg::Mouse(_) if is_unseen => {}
            Msg::Key(key) => self.key(key, &mut out),
            Msg::Paste(text) => self.paste(&text, &mut out),
            Msg::Mouse(event) => self.mouse(event, &mut out),
            Msg::Resize(size) => self.size = size,
            Msg::Focus(focused) => {
                self.facts.focused = focused;
                if focused {
                    self.tell(TabEvent::Focused, &mut out);
                }
            }
            Msg::Ground(ground) => {
                self.look.ground = Some(ground);
                self.theme = self.look.colours();
            }
            Msg::Tick => self.tell_all(|| TabEvent::Woken, &mut out),
            Msg::AtHand(id, sources, next) => {
                let owner = self.jobs.owner(id);
                if let Some(tab) = owner.and_then(TabId::of_owner) {
                    let event = TabEvent::AtHand(id, sources, next);
                    self.at(tab, &mut out, |tabs, ctx| {
                        tabs.of_mut(tab).handle(event, ctx)
                    });
                }
            }
            Msg::LookedUp(id, query, result) => {
                let owner = self.jobs.owner(id);
                if let Some(tab) = owner.and_then(TabId::of_owner) {
                    let event = TabEvent::LookedUp(id, query, result);
                    self.at(tab, &mut out, |tabs, ctx| {
                        tabs.of_mut(tab).handle(event, ctx)
                    });
                }
            }
            Msg::Beginning(id, text) => {
                let owner = self.jobs.owner(id);
                if let Some(tab) = owner.and_then(TabId::of_owner) {
                    let event = TabEvent::Beginning(id, text);
                    self.at(tab, &mut out, |tabs, ctx| {
                        tabs.of_mut(tab).handle(event, ctx)
                    });
                }
            }
            Msg::Progress(id, progress) => self.jobs.progress(id, progress, now),
            Msg::Answered(id, result) => self.answered(id, *result, &mut out),
            Msg::Heard(balance, access) => self.heard(balance, access, &mut out),
            Msg::Watched(news) => self.facts.watched.take(news),
            Msg::Copied(what, Ok(route)) => self.copied(&what, &route, &mut out),
            Msg::Copied(what, Err(why)) => {
                out.say(Tone::Error, format!("{what} not copied: {why}"))
            }
            Msg::Failed(what) => out.say(Tone::Error, what),
        }
        let has_said = !out.notices.is_empty();
        let cmds = self.finish(out);
        if has_said {
            let owner = about.unwrap_or(Some(Owner(self.tab as usize)));
            self.notices.tie(owner.map(|owner| owner.0));
        } else if self.place() != place {
            self.notices.leave(place.0 as usize);
        }
        cmds
    }

    /// The current place, to which a message may be limited.
    fn place(&self) -> (TabId, Vec<Scope>, Option<TrailStop>) {
        (self.tab, self.scopes(), self.trail.here().cloned())
    }

    /// Handles a key while nothing can be shown: only leaving has an effect.
    fn key_unseen(&mut self, key: KeyEvent, out: &mut Outbox) {
        let leaves = self.keys.meaning(&[Scope::Always], key)
            == Some(Intent::Action(Action::Shell(ShellAction::Leave)));
        if leaves || Chord::of(key) == Some(Chord::char('q')) {
            out.cmd(Cmd::Quit);
        }
    }

    /// Returns the effects of an update, the questions among them, after the requested destination is opened and all else is moved
    /// into the state.
    fn finish(&mut self, mut out: Outbox) -> Vec<Cmd> {
        if std::mem::take(&mut out.goes_back) {
            self.back(&mut out);
        }
        while let Some(place) = out.go.take() {
            self.go(place, &mut out);
        }
        if out.cmds.contains(&Cmd::Forget) {
            self.trail.clear();
            self.evidence.clear();
            self.copied_note = None;
            self.notices.drop_bodies();
            self.surfaces.clear();
            self.opened_from = None;
            self.tell_all(|| TabEvent::Forgotten, &mut out);
        }
        if let Some(part) = out.write.take() {
            self.start_writing(part, &mut out);
        }
        if let Some((order, is_reversed)) = out.sort.take()
            && let Some(list) = self.list_mut()
        {
            list.sort(order, is_reversed, &mut out);
        }
        self.tell(TabEvent::Changed, &mut out);
        if out.cmds.iter().any(Cmd::ends) {
            self.tell(TabEvent::Left, &mut out);
            // What is done on leaving is done before the end.
            out.cmds.sort_by_key(Cmd::ends);
        }
        if let Some(confirm) = out.confirm.take() {
            self.overlay = Some(Box::new(confirm));
        }
        if let Some(id) = out.stopping.take() {
            self.overlay = Some(Box::new(Stopping(id)));
        }
        if !out.notices.is_empty() {
            self.failed = out.failed.take();
        }
        for (tone, text) in out.notices.drain(..) {
            self.notices.push(tone, text, out.now);
        }
        if out.on_page {
            self.notices.dismiss();
        }
        if let Some(body) = out.body.take() {
            self.notices.attach(body);
        }
        // The bell is for users who do not look at the screen.
        if self.facts.focused {
            out.cmds.retain(|cmd| *cmd != Cmd::Bell);
        }
        for cmd in &out.cmds {
            match cmd {
                Cmd::Cancel(id) => drop(self.jobs.take(*id)),
                Cmd::Copy(what, text) => {
                    let is_note = text.len() <= LARGEST_NOTE && text.lines().nth(1).is_some();
                    self.copied_note = is_note.then(|| (what.clone(), text.clone()));
                }
                _ => {}
            }
        }
        let begun = self.jobs.begun();
        if begun != self.begun {
            out.cmds.push(Cmd::Begun(begun.clone()));
            self.begun = begun;
        }
        out.cmds
    }

    fn go(&mut self, place: Destination, out: &mut Outbox) {
        if let Destination::Access(entered) = &place
            && entered.token.is_some()
        {
            self.facts.token = TokenState::There;
        }
        let from = self.tab;
        self.form_ahead = None;
        self.uncover(&place, out);
        if matches!(place, Destination::Export(..)) && from != self.tab {
            self.filled_from = Some(from);
        }
        self.tell(TabEvent::Opened(place), out);
    }

    /// Shows a destination in its previous state. Sends nothing.
    pub(super) fn show(&mut self, place: &Destination, out: &mut Outbox) {
        self.uncover(place, out);
        self.tell(TabEvent::Shown(place), out);
    }

    /// Brings the tab of a destination to the front, with nothing open over it.
    fn uncover(&mut self, place: &Destination, out: &mut Outbox) {
        let tab = TabId::of(place);
        self.bring(tab, out);
        let mut left = self.surfaces.remove(&tab).into_iter().flatten();
        let place = match place {
            Destination::AtHand(query) => Destination::Address(*query),
            place => place.clone(),
        };
        if let Some(surface) = left.find(|surface| surface.stays()) {
            self.opened_from = Some((place, surface));
        } else {
            self.opened_from.take_if(|(led_to, _)| *led_to != place);
        }
    }

    /// Whether what is shown is where a list led that is no longer open.
    pub(super) fn is_opened_from_list(&self) -> bool {
        let here = self.trail.here().cloned().map(Destination::from);
        let place = self.opened_from.as_ref().map(|(place, _)| place);
        place.is_some_and(|place| TabId::of(place) == self.tab && here.as_ref() == Some(place))
    }

    /// Passes an answer to the part of the program that asked; a wrong type of answer becomes an error there.
    fn answered(&mut self, id: JobId, result: Result<Answer, Error>, out: &mut Outbox) {
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
        let Some(tab) = TabId::of_owner(owner) else {
            return;
        };
        let reply = TabReply {
            job: id,
            question: &question,
            result,
        };
        if let Some(reply) = self.answer_surfaces(tab, reply, out) {
            self.at(tab, out, |tabs, ctx| {
                tabs.of_mut(tab)
                    .handle(TabEvent::Answered(Box::new(reply)), ctx)
            });
        }
        if has_failed {
            out.failed = Some(question);
        }
        if has_changed {
            self.tell_all(|| TabEvent::LocalChanged, out);
        }
        // An answer never navigates for a user who has moved on.
        if tab != self.tab || self.overlay.is_some() {
            (out.go, out.goes_back) = (None, false);
        }
        out.on_page &= tab == self.tab;
    }

    /// Passes a reply to what is open over a tab, from the top; hands it on if nothing there asked for it.
    fn answer_surfaces<'q>(
        &mut self,
        tab: TabId,
        reply: TabReply<'q>,
        out: &mut Outbox,
    ) -> Option<TabReply<'q>> {
        let Some(mut surfaces) = self.surfaces.remove(&tab) else {
            return Some(reply);
        };
        let mut reply = Some(reply);
        self.at(tab, out, |_, ctx| {
            for surface in surfaces.iter_mut().rev() {
                reply = reply.take().and_then(|reply| surface.answered(reply, ctx));
            }
        });
        surfaces.retain(|surface| !surface.is_over());
        self.surfaces.insert(tab, surfaces);
        reply
    }

    /// Notes the balance and the access at each host, and warns if the balance fell below the guard.
    fn heard(&mut self, balance: Option<Balance>, access: Access, out: &mut Outbox) {
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
        self.facts.balance = balance.or(self.facts.balance);
    }

    /// Reports a copy and its route. No terminal confirms a copy, so a hint for the case of failure is shown once.
    fn copied(&mut self, what: &str, route: &str, out: &mut Outbox) {
        self.copies += 1;
        let if_not = match self.copies {
            1 if route.contains("tmux") => "; no paste? tmux: set -g set-clipboard on",
            1 => "; no paste? allow OSC 52 in the terminal",
            _ => "",
        };
        let note = self.copied_note.take().filter(|(text, _)| text == what);
        let shows = if note.is_some() { "; ! shows it" } else { "" };
        out.body = note.map(|(_, text)| text);
        let text = format!("copied {what} via {route}{shows}{if_not}");
        out.say(Tone::Ok, text);
    }

    /// Runs a function on a tab. The tab owns the questions that it asks.
    pub(super) fn at<R>(
        &mut self,
        tab: TabId,
        out: &mut Outbox,
        work: impl FnOnce(&mut Tabs, &mut UpdateCtx<'_>) -> R,
    ) -> R {
        let body = self.areas(out.now).body;
        let lead = self.surface().and_then(Surface::lead);
        let mut surfaces = self.surfaces.get(&tab).into_iter().flatten();
        let is_covered = surfaces.any(|surface| !is_raw(surface.as_ref()));
        let ctx = &mut UpdateCtx {
            facts: &self.facts,
            body,
            trail: &mut self.trail,
            evidence: &self.evidence,
            jobs: &mut self.jobs,
            notices: &self.notices,
            out,
            lead,
            is_covered,
            owner: Owner(tab as usize),
        };
        work(&mut self.tabs, ctx)
    }

    /// Runs a function on the tab in front.
    pub(super) fn in_front<R>(
        &mut self,
        out: &mut Outbox,
        work: impl FnOnce(&mut dyn Tab, &mut UpdateCtx<'_>) -> R,
    ) -> R {
        let tab = self.tab;
        self.at(tab, out, |tabs, ctx| work(tabs.of_mut(tab), ctx))
    }

    /// Tells all tabs what happened.
    fn tell_all(&mut self, event: fn() -> TabEvent<'static>, out: &mut Outbox) {
        for tab in TabId::ALL.iter().copied() {
            self.at(tab, out, |tabs, ctx| tabs.of_mut(tab).handle(event(), ctx));
        }
    }

    /// Tells the tab in front what happened; returns whether that has a meaning there.
    pub(super) fn tell(&mut self, event: TabEvent<'_>, out: &mut Outbox) -> bool {
        let flow = self.in_front(out, |tab, ctx| tab.handle(event, ctx));
        self.follow(flow)
    }

    /// Brings a tab to the front and leaves the previous one.
    pub(super) fn bring(&mut self, tab: TabId, out: &mut Outbox) {
        if tab != self.tab {
            self.tell(TabEvent::Left, out);
            self.tab = tab;
            self.filled_from = None;
        }
    }
}

/// What is open over the tabs.
impl App {
    /// The topmost of what is open over the tab in front.
    pub(crate) fn surface(&self) -> Option<&dyn Surface> {
        self.surfaces.get(&self.tab)?.last().map(AsRef::as_ref)
    }

    /// What gets the keys in place of the tab in front.
    pub(super) fn cover(&self) -> Option<&dyn Surface> {
        self.overlay.as_deref().or_else(|| self.surface())
    }

    pub(super) fn cover_mut(&mut self) -> Option<&mut (dyn Surface + 'static)> {
        let own = self
            .surfaces
            .get_mut(&self.tab)
            .and_then(|stack| stack.last_mut());
        self.overlay.as_mut().or(own).map(AsMut::as_mut)
    }

    /// The cover, if it is of this type.
    pub(super) fn cover_as<S: Surface>(&self) -> Option<&S> {
        let cover: &dyn Any = self.cover()?;
        cover.downcast_ref()
    }

    pub(super) fn cover_as_mut<S: Surface>(&mut self) -> Option<&mut S> {
        let cover: &mut dyn Any = self.cover_mut()?;
        cover.downcast_mut()
    }

    /// The list in front.
    pub(super) fn list(&self) -> Option<&dyn AnyList> {
        let over = self.surface().and_then(Surface::list);
        over.or_else(|| self.tabs.of(self.tab).list())
    }

    /// The list in front as it is written to a file.
    pub(crate) fn written_list(&self) -> Option<ListInFront<'_>> {
        let over = self.surface().and_then(Surface::list);
        let over = over.map(ListInFront::Held);
        over.or_else(|| self.tabs.of(self.tab).written_list())
    }

    fn list_mut(&mut self) -> Option<&mut dyn AnyList> {
        let surfaces = self.surfaces.get_mut(&self.tab);
        let over = surfaces.and_then(|stack| stack.last_mut()?.list_mut());
        over.or_else(|| self.tabs.of_mut(self.tab).list_mut())
    }

    /// The orders of the list in front; `None` without one, or if its order is fixed.
    pub(super) fn orders(&self) -> Option<Orders> {
        let orders = self.list()?.orders();
        (!orders.rows.is_empty()).then_some(orders)
    }

    /// The names of the marked rows in front, those that are shown first.
    pub(super) fn marked(&self) -> Vec<String> {
        self.list().map(AnyList::marked).unwrap_or_default()
    }

    /// What is in front.
    pub(super) fn subject(&self) -> Subject<'_> {
        let over = self.surface().and_then(Surface::subject);
        over.unwrap_or_else(|| self.tabs.of(self.tab).subject())
    }

    /// The lines above the tab in front that surfaces take.
    pub(super) fn docked_lines(&self) -> u16 {
        let surfaces = self.surfaces.get(&self.tab).into_iter().flatten();
        surfaces.map(|surface| surface.lines()).sum()
    }

    /// Lets the cover handle a gesture, else the tab in front; returns whether it has a meaning there.
    pub(super) fn on_front(&mut self, gesture: Gesture, out: &mut Outbox) -> bool {
        let tab = self.tab;
        if let Some(mut overlay) = self.overlay.take() {
            let flow = self.at(tab, out, |_, ctx| overlay.on(gesture, ctx));
            let is_ignored = matches!(flow, Flow::Ignored);
            self.overlay = match flow {
                Flow::Close => None,
                Flow::Push(next) => Some(next),
                Flow::Done | Flow::Ignored => Some(overlay),
            };
            return !is_ignored;
        }
        let flow = match self.on_surface(out, |surface, ctx| surface.on(gesture, ctx)) {
            Some(Flow::Close) => {
                self.surfaces.get_mut(&tab).and_then(Vec::pop);
                Flow::Close
            }
            Some(flow) => flow,
            None => self.in_front(out, |tab, ctx| tab.on(gesture, ctx)),
        };
        self.follow(flow)
    }

    /// Runs a function on the topmost surface over the tab in front.
    pub(super) fn on_surface<R>(
        &mut self,
        out: &mut Outbox,
        work: impl FnOnce(&mut dyn Surface, &mut UpdateCtx<'_>) -> R,
    ) -> Option<R> {
        let tab = self.tab;
        let mut surface = self.surfaces.get_mut(&tab).and_then(Vec::pop)?;
        let done = self.at(tab, out, |_, ctx| work(surface.as_mut(), ctx));
        self.surfaces.entry(tab).or_default().push(surface);
        Some(done)
    }

    /// Opens what was asked for over the tab in front; returns whether the gesture had a meaning.
    pub(super) fn follow(&mut self, flow: Flow) -> bool {
        match flow {
            Flow::Ignored => return false,
            Flow::Push(surface) => self.surfaces.entry(self.tab).or_default().push(surface),
            Flow::Done | Flow::Close => {}
        }
        true
    }
}

/// What is drawn.
impl App {
    /// The next time at which the screen changes by itself: a notice ends, a duration grows, or the wording of an age changes.
    #[must_use]
    pub fn wakes_at(&self, now: Timestamp) -> Option<Timestamp> {
        let second = jiff::SignedDuration::from_secs(1);
        // With a screen reader, nothing changes by itself.
        let ticks = !self.look.screen_reader;
        let tick = (ticks && self.jobs.is_waiting())
            .then(|| now.saturating_add(second).unwrap_or(Timestamp::MAX));
        let ages = self.ages.wakes_at().filter(|_| ticks);
        let tabs = TabId::ALL.iter();
        let tabs = tabs.map(|tab| self.tabs.of(*tab).wakes_at(now));
        let own = [self.notices.expires(now), tick, ages].into_iter();
        own.chain(tabs).flatten().min()
    }

    /// The progress of the jobs, for the title of the terminal and the taskbar.
    #[must_use]
    pub fn under_way(&self) -> Option<ProgressShare> {
        self.jobs.open().next()?;
        let mut running = self.jobs.running().peekable();
        let paused = running.peek().is_none();
        let share = running.chain(self.jobs.open()).find_map(Job::percent);
        Some(ProgressShare {
            share: share.map(|share| u8::try_from(share.min(100)).unwrap_or(100)),
            paused,
        })
    }

    #[must_use]
    pub fn view(&self, now: Timestamp) -> ViewCtx<'_> {
        let surface = self.surface().filter(|surface| !is_raw(*surface));
        ViewCtx {
            facts: &self.facts,
            trail: &self.trail,
            evidence: &self.evidence,
            jobs: &self.jobs,
            notices: &self.notices,
            keys: self.keys.hints(),
            theme: &self.theme,
            now,
            ages: &self.ages,
            spots: &self.spots,
            zoomed: self.zoomed,
            is_covered: surface.is_some(),
            lead: surface.and_then(Surface::lead),
            price: None,
            private: self.private,
        }
    }

    /// The layout of the screen.
    #[must_use]
    pub fn areas(&self, now: Timestamp) -> Areas {
        let has_notice = self.notices.latest(now).is_some();
        let size = self.look.size(self.size);
        let areas = Areas::of(size, self.jobs.open().count(), has_notice);
        if self.look.screen_reader {
            areas.spoken()
        } else {
            areas
        }
    }
}
