//! What a terminal takes beside text: the title of its window, progress in the taskbar (OSC 9;4), and the question for the colour of its
//! ground (OSC 11).
//!
//! Only terminals that are known to take a sequence are sent it: to others OSC 9 is a notification. Whatever was set is reset
//! by [`off`], on each exit.

use std::{
    ffi::OsString,
    sync::atomic::{AtomicBool, Ordering},
};

use crate::tui::ui::Shade;

/// How far the work under way is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgressShare {
    /// In per cent, where that is known.
    pub share: Option<u8>,
    /// Whether all of it is paused.
    pub paused: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TerminalFeatures {
    title: bool,
    taskbar: bool,
    ground: bool,
}

/// What was set and must be reset.
static TITLE: AtomicBool = AtomicBool::new(false);
static TASKBAR: AtomicBool = AtomicBool::new(false);

impl TerminalFeatures {
    /// By the environment, which is given as a function of a variable's name.
    pub(super) fn of(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let text = |name: &str| variable(name).and_then(|value| value.into_string().ok());
        let term = text("TERM").unwrap_or_default();
        // A multiplexer keeps the sequence, or shows it.
        let is_within = text("TMUX").is_some() || text("STY").is_some();
        let is_known = match text("TERM_PROGRAM").as_deref() {
            Some("ghostty" | "WezTerm") => true,
            Some("iTerm.app") => text("TERM_FEATURES").is_some_and(|all| all.contains('P')),
            _ => {
                let vte = text("VTE_VERSION").and_then(|version| version.parse::<u32>().ok());
                text("WT_SESSION").is_some()
                    || text("ConEmuANSI").as_deref() == Some("ON")
                    || vte.is_some_and(|version| version >= 8200)
            }
        };
        Self {
            title: !matches!(term.as_str(), "" | "linux" | "dumb"),
            taskbar: is_known && !is_within,
            // GNU screen and the console of Linux never answer; tmux does so for the terminal around it.
            ground: !matches!(term.as_str(), "" | "linux" | "dumb") && text("STY").is_none(),
        }
    }

    /// The bytes of the question for the colour of the ground, where an answer may come.
    ///
    /// They end with BEL: some terminals cannot end their answer otherwise.
    pub(super) fn question(self) -> Option<&'static [u8]> {
        self.ground.then_some(b"\x1b]11;?\x07")
    }

    /// The bytes that show this, and notes that it has to be reset.
    pub(super) fn sequence(self, now: Option<ProgressShare>) -> Vec<u8> {
        let Some(ProgressShare { share, paused }) = now else {
            return off();
        };
        let mut text = String::new();
        if self.title {
            if !TITLE.swap(true, Ordering::SeqCst) {
                text += "\x1b[22;2t";
            }
            let share = share.map_or_else(String::new, |share| format!(" {share}%"));
            let state = if paused { " paused" } else { "" };
            text += &format!("\x1b]2;ipspect{share}{state}\x1b\\");
        }
        if self.taskbar {
            TASKBAR.store(true, Ordering::SeqCst);
            let state = match (share, paused) {
                (_, true) => 4,
                (Some(_), false) => 1,
                (None, false) => 3,
            };
            let share = share.unwrap_or_default();
            text += &format!("\x1b]9;4;{state};{share}\x1b\\");
        }
        text.into_bytes()
    }
}

/// What can be set, and the bytes that reset it. A terminal without a stack of titles is left with none, which a shell sets again.
pub(super) static RESETS: [(&AtomicBool, &[u8]); 2] = [
    (&TASKBAR, b"\x1b]9;4;0;0\x1b\\"),
    (&TITLE, b"\x1b]2;\x1b\\\x1b[23;2t"),
];

/// The bytes that reset what was set; none where nothing was.
pub(super) fn off() -> Vec<u8> {
    let set = RESETS
        .iter()
        .filter(|(is_set, _)| is_set.swap(false, Ordering::SeqCst));
    set.flat_map(|(_, reset)| *reset).copied().collect()
}

/// The background by its colour, such as `rgb:1c1c/1c1c/1c1c`: each component has one to four hexadecimal digits.
#[must_use]
pub fn ground_of(colour: &str) -> Option<Shade> {
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

    fn takes(set: &[(&str, &str)]) -> TerminalFeatures {
        TerminalFeatures::of(|name| {
            let found = set.iter().find(|(text, _)| *text == name);
            found.map(|(_, value)| (*value).into())
        })
    }

    #[test]
    fn a_colour_is_light_or_dark() {
        for (colour, ground) in [
            ("rgb:1c1c/1C1C/1c1c", Some(Shade::Dark)),
            ("rgb:ff/ff/f0", Some(Shade::Light)),
            ("rgba:f/f/f/f", Some(Shade::Light)),
            ("rgb:0/0/ff", Some(Shade::Dark)),
            ("#ffffff", None),
            ("rgb:0/0", None),
        ] {
            assert_eq!(ground_of(colour), ground, "{colour}");
        }
    }

    #[test]
    fn only_known_terminals_are_sent_progress() {
        let xterm = ("TERM", "xterm-256color");
        assert!(!takes(&[xterm]).taskbar && takes(&[xterm]).title);
        assert!(!takes(&[("TERM", "linux")]).title);
        assert!(takes(&[xterm]).question().is_some());
        assert!(takes(&[xterm, ("TMUX", "x")]).question().is_some());
        for silent in [("TERM", "linux"), ("STY", "1.pts")] {
            assert_eq!(takes(&[xterm, silent][1..]).question(), None, "{silent:?}");
        }
        for known in [
            ("TERM_PROGRAM", "ghostty"),
            ("WT_SESSION", "1"),
            ("VTE_VERSION", "8202"),
        ] {
            assert!(takes(&[xterm, known]).taskbar, "{known:?}");
            assert!(!takes(&[xterm, known, ("TMUX", "x")]).taskbar, "{known:?}");
        }
        for unknown in [
            ("TERM_PROGRAM", "iTerm.app"),
            ("VTE_VERSION", "7600"),
            ("ConEmuANSI", "OFF"),
        ] {
            assert!(!takes(&[xterm, unknown]).taskbar, "{unknown:?}");
        }
    }

    #[test]
    fn what_is_shown_is_taken_back_once() {
        let takes = takes(&[("TERM", "xterm"), ("WT_SESSION", "1")]);
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("ASCII");
        let at = |share, paused| Some(ProgressShare { share, paused });
        let first = text(takes.sequence(at(Some(41), false)));
        assert_eq!(
            first,
            "\x1b[22;2t\x1b]2;ipspect 41%\x1b\\\x1b]9;4;1;41\x1b\\"
        );
        let paused = text(takes.sequence(at(None, true)));
        assert_eq!(paused, "\x1b]2;ipspect paused\x1b\\\x1b]9;4;4;0\x1b\\");
        assert_eq!(
            text(takes.sequence(None)),
            "\x1b]9;4;0;0\x1b\\\x1b]2;\x1b\\\x1b[23;2t"
        );
        assert_eq!(text(off()), "");
    }
}
