//! What went wrong, in words for a person and in a kind for a program.

mod refusals;

use std::{fmt, io, path::Path};

use crate::{
    contract::{Host, NotOffered},
    store::{
        filter::BadFilter,
        folder::Unsafe,
        space::{FileSystem, size},
        threads::NoThread,
    },
};

/// The kind of a failure. The command line gives each an exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// What was asked for cannot be asked: malformed input, a forbidden parameter, nothing configured. Nothing was sent.
    Usage,
    /// A guard of the configuration stopped it. Nothing was sent.
    Guard,
    /// No token, an invalid one, or one without the right.
    Credentials,
    /// No queries left.
    Quota,
    /// Too many requests.
    RateLimit,
    /// Name, connection, TLS, timeout, cut off.
    Network,
    /// The service did what the contract does not have.
    Contract,
    /// Data is truncated or corrupt.
    Integrity,
    /// This machine: disk, permission.
    Machine,
    /// Another instance holds the lock.
    Locked,
    /// No such date, tag or file.
    NotFound,
    /// Ended from outside.
    Interrupted,
}

impl Kind {
    /// The word for the kind in machine-readable output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Usage => "usage",
            Self::Guard => "guard",
            Self::Credentials => "credentials",
            Self::Quota => "quota",
            Self::RateLimit => "rate-limit",
            Self::Network => "network",
            Self::Contract => "contract",
            Self::Integrity => "integrity",
            Self::Machine => "machine",
            Self::Locked => "locked",
            Self::NotFound => "not-found",
            Self::Interrupted => "interrupted",
        }
    }

    /// Whether every later input of a batch would meet the same failure.
    #[must_use]
    pub fn stops_a_batch(self) -> bool {
        matches!(
            self,
            Self::Quota | Self::Guard | Self::Credentials | Self::Usage
        )
    }
}

/// A failure: what failed and why in `message`, what to do in `hint`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// For programs.
    pub kind: Kind,
    /// What failed, where and why: one sentence, no token, no signed URL.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// The status that the service answered with, if it did.
    pub status: Option<u16>,
}

/// What this layer's functions return.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// A failure without a hint.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            hint: None,
            status: None,
        }
    }

    /// The same with what to do.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same with what to do, where that is known.
    #[must_use]
    pub fn hint_if_any(self, hint: Option<impl Into<String>>) -> Self {
        match hint {
            Some(hint) => self.hint(hint),
            None => self,
        }
    }

    /// An answer that the contract does not have, whatever else is wrong with it.
    pub fn faulty(message: impl Into<String>) -> Self {
        Self::new(Kind::Contract, message).hint(
            "try again later; if it persists, tell the provider, or whoever runs a proxy in between",
        )
    }

    /// The same with the service's status.
    #[must_use]
    pub fn status(mut self, status: u16) -> Self {
        self.status = Some(status);
        self
    }

    /// A failure of this machine while doing `what` (`"write /path"`).
    #[must_use]
    pub fn machine(what: &str, error: &io::Error) -> Self {
        let hint = match error.kind() {
            _ if let Some(why) = Unsafe::behind(error) => why.mend(),
            _ if NoThread::is_behind(error) => {
                "raise the limits of processes (ulimit -u) and of memory (ulimit -v), then run it again"
            }
            io::ErrorKind::OutOfMemory => {
                "free some memory or raise its limit (ulimit -v), then run it again"
            }
            _ if has_no_descriptors(error) => {
                "raise the limit of open files (ulimit -n), then run it again"
            }
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                "free some space, then run it again: what was downloaded is kept"
            }
            io::ErrorKind::FileTooLarge => {
                "a file size limit is set (ulimit -f): raise it, then run it again"
            }
            io::ErrorKind::PermissionDenied => {
                "check owner and mode of that path, or choose another with --cache-dir or IPSPECT_STATE_DIR"
            }
            io::ErrorKind::ResourceBusy => "another process of this program is using it: try again",
            io::ErrorKind::ReadOnlyFilesystem => {
                "choose a writable place with --cache-dir or IPSPECT_CACHE_DIR"
            }
            _ => "check that path, then run it again",
        };
        let why = reason(error);
        Self::new(Kind::Machine, format!("could not {what}: {why}")).hint(hint)
    }

    /// A failure of this machine while doing `what` (`"write"`) to a file or folder.
    #[must_use]
    pub fn machine_at(what: &str, path: impl AsRef<Path>, error: &io::Error) -> Self {
        let path = path.as_ref();
        let made = Self::machine(&format!("{what} {}", path.display()), error);
        match error.kind() {
            io::ErrorKind::NotFound if let Some(folder) = missing_folder(path) => {
                let (path, folder) = (path.display(), folder.display());
                Self::new(
                    Kind::Machine,
                    format!("could not {what} {path}: there is no folder {folder}"),
                )
                .hint(format!("make it with `mkdir -p {folder}`, or name another"))
            }
            _ => made.on(error, || FileSystem::of(path)),
        }
    }

    /// The same with the file system that had no room, if that is the failure.
    #[must_use]
    pub fn on(mut self, error: &io::Error, system: impl FnOnce() -> Option<FileSystem>) -> Self {
        let is_full = matches!(
            error.kind(),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
        );
        if is_full && let Some(system) = system() {
            self.message.push_str(&format!("; {system}"));
        }
        self
    }

    /// The same with the bytes that were still to be written, where the disk had no room.
    #[must_use]
    pub fn needing(mut self, error: &io::Error, bytes: Option<u64>) -> Self {
        if error.kind() == io::ErrorKind::StorageFull
            && let Some(bytes) = bytes
        {
            let needed = format!("; {} more are needed", size(bytes));
            self.message.push_str(&needed);
        }
        self
    }
}

/// Why the system refused, for people: without its number, which is for programmers.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        _ if Unsafe::behind(error).is_some() || NoThread::is_behind(error) => error.to_string(),
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::StorageFull => "no space is left on the disk".to_owned(),
        io::ErrorKind::QuotaExceeded => "your disk quota is used up".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "the file system is read-only".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        io::ErrorKind::NotADirectory => "it is not a folder".to_owned(),
        io::ErrorKind::OutOfMemory => "out of memory".to_owned(),
        _ if has_no_descriptors(error) => "too many files are open".to_owned(),
        _ => {
            let text = error.to_string();
            match text.find(" (os error") {
                Some(end) => text[..end].to_owned(),
                None => text,
            }
        }
    }
}

/// Whether this process or the system has no more files or memory: the failure says nothing of what was opened.
#[must_use]
pub fn is_out_of_resources(error: &io::Error) -> bool {
    has_no_descriptors(error) || error.kind() == io::ErrorKind::OutOfMemory
}

/// Whether this process or the system can open no more files.
#[must_use]
pub fn has_no_descriptors(error: &io::Error) -> bool {
    let errno = rustix::io::Errno::from_io_error(error);
    matches!(
        errno,
        Some(rustix::io::Errno::MFILE | rustix::io::Errno::NFILE)
    )
}

/// The folder of a path, if it is not there.
fn missing_folder(path: &Path) -> Option<&Path> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())?;
    (!folder.exists()).then_some(folder)
}

/// No address configured for a host.
#[must_use]
pub fn not_configured(host: Host) -> Error {
    Error::new(
        Kind::Usage,
        format!("{} is not set: the {host} host has no address", host.key()),
    )
    .hint("set it in the profile (`ipspect doctor --sample` prints one), or try `--demo`")
}

/// Nothing may be sent at all.
pub(super) fn offline() -> Error {
    Error::new(Kind::Usage, "--offline: nothing was sent")
        .hint("leave --offline out to ask the service")
}

/// Adds the failed action to an error of this machine.
pub trait ErrorContext<T> {
    /// The failure with what was being done (`"start working threads"`).
    ///
    /// # Errors
    /// [`Kind::Machine`].
    fn when(self, what: &str) -> Result<T>;

    /// The failure with what was being done to a file or folder (`"write"`).
    ///
    /// # Errors
    /// [`Kind::Machine`].
    fn at(self, what: &str, path: impl AsRef<Path>) -> Result<T>;
}

impl<T> ErrorContext<T> for io::Result<T> {
    fn when(self, what: &str) -> Result<T> {
        self.map_err(|error| Error::machine(what, &error))
    }

    fn at(self, what: &str, path: impl AsRef<Path>) -> Result<T> {
        self.map_err(|error| Error::machine_at(what, path, &error))
    }
}

impl From<NotOffered> for Error {
    fn from(not_offered: NotOffered) -> Self {
        Self::new(Kind::Usage, not_offered.to_string())
            .hint("`ipspect feeds` shows what each feed has")
    }
}

/// What is no filter, with a picture of the place that is wrong.
impl From<BadFilter> for Error {
    fn from(bad: BadFilter) -> Self {
        let picture = bad.picture().replace('\n', "\n    ");
        Self::new(Kind::Usage, format!("{bad}\n    {picture}")).hint_if_any(bad.hint)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "\n  {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_is_quoted_without_its_numbers() {
        let said = |errno: rustix::io::Errno| {
            let error = io::Error::from(errno);
            Error::machine_at("write", "/", &error).message
        };
        assert_eq!(
            said(rustix::io::Errno::ACCESS),
            "could not write /: permission denied"
        );
        assert_eq!(
            said(rustix::io::Errno::MFILE),
            "could not write /: too many files are open"
        );
        assert!(!said(rustix::io::Errno::XDEV).contains("os error"));
        let full = said(rustix::io::Errno::NOSPC);
        assert!(
            full.starts_with(
                "could not write /: no space is left on the disk; the file system at / has "
            ) && full.ends_with(" free"),
            "{full}"
        );
    }

    #[test]
    fn what_is_needed_and_the_file_system_that_is_full_are_named() {
        let error = io::Error::from(io::ErrorKind::StorageFull);
        let made = Error::machine("write the export", &error);
        let small = FileSystem {
            mounted_at: "/mnt/small".into(),
            free: 1 << 10,
            lacks_inodes: false,
        };
        assert_eq!(
            made.needing(&error, Some(3 << 20))
                .on(&error, || Some(small))
                .message,
            "could not write the export: no space is left on the disk; 3.0 MiB more are needed; \
             the file system at /mnt/small has 1.0 KiB free"
        );
    }

    #[test]
    fn a_missing_folder_is_named() {
        let error = io::Error::from(io::ErrorKind::NotFound);
        let made = Error::machine_at("write", "/nonexistent/out.csv", &error);
        assert_eq!(
            made.to_string(),
            "could not write /nonexistent/out.csv: there is no folder /nonexistent\n  make it with `mkdir -p /nonexistent`, or name another"
        );
    }
}
