//! What the terminal sends: keys, the mouse, pastes, sizes, and replies to queries. A reply is never a key, whoever asked for it.

mod decoder;
mod keys;

use std::{
    collections::VecDeque,
    fs::File,
    future,
    io::{self, IsTerminal},
    os::fd::{AsFd, OwnedFd},
    time::{Duration, Instant},
};

use crossterm::event::Event;
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::{Errno, retry_on_intr},
};
use tokio::{
    io::{Interest, unix::AsyncFd},
    signal::unix::{Signal, SignalKind, signal},
};

use decoder::Decoder;
pub use decoder::Input;

/// The terminal as a source of input: standard input, or where that is none, the terminal that the process was started in.
///
/// Nothing is read unless it is asked for, so another program may have the terminal meanwhile.
#[derive(Debug)]
pub struct TerminalInput {
    terminal: AsyncFd<OwnedFd>,
    resized: Signal,
    decoder: Decoder,
    decoded: VecDeque<Input>,
    /// When [`Decoder::settle`] is due.
    settles_at: Option<Instant>,
}

impl TerminalInput {
    /// Opens it, within a runtime.
    ///
    /// # Errors
    /// When there is no terminal, or it cannot be polled.
    pub fn open() -> io::Result<Self> {
        let stdin = io::stdin();
        let terminal = if stdin.is_terminal() {
            stdin.as_fd().try_clone_to_owned()?
        } else {
            File::open("/dev/tty")?.into()
        };
        #[expect(
            deprecated,
            reason = "its successor is unsafe: a descriptor must stay the same, as an owned one does"
        )]
        let terminal = AsyncFd::with_interest(terminal, Interest::READABLE)?;
        Ok(Self {
            terminal,
            resized: signal(SignalKind::window_change())?,
            decoder: Decoder::default(),
            decoded: VecDeque::new(),
            settles_at: None,
        })
    }

    /// Waits for the next input. May be dropped at any time without losing any.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub async fn next(&mut self) -> io::Result<Input> {
        loop {
            if let Some(input) = self.decoded.pop_front() {
                return Ok(input);
            }
            let settles_at = self.settles_at;
            let settled = async {
                match settles_at {
                    Some(at) => tokio::time::sleep_until(at.into()).await,
                    None => future::pending().await,
                }
            };
            tokio::select! {
                biased;
                Some(()) = self.resized.recv() => {
                    let (columns, rows) = crossterm::terminal::size()?;
                    return Ok(Input::Event(Event::Resize(columns, rows)));
                }
                () = settled => self.settle(),
                ready = self.terminal.readable() => {
                    let mut ready = ready?;
                    // Another program may have read what was there.
                    if !is_readable(&self.terminal, Duration::ZERO)? {
                        ready.clear_ready();
                        continue;
                    }
                    drop(ready);
                    self.read()?;
                }
            }
            // However much is swallowed, others get their turn.
            tokio::task::yield_now().await;
        }
    }

    /// Waits for the next input without the runtime; `None` if none comes in time.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn next_within(&mut self, patience: Duration) -> io::Result<Option<Input>> {
        let deadline = Instant::now() + patience;
        loop {
            if let Some(input) = self.decoded.pop_front() {
                return Ok(Some(input));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if !is_readable(&self.terminal, left)? {
                return Ok(None);
            }
            self.read()?;
        }
    }

    /// Whether the last bytes are the start of a reply.
    #[must_use]
    pub fn is_within_reply(&self) -> bool {
        self.decoder.is_within_string()
    }

    /// Reads what is there.
    fn read(&mut self) -> io::Result<()> {
        let mut buffer = [0; 4096];
        let count = match retry_on_intr(|| rustix::io::read(&self.terminal, &mut buffer)) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            // Another program was faster.
            Err(Errno::AGAIN) => return Ok(()),
            count => count?,
        };
        self.decoder.feed(&buffer[..count], &mut self.decoded);
        self.wait_for_rest();
        Ok(())
    }

    fn settle(&mut self) {
        self.decoder.settle(&mut self.decoded);
        self.wait_for_rest();
    }

    fn wait_for_rest(&mut self) {
        let pause = self.decoder.pause();
        self.settles_at = pause.map(|pause| Instant::now() + pause);
    }
}

/// Whether something can be read within a time.
fn is_readable(terminal: &AsyncFd<OwnedFd>, patience: Duration) -> io::Result<bool> {
    let mut polled = [PollFd::new(terminal, PollFlags::IN)];
    let patience = Timespec::try_from(patience).map_err(io::Error::other)?;
    Ok(retry_on_intr(|| poll(&mut polled, Some(&patience)))? > 0)
}
