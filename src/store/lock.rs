//! One writer for each feed: a lock in the kernel, which ends with the process in any case.

use std::{
    fs::{File, TryLockError},
    io::{self, Read, Write},
    path::Path,
};

use super::folder::Folder;

/// The maximum length of a holder's name that is read.
const LONGEST_NAME: u64 = 100;

/// Exclusive lock for writing a feed's directory; dropping it unlocks.
#[derive(Debug)]
pub struct FeedLock {
    file: File,
}

/// Why the lock was not acquired.
#[derive(Debug)]
pub enum NotLocked {
    /// Another process holds it; with its name, if known.
    Held(String),
    /// The lock file could not be used.
    Io(io::Error),
}

impl FeedLock {
    /// Locks a feed's folder, which must exist.
    ///
    /// # Errors
    /// [`NotLocked::Held`] immediately if another process holds it.
    pub fn take(feed_dir: &Path) -> Result<Self, NotLocked> {
        Self::take_in(&Folder::root(feed_dir).map_err(NotLocked::Io)?)
    }

    /// Locks an open folder.
    ///
    /// # Errors
    /// As [`FeedLock::take`].
    pub fn take_in(folder: &Folder) -> Result<Self, NotLocked> {
        let mut file = folder.update(".lock").map_err(NotLocked::Io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                // Without a name it is still another process.
                let _ = (&file).take(LONGEST_NAME).read_to_string(&mut holder);
                let holder = holder.trim();
                return Err(NotLocked::Held(if holder.is_empty() {
                    "another process".to_owned()
                } else {
                    holder.to_owned()
                }));
            }
            Err(TryLockError::Error(error)) => return Err(NotLocked::Io(error)),
        }
        // The name is only for people; the lock works without it.
        let _ = file
            .set_len(0)
            .and_then(|()| writeln!(file, "process {}", std::process::id()));
        Ok(Self { file })
    }
}

impl Drop for FeedLock {
    /// Closing the file is not enough: while another thread spawns a program, the child briefly has a copy of the handle.
    fn drop(&mut self) {
        // If this fails, the lock ends when the last copy is closed.
        let _ = self.file.unlock();
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

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

    #[test]
    fn a_copy_of_the_file_does_not_hold_the_lock() {
        let dir = tempfile::tempdir().expect("directory");
        let first = FeedLock::take(dir.path()).expect("first");
        let copy = first.file.try_clone().expect("a copy");
        drop(first);
        assert!(FeedLock::take(dir.path()).is_ok());
        drop(copy);
    }

    #[test]
    fn a_lock_that_is_a_link_cuts_nothing() {
        let dir = tempfile::tempdir().expect("directory");
        let precious = dir.path().join("precious");
        fs::write(&precious, "precious").expect("file");
        let feed = dir.path().join("feed");
        fs::create_dir(&feed).expect("folder");
        std::os::unix::fs::symlink(&precious, feed.join(".lock")).expect("link");
        assert!(matches!(FeedLock::take(&feed), Err(NotLocked::Io(_))));
        assert_eq!(fs::read(&precious).expect("still there"), b"precious");
    }
}
