//! Work that may take long, on threads where it holds nothing else up, and locks between threads.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::error::{Error, Kind, Result};
use crate::store::Stop;

/// Runs what may take long where it holds nothing else up.
///
/// # Errors
/// That of the work.
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
pub(super) async fn stoppable<T: Send + 'static>(
    work: impl FnOnce(&Stop) -> Result<T> + Send + 'static,
) -> Result<T> {
    struct StopAtDrop(Stop);
    impl Drop for StopAtDrop {
        fn drop(&mut self) {
            self.0.stop();
        }
    }
    let stop = StopAtDrop(Stop::default());
    let own = stop.0.clone();
    off_thread(move || work(&own)).await
}

/// Has this thread, and those that it starts, give way to whoever else wants a processor: they go on with what is left over.
///
/// Elsewhere than on Linux a priority is that of a whole process, and nothing is changed.
pub(super) fn give_way() {
    /// As of `nice` without a number.
    #[cfg(target_os = "linux")]
    const NICENESS: i32 = 10;
    // Without it everything is as right, and frames may wait.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), NICENESS);
}

/// A lock whose holder panicked still guards whole values: each is replaced in one assignment.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use rustix::{process::getpriority_process, thread::gettid};

    use super::*;

    #[test]
    fn a_thread_that_gives_way_and_what_it_starts_come_later_than_others() {
        let own = || getpriority_process(Some(gettid())).expect("known");
        let before = own();
        let gave_way = std::thread::spawn(move || {
            give_way();
            let started = std::thread::spawn(own).join().expect("started");
            (own(), started)
        });
        let (gave_way, started) = gave_way.join().expect("started");
        assert!(gave_way > before, "{gave_way} {before}");
        assert_eq!((started, own()), (gave_way, before));
    }
}
