//! The log of `-v` on standard error: a line for each request, with `-vv` also its headers, without terminal control
//! characters.

use std::io::{self, Write};

use tracing::Level;
use tracing_subscriber::{filter::Targets, layer::SubscriberExt, util::SubscriberInitExt};

use crate::model::visible_lines;

/// Starts the log: nothing, debug, or everything. Other crates are not logged: their messages contain signed URLs.
pub fn start(verbose: u8) {
    let level = match verbose {
        0 => return,
        1 => Level::DEBUG,
        _ => Level::TRACE,
    };
    let lines = tracing_subscriber::fmt::layer()
        .with_ansi(false)
        .with_level(false)
        .with_target(false)
        .without_time()
        .with_writer(|| Visible);
    let targets = Targets::new().with_target("ipspect", level);
    // A second start, in a test, keeps the first.
    let _ = tracing_subscriber::registry()
        .with(lines)
        .with(targets)
        .try_init();
}

/// Standard error, with control characters escaped.
struct Visible;

impl Write for Visible {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        io::stderr().write_all(visible_lines(&text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
