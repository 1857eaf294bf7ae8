//! The panic hook: restores the terminal, then prints the panic.

use std::{
    backtrace::{Backtrace, BacktraceStatus},
    fmt::Write as _,
    io::{self, Write as _},
    panic::{self, PanicHookInfo},
    sync::{Mutex, MutexGuard, Once, PoisonError},
    thread::{self, ThreadId},
};

use super::outlet;
use crate::{model::visible, store::fatal_signals::end_if_without_memory};

/// Reports kept back while the screen is in use; more than these say nothing new.
const MOST_HELD_BACK: usize = 8;

/// The thread that took the terminal; a panic there ends the program.
static OWNER: Mutex<Option<ThreadId>> = Mutex::new(None);
static HELD_BACK: Mutex<Vec<String>> = Mutex::new(Vec::new());
static INSTALLED: Once = Once::new();

/// Replaces the standard report from now on, and remembers the calling thread as the one that draws.
///
/// A panic of another thread does not end the program, so it must not disturb the screen either: its report is held back
/// until the terminal is given back.
pub(super) fn report_plainly() {
    *lock(&OWNER) = Some(thread::current().id());
    INSTALLED.call_once(|| panic::set_hook(Box::new(on_panic)));
}

/// Gives the terminal back as it was found, and prints the reports that were held back.
///
/// May be called from anywhere and any number of times; does nothing unless the terminal is ours.
pub fn restore() {
    if outlet::release() {
        for report in lock(&HELD_BACK).drain(..) {
            tell(&report);
        }
    }
}

fn on_panic(info: &PanicHookInfo<'_>) {
    end_if_without_memory(info);
    let report = report(info);
    tracing::error!(report, "panic");
    let draws = *lock(&OWNER) == Some(thread::current().id());
    if outlet::is_held() && !draws {
        let mut held_back = lock(&HELD_BACK);
        if held_back.len() < MOST_HELD_BACK {
            held_back.push(report);
        }
        return;
    }
    restore();
    tell(&report);
}

fn report(info: &PanicHookInfo<'_>) -> String {
    let what = info.payload_as_str().unwrap_or("no message");
    let mut report = format!("ipspect: internal error: {}\n", visible(what));
    if let Some(place) = info.location() {
        let _ = writeln!(report, "  at {}:{}", place.file(), place.line());
    }
    let trace = Backtrace::capture();
    if trace.status() == BacktraceStatus::Captured {
        let _ = write!(report, "{trace}");
    } else {
        report.push_str(
            "  downloads and history are kept; RUST_BACKTRACE=1 shows where it came from\n",
        );
    }
    report
}

fn tell(report: &str) {
    // Standard error may be closed.
    let _ = io::stderr().write_all(report.as_bytes());
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
