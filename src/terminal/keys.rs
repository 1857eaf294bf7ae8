//! Keys and mouse events of the sequences that terminals send for them: xterm's, those of the Linux console and of rxvt, and the common
//! part of `CSI u`.

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

pub(super) fn plain(code: KeyCode) -> KeyEvent {
    KeyEvent::new(code, KeyModifiers::NONE)
}

/// A character, which has shift where it is an uppercase letter.
pub(super) fn character(letter: char) -> KeyEvent {
    let modifiers = if letter.is_uppercase() {
        KeyModifiers::SHIFT
    } else {
        KeyModifiers::NONE
    };
    KeyEvent::new(KeyCode::Char(letter), modifiers)
}

/// The key of one byte below 128 in raw mode.
pub(super) fn ascii(byte: u8) -> KeyEvent {
    let control = |letter: u8| {
        let letter = KeyCode::Char(char::from(letter));
        KeyEvent::new(letter, KeyModifiers::CONTROL)
    };
    match byte {
        b'\r' => plain(KeyCode::Enter),
        b'\t' => plain(KeyCode::Tab),
        0x7f => plain(KeyCode::Backspace),
        0x1b => plain(KeyCode::Esc),
        0 => control(b' '),
        0x01..=0x1a => control(byte - 1 + b'a'),
        0x1c..=0x1f => control(byte - 0x1c + b'4'),
        _ => character(char::from(byte)),
    }
}

/// The key of `ESC O` and this byte.
pub(super) fn single_shift(last: u8) -> Option<KeyEvent> {
    letter_code(last).map(plain)
}

/// The key of `ESC [ [` and this byte.
pub(super) fn console(last: u8) -> Option<KeyEvent> {
    matches!(last, b'A'..=b'E').then(|| plain(KeyCode::F(last - b'A' + 1)))
}

/// The event of a control sequence; `None` for a reply.
pub(super) fn control_sequence(parameters: &str, last: u8) -> Option<Event> {
    if let Some(parameters) = parameters.strip_prefix('<') {
        return sgr_mouse(parameters, last).map(Event::Mouse);
    }
    if parameters.is_empty() {
        let key = match last {
            b'I' => return Some(Event::FocusGained),
            b'O' => return Some(Event::FocusLost),
            b'Z' => KeyEvent::new(KeyCode::BackTab, KeyModifiers::SHIFT),
            // F3 is `ESC O R`; this is the end of a reply.
            b'R' => return None,
            _ => plain(letter_code(last)?),
        };
        return Some(Event::Key(key));
    }
    let mut all = parameters.split(';');
    let first = number(all.next()?)?;
    let rest: Vec<&str> = all.collect();
    if last == b'M' {
        let [column, row] = rest[..] else { return None };
        let code = u8::try_from(first).ok()?.checked_sub(32)?;
        return pointed(code, number(column)?, number(row)?).map(Event::Mouse);
    }
    let (modifiers, kind) = match rest[..] {
        [] => (KeyModifiers::NONE, KeyEventKind::Press),
        [text] => modified(text)?,
        // The text of the key, by the protocol of kitty.
        [text, _] if last == b'u' => modified(text)?,
        _ => return None,
    };
    let code = match last {
        b'~' => number_code(first)?,
        b'u' => code_point(first, modifiers)?,
        // `CSI 1;1R` is where the cursor is.
        b'R' => return None,
        b'Z' if first == 1 => KeyCode::BackTab,
        _ if first == 1 => letter_code(last)?,
        _ => return None,
    };
    let key = KeyEvent::new_with_kind(code, modifiers, kind);
    Some(Event::Key(key))
}

/// A number, without what kitty adds to it after a colon.
fn number(text: &str) -> Option<u32> {
    text.split(':').next()?.parse().ok()
}

/// Modifiers, such as `5` for control, and after a colon whether the key is pressed, repeated or released.
fn modified(text: &str) -> Option<(KeyModifiers, KeyEventKind)> {
    let bits = number(text)?.saturating_sub(1);
    let all = [
        KeyModifiers::SHIFT,
        KeyModifiers::ALT,
        KeyModifiers::CONTROL,
        KeyModifiers::SUPER,
        KeyModifiers::HYPER,
        KeyModifiers::META,
    ];
    let own = (0..).zip(all).filter(|(bit, _)| bits >> bit & 1 == 1);
    let kind = match text.split_once(':').map(|(_, kind)| kind) {
        Some("2") => KeyEventKind::Repeat,
        Some("3") => KeyEventKind::Release,
        _ => KeyEventKind::Press,
    };
    Some((own.map(|(_, modifier)| modifier).collect(), kind))
}

/// The key that a letter ends.
fn letter_code(last: u8) -> Option<KeyCode> {
    Some(match last {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'F' => KeyCode::End,
        b'H' => KeyCode::Home,
        b'P'..=b'S' => KeyCode::F(last - b'P' + 1),
        _ => return None,
    })
}

/// The key of a number before `~`.
fn number_code(number: u32) -> Option<KeyCode> {
    let function = |number: u32| u8::try_from(number).ok().map(KeyCode::F);
    match number {
        1 | 7 => Some(KeyCode::Home),
        2 => Some(KeyCode::Insert),
        3 => Some(KeyCode::Delete),
        4 | 8 => Some(KeyCode::End),
        5 => Some(KeyCode::PageUp),
        6 => Some(KeyCode::PageDown),
        11..=15 => function(number - 10),
        17..=21 => function(number - 11),
        23..=26 => function(number - 12),
        28 | 29 => function(number - 15),
        31..=34 => function(number - 17),
        _ => None,
    }
}

/// The key of a code point before `u`. Those of private use are keys without a meaning here.
fn code_point(number: u32, modifiers: KeyModifiers) -> Option<KeyCode> {
    Some(match number {
        0x1b => KeyCode::Esc,
        0x0d => KeyCode::Enter,
        0x09 if modifiers.contains(KeyModifiers::SHIFT) => KeyCode::BackTab,
        0x09 => KeyCode::Tab,
        0x7f => KeyCode::Backspace,
        0xe000..=0xf8ff => return None,
        _ => KeyCode::Char(char::from_u32(number).filter(|letter| !letter.is_control())?),
    })
}

/// A mouse event of `ESC [ M` and three bytes.
pub(super) fn mouse(code: u8, column: u8, row: u8) -> Option<MouseEvent> {
    let place = |byte: u8| u32::from(byte.saturating_sub(32));
    pointed(code.checked_sub(32)?, place(column), place(row))
}

/// A mouse event of `ESC [ <`, in which `m` is a release.
fn sgr_mouse(parameters: &str, last: u8) -> Option<MouseEvent> {
    let mut all = parameters.split(';');
    let code = u8::try_from(number(all.next()?)?).ok()?;
    let event = pointed(code, number(all.next()?)?, number(all.next()?)?)?;
    let kind = match (last, event.kind) {
        (b'm', MouseEventKind::Down(button)) => MouseEventKind::Up(button),
        (b'm' | b'M', kind) => kind,
        _ => return None,
    };
    Some(MouseEvent { kind, ..event })
}

/// A mouse event by its code: two bits of the button, shift, alt, control, whether it moved, and two further bits of the button.
fn pointed(code: u8, column: u32, row: u32) -> Option<MouseEvent> {
    let button = code & 0b11 | code >> 4 & 0b1100;
    let is_moved = code & 0b10_0000 != 0;
    let pressed = match button {
        0 => Some(MouseButton::Left),
        1 => Some(MouseButton::Middle),
        2 => Some(MouseButton::Right),
        _ => None,
    };
    let kind = match (pressed, button, is_moved) {
        (Some(button), _, false) => MouseEventKind::Down(button),
        (Some(button), _, true) => MouseEventKind::Drag(button),
        (_, 3, false) => MouseEventKind::Up(MouseButton::Left),
        (_, 3..=5, true) => MouseEventKind::Moved,
        (_, 4, false) => MouseEventKind::ScrollUp,
        (_, 5, false) => MouseEventKind::ScrollDown,
        (_, 6, false) => MouseEventKind::ScrollLeft,
        (_, 7, false) => MouseEventKind::ScrollRight,
        _ => return None,
    };
    let held = [
        (4, KeyModifiers::SHIFT),
        (8, KeyModifiers::ALT),
        (16, KeyModifiers::CONTROL),
    ];
    let held = held.into_iter().filter(|(bit, _)| code & bit != 0);
    // Counted from one.
    let place = |number: u32| u16::try_from(number.checked_sub(1)?).ok();
    Some(MouseEvent {
        kind,
        column: place(column)?,
        row: place(row)?,
        modifiers: held.map(|(_, modifier)| modifier).collect(),
    })
}
