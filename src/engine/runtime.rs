//! The runtime of a run. It starts with as many threads as the system grants.
//!
//! The caller's thread runs the front; one more runs the tasks that it spawns, so that answers come in while the front is busy.
//! Without that one, the caller's thread runs the tasks too. Blocking work has a pool of which one thread never ends: tokio
//! panics where it cannot start the first one, and work that waits for a later one is done by those that there are.

use std::{
    future::Future,
    io, panic,
    sync::{Arc, mpsc},
    time::Duration,
};

use tokio::{runtime::Builder, sync::oneshot};

use crate::store::threads::{NoThread, start};

/// What still runs after the end is given up after this.
const PATIENCE: Duration = Duration::from_secs(1);
/// Longer than any run.
const ALWAYS: Duration = Duration::from_hours(100 * 365 * 24);

/// Runs a front to its end. What it leaves running is dropped.
///
/// # Errors
/// A failure of the system to provide what every run needs: [`NoThread`] where not a single thread can be started.
pub fn run<T>(front: impl Future<Output = T>) -> io::Result<T> {
    let runtime = Builder::new_current_thread()
        .enable_all()
        .thread_keep_alive(ALWAYS)
        .build()?;
    let blocking = or_no_thread(|| runtime.spawn_blocking(|| ()))?;
    let runtime = Arc::new(runtime);
    let (end, ended) = oneshot::channel::<()>();
    let (tell, has_ended) = mpsc::channel::<()>();
    let own = Arc::clone(&runtime);
    let tasks = start("tasks", move || {
        // An error: the front has ended, and dropped the other end.
        let _ = own.block_on(ended);
        drop(own);
        drop(tell);
    });
    let outcome = match tasks {
        Ok(_) => runtime.handle().block_on(front),
        Err(_) => runtime.block_on(front),
    };
    drop((end, blocking));
    // A task that computes holds its thread; the process ends without it.
    let _ = has_ended.recv_timeout(PATIENCE);
    if let Some(runtime) = Arc::into_inner(runtime) {
        runtime.shutdown_timeout(PATIENCE);
    }
    Ok(outcome)
}

/// Calls what starts a thread, and panics where the system refuses it: constructors of other crates.
///
/// # Errors
/// [`NoThread`].
fn or_no_thread<T>(starts: impl FnOnce() -> T) -> io::Result<T> {
    let report = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let started = panic::catch_unwind(panic::AssertUnwindSafe(starts));
    panic::set_hook(report);
    started.map_err(|_| NoThread.into())
}
