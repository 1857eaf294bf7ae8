//! The meaning of keys: one table, looked up by scope. It determines keys, footer, help and manual. The tabs provide the rows of
//! their scopes, the shell those of all others.

pub mod configured;
mod table;

use std::sync::LazyLock;

use crossterm::event::KeyEvent;

use super::registry::{Action, tabs};
use crate::tui::ctx::{
    Binding, Chord, Intent, Scope,
    binding::{char, quiet},
};

/// All key bindings. The order within a scope is that of footer and help.
pub static BINDINGS: LazyLock<Vec<Binding<Action>>> = LazyLock::new(|| {
    let mut bindings = table::START.to_vec();
    let mut fronts = Vec::new();
    for ((tab, help, keys), digit) in tabs().into_iter().zip('1'..='9') {
        bindings.extend(keys);
        if fronts.is_empty() {
            bindings.extend_from_slice(table::JSON);
        }
        let front = Intent::Action(Action::Front(tab));
        fronts.push(quiet(Scope::Global, char(digit), front, help));
    }
    bindings.extend_from_slice(table::PLACES);
    bindings.extend(fronts);
    bindings.extend_from_slice(table::EVERYWHERE);
    bindings
});

/// The key bindings of this run: the table with the changes of the configuration.
#[derive(Clone, Debug)]
pub struct KeyBindings {
    bindings: Vec<Binding<Action>>,
    hints: Vec<Binding<()>>,
}

impl Default for KeyBindings {
    fn default() -> Self {
        Self::of(BINDINGS.clone())
    }
}

impl KeyBindings {
    fn of(bindings: Vec<Binding<Action>>) -> Self {
        let hints = bindings
            .iter()
            .map(|binding| binding.among(|_| ()))
            .collect();
        Self { bindings, hints }
    }

    /// The same, for what only names the keys.
    #[must_use]
    pub fn hints(&self) -> &[Binding<()>] {
        &self.hints
    }

    /// All bindings, in the order of footer and help.
    pub fn all(&self) -> impl Iterator<Item = &Binding<Action>> {
        self.bindings.iter()
    }

    /// The meaning of a key, the most specific scope first.
    #[must_use]
    pub fn meaning(&self, scopes: &[Scope], key: KeyEvent) -> Option<Intent<Action>> {
        let chord = Chord::of(key)?;
        let of_scope = |scope: &Scope| {
            self.all()
                .find(|binding| binding.scope == *scope && binding.chord == chord)
        };
        scopes
            .iter()
            .find_map(of_scope)
            .map(|binding| binding.intent)
    }

    /// The bindings of these scopes that a key can reach, in the order of the table: those that a more specific scope overrides
    /// are left out.
    pub fn reachable(&self, scopes: &[Scope]) -> impl Iterator<Item = &Binding<Action>> {
        let rank = |scope: Scope| scopes.iter().position(|other| *other == scope);
        let mut found: Vec<(usize, &Binding<Action>)> = self
            .all()
            .filter_map(|binding| rank(binding.scope).map(|rank| (rank, binding)))
            .collect();
        found.sort_by_key(|(rank, _)| *rank);
        let mut taken: Vec<Chord> = Vec::new();
        found.into_iter().filter_map(move |(_, binding)| {
            let free = !taken.contains(&binding.chord);
            taken.push(binding.chord);
            free.then_some(binding)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet, HashSet};

    use super::{configured::name, *};
    use crate::tui::{
        ctx::{Gesture, Yank},
        shell::registry::ShellAction,
    };

    #[test]
    fn no_scope_gives_a_key_two_meanings() {
        let mut seen = HashSet::new();
        for binding in BINDINGS.iter() {
            assert!(
                seen.insert((binding.scope, binding.chord)),
                "{} in {:?}",
                binding.chord,
                binding.scope
            );
        }
    }

    #[test]
    fn no_tab_redefines_a_global_key() {
        let of_tab = |binding: &&Binding<Action>| matches!(binding.scope, Scope::Tab(_));
        for binding in BINDINGS.iter().filter(of_tab) {
            let global = BINDINGS
                .iter()
                .find(|other| other.scope == Scope::Global && other.chord == binding.chord);
            // A tab may describe a global key in its own words.
            let actions = global.into_iter().chain([binding]);
            let actions = actions.map(|binding| name(binding.intent)).collect();
            let is_same = are_of_one_verb(&actions);
            assert!(is_same, "{} in {:?}", binding.chord, binding.scope);
        }
    }

    #[test]
    fn keys_that_terminals_cannot_tell_apart_are_not_used() {
        for binding in BINDINGS.iter() {
            for taken in ["ctrl-i", "ctrl-m", "ctrl-j", "ctrl-a", "ctrl-b", "ctrl-q"] {
                assert_ne!(binding.chord.to_string(), taken, "{:?}", binding.intent);
            }
        }
    }

    /// The verbs of keys that have several actions, and those actions. Every other key has one action wherever it acts.
    const VERBS: [(&str, &str); 19] = [
        (
            "explain",
            "lookup.explain feeds.browser-explain export.checks",
        ),
        ("what they share", "lookup.common feeds.browser-common"),
        ("open", "open open-demo"),
        ("move left", "go-left export.previous-choice"),
        ("move right", "go-right export.next-choice"),
        (
            "mark or toggle",
            "mark lookup.collect feeds.browser-collect export.toggle open",
        ),
        (
            "compare",
            "lookup.compare-dates tags.changes feeds.compare feeds.browser-compare",
        ),
        ("its days", "lookup.show-as-of feeds.dates"),
        (
            "equal and other rows",
            "lookup.equal-rows feeds.browser-others",
        ),
        ("facets", "lookup.facets feeds.browser-facets"),
        ("group by", "lookup.group quota.days"),
        (
            "geolocation",
            "lookup.geolocation lookup.compare-geolocations",
        ),
        (
            "download",
            "tags.download feeds.download export.download lookup.download",
        ),
        ("test", "quota.test-access feeds.verify"),
        ("one's own", "lookup.note quota.guards"),
        ("keep", "lookup.pin feeds.pin export.save-preset"),
        (
            "as a table",
            "lookup.board feeds.browser-tabulate export.rows",
        ),
        (
            "take to Export",
            "lookup.export tags.export-marked feeds.browser-export",
        ),
        (
            "delete",
            "feeds.delete feeds.delete-chosen export.delete-preset",
        ),
    ];

    /// Dialogs print their keys, and no other tab or list has them.
    fn is_dialog(scope: Scope) -> bool {
        let titles = ["What to download", "What to delete", "Presets and runs"];
        assert!(titles.iter().all(|title| {
            BINDINGS
                .iter()
                .any(|binding| binding.scope == Scope::Tab(title))
        }));
        match scope {
            Scope::Tab(title) => titles.contains(&title),
            Scope::Yank
            | Scope::Jobs
            | Scope::Orders
            | Scope::Calendar
            | Scope::Options
            | Scope::Picker
            | Scope::Confirm
            | Scope::Erasing
            | Scope::Stopping
            | Scope::Setup
            | Scope::Reading => true,
            _ => false,
        }
    }

    #[test]
    fn a_key_means_one_thing_in_all_tabs_and_lists() {
        let mut verbs: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for binding in BINDINGS.iter().filter(|binding| !is_dialog(binding.scope)) {
            let actions = verbs.entry(binding.chord.to_string()).or_default();
            actions.insert(name(binding.intent));
        }
        for (chord, actions) in verbs {
            assert!(are_of_one_verb(&actions), "{chord} means {actions:?}");
        }
    }

    fn are_of_one_verb(actions: &BTreeSet<String>) -> bool {
        let have = |text: &str| {
            let own: Vec<&str> = text.split(' ').collect();
            actions.iter().all(|action| own.contains(&action.as_str()))
        };
        actions.len() == 1 || VERBS.iter().any(|(_, text)| have(text))
    }

    /// What deletes or rebuilds has keys of its own, in dialogs too, and rebuilding is chosen in a dialog.
    #[test]
    fn no_key_that_deletes_or_rebuilds_is_harmless_elsewhere() {
        let deletes = [
            "feeds.delete",
            "feeds.delete-chosen",
            "export.delete-preset",
            "stop-download-delete",
        ];
        for binding in BINDINGS.iter() {
            let (chord, action) = (binding.chord.to_string(), name(binding.intent));
            let is_key_of_deletion = ["X", "ctrl-x"].contains(&chord.as_str());
            let is_deletion = deletes.contains(&action.as_str());
            assert_eq!(is_key_of_deletion, is_deletion, "{chord}: {action}");
            let rebuilds = action == "feeds.reindex" || action == "feeds.freshen";
            assert!(!rebuilds || is_dialog(binding.scope), "{chord}: {action}");
        }
    }

    /// A key that sends in one place sends in the others, or reads again there what it fetches elsewhere.
    #[test]
    fn a_key_that_sends_is_known_for_it() {
        let sending = BINDINGS
            .iter()
            .filter(|binding| binding.sends && !is_dialog(binding.scope));
        let chords: BTreeSet<String> = sending.map(|binding| binding.chord.to_string()).collect();
        assert_eq!(Vec::from_iter(chords), ["F", "R", "S", "ctrl-s", "p", "t"]);
    }

    #[test]
    fn the_particular_place_comes_first() {
        use crossterm::event::{KeyCode, KeyModifiers};
        let key = KeyEvent::new(KeyCode::Char('i'), KeyModifiers::NONE);
        assert_eq!(
            KeyBindings::default().meaning(&[Scope::Tab("Lookup"), Scope::Global], key),
            Some(Intent::Shared(Gesture::Input))
        );
        assert_eq!(
            KeyBindings::default().meaning(&[Scope::Yank], key),
            Some(Intent::Action(Action::Shell(ShellAction::YankAs(
                Yank::Address
            ))))
        );
        assert_eq!(KeyBindings::default().meaning(&[Scope::Global], key), None);
    }
}
