//! Events from outside, as data.

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui::layout::Size;

use crate::{
    engine::{Access, Balance, Error, Progress, Sources, answers::PolicyStep},
    tui::{
        ctx::request::{Answer, JobId},
        ui::theme::Shade,
    },
};

/// A fact from outside.
#[derive(Debug)]
pub enum Msg {
    /// A key was pressed.
    Key(KeyEvent),
    /// The mouse did something.
    Mouse(MouseEvent),
    /// Text was pasted, in one piece.
    Paste(String),
    /// The terminal has this size now.
    Resize(Size),
    /// The terminal window got or lost the focus.
    Focus(bool),
    /// The terminal has said what colour its ground has.
    Ground(Shade),
    /// Time has passed that was waited for.
    Tick,
    Progress(JobId, Progress),
    /// The first part of a job's answer, which costs nothing, and what follows under the same job.
    AtHand(JobId, Box<Sources>, PolicyStep),
    Answered(JobId, Box<Result<Answer, Error>>),
    /// What the hosts said, after something was asked.
    Heard(Option<Balance>, Access),
    /// A text was copied by this route, or not, for this reason.
    Copied(String, Result<String, String>),
    /// The text of a file that was asked for.
    Read(String),
    /// The world outside was asked for something that failed; says what.
    Failed(String),
}
