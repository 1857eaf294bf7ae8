//! A key and what it means in a place: a row of the table that drives what a key does, the footer, the help and the manual.

use crossterm::event::KeyCode;

use super::{
    chord::Chord,
    intent::{Intent, Scope},
};

/// How soon the footer gives a hint up.
pub mod rank {
    pub const FIRST: u8 = 1;
    pub const SOON: u8 = 3;
    pub const LATER: u8 = 5;
    pub const LAST: u8 = 8;
}

/// A row of the table. `A` is what only the place that has the keys can do.
#[derive(Clone, Copy, Debug)]
pub struct Binding<A> {
    /// Where it holds.
    pub scope: Scope,
    pub chord: Chord,
    pub intent: Intent<A>,
    /// One or two words for the footer; empty to leave it out there.
    pub hint: &'static str,
    /// A line for help and manual; empty for a second key of the same meaning.
    pub help: &'static str,
    /// How soon the footer gives it up: high first.
    pub rank: u8,
    /// Whether it asks the service, which takes a service and a token.
    pub sends: bool,
}

impl<A: Copy> Binding<A> {
    /// The same, which asks the service.
    #[must_use]
    pub const fn sends(self) -> Self {
        Self {
            sends: true,
            ..self
        }
    }

    /// The same among the actions of more places.
    #[must_use]
    pub fn among<B>(self, own: impl Fn(A) -> B) -> Binding<B> {
        Binding {
            scope: self.scope,
            chord: self.chord,
            intent: match self.intent {
                Intent::Shared(gesture) => Intent::Shared(gesture),
                Intent::Own(action) => Intent::Own(own(action)),
            },
            hint: self.hint,
            help: self.help,
            rank: self.rank,
            sends: self.sends,
        }
    }
}

/// A binding that the footer shows.
#[must_use]
pub const fn shown<A: Copy>(
    scope: Scope,
    chord: Chord,
    intent: Intent<A>,
    rank: u8,
    hint: &'static str,
    help: &'static str,
) -> Binding<A> {
    Binding {
        scope,
        chord,
        intent,
        hint,
        help,
        rank,
        sends: false,
    }
}

/// A binding that help alone shows.
#[must_use]
pub const fn quiet<A: Copy>(
    scope: Scope,
    chord: Chord,
    intent: Intent<A>,
    help: &'static str,
) -> Binding<A> {
    shown(scope, chord, intent, u8::MAX, "", help)
}

/// A second key for a meaning that has one.
#[must_use]
pub const fn also<A: Copy>(scope: Scope, chord: Chord, intent: Intent<A>) -> Binding<A> {
    quiet(scope, chord, intent, "")
}

#[must_use]
pub const fn char(character: char) -> Chord {
    Chord::char(character)
}

#[must_use]
pub const fn key(code: KeyCode) -> Chord {
    Chord::key(code)
}
