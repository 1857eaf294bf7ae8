//! A key with its modifiers, normalized as terminals report it.

use std::{fmt, str::FromStr};

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// A key, or a key with control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Chord {
    code: KeyCode,
    control: bool,
}

impl Chord {
    /// A key without modifiers; letters are as typed, so `M` is shift and m.
    #[must_use]
    pub const fn key(code: KeyCode) -> Self {
        Self {
            code,
            control: false,
        }
    }

    #[must_use]
    pub const fn char(character: char) -> Self {
        Self::key(KeyCode::Char(character))
    }

    #[must_use]
    pub const fn control(letter: char) -> Self {
        Self {
            code: KeyCode::Char(letter),
            control: true,
        }
    }

    pub(crate) fn code(self) -> KeyCode {
        self.code
    }

    /// Whether it is pressed with control.
    pub(crate) fn is_control(self) -> bool {
        self.control
    }

    /// Whether it writes a letter in a text field.
    pub(crate) fn is_letter(self) -> bool {
        !self.control && matches!(self.code, KeyCode::Char(_))
    }

    /// The chord of an event; `None` for releases and for keys with alt or similar, which have no meaning here.
    #[must_use]
    pub fn of(event: KeyEvent) -> Option<Self> {
        let other =
            KeyModifiers::ALT | KeyModifiers::SUPER | KeyModifiers::HYPER | KeyModifiers::META;
        if event.kind == KeyEventKind::Release || event.modifiers.intersects(other) {
            return None;
        }
        let control = event.modifiers.contains(KeyModifiers::CONTROL);
        let code = match event.code {
            KeyCode::Char(letter) if control => KeyCode::Char(letter.to_ascii_lowercase()),
            KeyCode::Tab if event.modifiers.contains(KeyModifiers::SHIFT) => KeyCode::BackTab,
            code => code,
        };
        Some(Self { code, control })
    }
}

impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = NAMES.iter().find(|(_, code)| *code == self.code);
        let name = match (named, self.code) {
            (Some((name, _)), _) => (*name).to_owned(),
            (_, KeyCode::Char(letter)) => letter.to_string(),
            (_, KeyCode::F(number)) => format!("f{number}"),
            (_, other) => format!("{other:?}").to_lowercase(),
        };
        let name = if self.control {
            format!("ctrl-{name}")
        } else {
            name
        };
        f.pad(&name)
    }
}

impl FromStr for Chord {
    type Err = String;

    /// Parses a key as it is displayed: `ctrl-x`, `f5`, `space`, `pgup`, `?`.
    fn from_str(text: &str) -> Result<Self, String> {
        let lower = text.to_ascii_lowercase();
        let (control, name) = match lower.strip_prefix("ctrl-").or(lower.strip_prefix("c-")) {
            Some(rest) if !rest.is_empty() => (true, &text[text.len() - rest.len()..]),
            _ => (false, text),
        };
        let mut letters = name.chars();
        let code = match (letters.next(), letters.next()) {
            (Some(letter), None) if control => KeyCode::Char(letter.to_ascii_lowercase()),
            (Some(letter), None) => KeyCode::Char(letter),
            _ => named(&name.to_ascii_lowercase()).ok_or_else(|| {
                format!("{text:?} is no key; keys are written as `x`, `ctrl-x`, `f5` or `space`")
            })?,
        };
        let other = match code {
            KeyCode::Char('i') if control => Some("tab"),
            KeyCode::Char('m' | 'j') if control => Some("enter"),
            _ => None,
        };
        match other {
            Some(other) => Err(format!("terminals send {other} for {text}")),
            None => Ok(Self { code, control }),
        }
    }
}

/// The names of keys, the one that is displayed first.
#[rustfmt::skip]
const NAMES: [(&str, KeyCode); 23] = [
    ("space", KeyCode::Char(' ')),
    ("enter", KeyCode::Enter), ("return", KeyCode::Enter),
    ("esc", KeyCode::Esc), ("escape", KeyCode::Esc),
    ("tab", KeyCode::Tab),
    ("s-tab", KeyCode::BackTab), ("shift-tab", KeyCode::BackTab), ("backtab", KeyCode::BackTab),
    ("bksp", KeyCode::Backspace), ("backspace", KeyCode::Backspace),
    ("up", KeyCode::Up), ("down", KeyCode::Down), ("left", KeyCode::Left), ("right", KeyCode::Right),
    ("pgup", KeyCode::PageUp), ("pageup", KeyCode::PageUp),
    ("pgdn", KeyCode::PageDown), ("pagedown", KeyCode::PageDown),
    ("home", KeyCode::Home), ("end", KeyCode::End),
    ("del", KeyCode::Delete), ("delete", KeyCode::Delete),
];

fn named(name: &str) -> Option<KeyCode> {
    if let Some((_, code)) = NAMES.iter().find(|(text, _)| *text == name) {
        return Some(*code);
    }
    let number = name.strip_prefix('f')?.parse().ok();
    number
        .filter(|number| (1..=24).contains(number))
        .map(KeyCode::F)
}
