//! A secret typed or pasted at the terminal, without echo.

use crossterm::{
    event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers},
    terminal,
};

use crate::{
    cli::console::Console,
    engine::{Error, ErrorContext, Kind, Result},
    terminal::{Input, TerminalInput},
};

/// A terminal in raw mode; as it was before, once dropped.
struct RawTerminal;

impl RawTerminal {
    fn enter() -> Result<Self> {
        terminal::enable_raw_mode()
            .map_err(|error| Error::machine("switch off the terminal's echo", &error))?;
        Ok(Self)
    }
}

impl Drop for RawTerminal {
    fn drop(&mut self) {
        let _ = terminal::disable_raw_mode();
    }
}

/// Reads a line whose letters do not show.
///
/// # Errors
/// [`Kind::Interrupted`] on Ctrl-C and Esc; a failure of the terminal.
pub(super) async fn secret(console: &Console) -> Result<String> {
    let line = {
        // Whoever sees the question may type at once.
        let _raw = RawTerminal::enter()?;
        console.ask("Token (not shown): ");
        read_line().await
    };
    console.ask("\n");
    line
}

async fn read_line() -> Result<String> {
    const READ: &str = "read from the terminal";
    let mut input = TerminalInput::open().when(READ)?;
    let mut typed = String::new();
    loop {
        if let Input::Event(Event::Key(key)) = input.next().await.when(READ)?
            && key.kind != KeyEventKind::Release
            && press(key, &mut typed)?
        {
            return Ok(typed);
        }
    }
}

/// Takes one key; true when the line is finished.
fn press(key: KeyEvent, typed: &mut String) -> Result<bool> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Enter => return Ok(true),
        KeyCode::Char('d' | 'j' | 'm') if control => return Ok(true),
        KeyCode::Char('c') if control => return Err(given_up()),
        KeyCode::Esc => return Err(given_up()),
        KeyCode::Char('u' | 'w') if control => typed.clear(),
        KeyCode::Char(letter) if !control => typed.push(letter),
        // Refused by name where it is within the token.
        KeyCode::Tab => typed.push('\t'),
        KeyCode::Backspace => {
            typed.pop();
        }
        _ => {}
    }
    Ok(false)
}

fn given_up() -> Error {
    Error::new(Kind::Interrupted, "no token was stored")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_make_a_line() {
        let mut typed = String::new();
        let mut press = |code, modifiers| press(KeyEvent::new(code, modifiers), &mut typed);
        for letter in "xabX".chars() {
            assert_eq!(press(KeyCode::Char(letter), KeyModifiers::NONE), Ok(false));
        }
        assert_eq!(press(KeyCode::Backspace, KeyModifiers::NONE), Ok(false));
        assert_eq!(press(KeyCode::Enter, KeyModifiers::NONE), Ok(true));
        let ctrl_c = press(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(ctrl_c.map_err(|error| error.kind), Err(Kind::Interrupted));
        assert_eq!(typed, "xab");
    }
}
