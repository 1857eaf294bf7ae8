//! The terminal, as far as the environment tells: nothing is asked of it, since not every terminal answers.

use std::{env, io, io::IsTerminal};

use super::check::Check;
use crate::cli::console::Console;

/// What the explorer can count on.
pub(super) fn check(console: &Console) -> Check {
    let value = |name| env::var(name).ok().filter(|value| !value.is_empty());
    let term = value("TERM");
    let colours = if console.paint().is_on() {
        "colours"
    } else {
        "no colours"
    };
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(value)
        .unwrap_or_default();
    let utf8 = speaks_utf8(&locale);
    let encoding = if utf8 { "UTF-8" } else { "not UTF-8" };
    let stream = if io::stdout().is_terminal() {
        "a terminal"
    } else {
        "no terminal"
    };
    let said = format!(
        "{stream}, TERM={}, {colours}, {encoding}",
        term.as_deref().unwrap_or("unset")
    );
    let advice = if term.as_deref().is_none_or(|term| term == "dumb") {
        Some("the explorer needs a terminal that can move its cursor")
    } else if !utf8 {
        Some("set LANG to a UTF-8 locale, or boxes and names come out wrong")
    } else if value("TMUX").is_some() {
        Some("copying needs OSC 52, which tmux passes on with: set -g set-clipboard on")
    } else {
        None
    };
    match advice {
        Some(advice) => Check::warning("terminal", said, advice),
        None => Check::fine("terminal", format!("{said}; copying goes by OSC 52")),
    }
}

fn speaks_utf8(locale: &str) -> bool {
    let name = locale.to_ascii_lowercase();
    name.contains("utf-8") || name.contains("utf8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_locale_names_its_encoding() {
        assert!(speaks_utf8("de_DE.UTF-8") && speaks_utf8("C.utf8"));
        assert!(!speaks_utf8("POSIX") && !speaks_utf8(""));
    }
}
