//! Our own folders in cache and state: opened without following links, and only if no other user can write to them.
//!
//! A [`Folder`] is a directory that is held open; files are reached from it by name, so nothing can be put in between. A
//! root may be a link, everything below it may not. A file is opened without waiting, and only a regular file is used:
//! a FIFO or a device in its place is an error. Nothing outside the roots is ever opened for writing, cut or removed.
//!
//! A file is replaced through one temporary file of a fixed name beside it. Whoever writes it holds a lock on it, and the
//! next run uses what a killed one has left, so nothing piles up.

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
    fs::{self as sys, AtFlags, Dir, FileType, Mode, OFlags, Stat},
    io::Errno,
};

pub use self::{
    refusal::Unsafe,
    replacement::{Durability, Replacement, TEMPORARY, lock, temporary},
};

/// A folder of ours, held open.
#[derive(Debug)]
pub struct Folder {
    fd: OwnedFd,
    path: PathBuf,
}

impl Folder {
    /// Opens a root: a folder that may be reached through links.
    ///
    /// # Errors
    /// [`Unsafe::OpenToAll`] and [`Unsafe::OfAnother`]; a failure of the system.
    pub fn root(path: &Path) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let fd = sys::open(path, flags, Mode::empty()).map_err(|error| match error {
            Errno::NOTDIR => Unsafe::NotAFolder.into(),
            error => io::Error::from(error),
        })?;
        Self::checked(fd, path.to_owned())
    }

    /// Opens a root, and makes it with its parents, of mode 0700, where it is missing.
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

    /// Opens `folder`, which is `root` or lies below it.
    ///
    /// # Errors
    /// [`Unsafe`]; a failure of the system, and [`io::ErrorKind::InvalidInput`] for a folder elsewhere.
    pub fn reach(root: &Path, folder: &Path) -> io::Result<Self> {
        names_below(root, folder)?
            .into_iter()
            .try_fold(Self::root(root)?, |at, name| at.enter(name))
    }

    /// The same; makes what is missing, of mode 0700.
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

    /// Opens a folder in this one, and makes it, of mode 0700, where it is missing.
    ///
    /// # Errors
    /// As [`Folder::reach`].
    pub fn make_child(&self, name: impl AsRef<OsStr>) -> io::Result<Self> {
        let name = name.as_ref();
        match self.enter(name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                match sys::mkdirat(&self.fd, name, Mode::RWXU) {
                    // Another process was quicker.
                    Ok(()) | Err(Errno::EXIST) => self.enter(name),
                    Err(error) => Err(error.into()),
                }
            }
            entered => entered,
        }
    }

    /// A descriptor that was just opened, unless others may put files there.
    fn checked(fd: OwnedFd, path: PathBuf) -> io::Result<Self> {
        let stat = sys::fstat(&fd)?;
        match write_access(&stat) {
            Some(why) => Err(why.into()),
            None => Ok(Self { fd, path }),
        }
    }

    /// Where it is, for messages.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What lies here, by name, in no order.
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

    /// What is known of a name, a link itself rather than what it leads to; `None` when there is nothing.
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

    /// Opens a file for reading and writing; makes it, of mode 0600, where it is missing. Nothing of it is cut.
    ///
    /// # Errors
    /// As [`Folder::open`].
    pub fn update(&self, name: impl AsRef<OsStr>) -> io::Result<File> {
        self.file(name.as_ref(), OFlags::RDWR | OFlags::CREATE)
    }

    /// Makes a file of mode 0600 that was not there.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] for a name that is taken, by a link too; a failure of the system.
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

    /// The whole of a file that holds `most` bytes at most; `None` when there is none.
    ///
    /// # Errors
    /// [`Unsafe`]; a failure of the system.
    pub fn read(&self, name: impl AsRef<OsStr>, most: u64) -> io::Result<Option<Vec<u8>>> {
        let file = if_there(self.open(name))?;
        file.map(|file| read_at_most(&file, most)).transpose()
    }

    /// Renames a file within this folder, over one that is there.
    ///
    /// # Errors
    /// A failure of the system.
    pub fn rename(&self, from: impl AsRef<OsStr>, to: impl AsRef<OsStr>) -> io::Result<()> {
        self.move_to(from, self, to)
    }

    /// Moves a file into another folder, over one that is there.
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

    /// Removes a file, or a link and not what it leads to; whether there was one.
    ///
    /// # Errors
    /// A failure of the system, for a folder too.
    pub fn remove(&self, name: impl AsRef<OsStr>) -> io::Result<bool> {
        self.unlink(name.as_ref(), AtFlags::empty())
    }

    /// Removes an empty folder, never through a link; whether there was one.
    ///
    /// # Errors
    /// A failure of the system, for a folder that holds something too.
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

    /// Opens and locks the first of the files `0`, `1`, … with this ending that no other process holds.
    ///
    /// # Errors
    /// [`io::ErrorKind::ResourceBusy`] when `most` are held; a failure of the system.
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

    /// Waits until the names of the folder are on the disk.
    ///
    /// # Errors
    /// A failure of the system.
    pub fn sync(&self) -> io::Result<()> {
        Ok(sys::fsync(&self.fd)?)
    }
}

/// The whole of a regular file of a person's own choice, which may be a link; `None` when there is none. It is not waited
/// for: a FIFO or a device is refused.
///
/// # Errors
/// [`Unsafe::NotAFile`] and [`Unsafe::TooLong`]; a failure of the system.
pub fn read_users_file(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    let file = if_there(open_users_file(path))?;
    file.map(|file| read_at_most(&file, most)).transpose()
}

/// What was opened; `None` where it is not there.
///
/// # Errors
/// Any other failure to open it.
pub fn if_there<T>(opened: io::Result<T>) -> io::Result<Option<T>> {
    match opened {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        opened => opened.map(Some),
    }
}

/// Opens such a file for reading.
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
        // A FIFO without a reader, a socket, a folder in place of the file.
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

/// Whether other users may put files into a folder. With the sticky bit they cannot replace ours.
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
