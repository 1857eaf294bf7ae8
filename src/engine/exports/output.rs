//! An output file: it appears atomically when it is complete, and replaces an existing file only if told to.
//!
//! It is written as an unnamed file where the system supports that, so nothing is left however the process ends. Elsewhere, and
//! while it replaces another file, it has a temporary name that is first noted in the state directory ([`unfinished`]): the
//! next start removes exactly that file. A device or a pipe is never replaced: the complete output is copied to it. For a link,
//! the file that it points to is replaced.

pub(in crate::engine) mod unfinished;

use std::{
    fs::{self, File},
    io::{self, Seek, Write as _},
    os::{
        fd::AsRawFd,
        unix::fs::{FileTypeExt, OpenOptionsExt},
    },
    path::{Path, PathBuf},
};

use rustix::fs::{self as sys, AtFlags, Mode, OFlags};
use tempfile::TempPath;

use self::unfinished::UnfinishedNote;
use crate::{
    engine::{
        error::{Error, ErrorContext, Kind, Result},
        paths::{Paths, split},
        threads::off_thread,
    },
    store::{Folder, folder::TEMPORARY},
};

/// A file that is being written. Dropped before [`OutputFile::publish`], it leaves nothing behind.
#[derive(Debug)]
pub struct OutputFile {
    /// The path as it was asked for, for messages.
    path: PathBuf,
    target: OutputTarget,
    scratch: Scratch,
    paths: Paths,
}

/// Where it goes.
#[derive(Clone, Debug)]
enum OutputTarget {
    /// To this name, which is no link; over a file that has it, if that is wanted.
    File { path: PathBuf, force: bool },
    /// Through to a device or a pipe.
    Device,
}

/// The temporary file.
#[derive(Debug)]
struct Scratch {
    file: File,
    /// Its name, where the system has no files without one.
    named: Option<Named>,
}

/// A temporary name, removed on drop before its note.
#[derive(Debug)]
struct Named {
    path: TempPath,
    _note: UnfinishedNote,
}

impl OutputFile {
    /// Begins a file for `path`.
    ///
    /// # Errors
    /// [`Kind::Usage`] for a folder, and for a file that is there, unless `force` says to replace it; a failure of this
    /// machine.
    pub fn begin(paths: &Paths, path: &Path, force: bool) -> Result<Self> {
        let target = target_of(path, force)?;
        let scratch = Scratch::new(paths, &target).at("write", path)?;
        Ok(Self {
            path: path.to_owned(),
            target,
            scratch,
            paths: paths.clone(),
        })
    }

    pub fn file(&mut self) -> &mut File {
        &mut self.scratch.file
    }

    /// Adds a text.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn push(&mut self, text: &str) -> Result<()> {
        let written = self.scratch.file.write_all(text.as_bytes());
        written.at("write", &self.path)
    }

    /// Waits until all of it is on the disk.
    ///
    /// # Errors
    /// A failure of this machine.
    pub(super) fn sync(&mut self) -> Result<()> {
        self.scratch.file.sync_all().at("write", &self.path)
    }

    /// Puts another file in place of this one, made by `write` from it.
    ///
    /// # Errors
    /// A failure of this machine.
    pub(super) fn rewrite(
        &mut self,
        write: impl FnOnce(&mut File, &mut File) -> io::Result<()>,
    ) -> Result<()> {
        let rewritten = Scratch::new(&self.paths, &self.target).and_then(|mut next| {
            write(&mut self.scratch.file, &mut next.file)?;
            Ok(next)
        });
        self.scratch = rewritten.at("write", &self.path)?;
        Ok(())
    }

    /// Gives the file its name, or writes it through to the device; returns its length. That may wait for whoever reads a
    /// pipe.
    ///
    /// # Errors
    /// [`Kind::Usage`] when a file of that name has appeared meanwhile; a failure of this machine.
    pub fn publish(self) -> Result<u64> {
        let Self {
            path,
            target,
            scratch,
            paths,
        } = self;
        match published(&paths, &path, &target, scratch) {
            Ok(length) => Ok(length),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(appeared(&path)),
            Err(error) => Err(Error::machine_at("write", &path, &error)),
        }
    }

    /// [`OutputFile::publish`] on a thread that may wait.
    ///
    /// # Errors
    /// As there.
    pub async fn publish_aside(self) -> Result<u64> {
        off_thread(move || self.publish()).await
    }
}

fn published(
    paths: &Paths,
    asked: &Path,
    target: &OutputTarget,
    scratch: Scratch,
) -> io::Result<u64> {
    let mut file = &scratch.file;
    let OutputTarget::File { path, force } = target else {
        file.rewind()?;
        let mut device = File::options()
            .write(true)
            .custom_flags(OFlags::NOCTTY.bits().cast_signed())
            .open(asked)?;
        return io::copy(&mut file, &mut device);
    };
    file.sync_all()?;
    let length = file.metadata()?.len();
    match (scratch.named, force) {
        (Some(named), true) => named.path.persist(path)?,
        (Some(named), false) => named.path.persist_noclobber(path)?,
        (None, false) => link(file, path)?,
        (None, true) => {
            // An unnamed file cannot replace another atomically: it gets a temporary name first.
            let beside = beside(path);
            let note = UnfinishedNote::write(&paths.state, &beside)?;
            note.is_file(file)?;
            link(file, &beside)?;
            TempPath::try_from_path(&beside)?.persist(path)?;
        }
    }
    Ok(length)
}

impl Scratch {
    fn new(paths: &Paths, target: &OutputTarget) -> io::Result<Self> {
        let OutputTarget::File { path, .. } = target else {
            let file = Folder::make_root(&paths.cache)?.unnamed()?;
            return Ok(Self { file, named: None });
        };
        if let Some(file) = unnamed_beside(path)? {
            return Ok(Self { file, named: None });
        }
        let beside = beside(path);
        let note = UnfinishedNote::write(&paths.state, &beside)?;
        let file = File::options()
            .read(true)
            .write(true)
            .create_new(true)
            .open(&beside)?;
        let path = TempPath::try_from_path(beside)?;
        note.is_file(&file)?;
        Ok(Self {
            file,
            named: Some(Named { path, _note: note }),
        })
    }
}

/// A file without a name in the folder of `path`, where the system has such files and can name them later; readable as the
/// user's other files are.
fn unnamed_beside(path: &Path) -> io::Result<Option<File>> {
    #[cfg(target_os = "linux")]
    {
        use rustix::io::Errno;
        let flags = OFlags::RDWR | OFlags::TMPFILE | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(0o666);
        match sys::open(split(path).0, flags, mode) {
            Ok(fd) => {
                let file = File::from(fd);
                if Path::new(&descriptor(&file)).exists() {
                    return Ok(Some(file));
                }
            }
            // The file system does not have it, or the system is older than it.
            Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let _ = path;
    Ok(None)
}

/// The path under which the system shows an open file.
fn descriptor(file: &File) -> String {
    format!("/proc/self/fd/{}", file.as_raw_fd())
}

/// Gives a file without a name this one, which must be free.
fn link(file: &File, path: &Path) -> io::Result<()> {
    let own = descriptor(file);
    sys::linkat(sys::CWD, own, sys::CWD, path, AtFlags::SYMLINK_FOLLOW)?;
    Ok(())
}

/// A name in the folder of `path` that nothing else has.
fn beside(path: &Path) -> PathBuf {
    split(path)
        .0
        .join(format!("{TEMPORARY}{:016x}.part", fastrand::u64(..)))
}

/// Discards what a failed attempt has written.
pub(super) fn empty(mut file: &File) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()
}

/// Whether something has this name.
#[must_use]
pub fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// The target of a path, if it may be written.
fn target_of(path: &Path, force: bool) -> Result<OutputTarget> {
    let usage = |what: &str, hint: &str| {
        let message = format!("{} {what}", path.display());
        Error::new(Kind::Usage, message).hint(hint)
    };
    if path.file_name().is_none() {
        return Err(usage("is a folder", "name a file in it"));
    }
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Err(usage("is a folder", "name a file in it")),
        Ok(metadata) if metadata.is_file() => {
            if !force {
                return Err(usage(
                    "exists already",
                    "choose another name, or replace it with --force",
                ));
            }
            let real = fs::canonicalize(path).at("write", path)?;
            Ok(OutputTarget::File { path: real, force })
        }
        Ok(metadata) if metadata.file_type().is_block_device() && !force => Err(usage(
            "is a disk",
            "its contents would be lost: --force writes to it anyway",
        )),
        Ok(_) => Ok(OutputTarget::Device),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if is_there(path) {
                let hint = "name the file to write";
                return Err(usage("is a link to a file that does not exist", hint));
            }
            if !split(path).0.is_dir() {
                return Err(Error::machine_at("write", path, &error));
            }
            Ok(OutputTarget::File {
                path: path.to_owned(),
                force,
            })
        }
        Err(error) => Err(Error::machine_at("write", path, &error)),
    }
}

fn appeared(path: &Path) -> Error {
    let message = format!(
        "{} appeared in the meantime: it was not changed",
        path.display()
    );
    Error::new(Kind::Usage, message).hint("choose another name, or replace it with --force")
}

#[cfg(test)]
mod tests;
