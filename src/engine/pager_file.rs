//! A text in a file for another program, an editor or a pager, for as long as that shows it.
//!
//! The names are fixed, so that the next run uses what a killed one has left. It must never show a text in a file that
//! another process is showing.

use std::{
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
};

use crate::store::Folder;

/// Texts that can be shown at once.
const MOST: u32 = 16;

/// A text in a file, emptied when it is dropped.
#[derive(Debug)]
pub struct PagerFile {
    file: File,
    pub path: PathBuf,
}

impl PagerFile {
    /// Writes a text to the first such file that no other process is showing, readable by its owner only.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn write(state: &Path, text: &str) -> io::Result<Self> {
        let folder = Folder::make(state, &state.join("shown"))?;
        let (mut file, path) = folder.lock_first_free(MOST, ".json")?;
        file.set_len(0)?;
        file.write_all(text.as_bytes())?;
        Ok(Self { file, path })
    }
}

impl Drop for PagerFile {
    fn drop(&mut self) {
        // An editor may have put another file in its place; what stays is of its owner's and is used again.
        let _ = self.file.set_len(0);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_is_shown_takes_the_first_free_file_and_leaves_it_empty() {
        let state = tempfile::tempdir().expect("directory");
        let write = |text| PagerFile::write(state.path(), text).expect("written");
        let (one, two) = (write("one"), write("two"));
        let read = |shown: &PagerFile| fs::read_to_string(&shown.path).expect("text");
        assert_eq!(
            (read(&one), read(&two)),
            ("one".to_owned(), "two".to_owned())
        );
        let path = one.path.clone();
        drop(one);
        assert_eq!(fs::read(&path).expect("empty"), b"");
        assert_eq!(write("three").path, path);
    }
}
