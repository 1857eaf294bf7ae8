//! Work that may take long, on threads where it holds nothing else up, and locks between threads.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::error::{Error, Kind, Result};
use crate::store::{StopFlag, threads::come_after_others};

/// Runs what may take long where it holds nothing else up.
///
/// # Errors
/// The error of the work.
pub async fn off_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let ended = tokio::task::spawn_blocking(work).await;
    ended.unwrap_or_else(|_| Err(ended_early()))
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
