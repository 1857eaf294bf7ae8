//! Atomic replacement of files, through a temporary file with a fixed name that is locked while it is written.

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

use super::{Folder, if_there};

/// The prefix of the names of temporary files.
pub const TEMPORARY: &str = ".ipspect-";

/// The number of attempts with a name that other processes keep replacing.
const TRIES: usize = 1_000;

/// Whether a write must reach the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// It is on disk when the call returns: file first, then folder.
    Synced,
    /// A power failure may lose it. For writes that somebody waits for.
    Cached,
}

/// How long to wait for another process to unlock a small file.
const PATIENCE: Duration = Duration::from_secs(5);

/// The new content of a file, locked against other processes. Dropping it before [`Replacement::publish`] removes it.
#[derive(Debug)]
pub struct Replacement<'a> {
    folder: &'a Folder,
    temporary: OsString,
    /// The temporary file, empty at first.
    pub file: File,
    published: bool,
}

impl<'a> Replacement<'a> {
    /// Opens the temporary file and truncates what a killed run left in it.
    ///
    /// # Errors
    /// [`io::ErrorKind::ResourceBusy`] if another process keeps it locked; [`super::Unsafe`]; a failure of the system.
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
            // A hard link may be outside the folder, and truncating the file would truncate it.
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

    /// Renames the file to its final name and replaces an existing file.
    ///
    /// # Errors
    /// A failure of the system; then the temporary file is removed and the old file stays.
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
            // If both fail, the next run reuses the file. An empty one discloses no token.
            let _ = self.file.set_len(0);
            let _ = self.folder.remove(&self.temporary);
        }
    }
}

impl Folder {
    /// Replaces a file atomically: writes a temporary file, then renames it.
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

    /// Removes a temporary file of a killed process. One that another process is writing stays.
    ///
    /// # Errors
    /// [`super::Unsafe`]; a failure of the system.
    pub fn remove_leftover(&self, temporary: impl AsRef<OsStr>) -> io::Result<()> {
        let temporary = temporary.as_ref();
        let Some(file) = if_there(self.open(temporary))? else {
            return Ok(());
        };
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Ok(()),
            Err(TryLockError::Error(error)) if error.kind() != io::ErrorKind::Unsupported => {
                return Err(error);
            }
            _ => {}
        }
        let metadata = file.metadata()?;
        // Its writer may have published it meanwhile.
        if self
            .stat(temporary)?
            .is_some_and(|stat| is_same(&stat, &metadata))
        {
            self.remove(temporary)?;
        }
        Ok(())
    }

    /// An unnamed file, which disappears when its handle is closed, even after a crash.
    ///
    /// # Errors
    /// A failure of the system.
    pub fn unnamed(&self) -> io::Result<File> {
        #[cfg(target_os = "linux")]
        {
            let flags = OFlags::RDWR | OFlags::TMPFILE | OFlags::CLOEXEC;
            match sys::openat(&self.fd, ".", flags, Mode::RUSR | Mode::WUSR) {
                Ok(fd) => return Ok(fd.into()),
                // The file system or the kernel does not support it.
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
                // Another process does the same.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::ResourceBusy.into())
    }
}

/// The name of the temporary file for a file.
#[must_use]
pub fn temporary(name: &OsStr) -> OsString {
    let mut temporary = OsString::from(TEMPORARY);
    temporary.push(name);
    temporary
}

/// Waits for the lock of a small file. A lock ends with the process that holds it.
///
/// # Errors
/// [`io::ErrorKind::ResourceBusy`] if it stays locked; a failure of the system.
pub fn lock(file: &File) -> io::Result<()> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                thread::sleep(Duration::from_millis(1));
            }
            Err(TryLockError::WouldBlock) => return Err(io::ErrorKind::ResourceBusy.into()),
            // The file system has no locks; checksums detect content that two writers mixed.
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
