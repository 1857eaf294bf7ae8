//! The actions of other scopes and how to get there: rows of help and palette, the explanation of a key without meaning in the
//! current scope, and the navigation to a key's scope. Never performs such an action; the user presses its key there.

use crossterm::event::{KeyCode, KeyEvent};

use super::{
    app::App,
    overlay::PickerChoice,
    palette::row,
    registry::{Action, TabId},
};
use crate::tui::{
    ctx::{
        binding::Binding,
        chord::Chord,
        intent::{
            Gesture,
            Intent::{self, Shared},
            Scope,
        },
        outbox::Outbox,
        tab::TabEvent,
    },
    ui::{theme::Tone, widgets::picker::PickerItem},
};

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

impl App {
    /// The formats for copying, and the actions of other scopes and tabs, with how to get there.
    pub(super) fn choices_elsewhere(&self) -> Vec<PickerItem<PickerChoice>> {
        let scopes = self.scopes();
        let here: Vec<Intent<Action>> =
            self.keys.reachable(&scopes).map(|own| own.intent).collect();
        let is_elsewhere = |own: &&Binding<Action>| {
            let is_particular = match own.intent {
                Intent::Action(_) => true,
                Shared(gesture) => gesture.is_mark(),
            };
            let of_tab = matches!(own.scope, Scope::Tab(_)) && is_particular;
            (of_tab || own.scope == Scope::Yank)
                && !own.help.is_empty()
                && own.intent != Shared(Gesture::Escape)
                && !here.contains(&own.intent)
        };
        let rows = self.keys.all().filter(is_elsewhere);
        rows.map(|own| match tab_of(own.scope) {
            None if own.scope == Scope::Yank => row(own, Ok(()), None),
            None => {
                let why = format!("it is done in {}", own.scope.title());
                row(own, Err(why.into()), None)
            }
            // The place comes first, so that it is never cut.
            Some(tab) => PickerItem {
                label: format!("{}: {}", own.scope.title(), own.help),
                detail: String::new(),
                value: PickerChoice::There(tab, own.scope, own.intent),
                ..row(own, Err(self.way_to(tab, own.scope).into()), None)
            },
        })
        .collect()
    }

    /// How to get to a scope, in words.
    fn way_to(&self, tab: TabId, scope: Scope) -> String {
        let goes = format!("enter goes to {}", tab.title());
        let way = WAYS.iter().find(|(title, _)| *title == scope.title());
        match way {
            Some((_, way)) if tab != self.tab => format!("{goes}, {way}"),
            Some((_, way)) => (*way).to_owned(),
            None if tab == self.tab => format!("enter goes to {}", scope.title()),
            None => goes,
        }
    }

    /// Goes to a scope, or as near as possible, and names the key to press.
    pub(super) fn go_near(
        &mut self,
        tab: TabId,
        scope: Scope,
        intent: Intent<Action>,
        out: &mut Outbox,
    ) {
        let is_open = |app: &Self| app.tabs.of(tab).scopes(&app.facts).contains(&scope);
        self.bring(tab, out);
        if !is_open(self) {
            self.go_home(out);
        }
        self.tell(TabEvent::Arrived, out);
        let mut keys = self.keys.all();
        let own = keys.find(|own| own.scope == scope && own.intent == intent);
        let Some(own) = own.filter(|own| !own.help.is_empty()) else {
            return;
        };
        let does = format!("{}: {}", own.chord, own.help);
        let way = WAYS.iter().find(|(title, _)| *title == scope.title());
        let text = match way {
            Some((_, way)) if !is_open(self) => format!("{way}; there {does}"),
            _ => does,
        };
        out.say(Tone::Info, text);
    }

    /// Explains where a key has a meaning, the nearest scope first, if it has none here.
    pub(super) fn explain(&self, key: KeyEvent, out: &mut Outbox) {
        let Some(chord) = Chord::of(key) else {
            return;
        };
        // Some terminals report a modifier alone, which has no meaning.
        if matches!(key.code, KeyCode::Modifier(_) | KeyCode::Null) {
            return;
        }
        let erases = self.scopes().first() == Some(&Scope::Erasing);
        let text = match (&self.overlay, self.nearest(chord)) {
            _ if erases => format!("{chord} is no answer here: y does it, n leaves it"),
            (Some(_), _) => format!("{chord} does nothing here; esc closes"),
            (None, Some(own)) => {
                let (place, help) = (own.scope.title(), own.help);
                let front = self.key_of_first_page(own.scope);
                let front = front.map_or_else(String::new, |front| format!(" ({front})"));
                format!("{chord} does nothing here; in {place}{front}: {help}")
            }
            (None, None) => format!("{chord} does nothing here; ? lists the keys"),
        };
        out.say(Tone::Info, text);
    }

    /// The meaning of a key in the nearest scope: the first page of the tab in front, its other scopes, other tabs.
    fn nearest(&self, chord: Chord) -> Option<&Binding<Action>> {
        let is_meant = |own: &&Binding<Action>| {
            own.chord == chord && !own.help.is_empty() && matches!(own.scope, Scope::Tab(_))
        };
        let distance = |own: &&Binding<Action>| match own.scope {
            scope if scope == self.tab.first_place() => 0,
            scope if self.tab.has_place(scope) => 1,
            _ => 2,
        };
        self.keys.all().filter(is_meant).min_by_key(distance)
    }

    /// The global key of a scope, if it is the first page of a tab.
    fn key_of_first_page(&self, scope: Scope) -> Option<Chord> {
        let mut tabs = TabId::ALL.iter().copied();
        let tab = tabs.find(|tab| tab.first_place() == scope)?;
        let mut keys = self.keys.all();
        let front = keys.find(|own| own.intent == Intent::Action(Action::Front(tab)))?;
        Some(front.chord)
    }
}

/// The tab of a scope.
fn tab_of(scope: Scope) -> Option<TabId> {
    let mut tabs = TabId::ALL.iter().copied();
    tabs.find(|tab| matches!(scope, Scope::Tab(_)) && tab.has_place(scope))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A scope without directions must be a first page, or a part of one.
    #[test]
    fn every_way_leads_to_a_place() {
        for (title, _) in WAYS {
            let scope = Scope::Tab(title);
            assert!(tab_of(scope).is_some(), "{title}");
        }
    }
}
