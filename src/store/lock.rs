//! One writer for each feed: a lock held by the kernel, so that it ends with the process, however that ends.

use std::{
    fs::{self, File, TryLockError},
    io::{self, Write},
    path::Path,
};

/// The right to write a feed's folder, until it is dropped.
#[derive(Debug)]
pub struct FeedLock {
    _file: File,
}

/// Why the right was not given.
#[derive(Debug)]
pub enum NotLocked {
    /// Another process holds it; says which, as far as that is known.
    Held(String),
    /// The lock file could not be used.
    Io(io::Error),
}

impl FeedLock {
    /// Takes the lock of a feed's folder, which must be there.
    ///
    /// # Errors
    /// [`NotLocked::Held`] at once when another process has it.
    pub fn take(feed_dir: &Path) -> Result<Self, NotLocked> {
        let path = feed_dir.join(".lock");
        let mut options = fs::OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&path).map_err(NotLocked::Io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let holder = fs::read_to_string(&path).unwrap_or_default();
                let holder = holder.trim();
                return Err(NotLocked::Held(if holder.is_empty() {
                    "another process".to_owned()
                } else {
                    holder.to_owned()
                }));
            }
            Err(TryLockError::Error(error)) => return Err(NotLocked::Io(error)),
        }
        // The name is for people only: the lock holds without it.
        let _ = file
            .set_len(0)
            .and_then(|()| writeln!(file, "process {}", std::process::id()));
        Ok(Self { _file: file })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_is_told_who_is_first() {
        let dir = tempfile::tempdir().expect("directory");
        let first = FeedLock::take(dir.path()).expect("first");
        match FeedLock::take(dir.path()) {
            Err(NotLocked::Held(who)) => assert_eq!(who, format!("process {}", std::process::id())),
            other => panic!("{other:?}"),
        }
        drop(first);
        assert!(FeedLock::take(dir.path()).is_ok());
    }
}
