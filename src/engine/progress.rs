//! How far a long task is: facts for a bar, a message or a test.

use std::{
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

/// What a long task is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    Asking,
    /// A text is being read.
    Reading,
    /// Reading what an earlier run had downloaded.
    Replaying,
    /// Bytes are coming.
    Downloading,
    /// The file is being made whole and checked.
    Verifying,
    /// What is searched is being written: the bytes are those of the file that it stands for.
    Indexing,
    /// A file is being written from what is local: the bytes are those of the file that it is made from.
    Writing,
    /// The file is getting its name.
    Publishing,
    /// Parts of a release are sent to a warehouse: the bytes are those of the release.
    Loading,
}

impl Stage {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Asking => "asking",
            Self::Reading => "reading",
            Self::Replaying => "resuming",
            Self::Downloading => "downloading",
            Self::Verifying => "verifying",
            Self::Indexing => "indexing",
            Self::Writing => "writing",
            Self::Publishing => "publishing",
            Self::Loading => "loading",
        }
    }
}

/// How far a long task is. Bytes, of a total that may be unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub stage: Stage,
    /// Bytes done.
    pub done: u64,
    /// Bytes in all, if that is known.
    pub total: Option<u64>,
}

pub type Report = Arc<dyn Fn(Progress) + Send + Sync>;

/// The listener for work that nobody asked for by name: the rebuilding of an index, `None` when it has ended.
#[derive(Clone)]
pub struct Rebuilds(Arc<dyn Fn(Option<Progress>) + Send + Sync>);

impl Rebuilds {
    pub fn to(hear: impl Fn(Option<Progress>) + Send + Sync + 'static) -> Self {
        Self(Arc::new(hear))
    }

    /// A report for one of them, and the word of its end when that is dropped.
    pub(super) fn begin(&self) -> (Report, Rebuilding) {
        let hear = Arc::clone(&self.0);
        let report: Report = Arc::new(move |progress| hear(Some(progress)));
        (report, Rebuilding(self.clone()))
    }
}

impl Default for Rebuilds {
    fn default() -> Self {
        Self::to(|_| ())
    }
}

impl fmt::Debug for Rebuilds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Rebuilds")
    }
}

/// An index that is being rebuilt.
pub(super) struct Rebuilding(Rebuilds);

impl Drop for Rebuilding {
    fn drop(&mut self) {
        self.0.0(None);
    }
}

/// A report that is discarded.
#[must_use]
pub fn unheard() -> Report {
    Arc::new(|_| ())
}

/// Reports at most ten times a second, but each new stage at once.
pub(super) struct ProgressReporter {
    report: Report,
    last: Option<(Stage, Instant)>,
}

impl ProgressReporter {
    const PAUSE: Duration = Duration::from_millis(100);

    pub(super) fn new(report: Report) -> Self {
        Self { report, last: None }
    }

    pub(super) fn report(&self) -> Report {
        Arc::clone(&self.report)
    }

    /// Tells how many of so many bytes stand for the parts that are done.
    pub(super) fn tell_parts(&mut self, stage: Stage, bytes: u64, done: u64, of: u64) {
        let share = u128::from(bytes) * u128::from(done) / u128::from(of.max(1));
        let share = u64::try_from(share).unwrap_or(bytes).min(bytes);
        self.tell(stage, share, Some(bytes));
    }

    pub(super) fn tell(&mut self, stage: Stage, done: u64, total: Option<u64>) {
        let due = self
            .last
            .is_none_or(|(last, at)| last != stage || at.elapsed() >= Self::PAUSE);
        if due || Some(done) == total {
            self.last = Some((stage, Instant::now()));
            (self.report)(Progress { stage, done, total });
        }
    }
}
