//! Pasted texts with addresses, kept so that a table of them can be read again and a command can name them, until the trail is forgotten.
//!
//! A file is named by the hash of its text: the same paste is kept once. The oldest go where there are too many.

use std::{
    collections::HashSet,
    io::{self, Write},
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use super::error::{ErrorContext, Result};
use crate::store::{
    Folder,
    checksum::hexadecimal,
    folder::{Durability, Replacement, if_there, temporary},
};

/// The name of their folder in the state directory.
const FOLDER: &str = "pastes";
/// Files that are kept, and their bytes; the newest one in any case.
const MOST: usize = 200;
const MOST_BYTES: u64 = 256 << 20;

/// The pasted texts of a state directory.
#[derive(Clone, Debug)]
pub struct Pastes {
    state: PathBuf,
}

impl Pastes {
    #[must_use]
    pub fn new(state: &Path) -> Self {
        Self {
            state: state.to_owned(),
        }
    }

    /// Where a text is kept.
    #[must_use]
    pub fn path_of(&self, text: &str) -> PathBuf {
        let digest = Sha256::digest(text.as_bytes());
        let name = hexadecimal(&digest[..8]) + ".txt";
        self.state.join(FOLDER).join(name)
    }

    /// Whether a file is where pasted texts are kept, under a name that says nothing.
    #[must_use]
    pub fn is_of(file: &Path) -> bool {
        file.parent().is_some_and(|folder| folder.ends_with(FOLDER))
    }

    /// Keeps a text.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn keep(&self, text: &str) -> Result<()> {
        let path = self.path_of(text);
        let write = || -> io::Result<()> {
            let folder = Folder::make_root(&self.state)?.make_child(FOLDER)?;
            let mut replacement = Replacement::begin(&folder, temporary(FOLDER.as_ref()))?;
            replacement.file.write_all(text.as_bytes())?;
            let name = path.file_name().unwrap_or_default();
            replacement.publish(name, Durability::Cached)?;
            folder.keep_newest(MOST, MOST_BYTES)
        };
        write().at("keep the pasted text in", &path)
    }

    /// Removes a text, if the file is one of them and there.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn remove(&self, file: &Path) -> Result<()> {
        let (true, Some(name)) = (Self::is_of(file), file.file_name()) else {
            return Ok(());
        };
        let remove = || -> io::Result<()> {
            let state = if_there(Folder::root(&self.state))?;
            let folder = state
                .and_then(|folder| if_there(folder.enter(FOLDER)).transpose())
                .transpose()?;
            let removed = folder.map(|folder| if_there(folder.remove(name)));
            removed.transpose().map(drop)
        };
        remove().at("remove the pasted text in", file)
    }

    /// Removes all of them but these.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn forget_but(&self, kept: &HashSet<String>) -> Result<()> {
        let remove = || -> io::Result<()> {
            let state = if_there(Folder::root(&self.state))?;
            let Some(folder) = state.and_then(|folder| if_there(folder.enter(FOLDER)).transpose())
            else {
                return Ok(());
            };
            let folder = folder?;
            for name in folder.names()? {
                let path = self.state.join(FOLDER).join(&name);
                if path.to_str().is_none_or(|text| !kept.contains(text)) {
                    folder.remove(&name)?;
                }
            }
            Ok(())
        };
        remove().at("remove the pasted texts in", self.state.join(FOLDER))
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt};

    use super::*;

    #[test]
    fn a_paste_is_kept_once_for_its_owner_until_all_are_forgotten() {
        let root = tempfile::tempdir().expect("directory");
        let pastes = Pastes::new(root.path());
        let none = HashSet::new();
        pastes.forget_but(&none).expect("there are none");
        for _ in 0..2 {
            pastes.keep("deny 198.51.100.7\n").expect("kept");
        }
        pastes.keep("deny 198.51.100.8\n").expect("kept");
        let path = pastes.path_of("deny 198.51.100.7\n");
        let text = fs::read_to_string(&path).expect("a file");
        assert_eq!(text, "deny 198.51.100.7\n");
        let mode = fs::metadata(&path).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let count = || {
            fs::read_dir(root.path().join(FOLDER))
                .expect("folder")
                .count()
        };
        assert_eq!(count(), 2);
        for number in 0..MOST {
            pastes
                .keep(&format!("{number} 198.51.100.7"))
                .expect("kept");
        }
        assert_eq!(count(), MOST);
        assert!(!path.exists(), "the oldest is gone");
        let last = pastes.path_of(&format!("{} 198.51.100.7", MOST - 1));
        let kept = HashSet::from([last.to_str().expect("a path").to_owned()]);
        pastes.forget_but(&kept).expect("forgotten");
        assert!(last.exists() && count() == 1, "another case has it");
        pastes.remove(&last).expect("removed");
        pastes.remove(&last).expect("it is gone");
        assert_eq!(count(), 0);
    }
}
