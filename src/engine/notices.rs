//! What happens beside answers and must be said: troubles that cost no answer, notices, and the rebuilding of an index.

use std::sync::Mutex;

use super::{
    error::Error,
    progress::{Rebuilding, Rebuilds, Report},
    threads::lock,
};

/// What the services of an engine have to say, until a front takes it.
#[derive(Debug, Default)]
pub struct Notices {
    troubles: Mutex<Vec<Error>>,
    texts: Mutex<Vec<String>>,
    rebuilds: Mutex<Rebuilds>,
}

impl Notices {
    /// Keeps what happened and is worth a word.
    pub(super) fn notice(&self, text: String) {
        lock(&self.texts).push(text);
    }

    /// Keeps what went wrong, each thing once.
    pub fn trouble(&self, error: Error) {
        const MOST: usize = 20;
        let mut troubles = lock(&self.troubles);
        if troubles.len() < MOST && !troubles.contains(&error) {
            troubles.push(error);
        }
    }

    /// What happened beside answers and is worth a word, since this was asked last.
    #[must_use]
    pub fn take_notices(&self) -> Vec<String> {
        std::mem::take(&mut lock(&self.texts))
    }

    /// What went wrong beside what was asked for, each thing once: it cost no answer, and must be said. Empty afterwards.
    #[must_use]
    pub fn take_troubles(&self) -> Vec<Error> {
        std::mem::take(&mut lock(&self.troubles))
    }

    /// From now on this hears how far an index is that is rebuilt before it answers.
    pub fn report_rebuilds(&self, rebuilds: Rebuilds) {
        *lock(&self.rebuilds) = rebuilds;
    }

    /// A report for the rebuilding of an index, which ends when the second value is dropped.
    pub(super) fn begin_rebuild(&self) -> (Report, Rebuilding) {
        let rebuilds = lock(&self.rebuilds).clone();
        rebuilds.begin()
    }
}
