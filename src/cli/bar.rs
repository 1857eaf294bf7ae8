//! A progress bar on standard error, gone when the work is.

use std::{sync::Arc, time::Duration};

use indicatif::{ProgressBar, ProgressStyle};

use super::console::Console;
use crate::engine::{Progress, Report};

/// Follows one long task, where a bar is wanted.
pub(super) struct Bar(ProgressBar);

impl Bar {
    /// A bar for this console.
    #[must_use]
    pub(super) fn start(console: &Console) -> Self {
        let bar = if console.shows_bars() {
            let bar = ProgressBar::new_spinner();
            bar.enable_steady_tick(Duration::from_millis(100));
            bar
        } else {
            ProgressBar::hidden()
        };
        Self(bar)
    }

    /// Who is to be told of the progress.
    #[must_use]
    pub(super) fn report(&self) -> Report {
        let bar = self.0.clone();
        Arc::new(move |progress| show(&bar, progress))
    }
}

impl Drop for Bar {
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
