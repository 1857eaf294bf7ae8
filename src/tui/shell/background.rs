//! The terminal's answer to the query of its background colour, picked out of the key events.
//!
//! crossterm does not parse this answer. It reports its bytes as keys: alt-], then each letter, then the end. After the query,
//! keys that may belong to the answer are held back until it is complete, or until they cannot belong to it; then they are passed
//! on unchanged. Only exiting waits for the answer, briefly: else it would appear on the command line of the shell.

use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};

use crate::tui::ui::theme::Shade;

/// The start of the answer after `ESC ]`.
const BEGINS: &str = "11;";
/// The maximum length of an answer, in letters.
const LONGEST: usize = 60;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum GroundEvent {
    /// Events that are not part of the answer.
    Events(Vec<Event>),
    /// The answer: the background, if it could be parsed.
    Answer(Option<Shade>),
}

/// Filters the answer out of the events.
#[derive(Debug, Default)]
pub(super) struct Listener {
    /// The time of the query, until it is answered.
    asked: Option<Instant>,
    /// Events that may be the beginning of the answer.
    held: Vec<Event>,
    held_at: Option<Instant>,
    text: String,
    /// Whether the last event was a single `ESC`: the answer may arrive in two parts.
    escaped: bool,
}

impl Listener {
    /// The maximum time that exiting waits for the answer, counted from the query.
    const PATIENCE: Duration = Duration::from_secs(1);
    /// The maximum time that exiting waits for the rest of an answer.
    const PIECE: Duration = Duration::from_millis(200);

    /// Notes that the query was sent.
    pub(super) fn asked(&mut self, now: Instant) {
        *self = Self {
            asked: Some(now),
            ..Self::default()
        };
    }

    /// The time that exiting still waits for the answer; `None` if none is expected.
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

    /// Handles the events after the beginning: letters, then the end. The answer is complete in any case; events that cannot
    /// belong to it follow it.
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

    /// Passes on the events, which are not the answer.
    fn give_back(&mut self, event: Event) -> GroundEvent {
        let mut events = std::mem::take(&mut self.held);
        events.push(event);
        self.text.clear();
        self.held_at = None;
        GroundEvent::Events(events)
    }
}

/// The letter of a key without other meaning.
fn plain(key: KeyEvent) -> Option<char> {
    let shifted = key.modifiers - KeyModifiers::SHIFT;
    match key.code {
        KeyCode::Char(letter) if shifted.is_empty() && letter.is_ascii() => Some(letter),
        _ => None,
    }
}

/// The background by its colour, such as `rgb:1c1c/1c1c/1c1c`: each component has one to four hexadecimal digits.
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
    // The perceived brightness, with the weights of Rec. 709.
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

    /// The keys that crossterm reports for these bytes.
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

    /// The events that are passed on, and the answers.
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
        // The first part could have been the key.
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
        // Without a query there is no answer.
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
