//! What a process uses, as Linux tells.

use std::{fs, time::Duration};

/// What a process has used so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Used {
    /// Processor time of all its threads, to the nanosecond.
    pub(crate) time: Duration,
    /// Bytes that it wrote to files; of a process that is not dumpable, such as the program, only root may read it.
    pub(crate) written: Option<u64>,
}

/// What a process has used so far; `None` where the system does not tell.
pub(crate) fn used(process: u32) -> Option<Used> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).ok()?;
    // The first field is the time on a processor. Threads that have ended are left out: an idle process ends few.
    let times = threads.flatten().filter_map(|thread| {
        let text = fs::read_to_string(thread.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse::<u64>().ok()
    });
    let time = Duration::from_nanos(times.sum());
    let io = fs::read_to_string(format!("/proc/{process}/io")).ok();
    let written = io.as_ref().and_then(|io| {
        let mut lines = io.lines();
        lines.find_map(|line| line.strip_prefix("write_bytes: ")?.parse().ok())
    });
    Some(Used { time, written })
}

/// Bytes of anonymous memory that a process holds.
pub(crate) fn anonymous_memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}
