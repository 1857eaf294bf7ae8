//! What a process uses, as Linux tells.

use std::{fs, time::Duration};

/// Clock ticks a second, which is 100 on every Linux that people use.
const TICKS: u32 = 100;

/// What a process has used so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Used {
    /// Processor time.
    pub(crate) time: Duration,
    /// Bytes that it wrote to files.
    pub(crate) written: u64,
}

/// What a process has used so far; `None` where the system does not tell.
pub(crate) fn used(process: u32) -> Option<Used> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // Fields 14 and 15; the name in parentheses may hold blanks.
    let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
    let ticks: u32 = fields
        .get(11..13)?
        .iter()
        .filter_map(|field| field.parse::<u32>().ok())
        .sum();
    let io = fs::read_to_string(format!("/proc/{process}/io")).ok()?;
    let written = io
        .lines()
        .find_map(|line| line.strip_prefix("write_bytes: "))?;
    Some(Used {
        time: Duration::from_secs(1) * ticks / TICKS,
        written: written.parse().ok()?,
    })
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
