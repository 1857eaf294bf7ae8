//! The terminal: entering it, drawing, and restoring it exactly.
//!
//! Nothing else in the program writes to the terminal. It is given back when [`Screen`] is dropped, when a panic starts,
//! and while a child program or the shell has it; [`restore`] does so from anywhere and may be called twice. What the
//! terminal is asked, nobody waits for: one that does not answer would cost two seconds.

mod clipboard;
mod osc;
mod outlet;
mod panic;

use std::{env, fmt, io};

use crossterm::{
    QueueableCommand,
    event::{DisableMouseCapture, EnableBracketedPaste, EnableFocusChange, EnableMouseCapture},
    style,
    terminal::{self, BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen},
};
use ratatui::{Frame, Terminal, backend::CrosstermBackend, layout::Size};
use signal_hook::{consts::SIGTSTP, low_level::emulate_default_handler};

use crate::tui::ui::sanitize;
pub use clipboard::{CopyRefused, Route};
use osc::TerminalFeatures;
pub use osc::{ProgressShare, ground_of};
use outlet::FrameWriter;
pub use panic::restore;

/// Who gets the mouse: the terminal, which selects text with it, or the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mouse {
    /// The terminal keeps it: selecting and copying work as everywhere.
    #[default]
    Terminal,
    /// Clicks and the wheel come as events.
    Captured,
}

impl From<bool> for Mouse {
    /// The program gets the mouse, or does not.
    fn from(captured: bool) -> Self {
        if captured {
            Self::Captured
        } else {
            Self::Terminal
        }
    }
}

/// Why there is no screen to draw on.
#[derive(Debug)]
pub enum UnusableScreen {
    /// Standard output goes to a file or a pipe, and there is no terminal beside it.
    NotATerminal,
    /// `TERM` says that the terminal cannot move its cursor.
    Dumb,
    Refused(io::Error),
}

impl fmt::Display for UnusableScreen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotATerminal => {
                f.write_str("the explorer needs a terminal, and standard output is not one")
            }
            Self::Dumb => f.write_str(
                "TERM=dumb: this terminal cannot show the explorer; see --help for the commands",
            ),
            Self::Refused(error) => write!(f, "the terminal cannot be used: {error}"),
        }
    }
}

impl std::error::Error for UnusableScreen {}

impl From<io::Error> for UnusableScreen {
    fn from(error: io::Error) -> Self {
        Self::Refused(error)
    }
}

/// The terminal while it is ours: alternate screen, raw mode, bracketed paste, focus events.
#[derive(Debug)]
pub struct Screen {
    terminal: Terminal<CrosstermBackend<FrameWriter>>,
    mouse: Mouse,
    repaint: bool,
    takes: TerminalFeatures,
    /// What title and taskbar show.
    under_way: Option<ProgressShare>,
}

impl Screen {
    /// Takes the terminal.
    ///
    /// # Errors
    /// [`UnusableScreen`] when there is none or it refuses; then it is as it was before.
    pub fn enter(mouse: Mouse) -> Result<Self, UnusableScreen> {
        if env::var_os("TERM").is_some_and(|term| term == "dumb") {
            return Err(UnusableScreen::Dumb);
        }
        // Under NO_COLOR crossterm writes a colour change as `ESC[;m`, which ends reverse video too and would hide the
        // selection. Which colours there are is the theme's decision alone.
        style::force_color_output(true);
        let outlet = FrameWriter::open().map_err(|error| match error.kind() {
            io::ErrorKind::NotConnected => UnusableScreen::NotATerminal,
            _ => UnusableScreen::Refused(error),
        })?;
        panic::report_plainly();
        take(mouse)?;
        let terminal = Terminal::new(CrosstermBackend::new(outlet)).inspect_err(|_| restore())?;
        Ok(Self {
            terminal,
            mouse,
            repaint: false,
            takes: TerminalFeatures::of(|name| env::var_os(name)),
            under_way: None,
        })
    }

    /// Draws one frame; only what changed since the last one is written, all of it at once.
    ///
    /// The cursor is shown when the view placed it with [`Frame::set_cursor_position`], and hidden otherwise. The
    /// finished frame is cleaned of characters that would steer the terminal.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn draw(&mut self, view: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        self.terminal.backend_mut().queue(BeginSynchronizedUpdate)?;
        if std::mem::take(&mut self.repaint) {
            // Not `Terminal::clear`, which asks the terminal where its cursor is and waits for the answer.
            let size = self.terminal.size()?;
            self.terminal.resize(size.into())?;
        }
        self.terminal.draw(|frame| {
            view(frame);
            sanitize::clean(frame.buffer_mut());
        })?;
        let backend = self.terminal.backend_mut();
        backend.queue(EndSynchronizedUpdate)?;
        io::Write::flush(backend)
    }

    /// Makes the next frame write every cell, for a screen that something else wrote over.
    pub fn repaint(&mut self) {
        self.repaint = true;
    }

    /// How large the terminal is now.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn size(&self) -> io::Result<Size> {
        self.terminal.size()
    }

    /// Gives the mouse to the program or back to the terminal.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn set_mouse(&mut self, mouse: Mouse) -> io::Result<()> {
        self.mouse = mouse;
        let backend = self.terminal.backend_mut();
        match mouse {
            Mouse::Captured => backend.queue(EnableMouseCapture)?,
            Mouse::Terminal => backend.queue(DisableMouseCapture)?,
        };
        io::Write::flush(backend)
    }

    /// Shows how far the work under way is, in the title of the window and in the taskbar; nothing is written unless it changed.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn show_progress(&mut self, now: Option<ProgressShare>) -> io::Result<()> {
        if self.under_way == now {
            return Ok(());
        }
        self.under_way = now;
        outlet::send(&self.takes.sequence(now))
    }

    /// Asks the terminal for the colour of its ground; returns whether an answer may come, which is then among the input.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn ask_ground(&mut self) -> io::Result<bool> {
        match self.takes.question() {
            Some(question) => outlet::send(question).map(|()| true),
            None => Ok(false),
        }
    }

    /// Rings the terminal's bell, which most terminals show as a mark on the window.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn bell(&mut self) -> io::Result<()> {
        outlet::send(b"\x07")
    }

    /// Puts `text` on the clipboard of the terminal's user, over SSH and through tmux too, and says by which route.
    ///
    /// A terminal does not say whether it did so: success means that it was told.
    ///
    /// # Errors
    /// [`CopyRefused`] when the text is longer than terminals take, or the terminal is gone.
    pub fn copy(&mut self, text: &str) -> Result<Route, CopyRefused> {
        let route = Route::of(|name| env::var_os(name));
        outlet::send(&clipboard::sequence(text, route)?)?;
        Ok(route)
    }

    /// Gives the terminal to the shell until the program is continued.
    ///
    /// # Errors
    /// When the program cannot be stopped, or the terminal is gone afterwards.
    pub fn suspend(&mut self) -> io::Result<()> {
        self.lend(|| emulate_default_handler(SIGTSTP))?
    }

    /// Gives the terminal to `run`, which typically waits for an editor or a pager, and takes it back afterwards.
    ///
    /// Nothing may read the keyboard meanwhile.
    ///
    /// # Errors
    /// When the terminal cannot be taken back.
    pub fn lend<T>(&mut self, run: impl FnOnce() -> T) -> io::Result<T> {
        restore();
        let result = run();
        take(self.mouse)?;
        self.repaint = true;
        self.under_way = None;
        Ok(result)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// Sets every mode that [`restore`] sets back.
fn take(mouse: Mouse) -> io::Result<()> {
    outlet::hold();
    let modes = || -> io::Result<Vec<u8>> {
        terminal::enable_raw_mode()?;
        let mut modes = Vec::new();
        modes
            .queue(EnterAlternateScreen)?
            .queue(terminal::Clear(terminal::ClearType::All))?
            .queue(EnableBracketedPaste)?
            .queue(EnableFocusChange)?
            .queue(crossterm::cursor::Hide)?;
        if mouse == Mouse::Captured {
            modes.queue(EnableMouseCapture)?;
        }
        Ok(modes)
    };
    modes()
        .and_then(|modes| outlet::send(&modes))
        .inspect_err(|_| restore())
}
