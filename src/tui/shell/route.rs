//! Routes keys, pastes and the mouse: to what is open over everything, else to what is open over the tab in front, else to the tab,
//! else to the shell.
//!
//! A click refers to the last drawing. A single click opens nothing, so that the price of a second one is visible before it.
//! Questions are answered by keys only.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use jiff::Timestamp;
use ratatui::layout::Position;

use super::{
    app::App,
    copy::{self, YankMenu},
    header,
    keys::configured::name,
    overlays::{JobList, MessageLog, SortMenu, Stopping, leave},
    palette::{Choices, First},
    raw::{NOT_SEARCHED, RawView, is_raw},
    registry::{Action, ShellAction, TabId},
    setup::Setup,
    tour::Tour,
};
use crate::{
    model::visible,
    tui::{
        ctx::{
            Cmd, Destination, Flow, Gesture, Outbox, Owner, Price, Question, Scope, Surface,
            TabEvent, Why, Yank,
            intent::Intent::{self, Shared},
        },
        ui::{ClickTarget, Ground, Motion, TextField, Tone},
    },
};

/// The message if there is no JSON.
const NO_JSON: &str = "there is no JSON here yet";

/// Rows by which the wheel moves.
const NOTCH: usize = 3;

/// Whether a mouse event has an effect. Movements have none, and cause no drawing.
pub(super) fn is_of_use(kind: MouseEventKind) -> bool {
    matches!(
        kind,
        MouseEventKind::Down(MouseButton::Left)
            | MouseEventKind::ScrollUp
            | MouseEventKind::ScrollDown
    )
}

impl App {
    /// The scopes in which keys are looked up now, the most specific first.
    #[must_use]
    pub fn scopes(&self) -> Vec<Scope> {
        let mut scopes = match self.cover() {
            Some(cover) => cover.scopes(),
            None => self.tabs.of(self.tab).scopes(&self.facts),
        };
        let has_global = match (&self.overlay, scopes.first()) {
            // The keys for moving apply in lists; other global keys have no effect.
            (Some(_), Some(scope)) => matches!(scope, Scope::Jobs | Scope::Reading | Scope::Orders),
            (_, scope) => !scope.is_some_and(|scope| scope.is_typing()),
        };
        scopes.extend(has_global.then_some(Scope::Global));
        scopes.push(Scope::Always);
        scopes
    }

    /// The text field that is open, if any.
    pub(super) fn field(&mut self) -> Option<&mut TextField> {
        if self.cover().is_none() {
            return self.tabs.of_mut(self.tab).field();
        }
        self.cover_mut()?.field()
    }

    /// Handles a change of typed text.
    pub(super) fn typed(&mut self, out: &mut Outbox) {
        if self.cover_as::<Choices>().is_some() {
            self.search_choices(out.now);
        } else if let Some(cover) = self.cover_mut() {
            cover.typed();
        } else {
            if let Some(list) = self.tabs.of_mut(self.tab).list_mut() {
                list.typed();
            }
            self.tell(TabEvent::Typed, out);
        }
    }

    pub(super) fn key(&mut self, key: KeyEvent, out: &mut Outbox) {
        if self.holds_for_tour(key, out) {
            return;
        }
        let scopes = self.scopes();
        if let Some(row) = self.picked_by_number(&scopes, key) {
            self.act(Shared(Gesture::Go(Motion::To(row))), out);
            return self.act(Shared(Gesture::Open), out);
        }
        // Keys that move within the text are not text while there is none.
        let is_text = is_plain_text(key)
            && self
                .field()
                .is_some_and(|field| !(is_within_text(key) && field.is_empty()));
        let particular = scopes
            .iter()
            .copied()
            .filter(|scope| *scope != Scope::Global);
        let particular: Vec<Scope> = particular.collect();
        // Keys of the field's scope precede the field, and the field precedes global keys.
        if !is_text && let Some(intent) = self.keys.meaning(&particular, key) {
            return self.act(intent, out);
        }
        if let Some(field) = self.field() {
            let changed = field.on_key(key);
            if changed {
                self.typed(out);
            }
            if changed || is_text {
                return;
            }
        }
        match self.keys.meaning(&scopes, key) {
            Some(intent) => self.act(intent, out),
            None => self.explain(key, out),
        }
    }

    /// The row of the menu that a digit selects. Menus are numbered for screen readers. In a text field digits are text.
    fn picked_by_number(&mut self, scopes: &[Scope], key: KeyEvent) -> Option<usize> {
        let is_menu = matches!(scopes.first(), Some(Scope::Picker | Scope::Orders));
        if !self.look.screen_reader || !is_menu || !is_plain_text(key) {
            return None;
        }
        let KeyCode::Char(digit) = key.code else {
            return None;
        };
        let number = digit.to_digit(10)?.checked_sub(1)? as usize;
        let rows = self.cover().map_or(0, Surface::choices);
        let is_typed = self.field().is_some_and(|field| !field.is_empty());
        (!is_typed && number < rows).then_some(number)
    }

    pub(super) fn paste(&mut self, text: &str, out: &mut Outbox) {
        if self.field().is_none() && self.overlay.is_none() {
            self.act(Shared(Gesture::Input), out);
        }
        if self.cover().is_none() && self.tell(TabEvent::Pasted(text), out) {
            return;
        }
        if let Some(field) = self.field()
            && field.paste(text)
        {
            self.typed(out);
        }
    }
}

/// The mouse.
impl App {
    /// Handles a mouse event. The tour only uses keys.
    pub(super) fn mouse(&mut self, event: MouseEvent, out: &mut Outbox) {
        if self.tour.is_some() {
            return;
        }
        let at = Position::new(event.column, event.row);
        match event.kind {
            MouseEventKind::Down(MouseButton::Left) => self.click(at, out),
            MouseEventKind::ScrollUp => self.wheel(at, Motion::Up, out),
            MouseEventKind::ScrollDown => self.wheel(at, Motion::Down, out),
            _ => {}
        }
    }

    fn click(&mut self, at: Position, out: &mut Outbox) {
        let clicked = self.clicked.take();
        if self.overlay.is_none() && self.areas(out.now).header.contains(at) {
            if let Some(tab) = header::heading_at(self, at.x) {
                self.act(Intent::Action(Action::Front(tab)), out);
            }
            return;
        }
        let (ground, target) = self.spots.at(at);
        match ground {
            Ground::Beside => return self.click_beside(out),
            Ground::Pane(pane) if self.raw().is_none() => {
                if let Some(surfaces) = self.surfaces.get_mut(&self.tab) {
                    surfaces.retain(|surface| surface.lines() == 0);
                }
                self.tell(TabEvent::Pointed(pane), out);
            }
            Ground::Bare | Ground::Pane(_) | Ground::Over => {}
        }
        match target {
            Some(ClickTarget::Head(order)) => self.sort_by_head(order, out),
            Some(ClickTarget::Hint(at)) => {
                let hint = self.offered(&self.scopes(), out.now).nth(at);
                if let Some(intent) = hint.map(|hint| hint.intent) {
                    self.act(intent, out);
                }
            }
            Some(ClickTarget::Row {
                at: row,
                is_selected,
            }) => {
                let here = (self.tab, ground, row);
                if is_selected && clicked == Some(here) {
                    self.act(Shared(Gesture::Open), out);
                } else {
                    self.act(Shared(Gesture::Go(Motion::To(row))), out);
                    self.clicked = Some(here);
                }
            }
            None => {}
        }
    }

    /// Closes what was clicked beside, unless it is a question or has typed text.
    fn click_beside(&mut self, out: &mut Outbox) {
        let asks = matches!(
            self.scopes().first(),
            Some(Scope::Confirm | Scope::Erasing | Scope::Stopping | Scope::Setup)
        );
        let is_typed = self.field().is_some_and(|field| !field.is_empty());
        if !asks && !is_typed {
            self.act(Shared(Gesture::Escape), out);
        }
    }

    fn wheel(&mut self, at: Position, motion: Motion, out: &mut Outbox) {
        self.clicked = None;
        let (ground, _) = self.spots.at(at);
        for _ in 0..NOTCH {
            match ground {
                Ground::Bare | Ground::Beside => return,
                Ground::Pane(pane) if self.raw().is_none() => {
                    if !self.tell(TabEvent::MovedIn(pane, motion), out) {
                        self.in_front(out, |tab, ctx| tab.on(Gesture::Go(motion), ctx));
                    }
                }
                Ground::Pane(_) | Ground::Over => self.act(Shared(Gesture::Go(motion)), out),
            }
        }
    }
}

/// What keys and clicks mean.
impl App {
    /// Performs an intent.
    pub(super) fn act(&mut self, intent: Intent<Action>, out: &mut Outbox) {
        match intent {
            Shared(gesture) => self.gesture(gesture, out),
            Intent::Action(Action::Shell(action)) => self.act_everywhere(action, out),
            Intent::Action(_) if self.overlay.is_some() => {}
            Intent::Action(Action::Front(tab)) => {
                let is_in_front = tab == self.tab;
                self.bring(tab, out);
                if is_in_front {
                    self.go_home(out);
                }
                self.tell(TabEvent::Arrived, out);
            }
            Intent::Action(action) => {
                if !self.refuses(intent, out) {
                    let tab = self.tab;
                    let flow = self.at(tab, out, |tabs, ctx| tabs.run(action, ctx));
                    if matches!(flow, Flow::Close) {
                        self.surfaces.get_mut(&tab).and_then(Vec::pop);
                    }
                    self.follow(flow);
                }
            }
        }
    }

    /// Whether an intent has no effect in the tab in front now; if so, says why. This is the only place that refuses.
    fn refuses(&self, intent: Intent<Action>, out: &mut Outbox) -> bool {
        let why = self.refused(intent, out.now);
        let refuses = why.is_some();
        if let Some(why) = why {
            out.say(Tone::Info, why);
        }
        refuses
    }

    /// Why an intent has no effect: what is open over the tab gets gestures, and the tab actions.
    pub(super) fn refused(&self, intent: Intent<Action>, now: Timestamp) -> Option<Why> {
        if self.overlay.is_some() || self.raw().is_some() {
            return None;
        }
        match (intent, self.surface()) {
            (Shared(gesture), Some(surface)) => surface.when(gesture, &self.view(now)).err(),
            _ => self.idle(intent, now),
        }
    }

    /// The possible price of an intent in the tab in front, if it depends on the selection there.
    pub(super) fn price(&self, intent: Intent<Action>, now: Timestamp) -> Price {
        let price = match (intent, self.surface()) {
            _ if self.overlay.is_some() => return None,
            (Shared(gesture), Some(surface)) => surface.when(gesture, &self.view(now)),
            (Shared(_), None) => self.tabs.when(self.tab, intent, &self.view(now)),
            _ => return None,
        };
        price.ok().flatten()
    }

    /// Why an intent has no effect in the tab in front.
    pub(super) fn idle(&self, intent: Intent<Action>, now: Timestamp) -> Option<Why> {
        self.tabs.when(self.tab, intent, &self.view(now)).err()
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
            self.surfaces.remove(&self.tab);
            self.tell(TabEvent::Home, out);
        }
    }

    /// Handles a gesture: by what is open over the tab in front, else by the tab, else by the shell.
    pub(super) fn gesture(&mut self, gesture: Gesture, out: &mut Outbox) {
        if gesture == Gesture::Open && self.cover_as::<Choices>().is_some() {
            return self.choose(out);
        }
        if self.refuses(Shared(gesture), out) || self.on_front(gesture, out) {
            return;
        }
        match gesture {
            Gesture::Escape | Gesture::No | Gesture::Quit if self.overlay.is_some() => {
                self.overlay = None;
            }
            _ if self.overlay.is_some() => {}
            Gesture::Back if let Some(tab) = self.filled_from => {
                self.form_ahead = Some((self.tab, tab));
                self.bring(tab, out);
                self.tell(TabEvent::Arrived, out);
            }
            Gesture::Back if self.is_opened_from_list() => {
                let surface = self.opened_from.take().map(|(_, surface)| surface);
                self.surfaces.entry(self.tab).or_default().extend(surface);
            }
            Gesture::Back => self.back(out),
            Gesture::Raw | Gesture::Find => self.open_raw(gesture, out),
            Gesture::Input => {
                self.bring(TabId::Lookup, out);
                self.close_raw(self.tab);
                self.on_front(gesture, out);
            }
            Gesture::Cancel | Gesture::Pause => self.act_on_job(gesture, out),
            Gesture::Sort | Gesture::SortLeft | Gesture::SortRight => self.sort(gesture, out),
            Gesture::Escape => {
                self.notices.dismiss();
                self.zoomed = false;
            }
            Gesture::Quit => leave(Cmd::Quit, &self.jobs, out),
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
    pub(super) fn back(&mut self, out: &mut Outbox) {
        let left = self.left();
        if let Some(place) = left.or_else(|| Some(self.trail.back()?.clone().into())) {
            return self.show(&place, out);
        }
        let closes = self.tabs.of(self.tab).hint(Gesture::Escape);
        let closes = closes.map_or_else(String::new, |what| format!("; esc: {what}"));
        let text = format!("this is where the trail begins{closes}");
        out.say(Tone::Info, text);
    }

    /// The raw JSON, if it is in front.
    pub(super) fn raw(&self) -> Option<&RawView> {
        self.cover_as()
    }

    fn close_raw(&mut self, tab: TabId) {
        if let Some(surfaces) = self.surfaces.get_mut(&tab) {
            surfaces.retain(|surface| !is_raw(surface.as_ref()));
        }
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
        if self.hides_document(out) || self.raw().is_some() {
            return;
        }
        self.tell(TabEvent::RawOpens, out);
        let subject = self.subject();
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
        self.surfaces
            .entry(self.tab)
            .or_default()
            .push(Box::new(raw));
    }

    /// Sorts the table of the tab in front, or opens the menu for it.
    fn sort(&mut self, gesture: Gesture, out: &mut Outbox) {
        let orders = match self.raw() {
            Some(_) => None,
            None => self.orders(),
        };
        let Some(orders) = orders else {
            let why = self.idle(Shared(gesture), out.now);
            let none = || "there is no table to sort here".into();
            return out.say(Tone::Info, why.unwrap_or_else(none));
        };
        if gesture == Gesture::Sort {
            self.overlay = Some(Box::new(SortMenu::of(orders)));
        } else {
            let beside = orders.beside(gesture == Gesture::SortLeft);
            out.sort = beside.map(|at| (at, false));
        }
    }

    /// Sorts by the column whose head was clicked; once more reverses the order.
    fn sort_by_head(&mut self, order: usize, out: &mut Outbox) {
        let orders = self.orders();
        if let Some(orders) = orders.filter(|orders| order < orders.rows.len()) {
            out.sort = Some((order, orders.present == Some((order, false))));
        }
    }

    fn act_everywhere(&mut self, action: ShellAction, out: &mut Outbox) {
        match action {
            ShellAction::Leave => out.cmd(Cmd::Quit),
            ShellAction::YankAs(what) => {
                self.overlay = None;
                self.yank(what, out);
            }
            ShellAction::StopDownload(fate) => {
                if let Some(Stopping(id)) = self.cover_as().copied() {
                    self.overlay = None;
                    self.jobs.stop_download(id, fate, out);
                }
            }
            ShellAction::SwitchKeep => {
                if let Some(setup) = self.cover_as_mut::<Setup>() {
                    setup.switch_keep();
                }
            }
            _ if self.overlay.is_some() => {}
            ShellAction::Help => {
                self.overlay = Some(Box::new(self.choices(First::Keys, out.now)));
            }
            ShellAction::Palette => {
                self.overlay = Some(Box::new(self.choices(First::Commands, out.now)));
            }
            ShellAction::Jobs => self.overlay = Some(Box::new(JobList::default())),
            ShellAction::Messages => self.overlay = Some(Box::new(MessageLog::default())),
            // A question of the tab in front must be answered first.
            _ if self.is_asked() => {}
            ShellAction::Forward
                if let Some((form, from)) = self.form_ahead
                    && from == self.tab =>
            {
                self.form_ahead = None;
                self.bring(form, out);
                self.filled_from = Some(from);
                self.tell(TabEvent::Arrived, out);
            }
            // A table that was left where the trail begins is still the stop.
            ShellAction::Forward if let Some(place @ Destination::BoardOf(_)) = self.left() => {
                self.show(&place, out);
            }
            ShellAction::Forward => match self.trail.forward().cloned() {
                Some(stop) => self.show(&stop.into(), out),
                None => out.say(Tone::Info, "this is where the trail ends"),
            },
            ShellAction::Yank => self.overlay = Some(Box::new(YankMenu)),
            ShellAction::Raw(action) => match self.cover_as_mut::<RawView>() {
                Some(raw) if !action.is_to_match() || raw.is_searched() => raw.act(action),
                _ => out.say(Tone::Info, NOT_SEARCHED),
            },
            ShellAction::Zoom => self.zoomed = !self.zoomed,
            ShellAction::Privacy => {
                self.private = !self.private;
                self.close_raw(TabId::Quota);
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
            ShellAction::OpenDemo if self.facts.invented => {}
            ShellAction::OpenDemo => leave(Cmd::OpenDemo, &self.jobs, out),
            ShellAction::EnterToken => self.overlay = Some(Box::new(Setup::of(&self.facts))),
            ShellAction::Edit | ShellAction::Page if self.hides_document(out) => {}
            ShellAction::Edit | ShellAction::Page => {
                let document = self.subject().document;
                match document.map(|document| document.pretty() + "\n") {
                    Some(text) if action == ShellAction::Edit => out.cmd(Cmd::Edit(text)),
                    Some(text) => out.cmd(Cmd::Page(text)),
                    None => out.say(Tone::Info, NO_JSON),
                }
            }
            ShellAction::Tour => self.begin_tour(out),
            ShellAction::ChooseDate => out.go = Some(Destination::DayOfLookups),
            ShellAction::PrintMarked => self.print_marked(out),
            ShellAction::WriteList => self.write_list(out),
            ShellAction::BlockList => self.block_list(out),
        }
    }

    /// Exits and prints the marked rows, or the selected one, to standard output.
    fn print_marked(&mut self, out: &mut Outbox) {
        let lines = match self.marked() {
            none if none.is_empty() => self.subject().name().into_iter().collect(),
            marked => marked,
        };
        let lines = lines.iter().map(|line| visible(line).into_owned());
        let lines: Vec<String> = lines.collect();
        if lines.is_empty() {
            return out.say(Tone::Info, "nothing is marked or selected here");
        }
        leave(Cmd::Print(lines), &self.jobs, out);
    }

    fn act_on_job(&mut self, gesture: Gesture, out: &mut Outbox) {
        let owner = Owner(self.tab as usize);
        let mut open = self.jobs.all().iter().rev().filter(|job| job.is_open());
        let newest = open.find(|job| job.is_of(owner)).map(|job| job.id);
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

    fn yank(&mut self, what: Yank, out: &mut Outbox) {
        let is_of_surface = self
            .surface()
            .is_some_and(|surface| surface.subject().is_some());
        let done = self.on_surface(out, |surface, ctx| surface.copy(what, ctx)) == Some(true)
            || !is_of_surface && self.in_front(out, |tab, ctx| tab.copy(what, ctx))
            || copy::copy(what, &self.subject(), &self.marked(), &self.facts, out).is_some();
        if !done {
            out.say(Tone::Info, "there is nothing of that kind to copy here");
        }
    }

    /// Begins the tour, where a feed can be downloaded: a field that is open is left, so that keys mean what they mean.
    fn begin_tour(&mut self, out: &mut Outbox) {
        if let Some(lack) = self.facts.lack_of_feeds() {
            let text = format!("the tour downloads a feed: {lack}; `:demo` opens invented data");
            return out.say(Tone::Info, text);
        }
        self.surfaces.remove(&self.tab);
        for tab in [self.tab, TabId::Lookup] {
            let scopes = self.tabs.of(tab).scopes(&self.facts);
            if scopes.first().is_some_and(|scope| scope.is_typing()) {
                self.at(tab, out, |tabs, ctx| {
                    tabs.of_mut(tab).on(Gesture::Escape, ctx)
                });
            }
        }
        self.tour = Some(Tour::default());
    }

    /// The key that the tour waits for, in words: it has the action of the step now, or had it where that is possible.
    pub(super) fn key_of_tour(&self, tour: Tour) -> String {
        let key = |action: &str| {
            let scopes = self.scopes();
            let now = self.keys.reachable(&scopes);
            let mut own = now.chain(self.keys.all());
            own.find(|binding| name(binding.intent) == action)
        };
        let binding = tour.step().and_then(|step| key(step.action));
        binding.map_or_else(String::new, |binding| binding.chord.to_string())
    }

    /// Why a step of the tour has to wait: what it needs is not there yet, or it would cost a query.
    fn holds_step(&self, intent: Intent<Action>, out: &Outbox) -> Option<Why> {
        let mut running = self.jobs.running();
        if running.any(|job| matches!(job.question, Question::Pull(_))) {
            return Some("the download is under way: the tour goes on when it is done".into());
        }
        let price = self.price(intent, out.now);
        price.or_else(|| self.idle(intent, out.now))
    }

    /// Whether the tour keeps a key for itself: the named keys work, all others are ignored until it ends.
    fn holds_for_tour(&mut self, key: KeyEvent, out: &mut Outbox) -> bool {
        let Some(tour) = self.tour else {
            return false;
        };
        let leaves = Intent::Action(Action::Shell(ShellAction::Leave));
        if self.keys.meaning(&[Scope::Always], key) == Some(leaves) {
            return false;
        }
        let Some(step) = tour.step() else {
            self.tour = None;
            return self.overlay.is_none();
        };
        if key.code == KeyCode::Esc {
            if self.overlay.is_none() {
                self.tour = None;
                out.say(Tone::Info, "tour closed; F2 starts it again");
            }
            return self.overlay.is_none();
        }
        let meaning = self.keys.meaning(&self.scopes(), key);
        let why = match meaning.filter(|intent| name(*intent) == step.action) {
            None => {
                let key = self.key_of_tour(tour);
                Some(format!("the tour waits for {key}; esc leaves it"))
            }
            Some(intent) => {
                let why = self.holds_step(intent, out);
                why.map(|why| format!("{why}; esc leaves the tour"))
            }
        };
        let holds = why.is_some();
        match why {
            Some(why) => out.say(Tone::Info, why),
            None => self.tour = Some(tour.advanced()),
        }
        holds
    }
}

/// Whether a key moves within a text.
fn is_within_text(key: KeyEvent) -> bool {
    matches!(
        key.code,
        KeyCode::Left | KeyCode::Right | KeyCode::Home | KeyCode::End
    )
}

/// Whether a key is text in a field rather than a command. In a form, letters are commands only outside text fields.
fn is_plain_text(key: KeyEvent) -> bool {
    let control = key
        .modifiers
        .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
    matches!(key.code, KeyCode::Char(_)) && !control
        || matches!(key.code, KeyCode::Backspace | KeyCode::Delete)
        || is_within_text(key)
}

#[cfg(test)]
mod tests;
