//! The terminal, by its environment. It is not queried, since not every terminal answers.

use std::{env, io, io::IsTerminal};

use super::check::DoctorCheck;
use crate::{
    cli::console::Console,
    engine::locale::{self, LocaleEncoding},
};

/// What the explorer can count on.
pub(super) fn check(console: &Console) -> DoctorCheck {
    let value = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
    let term = value("TERM");
    let colours = if console.style().is_on() {
        "colours"
    } else {
        "no colours"
    };
    let encoding = locale::encoding(value);
    let utf8 = encoding.is_utf8();
    let encoding = match encoding {
        LocaleEncoding::Utf8 => "UTF-8",
        LocaleEncoding::Unset => "no locale, taken for UTF-8",
        LocaleEncoding::Other(_) => "not UTF-8",
    };
    let stream = if io::stdout().is_terminal() {
        "a terminal"
    } else {
        "no terminal"
    };
    let finding = format!(
        "{stream}, TERM={}, {colours}, {encoding}",
        term.as_deref().unwrap_or("unset")
    );
    let advice = if term.as_deref().is_none_or(|term| term == "dumb") {
        Some("the explorer needs a terminal that can move its cursor")
    } else if !utf8 {
        Some(
            "set LANG to a UTF-8 locale to see names in other letters; the explorer draws with ASCII now",
        )
    } else if value("TMUX").is_some() {
        Some("copying needs OSC 52, which tmux passes on with: set -g set-clipboard on")
    } else {
        None
    };
    match advice {
        Some(advice) => DoctorCheck::warning("terminal", finding, advice),
        None => DoctorCheck::fine("terminal", format!("{finding}; copies with OSC 52")),
    }
}
