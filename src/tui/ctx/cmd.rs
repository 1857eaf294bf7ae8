//! Effects as data, executed by the loop and the worker.

use super::request::{Entered, JobId, Question};
use crate::engine::{Later, PullQuery, SavedBy, trail::TrailEntry};

/// An effect to be carried out.
#[derive(Clone, Debug, PartialEq)]
pub enum Cmd {
    /// Find an answer.
    Ask(JobId, Question),
    /// Stop looking for one.
    Cancel(JobId),
    /// Put text on the clipboard; the first part says what it is.
    Copy(String, String),
    /// Open a web page.
    Browse(String),
    /// Read the text of a file.
    Read(String),
    /// Show text in the pager.
    Page(String),
    /// Show text in the editor.
    Edit(String),
    /// Saves which downloads resume or wait at the next start.
    GoOnLater(Later),
    /// Note the downloads that have begun and without a received byte: they wait at the next start, however this run ends.
    Begun(Vec<PullQuery>),
    /// Add to the trail in the log.
    Remember(TrailEntry),
    /// Note that a local or cached answer took the place of a query.
    Saved(SavedBy),
    /// Remove the trail from the log.
    Forget,
    /// Take or release the mouse.
    CaptureMouse(bool),
    /// Ask the terminal for the colour of its ground.
    AskGround,
    /// Ring the bell, where the terminal is not in front.
    Bell,
    /// Redraw everything.
    Repaint,
    /// Give the terminal to the shell.
    Suspend,
    Quit,
    /// Leave, and print these lines.
    Print(Vec<String>),
    /// Leave, and come back on the embedded service.
    OpenDemo,
    /// Leave, and come back on the service that was entered.
    OpenService(Entered),
    /// Leave, and come back with another profile.
    OpenProfile(String),
}
