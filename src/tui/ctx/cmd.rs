//! Effects as data, executed by the loop and the worker.

use super::{Entered, JobId, Question};
use crate::engine::{DownloadPlan, PullQuery, SavedBy, trail::TrailEntry};

/// A longer pasted text, in bytes, is read in the background.
pub const LONGEST_READ_AT_ONCE: usize = 1 << 20;

/// An effect.
#[derive(Clone, Debug, PartialEq)]
pub enum Cmd {
    /// Answers a question.
    Ask(JobId, Question),
    /// Cancels a question.
    Cancel(JobId),
    /// Copies a text to the clipboard; the first part describes it.
    Copy(String, String),
    /// Opens a web page.
    Browse(String),
    /// Keeps a pasted text with addresses.
    KeepPaste(String),
    /// Shows a text in the pager.
    Page(String),
    /// Shows a text in the editor.
    Edit(String),
    /// Saves which downloads resume or wait at the next start.
    SaveDownloadPlan(DownloadPlan),
    /// Saves the downloads that have begun but have no received byte: they are paused at the next start, even after a crash.
    Begun(Vec<PullQuery>),
    /// Adds an entry to the trail in the log.
    Remember(TrailEntry),
    /// Records that a local or cached answer replaced a query.
    Saved(SavedBy),
    /// Removes the trail from the log.
    Forget,
    /// Captures or releases the mouse.
    CaptureMouse(bool),
    /// Queries the background colour of the terminal.
    AskGround,
    /// Rings the bell if the terminal is not in the foreground.
    Bell,
    /// Redraws the whole screen.
    Repaint,
    /// Suspends the program and returns to the shell.
    Suspend,
    Quit,
    /// Exits and prints these lines.
    Print(Vec<String>),
    /// Restarts with the embedded service.
    OpenDemo,
    /// Restarts with the service that was entered.
    OpenService(Entered),
    /// Restarts with another profile.
    OpenProfile(String),
    /// Restarts with this case, or with none.
    OpenCase(Option<String>),
}

impl Cmd {
    /// Whether the explorer ends with it.
    #[must_use]
    pub const fn ends(&self) -> bool {
        matches!(
            self,
            Self::Quit
                | Self::Print(_)
                | Self::OpenDemo
                | Self::OpenService(_)
                | Self::OpenProfile(_)
                | Self::OpenCase(_)
        )
    }
}
