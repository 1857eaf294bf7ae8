//! What keys mean: one table, looked up by place. It drives what a key does, the footer, the help and the manual.

mod chord;
mod table;

pub use chord::Chord;
pub use table::BINDINGS;

use crossterm::event::KeyEvent;

use crate::tui::ctx::intent::{Intent, Scope};

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// Where it holds.
    pub scope: Scope,
    /// The key.
    pub chord: Chord,
    /// What it means.
    pub intent: Intent,
    /// One or two words for the footer; empty to leave it out there.
    pub hint: &'static str,
    /// A line for help and manual; empty for a second key of the same meaning.
    pub help: &'static str,
    /// How soon the footer gives it up: high first.
    pub rank: u8,
}

/// What a key means, the most particular place first.
#[must_use]
pub fn meaning(scopes: &[Scope], key: KeyEvent) -> Option<Intent> {
    let chord = Chord::of(key)?;
    let of_scope = |scope: &Scope| {
        BINDINGS
            .iter()
            .find(|binding| binding.scope == *scope && binding.chord == chord)
    };
    scopes
        .iter()
        .find_map(of_scope)
        .map(|binding| binding.intent)
}

/// The bindings of these places that a key reaches, in the table's order: what a more particular place takes is left out.
pub fn reachable(scopes: &[Scope]) -> impl Iterator<Item = &'static Binding> {
    let rank = |scope: Scope| scopes.iter().position(|own| *own == scope);
    let mut found: Vec<(usize, &Binding)> = BINDINGS
        .iter()
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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::tui::ctx::intent::Yank;

    #[test]
    fn no_scope_gives_a_key_two_meanings() {
        let mut seen = HashSet::new();
        for binding in BINDINGS {
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
        let tabs = [
            Scope::Lookup,
            Scope::Tags,
            Scope::Quota,
            Scope::Feeds,
            Scope::Export,
        ];
        let of_tab = |binding: &&Binding| tabs.contains(&binding.scope);
        for binding in BINDINGS.iter().filter(of_tab) {
            let global = BINDINGS
                .iter()
                .find(|other| other.scope == Scope::Global && other.chord == binding.chord);
            // A tab may say in its own words what a key means everywhere.
            let other = global.is_some_and(|global| global.intent != binding.intent);
            assert!(!other, "{} in {:?}", binding.chord, binding.scope);
        }
    }

    #[test]
    fn keys_that_terminals_cannot_tell_apart_are_not_used() {
        for binding in BINDINGS {
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
            meaning(&[Scope::Lookup, Scope::Global], key),
            Some(Intent::Input)
        );
        assert_eq!(
            meaning(&[Scope::Yank], key),
            Some(Intent::YankAs(Yank::Address))
        );
        assert_eq!(meaning(&[Scope::Global], key), None);
    }
}
