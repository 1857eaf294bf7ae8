//! What happens beside answers and must be said: troubles that cost no answer, notices, what is waited for, and the rebuilding of an index.

use std::{pin::pin, sync::Mutex, time::Duration};

use tokio::{sync::Notify, time::timeout};

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
    /// What is waited for, until a front says it.
    waits: Mutex<Vec<String>>,
    waiting: Notify,
}

/// How long something is waited for without a word.
const SILENT: Duration = Duration::from_secs(2);

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

    /// The result of a task. Where it does not come soon, what is waited for is said, once.
    pub(super) async fn while_waiting<T>(
        &self,
        what: impl FnOnce() -> String,
        task: impl Future<Output = T>,
    ) -> T {
        self.while_waiting_for(SILENT, what, task).await
    }

    async fn while_waiting_for<T>(
        &self,
        silent: Duration,
        what: impl FnOnce() -> String,
        task: impl Future<Output = T>,
    ) -> T {
        let mut task = pin!(task);
        if let Ok(done) = timeout(silent, &mut task).await {
            return done;
        }
        lock(&self.waits).push(what());
        self.waiting.notify_one();
        task.await
    }

    /// What is waited for, as soon as it has taken a while.
    pub async fn next_wait(&self) -> String {
        loop {
            let next = lock(&self.waits).pop();
            match next {
                Some(next) => return next,
                None => self.waiting.notified().await,
            }
        }
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

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn what_takes_long_is_named_once_and_what_comes_soon_never() {
        let notices = Notices::default();
        let what = || "waiting for it".to_owned();
        assert_eq!(notices.while_waiting(what, async { 7 }).await, 7);
        assert!(lock(&notices.waits).is_empty());
        let (end, ended) = oneshot::channel();
        let task = async { ended.await.expect("the end") };
        let slow = notices.while_waiting_for(Duration::ZERO, what, task);
        let hear = async {
            assert_eq!(notices.next_wait().await, "waiting for it");
            end.send(9).expect("somebody waits");
        };
        let (answer, ()) = tokio::join!(slow, hear);
        assert_eq!(answer, 9);
        assert!(lock(&notices.waits).is_empty());
    }
}
