//! Files that are replaced in one step, through a temporary file of a fixed name that is locked while it is written.

use std::{
    ffi::{OsStr, OsString},
    fs::{self, File, TryLockError},
    io::{self, Write},
    os::unix::fs::MetadataExt,
    thread,
    time::{Duration, Instant},
};

use rustix::{
    fs::{self as sys, Mode, OFlags, Stat},
    io::Errno,
};

use super::Folder;

/// What the names of temporary files begin with.
pub const TEMPORARY: &str = ".ipspect-";

/// How often a name that others keep replacing is tried.
const TRIES: usize = 1_000;

/// Whether a write has to be on the disk before it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// It is on the disk when the call returns: file first, then folder.
    Synced,
    /// It may be lost with the power: for what is written while somebody waits.
    Cached,
}

/// How long another process may hold a small file.
const PATIENCE: Duration = Duration::from_secs(5);

/// A file on its way to a name, locked against other processes. Dropped before [`Replacement::publish`] it is removed.
#[derive(Debug)]
pub struct Replacement<'a> {
    folder: &'a Folder,
    temporary: OsString,
    /// The file, empty at first, to be written from its beginning.
    pub file: File,
    published: bool,
}

impl<'a> Replacement<'a> {
    /// Begins a file of this temporary name, emptied of what a killed run left in it.
    ///
    /// # Errors
    /// [`io::ErrorKind::ResourceBusy`] when another process is writing it for long; [`super::Unsafe`]; a failure of the
    /// system.
    pub fn begin(folder: &'a Folder, temporary: OsString) -> io::Result<Self> {
        for _ in 0..TRIES {
            let file = folder.update(&temporary)?;
            lock(&file)?;
            let metadata = file.metadata()?;
            // The previous holder of the lock may have published the file.
            let stat = folder.stat(&temporary)?;
            if stat.is_none_or(|stat| !is_same(&stat, &metadata)) {
                continue;
            }
            // A second name may lie outside: cutting the file would cut that one.
            if metadata.nlink() > 1 {
                folder.remove(&temporary)?;
                continue;
            }
            file.set_len(0)?;
            return Ok(Self {
                folder,
                temporary,
                file,
                published: false,
            });
        }
        Err(io::ErrorKind::ResourceBusy.into())
    }

    /// Gives the file its name, over what has it.
    ///
    /// # Errors
    /// A failure of the system; then the temporary file is gone and the old file stays.
    pub fn publish(mut self, name: impl AsRef<OsStr>, durability: Durability) -> io::Result<()> {
        if durability == Durability::Synced {
            self.file.sync_all()?;
        }
        self.folder.rename(&self.temporary, name)?;
        self.published = true;
        match durability {
            Durability::Synced => self.folder.sync(),
            Durability::Cached => Ok(()),
        }
    }
}

impl Drop for Replacement<'_> {
    fn drop(&mut self) {
        if !self.published {
            // What stays is used again by the next run.
            let _ = self.folder.remove(&self.temporary);
        }
    }
}

impl Folder {
    /// Replaces a file in one step: written beside, then renamed.
    ///
    /// # Errors
    /// As [`Replacement::begin`] and [`Replacement::publish`]; the old file stays.
    pub fn replace(
        &self,
        name: impl AsRef<OsStr>,
        bytes: &[u8],
        durability: Durability,
    ) -> io::Result<()> {
        let name = name.as_ref();
        let mut replacement = Replacement::begin(self, temporary(name))?;
        replacement.file.write_all(bytes)?;
        replacement.publish(name, durability)
    }

    /// A file without a name, which is gone with its handle, however the process ends.
    ///
    /// # Errors
    /// A failure of the system.
    pub fn unnamed(&self) -> io::Result<File> {
        #[cfg(target_os = "linux")]
        {
            let flags = OFlags::RDWR | OFlags::TMPFILE | OFlags::CLOEXEC;
            match sys::openat(&self.fd, ".", flags, Mode::RUSR | Mode::WUSR) {
                Ok(fd) => return Ok(fd.into()),
                // The file system does not have it, or the system is older than it.
                Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::NOENT | Errno::INVAL) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let name = temporary(OsStr::new("unnamed"));
        for _ in 0..TRIES {
            self.remove(&name)?;
            match self.create_new(&name) {
                Ok(file) => {
                    self.remove(&name)?;
                    return Ok(file);
                }
                // Another process is at the same.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::ResourceBusy.into())
    }
}

/// The name of the temporary file through which a file is replaced.
#[must_use]
pub fn temporary(name: &OsStr) -> OsString {
    let mut temporary = OsString::from(TEMPORARY);
    temporary.push(name);
    temporary
}

/// Waits for the lock of a small file, which ends with the process that holds it.
///
/// # Errors
/// [`io::ErrorKind::ResourceBusy`] when it is held for long; a failure of the system.
pub fn lock(file: &File) -> io::Result<()> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                thread::sleep(Duration::from_millis(1));
            }
            Err(TryLockError::WouldBlock) => return Err(io::ErrorKind::ResourceBusy.into()),
            // A file system without locks: then the checksums tell what two writers have mixed.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                return Ok(());
            }
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
}

fn is_same(stat: &Stat, metadata: &fs::Metadata) -> bool {
    (u128::from(stat.st_dev), u128::from(stat.st_ino))
        == (u128::from(metadata.dev()), u128::from(metadata.ino()))
}
