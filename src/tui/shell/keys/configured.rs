//! `[keys]` of the configuration: additional keys for actions. An invalid entry is left out and reported; it never prevents the
//! explorer from starting.

use std::collections::BTreeMap;

use crossterm::event::KeyCode;

use super::{BINDINGS, KeyBindings};
use crate::{
    model::nearest,
    tui::{
        ctx::{Binding, Chord, Intent, Scope},
        shell::registry::Action,
    },
};

/// The action of a key that does nothing.
const NOTHING: &str = "none";

/// The name of an action in the configuration, such as `refresh` or `lookup.pin`.
#[must_use]
pub fn name(intent: Intent<Action>) -> String {
    let (tab, action) = match intent {
        Intent::Shared(gesture) => (None, format!("{gesture:?}")),
        Intent::Action(Action::Shell(action)) => (None, format!("{action:?}")),
        Intent::Action(action @ Action::Front(_)) => (None, format!("{action:?}")),
        Intent::Action(action) => {
            let text = format!("{action:?}");
            let (tab, own) = text.split_once('(').unwrap_or(("", &text));
            (Some(hyphenated(tab)), own.to_owned())
        }
    };
    let action = hyphenated(&action);
    match tab {
        Some(tab) => format!("{tab}.{action}"),
        None => action,
    }
}

/// `StepA(-1)` as `step-a-minus-1`.
fn hyphenated(camel: &str) -> String {
    let mut name = String::with_capacity(camel.len() + 4);
    for letter in camel.chars() {
        let begins = letter.is_ascii_uppercase() || matches!(letter, '(' | ' ' | ',' | '-');
        if begins && !name.is_empty() && !name.ends_with('-') {
            name.push('-');
        }
        match letter {
            '-' => name.push_str("minus-"),
            letter if letter.is_ascii_alphanumeric() => name.push(letter.to_ascii_lowercase()),
            _ => {}
        }
    }
    name.trim_end_matches('-').to_owned()
}

impl KeyBindings {
    /// The table with these additional keys, and the mistakes in the others.
    #[must_use]
    pub fn configured(entries: &BTreeMap<String, String>) -> (Self, Vec<String>) {
        let mut keys = Self::default();
        let mut wrong = Vec::new();
        for (chord, action) in entries {
            if let Err(why) = keys.take_in(chord, action) {
                wrong.push(format!("[keys] {chord:?} = {action:?}: {why}"));
            }
        }
        (Self::of(keys.bindings), wrong)
    }

    fn take_in(&mut self, chord: &str, action: &str) -> Result<(), String> {
        let chord: Chord = chord.parse()?;
        if chord == Chord::control('c') {
            return Err("ctrl-c always leaves".to_owned());
        }
        if action == NOTHING {
            self.bindings
                .retain(|binding| binding.chord != chord || binding.scope.is_typing());
            return Ok(());
        }
        let scopes = self.scopes_of(action, chord)?;
        for scope in scopes {
            self.bind(scope, chord, action);
        }
        Ok(())
    }

    /// The scopes in which this key can have this action.
    fn scopes_of(&self, action: &str, chord: Chord) -> Result<Vec<Scope>, String> {
        let rows = self.all().filter(|binding| name(binding.intent) == action);
        let mut scopes: Vec<Scope> = Vec::new();
        for binding in rows {
            if !scopes.contains(&binding.scope) {
                scopes.push(binding.scope);
            }
        }
        if scopes.is_empty() {
            let names: Vec<String> = BINDINGS
                .iter()
                .map(|binding| name(binding.intent))
                .collect();
            let near = nearest(action, names.iter().map(String::as_str));
            let near = near.map(|near| format!("; did you mean {near}?"));
            let near = near.unwrap_or_else(|| "; `ipspect man` lists them".to_owned());
            return Err(format!("there is no such action{near}"));
        }
        if chord.is_text() {
            scopes.retain(|scope| !scope.is_typing() && *scope != Scope::Form);
        }
        if scopes.is_empty() {
            return Err("this key is text where the action is possible".to_owned());
        }
        Ok(scopes)
    }

    /// Adds a key before the other keys of the action in a scope. Removes the key's other meanings there, and for the global
    /// scope also in tabs.
    fn bind(&mut self, scope: Scope, chord: Chord, action: &str) {
        let covers = |other: Scope| {
            other == scope || (scope == Scope::Global && matches!(other, Scope::Tab(_)))
        };
        self.bindings.retain(|binding| {
            !(binding.chord == chord && covers(binding.scope) && name(binding.intent) != action)
        });
        let is_row =
            |binding: &Binding<Action>| binding.scope == scope && name(binding.intent) == action;
        let Some(at) = self.bindings.iter().position(is_row) else {
            return;
        };
        if self.bindings[at].chord == chord {
            return;
        }
        let mut row = self.bindings[at];
        row.chord = chord;
        (self.bindings[at].hint, self.bindings[at].help) = ("", "");
        self.bindings
            .retain(|binding| !(binding.scope == scope && binding.chord == chord));
        self.bindings.insert(at.min(self.bindings.len()), row);
    }
}

impl Chord {
    /// Whether a text field uses this key.
    fn is_text(self) -> bool {
        let moves = [
            KeyCode::Backspace,
            KeyCode::Delete,
            KeyCode::Home,
            KeyCode::End,
            KeyCode::Left,
            KeyCode::Right,
        ];
        !self.is_control()
            && (matches!(self.code(), KeyCode::Char(_)) || moves.contains(&self.code()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn configured(entries: &[(&str, &str)]) -> (KeyBindings, Vec<String>) {
        let entries = entries
            .iter()
            .map(|(key, action)| ((*key).to_owned(), (*action).to_owned()));
        KeyBindings::configured(&entries.collect())
    }

    fn meaning(keys: &KeyBindings, scope: Scope, chord: &str) -> Option<String> {
        let chord: Chord = chord.parse().expect("a key");
        let found = keys
            .all()
            .find(|binding| binding.scope == scope && binding.chord == chord);
        found.map(|binding| name(binding.intent))
    }

    #[test]
    fn the_names_of_all_actions_stay() {
        let mut names: Vec<String> = BINDINGS
            .iter()
            .map(|binding| name(binding.intent))
            .collect();
        names.sort();
        names.dedup();
        insta::assert_snapshot!(names.join("\n"));
    }

    #[test]
    fn different_actions_have_different_names() {
        for one in BINDINGS.iter() {
            for other in BINDINGS.iter() {
                let same = name(one.intent) == name(other.intent);
                assert_eq!(same, one.intent == other.intent, "{one:?} {other:?}");
            }
        }
    }

    #[test]
    fn an_action_has_as_many_keys_as_one_likes_and_shows_the_configured_one() {
        let (keys, wrong) = configured(&[("f5", "refresh"), ("ctrl-e", "refresh")]);
        assert_eq!(wrong, [""; 0]);
        for key in ["f5", "ctrl-e", "R"] {
            let own = meaning(&keys, Scope::Tab("Lookup"), key);
            assert_eq!(own.as_deref(), Some("refresh"), "{key}");
        }
        let shown: Vec<String> = keys
            .reachable(&[Scope::Tab("Lookup")])
            .filter(|binding| name(binding.intent) == "refresh" && !binding.hint.is_empty())
            .map(|binding| binding.chord.to_string())
            .collect();
        assert_eq!(shown, ["f5"]);
    }

    #[test]
    fn a_key_means_one_thing_and_can_mean_nothing() {
        let (keys, wrong) = configured(&[("w", "jobs"), ("!", "none")]);
        assert_eq!(wrong, [""; 0]);
        assert_eq!(meaning(&keys, Scope::Global, "w").as_deref(), Some("jobs"));
        assert_eq!(meaning(&keys, Scope::Tab("Lookup"), "w"), None);
        assert_eq!(meaning(&keys, Scope::Global, "!"), None);
    }

    #[test]
    fn what_is_wrong_is_said_and_nothing_else_changes() {
        let (keys, wrong) = configured(&[
            ("ctrl-c", "jobs"),
            ("f6", "refesh"),
            ("hyper-x", "jobs"),
            ("ctrl-m", "jobs"),
            ("t", "today"),
        ]);
        insta::assert_snapshot!(wrong.join("\n"));
        assert_eq!(keys.all().count(), BINDINGS.len());
    }
}
