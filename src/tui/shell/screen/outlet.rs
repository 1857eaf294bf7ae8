//! Output to the terminal: only complete frames, and nothing after the terminal was restored.

use std::{
    fs::File,
    io::{self, IsTerminal, Write},
    os::fd::AsFd,
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use crossterm::{
    QueueableCommand,
    cursor::Show,
    event::{DisableBracketedPaste, DisableFocusChange, DisableMouseCapture},
    style::{Attribute, SetAttribute},
    terminal::{self, EndSynchronizedUpdate, LeaveAlternateScreen},
};

use super::osc;
use crate::store::fatal_signals;

const FRAME_BEGINS: &[u8] = b"\x1b[?2026h";
const FRAME_ENDS: &[u8] = b"\x1b[?2026l";

/// Whether the terminal is ours at the moment. Process-wide, as the terminal is.
static HELD: AtomicBool = AtomicBool::new(false);

/// Standard output under a descriptor of our own, without the lock of [`io::stdout`], which a panic may find taken. Where that is no
/// terminal, the one that the process was started in.
static TERMINAL: OnceLock<File> = OnceLock::new();

/// From here on [`release`] has something to restore, and so has a fault that ends the process.
pub(super) fn hold() {
    if let (Some(terminal), Ok(modes)) = (TERMINAL.get(), modes_off()) {
        // Where its state cannot be read, a fault leaves it as it is.
        let _ = fatal_signals::hold_terminal(terminal, modes, &osc::RESETS);
    }
    HELD.store(true, Ordering::SeqCst);
}

/// Whether the terminal is ours at the moment.
pub(super) fn is_held() -> bool {
    HELD.load(Ordering::SeqCst)
}

/// Writes to the terminal at once, past any frame.
pub(super) fn send(bytes: &[u8]) -> io::Result<()> {
    TERMINAL
        .get()
        .map_or(Ok(()), |mut terminal| terminal.write_all(bytes))
}

/// Gives the terminal back as it was found: modes, alternate screen, cursor, and the line discipline.
///
/// May be called from anywhere and any number of times; returns whether the terminal was ours, and does nothing unless it was.
pub(super) fn release() -> bool {
    if !HELD.swap(false, Ordering::SeqCst) {
        return false;
    }
    fatal_signals::release_terminal();
    // A closed terminal cannot be restored, and there is no place to report it.
    let _ = modes_off().and_then(|modes| send(&[osc::off(), modes].concat()));
    let _ = terminal::disable_raw_mode();
    true
}

/// Everything is set back explicitly, mouse modes too: `ratatui::restore` would leave most of it on.
fn modes_off() -> io::Result<Vec<u8>> {
    let mut modes = Vec::new();
    modes
        .queue(EndSynchronizedUpdate)?
        .queue(DisableMouseCapture)?
        .queue(DisableFocusChange)?
        .queue(DisableBracketedPaste)?
        .queue(SetAttribute(Attribute::Reset))?
        .queue(LeaveAlternateScreen)?
        .queue(Show)?;
    Ok(modes)
}

/// Standard output; in a pipe the terminal beside it, so that what is chosen in the explorer can go down the pipe.
///
/// # Errors
/// [`io::ErrorKind::NotConnected`] where there is none.
fn terminal() -> io::Result<File> {
    let stdout = io::stdout();
    if stdout.is_terminal() {
        return Ok(File::from(stdout.as_fd().try_clone_to_owned()?));
    }
    if !io::stdin().is_terminal() && !io::stderr().is_terminal() {
        return Err(io::ErrorKind::NotConnected.into());
    }
    let beside = File::options().read(true).write(true).open("/dev/tty");
    beside.map_err(|_| io::ErrorKind::NotConnected.into())
}

/// Gathers what is written and sends it in one piece, a synchronized update only when it is complete.
///
/// So a frame appears at once in terminals that know nothing of synchronized updates too. What is flushed after
/// [`release`] is discarded: when a panic ends a frame, half of it must not land on the shell's screen.
#[derive(Debug)]
pub(super) struct FrameWriter {
    pending: Vec<u8>,
}

impl FrameWriter {
    pub(super) fn open() -> io::Result<Self> {
        if TERMINAL.get().is_none() {
            // Lost only when two threads open at once, and then either will do.
            let _ = TERMINAL.set(terminal()?);
        }
        Ok(Self {
            pending: Vec::with_capacity(16 * 1024),
        })
    }

    fn frame_is_open(&self) -> bool {
        self.pending.starts_with(FRAME_BEGINS) && !self.pending.ends_with(FRAME_ENDS)
    }
}

impl Write for FrameWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pending.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !is_held() {
            self.pending.clear();
            return Ok(());
        }
        if self.frame_is_open() {
            return Ok(());
        }
        let sent = send(&self.pending);
        self.pending.clear();
        sent
    }
}

#[cfg(test)]
mod tests {
    use crossterm::terminal::BeginSynchronizedUpdate;

    use super::*;

    #[test]
    fn every_mode_is_set_back() {
        let modes = String::from_utf8(modes_off().expect("a vector")).expect("ASCII");
        for mode in [
            "1000l", "1002l", "1003l", "1006l", "1004l", "2004l", "1049l", "2026l", "25h",
        ] {
            assert!(modes.contains(&format!("\x1b[?{mode}")), "{mode}");
        }
        assert!(modes.contains("\x1b[0m"));
    }

    #[test]
    fn a_frame_is_open_until_its_end() {
        let mut outlet = FrameWriter {
            pending: Vec::new(),
        };
        assert!(!outlet.frame_is_open());
        outlet.queue(BeginSynchronizedUpdate).expect("a vector");
        assert!(outlet.frame_is_open());
        outlet.write_all(b"text").expect("a vector");
        assert!(outlet.frame_is_open());
        outlet.queue(EndSynchronizedUpdate).expect("a vector");
        assert!(!outlet.frame_is_open());
    }

    #[test]
    fn what_comes_after_the_terminal_was_given_back_is_discarded() {
        let mut outlet = FrameWriter {
            pending: b"half a frame".to_vec(),
        };
        outlet.flush().expect("nothing is written");
        assert!(outlet.pending.is_empty());
    }
}
