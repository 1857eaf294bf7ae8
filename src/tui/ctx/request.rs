//! Questions and answers, as data.

use std::path::PathBuf;

use crate::{
    contract::{ExportQuery, Feed, LookupQuery, Token},
    engine::{self, ExportRun, Exported, Fetched, Listed, Probed, PullQuery, Pulled, Statement},
    model::{Day, FeedMetadata, Status, Tag, TagName},
    store::{Cache, layout::Release},
};

/// Tells questions apart. Numbers are never used twice in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(pub u64);

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
    Ledger(Statement),
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
