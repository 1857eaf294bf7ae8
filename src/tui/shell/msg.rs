//! Events from outside, as data.

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui::layout::Size;

use crate::{
    contract::LookupQuery,
    engine::{
        Access, Balance, Error, Progress, Sources,
        answers::{PolicyStep, Source},
    },
    investigation::gather::GatheredText,
    tui::{
        ctx::{Answer, JobId, WatchNews},
        ui::Shade,
    },
};

/// A message from outside.
#[derive(Debug)]
pub enum Msg {
    /// A key was pressed.
    Key(KeyEvent),
    /// A mouse event.
    Mouse(MouseEvent),
    /// Text was pasted, in one piece.
    Paste(String),
    /// The new size of the terminal.
    Resize(Size),
    /// The terminal window got or lost the focus.
    Focus(bool),
    /// The terminal reported its background colour.
    Ground(Shade),
    /// The awaited time has come.
    Tick,
    Progress(JobId, Progress),
    /// The free first part of a job's answer, and the next step under the same job.
    AtHand(JobId, Box<Sources>, PolicyStep),
    Answered(JobId, Box<Result<Answer, Error>>),
    /// The beginning of a long text that a job reads.
    Beginning(JobId, Box<GatheredText>),
    /// One of the lookups of a job has ended.
    LookedUp(JobId, LookupQuery, Result<Source, Error>),
    /// The balance and the access at each host, after a request.
    Heard(Option<Balance>, Access),
    /// What is watched, and what changed there since it was last told.
    Watched(WatchNews),
    /// The outcome of a copy: its route, or the error.
    Copied(String, Result<String, String>),
    /// An effect failed; with the error.
    Failed(String),
}
