//! Work that may take long, on threads where it holds nothing else up, and locks between threads.

use std::{
    cell::RefCell,
    sync::{Mutex, MutexGuard, PoisonError},
};

use tokio::runtime::Handle;

use super::error::{Error, Kind, Result};
use crate::store::{StopFlag, threads::come_after_others};

thread_local! {
    /// What stops the work of [`together`] that has this thread.
    static TOGETHER: RefCell<Option<StopFlag>> = const { RefCell::new(None) };
}

/// Runs a future that waits for much small work on one thread where it holds nothing else up: going to another thread and back takes
/// longer than a look into an index does. Dropping the future stops the work.
///
/// It must wait for nothing but work of [`off_thread`] and [`stoppable`]: where the system grants one such thread, a host whose name is
/// looked up on another would never answer.
///
/// # Errors
/// The error of the future.
pub async fn together<T: Send + 'static, F: Future<Output = Result<T>>>(
    begin: impl FnOnce() -> F + Send + 'static,
) -> Result<T> {
    /// Work that panics must not leave its flag to the next.
    struct Forget;
    impl Drop for Forget {
        fn drop(&mut self) {
            TOGETHER.take();
        }
    }
    if TOGETHER.with_borrow(Option::is_some) {
        return Box::pin(begin()).await;
    }
    stoppable(move |stop| {
        TOGETHER.set(Some(stop.clone()));
        let _forget = Forget;
        Handle::current().block_on(begin())
    })
    .await
}

/// Runs what may take long where it holds nothing else up.
///
/// # Errors
/// The error of the work.
pub async fn off_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    if let Some(stop) = TOGETHER.with_borrow(Clone::clone) {
        let is_wanted = !stop.is_stopped();
        return is_wanted.then(work).unwrap_or_else(|| Err(stopped()));
    }
    let ended = tokio::task::spawn_blocking(work).await;
    ended.unwrap_or_else(|_| Err(ended_early()))
}

/// That work was stopped because nobody waits for it any more.
pub(super) fn stopped() -> Error {
    Error::new(Kind::Interrupted, "it was stopped; nothing was changed")
}

/// A task ended without a result.
pub(super) fn ended_early() -> Error {
    Error::new(Kind::Machine, "a task of this program ended early")
}

/// The same; dropping the future stops the work.
///
/// # Errors
/// The error of the work.
pub async fn stoppable<T: Send + 'static>(
    work: impl FnOnce(&StopFlag) -> Result<T> + Send + 'static,
) -> Result<T> {
    struct StopAtDrop(StopFlag);
    impl Drop for StopAtDrop {
        fn drop(&mut self) {
            self.0.stop();
        }
    }
    let together = TOGETHER.with_borrow(Clone::clone);
    if let Some(stop) = together {
        return off_thread(move || work(&stop)).await;
    }
    let stop = StopAtDrop(StopFlag::default());
    let own = stop.0.clone();
    off_thread(move || work(&own)).await
}

/// Lowers the scheduling priority of this thread and of those that it starts, so that the thread that draws comes first.
pub(super) fn give_way() {
    /// As of the command `nice` without a number.
    const NICENESS: i32 = 10;
    come_after_others(NICENESS);
}

/// A lock whose holder panicked still guards whole values: each is replaced in one assignment.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::thread::{self, ThreadId};

    use super::*;

    async fn own() -> Result<ThreadId> {
        off_thread(|| Ok(thread::current().id())).await
    }

    #[tokio::test]
    async fn work_that_is_awaited_together_has_one_thread_and_others_have_theirs() {
        let threads = together(|| async {
            let inner = together(own).await?;
            let stoppable = stoppable(|_| Ok(thread::current().id())).await?;
            Ok([own().await?, inner, stoppable, thread::current().id()])
        });
        let threads = threads.await.expect("threads");
        assert!(threads.iter().all(|one| *one == threads[0]));
        assert_ne!(threads[0], thread::current().id());
        let here = off_thread(|| Ok(TOGETHER.with_borrow(Option::is_some)));
        assert!(!here.await.expect("work"));
    }

    #[test]
    fn one_thread_is_enough() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .max_blocking_threads(1)
            .build();
        let all = together(|| async { Ok([own().await?, own().await?]) });
        let threads = runtime.expect("a runtime").block_on(all).expect("threads");
        assert_eq!(threads[0], threads[1]);
    }

    #[tokio::test]
    async fn work_that_panics_is_an_error_and_leaves_its_thread_to_others() {
        let failed = together(|| async { off_thread::<()>(|| panic!("invented")).await });
        assert_eq!(failed.await.expect_err("a panic").kind, Kind::Machine);
        for _ in 0..3 {
            let here = off_thread(|| Ok(TOGETHER.with_borrow(Option::is_some)));
            assert!(!here.await.expect("work"));
        }
    }

    #[tokio::test]
    async fn dropping_it_stops_the_work_that_runs_and_all_that_would_follow() {
        let (told, mut heard) = tokio::sync::mpsc::unbounded_channel();
        let task = tokio::spawn(together(move || async move {
            let begun = told.clone();
            let first = stoppable(move |stop| {
                begun.send("begun").expect("a listener");
                while !stop.is_stopped() {
                    thread::yield_now();
                }
                Err::<(), _>(stopped())
            });
            assert_eq!(first.await, Err(stopped()));
            assert_eq!(own().await, Err(stopped()));
            told.send("stopped").expect("a listener");
            Ok(())
        }));
        assert_eq!(heard.recv().await, Some("begun"));
        task.abort();
        assert_eq!(heard.recv().await, Some("stopped"));
    }
}
