//! Notes about files in folders of a person that have a temporary name: where they are, and which file it is.
//!
//! A note is written before such a file is made, is locked for as long as the process lives that wrote it, and is emptied
//! when the file has its final name or is gone. What a killed process leaves is removed at the next start: exactly that
//! file, told by its number, and nothing else that has the name by now.

use std::{
    ffi::OsString,
    fs::{self, File, TryLockError},
    io::{self, Read, Seek, Write},
    os::unix::{
        ffi::{OsStrExt, OsStringExt},
        fs::MetadataExt,
    },
    path::{Path, PathBuf},
    time::SystemTime,
};

use serde_json::{Map, Value};

use crate::store::{Folder, checksum};

/// The folder of the notes in the state directory.
const FOLDER: &str = "unfinished";
/// So many files can be on their way at once.
const MOST: u32 = 64;
const LARGEST: u64 = 64 << 10;

/// A note about one file, emptied when it is dropped.
#[derive(Debug)]
pub(super) struct UnfinishedNote {
    file: File,
    path: PathBuf,
}

impl UnfinishedNote {
    /// Notes that a file of this name is about to be made.
    ///
    /// # Errors
    /// A failure of the system: then the file must not be made.
    pub(super) fn write(state: &Path, path: &Path) -> io::Result<Self> {
        let folder = Folder::make(state, &state.join(FOLDER))?;
        let (file, _) = folder.lock_first_free(MOST, "")?;
        finish(&file)?;
        let path = std::path::absolute(path)?;
        let note = Self { file, path };
        note.add(&[])?;
        Ok(note)
    }

    /// Notes which file it is, now that it is there or about to get the name.
    ///
    /// # Errors
    /// A failure of the system.
    pub(super) fn is_file(&self, file: &File) -> io::Result<()> {
        let identity = Identity::of(&file.metadata()?);
        self.add(&[
            ("device", identity.device),
            ("number", identity.number),
            ("created", identity.created),
        ])
    }

    fn add(&self, numbers: &[(&str, u64)]) -> io::Result<()> {
        let mut line = Map::new();
        // A path is bytes, and not always text.
        let bytes = self.path.as_os_str().as_bytes().iter().copied();
        line.insert("path".to_owned(), bytes.collect());
        for (key, number) in numbers {
            line.insert((*key).to_owned(), (*number).into());
        }
        (&self.file).write_all(format!("{}\n", checksum::sign(line)).as_bytes())
    }
}

impl Drop for UnfinishedNote {
    fn drop(&mut self) {
        // What stays is read at the next start, and then finds no such file.
        let _ = self.file.set_len(0);
    }
}

/// Removes what processes have left that ended before they were done.
///
/// # Errors
/// A failure of the system.
pub(in crate::engine) fn sweep(state: &Path) -> io::Result<()> {
    let folder = match Folder::reach(state, &state.join(FOLDER)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        folder => folder?,
    };
    for name in folder.names()? {
        let file = folder.update(&name)?;
        match file.try_lock() {
            Ok(()) => finish(&file)?,
            // Its process lives.
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
    Ok(())
}

/// Does what a note says, and empties it.
fn finish(mut file: &File) -> io::Result<()> {
    let mut text = Vec::new();
    file.rewind()?;
    file.take(LARGEST).read_to_end(&mut text)?;
    // The last line that is whole says most. One that cannot be trusted names no file to remove.
    let mut lines = text.rsplit(|byte| *byte == b'\n');
    let said = lines.find_map(|line| checksum::verify(line).ok());
    if let Some((path, which)) = said.as_ref().and_then(read) {
        remove(&path, which)?;
    }
    file.set_len(0)?;
    file.rewind()
}

/// What tells a file from any other that has or had its name. Numbers are used again; the time of its making is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Identity {
    device: u64,
    number: u64,
    /// In nanoseconds since 1970, or 0 where the system does not keep it.
    created: u64,
}

impl Identity {
    fn of(metadata: &fs::Metadata) -> Self {
        // A system that does not keep it says so for the note and for the file alike.
        let created = metadata.created().ok();
        let since = created.and_then(|created| created.duration_since(SystemTime::UNIX_EPOCH).ok());
        let nanoseconds = since.and_then(|since| u64::try_from(since.as_nanos()).ok());
        Self {
            device: metadata.dev(),
            number: metadata.ino(),
            created: nanoseconds.unwrap_or(0),
        }
    }
}

/// The path, and which file it is, if that was known.
fn read(line: &Map<String, Value>) -> Option<(PathBuf, Option<Identity>)> {
    let bytes = line.get("path")?.as_array()?.iter();
    let bytes = bytes.map(|byte| byte.as_u64().and_then(|byte| u8::try_from(byte).ok()));
    let path = OsString::from_vec(bytes.collect::<Option<_>>()?);
    let number = |key: &str| line.get(key).and_then(Value::as_u64);
    let identity = || {
        Some(Identity {
            device: number("device")?,
            number: number("number")?,
            created: number("created")?,
        })
    };
    Some((path.into(), identity()))
}

fn remove(path: &Path, which: Option<Identity>) -> io::Result<()> {
    let metadata = match path.symlink_metadata() {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        // The folder may be on a disk that is not there now, or no longer ours to look into.
        Err(_) => return Ok(()),
    };
    let is_it = match which {
        Some(which) => Identity::of(&metadata) == which,
        // It was made and nothing more: its name was drawn for it, and nothing was written.
        None => metadata.len() == 0,
    };
    if metadata.is_file() && is_it {
        fs::remove_file(path)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_the_file_that_was_left_is_removed() {
        let dir = tempfile::tempdir().expect("directory");
        let (state, path) = (dir.path().join("state"), dir.path().join("left"));
        sweep(&state).expect("nothing there");
        let leave = |known: bool| {
            let note = UnfinishedNote::write(&state, &path).expect("note");
            let file = File::create_new(&path).expect("file");
            if known {
                note.is_file(&file).expect("note");
                (&file).write_all(b"half").expect("write");
            }
            let slot = fs::read(state.join("unfinished/0")).expect("note");
            drop(note);
            slot
        };
        for known in [true, false] {
            let left = leave(known);
            sweep(&state).expect("sweep");
            assert!(path.exists(), "its note was emptied");
            fs::write(state.join("unfinished/0"), &left).expect("as after a kill");
            sweep(&state).expect("sweep");
            assert!(!path.exists(), "{known}");
            // Another file of that name is not ours.
            fs::write(&path, "somebody else's").expect("write");
            fs::write(state.join("unfinished/0"), &left).expect("as after a kill");
            sweep(&state).expect("sweep");
            assert_eq!(fs::read(&path).expect("there"), b"somebody else's");
            fs::remove_file(&path).expect("remove");
        }
        fs::write(state.join("unfinished/0"), "{\"path\":[47]}").expect("unsigned");
        sweep(&state).expect("sweep");
    }

    #[test]
    fn a_file_whose_process_lives_stays() {
        let dir = tempfile::tempdir().expect("directory");
        let path = dir.path().join("on its way");
        let note = UnfinishedNote::write(dir.path(), &path).expect("note");
        File::create_new(&path).expect("file");
        sweep(dir.path()).expect("sweep");
        assert!(path.exists());
        let second = UnfinishedNote::write(dir.path(), &dir.path().join("second")).expect("note");
        assert_ne!(
            fs::read(dir.path().join("unfinished/1")).expect("its own"),
            b""
        );
        drop((note, second));
    }
}
