//! `login` and `logout`: store and remove the token, which no other file ever holds.

use std::io::{self, IsTerminal, Read};

use crossterm::{
    event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers},
    terminal,
};

use super::{
    console::{CommandResult, Console},
    exit::Exit,
};
use crate::{
    contract::{Host, Token},
    engine::{
        Engine, Error, ErrorContext, Kind, Probed, Result, Settings,
        credentials::{self, TokenSource},
    },
    report::Line,
    terminal::{Input, TerminalInput},
};

/// More than this is no token.
const LONGEST: u64 = 8 << 10;

/// Reads a token, checks it with the hosts that are configured, and stores it.
///
/// # Errors
/// [`Kind::Usage`] for an invalid token, [`Kind::Credentials`] for one that the service calls invalid.
pub(super) async fn login(settings: Settings, console: &Console) -> CommandResult {
    refuse_invented(&settings)?;
    console.if_interrupted("no token was stored");
    let text = if io::stdin().is_terminal() {
        secret(console).await?
    } else {
        // On a thread that may block, so that signals are still handled.
        let read = tokio::task::spawn_blocking(piped).await;
        read.map_err(|_| Error::new(Kind::Machine, "a task of this program ended early"))??
    };
    let token = Token::new(&text).map_err(|error| {
        Error::new(Kind::Usage, error.to_string())
            .hint("give the token alone, as the account dashboard shows it")
    })?;
    if !settings.offline
        && Host::ALL
            .into_iter()
            .any(|host| settings.service.url(host).is_some())
    {
        check(&settings, &token, console).await?;
    }
    let kept = credentials::store(&settings.profile, &settings.paths.config, &token)?;
    let path = kept.to_string();
    let object = Line::default().key("profile", settings.profile.clone());
    let sentence = format!("stored in {path}, readable only by you");
    console.done(&object.key("file", path.as_str()), &sentence)?;
    if !matches!(settings.token, TokenSource::File(_)) {
        console.note(&format!(
            "it is not used while there is one in: {}",
            settings.token.words()
        ));
    }
    Ok(Exit::DONE)
}

/// Removes the stored token.
///
/// # Errors
/// A failure of this machine.
pub(super) fn logout(settings: &Settings, console: &Console) -> CommandResult {
    refuse_invented(settings)?;
    let removed = credentials::remove(&settings.profile, &settings.paths.config)?;
    let path = removed.map(|kept| kept.to_string());
    let object = Line::default().key("profile", settings.profile.clone());
    let none = "there was no stored token".to_owned();
    let sentence = path.as_ref().map_or(none, |path| format!("removed {path}"));
    console.done(&object.key("removed", path), &sentence)?;
    if !matches!(settings.token, TokenSource::File(_)) {
        console.note(&format!(
            "there still is one in: {}",
            settings.token.words()
        ));
    }
    Ok(Exit::DONE)
}

fn refuse_invented(settings: &Settings) -> Result<()> {
    if settings.invented {
        return Err(
            Error::new(Kind::Usage, "the embedded service has its own tokens")
                .hint("leave --demo out"),
        );
    }
    Ok(())
}

/// The first line of standard input.
fn piped() -> Result<String> {
    let mut text = String::new();
    let read = io::stdin().lock().take(LONGEST).read_to_string(&mut text);
    read.map_err(|error| Error::machine("read the token from standard input", &error))?;
    Ok(text
        .trim_start()
        .lines()
        .next()
        .unwrap_or_default()
        .to_owned())
}

/// Asks every configured host with the new token and says what each said. A token that the Context API calls invalid
/// replaces no other.
async fn check(settings: &Settings, token: &Token, console: &Console) -> Result<()> {
    let engine = Engine::new(settings.clone());
    engine.account.use_token(token);
    let probed = engine.live.probe().await;
    let configured = probed
        .iter()
        .filter(|probed| engine.settings.url(probed.area.host()).is_ok());
    let access = engine.account.access();
    for Probed { area, .. } in configured {
        console.note(&format!("{}: {}", area.word(), access.meaning(*area)));
    }
    let invalid = probed
        .into_iter()
        .filter_map(|probed| probed.outcome.err())
        .find(|error| error.status == Some(401));
    match invalid {
        Some(error) => Err(Error {
            message: format!("not stored: {}", error.message),
            ..error
        }
        .hint("copy it again from the account dashboard; `--offline` stores it unchecked")),
        None => Ok(()),
    }
}

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
async fn secret(console: &Console) -> Result<String> {
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
