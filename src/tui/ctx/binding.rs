//! Key bindings: the rows of the table that determines keys, footer, help and manual.

use crossterm::event::KeyCode;

use super::{Chord, Intent, Scope};

/// The rank of a hint in the footer.
pub mod rank {
    pub const FIRST: u8 = 1;
    pub const SOON: u8 = 3;
    pub const LATER: u8 = 5;
    pub const LAST: u8 = 8;
}

/// A key binding. `A` is the type of the actions of one scope.
#[derive(Clone, Copy, Debug)]
pub struct Binding<A> {
    /// The scope in which it applies.
    pub scope: Scope,
    pub chord: Chord,
    pub intent: Intent<A>,
    /// One or two words for the footer; empty for no hint.
    pub hint: &'static str,
    /// A line for help and manual; empty for a second key with the same meaning.
    pub help: &'static str,
    /// The order in which the footer drops hints: high first.
    pub rank: u8,
    /// Whether it sends a request, which needs a service and a token.
    pub sends: bool,
}

impl<A: Copy> Binding<A> {
    /// The binding, for an action that sends a request.
    #[must_use]
    pub const fn sends(self) -> Self {
        Self {
            sends: true,
            ..self
        }
    }

    /// The binding, with its action converted by `own`.
    #[must_use]
    pub fn among<B>(self, own: impl Fn(A) -> B) -> Binding<B> {
        Binding {
            scope: self.scope,
            chord: self.chord,
            intent: match self.intent {
                Intent::Shared(gesture) => Intent::Shared(gesture),
                Intent::Action(action) => Intent::Action(own(action)),
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

/// A binding that only help shows.
#[must_use]
pub const fn quiet<A: Copy>(
    scope: Scope,
    chord: Chord,
    intent: Intent<A>,
    help: &'static str,
) -> Binding<A> {
    shown(scope, chord, intent, u8::MAX, "", help)
}

/// A second key with the meaning of another.
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
