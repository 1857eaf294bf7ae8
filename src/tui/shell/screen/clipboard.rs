//! OSC 52: the escape sequence that asks the terminal to set its clipboard, wherever the program itself runs.

use std::{borrow::Cow, ffi::OsString, fmt, io};

use crossterm::{Command, clipboard::CopyToClipboard};

use crate::{
    model::{visible, visible::is_hostile},
    report::count,
};

/// What terminals are known to take, in bytes of base64; xterm and hterm cut off soon after.
const LONGEST: usize = 74_000;

/// GNU screen passes strings through in pieces no longer than 768 bytes, its own frame included.
const SCREEN_PIECE: usize = 512;

/// By which way the clipboard is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    Terminal,
    /// tmux, and the terminal around it.
    Tmux,
    /// GNU screen, and the terminal around it.
    Screen,
}

impl Route {
    /// Finds the multiplexer by the environment, which is given as a function of a variable's name.
    pub(super) fn of(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        if variable("TMUX").is_some() {
            Self::Tmux
        } else if variable("STY").is_some() {
            Self::Screen
        } else {
            Self::Terminal
        }
    }
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Terminal => "OSC 52",
            Self::Tmux => "OSC 52 through tmux",
            Self::Screen => "OSC 52 through screen",
        })
    }
}

/// Why a text was not copied.
#[derive(Debug)]
pub enum CopyRefused {
    /// Longer than terminals take; they would cut it or drop it without a word.
    TooLong {
        /// Length of the text in bytes.
        bytes: usize,
    },
    Gone(io::Error),
}

impl fmt::Display for CopyRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { bytes } => write!(
                f,
                "{} bytes are more than the {} that terminals take; write it to a file instead",
                count(*bytes as u64),
                count((LONGEST / 4 * 3) as u64)
            ),
            Self::Gone(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CopyRefused {}

impl From<io::Error> for CopyRefused {
    fn from(error: io::Error) -> Self {
        Self::Gone(error)
    }
}

/// The bytes that put `text` on the clipboard by this route.
pub(super) fn sequence(text: &str, route: Route) -> Result<Vec<u8>, CopyRefused> {
    let text = &*harmless(text);
    let encoded = text.len().div_ceil(3) * 4;
    if encoded > LONGEST {
        return Err(CopyRefused::TooLong { bytes: text.len() });
    }
    let mut plain = String::with_capacity(encoded + 16);
    // Writing to a string cannot fail.
    let _ = CopyToClipboard::to_clipboard_from(text).write_ansi(&mut plain);
    Ok(match route {
        Route::Terminal => plain,
        // tmux obeys the plain sequence under `set-clipboard on` and the wrapped one under `allow-passthrough on`. It does
        // not say which of them is set, and the same text twice does no harm.
        Route::Tmux => {
            let inner = plain.replace('\x1b', "\x1b\x1b");
            format!("{plain}\x1bPtmux;{inner}\x1b\\")
        }
        // Inside its frame `ESC \` would end the frame, so the sequence ends with BEL there.
        Route::Screen => {
            let mut framed = String::with_capacity(plain.len() * 2);
            let mut rest = plain.replace("\x1b\\", "\x07");
            while !rest.is_empty() {
                let after = rest.split_off(rest.len().min(SCREEN_PIECE));
                framed.extend(["\x1bP", &rest, "\x1b\\"]);
                rest = after;
            }
            framed
        }
    }
    .into_bytes())
}

/// The last line of defence: whatever way a text came, what leaves here steers no terminal where it is pasted. Line breaks
/// and tabs stay, since the program puts them between lines and cells of its own.
fn harmless(text: &str) -> Cow<'_, str> {
    let ours = |character: char| matches!(character, '\n' | '\t');
    if !text.contains(|character| is_hostile(character) && !ours(character)) {
        return Cow::Borrowed(text);
    }
    let cells = |line: &str| line.split('\t').map(visible).collect::<Vec<_>>().join("\t");
    Cow::Owned(text.split('\n').map(cells).collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sequence_of(text: &str, route: Route) -> String {
        String::from_utf8(sequence(text, route).expect("short enough")).expect("ASCII")
    }

    #[test]
    fn the_environment_tells_the_route() {
        let with = |set: &'static str| Route::of(|name| (name == set).then(|| "1".into()));
        assert_eq!(with("TMUX"), Route::Tmux);
        assert_eq!(with("STY"), Route::Screen);
        assert_eq!(with("HOME"), Route::Terminal);
    }

    #[test]
    fn each_multiplexer_gets_its_frame() {
        assert_eq!(
            sequence_of("198.51.100.77", Route::Terminal),
            "\x1b]52;c;MTk4LjUxLjEwMC43Nw==\x1b\\"
        );
        assert_eq!(
            sequence_of("a", Route::Tmux),
            "\x1b]52;c;YQ==\x1b\\\x1bPtmux;\x1b\x1b]52;c;YQ==\x1b\x1b\\\x1b\\"
        );
        assert_eq!(
            sequence_of("a", Route::Screen),
            "\x1bP\x1b]52;c;YQ==\x07\x1b\\"
        );
    }

    #[test]
    fn nothing_that_steers_a_terminal_reaches_a_clipboard() {
        let hostile = "a\u{1b}[201~\nrm\u{9b}\u{202e}\r\n\tb";
        assert_eq!(
            harmless(hostile),
            "a\\x1b[201~\nrm\\u{9b}\\u{202e}\\x0d\n\tb"
        );
        assert_eq!(
            sequence_of(hostile, Route::Terminal),
            sequence_of(&harmless(hostile), Route::Terminal)
        );
        assert!(matches!(harmless("one\ntwo\t3"), Cow::Borrowed(_)));
    }

    #[test]
    fn screen_gets_long_texts_in_pieces() {
        let long = sequence_of(&"a".repeat(3000), Route::Screen);
        let pieces: Vec<&str> = long.split_terminator("\x1b\\").collect();
        assert_eq!(pieces.len(), 8);
        assert!(
            pieces
                .iter()
                .all(|piece| piece.starts_with("\x1bP") && piece.len() < 768)
        );
    }

    #[test]
    fn too_long_is_refused_with_the_reason() {
        assert!(sequence(&"a".repeat(55_500), Route::Terminal).is_ok());
        let refused = sequence(&"a".repeat(55_501), Route::Terminal).expect_err("too long");
        assert_eq!(
            refused.to_string(),
            "55,501 bytes are more than the 55,500 that terminals take; write it to a file instead"
        );
    }
}
