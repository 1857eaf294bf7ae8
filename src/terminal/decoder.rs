//! The bytes of a terminal, decoded.
//!
//! A control string (DCS, OSC, SOS, PM, APC) is a reply, and so is each control sequence (CSI) that is no key, no mouse event, no change
//! of the focus and no paste: both are swallowed whole, in constant memory. Only the reply to the query of the background colour is
//! passed on.
//!
//! `ESC P` is alt-P and the beginning of a reply alike, and either may come in several reads. What follows decides: one key that comes
//! alone after a pause was typed, everything else is the rest of the reply.

use std::{collections::VecDeque, str, time::Duration};

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseEvent};

use super::keys;

const ESC: u8 = 0x1b;
const BEL: u8 = 0x07;
const CAN: u8 = 0x18;
const SUB: u8 = 0x1a;
const PASTE_ENDS: &[u8] = b"\x1b[201~";

/// The maximum of parameters and of the text of a reply that are kept, in bytes.
const LONGEST: usize = 64;

/// How long `ESC` waits for the rest of a sequence before it is a key. Terminals send a sequence in one piece, and keys that are typed
/// one after the other must not become one.
const KEY_PAUSE: Duration = Duration::from_millis(10);
/// How long a reply may stall before a key that comes alone was typed.
const REPLY_PAUSE: Duration = Duration::from_secs(1);

/// What was decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    Event(Event),
    /// The reply to the query of the background colour (OSC 11), such as `rgb:1c1c/1c1c/1c1c`.
    Ground(String),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Ground,
    /// After `ESC`; within the control string with this introducer, which `ESC \` ends.
    Escape(Option<u8>),
    /// After `ESC O`.
    SingleShift,
    /// After `ESC [`.
    ControlSequence,
    /// After `ESC [ [`: a function key of the Linux console.
    ConsoleKey,
    /// After `ESC [ M`: three bytes of a mouse event.
    Mouse,
    Paste,
    /// A control string, by the final byte of its introducer: `P`, `]`, `X`, `^` or `_`.
    ControlString {
        introducer: u8,
        is_8_bit: bool,
    },
}

/// Decodes what is fed to it, in pieces of any length.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    state: State,
    /// What belongs to the state: the bytes of a character, parameters, a paste, the start of a control string.
    bytes: Vec<u8>,
    /// Whether an `ESC` was before the character.
    alt: bool,
    /// Whether the rest of a sequence did not come in time.
    stalled: bool,
}

type Decoded = VecDeque<Input>;

impl Decoder {
    /// Decodes the bytes of one read.
    pub(super) fn feed(&mut self, bytes: &[u8], out: &mut Decoded) {
        if std::mem::take(&mut self.stalled) && self.is_typed(bytes) {
            self.to(State::Ground);
        }
        for byte in bytes {
            self.step(*byte, out);
        }
    }

    /// How long to wait for the rest of what has begun before [`Decoder::settle`]; `None` if nothing has.
    pub(super) fn pause(&self) -> Option<Duration> {
        match self.state {
            State::Ground | State::Paste => None,
            _ if self.is_key() => Some(if self.stalled { REPLY_PAUSE } else { KEY_PAUSE }),
            _ => (!self.stalled).then_some(REPLY_PAUSE),
        }
    }

    /// Decides after [`Decoder::pause`], without the rest: a key that begins like a sequence was typed.
    pub(super) fn settle(&mut self, out: &mut Decoded) {
        if !self.is_key() {
            // After an `ESC` that was typed, or the half of an end.
            if let State::Escape(_) = self.state {
                self.to(State::Ground);
            }
            self.stalled = self.state != State::Ground;
            return;
        }
        if std::mem::replace(&mut self.stalled, true) {
            self.stalled = false;
            return self.to(State::Ground);
        }
        let letter = match self.state {
            State::SingleShift => 'O',
            State::ControlSequence => '[',
            State::ControlString { introducer, .. } => char::from(introducer),
            _ => return press(keys::plain(KeyCode::Esc), out),
        };
        press(with_alt(keys::character(letter)), out);
    }

    /// Whether a control string has begun.
    pub(super) fn is_within_string(&self) -> bool {
        matches!(
            self.state,
            State::ControlString { .. } | State::Escape(Some(_))
        )
    }

    /// Whether what has begun is a key as well.
    fn is_key(&self) -> bool {
        match self.state {
            State::Escape(None) | State::SingleShift => true,
            State::ControlSequence => self.bytes.is_empty(),
            State::ControlString { is_8_bit, .. } => self.bytes.is_empty() && !is_8_bit,
            _ => false,
        }
    }

    /// Whether a read after a pause does not go on with what has begun.
    fn is_typed(&self, bytes: &[u8]) -> bool {
        let is_one_key =
            bytes.len() == 1 || str::from_utf8(bytes).is_ok_and(|text| text.chars().count() == 1);
        let is_rest = match self.state {
            State::Escape(None) => bytes
                .first()
                .is_some_and(|byte| introduced(*byte).is_some()),
            State::SingleShift => false,
            _ => true,
        };
        is_one_key || !is_rest
    }

    fn to(&mut self, state: State) {
        self.state = state;
        self.bytes.clear();
        self.alt = false;
    }

    fn step(&mut self, byte: u8, out: &mut Decoded) {
        match self.state {
            State::Ground => self.ground(byte, out),
            State::Escape(string) => self.escape(byte, string, out),
            State::SingleShift => {
                self.to(State::Ground);
                match byte {
                    ESC => self.to(State::Escape(None)),
                    _ => press_if(keys::single_shift(byte), out),
                }
            }
            State::ControlSequence => self.control_sequence(byte, out),
            State::ConsoleKey => {
                self.to(State::Ground);
                press_if(keys::console(byte), out);
            }
            State::Mouse => {
                self.bytes.push(byte);
                if let [code, column, row] = self.bytes[..] {
                    self.to(State::Ground);
                    point_if(keys::mouse(code, column, row), out);
                }
            }
            State::Paste => {
                self.bytes.push(byte);
                if byte == b'~' && self.bytes.ends_with(PASTE_ENDS) {
                    let mut text = std::mem::take(&mut self.bytes);
                    text.truncate(text.len() - PASTE_ENDS.len());
                    let text = String::from_utf8_lossy(&text).into_owned();
                    out.push_back(Input::Event(Event::Paste(text)));
                    self.to(State::Ground);
                }
            }
            State::ControlString {
                introducer,
                is_8_bit,
            } => match byte {
                ESC => self.state = State::Escape(Some(introducer)),
                CAN | SUB => self.to(State::Ground),
                BEL if introducer == b']' => self.end_string(introducer, out),
                0x9c if is_8_bit => self.end_string(introducer, out),
                _ if self.bytes.len() < LONGEST => self.bytes.push(byte),
                _ => {}
            },
        }
    }

    fn ground(&mut self, byte: u8, out: &mut Decoded) {
        if byte.is_ascii() {
            // What was before is the rest of a character.
            self.bytes.clear();
            let alt = std::mem::take(&mut self.alt);
            if byte == ESC {
                return self.to(State::Escape(None));
            }
            let key = keys::ascii(byte);
            return press(if alt { with_alt(key) } else { key }, out);
        }
        self.bytes.push(byte);
        match str::from_utf8(&self.bytes) {
            Ok(text) => {
                let letter = text.chars().next().unwrap_or_default();
                let key = keys::character(letter);
                let key = if self.alt { with_alt(key) } else { key };
                self.to(State::Ground);
                match u8::try_from(u32::from(letter)) {
                    Ok(control @ 0x80..=0x9f) => self.c1(control),
                    _ => press(key, out),
                }
            }
            Err(error) if error.error_len().is_none() => {}
            Err(_) => {
                let is_first = self.bytes.len() == 1;
                self.to(State::Ground);
                match byte {
                    _ if !is_first => self.ground(byte, out),
                    0x80..=0x9f => self.c1(byte),
                    _ => {}
                }
            }
        }
    }

    /// A control character of eight bits stands for `ESC` and a letter.
    fn c1(&mut self, control: u8) {
        if let Some(state) = introduced(control - 0x40) {
            self.to(match state {
                State::ControlString { introducer, .. } => State::ControlString {
                    introducer,
                    is_8_bit: true,
                },
                state => state,
            });
        }
    }

    fn escape(&mut self, byte: u8, string: Option<u8>, out: &mut Decoded) {
        if let (Some(introducer), b'\\') = (string, byte) {
            return self.end_string(introducer, out);
        }
        self.to(State::Ground);
        if let Some(state) = introduced(byte) {
            return self.to(state);
        }
        if byte == ESC {
            if string.is_none() {
                press(keys::plain(KeyCode::Esc), out);
            }
            return self.to(State::Escape(None));
        }
        self.alt = true;
        self.ground(byte, out);
    }

    fn control_sequence(&mut self, byte: u8, out: &mut Decoded) {
        match byte {
            ESC => self.to(State::Escape(None)),
            CAN | SUB => self.to(State::Ground),
            b'[' if self.bytes.is_empty() => self.to(State::ConsoleKey),
            b'M' if self.bytes.is_empty() => self.to(State::Mouse),
            b'~' if self.bytes == b"200" => self.to(State::Paste),
            0x20..=0x3f if self.bytes.len() < LONGEST => self.bytes.push(byte),
            0x40..=0x7e => {
                // Cut parameters are those of no key.
                if self.bytes.len() < LONGEST
                    && let Ok(parameters) = str::from_utf8(&self.bytes)
                    && let Some(event) = keys::control_sequence(parameters, byte)
                {
                    out.push_back(Input::Event(event));
                }
                self.to(State::Ground);
            }
            _ => {}
        }
    }

    fn end_string(&mut self, introducer: u8, out: &mut Decoded) {
        if introducer == b']'
            && let Some(colour) = self.bytes.strip_prefix(b"11;")
        {
            let colour = String::from_utf8_lossy(colour).into_owned();
            out.push_back(Input::Ground(colour));
        }
        self.to(State::Ground);
    }
}

/// What a letter after `ESC` introduces.
fn introduced(letter: u8) -> Option<State> {
    match letter {
        b'[' => Some(State::ControlSequence),
        b'O' => Some(State::SingleShift),
        b'P' | b']' | b'X' | b'^' | b'_' => Some(State::ControlString {
            introducer: letter,
            is_8_bit: false,
        }),
        _ => None,
    }
}

fn with_alt(mut key: KeyEvent) -> KeyEvent {
    key.modifiers |= KeyModifiers::ALT;
    key
}

fn press(key: KeyEvent, out: &mut Decoded) {
    out.push_back(Input::Event(Event::Key(key)));
}

fn press_if(key: Option<KeyEvent>, out: &mut Decoded) {
    if let Some(key) = key {
        press(key, out);
    }
}

fn point_if(mouse: Option<MouseEvent>, out: &mut Decoded) {
    out.extend(mouse.map(|mouse| Input::Event(Event::Mouse(mouse))));
}

#[cfg(test)]
mod tests;
