//! A progress bar on standard error, gone when the work is.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use indicatif::{ProgressBar, ProgressStyle};

use super::console::Console;
use crate::engine::{Progress, Rebuilds, Report};

/// Follows one long task, where a bar is wanted.
struct TaskBar(ProgressBar);

impl TaskBar {
    fn shown(is_shown: bool) -> Self {
        let bar = if is_shown {
            let bar = ProgressBar::new_spinner();
            bar.enable_steady_tick(Duration::from_millis(100));
            bar
        } else {
            ProgressBar::hidden()
        };
        Self(bar)
    }

    /// The listener for the progress.
    fn report(&self) -> Report {
        let bar = self.0.clone();
        Arc::new(move |progress| show(&bar, progress))
    }
}

/// The result of a task that reports its progress to a bar.
pub(super) async fn during<T>(console: &Console, task: impl AsyncFnOnce(Report) -> T) -> T {
    let bar = TaskBar::shown(console.shows_bars());
    task(bar.report()).await
}

/// A bar for each index that is rebuilt, for as long as that takes.
pub(super) fn of_rebuilds(console: &Console) -> Rebuilds {
    let (is_shown, bar) = (console.shows_bars(), Mutex::new(None));
    Rebuilds::to(move |progress| {
        // Only a panic while a bar is drawn could leave the lock poisoned, and the bar is whole then too.
        let mut bar = bar.lock().unwrap_or_else(PoisonError::into_inner);
        match progress {
            Some(progress) => show(
                &bar.get_or_insert_with(|| TaskBar::shown(is_shown)).0,
                progress,
            ),
            None => drop(bar.take()),
        }
    })
}

impl Drop for TaskBar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

fn show(bar: &ProgressBar, progress: Progress) {
    let form = if progress.total.is_some() {
        "{msg} [{wide_bar}] {bytes} of {total_bytes}  {bytes_per_sec}  {eta}"
    } else {
        "{spinner} {msg} {bytes}  {bytes_per_sec}"
    };
    if let Ok(style) = ProgressStyle::with_template(form) {
        bar.set_style(style.progress_chars("=> "));
    }
    match progress.total {
        Some(total) => bar.set_length(total),
        None => bar.unset_length(),
    }
    bar.set_message(progress.stage.word());
    bar.set_position(progress.done);
}
