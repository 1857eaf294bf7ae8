//! Starting threads, and their priority.
//!
//! A system may refuse a thread at any moment. Nothing may wait for one that was refused: its starter does the work, or fails.

use std::{
    io,
    thread::{Builder, JoinHandle, Scope, ScopedJoinHandle},
};

/// The system refused to start a thread. Wrapped in an I/O error, and can be extracted again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the system starts no more threads")]
pub struct NoThread;

impl NoThread {
    /// Whether this is behind an I/O error.
    #[must_use]
    pub fn is_behind(error: &io::Error) -> bool {
        matches!(error.get_ref(), Some(own) if own.is::<Self>())
    }
}

impl From<NoThread> for io::Error {
    fn from(none: NoThread) -> Self {
        Self::other(none)
    }
}

/// Starts a thread.
///
/// # Errors
/// [`NoThread`].
pub fn start<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    #[cfg(test)]
    tests::take_grant()?;
    let thread = Builder::new().name(name.to_owned());
    thread.spawn(work).map_err(|_| NoThread.into())
}

/// Starts a thread that ends with its scope.
///
/// # Errors
/// [`NoThread`].
pub fn start_in<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    #[cfg(test)]
    tests::take_grant()?;
    let thread = Builder::new();
    thread
        .spawn_scoped(scope, work)
        .map_err(|_| NoThread.into())
}

/// Lowers the priority of this thread and of the threads that it starts from now on. Each step of `niceness` reduces its share of
/// a contended processor by a fifth. This cannot be undone.
///
/// On systems other than Linux niceness applies to the whole process, so this does nothing.
#[cfg_attr(
    not(target_os = "linux"),
    expect(unused_variables, reason = "nothing is changed")
)]
pub fn come_after_others(niceness: i32) {
    #[cfg(target_os = "linux")]
    {
        let thread = Some(rustix::thread::gettid());
        if let Ok(number) = rustix::process::getpriority_process(thread) {
            // If this fails, the work is only slower.
            let _ = rustix::process::setpriority_process(thread, number + niceness);
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::cell::Cell;

    use super::*;

    thread_local! {
        /// How many more threads this one may start.
        static GRANTS: Cell<usize> = const { Cell::new(usize::MAX) };
    }

    pub(super) fn take_grant() -> io::Result<()> {
        let left = GRANTS.get().checked_sub(1).ok_or(NoThread)?;
        GRANTS.set(left);
        Ok(())
    }

    /// Runs something on a system that starts only so many threads for it.
    pub(crate) fn with_grants<T>(threads: usize, run: impl FnOnce() -> T) -> T {
        GRANTS.set(threads);
        let result = run();
        GRANTS.set(usize::MAX);
        result
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_thread_comes_after_others_with_all_that_it_starts() {
        use rustix::{process::getpriority_process, thread::gettid};
        let own = || getpriority_process(Some(gettid())).expect("known");
        let before = own();
        let later = std::thread::spawn(move || {
            come_after_others(2);
            let once = own();
            let started = std::thread::spawn(move || {
                come_after_others(1);
                own()
            });
            (once, started.join().expect("ended"))
        });
        let steps = later.join().expect("ended");
        assert_eq!(steps, ((before + 2).min(19), (before + 3).min(19)));
        assert_eq!(own(), before);
    }
}
