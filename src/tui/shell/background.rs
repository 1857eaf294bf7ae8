//! The terminal's answer to the query of its background colour, picked out of the key events.
//!
//! crossterm does not know such an answer and gives it as the keys that its bytes would be: alt-], then each letter, then its end. What
//! begins so after the question was put is held back until it is the answer, or cannot be it; then it is given on as it came. Nothing
//! waits for the answer but leaving, for a moment: else it would be in the line of the shell.

use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};

use crate::tui::ui::theme::Shade;

/// How the answer begins behind `ESC ]`.
const BEGINS: &str = "11;";
/// No answer is longer, in letters.
const LONGEST: usize = 60;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum GroundEvent {
    /// These are no answer.
    Events(Vec<Event>),
    /// The answer: the ground, where it can be read.
    Answer(Option<Shade>),
}

/// Listens for the answer among the events.
#[derive(Debug, Default)]
pub(super) struct Listener {
    /// When the question was put, until it is answered.
    asked: Option<Instant>,
    /// What may be the beginning of the answer, and when the last of it came.
    held: Vec<Event>,
    held_at: Option<Instant>,
    text: String,
    /// Whether the last event was `ESC` by itself: the answer may come in two pieces.
    escaped: bool,
}

impl Listener {
    /// Leaving waits so long for the answer, from when the question was put.
    const PATIENCE: Duration = Duration::from_secs(1);
    /// Leaving waits so long for the rest of an answer that has begun.
    const PIECE: Duration = Duration::from_millis(200);

    /// The question was put.
    pub(super) fn asked(&mut self, now: Instant) {
        *self = Self {
            asked: Some(now),
            ..Self::default()
        };
    }

    /// How long leaving waits for the answer still; `None` where none is to come, or none will.
    pub(super) fn wait(&self, now: Instant) -> Option<Duration> {
        let asked = self.asked?;
        let piece = self.held_at.map(|at| at + Self::PIECE);
        let end = (asked + Self::PATIENCE).max(piece.unwrap_or(asked));
        let left = end.saturating_duration_since(now);
        (!left.is_zero()).then_some(left)
    }

    pub(super) fn hear(&mut self, event: Event, now: Instant) -> GroundEvent {
        let Event::Key(key) = event else {
            return GroundEvent::Events(vec![event]);
        };
        if self.asked.is_none() {
            return GroundEvent::Events(vec![event]);
        }
        if self.held.is_empty() {
            let begins = key.code == KeyCode::Char(']')
                && (key.modifiers == KeyModifiers::ALT || self.escaped && key.modifiers.is_empty());
            self.escaped = key.code == KeyCode::Esc;
            if !begins {
                return GroundEvent::Events(vec![event]);
            }
            self.hold(event, now);
            return GroundEvent::Events(Vec::new());
        }
        if self.text.starts_with(BEGINS) {
            return self.rest(key, event, now);
        }
        match plain(key).filter(|letter| BEGINS[self.text.len()..].starts_with(*letter)) {
            Some(letter) => {
                self.text.push(letter);
                self.hold(event, now);
                GroundEvent::Events(Vec::new())
            }
            None => self.give_back(event),
        }
    }

    /// Behind the beginning: letters, then the end. It is the answer in any case; what cannot be part of it follows it.
    fn rest(&mut self, key: KeyEvent, event: Event, now: Instant) -> GroundEvent {
        let is_bell = key == KeyEvent::new(KeyCode::Char('g'), KeyModifiers::CONTROL);
        let is_end = key == KeyEvent::new(KeyCode::Char('\\'), KeyModifiers::ALT);
        let is_late_end = self.escaped && key == KeyEvent::from(KeyCode::Char('\\'));
        if is_bell || is_end || is_late_end || self.text.len() > LONGEST {
            let ground = ground_of(self.text.strip_prefix(BEGINS).unwrap_or_default());
            *self = Self::default();
            return GroundEvent::Answer(ground);
        }
        if let Some(letter) = plain(key).filter(|_| !self.escaped) {
            self.text.push(letter);
        } else if key.code != KeyCode::Esc {
            return GroundEvent::Events(vec![event]);
        }
        self.escaped = key.code == KeyCode::Esc;
        self.held_at = Some(now);
        GroundEvent::Events(Vec::new())
    }

    fn hold(&mut self, event: Event, now: Instant) {
        self.held.push(event);
        self.held_at = Some(now);
    }

    /// Not the answer after all.
    fn give_back(&mut self, event: Event) -> GroundEvent {
        let mut events = std::mem::take(&mut self.held);
        events.push(event);
        self.text.clear();
        self.held_at = None;
        GroundEvent::Events(events)
    }
}

/// The letter of a key that is nothing but a letter.
fn plain(key: KeyEvent) -> Option<char> {
    let shifted = key.modifiers - KeyModifiers::SHIFT;
    match key.code {
        KeyCode::Char(letter) if shifted.is_empty() && letter.is_ascii() => Some(letter),
        _ => None,
    }
}

/// The ground by its colour, such as `rgb:1c1c/1c1c/1c1c`: each part has one to four hexadecimal digits.
fn ground_of(colour: &str) -> Option<Shade> {
    let parts = colour
        .strip_prefix("rgb:")
        .or_else(|| colour.strip_prefix("rgba:"))?;
    let mut parts = parts.split('/').map(|part| {
        let most: u16 = match part.len() {
            1 => 0xf,
            2 => 0xff,
            3 => 0xfff,
            4 => 0xffff,
            _ => return None,
        };
        let value = u16::from_str_radix(part, 16).ok()?;
        Some(f32::from(value) / f32::from(most))
    });
    let [red, green, blue] = [parts.next()??, parts.next()??, parts.next()??];
    // How bright it looks, as Rec. 709 weighs the three.
    let bright = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    Some(if bright > 0.5 {
        Shade::Light
    } else {
        Shade::Dark
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The keys that crossterm makes of bytes.
    fn keys(bytes: &str) -> Vec<Event> {
        let mut alt = KeyModifiers::NONE;
        let mut events = Vec::new();
        for letter in bytes.chars() {
            let code = match letter {
                '\x1b' => {
                    alt = KeyModifiers::ALT;
                    continue;
                }
                '\x07' => KeyEvent::new(KeyCode::Char('g'), KeyModifiers::CONTROL),
                letter => KeyEvent::new(KeyCode::Char(letter), alt),
            };
            alt = KeyModifiers::NONE;
            events.push(Event::Key(code));
        }
        events
    }

    /// What is given on of these events, and the answer among them.
    fn heard(listener: &mut Listener, events: Vec<Event>) -> (Vec<Event>, Vec<Option<Shade>>) {
        let (mut given, mut answers) = (Vec::new(), Vec::new());
        for event in events {
            match listener.hear(event, Instant::now()) {
                GroundEvent::Events(events) => given.extend(events),
                GroundEvent::Answer(ground) => answers.push(ground),
            }
        }
        (given, answers)
    }

    fn listening() -> Listener {
        let mut listener = Listener::default();
        listener.asked(Instant::now());
        listener
    }

    #[test]
    fn an_answer_never_becomes_keys() {
        for (bytes, ground) in [
            ("\x1b]11;rgb:1c1c/1C1C/1c1c\x07", Some(Shade::Dark)),
            ("\x1b]11;rgb:ff/ff/f0\x1b\\", Some(Shade::Light)),
            ("\x1b]11;rgba:f/f/f/f\x1b\\", Some(Shade::Light)),
            ("\x1b]11;rgb:0/0/ff\x07", Some(Shade::Dark)),
            ("\x1b]11;#ffffff\x07", None),
        ] {
            let mut listener = listening();
            let all = [keys("a"), keys(bytes), keys("b")].concat();
            let (given, answers) = heard(&mut listener, all);
            assert_eq!(answers, [ground], "{bytes:?}");
            assert_eq!(given, keys("ab"), "{bytes:?}");
            assert_eq!(listener.wait(Instant::now()), None);
        }
    }

    #[test]
    fn an_answer_may_come_in_pieces() {
        let mut listener = listening();
        let esc = || vec![Event::Key(KeyCode::Esc.into())];
        let pieces = [esc(), keys("]11;rgb:0/0/0"), esc(), keys("\\x")].concat();
        let (given, answers) = heard(&mut listener, pieces);
        assert_eq!(answers, [Some(Shade::Dark)]);
        // The first piece could have been the key.
        assert_eq!(given, [esc(), keys("x")].concat());
        let mut listener = listening();
        let focus = vec![Event::FocusLost];
        let (given, answers) = heard(
            &mut listener,
            [keys("\x1b]11;rg"), focus.clone(), keys("b:0/0/0\x07")].concat(),
        );
        assert_eq!((given, answers), (focus, vec![Some(Shade::Dark)]));
    }

    #[test]
    fn keys_that_begin_like_an_answer_are_given_on() {
        let mut listener = listening();
        let typed = keys("\x1b]1x\x1b]12");
        assert_eq!(heard(&mut listener, typed.clone()), (typed, Vec::new()));
        // Without a question there is no answer.
        let answer = keys("\x1b]11;rgb:0/0/0\x07");
        let (given, none) = heard(&mut Listener::default(), answer.clone());
        assert_eq!((given, none), (answer, Vec::new()));
    }

    #[test]
    fn leaving_waits_for_a_moment_and_for_an_answer_that_has_begun() {
        let now = Instant::now();
        let mut listener = Listener::default();
        assert_eq!(listener.wait(now), None);
        listener.asked(now);
        assert_eq!(listener.wait(now), Some(Listener::PATIENCE));
        let late = now + Listener::PATIENCE;
        assert_eq!(listener.wait(late), None);
        for key in keys("\x1b]11;") {
            listener.hear(key, late);
        }
        assert_eq!(listener.wait(late), Some(Listener::PIECE));
        assert_eq!(listener.wait(late + Listener::PIECE), None);
    }
}
