//! What other places can do, and how one gets there: the rows of help and palette for it, where a key means something that means nothing
//! here, and the way from the one to the other. Nothing here does what is done elsewhere; that takes its own key there.

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
            Intent::{self, Own, Shared},
            Scope,
        },
        outbox::Outbox,
    },
    ui::{theme::Tone, widgets::picker::PickerItem},
};

/// How one gets from the first page of its tab to each other place, by its heading.
const WAYS: [(&str, &str); 9] = [
    ("Records of a feed", "enter on a local feed opens them"),
    ("Facets", "f in the records of a feed opens them"),
    ("Days of a feed", "d on a feed opens them"),
    ("What to delete", "D on a local feed opens it"),
    ("Table", "a pasted log opens it"),
    ("Trail", "t opens it"),
    ("Compare", "d on a record opens it"),
    ("Export rows", "ctrl-s runs an export and opens them"),
    ("Presets and runs", "P opens them"),
];

impl App {
    /// What can be copied, and what other places and tabs can do: it is said where, and how one gets there.
    pub(super) fn choices_elsewhere(&self) -> Vec<PickerItem<PickerChoice>> {
        let scopes = self.scopes();
        let here: Vec<Intent<Action>> =
            self.keys.reachable(&scopes).map(|own| own.intent).collect();
        let is_elsewhere = |own: &&Binding<Action>| {
            let of_tab = matches!((own.scope, own.intent), (Scope::Tab(_), Own(_)));
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

    /// How one gets to a place, in words.
    fn way_to(&self, tab: TabId, scope: Scope) -> String {
        let goes = format!("enter goes to {}", self.tabs.of(tab).title());
        let way = WAYS.iter().find(|(title, _)| *title == scope.title());
        match way {
            Some((_, way)) if tab != self.tab => format!("{goes}, {way}"),
            Some((_, way)) => (*way).to_owned(),
            None if tab == self.tab => format!("enter goes to {}", scope.title()),
            None => goes,
        }
    }

    /// Goes to a place, or as near to it as a tab leads by itself, and names the key that was looked for.
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
        self.in_front(out, |tab, ctx| tab.arrive(ctx));
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

    /// Says of a key that means nothing here where it does, the nearest place first.
    pub(super) fn explain(&self, key: KeyEvent, out: &mut Outbox) {
        let Some(chord) = Chord::of(key) else {
            return;
        };
        // Some terminals report a modifier alone, which means nothing.
        if matches!(key.code, KeyCode::Modifier(_) | KeyCode::Null) {
            return;
        }
        let erases = self.scopes().first() == Some(&Scope::Erasing);
        let text = match (&self.overlay, self.nearest(chord)) {
            _ if erases => format!("{chord} is no answer here: y does it, n leaves it"),
            (Some(_), _) => format!("{chord} means nothing here; esc closes"),
            (None, Some(own)) => {
                let (place, help) = (own.scope.title(), own.help);
                let front = self.key_of_first_page(own.scope);
                let front = front.map_or_else(String::new, |front| format!(" ({front})"));
                format!("{chord} means nothing here; in {place}{front}: {help}")
            }
            (None, None) => format!("{chord} means nothing; ? lists the keys"),
        };
        out.say(Tone::Info, text);
    }

    /// What a key means in the nearest place where it means something: the first page of the tab in front, its other places, other tabs.
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

    /// The key that leads to a place from anywhere, where it is the first page of a tab.
    fn key_of_first_page(&self, scope: Scope) -> Option<Chord> {
        let mut tabs = TabId::ALL.iter().copied();
        let tab = tabs.find(|tab| tab.first_place() == scope)?;
        let mut keys = self.keys.all();
        let front = keys.find(|own| own.intent == Own(Action::Front(tab)))?;
        Some(front.chord)
    }
}

/// The tab that has a place.
fn tab_of(scope: Scope) -> Option<TabId> {
    let mut tabs = TabId::ALL.iter().copied();
    tabs.find(|tab| matches!(scope, Scope::Tab(_)) && tab.has_place(scope))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A place that no way leads to is a first page, or part of one.
    #[test]
    fn every_way_leads_to_a_place() {
        for (title, _) in WAYS {
            let scope = Scope::Tab(title);
            assert!(tab_of(scope).is_some(), "{title}");
        }
    }
}
