//! The palette: the list of actions for help and commands, and the effect of choosing one.

use std::borrow::Cow;

use jiff::Timestamp;

use super::{
    action::ShellAction,
    app::App,
    commands::COMMANDS,
    keys::configured::name,
    overlay::{Overlay, PickerChoice},
    raw::{NOT_SEARCHED, RawView},
    registry::Action,
};
use crate::tui::{
    ctx::{
        binding::{Binding, rank},
        cmd::Cmd,
        intent::{
            Gesture,
            Intent::{self, Shared},
            Scope,
        },
        outbox::{Confirm, Outbox},
    },
    ui::{
        theme::Tone,
        widgets::picker::{Picker, PickerItem},
    },
};

/// The rows that come first before anything is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum First {
    /// The keys of this place, under headings.
    Keys,
    /// Recent commands, and actions without a key.
    Commands,
}

/// The maximum number of recent commands.
const RECENT: usize = 20;

/// The width of a key's name, in cells.
const KEY_ROOM: u16 = 9;

/// The same of a command's name.
const COMMAND_ROOM: u16 = 16;

/// The sections of help, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum HelpSection {
    /// What acts on what is in front.
    Pane,
    /// Moving, marking and sorting.
    Lists,
    /// Other places of the tab.
    Tab,
    Everywhere,
    /// The other tabs.
    Others,
}

impl HelpSection {
    const ALL: [Self; 5] = [
        Self::Pane,
        Self::Lists,
        Self::Tab,
        Self::Everywhere,
        Self::Others,
    ];

    fn of(binding: &Binding<Action>) -> Self {
        match binding.scope {
            _ if is_of_lists(binding.intent) => Self::Lists,
            Scope::Global | Scope::Always => Self::Everywhere,
            _ => Self::Pane,
        }
    }

    fn heading(self) -> &'static str {
        match self {
            Self::Pane => "This pane",
            Self::Lists => "Lists",
            Self::Tab => "This tab",
            Self::Everywhere => "Everywhere",
            Self::Others => "Other tabs",
        }
    }
}

/// Synonyms for searching actions.
const SYNONYMS: [(&str, &str); 28] = [
    ("back", "previous return"),
    ("cancel", "stop abort kill"),
    (
        "enter-token",
        "login log in key credentials host url address configure first run",
    ),
    ("escape", "back close leave return"),
    ("feeds.browser-compare", "what changed difference"),
    ("feeds.compare", "what changed difference yesterday"),
    ("feeds.downloads", "update stale refresh reindex"),
    ("feeds.follow", "watch live stream tail"),
    ("find", "search grep filter"),
    ("front-feeds", "list of feeds back"),
    ("jobs", "downloads progress queue tasks"),
    ("lookup.board", "table list several"),
    ("lookup.compare-dates", "history diff past"),
    ("lookup.note", "comment annotate remark"),
    ("messages", "errors log notifications"),
    ("mouse", "click wheel scroll select text"),
    ("privacy", "hide screen share secret"),
    ("print-marked", "pick select output pipe stdout fzf quit"),
    ("quit", "exit leave close"),
    ("raw", "json source"),
    ("redo", "again repeat"),
    ("refresh", "reload update fetch live query"),
    ("suspend", "background shell"),
    ("tour", "tutorial learn introduction help"),
    ("undo", "revert take back"),
    ("yank", "clipboard"),
    (
        "yank-as-ticket",
        "ticket note markdown report incident case evidence summary write share paste",
    ),
    ("zoom", "maximize fullscreen"),
];

/// A row for a command typed after `:`.
fn item(typed: impl AsRef<str>, does: &str, value: PickerChoice) -> PickerItem<PickerChoice> {
    PickerItem {
        label: does.to_owned(),
        key: format!(":{}", typed.as_ref()),
        detail: String::new(),
        enabled: Ok(()),
        value,
    }
}

/// The rank of a key, lowest first, as in the footer. At the start, the tabs come first.
fn nearness(binding: &Binding<Action>, is_start: bool) -> u8 {
    match binding.intent {
        Intent::Action(Action::Front(_)) if is_start => rank::FIRST + 1,
        Intent::Action(Action::Front(_)) => rank::LATER + 1,
        _ => binding.rank,
    }
}

/// A row for a key. A price that its words do not include comes first, so that it is never cut.
pub(super) fn row(
    binding: &Binding<Action>,
    enabled: Result<(), Cow<'static, str>>,
    price: Option<&str>,
) -> PickerItem<PickerChoice> {
    let copies = binding.scope == Scope::Yank;
    let key = if copies {
        format!("y {}", binding.chord)
    } else {
        binding.chord.to_string()
    };
    PickerItem {
        label: price.map_or_else(
            || binding.help.to_owned(),
            |price| format!("{price}: {}", binding.help),
        ),
        key,
        detail: binding.scope.title().to_owned(),
        enabled,
        value: PickerChoice::Do(binding.intent),
    }
}

/// Whether an action is one of lists: moving, marking, sorting.
fn is_of_lists(intent: Intent<Action>) -> bool {
    let marks = ["mark", "mark-range", "mark-all", "invert-marks"];
    match intent {
        Shared(
            Gesture::Go(_) | Gesture::Find | Gesture::Sort | Gesture::SortLeft | Gesture::SortRight,
        ) => true,
        Shared(gesture) => gesture.is_mark(),
        Intent::Action(_) => {
            let name = name(intent);
            let own = name.split_once('.').map_or("", |(_, own)| own);
            marks.contains(&own.trim_start_matches("browser-"))
        }
    }
}

impl App {
    /// The rows for all actions, here and elsewhere.
    pub(super) fn choices(&self, first: First, now: Timestamp) -> Picker<PickerChoice> {
        let keys = self.choices_by_key(now);
        let elsewhere = self.choices_elsewhere();
        let picker = match first {
            First::Keys => {
                let named = self.choices_by_name().into_iter();
                let elsewhere = elsewhere.into_iter().map(|item| match item.value {
                    PickerChoice::There(tab, ..) if tab == self.tab => (HelpSection::Tab, item),
                    PickerChoice::There(..) => (HelpSection::Others, item),
                    _ => (HelpSection::Everywhere, item),
                });
                let named = named.map(|item| (HelpSection::Everywhere, item));
                let mut items: Vec<_> = keys.into_iter().chain(named).chain(elsewhere).collect();
                items.sort_by_key(|(section, item)| (*section, item.enabled.is_err()));
                let begins = |section: &HelpSection| {
                    let first = items.iter().position(|(own, _)| own == section)?;
                    Some((first, section.heading()))
                };
                let headings = HelpSection::ALL.iter().filter_map(begins).collect();
                Picker::new(items.into_iter().map(|(_, item)| item).collect())
                    .with_headings(headings)
                    .with_key_room(KEY_ROOM)
            }
            First::Commands => {
                let recent = self.recent.iter().rev().map(|line| {
                    let does = match self.read_command(line, now) {
                        Some(Ok(typed)) => format!("again: {}", self.meaning_of(&typed)),
                        _ => "again".to_owned(),
                    };
                    item(line, &does, PickerChoice::Run(line.clone()))
                });
                let keys = keys.into_iter().map(|(_, item)| item);
                let named = recent.chain(self.choices_by_name());
                let mut items: Vec<_> = named.chain(keys).chain(elsewhere).collect();
                items.sort_by_key(|item| item.enabled.is_err());
                Picker::new(items).by_name().with_key_room(COMMAND_ROOM)
            }
        };
        picker.also_called(|choice| match choice {
            PickerChoice::Do(intent) | PickerChoice::There(.., intent) => {
                let own = name(*intent);
                let found = SYNONYMS.into_iter().find(|(action, _)| *action == own);
                found.map_or("", |(_, words)| words)
            }
            PickerChoice::Begin(command) => {
                let found = COMMANDS.iter().find(|own| own.name == *command);
                found.map_or("", |own| own.also)
            }
            PickerChoice::Run(_) | PickerChoice::Forget => "",
        })
    }

    fn choices_by_key(&self, now: Timestamp) -> Vec<(HelpSection, PickerItem<PickerChoice>)> {
        let scopes = self.scopes();
        let is_start = self.tabs.of(self.tab).subject().is_blank;
        let bindings = self.keys.reachable(&scopes);
        let bindings = bindings.filter(|binding| !binding.help.is_empty());
        let mut bindings: Vec<_> = bindings.collect();
        bindings.sort_by_key(|binding| nearness(binding, is_start));
        let item = |binding: &Binding<Action>| {
            let price = self.price(binding.intent, now);
            let item = row(binding, self.possible(binding, now), price.as_deref());
            (HelpSection::of(binding), item)
        };
        bindings.into_iter().map(item).collect()
    }

    /// The possible price of an intent in the tab in front, if it depends on the selection there.
    pub(super) fn price(
        &self,
        intent: Intent<Action>,
        now: Timestamp,
    ) -> Option<Cow<'static, str>> {
        match intent {
            Shared(_) if !self.raw.contains_key(&self.tab) && self.surface().is_none() => {
                let price = self.tabs.when(self.tab, intent, &self.view(now));
                price.ok().flatten()
            }
            _ => None,
        }
    }

    fn choices_by_name(&self) -> Vec<PickerItem<PickerChoice>> {
        let commands = COMMANDS.iter().map(|own| {
            let label = format!("{} {}", own.name, own.takes);
            item(label, own.help, PickerChoice::Begin(own.name))
        });
        let mut items: Vec<PickerItem<PickerChoice>> = commands.collect();
        let own = |action| PickerChoice::Do(Intent::Action(Action::Shell(action)));
        items.push(item(
            "token",
            "enter token and addresses of the service",
            own(ShellAction::EnterToken),
        ));
        let forget = "erase the trail, here and on disk";
        items.push(item("forget", forget, PickerChoice::Forget));
        if !self.facts.invented {
            let demo = "open the embedded service with invented data";
            items.push(item("demo", demo, own(ShellAction::OpenDemo)));
        }
        items
    }

    /// Whether the footer shows a key: only if its action is possible now.
    pub(super) fn is_offered(&self, binding: &Binding<Action>, now: Timestamp) -> bool {
        let is_typed = binding.chord.is_letter() && self.scopes().first() == Some(&Scope::FormText);
        !self.hint(binding, now).is_empty() && !is_typed && self.possible(binding, now).is_ok()
    }

    /// The footer's word for a key.
    pub(super) fn hint(&self, binding: &Binding<Action>, now: Timestamp) -> &'static str {
        let own = || self.tabs.hint(self.tab, binding.intent, &self.view(now));
        let own = (!self.is_covered()).then(own).flatten();
        own.unwrap_or(binding.hint)
    }

    /// The bindings that the footer shows for these scopes now, in order.
    pub(super) fn offered(
        &self,
        scopes: &[Scope],
        now: Timestamp,
    ) -> impl Iterator<Item = &Binding<Action>> {
        let reachable = self.keys.reachable(scopes);
        reachable.filter(move |binding| self.is_offered(binding, now))
    }

    /// Why an intent has no effect in the tab in front.
    pub(super) fn idle(&self, intent: Intent<Action>, now: Timestamp) -> Option<Cow<'static, str>> {
        self.tabs.when(self.tab, intent, &self.view(now)).err()
    }

    /// Whether a binding is possible now; if not, why.
    fn possible(&self, binding: &Binding<Action>, now: Timestamp) -> Result<(), Cow<'static, str>> {
        let is_covered = self.is_covered();
        if self.reaches_tab(binding.intent)
            && let Some(why) = self.idle(binding.intent, now)
        {
            return Err(why);
        }
        if self.surface().is_some()
            && self.is_asked()
            && binding.scope == Scope::Global
            && matches!(binding.intent, Shared(_))
        {
            return Err("the question comes first".into());
        }
        // An overlay with a list has the keys that move in it, and its own.
        if self.overlay.is_some()
            && binding.scope == Scope::Global
            && !matches!(binding.intent, Shared(Gesture::Go(_)))
        {
            return Err("esc closes the list first".into());
        }
        match binding.intent {
            Shared(Gesture::NextPane | Gesture::PreviousPane)
                if self.raw.contains_key(&self.tab) =>
            {
                Err("r closes the JSON first".into())
            }
            Shared(Gesture::Back)
                if binding.scope == Scope::Global
                    && (is_covered || !self.tabs.of(self.tab).subject().steps_back)
                    && self.trail.behind().is_none()
                    && self.left().is_none()
                    && self.filled_from.is_none() =>
            {
                Err("the trail begins here".into())
            }
            Shared(Gesture::Pause | Gesture::Cancel) if self.jobs.open().next().is_none() => {
                Err("nothing is under way".into())
            }
            Intent::Action(Action::Shell(ShellAction::Yank))
                if self.tabs.of(self.tab).subject().is_blank =>
            {
                Err("there is nothing to copy yet".into())
            }
            Intent::Action(Action::Shell(ShellAction::Raw(action))) if action.is_to_match() => {
                let raw = self.raw.get(&self.tab);
                let is_searched = raw.is_some_and(RawView::is_searched);
                is_searched.then_some(()).ok_or(NOT_SEARCHED.into())
            }
            _ if binding.sends && self.facts.offline => Err("--offline: nothing is sent".into()),
            _ if binding.sends && !self.facts.is_ready() => {
                Err("no service or no token is configured".into())
            }
            _ => Ok(()),
        }
    }

    /// Searches help or palette; a command with an argument comes first, or the arguments that complete it.
    pub(super) fn search_choices(&mut self, now: Timestamp) {
        let Some(Overlay::Help(picker) | Overlay::Palette(picker)) = self.overlay.as_mut() else {
            return;
        };
        let typed = picker.field().value().to_owned();
        let mut lines = self.completions(&typed);
        if lines.is_empty() {
            lines.push(typed.trim().to_owned());
        }
        let lead = lines.into_iter().filter_map(|line| {
            let read = self.read_command(&line, now)?;
            let detail = read.as_ref().map(|read| self.meaning_of(read));
            Some(PickerItem {
                enabled: read.as_ref().map(|_| ()).map_err(|why| why.clone().into()),
                ..item(
                    line.trim_start_matches([':', ' ']),
                    detail.as_deref().unwrap_or_default(),
                    PickerChoice::Run(line.clone()),
                )
            })
        });
        let lead = lead.collect();
        if let Some(Overlay::Help(picker) | Overlay::Palette(picker)) = self.overlay.as_mut() {
            picker.lead(lead);
            picker.refilter();
        }
    }

    /// Performs the selected row.
    pub(super) fn choose(&mut self, out: &mut Outbox) {
        let Some(Overlay::Help(picker) | Overlay::Palette(picker)) = self.overlay.as_mut() else {
            return;
        };
        let Some(item) = picker.chosen().cloned() else {
            return;
        };
        if let PickerChoice::There(tab, scope, intent) = item.value {
            self.overlay = None;
            return self.go_near(tab, scope, intent, out);
        }
        if let Err(why) = item.enabled {
            return out.say(Tone::Warn, format!("not now: {why}"));
        }
        match item.value {
            PickerChoice::Begin(start) => {
                picker.field().set(&format!("{start} "));
                self.search_choices(out.now);
            }
            PickerChoice::Run(line) => {
                self.overlay = None;
                match self.read_command(&line, out.now) {
                    Some(Ok(typed)) => {
                        self.remember(&line);
                        self.run_command(typed, out);
                    }
                    Some(Err(why)) => out.say(Tone::Warn, format!("not now: {why}")),
                    None => {}
                }
            }
            PickerChoice::Do(Intent::Action(Action::Shell(ShellAction::YankAs(what)))) => {
                self.overlay = None;
                self.yank(what, out);
            }
            PickerChoice::Do(intent) => {
                self.overlay = None;
                // The selection below may have changed since the list was made.
                match self.price(intent, out.now) {
                    Some(price) if !item.label.contains(&*price) => {
                        let text = format!("this now costs {price}: nothing was sent");
                        out.say(Tone::Warn, text);
                    }
                    _ => self.act(intent, out),
                }
            }
            PickerChoice::There(..) => {}
            PickerChoice::Forget => {
                let question =
                    "Erase the trail, here and on disk? What was downloaded stays.".to_owned();
                self.overlay = Some(Overlay::Confirm(Confirm {
                    question,
                    then: vec![Cmd::Forget],
                    erases: true,
                }));
            }
        }
    }

    /// Keeps a command to be run again, unless it was refused.
    fn remember(&mut self, line: &str) {
        let line = line.trim_start_matches([':', ' ']).to_owned();
        self.recent.retain(|own| *own != line);
        self.recent.push(line);
        let over = self.recent.len().saturating_sub(RECENT);
        self.recent.drain(..over);
    }
}

#[cfg(test)]
mod tests;
