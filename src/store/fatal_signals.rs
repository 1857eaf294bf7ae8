//! What ends the process at once: a mapped file that was cut off under a read (SIGBUS), an abort of the process by itself
//! (SIGABRT), and a refused allocation. The terminal is given back, and the exit code names the kind of failure.
//!
//! Any other fault gets the handler that was there before, and is raised again.
//!
//! A handler may interrupt anything, on any thread and on several at once. It must never take a lock, allocate, or call what
//! does: it reads atomics and calls `write`, `ioctl` and `_exit`.

use std::{
    alloc::{GlobalAlloc, Layout},
    fs::File,
    io,
    ops::Range,
    os::fd::OwnedFd,
    panic, ptr,
    sync::{
        Once, OnceLock,
        atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering},
    },
};

use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};
use signal_hook::{
    consts::{SIGABRT, SIGBUS},
    low_level::exit,
};

/// The exit code of damaged data.
const DAMAGED: i32 = 7;
/// The exit code of a failure of this machine.
const MACHINE: i32 = 8;
/// Ranges that can be watched at once; the indexes that are kept open are a quarter of them.
const MOST: usize = 1024;

/// What is written on both streams when the process ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FaultReport {
    pub output: Vec<u8>,
    pub error: Vec<u8>,
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

/// Addresses of a mapped file: a fault in them ends the process with a report.
#[derive(Debug)]
pub struct WatchedRange {
    entry: &'static Entry,
    /// What the entry points to.
    _report: Box<FaultReport>,
}

/// A range as the handler finds it. Free while it starts at 0, taken without addresses at 1.
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

impl WatchedRange {
    /// Watches these addresses from now on.
    ///
    /// # Errors
    /// Where too many are watched.
    pub fn of(addresses: Range<usize>, report: FaultReport) -> io::Result<Self> {
        static INSTALLED: Once = Once::new();
        INSTALLED.call_once(handler::install_for_faults);
        let entry = ENTRIES.iter().find(|entry| {
            let taken = entry
                .start
                .compare_exchange(0, 1, Ordering::Acquire, Ordering::Relaxed);
            taken.is_ok()
        });
        let entry = entry.ok_or_else(|| io::Error::other("too many indexes are open"))?;
        let mut report = Box::new(report);
        entry.end.store(addresses.end, Ordering::Relaxed);
        entry.report.store(&raw mut *report, Ordering::Relaxed);
        entry.start.store(addresses.start, Ordering::Release);
        Ok(Self {
            entry,
            _report: report,
        })
    }
}

impl Drop for WatchedRange {
    /// Nobody reads the file any more, so the handler is not at this entry.
    fn drop(&mut self) {
        self.entry.start.store(0, Ordering::Release);
    }
}

/// A terminal that the process has changed, and how a handler gives it back.
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

/// From now on an abort of the process by itself ends it with the exit code of a failure of this machine, and so does a thread that
/// begins without memory for its own signal stack: the standard library panics there.
pub fn handle_aborts() {
    handler::install_for_aborts();
    let report = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        end_if_without_memory(info);
        report(info);
    }));
}

/// Ends the process where a panic is for want of memory.
pub fn end_if_without_memory(info: &panic::PanicHookInfo<'_>) {
    let refused = io::Error::from(rustix::io::Errno::NOMEM).to_string();
    if info
        .payload_as_str()
        .is_some_and(|why| why.ends_with(&refused))
    {
        handler::end_without_memory();
    }
}

/// An allocator that ends the process where it is refused memory, with the exit code of a failure of this machine. The standard
/// library would allocate once more, to print where it was, and then end by a signal.
pub struct EndingAllocator<A>(pub A);

mod handler {
    #![expect(
        unsafe_code,
        reason = "the handlers of signals that end the process: they read the address of a fault and the sender of an abort; and \
                  the allocator, which passes its arguments on"
    )]

    use super::{
        AtomicBool, DAMAGED, ENTRIES, EndingAllocator, GlobalAlloc, Layout, MACHINE, OnceLock,
        OptionalActions, Ordering, SIGABRT, SIGBUS, TERMINAL, WRITES, exit, ptr, tcsetattr,
    };

    type Handler = extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void);

    const ABORTED: &[u8] = b"error: aborted: out of memory, or a defect of ipspect\n  \
        free some memory or raise its limit (ulimit -v), then run it again\n";
    const NO_MEMORY: &[u8] = b"error: out of memory\n  \
        free some memory or raise its limit (ulimit -v), then run it again\n";

    /// What handled a fault of a mapped file before.
    static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();
    /// Whether a thread ends the process already.
    static ENDS: AtomicBool = AtomicBool::new(false);

    /// Installs the handler of faults in mapped files. Where that fails, the signal ends the process as it does by default.
    pub(super) fn install_for_faults() {
        // SAFETY: the structure is whole, and all bits zero are valid for it.
        let before = unsafe {
            let mut before: libc::sigaction = std::mem::zeroed();
            let read = libc::sigaction(SIGBUS, ptr::null(), &raw mut before);
            (read == 0).then_some(before)
        };
        if let Some(before) = before {
            // Before the handler is there, which reads it.
            let _ = BEFORE.set(before);
            install(SIGBUS, on_fault);
        }
    }

    /// Installs the handler of aborts. Where that fails, an abort ends the process as it does by default.
    pub(super) fn install_for_aborts() {
        install(SIGABRT, on_abort);
    }

    fn install(signal: libc::c_int, handler: Handler) {
        // SAFETY: the structure is whole, and all bits zero are valid for it; the handlers do only what is allowed in one.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handler as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigaction(signal, &raw const action, ptr::null_mut());
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
        begin_end();
        // SAFETY: this thread reads the range, so it is not dropped, and the report lives as long.
        if let Some(report) = unsafe { entry.report.load(Ordering::Relaxed).as_ref() } {
            let _ = rustix::io::write(rustix::stdio::stderr(), &report.error);
            if !WRITES.load(Ordering::SeqCst) {
                let _ = rustix::io::write(rustix::stdio::stdout(), &report.output);
            }
        }
        exit(DAMAGED)
    }

    extern "C" fn on_abort(_: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
        // SAFETY: the system passes a whole structure, and a signal that a process sent has its number.
        let sender = unsafe { (*info).si_pid() };
        if sender == rustix::process::getpid().as_raw_nonzero().get() {
            begin_end();
            let _ = rustix::io::write(rustix::stdio::stderr(), ABORTED);
            exit(MACHINE)
        }
        // Of another process: it ends this one as it does by default, as soon as this handler returns.
        // SAFETY: the default is a valid action; the signal is held back until the return.
        unsafe {
            libc::signal(SIGABRT, libc::SIG_DFL);
            libc::raise(SIGABRT);
        }
    }

    // SAFETY: all is passed on as it is, and what is returned is what the allocator within returned.
    unsafe impl<A: GlobalAlloc> GlobalAlloc for EndingAllocator<A> {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            // SAFETY: the caller's.
            granted(unsafe { self.0.alloc(layout) })
        }

        unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
            // SAFETY: the caller's.
            granted(unsafe { self.0.alloc_zeroed(layout) })
        }

        unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
            // SAFETY: the caller's.
            granted(unsafe { self.0.realloc(at, layout, size) })
        }

        unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
            // SAFETY: the caller's.
            unsafe { self.0.dealloc(at, layout) }
        }
    }

    #[inline]
    fn granted(memory: *mut u8) -> *mut u8 {
        if memory.is_null() {
            end_without_memory();
        }
        memory
    }

    #[cold]
    pub(super) fn end_without_memory() -> ! {
        begin_end();
        let _ = rustix::io::write(rustix::stdio::stderr(), NO_MEMORY);
        exit(MACHINE)
    }

    /// Gives the terminal back. Only one thread returns from here, to end the process.
    fn begin_end() {
        if ENDS.swap(true, Ordering::AcqRel) {
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
    }
}
