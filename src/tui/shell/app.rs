//! The application: all state, changed in one synchronous [`App::update`]. Messages from outside come in as [`Msg`], effects go
//! out as [`Cmd`]. This module never waits, and touches neither the terminal nor the engine.

use std::collections::HashMap;

use crossterm::event::{KeyCode, KeyEvent};
use jiff::Timestamp;
use ratatui::layout::Size;

use super::{
    action::ShellAction,
    keys::KeyBindings,
    msg::Msg,
    overlay::Overlay,
    raw::RawView,
    registry::{Action, TabId, Tabs},
    screen::ProgressShare,
    tour::Tour,
};
use crate::{
    contract::LookupQuery,
    engine::PullQuery,
    tui::{
        ctx::{
            ViewCtx,
            ages::AgeClock,
            chord::Chord,
            cmd::Cmd,
            destination::Destination,
            evidence::Evidence,
            facts::Facts,
            intent::{Gesture, Intent, Scope},
            jobs::{Job, Jobs},
            outbox::Outbox,
            request::Question,
            surface::Surface,
            tab::TabEvent,
            trail::{Trail, TrailStop},
        },
        ui::{
            areas::{Areas, is_too_small},
            cursor::Motion,
            look::Look,
            spots::{Ground, Pen, Spots},
            theme::{Theme, Tone},
            widgets::{notice::NoticeLog, text_field::TextField},
        },
    },
};

/// The state of the application.
#[derive(Debug)]
pub struct App {
    /// Facts about the outside world.
    pub facts: Facts,
    pub tab: TabId,
    pub tabs: Tabs,
    /// The raw JSON of each tab where it is open.
    pub(super) raw: HashMap<TabId, RawView>,
    /// What is open over each tab, the topmost last.
    pub(super) surfaces: HashMap<TabId, Vec<Box<dyn Surface>>>,
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
    pub(super) begun: Vec<PullQuery>,
    pub notices: NoticeLog,
    /// The question of the error on the status line; its answer clears the line.
    pub(super) failed: Option<Question>,
    /// The overlay above the tabs.
    pub overlay: Option<Overlay>,
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
    pub(super) copies: usize,
    /// The note to copy, and its name.
    pub(super) copied_note: Option<(String, String)>,
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
            raw: HashMap::new(),
            surfaces: HashMap::new(),
            trail: Trail::default(),
            filled_from: None,
            form_ahead: None,
            evidence: Evidence::default(),
            jobs: Jobs::default(),
            begun: Vec::new(),
            notices: NoticeLog::default(),
            failed: None,
            overlay: None,
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
        self.settle(out)
    }

    /// Handles a message; returns the effects.
    pub fn update(&mut self, msg: Msg, now: Timestamp) -> Vec<Cmd> {
        let mut out = Outbox::new(now);
        if matches!(msg, Msg::Key(_) | Msg::Paste(_) | Msg::Resize(_)) {
            self.clicked = None;
        }
        let place = self.place();
        let by_hand = matches!(
            msg,
            Msg::Key(_) | Msg::Paste(_) | Msg::Mouse(_) | Msg::Copied(..)
        );
        let asked_by = match &msg {
            Msg::Answered(id, _) | Msg::AtHand(id, ..) => self.jobs.owner(*id),
            _ => None,
        };
        match msg {
            Msg::Key(key) if self.is_unseen() => self.key_unseen(key, &mut out),
            Msg::Paste(_) | Msg::Mouse(_) if self.is_unseen() => {}
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
            Msg::AtHand(id, sources, next) => self.at_hand(id, sources, next, &mut out),
            Msg::Progress(id, progress) => self.jobs.progress(id, progress, now),
            Msg::Answered(id, result) => self.answered(id, *result, &mut out),
            Msg::Heard(balance, access) => self.heard(balance, access, &mut out),
            Msg::Copied(what, Ok(route)) => self.copied(&what, &route, &mut out),
            Msg::Copied(what, Err(why)) => {
                out.say(Tone::Error, format!("{what} not copied: {why}"))
            }
            Msg::Failed(what) => out.say(Tone::Error, what),
            Msg::Read(text) => self.open_text(&text, &mut out),
        }
        let has_said = !out.notices.is_empty();
        let cmds = self.settle(out);
        if has_said {
            let tab = if by_hand {
                Some(self.tab as usize)
            } else {
                asked_by.map(|owner| owner.0)
            };
            self.notices.tie(tab);
        } else if self.place() != place {
            self.notices.leave(place.0 as usize);
        }
        cmds
    }

    /// The current place, to which a message may be limited.
    fn place(&self) -> (TabId, Vec<Scope>, Option<TrailStop>) {
        (self.tab, self.scopes(), self.trail.here().cloned())
    }

    /// Reports a copy and its route. No terminal confirms a copy, so a hint for the case of failure is shown once.
    fn copied(&mut self, what: &str, route: &str, out: &mut Outbox) {
        self.copies += 1;
        let if_not = match self.copies {
            1 if route.contains("tmux") => "; no paste? tmux: set -g set-clipboard on",
            1 => "; no paste? allow OSC 52 in the terminal",
            _ => "",
        };
        let note = self.copied_note.take().filter(|(own, _)| own == what);
        let shows = if note.is_some() { "; ! shows it" } else { "" };
        out.body = note.map(|(_, text)| text);
        let text = format!("copied {what} via {route}{shows}{if_not}");
        out.say(Tone::Ok, text);
    }

    /// The next time at which the screen changes by itself: a notice ends, a duration grows, or the wording of an age changes.
    #[must_use]
    pub fn wakes_at(&self, now: Timestamp) -> Option<Timestamp> {
        let second = jiff::SignedDuration::from_secs(1);
        // With a screen reader, nothing changes by itself.
        let ticks = !self.look.screen_reader;
        let tick = (ticks && self.jobs.is_waiting())
            .then(|| now.saturating_add(second).unwrap_or(Timestamp::MAX));
        let ages = self.ages.wakes_at().filter(|_| ticks);
        let tabs = TabId::ALL
            .iter()
            .map(|tab| self.tabs.of(*tab).wakes_at(now));
        [self.notices.expires(now), tick, ages]
            .into_iter()
            .chain(tabs)
            .flatten()
            .min()
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

    /// The scopes in which keys are looked up now, the most specific first.
    #[must_use]
    pub fn scopes(&self) -> Vec<Scope> {
        if let Some(overlay) = &self.overlay {
            let scope = overlay.scope();
            // In lists the keys for moving apply; other global keys have no effect.
            let moves = matches!(scope, Scope::Jobs | Scope::Reading | Scope::Orders);
            let moves = moves.then_some(Scope::Global);
            return [Some(scope), moves, Some(Scope::Always)]
                .into_iter()
                .flatten()
                .collect();
        }
        let mut scopes = match (self.raw.get(&self.tab), self.surface()) {
            (Some(raw), _) => vec![raw.scope()],
            (None, Some(surface)) => surface.scopes(),
            (None, None) => self.tabs.of(self.tab).scopes(&self.facts),
        };
        if !scopes.first().is_some_and(|scope| scope.is_typing()) {
            scopes.push(Scope::Global);
        }
        scopes.push(Scope::Always);
        scopes
    }

    /// The text field that is open, if any.
    pub(super) fn field(&mut self) -> Option<&mut TextField> {
        if let Some(overlay) = &mut self.overlay {
            return overlay.field();
        }
        if let Some(raw) = self.raw.get_mut(&self.tab) {
            return raw.field();
        }
        match self
            .surfaces
            .get_mut(&self.tab)
            .and_then(|own| own.last_mut())
        {
            Some(surface) => surface.field(),
            None => self.tabs.of_mut(self.tab).field(),
        }
    }

    /// Whether the terminal is too small to show anything.
    fn is_unseen(&self) -> bool {
        is_too_small(self.size)
    }

    /// Handles a key while nothing can be shown: only leaving has an effect.
    fn key_unseen(&mut self, key: KeyEvent, out: &mut Outbox) {
        let leaves = self.keys.meaning(&[Scope::Always], key)
            == Some(Intent::Action(Action::Shell(ShellAction::Leave)));
        if leaves || Chord::of(key) == Some(Chord::char('q')) {
            out.cmd(Cmd::Quit);
        }
    }

    fn key(&mut self, key: KeyEvent, out: &mut Outbox) {
        if self.holds_for_tour(key, out) {
            return;
        }
        let scopes = self.scopes();
        if let Some(row) = self.picked_by_number(&scopes, key) {
            return self.pick(row, out);
        }
        let particular: Vec<Scope> = scopes
            .iter()
            .copied()
            .filter(|scope| *scope != Scope::Global)
            .collect();
        // Keys of the field's scope precede the field, and the field precedes global keys.
        if let Some(intent) = self.keys.meaning(&particular, key)
            && !self.takes_as_text(key)
        {
            return self.act(intent, out);
        }
        let is_text = self.takes_as_text(key);
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

    /// Whether a text field takes a key before any key of its scope. Those that move within the text are not text while there is none.
    fn takes_as_text(&mut self, key: KeyEvent) -> bool {
        let Some(field) = self.field() else {
            return false;
        };
        is_plain_text(key) && !(is_within_text(key) && field.is_empty())
    }

    /// The row of the menu that a digit selects. Menus are numbered for screen readers. In a text field digits are text.
    fn picked_by_number(&mut self, scopes: &[Scope], key: KeyEvent) -> Option<usize> {
        let is_menu = matches!(scopes.first(), Some(Scope::Picker | Scope::Orders));
        if !self.look.screen_reader || !is_menu || !is_plain_text(key) {
            return None;
        }
        let number = match key.code {
            KeyCode::Char(digit) => digit.to_digit(10)?.checked_sub(1)?,
            _ => return None,
        };
        let rows = match &self.overlay {
            Some(Overlay::Help(menu) | Overlay::Palette(menu)) => menu.found(),
            Some(Overlay::Sort(menu)) => menu.orders.rows.len(),
            Some(_) => 0,
            None => match self.surface() {
                Some(surface) => surface.choices(),
                None => self.tabs.of(self.tab).choices(),
            },
        };
        let is_typed = self.field().is_some_and(|field| !field.is_empty());
        (!is_typed && (number as usize) < rows).then_some(number as usize)
    }

    /// Chooses a row of the menu in front.
    fn pick(&mut self, row: usize, out: &mut Outbox) {
        let go = |motion| Intent::Shared(Gesture::Go(motion));
        self.act(go(Motion::First), out);
        for _ in 0..row {
            self.act(go(Motion::Down), out);
        }
        self.act(Intent::Shared(Gesture::Open), out);
    }

    /// Handles a text from a file like one that is pasted in Lookup.
    fn open_text(&mut self, text: &str, out: &mut Outbox) {
        self.raw.remove(&TabId::Lookup);
        self.act(Intent::Shared(Gesture::Input), out);
        if !self.tell(TabEvent::Pasted(text), out) {
            out.say(Tone::Warn, "the file has no address");
        }
    }

    fn paste(&mut self, text: &str, out: &mut Outbox) {
        if self.field().is_none() && self.overlay.is_none() {
            self.act(Intent::Shared(Gesture::Input), out);
        }
        if !self.is_covered() && self.tell(TabEvent::Pasted(text), out) {
            return;
        }
        if let Some(field) = self.field()
            && field.paste(text)
        {
            self.typed(out);
        }
    }

    #[must_use]
    pub fn view(&self, now: Timestamp) -> ViewCtx<'_> {
        ViewCtx {
            facts: &self.facts,
            trail: &self.trail,
            evidence: &self.evidence,
            jobs: &self.jobs,
            theme: &self.theme,
            now,
            ages: &self.ages,
            spots: &self.spots,
            zoomed: self.zoomed,
            surface: self.surface(),
            price: None,
            private: self.private,
        }
    }

    /// The context for drawing overlays.
    #[must_use]
    pub fn pen(&self) -> Pen<'_> {
        Pen::new(&self.theme, &self.spots)
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

/// Whether a key moves within a text.
fn is_within_text(key: KeyEvent) -> bool {
    use crossterm::event::KeyCode;
    matches!(
        key.code,
        KeyCode::Left | KeyCode::Right | KeyCode::Home | KeyCode::End
    )
}

/// Whether a key is text in a field rather than a command. In a form, letters are commands only outside text fields.
fn is_plain_text(key: KeyEvent) -> bool {
    use crossterm::event::{KeyCode, KeyModifiers};
    let control = key
        .modifiers
        .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
    matches!(key.code, KeyCode::Char(_)) && !control
        || matches!(key.code, KeyCode::Backspace | KeyCode::Delete)
        || is_within_text(key)
}
