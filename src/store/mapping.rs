//! Mapped files, and the message for one that is cut off while it is read.
//!
//! No error can replace the read of a page that a mapped file no longer has: any instruction may be that read. So each mapping is
//! registered with [`super::fatal_signals`], which ends the process. This is the one place that maps files.

use std::{fs::File, io, ops::Deref, path::Path, sync::OnceLock};

use memmap2::Mmap;

use super::fatal_signals::{FaultReport, WatchedRange};

/// Why a mapped file ends the process, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What failed: which release.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

impl Fault {
    /// Of a file that is nothing but its path.
    #[must_use]
    pub fn in_file(path: &Path) -> Self {
        Self {
            message: format!("{} was cut off while it was read", path.display()),
            hint: "restore the file, then run it again".to_owned(),
        }
    }
}

/// Words a fault for the front that runs.
static REPORT: OnceLock<fn(&Fault) -> FaultReport> = OnceLock::new();

/// From now on this words the faults of files that are mapped. It is called when a file is mapped.
pub fn report_with(report: fn(&Fault) -> FaultReport) {
    // The first front stays: a process has one.
    let _ = REPORT.set(report);
}

fn reported(fault: &Fault) -> FaultReport {
    REPORT.get().map_or_else(
        || FaultReport {
            output: Vec::new(),
            error: format!("error: {}\n  {}\n", fault.message, fault.hint).into_bytes(),
        },
        |report| report(fault),
    )
}

/// A mapped file, for reading.
#[derive(Debug)]
pub struct Mapping {
    // No longer watched before it is unmapped.
    _watched: WatchedRange,
    map: Mmap,
}

impl Mapping {
    /// Maps a file that this program never writes to or shortens. The message for when another program shortens it is made here.
    ///
    /// # Errors
    /// A failure of the system, also where too many files are mapped.
    pub fn of(file: &File, fault: &Fault) -> io::Result<Self> {
        #[expect(
            unsafe_code,
            reason = "the one mapping: published files are never written to or shortened, they are replaced by others; \
                      nothing is believed of the bytes before its checksum; a file that another program cuts ends the process"
        )]
        let map = unsafe { Mmap::map(file) }?;
        let start = map.as_ptr().addr();
        let watched = WatchedRange::of(start..start + map.len(), reported(fault))?;
        Ok(Self {
            _watched: watched,
            map,
        })
    }
}

impl Deref for Mapping {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.map
    }
}
