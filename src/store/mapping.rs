//! Mapped files, and the end of the process when one is cut off while it is read.
//!
//! To read a page that a mapped file no longer has raises SIGBUS, which no error can replace: the read is any instruction. So each
//! mapping is registered with what is to be said of it, and the handler of the signal looks the address up. For one of a mapped
//! file it gives the terminal back, writes the words and ends the process with the exit code of damaged data. For any other it
//! restores the handler that was there before, and the fault is raised again.
//!
//! The handler may interrupt anything, on any thread and on several at once. It must never take a lock, allocate, or touch what
//! does: it reads atomics and calls `write`, `ioctl` and `_exit`. This is the one place that maps files.

use std::{
    fs::File,
    io,
    ops::Deref,
    os::fd::OwnedFd,
    path::Path,
    ptr,
    sync::{
        Once, OnceLock,
        atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering},
    },
};

use memmap2::Mmap;
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};
use signal_hook::{consts::SIGBUS, low_level::exit};

/// The exit code of damaged data.
const DAMAGED: i32 = 7;
/// Files that can be mapped at once; the indexes that are kept open are a quarter of them.
const MOST: usize = 1024;

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

/// What is written on both streams when the process ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FaultReport {
    pub output: Vec<u8>,
    pub error: Vec<u8>,
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

/// Whether standard output may end within a line: then nothing is added to it.
static WRITES: AtomicBool = AtomicBool::new(false);

/// Writes to standard output; a fault meanwhile adds nothing to it.
pub fn while_writing<T>(write: impl FnOnce() -> T) -> T {
    WRITES.store(true, Ordering::SeqCst);
    let written = write();
    WRITES.store(false, Ordering::SeqCst);
    written
}

/// A mapped file, for reading.
#[derive(Debug)]
pub struct Mapping {
    map: Mmap,
    entry: &'static Entry,
    /// What the entry points to.
    _report: Box<FaultReport>,
}

/// A mapping as the handler finds it: its addresses, and what to write. Free while it starts at 0, taken without addresses at 1.
#[derive(Debug)]
struct Entry {
    start: AtomicUsize,
    end: AtomicUsize,
    report: AtomicPtr<FaultReport>,
}

static ENTRIES: [Entry; MOST] = [const {
    Entry {
        start: AtomicUsize::new(0),
        end: AtomicUsize::new(0),
        report: AtomicPtr::new(ptr::null_mut()),
    }
}; MOST];

impl Mapping {
    /// Maps a file that is never written to or shortened by this program. What is said where somebody else shortens it is made
    /// here.
    ///
    /// # Errors
    /// A failure of the system, also where too many files are mapped.
    pub fn of(file: &File, fault: &Fault) -> io::Result<Self> {
        static INSTALLED: Once = Once::new();
        INSTALLED.call_once(handler::install);
        let entry = ENTRIES.iter().find(|entry| {
            let taken = entry
                .start
                .compare_exchange(0, 1, Ordering::Acquire, Ordering::Relaxed);
            taken.is_ok()
        });
        let entry = entry.ok_or_else(|| io::Error::other("too many indexes are open"))?;
        #[expect(
            unsafe_code,
            reason = "the one mapping: published files are never written to or shortened, they are replaced by others; \
                      nothing is believed of the bytes before its checksum; a file that another program cuts ends the process"
        )]
        let map =
            unsafe { Mmap::map(file) }.inspect_err(|_| entry.start.store(0, Ordering::Release))?;
        let mut report = Box::new(reported(fault));
        let start = map.as_ptr().addr();
        entry.end.store(start + map.len(), Ordering::Relaxed);
        entry.report.store(&raw mut *report, Ordering::Relaxed);
        entry.start.store(start, Ordering::Release);
        Ok(Self {
            map,
            entry,
            _report: report,
        })
    }
}

impl Drop for Mapping {
    /// Nobody reads it any more, so the handler is not at this entry.
    fn drop(&mut self) {
        self.entry.start.store(0, Ordering::Release);
    }
}

impl Deref for Mapping {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.map
    }
}

/// A terminal that the process has changed, as the handler gives it back.
struct HeldTerminal {
    fd: OwnedFd,
    modes: Vec<u8>,
    resets: &'static [Reset],
    discipline: Termios,
}

/// Bytes that are written only if this is set.
type Reset = (&'static AtomicBool, &'static [u8]);

static TERMINAL: AtomicPtr<HeldTerminal> = AtomicPtr::new(ptr::null_mut());

/// Has the handler give this terminal back, with the line discipline that it has now and with these bytes. Called again with every
/// take of the terminal; what it keeps is never freed, since the handler may read it at any moment.
///
/// # Errors
/// A failure of the system to name its state.
pub fn hold_terminal(terminal: &File, modes: Vec<u8>, resets: &'static [Reset]) -> io::Result<()> {
    let held = HeldTerminal {
        discipline: tcgetattr(terminal)?,
        fd: terminal.try_clone()?.into(),
        modes,
        resets,
    };
    TERMINAL.store(Box::leak(Box::new(held)), Ordering::Release);
    Ok(())
}

/// The terminal was given back.
pub fn release_terminal() {
    TERMINAL.store(ptr::null_mut(), Ordering::Release);
}

mod handler {
    #![expect(
        unsafe_code,
        reason = "the one signal handler that reads what a fault says"
    )]

    use super::{
        AtomicBool, DAMAGED, ENTRIES, OnceLock, OptionalActions, Ordering, SIGBUS, TERMINAL,
        WRITES, exit, ptr, tcsetattr,
    };

    /// What handled the signal before.
    static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();
    /// Whether a thread ends the process already.
    static ENDS: AtomicBool = AtomicBool::new(false);

    /// Installs the handler. Where that fails, the signal ends the process as it does by default.
    pub(super) fn install() {
        // SAFETY: both structures are whole, and all bits zero are valid for them; the handler does only what is allowed in one.
        unsafe {
            let mut before: libc::sigaction = std::mem::zeroed();
            if libc::sigaction(SIGBUS, ptr::null(), &raw mut before) != 0 {
                return;
            }
            // Before the handler is there, which reads it.
            let _ = BEFORE.set(before);
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = on_fault as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigaction(SIGBUS, &raw const action, ptr::null_mut());
        }
    }

    extern "C" fn on_fault(_: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
        // SAFETY: the system passes a whole structure, and SIGBUS has an address.
        let address = unsafe { (*info).si_addr() }.addr();
        let entry = ENTRIES.iter().find(|entry| {
            let start = entry.start.load(Ordering::Acquire);
            start > 1 && (start..entry.end.load(Ordering::Relaxed)).contains(&address)
        });
        let Some(entry) = entry else {
            if let Some(before) = BEFORE.get() {
                // SAFETY: this is what the system returned.
                unsafe { libc::sigaction(SIGBUS, before, ptr::null_mut()) };
            }
            return;
        };
        if ENDS.swap(true, Ordering::AcqRel) {
            // Another thread read the same file, and ends the process.
            loop {
                std::hint::spin_loop();
            }
        }
        // SAFETY: a terminal that is held is never freed.
        if let Some(held) = unsafe { TERMINAL.load(Ordering::Acquire).as_ref() } {
            // A closed terminal cannot be restored, and there is no place to say so.
            for (is_set, reset) in held.resets {
                if is_set.load(Ordering::SeqCst) {
                    let _ = rustix::io::write(&held.fd, reset);
                }
            }
            let _ = rustix::io::write(&held.fd, &held.modes);
            let _ = tcsetattr(&held.fd, OptionalActions::Now, &held.discipline);
        }
        // SAFETY: this thread reads the mapping, so it is not dropped, and the report lives as long.
        if let Some(report) = unsafe { entry.report.load(Ordering::Relaxed).as_ref() } {
            let _ = rustix::io::write(rustix::stdio::stderr(), &report.error);
            if !WRITES.load(Ordering::SeqCst) {
                let _ = rustix::io::write(rustix::stdio::stdout(), &report.output);
            }
        }
        exit(DAMAGED)
    }
}
