//! Help and commands: one list of all actions, here and elsewhere, with what they cost and why they are not possible now. What is
//! done elsewhere is never done from here; its row leads to the place, where the user presses the key.

use jiff::Timestamp;
use ratatui::{Frame, layout::Rect};

use super::{
    app::App,
    commands::{COMMANDS, TypedCommand},
    keys::configured::name,
    overlays::leave,
    raw::{NOT_SEARCHED, RawView},
    registry::{Action, ShellAction, TabId},
};
use crate::{
    investigation::comparison::SideName,
    model::Day,
    tui::{
        ctx::{
            Binding, Chord, Cmd, Confirm, Destination, Flow, Gesture, Outbox, Scope, Surface,
            TabEvent, UpdateCtx, ViewCtx, Why,
            binding::rank,
            intent::Intent::{self, Shared},
        },
        ui::{Picker, PickerItem, TextField, Tone},
    },
};
use crossterm::event::{KeyCode, KeyEvent};

/// The rows that come first before anything is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum First {
    /// The keys of this place, under headings.
    Keys,
    /// Recent commands, and actions without a key.
    Commands,
}

/// The effect of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PickerChoice {
    /// Performs the intent of a key.
    Do(Intent<Action>),
    /// Begins a command with an argument, such as `lookup`.
    Begin(&'static str),
    /// Runs a command with its argument.
    Run(String),
    /// Goes to the scope where a key has this meaning, or as near as possible.
    There(TabId, Scope, Intent<Action>),
    /// Erases the trail.
    Forget,
}

/// The list while it is open. Choosing a row is up to the application.
#[derive(Debug)]
pub(super) struct Choices {
    title: &'static str,
    pub(super) picker: Picker<PickerChoice>,
}

impl Surface for Choices {
    fn scope(&self) -> Scope {
        Scope::Picker
    }

    fn field(&mut self) -> Option<&mut TextField> {
        Some(self.picker.field())
    }

    fn choices(&self) -> usize {
        self.picker.found()
    }

    fn on(&mut self, gesture: Gesture, _ctx: &mut UpdateCtx<'_>) -> Flow {
        if let Gesture::Go(motion) = gesture {
            self.picker.step(motion);
        }
        Flow::from(matches!(gesture, Gesture::Go(_)))
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        self.picker.draw(frame, area, self.title, ctx);
    }
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

const HEADINGS: [(HelpSection, &str); 5] = [
    (HelpSection::Pane, "This pane"),
    (HelpSection::Lists, "Lists"),
    (HelpSection::Tab, "This tab"),
    (HelpSection::Everywhere, "Everywhere"),
    (HelpSection::Others, "Other tabs"),
];

/// A row in its section of help.
type Listed = (HelpSection, PickerItem<PickerChoice>);

/// How to get from the first page of a tab to its other scopes, by heading.
const WAYS: [(&str, &str); 10] = [
    ("Records of a feed", "enter on a local feed opens them"),
    ("Facets", "f in the records of a feed opens them"),
    ("Days of a feed", "d on a feed opens them"),
    ("What to download", "P on a feed opens it"),
    ("What to delete", "X on a local feed opens it"),
    ("Table", "a pasted log opens it"),
    ("Trail", "ctrl-t opens it"),
    ("Compare", "c on a record opens it"),
    ("Export rows", "ctrl-s runs an export and opens them"),
    ("Presets and runs", "O opens them"),
];

fn way_to(scope: Scope) -> Option<&'static str> {
    let way = WAYS.iter().find(|(title, _)| *title == scope.title());
    way.map(|(_, way)| *way)
}

/// Synonyms for searching actions.
const SYNONYMS: [(&str, &str); 41] = [
    ("back", "previous return"),
    ("cancel", "stop abort kill"),
    (
        "enter-token",
        "login log in key credentials host url address configure first run",
    ),
    ("escape", "back close leave return"),
    ("export.run", "csv save write download block list firewall"),
    ("export.run-locally", "csv save write block list firewall"),
    ("feeds.browser-common", "shared alike pattern overlap"),
    ("feeds.browser-compare", "what changed difference"),
    (
        "feeds.browser-explain",
        "meaning define glossary documentation",
    ),
    ("feeds.browser-export", "csv save write block list firewall"),
    ("feeds.browser-facets", "vpn proxy values counts"),
    ("feeds.compare", "what changed difference yesterday"),
    ("feeds.downloads", "update stale refresh reindex"),
    ("feeds.follow", "watch live stream tail"),
    ("find", "search grep filter"),
    ("front-feeds", "list of feeds back"),
    ("jobs", "downloads progress queue tasks"),
    ("lookup.board", "table list several"),
    ("lookup.common", "shared alike pattern overlap"),
    ("lookup.compare-dates", "history diff past"),
    ("lookup.explain", "meaning define glossary documentation"),
    ("lookup.export", "csv save write block list firewall"),
    ("lookup.facets", "vpn proxy values counts"),
    ("lookup.note", "comment annotate remark"),
    ("lookup.show-as-of", "history timeline since past"),
    ("lookup.step-a-minus-1", "history timeline since strip"),
    ("messages", "errors log notifications"),
    ("mouse", "click wheel scroll select text"),
    ("privacy", "hide screen share secret"),
    ("print-marked", "pick select output pipe stdout fzf quit"),
    ("quit", "exit leave close"),
    ("quota.days", "forecast history spent"),
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

fn synonyms(choice: &PickerChoice) -> &'static str {
    match choice {
        PickerChoice::Do(intent) | PickerChoice::There(.., intent) => {
            let own = name(*intent);
            let found = SYNONYMS.iter().find(|(action, _)| *action == own);
            found.map_or("", |(_, words)| words)
        }
        PickerChoice::Begin(command) => {
            let found = COMMANDS.iter().find(|help| help.name == *command);
            found.map_or("", |help| help.also)
        }
        PickerChoice::Run(_) | PickerChoice::Forget => "",
    }
}

/// A row for a command typed after `:`.
fn item(typed: &str, does: impl Into<String>, value: PickerChoice) -> PickerItem<PickerChoice> {
    PickerItem {
        label: does.into(),
        key: format!(":{typed}"),
        detail: String::new(),
        enabled: Ok(()),
        value,
    }
}

/// A row for a key. A price that its words do not include comes first, so that it is never cut.
fn row(
    binding: &Binding<Action>,
    enabled: Result<(), Why>,
    price: Option<&str>,
) -> PickerItem<PickerChoice> {
    let before = if binding.scope == Scope::Yank {
        "y "
    } else {
        ""
    };
    let price = price.map_or_else(String::new, |price| format!("{price}: "));
    PickerItem {
        label: format!("{price}{}", binding.help),
        key: format!("{before}{}", binding.chord),
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
            let own = name.split_once('.').map_or("", |(_, text)| text);
            marks.contains(&own.trim_start_matches("browser-"))
        }
    }
}

/// The tab of a scope.
fn tab_of(scope: Scope) -> Option<TabId> {
    let mut tabs = TabId::ALL.iter().copied();
    tabs.find(|tab| matches!(scope, Scope::Tab(_)) && tab.has_place(scope))
}

impl App {
    /// The rows for all actions, here and elsewhere.
    pub(super) fn choices(&self, first: First, now: Timestamp) -> Choices {
        let (keys, elsewhere) = (self.choices_by_key(now), self.choices_elsewhere());
        let named = self.choices_by_name().into_iter();
        let (title, picker) = match first {
            First::Keys => {
                let named = named.map(|item| (HelpSection::Everywhere, item));
                let mut items: Vec<_> = keys.into_iter().chain(named).chain(elsewhere).collect();
                items.sort_by_key(|(section, item)| (*section, item.enabled.is_err()));
                let begins = |(section, heading): &(HelpSection, &'static str)| {
                    let first = items
                        .iter()
                        .position(|(help_section, _)| help_section == section)?;
                    Some((first, *heading))
                };
                let headings = HEADINGS.iter().filter_map(begins).collect();
                let picker = Picker::new(items.into_iter().map(|(_, item)| item).collect())
                    .with_headings(headings)
                    .with_key_room(KEY_ROOM);
                ("Keys of this place: type to search, enter runs", picker)
            }
            First::Commands => {
                let recent = self.recent.iter().rev().map(|line| {
                    let does = match self.read_command(line, now) {
                        Some(Ok(typed)) => format!("again: {}", typed.meaning(&self.facts)),
                        _ => "again".to_owned(),
                    };
                    item(line, does, PickerChoice::Run(line.clone()))
                });
                let with_key = keys.into_iter().chain(elsewhere).map(|(_, item)| item);
                let mut items: Vec<_> = recent.chain(named).chain(with_key).collect();
                items.sort_by_key(|item| item.enabled.is_err());
                let picker = Picker::new(items).by_name().with_key_room(COMMAND_ROOM);
                ("Commands", picker)
            }
        };
        let picker = picker.also_called(synonyms);
        Choices { title, picker }
    }

    fn choices_by_key(&self, now: Timestamp) -> Vec<Listed> {
        let is_start = self.subject().is_blank;
        // As in the footer. At the start, the tabs come first.
        let nearness = |binding: &&Binding<Action>| match binding.intent {
            Intent::Action(Action::Front(_)) if is_start => rank::FIRST + 1,
            Intent::Action(Action::Front(_)) => rank::LATER + 1,
            _ => binding.rank,
        };
        let scopes = self.scopes();
        let bindings = self.keys.reachable(&scopes);
        let mut bindings: Vec<_> = bindings
            .filter(|binding| !binding.help.is_empty())
            .collect();
        bindings.sort_by_key(nearness);
        let item = |binding: &Binding<Action>| {
            let section = match binding.scope {
                _ if is_of_lists(binding.intent) => HelpSection::Lists,
                Scope::Global | Scope::Always => HelpSection::Everywhere,
                _ => HelpSection::Pane,
            };
            let price = self.price(binding.intent, now);
            let item = row(binding, self.possible(binding, now), price.as_deref());
            (section, item)
        };
        bindings.into_iter().map(item).collect()
    }

    fn choices_by_name(&self) -> Vec<PickerItem<PickerChoice>> {
        let commands = COMMANDS.iter().map(|help| {
            let label = format!("{} {}", help.name, help.takes);
            item(&label, help.help, PickerChoice::Begin(help.name))
        });
        let own = |action| PickerChoice::Do(Intent::Action(Action::Shell(action)));
        let token = "enter token and addresses of the service";
        let forget = "erase the trail, here and on disk";
        let demo = "open the embedded service with invented data";
        let others = [
            item("token", token, own(ShellAction::EnterToken)),
            item("forget", forget, PickerChoice::Forget),
            item("demo", demo, own(ShellAction::OpenDemo)),
        ];
        let others = others
            .into_iter()
            .take(3 - usize::from(self.facts.invented));
        commands.chain(others).collect()
    }

    /// The formats for copying, and the actions of other scopes and tabs, with how to get there.
    fn choices_elsewhere(&self) -> Vec<Listed> {
        let scopes = self.scopes();
        let here: Vec<_> = self
            .keys
            .reachable(&scopes)
            .map(|binding| binding.intent)
            .collect();
        let is_elsewhere = |binding: &&Binding<Action>| {
            let is_particular = match binding.intent {
                Intent::Action(_) => true,
                Shared(gesture) => gesture.is_mark(),
            };
            let of_tab = matches!(binding.scope, Scope::Tab(_)) && is_particular;
            (of_tab || binding.scope == Scope::Yank)
                && !binding.help.is_empty()
                && binding.intent != Shared(Gesture::Escape)
                && !here.contains(&binding.intent)
        };
        let listed = |binding: &Binding<Action>| match tab_of(binding.scope) {
            None if binding.scope == Scope::Yank => {
                (HelpSection::Everywhere, row(binding, Ok(()), None))
            }
            None => {
                let why = format!("it is done in {}", binding.scope.title());
                (HelpSection::Everywhere, row(binding, Err(why.into()), None))
            }
            Some(tab) => {
                let (section, goes) = if tab == self.tab {
                    (HelpSection::Tab, String::new())
                } else {
                    (
                        HelpSection::Others,
                        format!("enter goes to {}", tab.title()),
                    )
                };
                let why = match way_to(binding.scope) {
                    Some(way) if goes.is_empty() => way.to_owned(),
                    Some(way) => format!("{goes}, {way}"),
                    None if goes.is_empty() => format!("enter goes to {}", binding.scope.title()),
                    None => goes,
                };
                let item = PickerItem {
                    // The place comes first, so that it is never cut.
                    label: format!("{}: {}", binding.scope.title(), binding.help),
                    detail: String::new(),
                    value: PickerChoice::There(tab, binding.scope, binding.intent),
                    ..row(binding, Err(why.into()), None)
                };
                (section, item)
            }
        };
        self.keys.all().filter(is_elsewhere).map(listed).collect()
    }

    /// The footer's word for a key.
    pub(super) fn hint(&self, binding: &Binding<Action>, now: Timestamp) -> &'static str {
        let own = || self.tabs.hint(self.tab, binding.intent, &self.view(now));
        let own = self.cover().is_none().then(own).flatten();
        own.unwrap_or(binding.hint)
    }

    /// Whether the footer shows a key: only if its action is possible now.
    pub(super) fn is_offered(&self, binding: &Binding<Action>, now: Timestamp) -> bool {
        let is_typed = binding.chord.is_letter() && self.scopes().first() == Some(&Scope::FormText);
        !self.hint(binding, now).is_empty() && !is_typed && self.possible(binding, now).is_ok()
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

    /// Whether a binding is possible now; if not, why.
    fn possible(&self, binding: &Binding<Action>, now: Timestamp) -> Result<(), Why> {
        let is_covered = self.cover().is_some();
        if let Some(why) = self.refused(binding.intent, now) {
            return Err(why);
        }
        if self.surface().is_some()
            && self.is_asked()
            && binding.scope == Scope::Global
            && matches!(binding.intent, Shared(_))
        {
            return Err("the question comes first".into());
        }
        // A list over everything has the keys that move in it, and its own.
        if self.overlay.is_some()
            && binding.scope == Scope::Global
            && !matches!(binding.intent, Shared(Gesture::Go(_)))
        {
            return Err("esc closes the list first".into());
        }
        let why = match binding.intent {
            Shared(Gesture::NextPane | Gesture::PreviousPane) if self.raw().is_some() => {
                "r closes the JSON first"
            }
            Shared(Gesture::Back)
                if binding.scope == Scope::Global
                    && (is_covered || !self.subject().steps_back)
                    && self.trail.behind().is_none()
                    && self.left().is_none()
                    && !self.is_opened_from_list()
                    && self.filled_from.is_none() =>
            {
                "the trail begins here"
            }
            Shared(Gesture::Pause | Gesture::Cancel) if self.jobs.open().next().is_none() => {
                "nothing is under way"
            }
            Intent::Action(Action::Shell(ShellAction::Yank)) if self.subject().is_blank => {
                "there is nothing to copy yet"
            }
            Intent::Action(Action::Shell(ShellAction::Raw(action)))
                if action.is_to_match() && !self.raw().is_some_and(RawView::is_searched) =>
            {
                NOT_SEARCHED
            }
            _ if binding.sends && self.facts.offline => "--offline: nothing is sent",
            _ if binding.sends && !self.facts.is_ready() => "no service or no token is configured",
            _ => return Ok(()),
        };
        Err(why.into())
    }

    fn read_command(&self, line: &str, now: Timestamp) -> Option<Result<TypedCommand, String>> {
        let query_for = |address| self.tabs.lookup.query_for(address);
        TypedCommand::read(line, &self.facts, query_for, now)
    }

    /// Searches what was typed; a command with an argument comes first, or the arguments that complete it.
    pub(super) fn search_choices(&mut self, now: Timestamp) {
        let Some(list) = self.cover_as_mut::<Choices>() else {
            return;
        };
        let typed = list.picker.field().value().to_owned();
        let mut lines = TypedCommand::completions(&typed, &self.facts);
        if lines.is_empty() {
            lines.push(typed.trim().to_owned());
        }
        let lead = lines.into_iter().filter_map(|line| {
            let read = self.read_command(&line, now)?;
            let meaning = read.as_ref().map(|read| read.meaning(&self.facts));
            let shown = line.trim_start_matches([':', ' ']).to_owned();
            let does = meaning.unwrap_or_default();
            Some(PickerItem {
                enabled: read.map(drop).map_err(Into::into),
                ..item(&shown, does, PickerChoice::Run(line))
            })
        });
        let lead = lead.collect();
        if let Some(list) = self.cover_as_mut::<Choices>() {
            list.picker.put_first(lead);
            list.picker.refilter();
        }
    }

    /// Performs the selected row.
    pub(super) fn choose(&mut self, out: &mut Outbox) {
        let Some(list) = self.cover_as_mut::<Choices>() else {
            return;
        };
        let Some(item) = list.picker.chosen().cloned() else {
            return;
        };
        let is_there = matches!(item.value, PickerChoice::There(..));
        if let Err(why) = item.enabled
            && !is_there
        {
            return out.say(Tone::Warn, format!("not now: {why}"));
        }
        if let PickerChoice::Begin(start) = item.value {
            list.picker.field().set(&format!("{start} "));
            return self.search_choices(out.now);
        }
        self.overlay = None;
        match item.value {
            PickerChoice::Begin(_) => {}
            PickerChoice::There(tab, scope, intent) => self.go_near(tab, scope, intent, out),
            PickerChoice::Run(line) => match self.read_command(&line, out.now) {
                Some(Ok(typed)) => {
                    let line = line.trim_start_matches([':', ' ']).to_owned();
                    self.recent.retain(|text| *text != line);
                    self.recent.push(line);
                    let over = self.recent.len().saturating_sub(RECENT);
                    self.recent.drain(..over);
                    self.run_command(typed, out);
                }
                Some(Err(why)) => out.say(Tone::Warn, format!("not now: {why}")),
                None => {}
            },
            // The selection below may have changed since the list was made.
            PickerChoice::Do(intent) => match self.price(intent, out.now) {
                Some(price) if !item.label.contains(&*price) => {
                    let text = format!("this now costs {price}: nothing was sent");
                    out.say(Tone::Warn, text);
                }
                _ => self.act(intent, out),
            },
            PickerChoice::Forget => {
                out.confirm = Some(Confirm {
                    question: "Erase the trail, here and on disk? What was downloaded stays."
                        .into(),
                    then: vec![Cmd::Forget],
                    go: None,
                    erases: true,
                });
            }
        }
    }

    fn run_command(&mut self, typed: TypedCommand, out: &mut Outbox) {
        match typed {
            // An effect that was shown as free sends nothing, even if a token has arrived meanwhile.
            TypedCommand::Lookup(query) if self.facts.lack().is_some() => {
                out.go = Some(Destination::AtHand(query));
            }
            TypedCommand::Lookup(query) => out.go = Some(Destination::Address(query)),
            TypedCommand::Tag(tag) => out.go = Some(Destination::Tag(tag)),
            TypedCommand::Date(day) => {
                self.tab = TabId::Lookup;
                self.tabs.lookup.date = day;
                let day = day.map_or_else(|| "today".to_owned(), Day::dashed);
                out.say(Tone::Ok, format!("addresses are looked up as of {day}"));
            }
            TypedCommand::Filter(text) => {
                self.gesture(Gesture::Find, out);
                let Some(field) = self.field() else {
                    return out.say(Tone::Info, "there is nothing to filter or to search here");
                };
                field.set(&text);
                self.typed(out);
                self.gesture(Gesture::Open, out);
            }
            TypedCommand::Open(path) => {
                // As a text that is pasted.
                self.act(Shared(Gesture::Input), out);
                self.at(TabId::Lookup, out, |tabs, ctx| {
                    tabs.lookup.open_file(path, ctx);
                });
            }
            TypedCommand::Zone(zone) => {
                let text = format!("times without a zone are of {zone}");
                self.tabs.lookup.zone = zone;
                self.at(TabId::Lookup, out, |tabs, ctx| {
                    tabs.lookup.read_table_again(ctx);
                });
                out.say(Tone::Ok, text);
            }
            TypedCommand::Compare(typed) => {
                let sides = SideName::apart(&typed, Day::of(out.now)).try_into();
                let name = self.subject().side;
                let sides = sides.ok().or_else(|| {
                    let (name, text) = (name.as_ref()?, name.as_ref()?.to_string());
                    Some(match typed.strip_prefix('@') {
                        Some(day) => [name.at(day), text],
                        None => [text, typed],
                    })
                });
                match sides {
                    Some(sides) => out.go = Some(Destination::Compare(sides)),
                    None => out.say(
                        Tone::Info,
                        "name two sides: in front is no record, no file and no local feed",
                    ),
                }
            }
            TypedCommand::Case(name) => leave(Cmd::OpenCase(name), &self.jobs, out),
            TypedCommand::Profile(name) => leave(Cmd::OpenProfile(name), &self.jobs, out),
            TypedCommand::Theme(name) => {
                self.look.theme = name;
                self.theme = self.look.colours();
                if self.look.asks_for_ground() {
                    out.cmd(Cmd::AskGround);
                }
            }
        }
    }

    /// Goes to a scope, or as near as possible, and names the key to press.
    fn go_near(&mut self, tab: TabId, scope: Scope, intent: Intent<Action>, out: &mut Outbox) {
        let is_open = |app: &Self| app.tabs.of(tab).scopes(&app.facts).contains(&scope);
        self.bring(tab, out);
        if !is_open(self) {
            self.go_home(out);
        }
        self.tell(TabEvent::Arrived, out);
        let mut keys = self.keys.all();
        let binding = keys.find(|binding| binding.scope == scope && binding.intent == intent);
        let Some(binding) = binding.filter(|binding| !binding.help.is_empty()) else {
            return;
        };
        let does = format!("{}: {}", binding.chord, binding.help);
        let text = match way_to(scope) {
            Some(way) if !is_open(self) => format!("{way}; there {does}"),
            _ => does,
        };
        out.say(Tone::Info, text);
    }

    /// Explains where a key has a meaning, the nearest scope first, if it has none here.
    pub(super) fn explain(&self, key: KeyEvent, out: &mut Outbox) {
        // Some terminals report a modifier alone, which has no meaning.
        let is_modifier = matches!(key.code, KeyCode::Modifier(_) | KeyCode::Null);
        let Some(chord) = Chord::of(key).filter(|_| !is_modifier) else {
            return;
        };
        let distance = |binding: &&Binding<Action>| match binding.scope {
            scope if scope == self.tab.first_place() => 0,
            scope if self.tab.has_place(scope) => 1,
            _ => 2,
        };
        let is_meant = |binding: &&Binding<Action>| {
            binding.chord == chord
                && !binding.help.is_empty()
                && matches!(binding.scope, Scope::Tab(_))
        };
        let nearest = self.keys.all().filter(is_meant).min_by_key(distance);
        let text = match nearest {
            _ if self.scopes().first() == Some(&Scope::Erasing) => {
                format!("{chord} is no answer here: y does it, n leaves it")
            }
            _ if self.overlay.is_some() => format!("{chord} does nothing here; esc closes"),
            Some(binding) => {
                let (place, help) = (binding.scope.title(), binding.help);
                let front = self.key_of_first_page(binding.scope);
                let front = front.map_or_else(String::new, |front| format!(" ({front})"));
                format!("{chord} does nothing here; in {place}{front}: {help}")
            }
            None => format!("{chord} does nothing here; ? lists the keys"),
        };
        out.say(Tone::Info, text);
    }

    /// The global key of a scope, if it is the first page of a tab.
    fn key_of_first_page(&self, scope: Scope) -> Option<Chord> {
        let mut tabs = TabId::ALL.iter().copied();
        let tab = tabs.find(|tab| tab.first_place() == scope)?;
        let mut keys = self.keys.all();
        let front = keys.find(|binding| binding.intent == Intent::Action(Action::Front(tab)))?;
        Some(front.chord)
    }
}

#[cfg(test)]
mod tests;
