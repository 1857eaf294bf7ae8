//! The meaning of keys: one table, looked up by scope. It determines keys, footer, help and manual. The tabs provide the rows of
//! their scopes, the shell those of all others.

pub mod configured;
mod table;

use std::sync::LazyLock;

use crossterm::event::KeyEvent;

use super::registry::{Action, tabs};
use crate::tui::ctx::{
    binding::{Binding, char, quiet},
    chord::Chord,
    intent::{Intent, Scope},
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
}

impl Default for KeyBindings {
    fn default() -> Self {
        let bindings = BINDINGS.clone();
        Self { bindings }
    }
}

impl KeyBindings {
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
        let rank = |scope: Scope| scopes.iter().position(|own| *own == scope);
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
    use std::collections::HashSet;

    use super::*;
    use crate::tui::{
        ctx::intent::{Gesture, Yank},
        shell::action::ShellAction,
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
            let other = global.is_some_and(|global| global.intent != binding.intent);
            assert!(!other, "{} in {:?}", binding.chord, binding.scope);
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
