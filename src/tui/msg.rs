//! What comes in and what goes out, as data. A [`Msg`] is a fact from outside; a [`Cmd`] is an effect to be carried out.

use std::path::PathBuf;

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui::layout::Size;

use crate::{
    contract::{ExportQuery, Feed, LookupQuery, Token},
    engine::{
        self, Access, Account, Balance, Error, ExportRun, Exported, Fetched, Listed, Probed,
        Progress, PullQuery, Pulled, trail::Note,
    },
    model::{Day, FeedMetadata, Status, Tag, TagName},
    store::{Cache, layout::Release},
};

/// Tells questions apart. Numbers are never used twice in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(pub u64);

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
    /// Time has passed that was waited for.
    Tick,
    /// A job is this far.
    Progress(JobId, Progress),
    /// A job ended.
    Answered(JobId, Box<Result<Answer, Error>>),
    /// What the hosts said, after something was asked.
    Heard(Option<Balance>, Access),
    /// A text was copied by this route, or not, for this reason.
    Copied(String, Result<String, String>),
    /// The world outside was asked for something that failed; says what.
    Failed(String),
}

/// An effect to be carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cmd {
    /// Find an answer.
    Ask(JobId, Question),
    /// Stop looking for one.
    Cancel(JobId),
    /// Put text on the clipboard; the first part says what it is.
    Copy(String, String),
    /// Open a web page.
    Browse(String),
    /// Show text in the pager.
    Page(String),
    /// Show text in the editor.
    Edit(String),
    /// Add to the trail in the log.
    Remember(Note),
    /// Remove the trail from the log.
    Forget,
    /// Take or release the mouse.
    CaptureMouse(bool),
    /// Ring the bell.
    Bell,
    /// Draw everything anew.
    Repaint,
    /// Give the terminal to the shell.
    Suspend,
    /// Leave.
    Quit,
    /// Leave, and come back on the embedded service.
    OpenDemo,
}

/// What can be asked. Questions are data, so that tests compare them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// The live record of an address: costs a query.
    Lookup(LookupQuery),
    /// The metadata of a tag.
    Tag(TagName),
    /// The status of the token.
    Status,
    /// What each host allows.
    Probe,
    /// What this program spent.
    Ledger,
    /// The metadata of a feed.
    Metadata(Feed),
    /// The days of a feed.
    Runs(Feed),
    /// The files of a day of a feed.
    Files(Feed, Day),
    /// The releases on this disk.
    Releases,
    /// A download.
    Pull(PullQuery),
    /// The documentation of a feed, as a file of this name. A file that is there stays.
    Readme(Feed, PathBuf),
    /// An export to a file.
    Export(ExportRun),
    /// The beginning of an exported file.
    Sample(ExportRun),
    /// A few rows from the service, kept in no file.
    Preview(ExportQuery),
    /// Whether there is a file of this name.
    IsThere(PathBuf),
    /// The trail of earlier runs.
    Trail,
    /// Use this token from now on; keep it in its file if so asked. Answers with what the hosts say of it.
    Login(Token, Keep),
}

/// Whether a token is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// In the profile's token file.
    InFile,
    /// For this run only.
    ForNow,
}

/// What was found.
#[derive(Clone, Debug)]
pub enum Answer {
    /// To [`Question::Lookup`].
    Lookup(engine::Answer),
    /// To [`Question::Tag`].
    Tag(Fetched<Tag>),
    /// To [`Question::Status`].
    Status(Fetched<Status>),
    /// To [`Question::Probe`] and [`Question::Login`].
    Probed(Vec<Probed>),
    /// To [`Question::Ledger`].
    Ledger(Account),
    /// To [`Question::Metadata`].
    Metadata(Fetched<FeedMetadata>),
    /// To [`Question::Runs`] and [`Question::Files`].
    Listed(Listed),
    /// To [`Question::Releases`].
    Releases(OnDisk),
    /// To [`Question::Pull`].
    Pulled(Pulled),
    /// To [`Question::Export`].
    Exported(Exported),
    /// To [`Question::Sample`] and [`Question::Preview`].
    Sample(Sample),
    /// To [`Question::Readme`].
    Saved(PathBuf),
    /// To [`Question::IsThere`].
    IsThere(bool),
    /// To [`Question::Trail`].
    Trail(engine::Trail),
}

/// The feeds on this disk.
#[derive(Clone, Debug, Default)]
pub struct OnDisk {
    /// Every usable release, newest first within a feed.
    pub releases: Vec<Release>,
    /// What is there and cannot be used, in words.
    pub unusable: Vec<String>,
    /// The feeds whose newest JSON release is among that.
    pub faulty: Vec<Feed>,
    /// Bytes free.
    pub free: Option<u64>,
    /// Where they are.
    pub cache: Option<Cache>,
}

/// The beginning of an exported file, as rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Rows of cells.
    pub rows: Vec<Vec<String>>,
    /// Whether the file goes on.
    pub more: bool,
}
