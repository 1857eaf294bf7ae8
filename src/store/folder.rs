//! Folders of this program in cache and state, opened without following links, and only if no other user can write to them.
//!
//! A [`Folder`] is an open directory handle. Files are opened relative to it by name, so nobody can swap a directory on the way.
//! A root may be a link, nothing below it may be. Opening a file never blocks, and only regular files are used: a FIFO or a
//! device in its place is an error. Nothing outside the roots is ever opened for writing, truncated or removed.
//!
//! A file is replaced through one temporary file with a fixed name beside it. The writer holds a lock on it, and the next run
//! reuses the file that a killed run left, so none pile up.

mod newest;
mod refusal;
mod replacement;

use std::{
    ffi::{OsStr, OsString},
    fs::{self, File, TryLockError},
    io::{self, Read},
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::{ffi::OsStrExt, fs::DirBuilderExt},
    },
    path::{Component, Path, PathBuf},
};

use rustix::{
    fs::{self as sys, AtFlags, Dir, FileType, FlockOperation, Mode, OFlags, Stat},
    io::Errno,
};

pub use self::{
    refusal::Unsafe,
    replacement::{Durability, Replacement, TEMPORARY, lock, temporary},
};

/// An open folder of this program.
#[derive(Debug)]
pub struct Folder {
    fd: OwnedFd,
    path: PathBuf,
}

impl Folder {
    /// Opens a root, a folder that may be reached through links.
    ///
    /// # Errors
    /// [`Unsafe::NotAFolder`], [`Unsafe::OpenToAll`] and [`Unsafe::OfAnother`]; a failure of the system.
    pub fn root(path: &Path) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let fd = sys::open(path, flags, Mode::empty()).map_err(|error| match error {
            Errno::NOTDIR => Unsafe::NotAFolder.into(),
            error => io::Error::from(error),
        })?;
        Self::checked(fd, path.to_owned())
    }

    /// Opens a root. Creates it and its parents with mode 0700 if missing.
    ///
    /// # Errors
    /// As [`Folder::root`].
    pub fn make_root(path: &Path) -> io::Result<Self> {
        match Self::root(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::DirBuilder::new()
                    .recursive(true)
                    .mode(0o700)
                    .create(path)?;
                Self::root(path)
            }
            opened => opened,
        }
    }

    /// Opens `folder`, which is `root` or below it.
    ///
    /// # Errors
    /// [`Unsafe`]; a failure of the system, and [`io::ErrorKind::InvalidInput`] for a folder elsewhere.
    pub fn reach(root: &Path, folder: &Path) -> io::Result<Self> {
        names_below(root, folder)?
            .into_iter()
            .try_fold(Self::root(root)?, |at, name| at.enter(name))
    }

    /// As [`Folder::reach`]; creates missing folders with mode 0700.
    ///
    /// # Errors
    /// As [`Folder::reach`].
    pub fn make(root: &Path, folder: &Path) -> io::Result<Self> {
        names_below(root, folder)?
            .into_iter()
            .try_fold(Self::make_root(root)?, |at, name| at.make_child(name))
    }

    /// Opens a folder in this one.
    ///
    /// # Errors
    /// As [`Folder::reach`].
    pub fn enter(&self, name: impl AsRef<OsStr>) -> io::Result<Self> {
        let name = name.as_ref();
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        match sys::openat(&self.fd, name, flags, Mode::empty()) {
            Ok(fd) => Self::checked(fd, self.path.join(name)),
            Err(Errno::NOTDIR | Errno::LOOP) => Err(match self.kind_of(name)? {
                Some(FileType::Symlink) => Unsafe::Link.into(),
                _ => Unsafe::NotAFolder.into(),
            }),
            Err(error) => Err(error.into()),
        }
    }

    /// Opens a folder in this one. Creates it with mode 0700 if missing.
    ///
    /// # Errors
    /// As [`Folder::reach`].
    pub fn make_child(&self, name: impl AsRef<OsStr>) -> io::Result<Self> {
        let name = name.as_ref();
        match self.enter(name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                match sys::mkdirat(&self.fd, name, Mode::RWXU) {
                    // Another process was faster.
                    Ok(()) | Err(Errno::EXIST) => self.enter(name),
                    Err(error) => Err(error.into()),
                }
            }
            entered => entered,
        }
    }

    /// Wraps a new descriptor, unless other users may put files there.
    fn checked(fd: OwnedFd, path: PathBuf) -> io::Result<Self> {
        let stat = sys::fstat(&fd)?;
        match write_access(&stat) {
            Some(why) => Err(why.into()),
            None => Ok(Self { fd, path }),
        }
    }

    /// Its path, for messages.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The names in this folder, unsorted.
    ///
    /// # Errors
    /// A failure of the system.
    pub fn names(&self) -> io::Result<Vec<OsString>> {
        let mut names = Vec::new();
        for entry in Dir::read_from(&self.fd)? {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name != b"." && name != b".." {
                names.push(OsStr::from_bytes(name).to_owned());
            }
        }
        Ok(names)
    }

    /// The metadata of a name, without following a link; `None` if it does not exist.
    ///
    /// # Errors
    /// A failure of the system.
    pub fn stat(&self, name: impl AsRef<OsStr>) -> io::Result<Option<Stat>> {
        match sys::statat(&self.fd, name.as_ref(), AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(stat)),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn kind_of(&self, name: &OsStr) -> io::Result<Option<FileType>> {
        let stat = self.stat(name)?;
        Ok(stat.map(|stat| FileType::from_raw_mode(stat.st_mode)))
    }

    /// Opens a file for reading.
    ///
    /// # Errors
    /// [`Unsafe`]; a failure of the system.
    pub fn open(&self, name: impl AsRef<OsStr>) -> io::Result<File> {
        self.file(name.as_ref(), OFlags::RDONLY)
    }

    /// Opens a file for reading and writing. Creates it with mode 0600 if missing; never truncates it.
    ///
    /// # Errors
    /// As [`Folder::open`].
    pub fn update(&self, name: impl AsRef<OsStr>) -> io::Result<File> {
        self.file(name.as_ref(), OFlags::RDWR | OFlags::CREATE)
    }

    /// Opens an existing file for reading and writing.
    ///
    /// # Errors
    /// As [`Folder::open`].
    pub fn open_present(&self, name: impl AsRef<OsStr>) -> io::Result<File> {
        self.file(name.as_ref(), OFlags::RDWR)
    }

    /// Creates a new file with mode 0600.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] if the name is taken, even by a link; a failure of the system.
    pub fn create_new(&self, name: impl AsRef<OsStr>) -> io::Result<File> {
        self.file(name.as_ref(), OFlags::RDWR | OFlags::CREATE | OFlags::EXCL)
    }

    fn file(&self, name: &OsStr, flags: OFlags) -> io::Result<File> {
        open_regular(self.fd.as_fd(), name, flags | OFlags::NOFOLLOW).map_err(|error| {
            match Errno::from_io_error(&error) {
                Some(Errno::LOOP | Errno::MLINK) => Unsafe::Link.into(),
                _ => error,
            }
        })
    }

    /// The content of a file of at most `most` bytes; `None` if it does not exist.
    ///
    /// # Errors
    /// [`Unsafe`]; a failure of the system.
    pub fn read(&self, name: impl AsRef<OsStr>, most: u64) -> io::Result<Option<Vec<u8>>> {
        let file = if_there(self.open(name))?;
        file.map(|file| read_at_most(&file, most)).transpose()
    }

    /// Renames a file within this folder and replaces an existing one.
    ///
    /// # Errors
    /// A failure of the system.
    pub fn rename(&self, from: impl AsRef<OsStr>, to: impl AsRef<OsStr>) -> io::Result<()> {
        self.move_to(from, self, to)
    }

    /// Moves a file to another folder and replaces an existing one.
    ///
    /// # Errors
    /// A failure of the system.
    pub fn move_to(
        &self,
        from: impl AsRef<OsStr>,
        folder: &Self,
        to: impl AsRef<OsStr>,
    ) -> io::Result<()> {
        Ok(sys::renameat(
            &self.fd,
            from.as_ref(),
            &folder.fd,
            to.as_ref(),
        )?)
    }

    /// Removes a file, or a link without its target; returns whether it existed.
    ///
    /// # Errors
    /// A failure of the system, also for a folder.
    pub fn remove(&self, name: impl AsRef<OsStr>) -> io::Result<bool> {
        self.unlink(name.as_ref(), AtFlags::empty())
    }

    /// Removes an empty folder, never through a link; returns whether it existed.
    ///
    /// # Errors
    /// A failure of the system, also for a folder that is not empty.
    pub fn remove_folder(&self, name: impl AsRef<OsStr>) -> io::Result<bool> {
        self.unlink(name.as_ref(), AtFlags::REMOVEDIR)
    }

    fn unlink(&self, name: &OsStr, flags: AtFlags) -> io::Result<bool> {
        match sys::unlinkat(&self.fd, name, flags) {
            Ok(()) => Ok(true),
            Err(Errno::NOENT) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Opens and locks the first of the files `0`, `1`, … with this ending that no other process has locked.
    ///
    /// # Errors
    /// [`io::ErrorKind::ResourceBusy`] if `most` files are locked; a failure of the system.
    pub fn lock_first_free(&self, most: u32, ending: &str) -> io::Result<(File, PathBuf)> {
        for slot in 0..most {
            let name = format!("{slot}{ending}");
            let file = self.update(&name)?;
            match file.try_lock() {
                Ok(()) => return Ok((file, self.path().join(name))),
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
        Err(io::ErrorKind::ResourceBusy.into())
    }

    /// Locks the folder itself until it is dropped, if no other open handle holds its lock; returns whether it did.
    ///
    /// # Errors
    /// A failure of the system, also where the file system has no such locks.
    pub fn try_lock(&self) -> io::Result<bool> {
        match sys::flock(&self.fd, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(true),
            Err(Errno::WOULDBLOCK) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Syncs the names of the folder to disk.
    ///
    /// # Errors
    /// A failure of the system.
    pub fn sync(&self) -> io::Result<()> {
        Ok(sys::fsync(&self.fd)?)
    }
}

/// The content of a regular file that the user chose, which may be a link; `None` if it does not exist. Never blocks: FIFOs and
/// devices are refused.
///
/// # Errors
/// [`Unsafe::NotAFile`] and [`Unsafe::TooLong`]; a failure of the system.
pub fn read_users_file(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    let file = if_there(open_users_file(path))?;
    file.map(|file| read_at_most(&file, most)).transpose()
}

/// The opened value; `None` if it does not exist.
///
/// # Errors
/// Any other failure to open it.
pub fn if_there<T>(opened: io::Result<T>) -> io::Result<Option<T>> {
    match opened {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        opened => opened.map(Some),
    }
}

/// Opens a file that the user chose for reading; it may be a link.
///
/// # Errors
/// [`Unsafe::NotAFile`]; a failure of the system.
pub fn open_users_file(path: &Path) -> io::Result<File> {
    open_regular(sys::CWD, path.as_os_str(), OFlags::RDONLY)
}

fn open_regular(at: BorrowedFd<'_>, name: &OsStr, flags: OFlags) -> io::Result<File> {
    let flags = flags | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = match sys::openat(at, name, flags, Mode::RUSR | Mode::WUSR) {
        Ok(fd) => File::from(fd),
        // A FIFO without a reader, a socket or a folder in place of the file.
        Err(Errno::NXIO | Errno::ISDIR) => return Err(Unsafe::NotAFile.into()),
        Err(error) => return Err(error.into()),
    };
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(Unsafe::NotAFile.into())
    }
}

fn read_at_most(file: &File, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(Unsafe::TooLong.into());
    }
    Ok(bytes)
}

/// Why other users can put files into a folder, if they can. With the sticky bit they cannot replace existing ones.
fn write_access(stat: &Stat) -> Option<Unsafe> {
    let mode = Mode::from_raw_mode(stat.st_mode);
    if mode.contains(Mode::WOTH) && !mode.contains(Mode::SVTX) {
        return Some(Unsafe::OpenToAll);
    }
    let ours = [0, rustix::process::geteuid().as_raw()];
    (!ours.contains(&stat.st_uid)).then_some(Unsafe::OfAnother)
}

fn names_below<'a>(root: &Path, folder: &'a Path) -> io::Result<Vec<&'a OsStr>> {
    let elsewhere = || {
        let what = format!("{} is not below {}", folder.display(), root.display());
        io::Error::new(io::ErrorKind::InvalidInput, what)
    };
    let below = folder.strip_prefix(root).map_err(|_| elsewhere())?;
    below
        .components()
        .map(|component| match component {
            Component::Normal(name) => Ok(name),
            _ => Err(elsewhere()),
        })
        .collect()
}

#[cfg(test)]
mod tests;
